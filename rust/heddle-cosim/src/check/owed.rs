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

impl Due {
    fn bit(self) -> u8 {
        let place = match self {
            Self::Result(destination) => destination.min(NUM_DESTINATIONS - 1),
            Self::Operands => NUM_DESTINATIONS,
            Self::Predicates => NUM_DESTINATIONS + 1,
            Self::Branch => NUM_DESTINATIONS + 2,
        };
        1 << place
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

    /// An event of `tag` comes; false if it was not due, or came before.
    #[inline]
    pub fn came(&mut self, tag: Tag, event: Due) -> bool {
        let Some(due) = self.by_tag.get_mut(tag.index()) else { return false };
        let was_due = *due & event.bit() != 0;
        *due &= !event.bit();
        was_due
    }

    /// What is still due of `tag`, by name; `None` if nothing is.
    #[inline]
    pub fn left(&self, tag: Tag) -> Option<String> {
        match self.by_tag.get(tag.index()) {
            None | Some(0) => None,
            Some(&due) => Some(names(due)),
        }
    }
}

#[cold]
fn names(due: u8) -> String {
    let results = (0..NUM_DESTINATIONS).map(|slot| format!("result {slot}"));
    let all = results.chain(OTHERS.map(str::to_owned)).enumerate();
    let due: Vec<String> = all.filter(|(place, _)| due >> place & 1 != 0).map(|(_, name)| name).collect();
    due.join(", ")
}
