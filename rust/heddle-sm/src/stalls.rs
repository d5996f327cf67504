//! Where the issue slots go that are lost, and what the warps do meanwhile.
//!
//! Every slot of every scheduler in every cycle has an instruction or one reason: that of the warp nearest to issue, in
//! the order of [`Stall`].

use serde::Serialize;

use crate::dependences::Dependences;
use crate::residency::{Residency, State};
use crate::warp_sets::WarpSets;

/// Why a scheduler issued nothing in a cycle: the first that holds for one of its warps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stall {
    /// The design takes no instruction.
    Port,
    /// The unit of the instruction has no place for another, or no tag is left.
    Unit,
    /// A register or predicate of a short instruction is outstanding, or a read is not collected.
    Result,
    /// A load, an atomic, or an access before a fence, barrier or exit is outstanding.
    Memory,
    /// Prefetch of a working set.
    Prefetch,
    /// Warps begin, end, or change between active and inactive.
    Transit,
    /// Barrier.
    Barrier,
    /// No instruction is fetched.
    Fetch,
    /// It has no warp, or none beside the one that issued in the same cycle.
    NoWarp,
}

macro_rules! counters {
    ($(#[$outer:meta])* $name:ident: $($(#[$meta:meta])* $field:ident),* $(,)?) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
        pub struct $name { $($(#[$meta])* pub $field: u64),* }

        impl $name {
            /// All of them.
            #[must_use]
            pub fn sum(&self) -> u64 {
                0 $(+ self.$field)*
            }
        }
    };
}

counters! {
    /// Scheduler-cycles without an instruction, by reason.
    StallStatistics:
    /// [`Stall::Port`].
    port,
    /// [`Stall::Unit`].
    unit,
    /// [`Stall::Result`].
    result,
    /// [`Stall::Memory`].
    memory,
    /// [`Stall::Prefetch`].
    prefetch,
    /// [`Stall::Transit`].
    transit,
    /// [`Stall::Barrier`].
    barrier,
    /// [`Stall::Fetch`].
    fetch,
    /// [`Stall::NoWarp`].
    no_warp,
}

impl StallStatistics {
    #[inline]
    pub(crate) fn count(&mut self, stall: Stall) {
        *match stall {
            Stall::Port => &mut self.port,
            Stall::Unit => &mut self.unit,
            Stall::Result => &mut self.result,
            Stall::Memory => &mut self.memory,
            Stall::Prefetch => &mut self.prefetch,
            Stall::Transit => &mut self.transit,
            Stall::Barrier => &mut self.barrier,
            Stall::Fetch => &mut self.fetch,
            Stall::NoWarp => &mut self.no_warp,
        } += 1;
    }
}

counters! {
    /// Warp-slot cycles, by what the warp in the slot does; together warp slots of the SM x cycles.
    WarpStatistics:
    /// No warp.
    empty,
    /// The design learns the warp's place in the register file.
    begins,
    /// Resident and not active; its next instruction waits for a result, memory or a barrier.
    inactive_waits,
    /// Resident and not active, and free to become active.
    inactive_ready,
    /// On the way between active and inactive.
    transit,
    /// Its working set is on the way.
    prefetch,
    /// Active, and its next instruction waits for a result, memory or a barrier.
    active_waits,
    /// Active, and nothing but a place or an instruction is missing.
    active_ready,
    /// All lanes have ended; its last instructions have not, or its stores are not at L2.
    ends,
}

impl WarpStatistics {
    /// A cycle in which the warp slots do this.
    #[inline]
    pub(crate) fn count(&mut self, sets: &WarpSets) {
        let count = |set: u64| u64::from(set.count_ones());
        self.empty += count(sets.empty);
        self.begins += count(sets.begins);
        self.inactive_waits += count(sets.inactive_waits);
        self.inactive_ready += count(sets.inactive_ready);
        self.transit += count(sets.transit);
        self.prefetch += count(sets.prefetch);
        self.active_waits += count(sets.active_result | sets.active_memory | sets.active_barrier);
        self.active_ready += count(sets.active_ready);
        self.ends += count(sets.ends);
    }
}

/// Why the warps of `pool` (without those that have issued in this cycle) give no candidate; `at_barrier` are
/// slots that wait at a barrier.
pub fn stall_of(pool: u64, residency: &Residency, dependences: &Dependences, at_barrier: u64) -> Stall {
    let resident = residency.resident() & pool;
    if resident == 0 {
        return Stall::NoWarp;
    }
    let state = |state| residency.in_state(state) & resident;
    let (blocked, long) = (dependences.blocked(), dependences.for_memory());
    let active = state(State::Active);
    let able = active & !at_barrier;
    let ending = state(State::Exiting);
    if able & blocked & !long != 0 {
        Stall::Result
    } else if able & long != 0 || dependences.awaits_memory(ending) || state(State::Storing) != 0 {
        Stall::Memory
    } else if state(State::Prefetching) != 0 {
        Stall::Prefetch
    } else if state(State::Activating) | state(State::Deactivating) | state(State::Base) | ending != 0 {
        Stall::Transit
    } else if active & at_barrier != 0 {
        Stall::Barrier
    } else if able != 0 {
        Stall::Fetch
    } else {
        stall_of_inactive(state(State::Inactive) & !at_barrier, dependences)
    }
}

/// Why none of the inactive warps that are left becomes active; `free` are those that do not wait at a
/// barrier.
fn stall_of_inactive(free: u64, dependences: &Dependences) -> Stall {
    let blocked = free & dependences.blocked();
    if blocked & !dependences.for_memory() != 0 {
        Stall::Result
    } else if blocked != 0 {
        Stall::Memory
    } else if free != 0 {
        Stall::Transit
    } else {
        Stall::Barrier
    }
}
