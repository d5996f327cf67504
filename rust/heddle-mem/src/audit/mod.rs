//! A second opinion on the models of memory, beside them in every run.
//!
//! Each auditor sees what goes into a model and what comes out of it, keeps its own record, and names the first event that
//! its rules forbid. It shares nothing with the model: a model that errs cannot agree with it by the same error.

mod lines;
mod reads;
mod requests;

pub use lines::Lines;
pub use reads::Reads;
pub use requests::Requests;
