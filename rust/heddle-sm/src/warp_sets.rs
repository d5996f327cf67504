//! What the warps of an SM do in a cycle.

use crate::dependences::Dependences;
use crate::residency::{Residency, State};

macro_rules! sets {
    ($($(#[$meta:meta])* $field:ident),* $(,)?) => {
        /// Warp slots by what the warp in them does in a cycle, one bit each: every slot of the SM is in one set.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub struct WarpSets { $($(#[$meta])* pub $field: u64),* }

        impl WarpSets {
            /// The names of the sets, in the order of [`Self::all`].
            pub const NAMES: [&'static str; 0 $(+ { let _ = stringify!($field); 1 })*] = [$(stringify!($field)),*];

            /// All sets.
            #[must_use]
            pub fn all(&self) -> [u64; Self::NAMES.len()] {
                [$(self.$field),*]
            }
        }
    };
}

sets! {
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
    /// Active; its next instruction waits for a short instruction's result.
    active_result,
    /// Active; its next instruction waits for memory.
    active_memory,
    /// Active, at a barrier.
    active_barrier,
    /// Active, and nothing but a place or an instruction is missing.
    active_ready,
    /// All lanes have ended; its last instructions have not, or its stores are not at L2.
    ends,
}

impl WarpSets {
    /// What the warp slots do in a cycle; `at_barrier` are those that wait at a barrier.
    #[inline]
    pub(crate) fn new(residency: &Residency, dependences: &Dependences, at_barrier: u64) -> Self {
        let state = |state| residency.in_state(state) & residency.slots();
        let waits = dependences.blocked() | at_barrier;
        let (active, inactive) = (state(State::Active), state(State::Inactive));
        let blocked = active & dependences.blocked() & !at_barrier;
        Self {
            empty: state(State::Empty),
            begins: state(State::Base),
            inactive_waits: inactive & waits,
            inactive_ready: inactive & !waits,
            transit: state(State::Activating) | state(State::Deactivating),
            prefetch: state(State::Prefetching),
            active_result: blocked & !dependences.for_memory(),
            active_memory: blocked & dependences.for_memory(),
            active_barrier: active & at_barrier,
            active_ready: active & !waits,
            ends: state(State::Exiting) | state(State::Storing),
        }
    }
}
