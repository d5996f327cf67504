//! What was taken: instructions, operands, results, commands.

use heddle_port::{Issue, NUM_SOURCES, RegIn, RegOut, ResultWrite};

use super::{Flight, PendingResult, Traffic};
use crate::history::Entry;
use crate::operands::{destinations, sources};
use crate::warp::Goal;

impl Traffic<'_> {
    pub(super) fn settle(&mut self, cycle: u64, out: &RegOut, input: &RegIn) {
        self.ready.observe(cycle, out);
        for slot in 0..self.config.widths.issue {
            let operands = &out.operands[slot];
            self.stalled[slot] = None;
            if operands.valid {
                if input.operands_ready[slot] {
                    self.operands_taken(cycle, operands.tag);
                } else {
                    self.stalled[slot] = Some(operands.tag);
                }
            }
            if out.issue_ready[slot]
                && let Some(issue) = self.offered[slot].take()
            {
                self.issued(cycle, issue);
            }
        }
        for slot in 0..self.config.widths.result {
            if out.result_ready[slot]
                && let Some(pending) = self.placed[slot].take()
            {
                self.result_taken(cycle, &pending);
            }
        }
        if out.command_ready
            && let Some(command) = self.command.take()
        {
            self.history.push(cycle, Entry::Command(command));
            self.scheduler.accepted(cycle, &command, &mut self.golden);
        }
    }

    fn issued(&mut self, cycle: u64, issue: Issue) {
        self.history.push(cycle, Entry::Issue(issue));
        self.summary.instructions += 1;
        let mut expected = Box::new([[0; heddle_port::NUM_LANES]; NUM_SOURCES]);
        for (slot, register) in sources(&issue) {
            expected[slot] = self.golden.get(issue.warp, register).value;
        }
        let results = issue.destination_valid.count_ones();
        let warp = &mut self.scheduler.warps[usize::from(issue.warp)];
        warp.results += results;
        warp.until_change = warp.until_change.saturating_sub(1);
        match &mut warp.goal {
            Goal::Work(left) => *left = left.saturating_sub(1),
            Goal::ReadBack => {
                let read = |r: &u8| sources(&issue).any(|(_, source)| source == *r);
                warp.unread.retain(|r| !read(r));
            }
            Goal::Leave => {}
        }
        self.flights[usize::from(issue.tag)] =
            Some(Flight { issue, since: cycle, expected, collected: false, results, unplaced: results });
    }

    fn operands_taken(&mut self, cycle: u64, tag: u16) {
        let Some(flight) = &mut self.flights[usize::from(tag)] else {
            return;
        };
        flight.collected = true;
        let issue = flight.issue;
        self.history.push(cycle, Entry::Operands(issue.warp, tag));
        let operands = issue.source_valid.count_ones();
        self.summary.operands += u64::from(operands);
        self.summary.values += u64::from(operands * issue.mask.count_ones());
        self.summary.longest_operands = self.summary.longest_operands.max(cycle - flight.since);
        self.scheduler.warps[usize::from(issue.warp)].reads -= 1;
        for (_, register) in sources(&issue) {
            self.golden.get_mut(issue.warp, register).pending_reads -= 1;
        }
        if issue.destination_valid == 0 {
            self.flights[usize::from(tag)] = None;
            self.free_tags.push(tag);
            return;
        }
        for (_, register) in destinations(&issue) {
            self.plan_results(cycle, &issue, register);
        }
    }

    /// One destination's result, in one part or several.
    fn plan_results(&mut self, cycle: u64, issue: &Issue, register: u8) {
        let mut rest = issue.mask;
        let mut parts = 0;
        while rest != 0 {
            let part = if parts < 2 && self.rng.chance(40) { rest & self.rng.word() } else { rest };
            if part == 0 {
                continue;
            }
            rest &= !part;
            parts += 1;
            let mut data = [0; heddle_port::NUM_LANES];
            data.fill_with(|| self.rng.word());
            self.results.push(PendingResult {
                due: cycle + 1 + self.rng.below(self.pace.most_delay + 1) as u64,
                result: ResultWrite {
                    valid: true,
                    tag: issue.tag,
                    warp: issue.warp,
                    register,
                    mask: part,
                    last: false,
                },
                data,
            });
        }
        let more = parts - 1;
        self.golden.get_mut(issue.warp, register).pending_writes += more;
        self.scheduler.warps[usize::from(issue.warp)].results += u32::from(more);
        if let Some(flight) = &mut self.flights[usize::from(issue.tag)] {
            flight.results += u32::from(more);
            flight.unplaced += u32::from(more);
        }
    }

    fn result_taken(&mut self, cycle: u64, pending: &PendingResult) {
        let result = &pending.result;
        self.history.push(cycle, Entry::Result(*result));
        self.summary.results += 1;
        self.golden.write(result, &pending.data);
        self.scheduler.warps[usize::from(result.warp)].results -= 1;
        let flight = &mut self.flights[usize::from(result.tag)];
        if let Some(f) = flight {
            f.results -= 1;
            if f.results == 0 {
                *flight = None;
                self.free_tags.push(result.tag);
            }
        }
    }
}
