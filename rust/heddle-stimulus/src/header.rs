//! The first line of a file: of which design it is, and where each port lies in the words.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One of the four groups of words that a clock edge moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What the design reads in every cycle.
    Input,
    /// Data that it reads under a valid of the inputs.
    BulkInput,
    /// Its control outputs and events.
    Output,
    /// Data that it drives under a valid of the outputs.
    BulkOutput,
}

/// 32-bit words of each group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// Inputs.
    pub input: usize,
    /// Bulk inputs.
    pub bulk_input: usize,
    /// Outputs.
    pub output: usize,
    /// Bulk outputs.
    pub bulk_output: usize,
}

impl Words {
    /// Most words of all groups together that a file may have; no port comes near it.
    pub(crate) const MOST: usize = 1 << 16;

    /// Words of a record: all groups, and the care bits of the outputs.
    #[must_use]
    pub fn of_record(&self) -> usize {
        self.input + self.bulk_input + 2 * (self.output + self.bulk_output)
    }

    /// Words of a group.
    #[must_use]
    pub fn of(&self, group: Group) -> usize {
        match group {
            Group::Input => self.input,
            Group::BulkInput => self.bulk_input,
            Group::Output => self.output,
            Group::BulkOutput => self.bulk_output,
        }
    }
}

/// A port of the top module. Bit 0 of its first word is its least significant bit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Its name in the RTL.
    pub name: String,
    /// The group of its words.
    pub group: Group,
    /// Its first word in the group.
    pub word: usize,
    /// Its bits.
    pub bits: usize,
}

/// What a file is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`crate::FORMAT`].
    pub format: u32,
    /// Version of the port's contract.
    pub port: u32,
    /// The design.
    pub design: String,
    /// Its top module.
    pub top: String,
    /// Name of the elaboration.
    pub elaboration: String,
    /// Parameters that are elaborated, by their names in the manifest.
    pub parameters: BTreeMap<String, i64>,
    /// The same, and all others of the top module, by their names in the RTL.
    pub generics: BTreeMap<String, i64>,
    /// Hash of the RTL that the outputs came from.
    pub sources: String,
    /// The kernel that ran.
    pub kernel: String,
    /// Words of each group.
    pub words: Words,
    /// The ports; the first one of the inputs is the reset, active low. The clock is none of them.
    pub ports: Vec<Port>,
}

/// What the header of every format begins with.
#[derive(Debug, Deserialize)]
struct Versions {
    format: u32,
}

impl Header {
    /// Reads the first line of a file; of another format only that is said, whatever else it has.
    pub(crate) fn parse(line: &[u8]) -> Result<Self, String> {
        let wrong = |e: serde_json::Error| format!("its first line: {e}");
        let Versions { format } = serde_json::from_slice(line).map_err(wrong)?;
        if format != crate::FORMAT {
            return Err(format!("it is of format {format}"));
        }
        serde_json::from_slice(line).map_err(wrong)
    }

    /// What is wrong with the header, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        let words = self.words;
        let groups = [words.input, words.bulk_input, words.output, words.bulk_output];
        if groups.iter().any(|&group| group > Words::MOST) {
            return Some(format!("a group has more than {} words", Words::MOST));
        }
        for port in &self.ports {
            let end = port.bits.div_ceil(32).checked_add(port.word);
            if end.is_none_or(|end| end > words.of(port.group)) {
                return Some(format!("port {} lies beyond the words of its group", port.name));
            }
        }
        match self.ports.first() {
            Some(Port { group: Group::Input, bits: 1, .. }) => None,
            _ => Some("its first port is not the reset".to_owned()),
        }
    }

    /// The port of `group` that the word `word` belongs to, with that word's number in it.
    #[must_use]
    pub fn port_of(&self, group: Group, word: usize) -> Option<(&Port, usize)> {
        let port = self.ports.iter().find(|port| {
            port.group == group && (port.word..port.word + port.bits.div_ceil(32)).contains(&word)
        })?;
        Some((port, word - port.word))
    }
}
