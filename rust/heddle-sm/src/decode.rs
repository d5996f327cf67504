//! What the SM needs of an instruction in every cycle, prepared once a kernel.

use heddle_config::Preset;
use heddle_isa::{
    Executable, FenceLevel, Instr, IntervalId, Levels, Moment, Op, Pc, PredOperand, Space, TracedKind, Unit,
};
use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES};

use crate::data_use::Reads;
use crate::error::LaunchError;
use crate::scoreboard::Footprint;
use crate::units::{Units, Way};

/// What happens when the instruction issues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Branch {
        target: Pc,
        reconvergence: Option<Pc>,
    },
    Exit,
    Barrier {
        waits: bool,
    },
    /// The lanes of the warp meet.
    WarpSync,
    /// Everything before it is performed; `invalidates`: all global memory leaves the L1.
    Fence {
        invalidates: bool,
    },
    Nop,
    Compute,
    Memory,
}

/// One instruction, prepared.
#[derive(Debug, Clone, Copy)]
pub struct Decoded {
    pub kind: Kind,
    pub unit: Unit,
    /// Reads or writes registers.
    pub through_port: bool,
    /// Loads and atomics of global, local and generic memory with a destination.
    pub long: bool,
    pub footprint: Footprint,
    pub source: [u8; NUM_SOURCES],
    pub source_valid: u8,
    pub destination: [u8; NUM_DESTINATIONS],
    pub destinations: u8,
    pub dead: u8,
    pub reads: Reads,
    /// In a software-managed register hierarchy.
    pub levels: Levels,
    pub interval: Option<IntervalId>,
    /// Its pipeline and latency.
    pub way: Way,
    /// Its result depends on the warp's [`Moment`].
    pub reads_moment: bool,
}

impl Decoded {
    /// Destination slots in use, one bit a slot.
    pub fn destination_valid(&self) -> u8 {
        (1 << self.destinations) - 1
    }
}

/// Prepares all instructions of a program.
pub fn decode(executable: &Executable, preset: &Preset) -> Result<Vec<Decoded>, LaunchError> {
    let program = &executable.program;
    let error = |reason: String| LaunchError::Program { kernel: program.name.clone(), reason };
    if !program.allocated {
        return Err(error("its registers are not allocated".to_owned()));
    }
    if program.num_preds > 256 {
        return Err(error(format!("it has {} predicates; the scoreboard holds 256", program.num_preds)));
    }
    if program.num_regs > 255 {
        return Err(error(format!("it has {} registers; a thread can have 255", program.num_regs)));
    }
    if program.instrs.is_empty() {
        return Err(error("it has no instructions".to_owned()));
    }
    if executable.dead_sources.len() != program.instrs.len() {
        return Err(error("the dead-operand bits do not cover its instructions".to_owned()));
    }
    if executable.levels.as_ref().is_some_and(|levels| levels.len() != program.instrs.len()) {
        return Err(error("the levels of the register hierarchy do not cover its instructions".to_owned()));
    }
    if let Some(intervals) = &executable.intervals {
        let covered = intervals.of_pc.len() == program.instrs.len();
        let known = intervals.of_pc.iter().all(|id| usize::from(id.0) < intervals.intervals.len());
        if !covered || !known {
            return Err(error("the register-intervals do not cover its instructions".to_owned()));
        }
        let limit = preset.register_file.registers_per_interval;
        if let Some(large) = intervals.intervals.iter().find(|i| i.working_set.count_ones() > limit as usize)
        {
            let size = large.working_set.count_ones();
            let id = large.id.0;
            return Err(error(format!(
                "register-interval {id} has {size} registers; register_file.registers_per_interval is {limit}"
            )));
        }
    }
    program.instrs.iter().enumerate().map(|(pc, instr)| one(pc, instr, executable, preset, &error)).collect()
}

fn one(
    pc: usize,
    instr: &Instr,
    executable: &Executable,
    preset: &Preset,
    error: &impl Fn(String) -> LaunchError,
) -> Result<Decoded, LaunchError> {
    let program = &executable.program;
    let at = |what: String| {
        let (place, text) = (program.source.spelt(instr.loc), program.source_line(Pc(pc as u32)));
        error(format!("{what} at {place}: `{text}` (pc {pc})"))
    };
    let source_regs: Vec<_> = instr.source_regs().into_iter().collect();
    if source_regs.len() > NUM_SOURCES || instr.dsts.len() > NUM_DESTINATIONS {
        return Err(at("more register operands than the port has slots".to_owned()));
    }
    let mut d = Decoded {
        kind: kind_of(instr, preset),
        unit: instr.unit(),
        through_port: instr.uses_registers(),
        long: is_long(instr) && !instr.dsts.is_empty(),
        footprint: Footprint::default(),
        source: [0; NUM_SOURCES],
        source_valid: ((1u32 << source_regs.len()) - 1) as u8,
        destination: [0; NUM_DESTINATIONS],
        destinations: instr.dsts.len() as u8,
        dead: executable.dead_sources[pc],
        reads: Reads::default(),
        levels: executable.levels.as_ref().map_or_else(Levels::default, |levels| levels[pc]),
        interval: executable.intervals.as_ref().map(|i| i.of_pc[pc]),
        way: Units::way(instr.unit(), preset),
        reads_moment: Moment::is_read_by(&instr.op),
    };
    if let Op::Traced(traced) = &instr.op
        && !matches!(traced.kind, TracedKind::Compute(_) | TracedKind::Memory { .. })
        && d.through_port
    {
        return Err(at("a control instruction with registers; in a trace it must compute".to_owned()));
    }
    let register = |r: heddle_port::Reg| {
        u8::try_from(r.0)
            .ok()
            .filter(|&n| u32::from(n) < program.num_regs)
            .ok_or_else(|| at(format!("register {r} of {} registers", program.num_regs)))
    };
    for (slot, &r) in source_regs.iter().enumerate() {
        d.source[slot] = register(r)?;
        d.footprint.reads.insert(r.index());
    }
    d.reads = Reads::new(d.source, d.source_valid, d.dead);
    for (slot, &r) in instr.dsts.iter().enumerate() {
        d.destination[slot] = register(r)?;
        d.footprint.writes.insert(r.index());
    }
    let predicate = |p: heddle_isa::Pred| {
        if p.0 < program.num_preds {
            Ok(usize::from(p.0))
        } else {
            Err(at(format!("predicate {p} of {} predicates", program.num_preds)))
        }
    };
    if let Some(guard) = &instr.guard {
        d.footprint.pred_reads.insert(predicate(guard.pred)?);
    }
    for operand in &instr.pred_srcs {
        if let PredOperand::Reg { pred, .. } = *operand {
            d.footprint.pred_reads.insert(predicate(pred)?);
            d.footprint.pred_held.insert(predicate(pred)?);
        }
    }
    for &pred in &instr.pred_dsts {
        d.footprint.pred_writes.insert(predicate(pred)?);
    }
    Ok(d)
}

fn kind_of(instr: &Instr, preset: &Preset) -> Kind {
    match instr.op {
        Op::Bra { target, reconvergence } => Kind::Branch { target, reconvergence },
        Op::Exit => Kind::Exit,
        Op::Traced(ref traced) => match traced.kind {
            TracedKind::Compute(_) => Kind::Compute,
            TracedKind::Memory { .. } => Kind::Memory,
            TracedKind::Control => Kind::Nop,
            TracedKind::Barrier { .. } => Kind::Barrier { waits: true },
            // In machine code the instruction that drops the lines is one of its own.
            TracedKind::Fence(_) => Kind::Fence { invalidates: false },
        },
        Op::Nop => Kind::Nop,
        Op::Bar { kind } => Kind::Barrier { waits: kind.waits() },
        Op::WarpSync => Kind::WarpSync,
        Op::Fence { level } => {
            Kind::Fence { invalidates: level != FenceLevel::Cta && preset.l1d.fence_invalidates }
        }
        _ if instr.memory_space().is_some() => Kind::Memory,
        _ => Kind::Compute,
    }
}

fn is_long(instr: &Instr) -> bool {
    matches!(instr.memory_space(), Some(Space::Global | Space::Local | Space::Generic))
}
