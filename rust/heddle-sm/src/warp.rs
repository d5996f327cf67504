//! The warp in a slot: where it stands in the program, and what its lanes hold beside registers.

use std::sync::Arc;

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::{
    BarrierFault, BarrierKind, BarrierRequest, BarrierTally, ExecError, Instr, Lanes, Moment, Op, Outputs,
    Pc, RecordedWarp, SimtStack, TracedKind, WarpContext, barrier_request, execute, guard_mask, tag_value,
};
use heddle_port::{LaneData, LaneMask, NUM_SOURCES};

use crate::decode::Decoded;
use crate::flow::{Flow, Record};
use crate::kernel::Kernel;

/// The warp in a slot; meaningless while the slot is empty.
#[derive(Debug, Clone)]
pub struct Warp {
    cta: u64,
    cta_slot: u8,
    warp_in_cta: u32,
    context: WarpContext,
    flow: Flow,
    preds: Vec<u32>,
    /// What the next instruction that reads it will see.
    moment: Moment,
}

impl Warp {
    /// An empty slot, for warps of `kernel`.
    pub fn new(kernel: &Kernel) -> Self {
        Self {
            cta: 0,
            cta_slot: 0,
            warp_in_cta: 0,
            context: kernel.context(0, 0),
            flow: Flow::ended(),
            preds: vec![0; usize::from(kernel.program().num_preds)],
            moment: Moment::default(),
        }
    }

    /// Warp `warp_in_cta` of the CTA in slot `cta_slot` starts, with its record if the program comes from a
    /// trace.
    pub fn start(
        &mut self,
        kernel: &Kernel,
        (cta, cta_slot): (u64, usize),
        warp_in_cta: u32,
        recorded: Option<&Arc<RecordedWarp>>,
    ) {
        self.cta = cta;
        self.cta_slot = cta_slot as u8;
        self.warp_in_cta = warp_in_cta;
        self.context = kernel.context(cta, warp_in_cta);
        self.flow = match recorded {
            Some(record) => {
                Flow::Recorded(Record::new(Arc::clone(record), kernel.program().num_regs as usize))
            }
            None => Flow::Executed(SimtStack::new(self.context.lanes())),
        };
        self.preds.fill(0);
        self.moment = Moment::default();
    }

    /// Number of its CTA in the grid.
    #[inline]
    pub fn cta(&self) -> u64 {
        self.cta
    }

    #[inline]
    pub fn cta_slot(&self) -> u8 {
        self.cta_slot
    }

    #[inline]
    pub fn warp_in_cta(&self) -> u32 {
        self.warp_in_cta
    }

    /// A number that rises with the CTA, and in the CTA with the warp: an SM has 64 warp slots at most, and a CTA no more.
    #[inline]
    pub fn place_in_grid(&self) -> u64 {
        self.cta << 6 | u64::from(self.warp_in_cta)
    }

    #[inline]
    pub fn context(&self) -> &WarpContext {
        &self.context
    }

    /// Where it stands.
    #[inline]
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Its next instruction; 0 when it is done.
    #[inline]
    pub fn pc(&self) -> Pc {
        self.flow.pc()
    }

    /// Its next instruction; none when it is done.
    pub fn stands_at(&self) -> Option<Pc> {
        (!self.flow.is_done()).then(|| self.flow.pc())
    }

    /// The lanes that are active, and those of them that execute `instr`, its next instruction.
    #[inline]
    pub fn lanes(&self, instr: &Instr) -> [LaneMask; 2] {
        let active = self.flow.mask();
        [active, guard_mask(instr, &self.preds, active)]
    }

    /// Goes on behind its instruction.
    #[inline]
    pub fn advance(&mut self) {
        self.flow.advance();
    }

    /// The lanes `taken` go to `target`.
    pub fn branch(&mut self, taken: LaneMask, target: Pc, reconvergence: Option<Pc>) {
        self.flow.branch(taken, target, reconvergence);
    }

    /// Lanes end.
    pub fn exit(&mut self, lanes: LaneMask) {
        self.flow.exit(lanes);
    }

    /// What `instr`, which issues, sees of the warp when it executes.
    pub fn moment_of(&mut self, instr: &Instr) -> Moment {
        self.moment.live = self.flow.live();
        self.moment.clock += u64::from(instr.op == Op::Clock);
        self.moment
    }

    /// The barrier at which it waited has opened.
    pub fn passes_barrier(&mut self, tally: BarrierTally) {
        self.moment.barrier = tally;
    }

    /// Executes `instr` in the lanes `exec`; its predicates are written.
    ///
    /// # Errors
    /// The lanes ask for what cannot be computed.
    pub fn execute(
        &mut self,
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        exec: LaneMask,
        moment: Option<Moment>,
        out: &mut Outputs,
    ) -> Result<(), ExecError> {
        if let Some(moment) = moment {
            self.context.moment = moment;
        }
        if !exec.is_empty() && !matches!(instr.op, Op::Traced(_)) {
            execute(instr, sources, &self.preds, &self.context, exec, out)?;
        }
        for (&pred, &value) in instr.pred_dsts.iter().zip(&out.preds) {
            let lanes = &mut self.preds[usize::from(pred.0)];
            *lanes = (*lanes & !exec.0) | (value & exec.0);
        }
        Ok(())
    }

    /// What the barrier `instr` asks for.
    ///
    /// # Errors
    /// Lanes are missing, or the operands name no barrier.
    pub fn barrier_request(
        &self,
        instr: &Instr,
        sources: &[LaneData; NUM_SOURCES],
        exec: LaneMask,
    ) -> Result<BarrierRequest, ExecError> {
        if let Op::Traced(traced) = &instr.op
            && let TracedKind::Barrier { id } = traced.kind
        {
            if usize::from(id) >= NUM_BARRIERS {
                return Err(BarrierFault::Number { number: id.into() }.into());
            }
            let kind = BarrierKind::Sync;
            return Ok(BarrierRequest { kind, id, warps: None, holding: LaneMask::NONE });
        }
        let missing = self.flow.live() & !exec;
        if !missing.is_empty() {
            return Err(BarrierFault::Divergent { arrived: exec, missing }.into());
        }
        barrier_request(instr, sources, &self.preds, &self.context, exec)
    }

    /// A recorded instruction issues: its results are tags. Its addresses; `None` for an executed one.
    #[inline]
    pub fn replay(&mut self, d: &Decoded, out: &mut Outputs) -> Option<&Lanes> {
        let Flow::Recorded(record) = &mut self.flow else { return None };
        for slot in 0..usize::from(d.destinations) {
            let register = d.destination[slot];
            let version = record.new_version(register);
            out.values[slot] = std::array::from_fn(|lane| {
                tag_value(self.cta, self.warp_in_cta, u32::from(register), version, lane)
            });
        }
        record.addresses()
    }
}
