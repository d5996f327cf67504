//! What prefetches are like, why warps become inactive, and how long register-intervals could be.

use serde::Serialize;

use crate::decode::Decoded;

/// Registers of one number modulo this lie in one bank of the main register file of LTRF.
const GROUPS: usize = 16;

/// Counters of designs that prefetch working sets; the deactivations are those of any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct IntervalStatistics {
    /// Prefetches by their time.
    pub prefetch_cycles: PrefetchCycles,
    /// Prefetches by the conflicts of their working sets.
    pub prefetch_conflicts: PrefetchConflicts,
    /// Deactivations by what the warp waited for.
    pub deactivations: Deactivations,
    /// The fewest stretches of instructions with at most `register_file.registers_per_interval` registers into which
    /// the instructions of the warps can be divided, each in the order in which its warp issued them.
    pub optimal: u64,
}

/// Prefetches by the cycles from the command until it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PrefetchCycles {
    /// All cycles together.
    pub sum: u64,
    /// At most 15.
    pub to_15: u64,
    /// 16 to 31.
    pub to_31: u64,
    /// 32 to 63.
    pub to_63: u64,
    /// 64 to 127.
    pub to_127: u64,
    /// 128 to 255.
    pub to_255: u64,
    /// 256 and more.
    pub more: u64,
}

impl PrefetchCycles {
    pub(crate) fn count(&mut self, cycles: u64) {
        self.sum += cycles;
        *match cycles {
            0..=15 => &mut self.to_15,
            16..=31 => &mut self.to_31,
            32..=63 => &mut self.to_63,
            64..=127 => &mut self.to_127,
            128..=255 => &mut self.to_255,
            _ => &mut self.more,
        } += 1;
    }
}

/// Prefetches by conflicts: the most registers of the working set with one number modulo 16, less one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct PrefetchConflicts {
    /// All conflicts together.
    pub sum: u64,
    /// Without one.
    pub none: u64,
    /// With one.
    pub one: u64,
    /// With two.
    pub two: u64,
    /// With three.
    pub three: u64,
    /// With more.
    pub more: u64,
}

impl PrefetchConflicts {
    /// A prefetch of a working set, one bit a register.
    pub(crate) fn count(&mut self, working_set: &[u32]) {
        let mut of_group = [0u64; GROUPS];
        for word in working_set {
            for (group, registers) in of_group.iter_mut().enumerate() {
                *registers += u64::from((word & (0x0001_0001 << group)).count_ones());
            }
        }
        let conflicts = of_group.into_iter().max().unwrap_or(0).saturating_sub(1);
        self.sum += conflicts;
        *match conflicts {
            0 => &mut self.none,
            1 => &mut self.one,
            2 => &mut self.two,
            3 => &mut self.three,
            _ => &mut self.more,
        } += 1;
    }
}

/// Deactivations by what the warp waited for when it was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Deactivations {
    /// A value from memory, or all its accesses at a fence.
    pub memory: u64,
    /// The other warps at a barrier.
    pub barrier: u64,
}

/// The registers of a warp since a stretch of its instructions began.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stretch {
    registers: [u64; 4],
    begun: bool,
}

impl Stretch {
    /// Takes the registers of the next instruction; returns whether a stretch begins with it, for no more than `most`
    /// registers are in one.
    pub(crate) fn take(&mut self, d: &Decoded, most: u32) -> bool {
        let sources = (0..d.source.len()).filter(|n| d.source_valid >> n & 1 != 0).map(|n| d.source[n]);
        let destinations = d.destination.iter().take(d.destinations.into()).copied();
        self.take_registers(sources.chain(destinations), most)
    }

    fn take_registers(&mut self, registers: impl Iterator<Item = u8>, most: u32) -> bool {
        let mut own = [0u64; 4];
        for register in registers {
            own[usize::from(register >> 6)] |= 1 << (register & 63);
        }
        let mut together = self.registers;
        together.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
        let begins = !self.begun || together.iter().map(|word| word.count_ones()).sum::<u32>() > most;
        *self = Self { registers: if begins { own } else { together }, begun: true };
        begins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetches_are_counted_by_powers_of_two_of_their_cycles() {
        let mut cycles = PrefetchCycles::default();
        for taken in [11, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 1000] {
            cycles.count(taken);
        }
        let counts = [cycles.to_15, cycles.to_31, cycles.to_63, cycles.to_127, cycles.to_255, cycles.more];
        assert_eq!((counts, cycles.sum), ([2; 6], 1998));
    }

    /// R0, R16 and R64 are in group 0, R17 in group 1.
    #[test]
    fn conflicts_are_of_the_fullest_of_sixteen_groups() {
        let mut conflicts = PrefetchConflicts::default();
        let set = |registers: &[u32]| {
            registers.iter().fold([0u32; 8], |mut set, register| {
                set[(register / 32) as usize] |= 1 << (register % 32);
                set
            })
        };
        for registers in [&[][..], &[0, 1, 2, 15], &[0, 16], &[0, 16, 17], &[0, 16, 64], &[0, 16, 64, 240]] {
            conflicts.count(&set(registers));
        }
        conflicts.count(&[u32::MAX; 8]);
        let PrefetchConflicts { sum, none, one, two, three, more } = conflicts;
        assert_eq!([none, one, two, three, more], [2, 2, 1, 1, 1]);
        assert_eq!(sum, 2 + 2 + 3 + 15);
    }

    #[test]
    fn a_stretch_ends_before_a_register_too_many() {
        let mut stretch = Stretch::default();
        let instructions: [&[u8]; 7] = [&[0, 1], &[1, 2], &[], &[0, 2], &[3], &[200, 3], &[0]];
        let begins = instructions.map(|registers| stretch.take_registers(registers.iter().copied(), 3));
        // R0 to R2; R3 is the fourth. R3, R200 and R0 fit again.
        assert_eq!(begins, [true, false, false, false, true, false, false]);
        assert!(Stretch::default().take_registers(std::iter::empty(), 3), "the first instruction begins one");
    }
}
