//! How much was compared.

use std::ops::AddAssign;

use super::Checker;

/// How much was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compared {
    /// Operand values, 32-bit lanes.
    pub operands: u64,
    /// Result values, 32-bit lanes.
    pub results: u64,
    /// PCs, masks, predicate values and branch outcomes.
    pub flow: u64,
    /// Addresses, loaded and stored words of memory accesses.
    pub memory: u64,
    /// Those of them that are texels of texture fetches.
    pub texels: u64,
    /// Lanes of texture fetches.
    pub fetches: u64,
    /// Lanes of texture fetches whose texels were judged; outside a texture there are none.
    pub fetches_judged: u64,
    /// Lanes of loads that found in the L1 of one of many SMs what another SM has overwritten since.
    pub stale_loads: u64,
    /// Lanes of words that loads and atomics of global and local memory performed.
    pub loads: u64,
    /// Lanes of words that came back for those, compared as results; from a design that holds the L1, out of its
    /// array.
    pub loaded: u64,
    /// Lanes of registers that were spilled to memory.
    pub spilled: u64,
    /// Spills that were judged; of a register whose value may still be on its way no lane is.
    pub spills_judged: u64,
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.operands += other.operands;
        self.results += other.results;
        self.flow += other.flow;
        self.memory += other.memory;
        self.texels += other.texels;
        self.fetches += other.fetches;
        self.loads += other.loads;
        self.loaded += other.loaded;
        self.spilled += other.spilled;
        self.stale_loads += other.stale_loads;
        self.fetches_judged += other.fetches_judged;
        self.spills_judged += other.spills_judged;
    }
}

impl Checker<'_> {
    /// How much was compared, on all SMs.
    #[must_use]
    pub fn compared(&self) -> Compared {
        let mut all = self.compared;
        self.sms.iter().for_each(|kept| all += kept.compared);
        all
    }

    /// How much was compared on SM `sm`, of several.
    #[must_use]
    pub fn compared_on(&self, sm: usize) -> Compared {
        if sm == self.sm {
            self.compared
        } else {
            self.sms.get(sm).map(|kept| kept.compared).unwrap_or_default()
        }
    }
}
