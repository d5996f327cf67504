//! Where blocks meet: what a block begins with, and what is to be done on the ways into it.

use super::next_use::OUTSIDE;
use super::plan::{Action, Plan};
use super::{Held, Splitter};
use crate::alloc::units::UnitId;

/// Definitions of a unit up to which it is worth while to look where they are.
const FEW: usize = 16;

impl Splitter<'_> {
    /// Whether the edge from `from` to `to` has no place of its own for instructions.
    fn is_critical(&self, from: usize, to: usize) -> bool {
        let blocks = &self.program.blocks;
        blocks[from].successors.len() > 1 && blocks[to].predecessors.len() > 1
    }

    /// What block `b` begins with, given how the blocks before it end; those that are not yet walked
    /// through are `None`.
    pub(super) fn entry(&self, b: usize, exits: &[Option<Held>]) -> Held {
        let predecessors = &self.program.blocks[b].predecessors;
        let known: Vec<(usize, &Held)> =
            predecessors.iter().filter_map(|&p| exits[p].as_ref().map(|held| (p, held))).collect();
        let is_header = known.len() < predecessors.len();
        let any_critical = predecessors.iter().any(|&p| self.is_critical(p, b));
        let mut candidates: Vec<(bool, u32, UnitId)> = Vec::new();
        for &(unit, distance) in self.next.live_in(b) {
            if (self.strict && any_critical) || self.banned.contains(&(b, unit)) {
                continue;
            }
            let holding = known.iter().filter(|(_, held)| held.has(unit)).count();
            // A loop may fetch what it reads before it begins; a critical edge has no place for that.
            let read_in_loop = is_header && distance < OUTSIDE;
            let lacking = |(p, held): &(usize, &Held)| !held.has(unit) && self.is_critical(*p, b);
            if (holding == 0 && !read_in_loop) || known.iter().any(lacking) {
                continue;
            }
            let fetched = holding < known.len() && !read_in_loop;
            candidates.push((distance >= OUTSIDE || fetched, distance, unit));
        }
        candidates.sort_unstable();
        let mut held = Held::default();
        let mut room = self.limit;
        let mut through_room = self.room_for_through(b, is_header);
        for (_, distance, unit) in candidates {
            let width = self.units.list[unit].width();
            let through = is_header && distance >= OUTSIDE;
            if width <= room && (!through || width <= through_room) {
                held.registers.push(unit);
                room -= width;
                if through {
                    through_room -= width;
                }
            }
        }
        held.registers.sort_unstable();
        for &(unit, _) in self.next.live_in(b) {
            let everywhere = known.iter().all(|(_, held)| held.is_saved(unit));
            let stays = !is_header || !self.defined_in_loop(unit, b);
            if self.again[unit].is_some() || !held.has(unit) || (everywhere && stays && !known.is_empty()) {
                held.saved.push(unit);
            }
        }
        held
    }

    /// Registers that a loop leaves to values that it does not read.
    fn room_for_through(&self, header: usize, is_header: bool) -> u32 {
        if !is_header {
            return self.limit;
        }
        let live = self.next.live_in(header).iter();
        let through: u32 =
            live.filter(|&&(_, d)| d >= OUTSIDE).map(|&(unit, _)| self.units.list[unit].width()).sum();
        let inside = self.loop_pressure[header].saturating_sub(through);
        self.limit.saturating_sub(inside)
    }

    fn defined_in_loop(&self, unit: UnitId, header: usize) -> bool {
        let blocks = &self.definitions[unit];
        blocks.len() > FEW || blocks.iter().any(|&b| self.loops.headers(b).any(|h| h == header))
    }

    /// Notes the stores and loads on all edges. Returns (block, unit) for which there is no place: the
    /// block must not begin with the unit in a register.
    pub(super) fn edges(&self, entries: &[Held], exits: &[Held], plan: &mut Plan) -> Vec<(usize, UnitId)> {
        let mut without_place = Vec::new();
        let blocks = &self.program.blocks;
        for (p, block) in blocks.iter().enumerate() {
            let mut width: u32 = exits[p].registers.iter().map(|&u| self.units.list[u].width()).sum();
            let mut fetched: Vec<UnitId> = Vec::new();
            for &s in &block.successors {
                let critical = self.is_critical(p, s);
                for &(unit, _) in self.next.live_in(s) {
                    let (has, wants) = (exits[p].has(unit), entries[s].has(unit));
                    let words = self.live_in_words(s, unit);
                    let is_home = self.again[unit].is_some() || exits[p].is_saved(unit);
                    if has && !is_home && (!wants || entries[s].is_saved(unit)) {
                        let action = Action::store(unit, words);
                        if block.successors.len() == 1 || critical {
                            plan.at_end(p, action);
                        } else {
                            plan.at_start(s, action);
                        }
                    }
                    if has || !wants {
                        continue;
                    }
                    let action = Action::load(unit, words);
                    if block.successors.len() == 1 {
                        plan.at_end(p, action);
                    } else if !critical {
                        plan.at_start(s, action);
                    } else if fetched.contains(&unit) {
                        plan.at_end(p, action);
                    } else if width + self.units.list[unit].width() <= self.limit {
                        width += self.units.list[unit].width();
                        fetched.push(unit);
                        plan.at_end(p, action);
                    } else {
                        without_place.push((s, unit));
                    }
                }
            }
        }
        without_place
    }
}
