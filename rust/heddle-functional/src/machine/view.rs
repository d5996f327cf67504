//! What can be seen of the golden machine.

use heddle_isa::DeviceMemory;

use super::Golden;

impl Golden {
    /// Writes of shared memory that found the value that another warp wrote in the same phase, and so are no
    /// race under [`RaceRule::Values`](crate::RaceRule::Values): a lane and word each (byte, where the program
    /// accesses bytes), in the CTAs that have finished.
    #[must_use]
    pub fn equal_shared_writes(&self) -> u64 {
        self.equal_shared_writes
    }

    /// Whether no CTA is running and nothing is in flight.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.ctas.is_empty() && self.in_flight.iter().all(Option::is_none)
    }

    /// Numbers of the CTAs that are running.
    pub fn running(&self) -> impl Iterator<Item = u64> + '_ {
        self.ctas.iter().map(|c| c.number)
    }

    /// Shared memory of a running CTA.
    #[must_use]
    pub fn shared(&self, cta: u64) -> Option<&[u8]> {
        let state = self.ctas.iter().find(|c| c.number == cta)?;
        Some(&state.shared.data)
    }

    /// Global memory.
    #[must_use]
    pub fn memory(&self) -> &DeviceMemory {
        &self.memory
    }

    /// Global memory, at the end.
    #[must_use]
    pub fn into_memory(self) -> DeviceMemory {
        self.memory
    }
}
