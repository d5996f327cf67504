//! Experiments as data: which runs a figure or table is made of, the runs themselves, and what they come to.
//!
//! An [`Experiment`] is read from a TOML file ([`Experiment::load`]) and checked whole. [`Plan::new`] makes its runs,
//! each with a key that is the hash of all that its result depends on; [`sweep`] runs those that a [`Store`] does not
//! hold yet, on all cores, [`sweep_with_slurm`] as jobs of Slurm. [`ResultSet::load`] reads what is there, and
//! [`RatioTable::new`] makes ratios and means of it. `docs/experiments.md` has the format.

mod catalog;
mod check;
mod error;
mod estimate;
mod experiment;
mod export;
mod file;
mod folder;
mod identity;
mod outcome;
mod parquet;
mod plan;
mod ratio;
mod results;
mod runner;
mod scale;
mod slurm;
mod store;
mod tlp;
mod tolerance;

pub use catalog::Catalog;
pub use error::ExperimentError;
pub use estimate::{Basis, Rates};
pub use experiment::{Chosen, Experiment, Point, Series, TooManyPoints, combinations};
pub use export::{csv_text, json_lines};
pub use identity::Identity;
pub use outcome::{Failed, Finished};
pub use parquet::parquet_file;
pub use plan::{Plan, PlannedRun};
pub use ratio::{Means, RatioTable};
pub use results::{ResultRow, ResultSet};
pub use runner::{Observer, StreamTally, Tally, sweep, sweep_listed};
pub use scale::{Scale, UnknownScale};
pub use slurm::{Queue, SlurmError, SlurmOptions, Waiting, sweep_with_slurm};
pub use store::Store;
pub use tlp::Tlp;
pub use tolerance::Tolerance;
