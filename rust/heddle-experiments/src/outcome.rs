//! What is kept of a run: its result or why it failed, and how it was made.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::identity::hex;

/// A run that passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finished {
    /// Key of the run.
    pub key: String,
    /// What the key is the hash of.
    pub identity: Value,
    /// The row that `heddle sim --format json` prints.
    pub row: Map<String, Value>,
    /// The rows that it prints with `--per entry`, without what says which run they are of.
    pub entries: Vec<Map<String, Value>>,
    /// SHA-256 of all that, in hexadecimal.
    digest: String,
}

impl Finished {
    /// The result of run `key`.
    pub(crate) fn new(
        key: String,
        identity: Value,
        row: Map<String, Value>,
        entries: Vec<Map<String, Value>>,
    ) -> Self {
        let mut result = Self { key, identity, row, entries, digest: String::new() };
        result.digest = result.digested();
        result
    }

    /// Whether nothing was changed since the run wrote it.
    pub(crate) fn is_as_written(&self) -> bool {
        self.digest == self.digested()
    }

    fn digested(&self) -> String {
        let all = json!([self.key, self.identity, self.row, self.entries]);
        hex(&Sha256::digest(all.to_string()))
    }
}

/// A run that did not pass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Key of the run.
    pub key: String,
    /// Label of the first point that has the run.
    pub point: String,
    /// Design.
    pub design: String,
    /// Kernel.
    pub kernel: String,
    /// Why.
    pub message: String,
    /// Exit code of `heddle sim` or `heddle cosim` for such a run; 101 for a panic.
    pub exit_code: u8,
}

/// How a run was made; kept apart from its result, which it is no part of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Took {
    pub seconds: f64,
    /// What was done with the functional stream of the kernel, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functional: Option<Functional>,
}

/// What was done with the functional stream of the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Functional {
    /// The CTAs of the other SMs were executed, and the stream was recorded.
    Recorded,
    /// It was replayed.
    Replayed,
    /// They were executed from a launch on, without recording.
    InFull {
        /// The launch, from 0.
        launch: u32,
        /// Why.
        why: String,
    },
}

impl Functional {
    /// What a run says of it.
    pub fn of(functional: &heddle_cosim::Functional) -> Option<Self> {
        match functional {
            heddle_cosim::Functional::Plain => None,
            heddle_cosim::Functional::Recorded => Some(Self::Recorded),
            heddle_cosim::Functional::Replayed => Some(Self::Replayed),
            heddle_cosim::Functional::InFull { launch, why } => {
                Some(Self::InFull { launch: *launch, why: why.clone() })
            }
        }
    }
}
