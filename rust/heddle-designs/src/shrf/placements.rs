//! Where the results of the instructions under way go.

use heddle_port::{Issue, NUM_DESTINATIONS, ResultLevel, ResultWrite, TAG_BITS, members};

/// The destinations of an instruction.
#[derive(Debug, Clone, Copy, Default)]
struct Destinations {
    valid: u8,
    registers: [u8; NUM_DESTINATIONS],
    levels: [ResultLevel; NUM_DESTINATIONS],
}

/// By tag: the destinations of the instruction that had it last.
#[derive(Debug, Clone)]
pub struct Placements(Vec<Destinations>);

impl Default for Placements {
    fn default() -> Self {
        Self(vec![Destinations::default(); 1 << TAG_BITS])
    }
}

impl Placements {
    /// An instruction is under way.
    pub fn issue(&mut self, issue: &Issue) {
        self.0[usize::from(issue.tag) % (1 << TAG_BITS)] = Destinations {
            valid: issue.destination_valid,
            registers: issue.destination,
            levels: issue.destination_placement.map(ResultLevel::from_code),
        };
    }

    /// Where a result goes.
    ///
    /// # Errors
    /// A text: its instruction does not write this register.
    pub fn of(&self, result: &ResultWrite) -> Result<ResultLevel, String> {
        let found = &self.0[usize::from(result.tag) % (1 << TAG_BITS)];
        let slot = members(found.valid).find(|&slot| found.registers[slot] == result.register);
        slot.map(|slot| found.levels[slot]).ok_or_else(|| {
            format!(
                "a result of tag {} for register {} of warp slot {}: no instruction under way with this tag writes it",
                result.tag, result.register, result.warp
            )
        })
    }
}
