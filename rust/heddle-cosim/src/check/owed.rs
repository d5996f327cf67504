//! Which comparisons each instruction in flight still has before it: an event that never comes, or comes
//! twice, is a fault of the machine under test like a wrong one.

use heddle_isa::{Instr, Op};
use heddle_port::{NUM_DESTINATIONS, Tag};

/// Names of the bits behind those of the destinations.
const OTHERS: [&str; 3] = ["operands", "predicates", "branch"];

/// One kind of event of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// The result of a destination slot.
    Result(usize),
    /// Its operands come out of the design.
    Operands,
    /// Its predicates are written.
    Predicates,
    /// Its branch is decided.
    Branch,
}

const _: () = assert!(NUM_DESTINATIONS + OTHERS.len() <= u8::BITS as usize);

impl Due {
    /// Its bit; a result behind the last destination has none, and is never due.
    fn bit(self) -> u8 {
        match self {
            Self::Result(destination) if destination < NUM_DESTINATIONS => 1 << destination,
            Self::Result(_) => 0,
            Self::Operands => 1 << NUM_DESTINATIONS,
            Self::Predicates => 1 << (NUM_DESTINATIONS + 1),
            Self::Branch => 1 << (NUM_DESTINATIONS + 2),
        }
    }
}

/// What is due, by tag.
#[derive(Debug, Default)]
pub struct Owed {
    by_tag: Vec<u8>,
}

impl Owed {
    /// `instr` is issued under `tag`.
    #[inline]
    pub fn issued(&mut self, tag: Tag, instr: &Instr, through_port: bool) {
        let mut due = (0..instr.dsts.len()).fold(0, |due, slot| due | Due::Result(slot).bit());
        if through_port {
            due |= Due::Operands.bit();
        }
        if !instr.pred_dsts.is_empty() {
            due |= Due::Predicates.bit();
        }
        if matches!(instr.op, Op::Bra { .. }) {
            due |= Due::Branch.bit();
        }
        if self.by_tag.len() <= tag.index() {
            self.by_tag.resize(tag.index() + 1, 0);
        }
        self.by_tag[tag.index()] = due;
    }

    /// An event of `tag` comes.
    ///
    /// # Errors
    /// It was not due, or came before; in words.
    #[inline]
    pub fn came(&mut self, tag: Tag, event: Due) -> Result<(), String> {
        match self.by_tag.get_mut(tag.index()) {
            Some(due) if *due & event.bit() != 0 => {
                *due &= !event.bit();
                Ok(())
            }
            _ => Err(not_due(tag, event)),
        }
    }

    /// `tag` retires, and nothing of it may be left.
    ///
    /// # Errors
    /// What is still due, in words.
    #[inline]
    pub fn retires(&self, tag: Tag) -> Result<(), String> {
        match self.by_tag.get(tag.index()) {
            None | Some(0) => Ok(()),
            Some(&due) => Err(format!("{tag} retires without having been compared: {}", names(due))),
        }
    }
}

#[cold]
fn not_due(tag: Tag, event: Due) -> String {
    format!("{event:?} of {tag} came a second time, or {tag} has none")
}

#[cold]
fn names(due: u8) -> String {
    let results = (0..NUM_DESTINATIONS).map(|slot| format!("result {slot}"));
    let all = results.chain(OTHERS.map(str::to_owned)).enumerate();
    let due: Vec<String> = all.filter(|(place, _)| due >> place & 1 != 0).map(|(_, name)| name).collect();
    due.join(", ")
}

#[cfg(test)]
mod tests {
    use heddle_isa::{Instr, Loc, Op, Operand};
    use heddle_port::Reg;

    use super::*;

    #[test]
    fn each_event_comes_once_and_one_that_does_not_exist_takes_no_other_ones_place() {
        let mut instr = Instr::new(Op::Nop, Loc { line: 1, column: 1 });
        instr.dsts.extend((0..NUM_DESTINATIONS as u32).map(Reg));
        instr.srcs.push(Operand::Reg(Reg(9)));
        let (mut owed, tag) = (Owed::default(), Tag(3));
        owed.issued(tag, &instr, true);
        assert_eq!(owed.came(tag, Due::Operands), Ok(()));
        assert!(owed.came(tag, Due::Operands).is_err() && owed.came(tag, Due::Branch).is_err());
        assert!(owed.came(Tag(4), Due::Result(0)).is_err());
        assert!(owed.came(tag, Due::Result(NUM_DESTINATIONS)).is_err());
        for slot in 0..NUM_DESTINATIONS {
            let left = owed.retires(tag).expect_err("results are missing");
            assert!(left.contains(&format!("result {}", NUM_DESTINATIONS - 1)), "{left}");
            assert_eq!(owed.came(tag, Due::Result(slot)), Ok(()));
        }
        assert_eq!(owed.retires(tag), Ok(()));
    }
}
