//! The operand collectors, as in `collector_array.sv`, `operand_lookup.sv` and `cache_reader.sv`.

use super::control_block::ControlBlocks;
use super::results::{Results, Sent};
use super::{NUM_CACHE_BANKS, TABLE_PORTS};
use crate::common::Rotating;
use crate::front::{Collectors, NUM_COLLECTORS};
use heddle_port::{Issue, NUM_SOURCES, members};

#[derive(Debug, Clone, Copy, Default)]
struct Collector {
    tag: u16,
    warp: u8,
    /// Sources to be looked up, to be read, and without data, one bit each.
    look: u8,
    read: u8,
    missing: u8,
    register: [u8; NUM_SOURCES],
    bank: [u8; NUM_SOURCES],
}

/// What the collectors did in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct CollectorCycle {
    /// Look-ups, two bits a collector.
    pub lookups: u32,
    /// Cache banks read for an operand.
    pub reads: u16,
    /// Cache banks at which an operand read waited.
    pub conflicts: u16,
}

/// All collectors: sources are looked up in the address tables, then read from the cache banks.
#[derive(Debug, Clone, Default)]
pub struct LtrfCollectors {
    collectors: [Collector; NUM_COLLECTORS],
    /// Collectors with an instruction, with a source to look up, with a source to read, with all data.
    valid: u16,
    looking: u16,
    reading: u16,
    complete: u16,
    turn: u32,
    arbiters: [Rotating; NUM_CACHE_BANKS],
    /// Reads of the last cycle: collector and source for each cache bank of the mask.
    arriving: u16,
    arriving_at: [(u8, u8); NUM_CACHE_BANKS],
}

impl Collectors for LtrfCollectors {
    #[inline]
    fn free(&self) -> usize {
        NUM_COLLECTORS - self.valid.count_ones() as usize
    }

    #[inline]
    fn complete(&self) -> u32 {
        self.complete.into()
    }

    #[inline]
    fn tag(&self, collector: usize) -> u16 {
        self.collectors[collector].tag
    }

    #[inline]
    fn release(&mut self, collectors: u32) {
        self.valid &= !(collectors as u16);
        self.complete &= !(collectors as u16);
    }
}

impl LtrfCollectors {
    /// The cycle of look-ups and reads; `evicting` are the cache banks that a write-back reads.
    ///
    /// # Errors
    /// A text: an operand is not in the cache.
    pub fn tick(
        &mut self,
        evicting: u16,
        results: &Results,
        sent: &Sent,
        blocks: &ControlBlocks,
    ) -> Result<CollectorCycle, String> {
        let mut cycle = CollectorCycle::default();
        // In this order every stage sees what the stage before it left in the cycle before.
        self.arrive();
        self.read(evicting, &mut cycle);
        self.look_up(results, sent, blocks, &mut cycle)?;
        self.turn = (self.turn + 1) % NUM_COLLECTORS as u32;
        Ok(cycle)
    }

    fn arrive(&mut self) {
        for bank in members(self.arriving) {
            let (collector, source) = self.arriving_at[bank];
            let c = &mut self.collectors[usize::from(collector)];
            c.missing &= !(1 << source);
            if c.missing == 0 {
                self.complete |= 1 << collector;
            }
        }
    }

    fn read(&mut self, evicting: u16, cycle: &mut CollectorCycle) {
        let mut requests = [0u16; NUM_CACHE_BANKS];
        let mut banks = 0u16;
        for collector in members(self.reading) {
            let c = &self.collectors[collector];
            for source in members(c.read) {
                let bank = c.bank[source];
                requests[usize::from(bank)] |= 1 << collector;
                banks |= 1 << bank;
            }
        }
        self.arriving = banks & !evicting;
        cycle.reads = self.arriving;
        cycle.conflicts = banks & evicting;
        for bank in members(self.arriving) {
            if !requests[bank].is_power_of_two() {
                cycle.conflicts |= 1 << bank;
            }
            let Some(collector) = self.arbiters[bank].grant(requests[bank].into()) else { continue };
            let c = &mut self.collectors[collector as usize];
            let source = members(c.read).find(|&source| usize::from(c.bank[source]) == bank);
            if let Some(source) = source {
                c.read &= !(1 << source);
                self.arriving_at[bank] = (collector as u8, source as u8);
            }
            if c.read == 0 {
                self.reading &= !(1 << collector);
            }
        }
    }

    fn look_up(
        &mut self,
        results: &Results,
        sent: &Sent,
        blocks: &ControlBlocks,
        cycle: &mut CollectorCycle,
    ) -> Result<(), String> {
        let mut served = 0u64;
        let mut order = self.looking.rotate_right(self.turn);
        while order != 0 {
            let collector = (self.turn + order.trailing_zeros()) as usize % NUM_COLLECTORS;
            order &= order - 1;
            let c = &mut self.collectors[collector];
            if served >> c.warp & 1 != 0 {
                continue;
            }
            let (mut ports, mut sources) = (0, c.look);
            while sources != 0 && ports < TABLE_PORTS {
                let source = sources.trailing_zeros() as usize;
                sources &= sources - 1;
                let register = c.register[source];
                if results.blocks(c.warp, register, sent) {
                    continue;
                }
                if !blocks.is_valid(c.warp, register) {
                    return Err(not_there(c.warp, register));
                }
                c.bank[source] = blocks.bank(c.warp, register);
                c.look &= !(1 << source);
                c.read |= 1 << source;
                cycle.lookups |= 1 << (collector * TABLE_PORTS + ports);
                ports += 1;
            }
            if ports != 0 {
                served |= 1 << c.warp;
                self.reading |= 1 << collector;
                if c.look == 0 {
                    self.looking &= !(1 << collector);
                }
            }
        }
        Ok(())
    }

    /// Puts an instruction into the lowest free collector, which it returns.
    pub fn allocate(&mut self, issue: &Issue) -> usize {
        let collector = (!self.valid).trailing_zeros() as usize;
        let bit = 1 << collector;
        self.valid |= bit;
        if issue.source_valid == 0 {
            self.complete |= bit;
        } else {
            self.looking |= bit;
        }
        self.collectors[collector] = Collector {
            tag: issue.tag,
            warp: issue.warp,
            look: issue.source_valid,
            read: 0,
            missing: issue.source_valid,
            register: issue.source,
            bank: [0; NUM_SOURCES],
        };
        collector
    }
}

#[cold]
fn not_there(warp: u8, register: u8) -> String {
    format!(
        "an instruction of warp slot {warp} reads register {register}, which is not in the register cache; \
         expected a prefetch of its working set first"
    )
}
