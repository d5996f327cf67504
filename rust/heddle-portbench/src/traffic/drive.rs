//! What the bench drives.

use heddle_port::{Issue, NUM_SOURCES, RegIn};

use super::{Pace, Traffic};
use crate::instruction;
use crate::operands::{destinations, sources};

impl Traffic<'_> {
    pub(super) fn new_pace(&mut self, cycle: u64) {
        let rng = &mut self.rng;
        let mut draw = |from: &[u32]| from[rng.below(from.len())];
        self.pace = Pace {
            issue: draw(&[256, 256, 192, 96, 24]),
            ready: draw(&[256, 256, 224, 128, 24]),
            result: draw(&[256, 256, 160, 48]),
            command: draw(&[256, 128, 32, 8]),
            most_delay: draw(&[4, 20, 60, 400]) as usize,
            until: cycle + 128 + u64::from(draw(&[0, 200, 400, 800])),
        };
    }

    pub(super) fn drive(&mut self, cycle: u64, input: &mut RegIn) {
        for slot in 0..self.config.widths.issue {
            input.operands_ready[slot] = self.rng.chance(self.pace.ready);
            self.offer_issue(slot);
            input.issue[slot] = self.offered[slot].unwrap_or_default();
        }
        self.place_results(cycle);
        for slot in 0..self.config.widths.result {
            match &self.placed[slot] {
                Some(pending) => {
                    input.result[slot] = pending.result;
                    input.result_data[slot] = pending.data;
                }
                None => input.result[slot].valid = false,
            }
        }
        if self.command.is_none() && self.rng.chance(self.pace.command) {
            self.command = self.scheduler.next_command(cycle, &mut self.rng);
        }
        input.command = self.command.unwrap_or_default();
    }

    fn offer_issue(&mut self, slot: usize) {
        if let Some(issue) = self.offered[slot] {
            // Now and then an instruction is taken back and another may come.
            if self.rng.chance(8) {
                self.offered[slot] = None;
                self.reserve(&issue, false);
                self.free_tags.push(issue.tag);
            } else {
                return;
            }
        }
        if !self.rng.chance(self.pace.issue) {
            return;
        }
        let sub_core = slot * self.config.sub_cores / self.config.widths.issue;
        for _ in 0..4 {
            let Some(number) = self.scheduler.running_warp(sub_core, &mut self.rng) else {
                return;
            };
            let warp = &self.scheduler.warps[usize::from(number)];
            let drawn = instruction::draw(&mut self.rng, &self.golden, number, warp, self.config.dead_bits);
            if let Some(mut issue) = drawn {
                if self.free_tags.is_empty() {
                    return;
                }
                let at = self.rng.below(self.free_tags.len());
                issue.tag = self.free_tags.swap_remove(at);
                self.keep_what_others_read(slot, &mut issue);
                self.reserve(&issue, true);
                self.offered[slot] = Some(issue);
                return;
            }
        }
    }

    /// What another slot offers may be taken after `issue`, so that no source of it dies with `issue`.
    fn keep_what_others_read(&self, slot: usize, issue: &mut Issue) {
        let others = self.offered.iter().enumerate().filter(|(other, _)| *other != slot);
        for other in others.filter_map(|(_, offered)| offered.as_ref()).filter(|o| o.warp == issue.warp) {
            for (_, register) in sources(other) {
                for own in (0..NUM_SOURCES).filter(|&s| issue.source[s] == register) {
                    issue.dead &= !(1 << own);
                }
            }
        }
    }

    /// Books or releases the registers of an offered instruction.
    fn reserve(&mut self, issue: &Issue, book: bool) {
        let step = if book { 1 } else { u16::MAX };
        for (slot, register) in sources(issue) {
            let register = self.golden.get_mut(issue.warp, register);
            register.pending_reads = register.pending_reads.wrapping_add(step);
            if issue.dead >> slot & 1 != 0 {
                register.known = if book { 0 } else { u32::MAX };
            }
        }
        for (_, register) in destinations(issue) {
            let register = self.golden.get_mut(issue.warp, register);
            register.pending_writes = register.pending_writes.wrapping_add(step);
        }
        let warp = &mut self.scheduler.warps[usize::from(issue.warp)];
        warp.reads = warp.reads.wrapping_add(if book { 1 } else { u32::MAX });
    }

    fn place_results(&mut self, cycle: u64) {
        for slot in 0..self.config.widths.result {
            if self.placed[slot].is_some() || self.results.is_empty() {
                continue;
            }
            if !self.rng.chance(self.pace.result) {
                continue;
            }
            let sub_cores = self.config.sub_cores;
            let sub_core = slot * sub_cores / self.config.widths.result;
            let start = self.rng.below(self.results.len());
            let count = self.results.len();
            let found = (0..count).map(|i| (start + i) % count).find(|&i| {
                let pending = &self.results[i];
                let flight = self.flights[usize::from(pending.result.tag)].as_ref();
                // The last one goes when all others are accepted.
                let own = usize::from(pending.result.warp) % sub_cores == sub_core;
                own && pending.due <= cycle && flight.is_some_and(|f| f.unplaced > 1 || f.results == 1)
            });
            let Some(i) = found else { continue };
            let mut pending = self.results.swap_remove(i);
            if let Some(flight) = &mut self.flights[usize::from(pending.result.tag)] {
                pending.result.last = flight.results == 1;
                flight.unplaced -= 1;
            }
            self.placed[slot] = Some(pending);
        }
    }
}
