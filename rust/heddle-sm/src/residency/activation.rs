//! Which warps become active and inactive.

use heddle_config::Activation;
use heddle_port::members;

use super::places::WARP_BANKS;
use super::{Residency, State};
use crate::counters::Counters;
use crate::dependences::Dependences;
use crate::kernel::Kernel;
use crate::scheduler::rotating_pick;
use crate::warp::Warp;

/// The resident warps as the stages of issue see them.
#[derive(Debug)]
pub struct Resident<'a> {
    pub cycle: u64,
    pub kernel: &'a Kernel,
    pub warps: &'a [Warp],
    pub dependences: &'a mut Dependences,
    /// Slots that wait at a barrier.
    pub at_barrier: u64,
}

impl Resident<'_> {
    /// Slots that are known to wait for something of their own.
    fn waiting(&self) -> u64 {
        self.dependences.blocked() | self.at_barrier
    }

    /// The next instruction of the warp has all it depends on.
    #[inline]
    fn is_ready(&mut self, w: usize) -> bool {
        let next = self.kernel.next(self.warps[w].pc());
        next.is_none_or(|d| self.dependences.check(w, d, self.cycle).is_ok())
    }

    /// The oldest warp of a set: of the CTA that started first, its first warp.
    fn oldest(&self, set: u64) -> Option<usize> {
        members(set).min_by_key(|&w| self.warps[w].place_in_grid())
    }
}

/// The warp slots of one part.
fn bank_mask(bank: usize) -> u64 {
    0x5555_5555_5555_5555 << bank
}

impl Residency {
    /// Lets warps become active and inactive.
    ///
    /// A place among the active warps goes to an inactive warp whose next instruction has all it depends on,
    /// in the order of `scheduler.activation`. When all places are taken, an active warp that has waited for memory for
    /// `scheduler.deactivate_after` cycles, or waits at a barrier, gives its place up, if an inactive warp is ready
    /// to take it; those that could do so take turns.
    #[inline]
    pub fn activate(&mut self, mut resident: Resident<'_>, counters: &mut Counters) {
        self.keep_woken_warps(&mut resident);
        let waiting = self.states.in_state(State::Inactive) & !resident.waiting();
        if waiting != 0 {
            self.change_places(waiting, resident, counters);
        }
    }

    /// The same, where warps of `waiting` could become active.
    fn change_places(&mut self, waiting: u64, mut resident: Resident<'_>, counters: &mut Counters) {
        let places = self.states.holding_place().count_ones();
        if places < self.active_limit {
            if let Some(w) = self.next_to_activate(waiting, &mut resident, counters) {
                self.activation_pointer = w as u32 + 1;
                self.last_bank = self.takes_turns.then_some(w % WARP_BANKS);
                self.states.set(w, State::Activating);
                self.want_command(w);
            }
            return;
        }
        let waited = resident.dependences.waited(resident.cycle, self.patience);
        let stalled = self.states.in_state(State::Active) & (waited | resident.at_barrier);
        let leaving = self.states.in_state(State::Deactivating).count_ones();
        if stalled == 0 || leaving >= waiting.count_ones() {
            return;
        }
        if self.next_to_activate(waiting, &mut resident, counters).is_some()
            && let Some(w) = rotating_pick(stalled, self.leave_pointer)
        {
            self.leave_pointer = w as u32 + 1;
            self.stays[w].leaves_barrier = resident.at_barrier >> w & 1 != 0;
            self.states.set(w, State::Deactivating);
            self.want_command(w);
        }
    }

    /// A warp that was to become inactive, but has all it needs before the command is sent, stays.
    #[inline]
    fn keep_woken_warps(&mut self, resident: &mut Resident<'_>) {
        let unsent = self.states.in_state(State::Deactivating) & self.wanting;
        let woken = unsent & !resident.waiting();
        if woken != 0 {
            self.keep_ready_of(woken, resident);
        }
    }

    /// Those of `woken` that are ready stay.
    #[inline(never)]
    fn keep_ready_of(&mut self, woken: u64, resident: &mut Resident<'_>) {
        for w in members(woken) {
            if resident.is_ready(w) {
                self.wanting &= !(1 << w);
                self.states.set(w, State::Active);
            }
        }
    }

    /// The warp of `waiting` that becomes active next.
    ///
    /// Where parts of the register file take turns, a ready warp of the other part. While a warp
    /// of that part waits for its memory, ready ones of the same part wait for it.
    fn next_to_activate(
        &self,
        waiting: u64,
        resident: &mut Resident<'_>,
        counters: &mut Counters,
    ) -> Option<usize> {
        let Some(last) = self.last_bank else { return self.next_ready(waiting, resident) };
        let same = bank_mask(last);
        if let Some(w) = self.next_ready(waiting & !same, resident) {
            return Some(w);
        }
        let candidate = self.next_ready(waiting & same, resident)?;
        let coming = self.states.in_state(State::Inactive) & !same & !resident.at_barrier;
        if coming == 0 {
            return Some(candidate);
        }
        counters.waits_for_other_bank();
        None
    }

    /// The first of `waiting`, in the order of activation, that could issue.
    fn next_ready(&self, mut waiting: u64, resident: &mut Resident<'_>) -> Option<usize> {
        while let Some(w) = match self.order {
            Activation::Oldest => resident.oldest(waiting),
            Activation::RoundRobin => rotating_pick(waiting, self.activation_pointer),
        } {
            if resident.is_ready(w) {
                return Some(w);
            }
            waiting &= !(1 << w);
        }
        None
    }
}
