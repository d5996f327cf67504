//! The arbiters between the active warps at the cache banks, as in `fill_arbiter.sv`.

use super::lanes::Lanes;
use super::main_file::Outbound;
use super::{NUM_CACHE_BANKS, NUM_SLOTS};
use crate::common::Rotating;
use heddle_port::members;

/// One arbiter for each cache bank.
#[derive(Debug, Clone, Default)]
pub struct FillArbiters([Rotating; NUM_CACHE_BANKS]);

/// What is filled in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fills {
    /// Cache banks filled.
    pub cache_banks: u16,
    /// Outbound lanes whose register is taken.
    pub lanes: u16,
}

impl FillArbiters {
    /// Chooses one register for each cache bank among those that have crossed.
    pub fn grant(&mut self, outbound: &Lanes<Outbound>) -> Fills {
        let mut fills = Fills::default();
        if outbound.valid() == 0 {
            return fills;
        }
        let mut lanes = [[0u8; NUM_SLOTS]; NUM_CACHE_BANKS];
        let mut requests = [0u32; NUM_CACHE_BANKS];
        for lane in members(outbound.valid()) {
            let meta = outbound.meta(lane);
            let bank = usize::from(meta.cache_bank);
            requests[bank] |= 1 << meta.slot;
            lanes[bank][usize::from(meta.slot)] = lane as u8;
            fills.cache_banks |= 1 << bank;
        }
        for bank in members(fills.cache_banks) {
            if let Some(slot) = self.0[bank].grant(requests[bank]) {
                fills.lanes |= 1 << lanes[bank][slot as usize];
            }
        }
        fills
    }
}
