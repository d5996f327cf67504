//! The walk over one block: what is in registers, what must leave, what must come back.

use smallvec::SmallVec;

use super::plan::{Action, Plan};
use super::{Held, Splitter};
use crate::alloc::live::{Accesses, LiveUnits, Step, steps};
use crate::alloc::units::UnitId;
use crate::cfg;

/// Registers, or predicates, and what they hold at a point of the walk.
struct Registers {
    /// Units in registers.
    list: Vec<UnitId>,
    inside: Vec<bool>,
    /// Units whose home holds their value.
    saved: Vec<bool>,
    width: u32,
}

impl Registers {
    fn insert(&mut self, splitter: &Splitter, unit: UnitId) {
        if !std::mem::replace(&mut self.inside[unit], true) {
            self.list.push(unit);
            self.width += splitter.units.list[unit].width();
        }
    }

    fn remove(&mut self, splitter: &Splitter, unit: UnitId) {
        if std::mem::replace(&mut self.inside[unit], false) {
            self.list.retain(|&u| u != unit);
            self.width -= splitter.units.list[unit].width();
        }
    }
}

/// Positions in the block of the reads of each unit, and the distance beyond its end.
struct Reads {
    /// (Unit, position), ascending.
    inside: Vec<(UnitId, u32)>,
    beyond: Vec<(UnitId, u32)>,
    len: u32,
}

impl Reads {
    /// Distance of the first read of `unit` at `position` or later.
    fn next(&self, unit: UnitId, position: u32) -> u32 {
        let at = self.inside.partition_point(|&read| read < (unit, position));
        match self.inside.get(at) {
            Some(&(u, read)) if u == unit => read - position,
            _ => {
                let beyond = self.beyond.binary_search_by_key(&unit, |&(u, _)| u);
                beyond.map_or(u32::MAX, |i| self.beyond[i].1.saturating_add(self.len - position))
            }
        }
    }
}

/// An instruction alone needs more than the limit.
pub(super) struct DoesNotFit {
    /// Its index.
    pub(super) instr: usize,
}

impl Splitter<'_> {
    /// Walks through block `b`, which begins with `entry`, and notes what is to be done in `plan`.
    pub(super) fn walk(&self, b: usize, entry: &Held, plan: &mut Plan) -> Result<Held, DoesNotFit> {
        let n = self.units.list.len();
        let mut registers =
            Registers { list: Vec::new(), inside: vec![false; n], saved: vec![false; n], width: 0 };
        for &unit in &entry.registers {
            registers.insert(self, unit);
        }
        for &unit in &entry.saved {
            registers.saved[unit] = true;
        }
        let block = &self.program.blocks[b];
        let mut live = LiveUnits::new(&self.units);
        live.set(&self.units, &self.liveness, self.liveness.live_in(b).iter_ones());
        let all: Vec<Accesses> =
            cfg::pcs(block).map(|pc| Accesses::of(&self.program.instrs[pc.index()], &self.units)).collect();
        let reads = self.reads(b, &all);
        let steps = steps(self.program, &self.liveness, b);
        for (position, ((pc, accesses), step)) in (0..).zip(cfg::pcs(block).zip(&all).zip(&steps)) {
            let i = pc.index();
            let at = Point { i, position, reads: &reads };
            self.instruction(&at, accesses, step, &mut live, &mut registers, plan)?;
        }
        let mut saved: Vec<_> = live.list().iter().copied().filter(|&u| registers.saved[u]).collect();
        saved.sort_unstable();
        registers.list.sort_unstable();
        Ok(Held { registers: registers.list, saved })
    }

    fn reads(&self, b: usize, all: &[Accesses]) -> Reads {
        let mut inside = Vec::new();
        for (accesses, position) in all.iter().zip(0..) {
            inside.extend(accesses.uses.iter().map(|&(unit, _)| (unit, position)));
        }
        inside.sort_unstable();
        let beyond = self.next.at_end(self.program, &self.loops, b);
        Reads { inside, beyond, len: self.program.blocks[b].len }
    }

    fn instruction(
        &self,
        at: &Point,
        accesses: &Accesses,
        step: &Step,
        live: &mut LiveUnits,
        registers: &mut Registers,
        plan: &mut Plan,
    ) -> Result<(), DoesNotFit> {
        let i = at.i;
        let guarded = self.program.instrs[i].guard.is_some();
        let live_before: SmallVec<[_; 4]> = accesses.defs.iter().map(|&(u, _)| live.words(u)).collect();
        // Stores and loads before the instruction see what is live there.
        let words_before = |unit: UnitId| live.words(unit);
        let mut needed: SmallVec<[UnitId; 6]> = self.of_class(accesses.uses.iter().map(|u| u.0));
        let ends = |unit: UnitId, word| {
            step.end.iter().any(|&p| self.units.of(p) == unit && self.units.word(p) == word)
        };
        for (&(unit, written), &words) in accesses.defs.iter().zip(&live_before) {
            let overwritten = if guarded { 0 } else { written };
            let kept = [1, 2].iter().any(|&w| words & w & !overwritten != 0 && !ends(unit, w));
            if kept && !needed.contains(&unit) {
                needed.extend(self.of_class::<1>(std::iter::once(unit)));
            }
        }
        let missing: SmallVec<[UnitId; 6]> =
            needed.iter().copied().filter(|&u| !registers.inside[u]).collect();
        for &unit in &missing {
            registers.insert(self, unit);
        }
        self.evict(at, &needed, &words_before, registers, plan)?;
        for unit in missing {
            plan.before(i, Action::load(unit, words_before(unit)));
            registers.saved[unit] = true;
        }
        let defs: SmallVec<[UnitId; 4]> = self.of_class(accesses.defs.iter().map(|d| d.0));
        for &place in &step.end {
            let unit = self.units.of(place);
            let gone = [1, 2].iter().all(|&w| live.words(unit) & w == 0 || ends(unit, w));
            if gone && !defs.contains(&unit) {
                registers.remove(self, unit);
            }
        }
        for &unit in &defs {
            registers.insert(self, unit);
        }
        let after = Point { position: at.position + 1, ..*at };
        self.evict(&after, &defs, &words_before, registers, plan)?;
        live.forward(&self.units, step);
        for &unit in &defs {
            registers.saved[unit] = false;
            if live.words(unit) == 0 {
                registers.remove(self, unit);
            } else {
                plan.defined(i, unit, live.words(unit));
            }
        }
        Ok(())
    }

    /// Takes units that are not `needed` out of registers until the rest fits; those
    /// that are read last go first, and rather those that cost little.
    fn evict(
        &self,
        at: &Point,
        needed: &[UnitId],
        words: &dyn Fn(UnitId) -> u8,
        registers: &mut Registers,
        plan: &mut Plan,
    ) -> Result<(), DoesNotFit> {
        while registers.width > self.limit {
            let merit = |unit: UnitId| {
                let distance = u64::from(at.reads.next(unit, at.position));
                let cheap = match (&self.again[unit], registers.saved[unit]) {
                    (Some(_), _) => 4,
                    (None, true) => 2,
                    (None, false) => 1,
                };
                (distance * cheap, unit)
            };
            let candidates = registers.list.iter().copied().filter(|u| !needed.contains(u));
            let Some(unit) = candidates.max_by_key(|&u| merit(u)) else {
                return Err(DoesNotFit { instr: at.i });
            };
            if self.again[unit].is_none() && !registers.saved[unit] {
                plan.before(at.i, Action::store(unit, words(unit)));
                registers.saved[unit] = true;
            }
            registers.remove(self, unit);
        }
        Ok(())
    }

    fn of_class<const N: usize>(&self, units: impl Iterator<Item = UnitId>) -> SmallVec<[UnitId; N]>
    where
        [UnitId; N]: smallvec::Array<Item = UnitId>,
    {
        units.filter(|&u| self.units.list[u].class() == self.class).collect()
    }
}

/// Where the walk is: at instruction `i`, looking for reads from `position` on.
#[derive(Clone, Copy)]
struct Point<'r> {
    i: usize,
    position: u32,
    reads: &'r Reads,
}
