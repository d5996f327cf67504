//! Whether a warp repeats itself.
//!
//! A round is what a warp does between two visits of one instruction. A round begins with what the rounds before it
//! left in registers, predicates and local memory. Other memory does not change while a warp is watched. So once the
//! results of three rounds on end are the same, those of all rounds to come are: what the last one read, the next one
//! reads too. A clock that is read makes every round another one.

use heddle_isa::{Outputs, Pc};
use heddle_port::NUM_LANES;

use crate::mix::mix;

/// Rounds with the same results after which all to come have them.
const SAME: usize = 3;

/// One round.
#[derive(Debug, Clone, Default)]
struct Round {
    /// Of all that its instructions did, whatever the order in which they ended.
    sum: u64,
    instructions: u32,
    /// Instructions that have not ended.
    open: u32,
}

/// An instruction of a round.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    round: usize,
    position: u32,
}

/// The rounds of a warp, the one that goes on last.
#[derive(Debug, Clone, Default)]
pub struct Rounds {
    first: Option<Pc>,
    rounds: Vec<Round>,
}

impl Rounds {
    /// The warp issues the instruction at `pc` with lanes `active`, of which it executes `exec`. The first one that is
    /// told begins each round.
    pub fn issued(&mut self, pc: Pc, active: u32, exec: u32) -> Option<Member> {
        if *self.first.get_or_insert(pc) == pc {
            self.rounds.push(Round::default());
        }
        let round = self.rounds.len().checked_sub(1)?;
        let now = &mut self.rounds[round];
        let position = now.instructions;
        now.instructions += 1;
        now.open += 1;
        now.sum = now.sum.wrapping_add(mix([position, pc.0, active, exec]));
        Some(Member { round, position })
    }

    /// The instruction has ended with `registers` destination registers and `predicates` destination predicates.
    pub fn ended(
        &mut self,
        member: Member,
        exec: u32,
        out: &Outputs,
        (registers, predicates): (usize, usize),
    ) {
        let Some(round) = self.rounds.get_mut(member.round) else { return };
        round.open = round.open.saturating_sub(1);
        let mut add = |place: usize, value: u32| {
            round.sum = round.sum.wrapping_add(mix([member.position, place as u32, value, u32::MAX]));
        };
        for (register, values) in out.values.iter().enumerate().take(registers) {
            for lane in (0..NUM_LANES).filter(|lane| exec >> lane & 1 != 0) {
                add(register * NUM_LANES + lane, values[lane]);
            }
        }
        for (predicate, lanes) in out.preds.iter().enumerate().take(predicates) {
            add(out.values.len() * NUM_LANES + predicate, lanes & exec);
        }
    }

    /// Whether all rounds to come are the same.
    pub fn repeat(&self) -> bool {
        let Some((_, over)) = self.rounds.split_last() else { return false };
        over.windows(SAME).any(|same| {
            let first = &same[0];
            same.iter().all(|round| {
                round.open == 0 && (round.sum, round.instructions) == (first.sum, first.instructions)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of two instructions, of which the second gives the values of `results`, ended out of order.
    fn rounds(results: &[u32]) -> Rounds {
        let mut rounds = Rounds::default();
        for &result in results {
            let members = [7, 8].map(|pc| rounds.issued(Pc(pc), u32::MAX, 1).expect("a round"));
            let mut out = Outputs::default();
            out.values[0][0] = result;
            out.values[0][1] = rounds.rounds.len() as u32;
            rounds.ended(members[1], 1, &out, (1, 0));
            rounds.ended(members[0], 1, &Outputs::default(), (0, 1));
        }
        rounds.issued(Pc(7), u32::MAX, 1);
        rounds
    }

    #[test]
    fn three_rounds_with_the_same_results_repeat() {
        assert!(rounds(&[1, 5, 5, 5]).repeat());
        assert!(rounds(&[5, 5, 5, 1]).repeat());
        assert!(!rounds(&[5, 5, 1, 5, 5]).repeat());
        assert!(!rounds(&[1, 2, 3, 4]).repeat());
        assert!(!Rounds::default().repeat());
    }

    #[test]
    fn a_round_with_an_instruction_on_its_way_says_nothing() {
        let mut rounds = rounds(&[5, 5]);
        // The third round has begun with its first instruction.
        let second = rounds.issued(Pc(8), u32::MAX, 1).expect("a round");
        rounds.issued(Pc(7), u32::MAX, 1);
        let mut out = Outputs::default();
        out.values[0][0] = 5;
        rounds.ended(second, 1, &out, (1, 0));
        assert!(!rounds.repeat());
        rounds.ended(Member { round: 2, position: 0 }, 1, &Outputs::default(), (0, 1));
        assert!(rounds.repeat());
    }

    #[test]
    fn other_lanes_or_another_way_make_another_round() {
        for (pc, active) in [(8, 3), (9, u32::MAX)] {
            let mut rounds = Rounds::default();
            for round in 0..6 {
                let (pc, active) = if round % 2 == 0 { (pc, active) } else { (8, u32::MAX) };
                for (pc, active) in [(7, u32::MAX), (pc, active)] {
                    let member = rounds.issued(Pc(pc), active, 1).expect("a round");
                    rounds.ended(member, 1, &Outputs::default(), (0, 0));
                }
            }
            assert!(!rounds.repeat(), "{pc} {active}");
        }
    }
}
