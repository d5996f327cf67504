//! Operand collectors that the pipelines of a scheduler share.
//!
//! An instruction has a place of its kind from its issue on. When its operands are there it goes into one of
//! the collectors of its scheduler, from there into the register before the pipelines of its kind, both in
//! that cycle if they are free, and in the next one into a pipeline: that cycle is the first of its latency.
//! Two moves fit into a cycle. Where several kinds wait for a collector, single precision goes first, and
//! branches nearly last: a kind whose pipelines are behind fills the collectors, and then the others wait,
//! too. Of a kind the one of each scheduler enters whose operands came first, or the one of the SM, and none behind it while
//! it finds no collector ([`CollectorOrder`]). The design collects the operands meanwhile; here is only how many
//! instructions there can be.

use heddle_config::CollectorOrder;

use crate::units::KINDS;

/// Kinds of pipelines in the order in which they get a collector: single precision, special functions, double
/// precision, integers, branches, matrices, exchange.
const ORDER: [usize; KINDS] = [0, 3, 2, 1, 6, 4, 5];
/// Branches. They issue with all that they need, so of a scheduler only the register behind issue holds one back.
const BRANCH: usize = 6;
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
    /// By kind: of these, the ones whose operands are there, oldest first, and when they came in the order of all.
    arrived: [Vec<(u64, Ready)>; KINDS],
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
    /// By kind: instructions of a scheduler that have issued and have no collector, at most.
    room: [u8; KINDS],
    order: CollectorOrder,
    /// By kind: schedulers of which an instruction has arrived and has no collector.
    waiting: [u32; KINDS],
    /// Instructions that have arrived.
    arrivals: u64,
    inside: u32,
}

impl Collectors {
    /// As many for each of some schedulers, of which there are 32 at most.
    pub fn new(schedulers: usize, collectors: u32, room: u32, order: CollectorOrder) -> Self {
        let sub_core = SubCore {
            issued: [0; KINDS],
            arrived: std::array::from_fn(|_| Vec::with_capacity(room as usize)),
            collectors: vec![None; collectors as usize],
            before: [None; KINDS],
            inside: 0,
        };
        let mut room = [room.min(u32::from(u8::MAX)) as u8; KINDS];
        room[BRANCH] = 1;
        Self {
            sub_cores: vec![sub_core; schedulers],
            room,
            order,
            waiting: [0; KINDS],
            arrivals: 0,
            inside: 0,
        }
    }

    /// The place of an instruction of a kind that `scheduler` issues, if there is one.
    #[inline]
    pub fn place_with_room(&self, kind: u8, scheduler: usize) -> Option<u8> {
        let kind = usize::from(kind);
        (self.sub_cores[scheduler].issued[kind] < self.room[kind]).then_some((scheduler * KINDS + kind) as u8)
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
        let (scheduler, kind) = (usize::from(place) / KINDS, usize::from(place) % KINDS);
        let sub_core = &mut self.sub_cores[scheduler];
        sub_core.arrived[kind].push((self.arrivals, ready));
        sub_core.inside += 1;
        self.waiting[kind] |= 1 << scheduler;
        self.arrivals += 1;
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
            let begun = sub_core.begin(&mut |kind, ready| begin(kind, scheduler, ready));
            sub_core.inside -= begun;
            self.inside -= begun;
        }
        for _ in 0..MOVES {
            self.sub_cores.iter_mut().for_each(SubCore::leave);
            match self.order {
                CollectorOrder::SubCore => self.enter_each(),
                CollectorOrder::Sm => self.enter_by_age(),
            }
        }
    }

    /// Of each kind and scheduler the oldest instruction enters, if there is a collector.
    fn enter_each(&mut self) {
        for kind in ORDER {
            for scheduler in schedulers(self.waiting[kind]) {
                self.enter(scheduler, kind);
            }
        }
    }

    /// In turn the oldest instruction of each kind enters, until none of the oldest finds a collector; of a kind and
    /// scheduler one at most.
    fn enter_by_age(&mut self) {
        let mut left = self.waiting;
        let mut moved = true;
        while moved {
            moved = false;
            for kind in ORDER {
                let age = |&s: &usize| self.sub_cores[s].arrived[kind].first().map(|(arrival, _)| *arrival);
                if let Some(oldest) = schedulers(left[kind]).min_by_key(age)
                    && self.enter(oldest, kind)
                {
                    left[kind] &= !(1 << oldest);
                    moved = true;
                }
            }
        }
    }

    /// The oldest instruction of a kind and scheduler goes into a collector: whether there was one for it.
    fn enter(&mut self, scheduler: usize, kind: usize) -> bool {
        let sub_core = &mut self.sub_cores[scheduler];
        let Some(free) = sub_core.collectors.iter_mut().find(|collector| collector.is_none()) else {
            return false;
        };
        *free = Some((kind, sub_core.arrived[kind].remove(0).1));
        sub_core.issued[kind] -= 1;
        if sub_core.arrived[kind].is_empty() {
            self.waiting[kind] &= !(1 << scheduler);
        }
        true
    }
}

/// The schedulers of a set.
fn schedulers(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

impl SubCore {
    /// Instructions go from the collectors into the registers before their pipelines.
    fn leave(&mut self) {
        for collector in &mut self.collectors {
            if let Some((kind, ready)) = *collector
                && self.before[kind].is_none()
            {
                self.before[kind] = Some(ready);
                *collector = None;
            }
        }
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
    use heddle_config::CollectorOrder::{Sm, SubCore};

    use super::{BRANCH, Collectors, Ready};

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
        let mut collectors = Collectors::new(1, 2, 8, SubCore);
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
        let mut collectors = Collectors::new(1, 4, 8, Sm);
        for tag in 0..3 {
            arrive(&mut collectors, FP32, tag);
        }
        let begun = run(&mut collectors, 6, 1);
        assert!(begun[2].contains(&9), "{begun:?}");
    }

    /// One collector a scheduler; pipelines that take nothing from scheduler `busy`, to which three instructions of single
    /// precision came a cycle ago. The kinds that begin of the other scheduler in each of four cycles.
    fn begun_beside(busy: usize, order: heddle_config::CollectorOrder) -> Vec<Vec<usize>> {
        let mut collectors = Collectors::new(2, 1, 3, order);
        let arrive = |collectors: &mut Collectors, kind, scheduler| {
            let place = collectors.place_with_room(kind, scheduler).expect("there is room");
            collectors.issued(place);
            collectors.arrive(place, Ready { tag: None, latency: 2 });
        };
        (0..3).for_each(|_| arrive(&mut collectors, FP32, busy));
        collectors.step(|_, _, _| false);
        arrive(&mut collectors, FP32, 1 - busy);
        arrive(&mut collectors, INT, 1 - busy);
        let cycle = |_| {
            let mut begun = Vec::new();
            collectors.step(|kind, scheduler, _| {
                if scheduler != busy {
                    begun.push(kind);
                }
                scheduler != busy
            });
            begun
        };
        (0..4).map(cycle).collect()
    }

    #[test]
    fn by_age_a_full_scheduler_holds_up_its_kind_in_the_others() {
        let [fp32, int] = [usize::from(FP32), usize::from(INT)];
        for busy in [0, 1] {
            assert_eq!(begun_beside(busy, SubCore), [vec![], vec![fp32], vec![int], vec![]]);
            // Two of the busy scheduler are in its register and its collector; the third came before single precision of the
            // other, which waits behind it. Integers do not.
            assert_eq!(begun_beside(busy, Sm), [vec![], vec![int], vec![], vec![]]);
        }
    }

    #[test]
    fn places_are_of_a_kind_and_a_scheduler() {
        let mut collectors = Collectors::new(2, 2, 2, SubCore);
        collectors.issued(collectors.place_with_room(BRANCH as u8, 1).expect("there is room"));
        assert_eq!(collectors.place_with_room(BRANCH as u8, 1), None, "one of these");
        collectors.issued(collectors.place_with_room(INT, 1).expect("there is room"));
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
