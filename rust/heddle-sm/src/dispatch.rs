//! From the operand slots to the units: execution.

use heddle_isa::{Op, execute};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, LaneData, LaneMask, NUM_SOURCES, RegIn, RegOut, Tag, WarpSlot};

use crate::decode::{Decoded, Kind};
use crate::error::SmError;
use crate::inflight::Stage;
use crate::observer::{Observer, OperandsEvent, PredicateEvent};
use crate::registers::OperandSource;
use crate::sm::Sm;

impl<P: FirstLevelPort> Sm<P> {
    /// Takes the instructions of all operand slots: each has a place in its unit since it issued.
    pub(crate) fn operand_stage<D: OperandSource, O: Observer>(
        &mut self,
        out: &RegOut,
        operands: &D,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        for slot in 0..self.issue_slots {
            if !out.operands[slot].valid {
                continue;
            }
            let tag = out.operands[slot].tag;
            let entry = self.slab.get(tag);
            if entry.stage != Stage::Collecting {
                return Err(
                    self.protocol(tag, format!("operands of T{tag} came out, which are not being collected"))
                );
            }
            let (w, pc, exec) = (usize::from(entry.warp), entry.pc, LaneMask(entry.exec));
            let d = *self.kernel.issued(pc);
            input.operands_ready[slot] = true;
            self.slab.get_mut(tag).stage = Stage::Executing;
            let sources = operands.operand(slot);
            let event = OperandsEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                slot: WarpSlot(w as u8),
                pc,
                exec,
                source_valid: d.source_valid,
                sources,
            };
            let result = observer.operands(&event);
            self.stop(result)?;
            self.dependences.collected(w, &d);
            self.progress();
            match d.kind {
                Kind::Memory => self.begin_access(tag, sources)?,
                Kind::Barrier { .. } => self.arrive(tag, sources, observer)?,
                _ => self.compute(tag, &d, sources, observer)?,
            }
        }
        Ok(())
    }

    /// Executes an instruction; its results leave the pipeline after its latency.
    pub(crate) fn compute<O: Observer>(
        &mut self,
        tag: u16,
        d: &Decoded,
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        self.evaluate(tag, d, sources, observer)?;
        let queue = self.slab.get_mut(tag).queue.take();
        self.units.execute(tag, queue, d.way.latency, self.cycle);
        Ok(())
    }

    /// The values of an instruction's results; its predicates are written.
    pub(crate) fn evaluate<O: Observer>(
        &mut self,
        tag: u16,
        d: &Decoded,
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get_mut(tag);
        let (w, pc, exec) = (usize::from(entry.warp), entry.pc, entry.exec);
        let instr = self.kernel.instr(pc);
        let warp = &mut self.warps[w];
        if d.reads_moment {
            warp.context.moment = entry.moment;
        }
        if exec != 0
            && !matches!(instr.op, Op::Traced(_))
            && let Err(error) =
                execute(instr, sources, &warp.preds, &warp.context, LaneMask(exec), &mut entry.out)
        {
            let place = self.place(w, pc);
            return Err(SmError::Execution { cycle: self.cycle, place, reason: error.to_string() });
        }
        if !instr.pred_dsts.is_empty() {
            for (&pred, &value) in instr.pred_dsts.iter().zip(&entry.out.preds) {
                let lanes = &mut warp.preds[usize::from(pred.0)];
                *lanes = (*lanes & !exec) | (value & exec);
            }
            let event = PredicateEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                pc,
                exec: LaneMask(exec),
                predicates: &instr.pred_dsts,
                values: &entry.out.preds[..instr.pred_dsts.len()],
            };
            let result = observer.predicates(&event);
            self.stop(result)?;
        }
        Ok(())
    }
}
