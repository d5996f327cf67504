//! The execution pipelines: who has room, when an instruction begins, and how many went where.
//!
//! An instruction takes a place in the queue of its unit when it issues, so there is room for its operands whenever they
//! come out. Where each unit has operand collectors of its own, a busy one keeps nothing but its own instructions from issuing.
//! Where the units of a scheduler share them ([`crate::collectors`]), those that wait for a busy one hold up the others.

use heddle_config::Preset;
use heddle_isa::Unit;
use serde::Serialize;

use crate::collectors::{Collectors, Ready};
use crate::wheel::Wheel;

/// Warp instructions by where they went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct UnitStatistics {
    /// Integers, their multiplications included.
    pub int: u64,
    /// Single and half precision.
    pub fp32: u64,
    /// Double precision.
    pub fp64: u64,
    /// Special functions and division.
    pub sfu: u64,
    /// Matrix instructions.
    pub tensor: u64,
    /// What lanes read of each other.
    pub exchange: u64,
    /// Loads, stores and atomics.
    pub load_store: u64,
    /// Branches, barriers, fences and exits.
    pub control: u64,
}

impl UnitStatistics {
    pub(crate) fn count(&mut self, unit: Unit) {
        *match unit {
            Unit::Int | Unit::IntMultiply => &mut self.int,
            Unit::Fp32 => &mut self.fp32,
            Unit::Fp64 => &mut self.fp64,
            Unit::Sfu => &mut self.sfu,
            Unit::Tensor => &mut self.tensor,
            Unit::Exchange => &mut self.exchange,
            Unit::LoadStore => &mut self.load_store,
            Unit::Branch | Unit::Control => &mut self.control,
        } += 1;
    }
}

/// The kinds of pipelines that a preset names, by number.
pub const KINDS: usize = 7;
pub const FP32: usize = 0;
pub const INT: usize = 1;
pub const FP64: usize = 2;
pub const SFU: usize = 3;
pub const TENSOR: usize = 4;
pub const EXCHANGE: usize = 5;
pub const BRANCH: usize = 6;

/// Where instructions of one kind go, and how long they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// Number of the kind of pipeline; `None` where the instruction needs none.
    pub kind: Option<u8>,
    /// Cycles from the operands to the result.
    pub latency: u32,
}

/// The pipelines of one kind that a scheduler sends to.
#[derive(Debug, Clone)]
struct Queue {
    /// By pipeline: from when it takes its next instruction.
    free: Vec<u64>,
    interval: u64,
    /// Instructions that may have issued and not begun.
    capacity: u64,
    /// Of these, those whose operands are not there yet.
    collecting: u64,
}

impl Queue {
    /// Instructions whose operands are there and that have not begun.
    #[inline]
    fn waiting(&self, cycle: u64) -> u64 {
        let waiting = |free: &u64| match free.saturating_sub(cycle + 1) {
            0 => 0,
            ahead => ahead / self.interval,
        };
        self.free.iter().map(waiting).sum()
    }
}

/// All pipelines of an SM.
#[derive(Debug, Clone)]
pub struct Units {
    queues: Vec<Queue>,
    /// Number of the queue by kind and scheduler.
    of: [Vec<u8>; KINDS],
    /// Where the pipelines of a scheduler share them; a place in a queue is then one of a kind and scheduler.
    shared: Option<Collectors>,
    /// Instructions under way.
    wheel: Wheel,
}

impl Units {
    pub fn new(preset: &Preset) -> Self {
        let p = &preset.pipeline;
        let schedulers = preset.scheduler.schedulers as usize;
        let shared =
            (p.collectors > 0).then(|| Collectors::new(schedulers, p.collectors, p.queue, p.collector_order));
        let mut units = Self { queues: Vec::new(), of: Default::default(), shared, wheel: Wheel::new() };
        let kinds = [
            (FP32, p.fp32),
            (INT, p.int),
            (FP64, p.fp64),
            (SFU, p.sfu),
            (TENSOR, p.tensor),
            (EXCHANGE, p.exchange),
            (BRANCH, p.branch),
        ];
        for (kind, unit) in kinds {
            if unit.units == 0 {
                units.of[kind] = units.of[FP32].clone();
                continue;
            }
            let first = units.queues.len();
            let groups = (unit.units as usize).min(schedulers);
            for group in 0..groups {
                let pipelines = (unit.units as usize - group).div_ceil(groups);
                units.queues.push(Queue {
                    free: vec![0; pipelines],
                    interval: u64::from(unit.interval),
                    capacity: u64::from(p.queue) * pipelines as u64,
                    collecting: 0,
                });
            }
            units.of[kind] = (0..schedulers).map(|s| (first + s % groups) as u8).collect();
        }
        units
    }

    /// Where instructions of a unit go.
    pub fn way(unit: Unit, preset: &Preset) -> Way {
        let p = &preset.pipeline;
        let (kind, latency) = match unit {
            Unit::Fp32 => (Some(FP32), p.fp32.latency),
            Unit::Int => (Some(INT), p.int.latency),
            Unit::IntMultiply => (Some(INT), p.int_multiply_latency),
            Unit::Fp64 => (Some(FP64), p.fp64.latency),
            Unit::Sfu => (Some(SFU), p.sfu.latency),
            Unit::Tensor => (Some(TENSOR), p.tensor.latency),
            Unit::Exchange => (Some(EXCHANGE), p.exchange.latency),
            Unit::Branch => (Some(BRANCH), p.branch.latency),
            Unit::LoadStore | Unit::Control => (None, p.control_latency),
        };
        Way { kind: kind.map(|kind| kind as u8), latency }
    }

    /// The queue in which an instruction that `scheduler` issues finds a place, if it has one.
    #[inline]
    pub fn queue_with_room(&self, kind: u8, scheduler: usize, cycle: u64) -> Option<u8> {
        if let Some(shared) = &self.shared {
            return shared.place_with_room(kind, scheduler);
        }
        let index = self.of[usize::from(kind)][scheduler];
        let queue = &self.queues[usize::from(index)];
        (queue.collecting + queue.waiting(cycle) < queue.capacity).then_some(index)
    }

    /// An instruction that takes a place in the queue issues.
    #[inline]
    pub fn issued(&mut self, queue: u8) {
        if let Some(shared) = &mut self.shared {
            return shared.issued(queue);
        }
        self.queues[usize::from(queue)].collecting += 1;
    }

    /// The operands of an instruction are there, which has a place in a queue if it needs a pipeline: it
    /// completes `latency` cycles after it begins.
    #[inline]
    pub fn execute(&mut self, tag: u16, queue: Option<u8>, latency: u32, cycle: u64) {
        match (queue, &mut self.shared) {
            (Some(place), Some(shared)) => shared.arrive(place, Ready { tag: Some(tag), latency }),
            (Some(queue), None) => {
                let wait = self.begin(queue, cycle);
                self.wheel.schedule(cycle, wait + latency, tag);
            }
            (None, _) => self.wheel.schedule(cycle, latency, tag),
        }
    }

    /// An instruction of the queue for which nothing waits begins as soon as a pipeline takes it.
    #[inline]
    pub fn pass(&mut self, queue: u8, cycle: u64) {
        match &mut self.shared {
            Some(shared) => shared.arrive(queue, Ready { tag: None, latency: 1 }),
            None => {
                self.begin(queue, cycle);
            }
        }
    }

    /// Instructions move on through shared collectors to their pipelines, after the operands of this cycle have come.
    #[inline]
    pub fn step(&mut self, cycle: u64) {
        let Self { queues, of, shared, wheel } = self;
        let Some(shared) = shared else { return };
        shared.step(|kind, scheduler, ready| {
            let queue = &mut queues[usize::from(of[kind][scheduler])];
            let Some(free) = queue.free.iter_mut().min().filter(|free| **free <= cycle) else { return false };
            *free = cycle + queue.interval;
            if let Some(tag) = ready.tag {
                wheel.schedule(cycle, ready.latency.saturating_sub(1), tag);
            }
            true
        });
    }

    /// The next instruction that completes in this cycle; to be asked in every cycle until there is none.
    #[inline]
    pub fn completed(&mut self, cycle: u64) -> Option<u16> {
        self.wheel.take(cycle)
    }

    /// The operands of an instruction of the queue are there: the cycles until it begins.
    #[inline]
    fn begin(&mut self, queue: u8, cycle: u64) -> u32 {
        let queue = &mut self.queues[usize::from(queue)];
        queue.collecting -= 1;
        let Some(free) = queue.free.iter_mut().min() else { return 0 };
        let begin = cycle.max(*free);
        *free = begin + queue.interval;
        (begin - cycle) as u32
    }
}

#[cfg(test)]
mod tests {
    use heddle_config::{Preset, Unit as Table};
    use heddle_isa::Unit;

    use super::Units;

    fn preset() -> Preset {
        let mut preset = heddle_config::load("volta").expect("the preset ships");
        (preset.pipeline.queue, preset.pipeline.collectors) = (2, 0);
        preset
    }

    fn kind(unit: Unit, preset: &Preset) -> u8 {
        Units::way(unit, preset).kind.expect("it has pipelines")
    }

    #[test]
    fn a_full_queue_frees_a_place_with_each_instruction_that_begins() {
        let mut preset = preset();
        preset.pipeline.sfu = Table { units: 4, latency: 20, interval: 8 };
        let sfu = kind(Unit::Sfu, &preset);
        let mut units = Units::new(&preset);
        for expected in [0, 8] {
            let queue = units.queue_with_room(sfu, 1, 100).expect("there is room");
            units.issued(queue);
            assert_eq!(units.begin(queue, 100), expected);
        }
        let queue = units.queue_with_room(sfu, 1, 100).expect("the first has begun");
        units.issued(queue);
        assert_eq!(units.queue_with_room(sfu, 1, 107), None, "one waits, one collects");
        assert!(units.queue_with_room(sfu, 0, 107).is_some(), "another scheduler's is its own");
        assert!(units.queue_with_room(kind(Unit::Fp32, &preset), 1, 107).is_some());
        assert!(units.queue_with_room(sfu, 1, 108).is_some());
    }

    #[test]
    fn pipelines_are_dealt_out_to_the_schedulers() {
        let mut preset = preset();
        preset.pipeline.fp32.units = 6;
        preset.pipeline.fp64.units = 1;
        preset.pipeline.int.units = 0;
        let mut units = Units::new(&preset);
        let (fp32, fp64) = (kind(Unit::Fp32, &preset), kind(Unit::Fp64, &preset));
        let of = |units: &Units, kind, scheduler| units.queue_with_room(kind, scheduler, 0);
        assert_eq!(of(&units, fp64, 0), of(&units, fp64, 3), "one for all");
        assert_ne!(of(&units, fp32, 0), of(&units, fp32, 1));
        let integer = kind(Unit::IntMultiply, &preset);
        assert_eq!(of(&units, integer, 2), of(&units, fp32, 2), "none of its own");
        let mut begins = |scheduler| {
            let queue = units.queue_with_room(fp32, scheduler, 0).expect("there is room");
            [0, 1, 2].map(|_| {
                units.issued(queue);
                units.begin(queue, 0)
            })
        };
        assert_eq!(begins(1), [0, 0, 2], "two pipelines");
        assert_eq!(begins(3), [0, 2, 4], "one");
    }
}
