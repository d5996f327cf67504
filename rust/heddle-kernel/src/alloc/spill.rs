//! Values that get no register: kept in local memory, or computed again where they are read.

use heddle_isa::{Alu, CacheOp, Instr, Loc, Op, Operand, Space, Type};
use heddle_port::Reg;
use smallvec::SmallVec;

use super::AllocError;
use super::graph::Graph;
use super::rewrite::{Placed, Work};
use super::units::{Unit, UnitId};
use crate::liveness::{Place, for_each_def, for_each_use};

/// How a spilled unit comes back.
enum Home {
    /// From local memory at this address.
    Slot(u32),
    /// By this instruction, which reads no register.
    Again(Instr),
}

/// Spills the units that got no colour; a unit that a spill made is replaced by the cheapest of its
/// neighbours.
pub(super) fn spill(
    work: &mut Work,
    graph: &Graph,
    uncolored: &[UnitId],
    max: u32,
) -> Result<(), AllocError> {
    let mut chosen: Vec<UnitId> = Vec::new();
    for &unit in uncolored {
        let victim = if graph.cost[unit].is_finite() { Some(unit) } else { cheapest_neighbour(graph, unit) };
        match victim {
            Some(unit) if !chosen.contains(&unit) => chosen.push(unit),
            Some(_) => {}
            None => return Err(too_few(work, graph, unit, max)),
        }
    }
    for unit in chosen {
        spill_unit(work, graph.units.list[unit]);
    }
    Ok(())
}

fn cheapest_neighbour(graph: &Graph, unit: UnitId) -> Option<UnitId> {
    graph.neighbours[unit].iter().copied().filter(|&m| graph.cost[m].is_finite()).min_by(|&a, &b| {
        let ratio = |m: UnitId| graph.cost[m] / graph.neighbours[m].len().max(1) as f32;
        ratio(a).total_cmp(&ratio(b))
    })
}

fn too_few(work: &Work, graph: &Graph, unit: UnitId, max: u32) -> AllocError {
    let loc = work
        .program
        .instrs
        .iter()
        .find(|instr| {
            let mut found = false;
            for_each_use(instr, |p| found |= graph.units.of(p) == unit);
            for_each_def(instr, |p| found |= graph.units.of(p) == unit);
            found
        })
        .map_or(Loc::default(), |instr| instr.loc);
    AllocError::TooFew { kernel: work.program.name.clone(), max_registers: max, loc }
}

/// The words of a unit.
fn words(unit: Unit) -> SmallVec<[Reg; 2]> {
    match unit {
        Unit::Single(r) => smallvec::smallvec![r],
        Unit::Pair(r) => smallvec::smallvec![r, Reg(r.0 + 1)],
        Unit::Pred(_) => SmallVec::new(),
    }
}

/// The single instruction that computes the unit from nothing, if there is one.
fn recomputable(work: &Work, unit: &[Reg]) -> Option<Instr> {
    let mut writers = work.program.instrs.iter().filter(|i| i.dsts.iter().any(|d| unit.contains(d)));
    let writer = writers.next()?;
    let from_nothing = match writer.op {
        Op::Alu { op: Alu::Mov, .. } => true,
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => false,
    } && writer.srcs.iter().all(|s| matches!(s, Operand::Imm(_) | Operand::Special(_)));
    let whole = writer.dsts.as_slice() == unit;
    (from_nothing && whole && writer.guard.is_none() && writers.next().is_none()).then(|| writer.clone())
}

fn spill_unit(work: &mut Work, unit: Unit) {
    let old = words(unit);
    if old.is_empty() {
        return;
    }
    let home = match recomputable(work, &old) {
        Some(instr) => Home::Again(instr),
        None => {
            let size = unit.width() * 4;
            let slot = work.program.local_bytes.next_multiple_of(size);
            work.program.local_bytes = slot + size;
            Home::Slot(slot)
        }
    };
    let instrs = std::mem::take(&mut work.program.instrs);
    let mut groups = Vec::with_capacity(instrs.len());
    for instr in &instrs {
        groups.push(spilled(work, instr, &old, &home));
    }
    work.program.instrs = instrs;
    work.replace(groups);
}

/// What becomes of one instruction when the registers `old` live at `home`.
fn spilled(work: &mut Work, instr: &Instr, old: &[Reg], home: &Home) -> SmallVec<[Placed; 1]> {
    let mut group = SmallVec::new();
    let (mut reads, mut writes) = (false, 0);
    for_each_use(instr, |p| reads |= matches!(p, Place::Reg(r) if old.contains(&r)));
    for_each_def(instr, |p| writes += usize::from(matches!(p, Place::Reg(r) if old.contains(&r))));
    if writes > 0 && matches!(home, Home::Again(_)) {
        return group;
    }
    let mut instr = instr.clone();
    if reads {
        let temporary = temporary(work, old);
        group.push((reload(home, &temporary, instr.loc), true));
        for source in &mut instr.srcs {
            if let Operand::Reg(r) | Operand::Pair(r) = source {
                *r = substitute(*r, old, &temporary);
            }
        }
    }
    let Home::Slot(slot) = *home else {
        group.push((instr, false));
        return group;
    };
    if writes == 0 {
        group.push((instr, false));
        return group;
    }
    let temporary = temporary(work, old);
    // Lanes where the guard fails, and words that are not written, keep the old value.
    if instr.guard.is_some() || writes < old.len() {
        group.push((reload(home, &temporary, instr.loc), true));
    }
    for r in &mut instr.dsts {
        *r = substitute(*r, old, &temporary);
    }
    let loc = instr.loc;
    group.push((instr, false));
    let (ty, source) = match temporary[..] {
        [r] => (Type::B32, Operand::Reg(r)),
        _ => (Type::B64, Operand::Pair(temporary[0])),
    };
    let mut store = Instr::new(Op::St { space: Space::Local, ty, vector: 1, cache: CacheOp::Ca }, loc);
    store.srcs.push(Operand::Imm(u64::from(slot)));
    store.srcs.push(source);
    group.push((store, true));
    group
}

fn temporary(work: &mut Work, old: &[Reg]) -> SmallVec<[Reg; 2]> {
    let width = if old.len() == 2 { 2 } else { 1 };
    let first = work.fresh(width);
    let all: SmallVec<[Reg; 2]> = (0..width).map(|w| Reg(first.0 + w)).collect();
    work.temporaries.extend(all.iter().copied());
    all
}

fn substitute(r: Reg, old: &[Reg], new: &[Reg]) -> Reg {
    old.iter().position(|&o| o == r).map_or(r, |word| new[word])
}

fn reload(home: &Home, into: &[Reg], loc: Loc) -> Instr {
    let mut instr = match home {
        Home::Again(instr) => {
            let mut instr = instr.clone();
            instr.dsts.clear();
            instr.loc = loc;
            instr
        }
        Home::Slot(slot) => {
            let ty = if into.len() == 2 { Type::B64 } else { Type::B32 };
            let op = Op::Ld { space: Space::Local, ty, vector: 1, cache: CacheOp::Ca };
            let mut instr = Instr::new(op, loc);
            instr.srcs.push(Operand::Imm(u64::from(*slot)));
            instr
        }
    };
    instr.dsts.extend(into.iter().copied());
    instr
}
