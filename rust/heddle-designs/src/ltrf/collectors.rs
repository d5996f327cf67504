//! The operand collectors, as in `ltrf_collectors.sv`.

use super::control_block::ControlBlocks;
use super::results::{Results, Sent};
use super::{NUM_CACHE_BANKS, NUM_COLLECTORS, TABLE_PORTS};
use crate::common::{Rotating, rotating_pick};
use heddle_port::{Issue, MAX_PORT_WIDTH, NUM_SOURCES, Operands};

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
    /// Collectors whose instruction goes to an output.
    pub dispatched: u16,
    /// Collectors that take an instruction.
    pub allocated: u16,
}

/// All collectors and the operand outputs.
#[derive(Debug, Clone)]
pub struct Collectors {
    width: usize,
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
    dispatch_pointer: u32,
    outputs: [Operands; MAX_PORT_WIDTH],
}

impl Collectors {
    /// Empty collectors with `width` issue and operand slots.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            width,
            collectors: [Collector::default(); NUM_COLLECTORS],
            valid: 0,
            looking: 0,
            reading: 0,
            complete: 0,
            turn: 0,
            arbiters: Default::default(),
            arriving: 0,
            arriving_at: [(0, 0); NUM_CACHE_BANKS],
            dispatch_pointer: 0,
            outputs: [Operands::default(); MAX_PORT_WIDTH],
        }
    }

    /// Whether issue slot `slot` can take an instruction.
    #[inline]
    #[must_use]
    pub fn ready(&self, slot: usize) -> bool {
        slot < self.width && NUM_COLLECTORS - self.valid.count_ones() as usize > slot
    }

    /// The operand outputs.
    #[inline]
    #[must_use]
    pub fn outputs(&self) -> &[Operands; MAX_PORT_WIDTH] {
        &self.outputs
    }

    /// The clock edge. `issues` are the accepted instructions, `evicting` the cache banks that a write-back
    /// reads.
    ///
    /// # Errors
    /// Warp and register of an operand that is not in the cache.
    pub fn tick<'a>(
        &mut self,
        issues: impl Iterator<Item = &'a Issue>,
        operands_ready: &[bool; MAX_PORT_WIDTH],
        evicting: u16,
        results: &Results,
        sent: &Sent,
        blocks: &ControlBlocks,
    ) -> Result<CollectorCycle, (u8, u8)> {
        let mut cycle = CollectorCycle::default();
        // In this order every stage sees what the stage before it left in the cycle before.
        let free = !self.valid;
        self.dispatch(operands_ready, &mut cycle);
        self.arrive();
        self.read(evicting, &mut cycle);
        self.look_up(results, sent, blocks, &mut cycle)?;
        self.allocate(issues, free, &mut cycle);
        self.turn = (self.turn + 1) % NUM_COLLECTORS as u32;
        Ok(cycle)
    }

    fn dispatch(&mut self, operands_ready: &[bool; MAX_PORT_WIDTH], cycle: &mut CollectorCycle) {
        let mut pointer = self.dispatch_pointer;
        for (slot, output) in self.outputs.iter_mut().enumerate().take(self.width) {
            if output.valid && !operands_ready[slot] {
                continue;
            }
            *output = Operands::default();
            let ready = self.complete & !cycle.dispatched;
            if ready != 0 {
                let collector = rotating_pick(ready.into(), self.dispatch_pointer);
                cycle.dispatched |= 1 << collector;
                pointer = (collector + 1) % NUM_COLLECTORS as u32;
                *output = Operands { valid: true, tag: self.collectors[collector as usize].tag };
            }
        }
        self.dispatch_pointer = pointer;
        self.valid &= !cycle.dispatched;
        self.complete &= !cycle.dispatched;
    }

    fn arrive(&mut self) {
        let mut rest = self.arriving;
        while rest != 0 {
            let bank = rest.trailing_zeros() as usize;
            rest &= rest - 1;
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
        let (mut banks, mut rest) = (0u16, self.reading);
        while rest != 0 {
            let collector = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let c = &self.collectors[collector];
            let mut sources = c.read;
            while sources != 0 {
                let bank = c.bank[sources.trailing_zeros() as usize];
                sources &= sources - 1;
                requests[usize::from(bank)] |= 1 << collector;
                banks |= 1 << bank;
            }
        }
        self.arriving = banks & !evicting;
        cycle.reads = self.arriving;
        cycle.conflicts = banks & evicting;
        let mut granted = self.arriving;
        while granted != 0 {
            let bank = granted.trailing_zeros() as usize;
            granted &= granted - 1;
            if !requests[bank].is_power_of_two() {
                cycle.conflicts |= 1 << bank;
            }
            let Some(collector) = self.arbiters[bank].grant(requests[bank].into()) else { continue };
            let c = &mut self.collectors[collector as usize];
            let mut sources = c.read;
            while sources != 0 {
                let source = sources.trailing_zeros() as usize;
                if usize::from(c.bank[source]) == bank {
                    c.read &= !(1 << source);
                    self.arriving_at[bank] = (collector as u8, source as u8);
                    break;
                }
                sources &= sources - 1;
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
    ) -> Result<(), (u8, u8)> {
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
                    return Err((c.warp, register));
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

    fn allocate<'a>(
        &mut self,
        issues: impl Iterator<Item = &'a Issue>,
        mut free: u16,
        cycle: &mut CollectorCycle,
    ) {
        for issue in issues {
            let collector = free.trailing_zeros() as usize;
            free &= free - 1;
            let bit = 1 << collector;
            cycle.allocated |= bit;
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
        }
    }
}
