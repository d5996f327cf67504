//! From the operand slots to the units: execution, latencies and initiation intervals.

use heddle_config::Pipeline;
use heddle_isa::{Op, Unit, execute};
use heddle_port::{
    Cycle, LaneData, LaneMask, MAX_PORT_WIDTH, MemoryPort, NUM_SOURCES, RegIn, RegOut, Tag, WarpSlot,
};

use crate::decode::{Decoded, Kind};
use crate::error::SmError;
use crate::inflight::Stage;
use crate::observer::{Observer, OperandsEvent, PredicateEvent};
use crate::registers::OperandSource;
use crate::sm::Sm;

/// When each unit takes its next instruction. There are as many ALU pipelines as schedulers, one for
/// special functions and double precision, and one for memory, which takes one instruction a cycle.
#[derive(Debug, Clone)]
pub struct Units {
    alu_free: Vec<u64>,
    alu_interval: u64,
    sfu_free: u64,
    sfu_interval: u64,
    memory_free: u64,
    /// By operand slot: cycle in which its instruction was first seen.
    seen: [u64; MAX_PORT_WIDTH],
}

impl Units {
    pub fn new(alus: usize, pipeline: &Pipeline) -> Self {
        Self {
            alu_free: vec![0; alus],
            alu_interval: u64::from(pipeline.alu_interval),
            sfu_free: 0,
            sfu_interval: u64::from(pipeline.sfu_interval),
            memory_free: 0,
            seen: [u64::MAX; MAX_PORT_WIDTH],
        }
    }

    /// The operand slots with an instruction, the one that waits longest first.
    fn by_age(&mut self, out: &RegOut, width: usize, cycle: u64) -> ([u8; MAX_PORT_WIDTH], usize) {
        let mut order = [0u8; MAX_PORT_WIDTH];
        let mut count = 0;
        for slot in 0..width {
            if !out.operands[slot].valid {
                continue;
            }
            self.seen[slot] = self.seen[slot].min(cycle);
            let mut at = count;
            while at > 0 && self.seen[usize::from(order[at - 1])] > self.seen[slot] {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = slot as u8;
            count += 1;
        }
        (order, count)
    }

    /// Takes a pipeline of the unit, if one is free.
    fn take(&mut self, unit: Unit, cycle: u64) -> bool {
        let (free, interval) = match unit {
            Unit::Sfu | Unit::Double => (Some(&mut self.sfu_free), self.sfu_interval),
            Unit::LoadStore => (Some(&mut self.memory_free), 1),
            _ => (self.alu_free.iter_mut().find(|f| **f <= cycle), self.alu_interval),
        };
        match free.filter(|f| **f <= cycle) {
            Some(free) => {
                *free = cycle + interval;
                true
            }
            None => false,
        }
    }
}

impl<P: MemoryPort> Sm<P> {
    /// Takes instructions from the operand slots whose unit has room, the one that waits longest first.
    pub(crate) fn operand_stage<D: OperandSource, O: Observer>(
        &mut self,
        out: &RegOut,
        operands: &D,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let (order, count) = self.units.by_age(out, self.widths.issue, self.cycle);
        for &slot in &order[..count] {
            let slot = usize::from(slot);
            let tag = out.operands[slot].tag;
            let entry = self.slab.get(tag);
            if entry.stage != Stage::Collecting {
                return Err(
                    self.protocol(format!("operands of T{tag} came out, which are not being collected"))
                );
            }
            let (w, pc, exec) = (usize::from(entry.warp), entry.pc, LaneMask(entry.exec));
            let d = self.decoded[pc.index()];
            let room = match d.kind {
                Kind::Memory => self.units.take(Unit::LoadStore, self.cycle),
                Kind::Barrier { .. } => true,
                _ => self.results.has_room(w) && self.units.take(d.unit, self.cycle),
            };
            if !room {
                self.statistics.dispatch_refusals += 1;
                continue;
            }
            input.operands_ready[slot] = true;
            self.units.seen[slot] = u64::MAX;
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
            let warp = &mut self.warps[w];
            warp.reads_outstanding -= 1;
            warp.board.collected(&d.footprint);
            self.wake(w);
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
        let entry = self.slab.get_mut(tag);
        let (w, pc, exec) = (usize::from(entry.warp), entry.pc, entry.exec);
        let instr = &self.program.instrs[pc.index()];
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
        self.wheel.schedule(self.cycle, d.latency, tag);
        Ok(())
    }
}
