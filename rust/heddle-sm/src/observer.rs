//! Everything that a checker wants to see.

use heddle_isa::{Pc, Pred, Texels};
use heddle_mem::PathTimes;
use heddle_port::{
    Command, Cycle, Done, LaneData, LaneMask, LineEvents, MAX_BANKS, NUM_DESTINATIONS, NUM_LANES,
    NUM_SOURCES, Reg, Tag, WarpSlot,
};

use crate::warp_sets::WarpSets;

/// A checker asks for the end of the run; it keeps the reason itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop;

/// A CTA starts or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CtaEvent {
    /// Cycle.
    pub cycle: Cycle,
    /// CTA number in the grid, x fastest.
    pub cta: u64,
    /// CTA slot of the SM.
    pub cta_slot: u8,
}

/// A warp instruction issues. Every instruction has a tag, also those that do not pass the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueEvent {
    /// Cycle.
    pub cycle: Cycle,
    /// Unique among instructions in flight.
    pub tag: Tag,
    /// CTA number.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp_in_cta: u32,
    /// Hardware warp slot.
    pub slot: WarpSlot,
    /// Program counter.
    pub pc: Pc,
    /// Active lanes of the warp.
    pub active: LaneMask,
    /// Active lanes in which the guard holds.
    pub exec: LaneMask,
    /// The instruction passes through the register port.
    pub through_port: bool,
}

/// The operands of an instruction came out of the design and were taken.
#[derive(Debug, Clone, Copy)]
pub struct OperandsEvent<'a> {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// Hardware warp slot.
    pub slot: WarpSlot,
    /// Program counter.
    pub pc: Pc,
    /// Lanes that execute.
    pub exec: LaneMask,
    /// Source slots in use.
    pub source_valid: u8,
    /// Source data.
    pub sources: &'a [LaneData; NUM_SOURCES],
}

/// An instruction wrote predicates.
#[derive(Debug, Clone, Copy)]
pub struct PredicateEvent<'a> {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// Program counter.
    pub pc: Pc,
    /// Lanes written.
    pub exec: LaneMask,
    /// Predicates written.
    pub predicates: &'a [Pred],
    /// Values by lane, one for each predicate.
    pub values: &'a [u32],
}

/// A branch was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchEvent {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// Program counter.
    pub pc: Pc,
    /// Active lanes.
    pub active: LaneMask,
    /// Lanes that take it.
    pub taken: LaneMask,
}

/// A register result was accepted by the design.
#[derive(Debug, Clone, Copy)]
pub struct ResultEvent<'a> {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// Hardware warp slot.
    pub slot: WarpSlot,
    /// Program counter.
    pub pc: Pc,
    /// Register.
    pub register: Reg,
    /// Destination slot of the instruction.
    pub destination: usize,
    /// Lanes written.
    pub mask: LaneMask,
    /// Data.
    pub data: &'a LaneData,
    /// Last result of the instruction.
    pub last: bool,
}

/// Lanes of a memory access took their place in the memory order.
#[derive(Debug, Clone, Copy)]
pub struct PerformedEvent<'a> {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// CTA number.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp_in_cta: u32,
    /// Hardware warp slot.
    pub slot: WarpSlot,
    /// Program counter.
    pub pc: Pc,
    /// Lanes performed; atomics one after the other, lowest lane first.
    pub lanes: LaneMask,
    /// Of these, lanes whose address lies in shared memory.
    pub shared: LaneMask,
    /// Of these, lanes whose address lies in local memory.
    pub local: LaneMask,
    /// Load, store or atomic, as [`heddle_mem::kind`] numbers them.
    pub kind: u8,
    /// Bytes that a lane accesses, all elements together.
    pub bytes: u32,
    /// Byte address of each lane, in its space; of a texture fetch that of the first texel.
    pub addresses: &'a [u64; NUM_LANES],
    /// The texels of a texture fetch.
    pub texels: Option<&'a Texels>,
    /// Elements that each lane stores; 0 for loads and atomics.
    pub stored_elements: usize,
    /// Stored values by element and lane.
    pub stored: &'a [[u64; NUM_LANES]; 4],
    /// Loaded words by destination slot, in the lanes performed; for atomics the old value.
    pub loaded: &'a [LaneData; NUM_DESTINATIONS],
}

/// The memory side answered a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnsweredEvent {
    /// Cycle.
    pub cycle: Cycle,
    /// Tag.
    pub tag: Tag,
    /// When the latest access passed the places on its way: those of this one, where it is alone. Its cycles are
    /// those of the SM.
    pub path: PathTimes,
}

/// A warp arrives at a barrier, or a barrier opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BarrierEvent {
    /// Cycle.
    pub cycle: Cycle,
    /// CTA number.
    pub cta: u64,
    /// Barrier number.
    pub id: u8,
    /// Warp of the CTA that arrived; `None` when the barrier opens.
    pub arrived: Option<u32>,
}

/// A cycle ends.
#[derive(Debug, Clone, Copy)]
pub struct CycleEvent<'a> {
    /// Cycle.
    pub cycle: Cycle,
    /// What the warp slots did in it.
    pub warps: &'a WarpSets,
    /// Banks of the design that were occupied in it, one bit each.
    pub bank_busy: &'a [u32; MAX_BANKS / 32],
}

/// Receives the events of a run in cycle order, and within a cycle in the order of the SM's stages.
///
/// All methods do nothing unless overridden; each can stop the run.
#[allow(unused_variables, clippy::missing_errors_doc)]
pub trait Observer {
    /// A CTA starts.
    #[inline]
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        Ok(())
    }
    /// A warp instruction issues.
    #[inline]
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        Ok(())
    }
    /// Operands were taken from the design.
    #[inline]
    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        Ok(())
    }
    /// Predicates were written.
    #[inline]
    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        Ok(())
    }
    /// A branch was decided.
    #[inline]
    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        Ok(())
    }
    /// A result was given to the design.
    #[inline]
    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        Ok(())
    }
    /// Lines left the L1 of one of many SMs, or it takes one; before the access that is performed in the cycle.
    #[inline]
    fn lines(&mut self, cycle: Cycle, events: &LineEvents) -> Result<(), Stop> {
        Ok(())
    }
    /// Memory accesses were performed.
    #[inline]
    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        Ok(())
    }
    /// A request was answered.
    #[inline]
    fn answered(&mut self, event: &AnsweredEvent) -> Result<(), Stop> {
        Ok(())
    }
    /// Nothing of the instruction is outstanding any more; its tag can be used again.
    #[inline]
    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        Ok(())
    }
    /// Arrival at or opening of a barrier.
    #[inline]
    fn barrier(&mut self, event: &BarrierEvent) -> Result<(), Stop> {
        Ok(())
    }
    /// The design accepted a command.
    #[inline]
    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        Ok(())
    }
    /// The design carried out a command.
    #[inline]
    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        Ok(())
    }
    /// A cycle ends.
    #[inline]
    fn cycle(&mut self, event: &CycleEvent<'_>) -> Result<(), Stop> {
        Ok(())
    }
    /// All warps of a CTA have ended and left the design.
    #[inline]
    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        Ok(())
    }
}

/// Sees nothing.
impl Observer for () {}
