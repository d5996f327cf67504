//! The instructions between issue and retirement, by tag.

use heddle_isa::{AccessSpaces, Moment, Outputs, Pc};
use heddle_port::{LaneMask, LaneWords, TAG_BITS, Tag};

use crate::decode::Decoded;
use crate::lane_data::Fetch;

/// Where an instruction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The tag is free.
    Free,
    /// The design collects its operands.
    Collecting,
    /// In a pipeline, in memory or on its way to the result slots.
    Executing,
}

/// What a memory instruction asks for, once its operands are there.
#[derive(Debug)]
pub struct Asked {
    /// Responses to come.
    pub responses: u16,
    /// Where the lanes find their memory.
    pub spaces: AccessSpaces,
    /// What is to come of a texture fetch, of a design that holds the L1's data.
    pub fetch: Option<Box<Fetch>>,
}

/// One instruction in flight.
#[derive(Debug, Clone)]
pub struct InFlight {
    stage: Stage,
    warp: u8,
    pc: Pc,
    exec: LaneMask,
    /// Result registers not yet accepted by the design.
    results_left: u8,
    /// Queue of the unit in which it has a place until it begins.
    queue: Option<u8>,
    /// Place of the memory access in the load-store unit, while it has one.
    access: Option<u8>,
    /// Memory responses still to come.
    responses_left: u16,
    /// Where the lanes of a memory access find their memory.
    spaces: AccessSpaces,
    /// What held when it issued, of an instruction that reads it.
    moment: Option<Moment>,
    fetch: Option<Box<Fetch>>,
    out: Outputs,
}

impl InFlight {
    /// Its warp slot.
    #[inline]
    pub fn warp(&self) -> usize {
        usize::from(self.warp)
    }

    #[inline]
    pub fn pc(&self) -> Pc {
        self.pc
    }

    /// Lanes that execute it.
    #[inline]
    pub fn exec(&self) -> LaneMask {
        self.exec
    }

    /// Place of the memory access in the load-store unit, while it has one.
    #[inline]
    pub fn access(&self) -> Option<u8> {
        self.access
    }

    /// Where the lanes of a memory access find their memory.
    pub fn spaces(&self) -> &AccessSpaces {
        &self.spaces
    }

    /// What held when it issued, of an instruction that reads it.
    #[inline]
    pub fn moment(&self) -> Option<Moment> {
        self.moment
    }

    /// The values of its results, as far as they are there.
    #[inline]
    pub fn out(&self) -> &Outputs {
        &self.out
    }

    /// The same, for who computes or loads them.
    #[inline]
    pub fn out_mut(&mut self) -> &mut Outputs {
        &mut self.out
    }

    /// A texel has come for the lanes of `mask`; with the last one the fetch becomes the values.
    pub fn take_texel(&mut self, part: u8, mask: u32, data: &LaneWords) {
        let Some(fetch) = &mut self.fetch else { return };
        fetch.take(part, mask, data);
        if self.responses_left == 0 {
            fetch.finish(self.exec.0, &mut self.out.values);
            self.fetch = None;
        }
    }
}

/// All tags. A tag that gets free is the next one given out, so that few entries are in use.
#[derive(Debug, Clone)]
pub struct Slab {
    entries: Vec<InFlight>,
    free: Vec<u16>,
}

impl Slab {
    pub fn new() -> Self {
        let count = 1u16 << TAG_BITS;
        let empty = InFlight {
            stage: Stage::Free,
            warp: 0,
            pc: Pc(0),
            exec: LaneMask::NONE,
            results_left: 0,
            queue: None,
            access: None,
            responses_left: 0,
            spaces: AccessSpaces::default(),
            moment: None,
            fetch: None,
            out: Outputs::default(),
        };
        Self { entries: vec![empty; usize::from(count)], free: (0..count).rev().collect() }
    }

    /// No tag is in use.
    pub fn is_empty(&self) -> bool {
        self.free.len() == self.entries.len()
    }

    /// Takes a tag; `None` when all are in use.
    #[inline]
    pub fn allocate(&mut self) -> Option<u16> {
        self.free.pop()
    }

    #[inline]
    pub fn release(&mut self, tag: u16) {
        self.entries[usize::from(tag)].stage = Stage::Free;
        self.free.push(tag);
    }

    #[inline]
    pub fn get(&self, tag: u16) -> &InFlight {
        &self.entries[usize::from(tag)]
    }

    #[inline]
    pub fn get_mut(&mut self, tag: u16) -> &mut InFlight {
        &mut self.entries[usize::from(tag)]
    }

    /// The instruction `d` of warp slot `w` issues under the tag, with what it sees of its warp (`moment`)
    /// and its places in the queue of a unit and in the load-store unit.
    #[inline]
    pub fn enter(
        &mut self,
        tag: u16,
        (w, pc, exec): (usize, Pc, LaneMask),
        d: &Decoded,
        moment: Option<Moment>,
        (queue, access): (Option<u8>, Option<u8>),
    ) {
        let entry = self.get_mut(tag);
        entry.stage = if d.through_port { Stage::Collecting } else { Stage::Executing };
        (entry.warp, entry.pc, entry.exec) = (w as u8, pc, exec);
        (entry.queue, entry.access) = (queue, access);
        entry.results_left = d.destinations;
        entry.responses_left = 0;
        entry.moment = moment;
    }

    /// The tag is of something that is no instruction.
    pub fn enter_other(&mut self, tag: u16) {
        self.get_mut(tag).stage = Stage::Executing;
    }

    /// The operands of an instruction came out; false if the design does not collect them.
    #[inline]
    pub fn collected(&mut self, tag: u16) -> bool {
        let entry = self.get_mut(tag);
        let collecting = entry.stage == Stage::Collecting;
        if collecting {
            entry.stage = Stage::Executing;
        }
        collecting
    }

    /// The queue in which the instruction has a place; it begins.
    #[inline]
    pub fn leave_queue(&mut self, tag: u16) -> Option<u8> {
        self.get_mut(tag).queue.take()
    }

    /// A memory instruction has its operands.
    pub fn ask(&mut self, tag: u16, asked: Asked) {
        let entry = self.get_mut(tag);
        (entry.responses_left, entry.spaces) = (asked.responses, asked.spaces);
        if asked.fetch.is_some() {
            entry.fetch = asked.fetch;
        }
    }

    /// One of the responses has come; false if none is awaited.
    #[inline]
    pub fn answered(&mut self, tag: u16) -> bool {
        let left = &mut self.get_mut(tag).responses_left;
        let awaited = *left > 0;
        *left -= u16::from(awaited);
        awaited
    }

    /// No response is awaited.
    #[inline]
    pub fn is_answered(&self, tag: u16) -> bool {
        self.get(tag).responses_left == 0
    }

    /// No response will come: it is executed between two cycles.
    pub fn await_nothing(&mut self, tag: u16) {
        self.get_mut(tag).responses_left = 0;
    }

    /// Its access has been sent and performed.
    pub fn access_over(&mut self, tag: u16) {
        self.get_mut(tag).access = None;
    }

    /// The design takes one of its results; whether it is the last.
    #[inline]
    pub fn give_result(&mut self, tag: u16) -> bool {
        let left = &mut self.get_mut(tag).results_left;
        *left -= 1;
        *left == 0
    }

    /// Tags of warp slot `w` whose operands are collected, ascending.
    pub fn collecting(&self, w: usize) -> Vec<Tag> {
        (0u16..)
            .zip(&self.entries)
            .filter(|(_, e)| e.stage == Stage::Collecting && e.warp() == w)
            .map(|(tag, _)| Tag(tag))
            .collect()
    }
}
