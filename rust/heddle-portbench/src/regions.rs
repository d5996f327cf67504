//! Where the registers of warps lie in the register file.

use heddle_port::NUM_REGS;

use crate::config::BenchConfig;
use crate::rng::Rng;

/// Registers that most kernels have at most.
const USUAL_REGISTERS: usize = 96;

/// The regions of the running kernel, each for the registers of one warp. In a file of several parts, region r lies in part
/// r mod parts, and so do the registers of slot r mod parts.
pub(crate) struct Regions {
    /// Warp registers of the file.
    capacity: usize,
    /// Even warp slots have their registers in the lower half of the file, odd ones in the upper half.
    halves: bool,
    /// Parts of the file that hold the warps whose number has the same remainder.
    parts: usize,
    most_registers: usize,
    slots: usize,
    /// Registers a thread of the running kernel.
    registers: usize,
    /// Where the first region begins, in warp registers.
    first: usize,
    free: Vec<usize>,
}

impl Regions {
    /// None: no kernel runs.
    pub(crate) fn new(config: &BenchConfig, slots: usize) -> Self {
        Self {
            capacity: config.capacity,
            halves: config.halves,
            parts: if config.halves { 2 } else { config.sub_cores },
            most_registers: config.most_registers.clamp(1, NUM_REGS - 1),
            slots,
            registers: 0,
            first: 0,
            free: Vec::new(),
        }
    }

    /// Registers a thread of the running kernel.
    pub(crate) fn registers(&self) -> usize {
        self.registers
    }

    /// A kernel starts: draws how many registers a thread has and where they lie.
    pub(crate) fn start(&mut self, rng: &mut Rng) {
        let part = self.capacity / self.parts;
        let most = self.most_registers.min(part);
        // Now and then all that a thread may have, or any number up to it: few warps fit beside each other then.
        self.registers = match rng.below(8) {
            0 => most,
            1 => from_four(most, rng),
            _ => from_four(most.min(USUAL_REGISTERS), rng),
        };
        let regions = (part / self.registers).min(2 * self.slots).max(1);
        self.first = rng.below(part.saturating_sub(regions * self.registers) + 1);
        self.free = (0..self.parts * regions).collect();
    }

    /// A region for a warp slot, if one is left.
    pub(crate) fn take(&mut self, slot: usize, rng: &mut Rng) -> Option<usize> {
        if self.free.is_empty() {
            return None;
        }
        let start = rng.below(self.free.len());
        let fits = |at: &usize| self.free[*at] % self.parts == slot % self.parts;
        let at = (start..self.free.len()).chain(0..start).find(fits)?;
        Some(self.free.swap_remove(at))
    }

    /// A warp has ended.
    pub(crate) fn give_back(&mut self, region: usize) {
        self.free.push(region);
    }

    /// First warp register of a region.
    pub(crate) fn base(&self, region: usize) -> usize {
        // The count begins anew in the file of each sub-core.
        let begin = if self.halves { region % 2 * (self.capacity / 2) } else { 0 };
        begin + self.first + region / self.parts * self.registers
    }
}

/// A number from 4 to `most`, or `most` where that is less.
fn from_four(most: usize, rng: &mut Rng) -> usize {
    (4 + rng.below(most.saturating_sub(3).max(1))).min(most)
}
