//! Many SMs, whose L1s hold lines of global memory.

use heddle_isa::{Op, Pc};

use super::Golden;
use crate::error::{GoldenError, OrderRule};
use crate::l1_views::{L1Views, LineChanges};

impl Golden {
    /// The same machine on `sms` SMs, whose L1s hold lines of global memory: loads find what those hold. `fences_drop`: a fence
    /// of GPU or system scope drops all of them, and a strong load its line. A fence passes only when all that its warp accessed
    /// before is performed. Before the first CTA starts.
    #[must_use]
    pub fn with_l1s(mut self, sms: usize, fences_drop: bool) -> Self {
        self.l1_views = Some(L1Views::new(sms, fences_drop));
        self
    }

    /// What happened to the lines of the L1 of SM `sm`, before the access that is performed there next.
    pub fn lines_changed(&mut self, sm: usize, changes: LineChanges<'_>) {
        if let Some(views) = &mut self.l1_views {
            views.change(sm, changes, &self.memory);
        }
    }

    /// On many SMs a fence at `pc`, of a warp of the CTA in place `slot`, waits for what the warp accessed before.
    pub(super) fn fence_waits(&self, slot: usize, warp: u32, pc: Pc) -> Result<(), GoldenError> {
        let instr = self.l1_views.as_ref().and_then(|_| self.env.program.instrs.get(pc.index()));
        if !instr.is_some_and(|instr| matches!(instr.op, Op::Fence { .. })) {
            return Ok(());
        }
        let cta = &self.ctas[slot];
        match cta.open.iter().find(|access| access.warp == warp) {
            None => Ok(()),
            Some(earlier) => Err(GoldenError::Order {
                at: self.env.site(cta.number, warp, None, pc),
                earlier: self.env.site(cta.number, earlier.warp, None, earlier.pc),
                rule: OrderRule::Waits,
            }),
        }
    }
}
