//! What the warps of an SM do in a cycle.

use crate::sm::Sm;
use crate::warp::State;
use heddle_mem::FirstLevelPort;

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
    /// All lanes have ended, and its last instructions have not.
    ends,
}

impl<P: FirstLevelPort> Sm<P> {
    /// What the warp slots do in this cycle.
    #[inline]
    pub(crate) fn warp_sets(&self) -> WarpSets {
        let slots = u64::MAX >> (64 - self.warps.len().clamp(1, 64));
        let state = |state| self.states.in_state(state) & slots;
        let waits = self.dependences.blocked() | self.at_barrier;
        let (active, inactive) = (state(State::Active), state(State::Inactive));
        let blocked = active & self.dependences.blocked() & !self.at_barrier;
        WarpSets {
            empty: state(State::Empty),
            begins: state(State::Base),
            inactive_waits: inactive & waits,
            inactive_ready: inactive & !waits,
            transit: state(State::Activating) | state(State::Deactivating),
            prefetch: state(State::Prefetching),
            active_result: blocked & !self.dependences.long(),
            active_memory: blocked & self.dependences.long(),
            active_barrier: active & self.at_barrier,
            active_ready: active & !waits,
            ends: state(State::Exiting),
        }
    }
}
