//! Who waits for what, in messages.

use std::fmt;

use crate::site::Site;

/// A place in memory that a warp reads over and over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polled {
    /// Byte address, in shared memory the offset in the CTA's.
    pub address: u64,
    /// Buffer and offset, or that it is shared memory.
    pub buffer: String,
    /// What is there.
    pub value: Option<u64>,
}

impl fmt::Display for Polled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x} ({})", self.address, self.buffer)?;
        match self.value {
            Some(value) => write!(f, ", which is {value:#x},"),
            None => Ok(()),
        }
    }
}

/// A warp that waits for what never comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StuckWarp {
    /// The read that it repeats, or its barrier.
    pub at: Site,
    /// The barrier at which it stands.
    pub barrier: Option<u8>,
    /// What it reads over and over.
    pub polled: Vec<Polled>,
}

impl fmt::Display for StuckWarp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.at)?;
        if let Some(barrier) = self.barrier {
            return write!(f, ": stands at barrier {barrier}");
        }
        let places: Vec<String> =
            self.polled.iter().map(|p| p.to_string().trim_end_matches(',').to_owned()).collect();
        write!(f, ": polls {}", places.join("; "))
    }
}

/// One line a warp.
pub(crate) fn lines(waits: &[StuckWarp]) -> String {
    waits.iter().map(|w| format!("\n  {w}")).collect()
}
