//! Decoding of working sets, as in `prefetch_engine.sv`, `decode_lists.sv` and `bank_matcher.sv`.

use super::super::control_block::ControlBlocks;
use super::super::vector::RegVector;
use super::super::{NUM_CACHE_BANKS, NUM_MAIN_BANKS};
use super::{Decoded, Engine, Fetch, Held};
use heddle_port::members;

/// Registers of one number modulo this lie in one main bank.
const NUM_COLUMNS: usize = NUM_MAIN_BANKS;

impl Engine {
    /// The registers that one slot decodes in this cycle: the lowest of every column whose main bank has no
    /// fetch of the slot waiting, as many as there are unused cache banks.
    ///
    /// # Errors
    /// Warp and register that lie beyond the `rows` of a main bank.
    pub fn decode(&mut self, rows: u16) -> Result<Decoded, (u8, u8)> {
        let mut decoded = Decoded::default();
        let Some(slot) = self.decoder.grant(self.decoding) else { return Ok(decoded) };
        decoded.slot = slot as usize;
        let s = &self.slots[decoded.slot];
        let mut unused = self.in_use & !s.occupied;
        let mut left = self.width;
        for column in 0..NUM_COLUMNS {
            if unused == 0 || left == 0 {
                break;
            }
            let Some(register) = s.arrive.first_of_column(column) else { continue };
            let index = s.base.wrapping_add(register.into());
            let dead = !s.live.contains(register);
            if !dead && self.waiting[usize::from(index) % NUM_MAIN_BANKS] >> slot & 1 != 0 {
                continue;
            }
            if index / NUM_MAIN_BANKS as u16 >= rows {
                return Err((s.warp, register));
            }
            let bank = unused.trailing_zeros() as usize;
            unused &= unused - 1;
            left -= 1;
            decoded.cache_banks |= 1 << bank;
            decoded.dead |= u16::from(dead) << bank;
            decoded.dead_columns |= u16::from(dead) << column;
            decoded.held[bank] = Held { register, index };
        }
        Ok(decoded)
    }

    /// Writes the cache banks that are given out into the address table.
    pub fn enter(&self, decoded: &Decoded, blocks: &mut ControlBlocks) {
        let warp = self.slots[decoded.slot].warp;
        for bank in members(decoded.cache_banks) {
            let register = decoded.held[bank].register;
            blocks.allocate(warp, register, bank as u8);
            if decoded.dead >> bank & 1 != 0 {
                blocks.fill(warp, register);
            }
        }
    }

    pub(super) fn take_decoded(&mut self, decoded: &Decoded) {
        if decoded.cache_banks == 0 {
            return;
        }
        let slot = decoded.slot;
        let s = &mut self.slots[slot];
        for bank in members(decoded.cache_banks) {
            let held = decoded.held[bank];
            s.arrive.remove(held.register);
            s.held[bank] = held;
            if decoded.dead >> bank & 1 != 0 {
                continue;
            }
            let main = usize::from(held.index) % NUM_MAIN_BANKS;
            let row = held.index / NUM_MAIN_BANKS as u16;
            self.waiting[main] |= 1 << slot;
            self.wanted |= 1 << main;
            self.fetches[main][slot] = Fetch { register: held.register, row, cache_bank: bank as u8 };
        }
        s.occupied |= decoded.cache_banks;
        s.dirty &= !decoded.cache_banks;
        s.coming |= decoded.cache_banks & !decoded.dead;
        if s.arrive.is_empty() {
            self.decoding &= !(1 << slot);
        }
    }
}

impl RegVector {
    /// The lowest register of the set whose number is `column` modulo the main banks.
    #[inline]
    #[must_use]
    fn first_of_column(&self, column: usize) -> Option<u8> {
        const COLUMN: u64 = 0x0001_0001_0001_0001;
        let words = self.words();
        let word = words.iter().position(|word| word & (COLUMN << column) != 0)?;
        Some((word as u32 * 64 + (words[word] & (COLUMN << column)).trailing_zeros()) as u8)
    }
}

const _: () = assert!(NUM_CACHE_BANKS == 16 && NUM_COLUMNS == 16, "columns are those of a 64-bit word");
