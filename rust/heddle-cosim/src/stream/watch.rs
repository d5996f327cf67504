//! Sees what the CTAs of the other SMs write.

use std::sync::Arc;

use heddle_functional::{AccessKind, Expected, Halt, Watch};
use heddle_isa::{AccessError, DeviceMemory, Op, Program};

use super::written::Written;

/// The CTAs of a launch that are executed on the golden machine.
#[derive(Debug)]
pub struct OthersWatch {
    program: Arc<Program>,
    pub(super) written: Written,
    started: u64,
    running: u32,
    /// Two were running at once.
    pub(super) beside: bool,
}

impl OthersWatch {
    /// CTAs of `program`, none of which has started.
    pub fn new(program: Arc<Program>) -> Self {
        Self { program, written: Written::default(), started: 0, running: 0, beside: false }
    }

    /// Whether their order may depend on how many are resident at once, which were `residency`. The golden machine
    /// starts a CTA while another runs only where that one waits or goes on for long, and where there is room.
    pub fn took_turns(&self, residency: u32) -> bool {
        self.beside || (residency <= 1 && self.started > 1)
    }

    /// What they left in `memory`.
    ///
    /// # Errors
    /// As [`Written::contents`].
    pub fn contents(&self, memory: &DeviceMemory) -> Result<Vec<u8>, AccessError> {
        self.written.contents(memory)
    }
}

impl Watch for OthersWatch {
    fn started(&mut self, _cta: u64) -> Result<(), Halt> {
        self.started += 1;
        self.running += 1;
        self.beside |= self.running > 1;
        Ok(())
    }

    #[inline]
    fn performed(&mut self, access: &Expected) -> Result<(), Halt> {
        let bytes = match self.program.instrs.get(access.pc.index()).map(|instr| &instr.op) {
            Some(Op::St { ty, vector, .. }) => ty.bytes() * u32::from(*vector),
            Some(Op::Atom { ty, .. }) => ty.bytes(),
            _ => return Ok(()),
        };
        debug_assert!(matches!(access.kind, AccessKind::Store | AccessKind::Atomic));
        self.written.mark(access.exec & access.spaces.global, &access.addresses, bytes);
        Ok(())
    }

    fn ended(&mut self, _cta: u64) -> Result<(), Halt> {
        self.running -= 1;
        Ok(())
    }
}
