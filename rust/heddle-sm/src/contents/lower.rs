//! What goes between the L1 and L2, held against what the lanes read and wrote.

use heddle_isa::Op;
use heddle_mem::{is_off_chip_shared, space, space_of};
use heddle_port::{
    LINE_BYTES, LaneMask, LineBytes, LineData, LineEvents, LowerKind, MemLowerRequest, MemLowerResponse,
};

use super::Contents;
use super::l1_view::{read_line, store_bytes};
use super::memories::reads_through_l1;
use super::traffic::{Bytes, WrongRequest};
use crate::lsu::LaneAccess;

impl Contents {
    /// What the last clock edge did to the lines that the L1 holds, where that need not be what is in global
    /// memory.
    pub fn follow(&mut self, events: &LineEvents) {
        let Self { view: Some(view), global, traffic, .. } = self else { return };
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
    }

    /// The access of `lanes`, of which those of global memory lie in one line, has been performed: what it is
    /// to ask of L2, or to bring it. `kept`: the L1 keeps what it stores.
    pub fn expect_traffic(&mut self, op: &Op, access: &LaneAccess, lanes: LaneMask, kept: bool) {
        let Some(traffic) = &mut self.traffic else { return };
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
                match &mut self.view {
                    Some(view) if kept => view.keep(line, mask),
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

    /// What lies below the design has the line, not the Rust memory.
    fn has_below(&self, line: u32) -> bool {
        self.held.cached || is_off_chip_shared(line)
    }

    /// L2 takes a request, with `data` of a write.
    ///
    /// # Errors
    /// It is not what the SM's accesses ask for.
    pub fn take(&mut self, request: &MemLowerRequest, data: &LineData) -> Result<(), WrongRequest> {
        if !self.has_below(request.line) {
            return Ok(());
        }
        match (&mut self.below, &mut self.traffic) {
            (Some(_), Some(traffic)) if space_of(request.line) == space::GLOBAL => {
                traffic.take(request, data)
            }
            (Some(below), _) => {
                below.take(request, data);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// The line that L2 answers with, where the design holds data.
    pub fn answer(&self, response: &MemLowerResponse) -> Option<LineData> {
        let below = self.below.as_ref().filter(|_| self.has_below(response.line))?;
        Some(match &self.traffic {
            Some(traffic) if space_of(response.line) == space::GLOBAL => traffic.answer(response.id),
            _ => below.answer(response.id),
        })
    }

    /// After the flush: L2 has all that the SM stored.
    ///
    /// # Errors
    /// It lacks something.
    pub fn expect_no_traffic(&self) -> Result<(), WrongRequest> {
        let Some(traffic) = &self.traffic else { return Ok(()) };
        let kept = self.view.as_ref().and_then(|view| view.any_kept());
        let missing = kept.map_or(Ok(()), |line| Err(WrongRequest::missing(LowerKind::WriteBack, line)));
        missing.and(traffic.is_over())
    }
}
