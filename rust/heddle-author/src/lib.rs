//! What the author of a design uses: [`check()`] goes through everything that a design needs, says what is missing, and
//! brings the files that follow from the manifest up to date. [`new_design`] writes what a design needs that stands on another.

mod check;
mod error;
mod lint;
mod made;
mod new;

pub use check::{CheckOptions, Finding, check, check_files};
pub use error::NewDesignError;
pub use lint::lint;
pub use new::new_design;
