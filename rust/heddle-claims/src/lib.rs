//! What the papers say in numbers, as data, and whether it holds here.
//!
//! A [`Paper`] is a TOML file of `claims/` ([`load`]), checked against what there is ([`Stock`]): designs,
//! technologies, experiments, measures. [`judge`] holds each value against the results of experiments and what can be
//! computed without them ([`Evidence`]). `docs/claims.md` has the format.

mod check;
mod check_condition;
mod check_look;
mod check_source;
mod claim;
mod computed;
mod document;
mod error;
mod evidence;
mod file;
mod judge;
mod load;
mod measured;
mod older;
mod reached;
mod source;
mod stock;
mod summary;
mod text;
mod verdict;

pub use claim::{
    Claim, ClaimValue, Condition, Expected, Isolation, Need, NeedKind, Paper, Shown, Source, Statement,
};
pub use document::{check_places, write_into};
pub use error::ClaimError;
pub use evidence::{Evidence, Missing};
pub use judge::{Explanation, Judgement, judge};
pub use load::{load, load_from, only, unknown};
pub use measured::{Averages, Measured};
pub use reached::Reach;
pub use source::{
    End, Extreme, FromExperiment, Look, Mean, Measure, Of, Part, Reached, Selection, Target, Tolerated,
};
pub use stock::Stock;
pub use summary::{Count, count, line};
pub use verdict::Verdict;
