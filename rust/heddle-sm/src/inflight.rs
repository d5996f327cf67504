//! The instructions between issue and retirement, by tag.

use heddle_isa::{AccessSpaces, Moment, Outputs, Pc};
use heddle_port::{TAG_BITS, Tag};

use crate::lane_data::Fetch;

/// Where an instruction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The tag is free.
    Free,
    /// The design collects its operands.
    Collecting,
    /// In a pipeline, in memory or on its way to the result slots.
    Executing,
}

/// One instruction in flight.
#[derive(Debug, Clone)]
pub struct InFlight {
    pub stage: Stage,
    pub warp: u8,
    pub pc: Pc,
    pub exec: u32,
    /// Result registers not yet accepted by the design.
    pub results_left: u8,
    /// Queue of the unit in which it has a place until it begins.
    pub queue: Option<u8>,
    /// Place of the memory access in the load-store unit, while it has one.
    pub access: Option<u8>,
    /// Memory responses still to come.
    pub responses_left: u16,
    /// Where the lanes of a memory access find their memory.
    pub spaces: AccessSpaces,
    /// What held when it issued, of an instruction that reads it.
    pub moment: Moment,
    /// What has come of a texture fetch, of a design that holds the L1's data.
    pub fetch: Option<Box<Fetch>>,
    pub out: Outputs,
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
            exec: 0,
            results_left: 0,
            queue: None,
            access: None,
            responses_left: 0,
            spaces: AccessSpaces::default(),
            moment: Moment::default(),
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

    /// Tags of warp slot `warp` in a stage, ascending.
    pub fn tags_of(&self, warp: usize, stage: Stage) -> Vec<Tag> {
        (0u16..)
            .zip(&self.entries)
            .filter(|(_, e)| e.stage == stage && usize::from(e.warp) == warp)
            .map(|(tag, _)| Tag(tag))
            .collect()
    }
}
