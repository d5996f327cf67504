//! Saved views: which signals a reader wants to see first, in named groups.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Radix {
    /// Hexadecimal.
    #[default]
    Hex,
    /// Unsigned decimal.
    Unsigned,
    /// Binary.
    Binary,
    /// The numbers of the bits that are 1.
    Set,
    /// As a set, with an `R` before each number.
    Registers,
}

/// A named group of signals.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Heading.
    pub name: String,
    /// Signal paths below the top scope; `*` stands for any text, dots included, `{lane}` for a lane's number.
    pub signals: Vec<String>,
    /// How values are shown.
    #[serde(default)]
    pub radix: Radix,
    /// The file that it stands in.
    #[serde(skip)]
    pub path: PathBuf,
}

/// Signals whose values have names.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Names {
    /// Signal paths as in groups.
    pub signals: Vec<String>,
    /// The enumeration.
    #[serde(rename = "enum")]
    pub type_name: String,
    /// The SystemVerilog package with the enumeration; relative to the view's folder.
    pub file: PathBuf,
    /// Names by value.
    #[serde(skip)]
    pub values: BTreeMap<u64, String>,
    /// The file that it stands in.
    #[serde(skip)]
    pub path: PathBuf,
}

/// Signals that mean something only while a bit is 1: where `valid` has several, the one with the number that stands in
/// the last brackets of the signal's path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// Signal paths as in groups.
    pub signals: Vec<String>,
    /// The path of the signal with the bit.
    pub valid: String,
    /// The file that it stands in.
    #[serde(skip)]
    pub path: PathBuf,
}

/// A design's view, `testbench/<design>/view.toml` with the files that it includes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct View {
    /// The file itself.
    pub path: PathBuf,
    /// Paths of signals of one bit: the view opens where one of them is 1 for the first time in the window. Where none
    /// ever is, it opens where the SM first offers an instruction or an access.
    pub first: Vec<String>,
    /// The groups in the order of the files; those of one name are shown as one.
    pub groups: Vec<Group>,
    /// Which values have names.
    pub names: Vec<Names>,
    /// Which signals mean something only at times, besides the payloads of the ports.
    pub when: Vec<When>,
}

impl Radix {
    /// What stands before the numbers of a set's members, where it is one.
    pub(crate) fn letter(self) -> Option<&'static str> {
        match self {
            Self::Set => Some(""),
            Self::Registers => Some("R"),
            Self::Hex | Self::Unsigned | Self::Binary => None,
        }
    }
}
