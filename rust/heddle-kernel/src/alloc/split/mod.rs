//! Live-range splitting and spilling: which values are in registers at each point.
//!
//! After Braun and Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs" (CC 2009),
//! on webs instead of SSA names. Every block is walked through once with the set of values that are in
//! registers. Where an instruction needs more than the limit, the value whose next read is farthest
//! away leaves its register; it comes back right before it is read. A loop begins with the values that
//! it reads, so they are fetched before the loop. What blocks disagree on is mended on the edges
//! between them. A value is stored where it leaves its register or where it is written, whichever is
//! executed less often, and only if its home does not hold it yet. Constants, special registers and
//! parameters have no home: they are computed again. The home of a predicate is a register.
//!
//! An edge from a block with several successors to a block with several predecessors has no place for
//! instructions. Stores go to the end of the first block, which does no harm to the other successor;
//! so do loads if there is room. If there is none, the second block must do without the value in a
//! register, and all is planned anew.

mod edges;
mod home;
mod next_use;
mod plan;
mod repeated;
mod walk;

use std::collections::HashSet;

use heddle_isa::{Instr, Program};

use super::live::{Words, pressures};
use super::rewrite::Work;
use super::units::{Class, Unit, UnitId, Units};
use super::{AllocError, weight};
use crate::cfg;
use crate::dominators::Loops;
use crate::liveness::{Liveness, Place, for_each_def};
use home::{Home, recomputable};
use next_use::NextUse;
use plan::Plan;

/// Plans after which blocks at edges without a place begin with nothing in registers.
const PLANS: usize = 12;

/// What is in registers and what is at home at the border of a block, ascending.
#[derive(Debug, Clone, Default)]
struct Held {
    registers: Vec<UnitId>,
    saved: Vec<UnitId>,
}

impl Held {
    fn has(&self, unit: UnitId) -> bool {
        self.registers.binary_search(&unit).is_ok()
    }

    fn is_saved(&self, unit: UnitId) -> bool {
        self.saved.binary_search(&unit).is_ok()
    }
}

struct Splitter<'p> {
    program: &'p Program,
    units: Units,
    liveness: Liveness,
    class: Class,
    limit: u32,
    loops: Loops,
    next: NextUse,
    /// For each unit, how to compute it again.
    again: Vec<Option<Instr>>,
    /// Blocks that define each unit.
    definitions: Vec<Vec<usize>>,
    block_of: Vec<usize>,
    /// Largest pressure in the loop of a header.
    loop_pressure: Vec<u32>,
    banned: HashSet<(usize, UnitId)>,
    strict: bool,
}

/// Splits and spills until no more than `limit` registers or predicates are live at once.
///
/// # Errors
/// An instruction alone needs more than `limit`; `max_registers` is for the message.
pub(super) fn split(work: &mut Work, class: Class, limit: u32, max_registers: u32) -> Result<(), AllocError> {
    let program = work.program.clone();
    let mut splitter = Splitter::new(&program, class, limit);
    for round in 0.. {
        splitter.strict = round >= PLANS;
        let mut plan = Plan::new(program.instrs.len(), program.blocks.len());
        let without_place = splitter
            .plan(&mut plan)
            .map_err(|instr| AllocError::too_few(&program, max_registers, program.instrs[instr].loc))?;
        if without_place.is_empty() || splitter.strict {
            plan.apply(&splitter, work);
            break;
        }
        splitter.banned.extend(without_place);
    }
    Ok(())
}

impl<'p> Splitter<'p> {
    fn new(program: &'p Program, class: Class, limit: u32) -> Self {
        let units = Units::new(program);
        let liveness = Liveness::compute(program);
        let loops = Loops::find(&program.blocks);
        let next = NextUse::new(program, &units, &liveness, &loops, class);
        let mut definitions = vec![Vec::new(); units.list.len()];
        let mut block_of = vec![0; program.instrs.len()];
        for (b, block) in program.blocks.iter().enumerate() {
            for pc in cfg::pcs(block) {
                block_of[pc.index()] = b;
                for_each_def(&program.instrs[pc.index()], |place| definitions[units.of(place)].push(b));
            }
        }
        let mut loop_pressure = vec![0; program.blocks.len()];
        for (b, pressure) in pressures(program, &units, &liveness).into_iter().enumerate() {
            for header in loops.headers(b) {
                loop_pressure[header] = pressure[class as usize].max(loop_pressure[header]);
            }
        }
        let again = recomputable(program, &units);
        Self {
            program,
            units,
            liveness,
            class,
            limit,
            loops,
            next,
            again,
            definitions,
            block_of,
            loop_pressure,
            banned: HashSet::new(),
            strict: false,
        }
    }

    /// Walks through all blocks. Returns what must be planned anew, or the instruction that does not fit.
    fn plan(&self, plan: &mut Plan) -> Result<Vec<(usize, UnitId)>, usize> {
        let n = self.program.blocks.len();
        let mut entries = vec![Held::default(); n];
        let mut exits: Vec<Option<Held>> = vec![None; n];
        for b in cfg::reverse_post_order(&self.program.blocks) {
            entries[b] = self.entry(b, &exits);
            exits[b] = Some(self.walk(b, &entries[b], plan).map_err(|fault| fault.instr)?);
        }
        let exits: Vec<Held> = exits.into_iter().map(Option::unwrap_or_default).collect();
        Ok(self.edges(&entries, &exits, plan))
    }

    fn live_in_words(&self, block: usize, unit: UnitId) -> Words {
        let live = self.liveness.live_in(block);
        let is_live = |place| live[self.liveness.index(place)];
        match self.units.list[unit] {
            Unit::Pair(r) => {
                let high = Place::Reg(heddle_port::Reg(r.0 + 1));
                Words::from(is_live(Place::Reg(r))) | Words::from(is_live(high)) << 1
            }
            Unit::Single(_) | Unit::Pred(_) => 1,
        }
    }

    fn home(&self, work: &mut Work, unit: UnitId) -> Home {
        match &self.again[unit] {
            Some(instr) => Home::Again(instr.clone()),
            None => Home::new(work, self.units.list[unit]),
        }
    }
}
