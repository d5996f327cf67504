//! The effect of one instruction on what is known.

use heddle_isa::{Alu, Cmp, Instr, Op, Operand, PredOperand, Space, Type};
use heddle_port::Reg;

use super::facts::{Facts, Location, Place};
use super::locations::words;
use super::{CheckFault, Checker};

type Step = Result<(), CheckFault>;

impl Checker<'_> {
    /// The effect of a virtual instruction that has no counterpart: a copy between places that share
    /// a register, or a result that nobody needs.
    pub(super) fn deleted(&self, instr: &Instr, facts: &mut Facts) -> Step {
        if let Some(copies) = copied(instr) {
            facts.copy_places(&copies);
            return Ok(());
        }
        let pure = match instr.op {
            Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
            Op::Alu { .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Testp { .. }
            | Op::Selp { .. }
            | Op::Pred { .. } => true,
            _ => false,
        };
        if !pure {
            return Err(CheckFault::Missing);
        }
        for place in self.locations.written_places(instr) {
            facts.forget(place);
        }
        self.note_constant(instr, facts);
        Ok(())
    }

    /// An instruction that the allocator added: it must be one of a few that only move values.
    pub(super) fn inserted(&self, instr: &Instr, facts: &mut Facts) -> Step {
        if instr.guard.is_some() {
            return Err(CheckFault::Inserted);
        }
        let moves = match (&instr.op, instr.srcs.as_slice(), instr.pred_srcs.as_slice()) {
            (Op::Ld { space: Space::Local, ty, vector: 1, .. }, [Operand::Imm(address)], []) => {
                let moves = instr.dsts.iter().zip(0..);
                let moves =
                    moves.map(|(d, word)| Ok((self.locations.reg(*d)?, self.spill(instr, *address, word)?)));
                full_words(*ty, instr.dsts.len())?;
                moves.collect::<Result<Vec<_>, CheckFault>>()?
            }
            (Op::St { space: Space::Local, ty, vector: 1, .. }, [Operand::Imm(address), source], []) => {
                let registers = words(source);
                full_words(*ty, registers.len())?;
                let moves = registers.iter().zip(0..);
                let moves =
                    moves.map(|(r, word)| Ok((self.spill(instr, *address, word)?, self.locations.reg(*r)?)));
                moves.collect::<Result<Vec<_>, CheckFault>>()?
            }
            // A register holds a predicate as 1 or 0.
            (
                Op::Selp { ty: Type::B32 },
                [Operand::Imm(1), Operand::Imm(0)],
                [PredOperand::Reg { pred, negated: false }],
            ) if instr.dsts.len() == 1 && instr.offset == 0 => {
                vec![(self.locations.reg(instr.dsts[0])?, self.locations.pred(pred.0)?)]
            }
            (
                Op::Setp { cmp: Cmp::Ne, ty: Type::U32, combine: None, .. },
                [Operand::Reg(home), Operand::Imm(0)],
                [],
            ) if instr.pred_dsts.len() == 1 && instr.offset == 0 => {
                let from = self.locations.reg(*home)?;
                let mut places = facts.places(from);
                places.retain(|&place| self.locations.is_pred(place));
                facts.set(self.locations.pred(instr.pred_dsts[0].0)?, &places);
                return Ok(());
            }
            _ => return self.recomputed(instr, facts),
        };
        let places: Vec<Vec<Place>> = moves.iter().map(|&(_, from)| facts.places(from)).collect();
        for ((to, _), places) in moves.into_iter().zip(places) {
            facts.set(to, &places);
        }
        Ok(())
    }

    fn spill(&self, instr: &Instr, address: u64, word: u32) -> Result<Location, CheckFault> {
        self.locations.spill(instr, address, word)
    }

    /// An instruction that reads no register gives what the same virtual instruction gave.
    fn recomputed(&self, instr: &Instr, facts: &mut Facts) -> Step {
        let from = self.constants.location(instr).ok_or(CheckFault::Inserted)?;
        let to = self.locations.written(instr)?;
        for (to, from) in to.into_iter().zip(from..) {
            let places = facts.places(from);
            facts.set(to, &places);
        }
        Ok(())
    }

    /// Notes which virtual registers now have the value of a constant.
    fn note_constant(&self, instr: &Instr, facts: &mut Facts) {
        if let Some(first) = self.constants.location(instr) {
            for (d, location) in instr.dsts.iter().zip(first..) {
                facts.add(location, d.0);
            }
        }
    }

    /// The virtual instruction with other names. `reads` counts the reads that are proved; without it
    /// they are taken for right.
    pub(super) fn renamed(
        &self,
        original: &Instr,
        allocated: &Instr,
        facts: &mut Facts,
        reads: Option<&mut usize>,
    ) -> Step {
        self.same_shape(original, allocated)?;
        let read = self.locations.reads(original, allocated)?;
        if let Some(count) = reads {
            if let Some(&(location, place)) = read.iter().find(|&&(l, p)| !facts.holds(l, p)) {
                return Err(CheckFault::WrongValue {
                    place: self.locations.location_name(location),
                    wanted: self.locations.place_name(place),
                });
            }
            *count += read.len();
        }
        let places = self.locations.written_places(original);
        let locations = self.locations.written(allocated)?;
        if let Some(copies) = copied(original) {
            // The new register holds what the old one held, and its new name.
            let sources = allocated.srcs.iter().flat_map(words);
            let sources = sources.map(|r| self.locations.reg(r)).collect::<Result<Vec<_>, _>>()?;
            let held: Vec<Vec<Place>> = sources.iter().map(|&from| facts.places(from)).collect();
            facts.copy_places(&copies);
            let overwritten: Vec<Place> = copies.iter().filter(|(d, s)| d != s).map(|c| c.0).collect();
            for ((location, (to, _)), mut places) in locations.into_iter().zip(copies).zip(held) {
                places.retain(|place| !overwritten.contains(place));
                places.push(to);
                facts.set(location, &places);
            }
            return Ok(());
        }
        // Lanes where the guard fails keep what was there before.
        let keeps = |(l, p): (&Location, &Place)| original.guard.is_none() || facts.holds(*l, *p);
        let whole: Vec<bool> = locations.iter().zip(&places).map(keeps).collect();
        for &place in &places {
            facts.forget(place);
        }
        for ((location, place), whole) in locations.into_iter().zip(places).zip(whole) {
            facts.clear(location);
            if whole {
                facts.add(location, place);
            }
        }
        self.note_constant(original, facts);
        Ok(())
    }

    fn same_shape(&self, original: &Instr, allocated: &Instr) -> Step {
        let differs = |what| Err(CheckFault::Differs { what });
        match (&original.op, &allocated.op) {
            (Op::Bra { target: from, .. }, Op::Bra { target: to, .. }) => {
                if self.starts.get(from.index()) != Some(&to.index()) {
                    return differs("branch target");
                }
            }
            (a, b) if a == b => {}
            _ => return differs("operation"),
        }
        let negation = |i: &Instr| i.guard.map(|g| g.negated);
        if negation(original) != negation(allocated) {
            return differs("guard");
        }
        if original.offset != allocated.offset {
            return differs("offset");
        }
        if original.dsts.len() != allocated.dsts.len()
            || original.pred_dsts.len() != allocated.pred_dsts.len()
            || original.srcs.len() != allocated.srcs.len()
            || original.pred_srcs.len() != allocated.pred_srcs.len()
        {
            return differs("number of operands");
        }
        Ok(())
    }
}

/// A spill access moves whole registers.
fn full_words(ty: Type, registers: usize) -> Step {
    let fits = matches!(ty, Type::B32 | Type::B64) && ty.words() == registers;
    if fits { Ok(()) } else { Err(CheckFault::Inserted) }
}

/// Virtual places (destination, source) of an unguarded instruction that only copies register words:
/// a move, or a 64-bit value put together or taken apart.
fn copied(instr: &Instr) -> Option<Vec<(Place, Place)>> {
    let Op::Alu { op, ty, .. } = instr.op else {
        return None;
    };
    let sources: Vec<Reg> = match (op, instr.srcs.as_slice()) {
        (Alu::Mov, [source]) => words(source).to_vec(),
        (Alu::Unpack, [Operand::Pair(_)]) if ty.bits() == 64 => words(&instr.srcs[0]).to_vec(),
        (Alu::Pack, [Operand::Reg(low), Operand::Reg(high)]) if ty.bits() == 64 => vec![*low, *high],
        _ => return None,
    };
    let all = instr.guard.is_none() && !sources.is_empty() && sources.len() == instr.dsts.len();
    all.then(|| instr.dsts.iter().map(|d| d.0).zip(sources.iter().map(|s| s.0)).collect())
}
