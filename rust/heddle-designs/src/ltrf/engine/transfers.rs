//! The transfer allocator, as in `transfer_allocator.sv`.

use super::super::control_block::ControlBlocks;
use super::super::fetch_paths::Fetch;
use super::super::main_file::{ByBank, Inbound, MainFile, Outbound};
use super::super::results::Results;
use super::super::{NUM_CACHE_BANKS, NUM_MAIN_BANKS, NUM_SLOTS};
use super::{Engine, Grants};
use heddle_port::members;

impl Engine {
    /// Chooses among what waits. `lanes_taken` are the inbound lanes that are busy or taken by results.
    #[must_use]
    pub fn allocate(&mut self, lanes_taken: u16, file: &MainFile, results: &Results) -> Grants {
        let mut grants = Grants::default();
        let ready = if self.wanted == 0 { ByBank::default() } else { file.read_ready() };
        let some_ready = ready.iter().fold(0, |lanes, bank| lanes | bank);
        for main in members(self.wanted & some_ready) {
            let fetches = &self.fetches[main];
            let open = members(self.waiting[main])
                .filter(|slot| ready[file.bank_of(fetches[*slot].row)] >> main & 1 != 0)
                .fold(0, |slots, slot| slots | 1 << slot);
            let Some(slot) = self.readers[main].grant(open) else { continue };
            let row = self.fetches[main][slot as usize].row;
            let index = row * NUM_MAIN_BANKS as u16 + main as u16;
            if !file.inbound.holds(main, row) && !results.pins_in_main(index) {
                grants.reads |= 1 << main;
                grants.read_slots[main] = slot as u8;
                grants.reads_by_bank[file.bank_of(row)] |= 1 << main;
            }
        }
        if self.leaving != 0 {
            self.choose_write_backs(lanes_taken, results, &mut grants);
        }
        grants
    }

    fn choose_write_backs(&mut self, lanes_taken: u16, results: &Results, grants: &mut Grants) {
        let mut may = [0u32; NUM_CACHE_BANKS];
        let mut banks = 0u16;
        let pinned = results.pinned_in_cache();
        for slot in members(self.leaving) {
            let offered = self.slots[slot].leave & !pinned[slot];
            banks |= offered;
            for bank in members(offered) {
                may[bank] |= 1 << slot;
            }
        }
        let mut requests = [0u32; NUM_MAIN_BANKS];
        let mut lanes = 0u16;
        for bank in members(banks) {
            let Some(slot) = self.writers[bank].grant(may[bank]) else { continue };
            grants.write_back_slots[bank] = slot as u8;
            let main = usize::from(self.slots[slot as usize].held[bank].index) % NUM_MAIN_BANKS;
            requests[main] |= 1 << bank;
            lanes |= 1 << main;
        }
        for main in members(lanes & !lanes_taken) {
            let Some(bank) = self.lanes[main].grant(requests[main]) else { continue };
            grants.write_backs |= 1 << bank;
        }
    }

    /// Slots with a transfer that waits.
    #[must_use]
    pub fn waits(&self, grants: &Grants) -> u32 {
        let mut left = [0u16; NUM_SLOTS];
        for slot in members(self.leaving) {
            left[slot] = self.slots[slot].leave;
        }
        for bank in members(grants.write_backs) {
            left[usize::from(grants.write_back_slots[bank])] &= !(1 << bank);
        }
        let leaving = members(self.leaving).fold(0, |mask, slot| mask | u32::from(left[slot] != 0) << slot);
        members(self.wanted).fold(leaving, |mask, main| {
            let granted = u32::from(grants.reads >> main & 1 != 0) << grants.read_slots[main];
            mask | self.waiting[main] & !granted
        })
    }

    /// Whether a granted fetch reads `row` of main bank `main`.
    #[inline]
    #[must_use]
    pub fn reads(&self, grants: &Grants, main: usize, row: u16) -> bool {
        grants.reads >> main & 1 != 0 && self.fetches[main][usize::from(grants.read_slots[main])].row == row
    }

    /// Starts the granted transfers in the lanes.
    pub fn start_transfers(&self, grants: &Grants, blocks: &mut ControlBlocks, main: &mut MainFile) {
        for bank in members(grants.reads) {
            let slot = grants.read_slots[bank];
            let fetch = self.fetches[bank][usize::from(slot)];
            let meta = Outbound { slot, register: fetch.register, cache_bank: fetch.cache_bank };
            main.fetch(bank, Fetch { row: fetch.row, meta });
        }
        for bank in members(grants.write_backs) {
            let slot = grants.write_back_slots[bank];
            let held = self.held(slot, bank);
            blocks.clear(self.slots[usize::from(slot)].leave_warp, held.register);
            let (lane, row) = (held.index % NUM_MAIN_BANKS as u16, held.index / NUM_MAIN_BANKS as u16);
            main.inbound.start(lane.into(), row, Inbound, 1);
        }
    }

    pub(super) fn take_transfers(&mut self, grants: &Grants) {
        for main in members(grants.reads) {
            self.waiting[main] &= !(1 << grants.read_slots[main]);
            if self.waiting[main] == 0 {
                self.wanted &= !(1 << main);
            }
        }
        for bank in members(grants.write_backs) {
            let slot = usize::from(grants.write_back_slots[bank]);
            let s = &mut self.slots[slot];
            s.leave &= !(1 << bank);
            s.occupied &= !(1 << bank);
            if s.leave == 0 {
                self.leaving &= !(1 << slot);
            }
        }
    }
}
