//! From the operand slots to the units and the load-store unit.

use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, LaneData, NUM_SOURCES, RegIn, RegOut, Tag, WarpSlot};

use super::Sm;
use crate::decode::Kind;
use crate::error::SmError;
use crate::mix::mix;
use crate::observer::{Observer, OperandsEvent, PredicateEvent};
use crate::registers::OperandSource;

impl<P: FirstLevelPort> Sm<P> {
    /// Takes the instructions of all operand slots, unless the preset has the units refuse some: each has a place in its unit
    /// since it issued.
    pub(super) fn take_operands<D: OperandSource, O: Observer>(
        &mut self,
        out: &RegOut,
        operands: &D,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        for slot in 0..self.issue_slots {
            if !out.operands[slot].valid || self.refuses(slot) {
                continue;
            }
            let tag = out.operands[slot].tag;
            if !self.slab.collected(tag) {
                return Err(
                    self.protocol(tag, format!("operands of T{tag} came out, which are not being collected"))
                );
            }
            let entry = self.slab.get(tag);
            let w = entry.warp();
            let d = self.kernel.issued(entry.pc());
            input.operands_ready[slot] = true;
            let sources = operands.operand(slot);
            let event = OperandsEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                slot: WarpSlot(w as u8),
                pc: entry.pc(),
                exec: entry.exec(),
                source_valid: d.source_valid,
                sources,
            };
            let result = observer.operands(&event);
            self.stop(result)?;
            let way = (d.kind, d.way.latency);
            self.dependences.collected(w, d);
            self.hang.moves(self.cycle);
            self.execute(tag, way, sources, observer)?;
        }
        Ok(())
    }

    /// Whether the units leave what an operand slot offers in this cycle, `sm.operands_refused` eighths of the time.
    fn refuses(&self, slot: usize) -> bool {
        let refused = u64::from(self.preset.sm.operands_refused);
        refused > 0 && mix([self.cycle as u32, (self.cycle >> 32) as u32, slot as u32]) % 8 < refused
    }

    /// An instruction has its operands: it goes to the load-store unit, to its barrier, or to its unit, from
    /// which its results leave `latency` cycles after it begins.
    pub(super) fn execute<O: Observer>(
        &mut self,
        tag: u16,
        (kind, latency): (Kind, u32),
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        match kind {
            Kind::Memory => self.begin_access(tag, sources),
            Kind::Barrier { .. } => self.arrive(tag, sources, observer),
            _ => {
                self.evaluate(tag, sources, observer)?;
                let queue = self.slab.leave_queue(tag);
                self.units.execute(tag, queue, latency, self.cycle);
                Ok(())
            }
        }
    }

    /// The values of an instruction's results; its predicates are written.
    pub(super) fn evaluate<O: Observer>(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get_mut(tag);
        let (w, pc, exec, moment) = (entry.warp(), entry.pc(), entry.exec(), entry.moment());
        let instr = self.kernel.instr(pc);
        if let Err(error) = self.warps[w].execute(instr, sources, exec, moment, entry.out_mut()) {
            return Err(self.execution(w, pc, error.to_string()));
        }
        if !instr.pred_dsts.is_empty() {
            let event = PredicateEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                pc,
                exec,
                predicates: &instr.pred_dsts,
                values: &entry.out().preds[..instr.pred_dsts.len()],
            };
            let result = observer.predicates(&event);
            self.stop(result)?;
        }
        Ok(())
    }
}
