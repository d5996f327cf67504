//! Fetch: each scheduler refills the buffer of one of its warps a cycle.
//!
//! A warp whose line of code is not in the instruction cache waits for it, and no other warp does; without such a cache
//! every line is there.
//!
//! An instruction that does not go on with the next one, a reconvergence among them, empties its warp's buffer, which
//! is refilled after the bubble of a branch.

use heddle_config::Preset;
use heddle_isa::Pc;
use heddle_mem::MemorySystem;
use heddle_port::{MemoryPort, members};

use crate::code::Code;
use crate::scheduler::{partition, rotating_pick};
use crate::warp::Warp;

/// What a fetch brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brought {
    /// That many instructions.
    Instructions(u32),
    /// Nothing before its line of code has come.
    Waits,
}

/// The instruction buffers of all warps, and who refills them.
#[derive(Debug, Clone)]
pub struct Fetch {
    /// Where the program lies, if there is an instruction cache.
    code: Option<Code>,
    /// Instructions of a buffer.
    capacity: u32,
    /// Instructions that one refill brings.
    width: u32,
    bubble: u64,
    /// By scheduler: its warp slots, and the slot after the one that was refilled last.
    ports: Vec<(u64, u32)>,
    /// Instructions in the buffer, by warp slot.
    buffered: [u32; 64],
    /// First cycle in which the buffer may be refilled, by warp slot.
    resume: [u64; 64],
    /// Slots with an instruction in their buffer.
    fetched: u64,
    /// Slots whose bubble is not over.
    resuming: u64,
    /// Slots that wait for a line of code.
    missing: u64,
    /// Slots whose buffer has room.
    refill: u64,
}

impl Fetch {
    /// The buffers of an SM of `preset`, without a warp, and where the program lies if there is an
    /// instruction cache.
    pub fn new(preset: &Preset, code: Option<Code>) -> Self {
        let schedulers = preset.scheduler.schedulers as usize;
        Self {
            code,
            capacity: preset.sm.instruction_buffer,
            width: preset.sm.fetch_width,
            bubble: u64::from(preset.sm.branch_bubble),
            ports: (0..schedulers).map(|i| (partition(i, schedulers), 0)).collect(),
            buffered: [0; 64],
            resume: [0; 64],
            fetched: 0,
            resuming: 0,
            missing: 0,
            refill: 0,
        }
    }

    /// Warp slots that have an instruction to issue.
    #[inline]
    pub fn ready(&self) -> u64 {
        self.fetched
    }

    /// One cycle: buffers of `warps` are refilled, through the instruction cache of `memory` if there is one.
    #[inline]
    pub fn refill<P: MemoryPort>(&mut self, cycle: u64, memory: &mut MemorySystem<P>, warps: &[Warp]) {
        let wanting = self.refill & !self.missing;
        if self.resuming | wanting != 0 || self.code.is_some() {
            self.refill_buffers(cycle, memory, warps);
        }
    }

    /// The same, where a buffer may be refilled.
    #[inline(never)]
    fn refill_buffers<P: MemoryPort>(&mut self, cycle: u64, memory: &mut MemorySystem<P>, warps: &[Warp]) {
        let width = self.width;
        let Some(mut code) = self.code.take() else {
            return self.step(cycle, |_, _| Brought::Instructions(width));
        };
        self.came(memory.code_came());
        self.step(cycle, |w, ahead| code.bring(memory, w, Pc(warps[w].pc().0 + ahead), width));
        self.code = Some(code);
    }

    /// The line of code has come that the slots waited for.
    fn came(&mut self, slots: u64) {
        self.missing &= !slots;
    }

    /// One cycle; `bring` says what the fetch of a slot brings, by the instructions that are in its buffer.
    #[inline]
    fn step(&mut self, cycle: u64, mut bring: impl FnMut(usize, u32) -> Brought) {
        for w in members(self.resuming) {
            if self.resume[w] <= cycle {
                self.resuming &= !(1 << w);
            }
        }
        let wanting = self.refill & !self.resuming & !self.missing;
        if wanting == 0 {
            return;
        }
        for (pool, pointer) in &mut self.ports {
            let Some(w) = rotating_pick(wanting & *pool, *pointer) else { continue };
            *pointer = w as u32 + 1;
            match bring(w, self.buffered[w]) {
                Brought::Waits => self.missing |= 1 << w,
                Brought::Instructions(0) => {}
                Brought::Instructions(count) => {
                    self.buffered[w] = (self.buffered[w] + count).min(self.capacity);
                    self.fetched |= 1 << w;
                }
            }
            if self.buffered[w] == self.capacity {
                self.refill &= !(1 << w);
            }
        }
    }

    /// The warp issued an instruction; `redirected`: the next one does not follow it in program order.
    #[inline]
    pub fn consume(&mut self, w: usize, cycle: u64, redirected: bool) {
        self.buffered[w] -= 1;
        self.refill |= 1 << w;
        if redirected {
            self.buffered[w] = 0;
            self.resume[w] = cycle + 1 + self.bubble;
            self.resuming |= 1 << w;
            self.missing &= !(1 << w);
        }
        if self.buffered[w] == 0 {
            self.fetched &= !(1 << w);
        }
    }

    /// A warp begins with an empty buffer.
    pub fn begins(&mut self, w: usize) {
        self.ends(w);
        self.buffered[w] = 0;
        self.refill |= 1 << w;
    }

    /// A warp has no instructions left.
    pub fn ends(&mut self, w: usize) {
        self.refill &= !(1 << w);
        self.fetched &= !(1 << w);
        self.resuming &= !(1 << w);
        self.missing &= !(1 << w);
    }
}

#[cfg(test)]
mod tests {
    use heddle_config::Preset;

    use super::{Brought, Fetch};

    fn all(_: usize, _: u32) -> Brought {
        Brought::Instructions(2)
    }

    fn preset() -> Preset {
        let mut preset = heddle_config::load("volta").expect("the preset ships");
        (preset.sm.instruction_buffer, preset.sm.fetch_width, preset.sm.branch_bubble) = (2, 2, 3);
        preset
    }

    #[test]
    fn every_scheduler_refills_one_warp_a_cycle() {
        let mut fetch = Fetch::new(&preset(), None);
        (0..8).for_each(|w| fetch.begins(w));
        fetch.step(1, all);
        assert_eq!(fetch.ready(), 0b1111, "slots 0 to 3 belong to four schedulers");
        fetch.step(2, all);
        assert_eq!(fetch.ready(), 0xFF);
    }

    #[test]
    fn a_redirected_warp_waits_for_the_bubble_and_no_other_does() {
        let mut fetch = Fetch::new(&preset(), None);
        fetch.begins(0);
        fetch.begins(4);
        fetch.step(1, all);
        fetch.step(2, all);
        fetch.consume(0, 2, true);
        fetch.consume(4, 2, false);
        assert_eq!(fetch.ready(), 1 << 4, "one of its two instructions is left");
        for cycle in 3..6 {
            fetch.step(cycle, all);
            assert_eq!(fetch.ready() & 1, 0, "cycle {cycle}");
        }
        fetch.step(6, all);
        assert_eq!(fetch.ready(), 0b1_0001);
    }

    #[test]
    fn a_warp_whose_line_is_missing_waits_and_no_other_does() {
        let mut fetch = Fetch::new(&preset(), None);
        fetch.begins(0);
        fetch.begins(4);
        let lacks = |w, _| if w == 0 { Brought::Waits } else { Brought::Instructions(1) };
        for cycle in 1..4 {
            fetch.step(cycle, lacks);
        }
        assert_eq!(fetch.ready(), 1 << 4);
        fetch.came(1);
        fetch.step(4, all);
        assert_eq!(fetch.ready(), 0b1_0001);
    }
}
