//! Register files of an SM, one for each scheduler.

use heddle_port::{DesignError, Instance, MAX_PORT_WIDTH, PortWidths};

/// Sub-cores among which slots, collectors and banks are divided: of n of a kind, sub-core s has n / count from number
/// s * n / count on. Warp slot w belongs to sub-core w mod count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SubCores {
    /// log2 of their number.
    bits: u32,
}

impl SubCores {
    /// As many as parameter `sub_cores` of `design` says; one without it.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: the slots of the port cannot be divided so.
    pub fn new(design: &'static str, instance: &Instance) -> Result<Self, DesignError> {
        if instance.parameters.get("sub_cores").is_none() {
            return Ok(Self::default());
        }
        let count = instance.parameters.size(design, "sub_cores")?;
        let PortWidths { issue, result } = instance.widths;
        let possible = count.is_power_of_two() && count <= MAX_PORT_WIDTH;
        if !possible || !issue.is_multiple_of(count) || !result.is_multiple_of(count) {
            let what = format!(
                "sub_cores is {count}: 1, 2 or 4 that divide {issue} issue slots and {result} result slots are expected"
            );
            return Err(DesignError::Instance { design, what });
        }
        Ok(Self { bits: count.trailing_zeros() })
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        1 << self.bits
    }

    /// What a sub-core has of `all`.
    #[inline]
    #[must_use]
    pub fn share(self, all: usize) -> usize {
        all >> self.bits
    }

    /// The sub-core of a warp slot.
    #[inline]
    #[must_use]
    pub fn of_warp(self, warp: u8) -> usize {
        usize::from(warp) & (self.count() - 1)
    }

    /// The sub-core that has number `at` of `all`. Where there are several, each has a power of two.
    #[inline]
    #[must_use]
    pub fn owner(self, at: usize, all: usize) -> usize {
        debug_assert!(
            self.bits == 0 || self.share(all).is_power_of_two(),
            "{all} for {} sub-cores",
            self.count()
        );
        if self.bits == 0 { 0 } else { at >> self.share(all).trailing_zeros() }
    }

    /// The numbers of `all`, at most 32, that sub-core `sub_core` has, as a set.
    #[inline]
    #[must_use]
    pub fn set(self, sub_core: usize, all: usize) -> u32 {
        let share = self.share(all);
        (u32::MAX >> (32 - share)) << (sub_core * share)
    }
}

#[cfg(test)]
mod tests {
    use super::SubCores;
    use heddle_port::{Instance, PortWidths};

    fn of(count: i64, issue: usize, result: usize) -> Result<SubCores, String> {
        let instance = Instance::of_widths(PortWidths { issue, result }).with("sub_cores", count);
        SubCores::new("some", &instance).map_err(|error| error.to_string())
    }

    #[test]
    fn everything_belongs_to_one_sub_core() {
        for count in [1, 2, 4] {
            let cores = of(count, 4, 4).expect("they divide four slots");
            for all in [4, 16, 32] {
                let sets = (0..cores.count()).map(|core| cores.set(core, all));
                assert_eq!(sets.clone().map(u32::count_ones).sum::<u32>(), all as u32);
                assert_eq!(sets.clone().fold(0, |whole, set| whole | set), u32::MAX >> (32 - all));
                for at in 0..all {
                    let owners: Vec<usize> = sets
                        .clone()
                        .enumerate()
                        .filter(|(_, set)| set >> at & 1 != 0)
                        .map(|(core, _)| core)
                        .collect();
                    assert_eq!(owners, [cores.owner(at, all)], "{at} of {all} among {count}");
                }
            }
        }
        assert_eq!(
            (0..6).map(|warp| of(4, 4, 4).map_or(9, |c| c.of_warp(warp))).collect::<Vec<_>>(),
            [0, 1, 2, 3, 0, 1]
        );
    }

    #[test]
    fn slots_that_cannot_be_divided_are_refused() {
        for (count, issue, result) in [(0, 4, 4), (3, 4, 4), (4, 2, 4), (4, 4, 2), (8, 4, 4)] {
            let error = of(count, issue, result).expect_err("they cannot");
            assert!(error.contains(&format!("sub_cores is {count}")), "{error}");
        }
    }
}
