//! The ends of warps; see `rtl/cerf/exit_walk.sv`.

use super::order::Order;
use super::{NUM_REGISTERS, NUM_TAG_BANKS};

/// Registers that a tag bank frees in a cycle.
pub const EXIT_ROWS: usize = 16;
/// Warp registers that are freed together.
const GROUP_REGISTERS: u16 = (NUM_TAG_BANKS * EXIT_ROWS) as u16;
const ALL_BANKS: u8 = (1 << NUM_TAG_BANKS) - 1;

/// The registers of one warp, group by group.
#[derive(Debug, Clone, Copy)]
struct Walk {
    warp: u8,
    first: u16,
    last: u16,
    /// The warp has registers.
    holds: bool,
    group: u16,
    /// Tag banks that are still to free theirs of the group.
    left: u8,
}

impl Walk {
    fn new(warp: u8, first: u16, registers: u8) -> Self {
        let (first, more) = (first % NUM_REGISTERS, u16::from(registers.saturating_sub(1)));
        Self {
            warp,
            first,
            last: (first + more) % NUM_REGISTERS,
            holds: registers > 0,
            group: first / GROUP_REGISTERS,
            left: ALL_BANKS,
        }
    }

    fn is_last(&self) -> bool {
        self.group == self.last / GROUP_REGISTERS
    }

    fn rows(&self, bank: usize, order: Order) -> u16 {
        if !self.holds {
            return 0;
        }
        let begins = self.group == self.first / GROUP_REGISTERS;
        let first_place = self.group * GROUP_REGISTERS;
        let low = if begins { self.first } else { first_place };
        let high = if self.is_last() { self.last } else { first_place + GROUP_REGISTERS - 1 };
        let own = |row: &usize| {
            let index = order.index(first_place + (row * NUM_TAG_BANKS + bank) as u16);
            (low..=high).contains(&index)
        };
        (0..EXIT_ROWS).filter(own).fold(0, |rows, row| rows | 1 << row)
    }
}

/// Warps whose exits were taken over. They are carried out one after the other, the lowest warp slot first.
#[derive(Debug, Clone)]
pub struct Exits {
    order: Order,
    /// By warp slot.
    waiting: u64,
    /// Warp slot whose exit is taken over in this cycle.
    taken: Option<u8>,
    walk: Option<Walk>,
}

impl Exits {
    /// No warp has ended.
    #[must_use]
    pub fn new(order: Order) -> Self {
        Self { order, waiting: 0, taken: None, walk: None }
    }

    /// Takes over the exit of a warp.
    #[inline]
    pub fn take(&mut self, warp: u8) {
        self.taken = Some(warp);
    }

    /// Group of 16 registers of a tag bank that it is to free, and which of them.
    #[inline]
    #[must_use]
    pub fn of_bank(&self, bank: usize) -> Option<(u8, u16)> {
        let walk = self.walk.filter(|walk| walk.left >> bank & 1 == 1)?;
        Some((walk.group as u8, walk.rows(bank, self.order)))
    }

    /// A tag bank has freed its registers of the group.
    #[inline]
    pub fn freed(&mut self, bank: usize) {
        if let Some(walk) = &mut self.walk {
            walk.left &= !(1 << bank);
        }
    }

    /// Ends a cycle, in which a done event of an exit has its `turn` or another command has one. The warp slot
    /// whose exit is carried out; `registers_of` gives the first register of a warp and how many it has.
    #[inline]
    pub fn step(&mut self, turn: bool, registers_of: impl Fn(u8) -> (u16, u8)) -> Option<u8> {
        let mut ended = None;
        if let Some(walk) = &mut self.walk
            && walk.left == 0
        {
            if !walk.is_last() {
                walk.group = (walk.group + 1) % (NUM_REGISTERS / GROUP_REGISTERS);
                walk.left = ALL_BANKS;
            } else if turn {
                ended = Some(walk.warp);
                self.walk = None;
            }
        }
        if self.walk.is_none() && self.waiting != 0 {
            let warp = self.waiting.trailing_zeros() as u8;
            self.waiting &= self.waiting - 1;
            let (first, registers) = registers_of(warp);
            self.walk = Some(Walk::new(warp, first, registers));
        }
        if let Some(warp) = self.taken.take() {
            self.waiting |= 1 << warp;
        }
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::{EXIT_ROWS, Exits, Order};
    use crate::cerf::{NUM_REGISTERS, NUM_TAG_BANKS};

    /// Warp registers freed for a warp, and the cycles with a group.
    fn freed(order: Order, first: u16, registers: u8) -> (Vec<u16>, usize) {
        let mut exits = Exits::new(order);
        exits.take(7);
        assert_eq!(exits.step(true, |_| (first, registers)), None);
        assert_eq!(exits.step(true, |_| (first, registers)), None);
        let mut freed = Vec::new();
        for cycle in 1.. {
            for bank in 0..NUM_TAG_BANKS {
                let (group, rows) = exits.of_bank(bank).expect("it has its turn");
                let place = |r: usize| (usize::from(group) * EXIT_ROWS + r) * NUM_TAG_BANKS + bank;
                let own = (0..EXIT_ROWS).filter(|r| rows >> r & 1 == 1);
                freed.extend(own.map(|r| order.index(place(r) as u16)));
                exits.freed(bank);
            }
            if exits.step(true, |_| (0, 0)) == Some(7) {
                freed.sort_unstable();
                return (freed, cycle);
            }
        }
        unreachable!("a walk ends")
    }

    #[test]
    fn a_walk_frees_the_registers_of_its_warp_in_groups_of_64() {
        for order in [Order::new(false), Order::new(true)] {
            for (first, registers, groups) in
                [(0, 64, 1), (0, 65, 2), (63, 2, 2), (960, 64, 1), (100, 63, 2), (5, 255, 5), (128, 0, 1)]
            {
                let own: Vec<u16> = (first..first + u16::from(registers)).collect();
                assert_eq!(
                    freed(order, first, registers),
                    (own, groups),
                    "{registers} from {first}, {order:?}"
                );
            }
            assert_eq!(freed(order, NUM_REGISTERS - 1, 1), (vec![NUM_REGISTERS - 1], 1));
        }
    }

    #[test]
    fn exits_wait_for_each_other_and_an_answer_for_its_turn() {
        let mut exits = Exits::new(Order::new(false));
        for warp in [9, 3] {
            exits.take(warp);
            exits.step(true, |_| (0, 4));
        }
        let all = |exits: &mut Exits| (0..NUM_TAG_BANKS).for_each(|bank| exits.freed(bank));
        all(&mut exits);
        assert_eq!(exits.step(false, |_| (4, 4)), None, "another command has a done event");
        assert_eq!(exits.step(true, |warp| (u16::from(warp), 4)), Some(9));
        assert!(exits.of_bank(0).is_some(), "the next one follows at once");
        all(&mut exits);
        assert_eq!(exits.step(true, |_| (0, 4)), Some(3));
        assert!(exits.of_bank(0).is_none());
    }
}
