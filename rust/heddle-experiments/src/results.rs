//! Results of an experiment, as far as they are there.

use serde_json::{Map, Value};

use crate::error::ExperimentError;
use crate::experiment::{Chosen, Point};
use crate::outcome::{Failed, Finished};
use crate::plan::Plan;
use crate::store::Store;

/// Keys of a run's row that say which run it is, and of which machine; the row of an entry has them too.
const OF_THE_RUN: [&str; 10] =
    ["schema", "engine", "design", "kernel", "size", "preset", "parameters", "sms", "seed", "made_by"];

/// A kernel, or an entry, at a point.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow {
    /// The point.
    pub point: Point,
    /// The kernel.
    pub kernel: Chosen,
    /// Key of the run.
    pub key: String,
    /// The row that `heddle sim --format json` prints, of an entry with `--per entry`.
    pub row: Map<String, Value>,
}

impl ResultRow {
    /// A number of the row by its key, such as `ipc` or `statistics.stalls.port`; `None` where there is none.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<f64> {
        let own = self.row.get(key);
        let inner = || key.split_once('.').and_then(|(table, name)| self.row.get(table)?.get(name));
        own.or_else(inner).and_then(Value::as_f64)
    }
}

/// What there is of an experiment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResultSet {
    /// Results, in the order of the plan.
    pub rows: Vec<ResultRow>,
    /// Runs that failed when they last ran.
    pub failed: Vec<(Point, Chosen, Failed)>,
    /// Runs that have not run, and entries that a run did not launch.
    pub missing: Vec<(Point, Chosen)>,
}

impl ResultSet {
    /// What `store`, or that of another experiment beside it, has of the runs of `plan`; results of other runs there are
    /// not looked at.
    ///
    /// # Errors
    /// As [`Store::found`].
    pub fn load(plan: &Plan, store: &Store) -> Result<Self, ExperimentError> {
        let mut set = Self::default();
        for (point, kernel, key) in plan.cells() {
            let (point, kernel) = (point.clone(), kernel.clone());
            if let Some(finished) = store.found(key)? {
                match row_of(finished, &kernel) {
                    Some(row) => set.rows.push(ResultRow { point, kernel, key: key.to_owned(), row }),
                    None => set.missing.push((point, kernel)),
                }
            } else if let Some(failed) = store.failed(key)? {
                set.failed.push((point, kernel, failed));
            } else {
                set.missing.push((point, kernel));
            }
        }
        Ok(set)
    }

    /// The result of a kernel at a point.
    #[must_use]
    pub fn find(&self, point: &Point, kernel: &Chosen) -> Option<&ResultRow> {
        self.rows.iter().find(|row| row.point == *point && row.kernel == *kernel)
    }
}

/// The row of a kernel, or of the entry that was chosen of it.
fn row_of(finished: Finished, kernel: &Chosen) -> Option<Map<String, Value>> {
    let Some(entry) = &kernel.entry else { return Some(finished.row) };
    let is_it = |row: &Map<String, Value>| row.get("entry").and_then(Value::as_str) == Some(entry);
    let mut row = finished.entries.into_iter().find(is_it)?;
    for key in OF_THE_RUN {
        row.extend(finished.row.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    Some(row)
}
