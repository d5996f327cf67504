//! The transfer allocator, as in `transfer_allocator.sv`.

use super::super::NUM_SLOTS;
use super::super::control_block::ControlBlocks;
use super::super::lanes::Lanes;
use super::super::main_file::{Inbound, MainFile, Outbound};
use super::super::results::{Pin, Results};
use super::{Engine, Grants, SlotState, bits, rotate};

impl Engine {
    /// Chooses among the candidates. `lanes_taken` are the inbound lanes that are busy or taken by
    /// results, `read_ready` the main banks that can start a read.
    #[must_use]
    pub fn allocate(
        &self,
        lanes_taken: u16,
        read_ready: u16,
        inbound: &Lanes<Inbound>,
        results: &Results,
    ) -> Grants {
        let mut grants = Grants::default();
        let mut order = rotate(self.leaving | self.arriving, self.top);
        while order != 0 {
            let slot = (self.top + order.trailing_zeros() as usize) % NUM_SLOTS;
            order &= order - 1;
            let slot_bit = 1u32 << slot;
            if let Some(leaving) = self.slots[slot].leave.candidate {
                let (bit, cache_bit) = (1u16 << (leaving.index % 16), 1 << leaving.cache_bank);
                if self.slots[slot].state == SlotState::Release {
                    grants.releases |= slot_bit;
                } else if (lanes_taken | grants.inbound) & bit == 0
                    && grants.cache_reads & cache_bit == 0
                    && !matches!(results.pin(leaving.index), Pin::InCache | Pin::Both)
                {
                    grants.releases |= slot_bit;
                    grants.write_backs |= slot_bit;
                    grants.inbound |= bit;
                    grants.cache_reads |= cache_bit;
                }
            }
            if let Some(arriving) = self.slots[slot].arrive.candidate {
                let (bank, row) = (usize::from(arriving.index % 16), arriving.index / 16);
                if (read_ready & !grants.reads) >> bank & 1 != 0
                    && self.banks[slot].next().is_some()
                    && !inbound.holds(bank, row)
                    && !matches!(results.pin(arriving.index), Pin::InMain | Pin::Both)
                {
                    grants.fetches |= slot_bit;
                    grants.reads |= 1 << bank;
                }
            }
        }
        grants.waiting = (self.leaving & !grants.releases) | (self.arriving & !grants.fetches);
        grants
    }

    /// Starts the granted transfers in the lanes.
    pub fn start_transfers(&mut self, grants: &Grants, blocks: &mut ControlBlocks, main: &mut MainFile) {
        for slot in bits(grants.fetches) {
            let candidate = self.arriving(slot);
            // Granted only with a free bank.
            let cache_bank = self.banks[slot].next().unwrap_or_default();
            self.banks[slot].allocate();
            blocks.allocate(self.slots[slot].warp, candidate.register, cache_bank);
            let meta = Outbound { slot: slot as u8, register: candidate.register, cache_bank };
            main.start_read(candidate.index, meta);
            self.slots[slot].arrive.under_way += 1;
        }
        for slot in bits(grants.releases) {
            let candidate = self.leaving(slot);
            self.banks[slot].release(candidate.cache_bank);
            blocks.clear(self.slots[slot].warp, candidate.register);
            if grants.write_backs >> slot & 1 != 0 {
                let meta = Inbound { write_back: true, slot: slot as u8 };
                main.inbound.start((candidate.index % 16).into(), candidate.index / 16, meta, 1);
                self.slots[slot].leave.under_way += 1;
            }
        }
    }
}
