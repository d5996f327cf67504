//! Which warps become active and inactive.

use heddle_config::Activation;
use heddle_mem::FirstLevelPort;

use super::WARP_BANKS;
use crate::scheduler::rotating_pick;
use crate::sm::Sm;
use crate::warp::State;

/// The warp slots of one part.
fn bank_mask(bank: usize) -> u64 {
    0x5555_5555_5555_5555 << bank
}

impl<P: FirstLevelPort> Sm<P> {
    /// Whether consecutively activated warps come from different parts of the register file.
    fn takes_turns(&self) -> bool {
        self.preset.scheduler.alternate_banks && self.preset.register_file.warp_banks == WARP_BANKS as u32
    }

    /// A warp that was to become inactive, but has all it needs before the command is sent, stays.
    fn keep_woken_warps(&mut self) {
        let unsent = self.states.in_state(State::Deactivating) & self.residency.wanting;
        let mut woken = unsent & !self.dependences.blocked() & !self.at_barrier;
        while woken != 0 {
            let w = woken.trailing_zeros() as usize;
            woken &= woken - 1;
            if self.dependences_met(w).is_ok() {
                self.residency.wanting &= !(1 << w);
                self.states.set(w, State::Active);
            }
        }
    }

    /// Lets warps become active and inactive.
    ///
    /// A place among the active warps goes to an inactive warp whose next instruction has all it depends on,
    /// in the order of `scheduler.activation`. When all places are taken, an active warp that has waited for memory for
    /// `scheduler.deactivate_after` cycles, or waits at a barrier, gives its place up, if an inactive warp is ready
    /// to take it; those that could do so take turns.
    pub(crate) fn activation_stage(&mut self) {
        self.keep_woken_warps();
        let waiting = self.states.in_state(State::Inactive) & !self.dependences.blocked() & !self.at_barrier;
        if waiting == 0 {
            return;
        }
        let places = self.states.holding_place().count_ones();
        if places < self.active_limit {
            if let Some(w) = self.next_to_activate(waiting) {
                self.residency.activation_pointer = w as u32 + 1;
                self.residency.last_bank = self.takes_turns().then_some(w % WARP_BANKS);
                self.states.set(w, State::Activating);
                self.residency.want_command(w);
            }
            return;
        }
        let waited = self.dependences.waited(self.cycle, self.preset.scheduler.deactivate_after.into());
        let stalled = self.states.in_state(State::Active) & (waited | self.at_barrier);
        let leaving = self.states.in_state(State::Deactivating).count_ones();
        if stalled == 0 || leaving >= waiting.count_ones() {
            return;
        }
        if self.next_to_activate(waiting).is_some()
            && let Some(w) = rotating_pick(stalled, self.residency.leave_pointer)
        {
            self.residency.leave_pointer = w as u32 + 1;
            self.warps[w].leaves_barrier = self.at_barrier >> w & 1 != 0;
            self.states.set(w, State::Deactivating);
            self.residency.want_command(w);
        }
    }

    /// The oldest warp of a set: of the CTA that started first, its first warp.
    fn oldest(&self, mut set: u64) -> Option<usize> {
        let mut best = None;
        while set != 0 {
            let w = set.trailing_zeros() as usize;
            set &= set - 1;
            let age = (self.warps[w].cta, self.warps[w].warp_in_cta);
            if best.is_none_or(|(_, other)| age < other) {
                best = Some((w, age));
            }
        }
        best.map(|(w, _)| w)
    }

    /// The warp of `waiting` that becomes active next.
    ///
    /// Where parts of the register file take turns, a ready warp of the other part. While a warp
    /// of that part waits for its memory, ready ones of the same part wait for it.
    fn next_to_activate(&mut self, waiting: u64) -> Option<usize> {
        let Some(last) = self.residency.last_bank else { return self.next_ready(waiting) };
        let same = bank_mask(last);
        if let Some(w) = self.next_ready(waiting & !same) {
            return Some(w);
        }
        let candidate = self.next_ready(waiting & same)?;
        let coming = self.states.in_state(State::Inactive) & !same & !self.at_barrier;
        if coming == 0 {
            return Some(candidate);
        }
        self.counters.waits_for_other_bank();
        None
    }

    /// The first of `waiting`, in the order of activation, that could issue.
    fn next_ready(&mut self, mut waiting: u64) -> Option<usize> {
        let order = self.preset.scheduler.activation;
        let pointer = self.residency.activation_pointer;
        while let Some(w) = match order {
            Activation::Oldest => self.oldest(waiting),
            Activation::RoundRobin => rotating_pick(waiting, pointer),
        } {
            if self.dependences_met(w).is_ok() {
                return Some(w);
            }
            waiting &= !(1 << w);
        }
        None
    }
}
