//! What becomes of the lines of global memory, for whoever holds their values.

use heddle_port::{LineBytes, MemRequest, MemSpace, TakenLine};

use super::entry::{Op, next_state};
use super::machine::Integrated;
use super::memory::Access;
use super::tags::Lookup;

impl Integrated {
    /// A tag bank has carried out `op` on `line`: the line of its entry may leave, and one that found no entry is not kept.
    #[inline]
    pub(super) fn follow_line(&mut self, op: Op, found: &Lookup, line: u32) {
        if op == Op::Fill && !found.placed {
            self.lines.left.push(line);
        } else if found.before.is_line()
            && (!found.hit || !next_state(op, found.evict, found.before).is_line())
        {
            self.lines.left.push(found.holds);
        }
    }

    /// A load or store is carried out, which joins the line's MSHR or not.
    #[inline]
    pub(super) fn follow_access(&mut self, request: &MemRequest, access: &Access, hit: bool, joins: bool) {
        if request.space != MemSpace::Global as u8 {
            return;
        }
        match access.op {
            Op::Load if !hit && !joins => {
                self.lines.taken =
                    Some(TakenLine { line: access.line, bytes: LineBytes::MAX, fetched: true });
            }
            Op::Store => self.lines.kept = hit,
            _ => {}
        }
    }
}
