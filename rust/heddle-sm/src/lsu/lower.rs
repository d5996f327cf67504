//! The SM's side of L2, and what its L1 holds of global memory.

use heddle_isa::{Op, Pc};
use heddle_mem::{FirstLevelPort, is_off_chip_shared, space, space_of};
use heddle_port::{Cycle, LINE_BYTES, LaneMask, LineBytes, LowerKind};

use super::Access;
use crate::error::SmError;
use crate::l1_view::{read_line, store_bytes};
use crate::observer::Observer;
use crate::perform::reads_through_l1;
use crate::sm::Sm;
use crate::traffic::{Bytes, WrongRequest};

impl<P: FirstLevelPort> Sm<P> {
    /// What the last clock edge did to the lines that the L1 holds.
    #[inline]
    pub(crate) fn follow_lines<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let Self { l1_view: Some(view), memory, global, traffic, .. } = self else { return Ok(()) };
        let Some(events) = memory.line_events().filter(|events| !events.is_empty()) else { return Ok(()) };
        if let Some(traffic) = traffic {
            for &line in &events.left {
                if let Some((mask, bytes)) = view.kept(line) {
                    traffic.leaves(line, mask, *bytes);
                }
            }
            if let Some(taken) = events.taken.filter(|taken| taken.fetched) {
                let mut bytes = [0; LINE_BYTES];
                read_line(global, taken.line, taken.bytes, &mut bytes);
                traffic.reads(LowerKind::Fill, taken.line, bytes);
            }
        }
        view.follow(events, global);
        let result = observer.lines(Cycle(self.cycle), events);
        self.stop(result)
    }

    /// The access of `lanes`, of which those of global memory lie in one line, has been performed: what it is to ask of L2, or to bring it.
    pub(crate) fn expect_traffic(&mut self, index: u8, pc: Pc, lanes: LaneMask) {
        let Some(traffic) = &mut self.traffic else { return };
        let op = &self.kernel.instr(pc).op;
        let access: &Access = &self.lsu.accesses[usize::from(index)];
        let lanes = lanes & access.spaces.global;
        let Some(first) = lanes.lanes().next() else { return };
        let line = (access.addresses[first] / LINE_BYTES as u64) as u32;
        let mut bytes: Bytes = [0; LINE_BYTES];
        match *op {
            Op::St { ty, .. } => {
                let size = ty.bytes();
                let mut mask: LineBytes = 0;
                for element in 0..access.elements {
                    for lane in lanes.lanes() {
                        let address = access.addresses[lane] + element as u64 * u64::from(size);
                        mask |= store_bytes(&mut bytes, address, size, access.stored[element][lane]);
                    }
                }
                match &mut self.l1_view {
                    Some(view) if self.memory.line_events().is_some_and(|events| events.kept) => {
                        view.keep(line, mask);
                    }
                    _ => traffic.stores(line, mask, bytes),
                }
            }
            Op::Atom { .. } => traffic.reads(LowerKind::Atomic, line, bytes),
            Op::Ld { .. } if !reads_through_l1(op) => {
                read_line(&self.global, line, LineBytes::MAX, &mut bytes);
                traffic.reads(LowerKind::BypassRead, line, bytes);
            }
            _ => {}
        }
    }

    /// L2's side of the memory port, and its clock edge.
    pub(crate) fn lower_stage(&mut self) -> Result<(), SmError> {
        let request = self.memory.out().lower_request;
        let held = |line| self.held.cached || is_off_chip_shared(line);
        if let Some(below) = &mut self.below {
            if request.valid && held(request.line) && self.memory.lower_ready() {
                let data = &self.memory.data().lower_request;
                match &mut self.traffic {
                    Some(traffic) if space_of(request.line) == space::GLOBAL => {
                        let taken = traffic.take(&request, data);
                        taken.map_err(|what| SmError::Traffic { cycle: self.cycle, what })?;
                    }
                    _ => below.take(&request, data),
                }
            }
            let answer = *self.memory.lower_response();
            if answer.valid && held(answer.line) {
                self.memory.set_lower_response_data(match &self.traffic {
                    Some(traffic) if space_of(answer.line) == space::GLOBAL => traffic.answer(answer.id),
                    _ => below.answer(answer.id),
                });
            }
        }
        self.memory.step().map_err(|error| SmError::Memory { cycle: self.cycle, error })
    }

    /// After the flush: L2 has all that the SM stored.
    ///
    /// # Errors
    /// [`SmError::Traffic`]: it lacks something.
    pub fn expect_no_traffic(&self) -> Result<(), SmError> {
        let Some(traffic) = &self.traffic else { return Ok(()) };
        let kept = self.l1_view.as_ref().and_then(|view| view.any_kept());
        let missing = kept.map_or(Ok(()), |line| Err(WrongRequest::missing(LowerKind::WriteBack, line)));
        missing.and(traffic.is_over()).map_err(|what| SmError::Traffic { cycle: self.cycle, what })
    }
}
