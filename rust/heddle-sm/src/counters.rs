//! What is counted in a run. The stages tell what happens; nothing here decides anything.

use std::sync::Arc;

use heddle_config::Preset;
use heddle_mem::{KnownReads, LaneOffsets, LifetimeStatistics, MemoryStatistics};
use heddle_port::{LaneMask, NUM_REGS};

use crate::data_use::DataUse;
use crate::decode::Decoded;
use crate::interval_use::Stretch;
use crate::launch::Occupancy;
use crate::shared_use::SharedUse;
use crate::stalls::Stall;
use crate::statistics::{FlushStatistics, Statistics};
use crate::warp_sets::WarpSets;

/// The counters of an SM.
#[derive(Debug, Clone)]
pub struct Counters {
    sums: Statistics,
    data_use: Box<DataUse>,
    shared_use: Box<SharedUse>,
    /// By warp slot: the registers of the warp since the stretch of its instructions began.
    stretches: Vec<Stretch>,
    /// Most registers of a stretch, where the warps of the kernel prefetch working sets.
    registers_per_stretch: Option<u32>,
    /// Counters of the memory hierarchy when the flush began.
    before_flush: Option<MemoryStatistics>,
}

impl Counters {
    /// Nothing has happened yet; `intervals`: the warps prefetch working sets.
    pub fn new(preset: &Preset, occupancy: &Occupancy, intervals: bool) -> Self {
        Self {
            sums: Statistics::default(),
            data_use: Box::new(DataUse::new(occupancy.warp_registers, occupancy.registers_per_warp)),
            shared_use: Box::default(),
            stretches: vec![Stretch::default(); preset.sm.warps as usize],
            registers_per_stretch: intervals.then_some(preset.register_file.registers_per_interval),
            before_flush: None,
        }
    }

    /// Counters up to now, with those of the memory hierarchy.
    pub fn statistics(&self, now: MemoryStatistics) -> Statistics {
        let memory = self.before_flush.unwrap_or(now);
        let flush = FlushStatistics {
            l2: now.l2.since(&memory.l2),
            dram: now.dram.since(&memory.dram),
            ..self.sums.flush
        };
        Statistics { memory, flush, data_use: self.data_use.statistics(), ..self.sums }
    }

    /// CTAs that have finished.
    pub fn ctas(&self) -> u64 {
        self.sums.ctas
    }

    /// Barriers that have opened.
    pub fn barriers(&self) -> u64 {
        self.sums.barriers
    }

    /// Warp instructions that have issued.
    pub fn warp_instructions(&self) -> u64 {
        self.sums.warp_instructions
    }

    /// A CTA with `bytes` bytes of shared memory starts.
    pub fn cta_starts(&mut self, slot: usize, number: u64, cycle: u64, bytes: u32) {
        self.shared_use.start(slot, number, cycle, bytes);
    }

    /// A warp starts.
    pub fn warp_starts(&mut self, w: usize) {
        self.data_use.warp_starts();
        self.stretches[w] = Stretch::default();
    }

    /// A warp has left the design.
    pub fn warp_ends(&mut self, w: usize) {
        self.data_use.warp_ends(w);
    }

    /// The last warp of a CTA has.
    pub fn cta_ends(&mut self, slot: usize, cycle: u64) {
        self.shared_use.end(slot, cycle);
        self.sums.ctas += 1;
    }

    /// An instruction issues that `exec` lanes execute.
    #[inline]
    pub fn issued(&mut self, w: usize, d: &Decoded, exec: LaneMask) {
        let s = &mut self.sums;
        s.warp_instructions += 1;
        s.thread_instructions += u64::from(exec.count());
        s.units.count(d.unit);
        if d.through_port {
            s.port_instructions += 1;
            s.operands_read += u64::from(d.source_valid.count_ones());
        }
        if let Some(most) = self.registers_per_stretch {
            s.intervals.optimal += u64::from(self.stretches[w].take(d, most));
        }
    }

    /// The design takes an instruction of the warp in slot `warp`.
    #[inline]
    pub fn offered(&mut self, cycle: u64, warp: u8, d: &Decoded) {
        self.data_use.issue(cycle, warp, &d.reads);
    }

    /// The design takes a result.
    #[inline]
    pub fn result(&mut self, cycle: u64, w: usize, register: u8) {
        self.sums.results_written += 1;
        self.data_use.result(cycle, w as u8, register);
    }

    /// A scheduler issues nothing in a cycle.
    #[inline]
    pub fn stalls(&mut self, stall: Stall) {
        self.sums.stalls.count(stall);
    }

    /// Lanes of a warp part.
    pub fn diverges(&mut self) {
        self.sums.divergent_branches += 1;
    }

    /// A barrier opens.
    pub fn barrier_opens(&mut self) {
        self.sums.barriers += 1;
    }

    /// A request of global or local memory that is about a line, by its number, and whose lanes take the words of it
    /// whose bits are set.
    #[inline]
    pub fn requests(&mut self, cycle: u64, line: u32, words: u32) {
        self.sums.memory_transactions += 1;
        self.data_use.line(cycle, line, words);
    }

    /// Lanes of an access to the shared memory of a slot's CTA are performed.
    pub fn shared_performed(&mut self, slot: u8, cycle: u64, kind: u8, access: LaneOffsets<'_>) {
        self.shared_use.performed(slot, cycle, kind, access);
    }

    /// An activate command is sent.
    pub fn activates(&mut self) {
        self.sums.activations += 1;
    }

    /// A warp is active again, so many cycles after it had left.
    pub fn returns(&mut self, cycles: u64) {
        self.sums.returns += 1;
        self.sums.inactive_cycles += cycles;
    }

    /// A deactivate command is sent, of a warp that waited at a barrier or for memory.
    pub fn deactivates(&mut self, at_barrier: bool) {
        self.sums.deactivations += 1;
        let cause = &mut self.sums.intervals.deactivations;
        *(if at_barrier { &mut cause.barrier } else { &mut cause.memory }) += 1;
    }

    /// A warp could become active and waits for one of the other part of the register file.
    pub fn waits_for_other_bank(&mut self) {
        self.sums.bank_rule_cycles += 1;
    }

    /// A prefetch command is sent.
    pub fn prefetches(&mut self, working_set: &[u32; NUM_REGS / 32]) {
        self.sums.prefetches += 1;
        self.sums.intervals.prefetch_conflicts.count(working_set);
    }

    /// A prefetch is done, so many cycles after its command.
    pub fn prefetched(&mut self, cycles: u64) {
        self.sums.intervals.prefetch_cycles.count(cycles);
    }

    /// A cycle ends.
    #[inline]
    pub fn cycle_ends(&mut self, resident: u64, active: u64, sets: &WarpSets) {
        let s = &mut self.sums;
        s.cycles += 1;
        s.resident_warp_cycles += u64::from(resident.count_ones());
        s.active_warp_cycles += u64::from(active.count_ones());
        s.warps.count(sets);
        self.data_use.count_cycle();
    }

    /// The launch is over and its flush begins.
    pub fn flush_begins(&mut self, memory: MemoryStatistics) {
        self.before_flush = Some(memory);
    }

    /// A cycle of the flush.
    pub fn flush_cycle(&mut self) {
        self.sums.flush.cycles += 1;
    }

    /// How long the addresses of shared memory live.
    pub fn lifetimes(&self) -> &LifetimeStatistics {
        self.shared_use.statistics()
    }

    /// The lifetimes are known.
    pub fn know_lifetimes(&mut self, known: Arc<KnownReads>) {
        self.shared_use.know(known);
    }

    /// A line of shared memory has left the design's cache for another one.
    pub fn shared_line_left(&mut self, number: u32, cycle: u64) {
        self.shared_use.line_left(number, cycle);
    }

    /// Numbers of the lines of shared memory that have begun to live or are over since the last call.
    pub fn live_changes(&mut self) -> impl Iterator<Item = (u32, bool)> {
        self.shared_use.live_changes()
    }
}
