//! Who runs which CTA.

use crate::launch::CtaChoice;

/// Hands the CTAs of a grid to SMs as they have room: in order of their numbers, round robin over the SMs, to each at most one
/// a cycle.
#[derive(Debug, Clone)]
pub struct Distributor {
    choice: CtaChoice,
    grid: u64,
    next: Option<u64>,
    /// The SM that is asked first.
    turn: usize,
}

impl Distributor {
    /// The chosen CTAs of a grid of `grid`.
    pub fn new(choice: CtaChoice, grid: u64) -> Self {
        Self { choice, grid, next: choice.next_from(0, grid), turn: 0 }
    }

    /// All CTAs are handed out.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// One cycle: offers each of `sms` SMs a CTA once; `takes` says whether it has room, and takes it.
    pub fn step(&mut self, sms: usize, mut takes: impl FnMut(usize, u64) -> bool) {
        let first = self.turn;
        for step in 0..sms {
            let Some(cta) = self.next else { return };
            let sm = (first + step) % sms;
            if takes(sm, cta) {
                self.next = self.choice.next_from(cta + 1, self.grid);
                self.turn = (sm + 1) % sms;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Distributor;
    use crate::launch::CtaChoice;

    /// CTAs that each SM got, which holds `room` of them and never ends one, after some cycles.
    fn given(choice: CtaChoice, room: [usize; 3], cycles: usize) -> (Vec<Vec<u64>>, bool) {
        let mut all = vec![Vec::new(); 3];
        let mut distributor = Distributor::new(choice, 20);
        for _ in 0..cycles {
            distributor.step(3, |sm, cta| {
                let has_room = all[sm].len() < room[sm];
                all[sm].extend(has_room.then_some(cta));
                has_room
            });
        }
        (all, distributor.is_over())
    }

    #[test]
    fn sms_with_room_take_turns() {
        let (all, over) = given(CtaChoice::All, [2, 1, 9], 4);
        assert_eq!(all, [vec![0, 3], vec![1], vec![2, 4, 5, 6]]);
        assert!(!over);
    }

    #[test]
    fn every_chosen_cta_is_given_once() {
        for choice in [CtaChoice::All, CtaChoice::FirstOf { sms: 3, of: 5 }] {
            let (all, over) = given(choice, [20; 3], 20);
            let mut given: Vec<u64> = all.into_iter().flatten().collect();
            given.sort_unstable();
            assert_eq!(given, choice.ctas(20).collect::<Vec<_>>(), "{choice:?}");
            assert!(over);
        }
    }
}
