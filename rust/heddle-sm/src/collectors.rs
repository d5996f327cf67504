//! Operand collectors that the pipelines of a scheduler share.
//!
//! An instruction has a place of its kind from its issue on. When its operands are there it goes into one of
//! the collectors of its scheduler, from there into the register before the pipelines of its kind, both in
//! that cycle if they are free, and in the next one into a pipeline: that cycle is the first of its latency.
//! Two moves fit into a cycle. Where several kinds wait for a collector, single precision goes first, and
//! branches nearly last: a kind whose pipelines are behind fills the collectors, and then the others wait,
//! too. The design collects the operands meanwhile; here is only how many instructions there can be.

use crate::units::KINDS;

/// Kinds of pipelines in the order in which they get a collector: single precision, special functions, double
/// precision, integers, branches, matrices, exchange.
const ORDER: [usize; KINDS] = [0, 3, 2, 1, 6, 4, 5];
/// Moves that fit into a cycle.
const MOVES: usize = 2;

/// An instruction whose operands are there.
#[derive(Debug, Clone, Copy)]
pub struct Ready {
    /// Who completes; none of an instruction that nothing waits for.
    pub tag: Option<u16>,
    /// Cycles from its begin to its result.
    pub latency: u32,
}

/// Those of a scheduler.
#[derive(Debug, Clone)]
struct SubCore {
    /// By kind: instructions that have issued and have no collector.
    issued: [u8; KINDS],
    /// By kind: of these, the ones whose operands are there, oldest first.
    arrived: [Vec<Ready>; KINDS],
    collectors: Vec<Option<(usize, Ready)>>,
    /// By kind: the register before the pipelines.
    before: [Option<Ready>; KINDS],
    /// Instructions in `arrived`, `collectors` and `before`.
    inside: u32,
}

/// Those of an SM.
#[derive(Debug, Clone)]
pub struct Collectors {
    sub_cores: Vec<SubCore>,
    /// Instructions of a kind and scheduler that have issued and have no collector, at most.
    room: u8,
    inside: u32,
}

impl Collectors {
    /// As many for each of some schedulers.
    pub fn new(schedulers: usize, collectors: u32, room: u32) -> Self {
        let sub_core = SubCore {
            issued: [0; KINDS],
            arrived: std::array::from_fn(|_| Vec::with_capacity(room as usize)),
            collectors: vec![None; collectors as usize],
            before: [None; KINDS],
            inside: 0,
        };
        Self { sub_cores: vec![sub_core; schedulers], room: room.min(u32::from(u8::MAX)) as u8, inside: 0 }
    }

    /// The place of an instruction of a kind that `scheduler` issues, if there is one.
    #[inline]
    pub fn place_with_room(&self, kind: u8, scheduler: usize) -> Option<u8> {
        let kind = usize::from(kind);
        (self.sub_cores[scheduler].issued[kind] < self.room).then_some((scheduler * KINDS + kind) as u8)
    }

    /// An instruction takes a place.
    #[inline]
    pub fn issued(&mut self, place: u8) {
        let place = usize::from(place);
        self.sub_cores[place / KINDS].issued[place % KINDS] += 1;
    }

    /// Its operands are there.
    #[inline]
    pub fn arrive(&mut self, place: u8, ready: Ready) {
        let place = usize::from(place);
        let sub_core = &mut self.sub_cores[place / KINDS];
        sub_core.arrived[place % KINDS].push(ready);
        sub_core.inside += 1;
        self.inside += 1;
    }

    /// Some instruction is to move on.
    #[inline]
    pub fn any(&self) -> bool {
        self.inside > 0
    }

    /// The moves of a cycle. `begin` says whether a pipeline of a kind and scheduler takes an instruction.
    pub fn step(&mut self, mut begin: impl FnMut(usize, usize, Ready) -> bool) {
        for (scheduler, sub_core) in self.sub_cores.iter_mut().enumerate().filter(|(_, s)| s.inside > 0) {
            let begun = sub_core.step(|kind, ready| begin(kind, scheduler, ready));
            sub_core.inside -= begun;
            self.inside -= begun;
        }
    }
}

impl SubCore {
    /// The moves of a cycle; how many instructions begin.
    fn step(&mut self, mut begin: impl FnMut(usize, Ready) -> bool) -> u32 {
        let begun = self.begin(&mut begin);
        for _ in 0..MOVES {
            for collector in &mut self.collectors {
                if let Some((kind, ready)) = *collector
                    && self.before[kind].is_none()
                {
                    self.before[kind] = Some(ready);
                    *collector = None;
                }
            }
            for kind in ORDER {
                if !self.arrived[kind].is_empty()
                    && let Some(free) = self.collectors.iter_mut().find(|collector| collector.is_none())
                {
                    *free = Some((kind, self.arrived[kind].remove(0)));
                    self.issued[kind] -= 1;
                }
            }
        }
        begun
    }

    /// Instructions before free pipelines begin; how many.
    fn begin(&mut self, begin: &mut impl FnMut(usize, Ready) -> bool) -> u32 {
        let mut begun = 0;
        for kind in 0..KINDS {
            if let Some(ready) = self.before[kind]
                && begin(kind, ready)
            {
                self.before[kind] = None;
                begun += 1;
            }
        }
        begun
    }
}

#[cfg(test)]
mod tests {
    use super::{Collectors, Ready};

    /// Single precision and integers.
    const FP32: u8 = 0;
    const INT: u8 = 1;

    /// The tags that begin in each of some cycles; pipelines of single precision take one in two. An integer
    /// instruction, 9, arrives in cycle `late`.
    fn run(collectors: &mut Collectors, cycles: u64, late: u64) -> Vec<Vec<u16>> {
        let mut free = 0;
        (0..cycles)
            .map(|cycle| {
                if cycle == late {
                    arrive(collectors, INT, 9);
                }
                let mut begun = Vec::new();
                collectors.step(|kind, _, ready| {
                    let takes = kind != usize::from(FP32) || free <= cycle;
                    if takes {
                        begun.extend(ready.tag);
                        if kind == usize::from(FP32) {
                            free = cycle + 2;
                        }
                    }
                    takes
                });
                begun
            })
            .collect()
    }

    fn arrive(collectors: &mut Collectors, kind: u8, tag: u16) {
        let place = collectors.place_with_room(kind, 0).expect("there is room");
        collectors.issued(place);
        collectors.arrive(place, Ready { tag: Some(tag), latency: 2 });
    }

    #[test]
    fn what_waits_for_a_busy_pipeline_holds_up_the_others() {
        let mut collectors = Collectors::new(1, 2, 8);
        for tag in 0..5 {
            arrive(&mut collectors, FP32, tag);
        }
        let begun = run(&mut collectors, 12, 2);
        let at = |tag| begun.iter().position(|tags| tags.contains(&tag)).expect("it begins");
        // Two collectors are not asked in the order in which they were filled.
        assert_eq!((0..5).map(at).collect::<Vec<_>>(), [1, 3, 5, 9, 7]);
        // Single precision has both collectors, and goes first while it waits.
        assert_eq!(at(9), 6, "{begun:?}");
        assert!(!collectors.any());
    }

    #[test]
    fn another_kind_passes_where_a_collector_is_free() {
        let mut collectors = Collectors::new(1, 4, 8);
        for tag in 0..3 {
            arrive(&mut collectors, FP32, tag);
        }
        let begun = run(&mut collectors, 6, 1);
        assert!(begun[2].contains(&9), "{begun:?}");
    }

    #[test]
    fn places_are_of_a_kind_and_a_scheduler() {
        let mut collectors = Collectors::new(2, 2, 1);
        let place = collectors.place_with_room(INT, 1).expect("there is room");
        collectors.issued(place);
        assert_eq!(collectors.place_with_room(INT, 1), None);
        assert!(
            collectors.place_with_room(INT, 0).is_some() && collectors.place_with_room(FP32, 1).is_some()
        );
        collectors.arrive(place, Ready { tag: None, latency: 1 });
        collectors.step(|_, _, _| true);
        assert!(collectors.place_with_room(INT, 1).is_some(), "it has a collector or is gone");
    }
}
