//! The figures of experiments, drawn with the results that are there, and the verdicts on the papers' claims, as one HTML file that needs nothing else.
//!
//! A [`Measured`] is an experiment with what a store has of it, a [`Judged`] a paper with its verdicts; [`page`] makes
//! the file of several. Bars and lines are
//! the experiment's measure with both means ([`heddle_experiments::RatioTable`]), stacks are the shares of issue slots
//! by the reason that they were lost. Every number of a drawing stands in the table behind it. `docs/report.md` says
//! what the page shows.

mod axis;
mod bars;
mod chart;
mod error;
mod figure;
mod kernels;
mod lines;
mod measured;
mod page;
mod quoted;
mod stack;
mod verdicts;

pub use error::ReportError;
pub use measured::Measured;
pub use page::{Made, page};
pub use verdicts::Judged;
