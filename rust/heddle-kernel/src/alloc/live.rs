//! Live units at every point, as the words of them that are live.

use heddle_isa::{Instr, Program};
use smallvec::SmallVec;

use super::units::{Class, UnitId, Units};
use crate::cfg;
use crate::liveness::{Liveness, Place, for_each_def, for_each_use};

/// Words of a unit, one bit each.
pub(super) type Words = u8;

/// What an instruction reads and writes, each unit once.
pub(super) struct Accesses {
    pub(super) uses: SmallVec<[(UnitId, Words); 6]>,
    pub(super) defs: SmallVec<[(UnitId, Words); 4]>,
}

impl Accesses {
    pub(super) fn of(instr: &Instr, units: &Units) -> Self {
        let mut accesses = Self { uses: SmallVec::new(), defs: SmallVec::new() };
        for_each_use(instr, |place| add(&mut accesses.uses, units, place));
        for_each_def(instr, |place| add(&mut accesses.defs, units, place));
        accesses
    }
}

fn add<const N: usize>(list: &mut SmallVec<[(UnitId, Words); N]>, units: &Units, place: Place)
where
    [(UnitId, Words); N]: smallvec::Array<Item = (UnitId, Words)>,
{
    let (unit, word) = (units.of(place), units.word(place));
    match list.iter_mut().find(|(u, _)| *u == unit) {
        Some((_, words)) => *words |= word,
        None => list.push((unit, word)),
    }
}

/// How liveness changes at one instruction, going forward: first `end`, then `begin`.
#[derive(Default)]
pub(super) struct Step {
    pub(super) end: SmallVec<[Place; 4]>,
    pub(super) begin: SmallVec<[Place; 4]>,
}

/// The steps of the instructions of block `b`.
pub(super) fn steps(program: &Program, liveness: &Liveness, b: usize) -> Vec<Step> {
    let mut live = liveness.live_out(b).to_bitvec();
    let mut steps = Vec::with_capacity(program.blocks[b].len as usize);
    for pc in cfg::pcs(&program.blocks[b]).rev() {
        let instr = &program.instrs[pc.index()];
        let mut step = Step::default();
        if instr.guard.is_none() {
            for_each_def(instr, |place| {
                if live.replace(liveness.index(place), false) {
                    step.begin.push(place);
                }
            });
        }
        for_each_use(instr, |place| {
            if !live.replace(liveness.index(place), true) {
                step.end.push(place);
            }
        });
        steps.push(step);
    }
    steps.reverse();
    steps
}

/// The units that are live at a point.
pub(super) struct LiveUnits {
    words: Vec<Words>,
    list: Vec<UnitId>,
    /// Where in the list a live unit is.
    at: Vec<usize>,
    /// Registers and predicates that they take.
    width: [u32; 2],
}

impl LiveUnits {
    pub(super) fn new(units: &Units) -> Self {
        let n = units.list.len();
        Self { words: vec![0; n], list: Vec::new(), at: vec![0; n], width: [0; 2] }
    }

    /// Makes the places at `indices` of `liveness` the live ones.
    pub(super) fn set(&mut self, units: &Units, liveness: &Liveness, indices: impl Iterator<Item = usize>) {
        for unit in std::mem::take(&mut self.list) {
            self.words[unit] = 0;
        }
        self.width = [0; 2];
        for index in indices {
            self.add(units, liveness.place(index));
        }
    }

    pub(super) fn list(&self) -> &[UnitId] {
        &self.list
    }

    /// Live words of `unit`.
    pub(super) fn words(&self, unit: UnitId) -> Words {
        self.words[unit]
    }

    /// Registers or predicates that live units take.
    pub(super) fn width(&self, class: Class) -> u32 {
        self.width[class as usize]
    }

    pub(super) fn add(&mut self, units: &Units, place: Place) {
        let unit = units.of(place);
        if self.words[unit] == 0 {
            self.at[unit] = self.list.len();
            self.list.push(unit);
            self.width[units.list[unit].class() as usize] += units.list[unit].width();
        }
        self.words[unit] |= units.word(place);
    }

    pub(super) fn remove(&mut self, units: &Units, place: Place) {
        let unit = units.of(place);
        if self.words[unit] == 0 {
            return;
        }
        self.words[unit] &= !units.word(place);
        if self.words[unit] == 0 {
            let at = self.at[unit];
            self.list.swap_remove(at);
            if let Some(&moved) = self.list.get(at) {
                self.at[moved] = at;
            }
            self.width[units.list[unit].class() as usize] -= units.list[unit].width();
        }
    }

    /// From before an instruction to after it.
    pub(super) fn forward(&mut self, units: &Units, step: &Step) {
        for &place in &step.end {
            self.remove(units, place);
        }
        for &place in &step.begin {
            self.add(units, place);
        }
    }

    /// From after `instr` to before it.
    pub(super) fn backward(&mut self, units: &Units, instr: &Instr) {
        if instr.guard.is_none() {
            for_each_def(instr, |place| self.remove(units, place));
        }
        for_each_use(instr, |place| self.add(units, place));
    }

    /// What destinations of `instr` take that are not live after it; `self` is what is live after it.
    pub(super) fn dead_width(&self, units: &Units, instr: &Instr, class: Class) -> u32 {
        let mut seen: SmallVec<[UnitId; 6]> = SmallVec::new();
        for_each_def(instr, |place| {
            let unit = units.of(place);
            if units.list[unit].class() == class && self.words[unit] == 0 && !seen.contains(&unit) {
                seen.push(unit);
            }
        });
        seen.iter().map(|&u| units.list[u].width()).sum()
    }
}

/// Most registers and most predicates live at once, in each block.
pub(super) fn pressures(program: &Program, units: &Units, liveness: &Liveness) -> Vec<[u32; 2]> {
    let mut live = LiveUnits::new(units);
    let mut pressures = Vec::with_capacity(program.blocks.len());
    for (b, block) in program.blocks.iter().enumerate() {
        live.set(units, liveness, liveness.live_out(b).iter_ones());
        let mut most = live.width;
        for pc in cfg::pcs(block).rev() {
            let instr = &program.instrs[pc.index()];
            for class in Class::ALL {
                let after = live.width(class) + live.dead_width(units, instr, class);
                most[class as usize] = most[class as usize].max(after);
            }
            live.backward(units, instr);
            for class in Class::ALL {
                most[class as usize] = most[class as usize].max(live.width(class));
            }
        }
        pressures.push(most);
    }
    pressures
}
