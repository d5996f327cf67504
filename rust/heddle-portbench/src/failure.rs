//! What the bench found wrong.

use std::fmt;

use heddle_port::DesignError;

/// What the bench found wrong, where, and what happened before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Failure {
    /// The seed of the run.
    pub seed: u64,
    /// The cycle.
    pub cycle: u64,
    /// What is wrong.
    pub kind: FailureKind,
    /// The last transactions that matter, oldest first.
    pub history: Vec<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seed {}, cycle {}: {}", self.seed, self.cycle, self.kind)?;
        for line in &self.history {
            write!(f, "\n    {line}")?;
        }
        Ok(())
    }
}

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FailureKind {
    /// An output of the RTL differs from the model's.
    #[error("{field} differs: RTL {rtl}, model {model}")]
    Output {
        /// Which output, with slot, field and element.
        field: String,
        /// The RTL's value.
        rtl: String,
        /// The model's value.
        model: String,
    },
    /// An operand has a wrong value.
    #[error("operand of {tag}, {warp}, source {slot} (R{register}), lane {lane}: expected {expected:#010x}, found {found:#010x}", tag = heddle_port::Tag(*tag), warp = heddle_port::WarpSlot(*warp))]
    Operand {
        /// Tag.
        tag: u16,
        /// Warp slot.
        warp: u8,
        /// Source slot.
        slot: usize,
        /// Register.
        register: u8,
        /// Lane.
        lane: usize,
        /// The last value written.
        expected: u32,
        /// The value collected.
        found: u32,
    },
    /// A load brought a wrong value.
    #[error(
        "load T{tag}, lane {lane}, address {address:#010x}: expected {expected:08x?}, found {found:08x?}"
    )]
    Loaded {
        /// Tag.
        tag: u16,
        /// Lane.
        lane: usize,
        /// Byte address.
        address: u32,
        /// The bytes at the place of the load in the memory order, as words.
        expected: [u32; 4],
        /// What came.
        found: [u32; 4],
    },
    /// The design said something that nobody asked for, or took something back.
    #[error("{0}")]
    Protocol(String),
    /// A wait did not end.
    #[error("{what} waits for more than {limit} cycles")]
    Wait {
        /// What waits, and for what.
        what: String,
        /// The bound.
        limit: u64,
    },
    /// The RTL or the model stopped.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// The design tells of a fault by its event, where the traffic breaks the port's contract.
    #[error("event {0}")]
    Fault(&'static str),
    /// The run compared no operand.
    #[error("no operand was compared")]
    NothingCompared,
}
