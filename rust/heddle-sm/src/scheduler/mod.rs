//! Which warp issues: one policy for all schedulers of the SM.

mod gto;
mod round_robin;
mod two_level;

use heddle_config::Policy;

use gto::Gto;
use round_robin::RoundRobin;
use two_level::TwoLevel;

/// The first set bit of `candidates` at or after `pointer`, wrapping around.
#[inline]
pub fn rotating_pick(candidates: u64, pointer: u32) -> Option<usize> {
    if candidates == 0 {
        return None;
    }
    let above = candidates & u64::MAX.checked_shl(pointer).unwrap_or(0);
    Some(if above == 0 { candidates } else { above }.trailing_zeros() as usize)
}

/// The slots of scheduler `index` of `count`: slot modulo count.
pub fn partition(index: usize, count: usize) -> u64 {
    (0..64).filter(|slot| slot % count == index).fold(0, |mask, slot| mask | 1 << slot)
}

/// The schedulers of an SM.
///
/// Round robin and GTO divide the warp slots among the schedulers (slot modulo number of schedulers);
/// with the two-level policy all schedulers take from the one set of active warps.
#[derive(Debug, Clone)]
pub struct Schedulers {
    rule: Rule,
    count: usize,
    /// They issue nothing.
    held: bool,
}

impl Schedulers {
    pub fn new(policy: Policy, count: usize) -> Self {
        Self { rule: Rule::new(policy, count), count, held: false }
    }

    /// From now on they issue nothing, or again.
    pub fn hold(&mut self, hold: bool) {
        self.held = hold;
    }

    /// The schedulers in the order of a cycle, none where they issue nothing. They take turns in being first
    /// at what they share, such as the places of the load-store unit.
    #[inline]
    pub fn in_turn(&self, cycle: u64) -> impl Iterator<Item = usize> + use<> {
        let count = if self.held { 0 } else { self.count };
        let first = match self.count.is_power_of_two() {
            true => cycle as usize & (self.count - 1),
            false => cycle as usize % self.count,
        };
        (first..count).chain(0..first.min(count))
    }
}

/// The policies, by their names in a preset. Each is a type in a file of its own, with the methods that are
/// called here.
macro_rules! policies {
    ($($name:ident),*) => {
        #[derive(Debug, Clone)]
        enum Rule { $($name($name)),* }

        impl Rule {
            fn new(policy: Policy, schedulers: usize) -> Self {
                match policy { $(Policy::$name => Self::$name($name::new(schedulers))),* }
            }
        }

        impl Schedulers {
            /// Slots from which scheduler `scheduler` may choose.
            #[inline]
            pub fn pool(&self, scheduler: usize) -> u64 {
                match &self.rule { $(Rule::$name(rule) => rule.pool(scheduler)),* }
            }

            /// The preferred one of `candidates`.
            #[inline]
            pub fn pick(&self, scheduler: usize, candidates: u64) -> Option<usize> {
                match &self.rule { $(Rule::$name(rule) => rule.pick(scheduler, candidates)),* }
            }

            /// `warp` issued.
            #[inline]
            pub fn issued(&mut self, scheduler: usize, warp: usize) {
                match &mut self.rule { $(Rule::$name(rule) => rule.issued(scheduler, warp)),* }
            }

            /// A warp began in slot `warp`.
            pub fn started(&mut self, warp: usize) {
                match &mut self.rule { $(Rule::$name(rule) => rule.started(warp)),* }
            }

            /// The warp in slot `warp` ended.
            pub fn ended(&mut self, warp: usize) {
                match &mut self.rule { $(Rule::$name(rule) => rule.ended(warp)),* }
            }
        }
    };
}

policies!(RoundRobin, Gto, TwoLevel);

#[cfg(test)]
mod tests {
    use super::{Schedulers, rotating_pick};
    use heddle_config::Policy;

    fn sequence(scheduler: &mut Schedulers, index: usize, candidates: u64, n: usize) -> Vec<usize> {
        let mut order = Vec::new();
        for _ in 0..n {
            if let Some(warp) = scheduler.pick(index, candidates & scheduler.pool(index)) {
                scheduler.issued(index, warp);
                order.push(warp);
            }
        }
        order
    }

    #[test]
    fn the_schedulers_take_turns_in_being_first() {
        for count in 1..5 {
            let mut scheduler = Schedulers::new(Policy::Gto, count);
            for cycle in 0..9 {
                let order = (0..count).map(|step| (cycle + step) % count);
                assert!(scheduler.in_turn(cycle as u64).eq(order), "{count} schedulers, cycle {cycle}");
            }
            scheduler.hold(true);
            assert_eq!((0..9).flat_map(|cycle| scheduler.in_turn(cycle)).next(), None);
        }
    }

    #[test]
    fn rotating_pick_wraps() {
        assert_eq!(rotating_pick(0b1001, 1), Some(3));
        assert_eq!(rotating_pick(0b1001, 4), Some(0));
        assert_eq!(rotating_pick(1 << 63, 64), Some(63));
        assert_eq!(rotating_pick(0, 3), None);
    }

    #[test]
    fn round_robin_takes_turns_within_its_partition() {
        let mut scheduler = Schedulers::new(Policy::RoundRobin, 2);
        assert_eq!(sequence(&mut scheduler, 0, 0b111_0111, 5), [0, 2, 4, 6, 0]);
        assert_eq!(sequence(&mut scheduler, 1, 0b111_0111, 3), [1, 5, 1]);
    }

    #[test]
    fn gto_stays_with_a_warp_then_takes_the_oldest() {
        let mut scheduler = Schedulers::new(Policy::Gto, 1);
        for warp in [5, 2, 7] {
            scheduler.started(warp);
        }
        assert_eq!(sequence(&mut scheduler, 0, 0b1010_0100, 2), [5, 5]);
        assert_eq!(sequence(&mut scheduler, 0, 0b1000_0100, 2), [2, 2]);
        assert_eq!(sequence(&mut scheduler, 0, 0b1010_0100, 1), [2]);
        scheduler.ended(5);
        scheduler.started(5);
        assert_eq!(sequence(&mut scheduler, 0, 0b1010_0000, 2), [7, 7]);
    }

    #[test]
    fn two_level_shares_the_active_warps_among_the_schedulers() {
        let mut scheduler = Schedulers::new(Policy::TwoLevel, 2);
        assert_eq!(sequence(&mut scheduler, 0, 0b111, 1), [0]);
        assert_eq!(sequence(&mut scheduler, 1, 0b110, 1), [1]);
        assert_eq!(sequence(&mut scheduler, 0, 0b111, 2), [2, 0]);
    }
}
