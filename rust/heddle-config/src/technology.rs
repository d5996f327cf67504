//! What a register file is made of, in a publication's figures: it describes, and no run reads it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::{Table, Value};

use crate::error::ConfigError;
use crate::preset::Preset;

/// The table of a preset that holds it.
const TABLE: &str = "technology";

/// A register file by its technology; numbers are relative to the publication's conventional one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Technology {
    /// The memory cell.
    pub cell: String,
    /// Number of banks.
    pub banks: Times,
    /// Capacity of a bank.
    pub bank_size: Times,
    /// Network between banks and operand collectors.
    pub network: String,
    /// Capacity of the whole file.
    pub capacity: Times,
    /// Its area.
    pub area: Times,
    /// Its power.
    pub power: Times,
    /// Its average access latency, queueing included.
    pub latency: Times,
}

/// So many times as much, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times(u32);

impl Times {
    /// As a number.
    #[must_use]
    pub fn factor(self) -> f64 {
        f64::from(self.0) / 100.0
    }
}

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.factor())
    }
}

impl<'de> Deserialize<'de> for Times {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let hundredths = match Value::deserialize(from)? {
            Value::Integer(whole) => whole as f64 * 100.0,
            Value::Float(number) => number * 100.0,
            other => return Err(D::Error::custom(format!("a number is expected, not {other}"))),
        };
        let rounded = hundredths.round();
        if !(1.0..=1e6).contains(&rounded) || (hundredths - rounded).abs() > 1e-6 {
            return Err(D::Error::custom("0.01 to 10000, in whole hundredths, is expected"));
        }
        Ok(Self(rounded as u32))
    }
}

/// Takes the description out of a preset.
///
/// # Errors
/// [`ConfigError::Choice`]: it is not whole, or a value is none that its key takes.
pub(crate) fn take(origin: &str, root: &mut Table) -> Result<Option<Technology>, ConfigError> {
    let Some(table) = root.remove(TABLE) else { return Ok(None) };
    serde_path_to_error::deserialize(table).map(Some).map_err(|e| {
        let path = e.path().to_string();
        let key = if path == "." { TABLE.to_owned() } else { format!("{TABLE}.{path}") };
        ConfigError::Choice { origin: origin.to_owned(), key, message: e.inner().message().to_owned() }
    })
}

impl Preset {
    /// The preset with a description of its register file.
    pub(crate) fn made_of(mut self, technology: Option<Technology>) -> Self {
        self.technology = technology;
        self
    }
}
