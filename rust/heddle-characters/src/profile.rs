//! Counts what a run shows of its kernel, instruction by instruction.

use std::collections::HashMap;

use heddle_cosim::LaunchObserver;
use heddle_isa::{Executable, Instr, KernelLaunch, Op, Space, Unit};
use heddle_port::LaneMask;
use heddle_sm::{IssueEvent, Observer, PerformedEvent, Stop};

use crate::shares::{Mix, Reuse};

/// Bytes of a page of the map of touched memory: one bit for each of 1024 words.
const PAGE_BYTES: u64 = 4096;
/// Warp slots of an SM at most.
const WARP_SLOTS: usize = 64;
/// Architectural registers at most.
const REGISTERS: usize = 256;

/// What the counters of the mix are indexed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Integer,
    Float,
    Special,
    Double,
    GlobalLoad,
    GlobalStore,
    Shared,
    Local,
    Atomic,
    Control,
}

/// An instruction as the counters see it.
#[derive(Debug, Clone)]
struct Static {
    class: Class,
    sources: Vec<usize>,
    destinations: Vec<usize>,
    /// Bytes that a lane accesses in global memory.
    bytes: u64,
}

impl Static {
    fn new(instr: &Instr) -> Self {
        Self {
            class: class(instr),
            sources: instr.source_regs().iter().map(|r| r.0 as usize).collect(),
            destinations: instr.dsts.iter().map(|r| r.0 as usize).collect(),
            bytes: bytes(instr),
        }
    }
}

fn class(instr: &Instr) -> Class {
    match (&instr.op, instr.memory_space()) {
        (Op::Atom { .. }, _) => return Class::Atomic,
        (_, Some(Space::Shared)) => return Class::Shared,
        (_, Some(Space::Local)) => return Class::Local,
        (Op::St { .. }, Some(_)) => return Class::GlobalStore,
        (_, Some(_)) => return Class::GlobalLoad,
        (_, None) => {}
    }
    let float = match instr.op {
        Op::Alu { ty, .. } | Op::Setp { ty, .. } | Op::Set { ty, .. } | Op::Testp { ty, .. } => ty.is_float(),
        Op::Cvt { to, from, .. } => to.is_float() || from.is_float(),
        _ => false,
    };
    match instr.unit() {
        Unit::Branch | Unit::Control => Class::Control,
        Unit::Sfu => Class::Special,
        Unit::Fp64 => Class::Double,
        _ if float => Class::Float,
        _ => Class::Integer,
    }
}

fn bytes(instr: &Instr) -> u64 {
    match instr.op {
        Op::Ld { ty, vector, .. } | Op::St { ty, vector, .. } => u64::from(ty.bytes()) * u64::from(vector),
        Op::Atom { ty, .. } => u64::from(ty.bytes()),
        _ => 4,
    }
}

/// The definitions of a warp's registers: how often each was read since it was written.
#[derive(Debug, Clone)]
struct Definitions {
    warp: Option<(u64, u32)>,
    reads: [Option<u8>; REGISTERS],
}

/// The counters of a run.
#[derive(Debug)]
pub(crate) struct Profile {
    program: Vec<Static>,
    counts: [u64; 10],
    lanes: u64,
    warps: Vec<Definitions>,
    /// Definitions read never, once, twice, more often.
    reuse: [u64; 4],
    touched: HashMap<u64, [u64; 16]>,
}

impl Profile {
    pub(crate) fn new() -> Self {
        Self {
            program: Vec::new(),
            counts: [0; 10],
            lanes: 0,
            warps: vec![Definitions { warp: None, reads: [None; REGISTERS] }; WARP_SLOTS],
            reuse: [0; 4],
            touched: HashMap::new(),
        }
    }

    /// Unique bytes of global memory accessed, in words of four.
    pub(crate) fn footprint_bytes(&self) -> u64 {
        let words: u64 = self.touched.values().flatten().map(|bits| u64::from(bits.count_ones())).sum();
        4 * words
    }

    /// Executing lanes of a warp instruction, on average.
    pub(crate) fn lanes(&self) -> f64 {
        ratio(self.lanes, self.counts.iter().sum())
    }

    /// Shares of the warp instructions.
    pub(crate) fn mix(&self) -> Mix {
        let total = self.counts.iter().sum();
        let share = |class: Class| ratio(self.counts[class as usize], total);
        Mix {
            integer: share(Class::Integer),
            float: share(Class::Float),
            special: share(Class::Special),
            double: share(Class::Double),
            global_load: share(Class::GlobalLoad),
            global_store: share(Class::GlobalStore),
            shared: share(Class::Shared),
            local: share(Class::Local),
            atomic: share(Class::Atomic),
            control: share(Class::Control),
        }
    }

    /// How often values in registers were read. Ends the definitions that are still open.
    pub(crate) fn reuse(&mut self) -> Reuse {
        for slot in 0..self.warps.len() {
            self.end_warp(slot);
        }
        let total = self.reuse.iter().sum();
        let [never, once, twice, more] = self.reuse.map(|n| ratio(n, total));
        Reuse { never, once, twice, more }
    }

    fn end_definition(&mut self, slot: usize, register: usize) {
        if let Some(reads) = self.warps[slot].reads[register].take() {
            self.reuse[usize::from(reads.min(3))] += 1;
        }
    }

    fn end_warp(&mut self, slot: usize) {
        for register in 0..REGISTERS {
            self.end_definition(slot, register);
        }
    }

    fn touch(&mut self, address: u64, bytes: u64) {
        for word in address / 4..=(address + bytes.max(1) - 1) / 4 {
            let (page, bit) = (word / (PAGE_BYTES / 4), word % (PAGE_BYTES / 4));
            self.touched.entry(page).or_default()[(bit / 64) as usize] |= 1 << (bit % 64);
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl LaunchObserver for Profile {
    fn launched(&mut self, executable: &Executable, _launch: &KernelLaunch) {
        for slot in 0..self.warps.len() {
            self.end_warp(slot);
            self.warps[slot].warp = None;
        }
        self.program = executable.program.instrs.iter().map(Static::new).collect();
    }
}

impl Observer for Profile {
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let Some(instr) = self.program.get(event.pc.index()).cloned() else { return Err(Stop) };
        self.counts[instr.class as usize] += 1;
        self.lanes += u64::from(event.exec.count());
        let slot = usize::from(event.slot.0);
        if self.warps[slot].warp != Some((event.cta, event.warp_in_cta)) {
            self.end_warp(slot);
            self.warps[slot].warp = Some((event.cta, event.warp_in_cta));
        }
        for &source in &instr.sources {
            if let Some(reads) = &mut self.warps[slot].reads[source] {
                *reads = reads.saturating_add(1);
            }
        }
        for &destination in &instr.destinations {
            self.end_definition(slot, destination);
            self.warps[slot].reads[destination] = Some(0);
        }
        Ok(())
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let Some(bytes) = self.program.get(event.pc.index()).map(|i| i.bytes) else { return Err(Stop) };
        let LaneMask(global) = LaneMask(event.lanes.0 & !event.shared.0 & !event.local.0);
        for (lane, &address) in event.addresses.iter().enumerate() {
            if global >> lane & 1 != 0 {
                self.touch(address, bytes);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touched_words_count_once() {
        let mut profile = Profile::new();
        profile.touch(0x1000_0ffc, 8);
        profile.touch(0x1000_1000, 1);
        profile.touch(0x1000_0ffd, 2);
        assert_eq!(profile.footprint_bytes(), 8);
    }

    #[test]
    fn reuse_counts_definitions_by_their_reads() {
        let mut profile = Profile::new();
        for reads in [0, 1, 1, 2, 9] {
            profile.warps[3].reads[7] = Some(reads);
            profile.end_definition(3, 7);
        }
        profile.warps[1].reads[2] = Some(0);
        assert_eq!(
            profile.reuse(),
            Reuse { never: 2.0 / 6.0, once: 2.0 / 6.0, twice: 1.0 / 6.0, more: 1.0 / 6.0 }
        );
    }
}
