//! The traffic: what the bench drives in each cycle, and what it expects to come back.

use heddle_port::{
    Command, CommandOp, Done, Issue, LaneData, MAX_PORT_WIDTH, NUM_DESTINATIONS, NUM_SOURCES, OperandData,
    RegIn, RegOut, ResultWrite, Tag, WarpSlot,
};

use crate::config::BenchConfig;
use crate::failure::{Failure, FailureKind};
use crate::golden::Golden;
use crate::history::{Entry, History};
use crate::instruction;
use crate::ready::Ready;
use crate::rng::Rng;
use crate::scheduler::Scheduler;
use crate::session::Summary;
use crate::warp::Goal;

const TAGS: u16 = 1 << heddle_port::TAG_BITS;
/// How often waits are looked at, in cycles.
const CHECK_WAITS: u64 = 256;

/// An instruction between its issue and its last result.
struct Flight {
    issue: Issue,
    since: u64,
    /// Golden values of its sources at issue.
    expected: Box<[LaneData; NUM_SOURCES]>,
    collected: bool,
    /// Results that are not accepted yet.
    results: u32,
    /// Results that are not in a result slot yet.
    unplaced: u32,
}

struct PendingResult {
    due: u64,
    result: ResultWrite,
    data: LaneData,
}

/// How dense the traffic is for a while; chances out of 256.
#[derive(Default)]
struct Pace {
    until: u64,
    issue: u32,
    ready: u32,
    result: u32,
    command: u32,
    most_delay: usize,
}

pub(crate) struct Traffic<'a> {
    config: &'a BenchConfig,
    seed: u64,
    rng: Rng,
    golden: Golden,
    scheduler: Scheduler,
    free_tags: Vec<u16>,
    flights: Vec<Option<Flight>>,
    offered: [Option<Issue>; MAX_PORT_WIDTH],
    results: Vec<PendingResult>,
    placed: [Option<PendingResult>; MAX_PORT_WIDTH],
    command: Option<Command>,
    ready: Ready,
    stalled: [Option<u16>; MAX_PORT_WIDTH],
    pace: Pace,
    history: History,
    /// Warp and register that the failure to be reported is about.
    suspect: (Option<u8>, Option<u8>),
    summary: Summary,
}

impl<'a> Traffic<'a> {
    pub(crate) fn new(config: &'a BenchConfig, seed: u64) -> Self {
        Self {
            config,
            seed,
            rng: Rng::new(seed),
            golden: Golden::new(),
            scheduler: Scheduler::new(config),
            free_tags: (0..TAGS).collect(),
            flights: (0..TAGS).map(|_| None).collect(),
            offered: [None; MAX_PORT_WIDTH],
            results: Vec::new(),
            placed: [const { None }; MAX_PORT_WIDTH],
            command: None,
            ready: Ready::default(),
            stalled: [None; MAX_PORT_WIDTH],
            pace: Pace::default(),
            history: History::default(),
            suspect: (None, None),
            summary: Summary { seed, ..Summary::default() },
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        self.summary
    }

    pub(crate) fn failure(&self, cycle: u64, kind: FailureKind) -> Failure {
        let (warp, register) = self.suspect;
        Failure { seed: self.seed, cycle, kind, history: self.history.lines(warp, register) }
    }

    /// One cycle: takes the design's outputs and fills the inputs. True when all is done.
    pub(crate) fn cycle(
        &mut self,
        cycle: u64,
        ending: bool,
        out: &RegOut,
        data: &OperandData,
        input: &mut RegIn,
    ) -> Result<bool, FailureKind> {
        if cycle >= self.pace.until {
            self.new_pace(cycle);
        }
        if out.done.valid {
            self.done(cycle, &out.done)?;
        }
        for slot in 0..self.config.widths.issue {
            self.check_operands(slot, out, data)?;
        }
        self.scheduler.advance(cycle, ending, &self.golden, &mut self.rng);
        self.drive(cycle, input);
        self.settle(cycle, out, input);
        if cycle.is_multiple_of(CHECK_WAITS) {
            self.check_waits(cycle)?;
        }
        Ok(ending && self.scheduler.is_empty() && self.command.is_none())
    }

    fn new_pace(&mut self, cycle: u64) {
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

    fn done(&mut self, cycle: u64, done: &Done) -> Result<(), FailureKind> {
        self.history.push(cycle, Entry::Done(*done));
        let since = self.scheduler.done(cycle, done, &mut self.rng).map_err(|what| {
            self.suspect = (Some(done.warp), None);
            FailureKind::Protocol(what)
        })?;
        self.summary.commands += 1;
        self.summary.warps += u64::from(done.op == CommandOp::Exit as u8);
        self.summary.longest_done = self.summary.longest_done.max(cycle - since);
        Ok(())
    }

    fn check_operands(&mut self, slot: usize, out: &RegOut, data: &OperandData) -> Result<(), FailureKind> {
        let operands = &out.operands[slot];
        if let Some(tag) = self.stalled[slot]
            && (!operands.valid || operands.tag != tag)
        {
            return Err(FailureKind::Protocol(format!(
                "operand slot {slot} offered {} and took it back before it was taken",
                Tag(tag)
            )));
        }
        if !operands.valid {
            return Ok(());
        }
        let flight = self.flights[usize::from(operands.tag)].as_ref();
        let Some(flight) = flight.filter(|f| !f.collected) else {
            return Err(FailureKind::Protocol(format!(
                "operand slot {slot} offers {}, for which nobody waits",
                Tag(operands.tag)
            )));
        };
        let twice = (0..slot).any(|s| out.operands[s].valid && out.operands[s].tag == operands.tag);
        if twice {
            return Err(FailureKind::Protocol(format!("two operand slots offer {}", Tag(operands.tag))));
        }
        let issue = &flight.issue;
        for source in (0..NUM_SOURCES).filter(|s| issue.source_valid >> s & 1 != 0) {
            let (expected, found) = (&flight.expected[source], &data[slot][source]);
            let wrong = (0..expected.len()).find(|&l| issue.mask >> l & 1 != 0 && expected[l] != found[l]);
            if let Some(lane) = wrong {
                self.suspect = (Some(issue.warp), Some(issue.source[source]));
                return Err(FailureKind::Operand {
                    tag: issue.tag,
                    warp: issue.warp,
                    slot: source,
                    register: issue.source[source],
                    lane,
                    expected: expected[lane],
                    found: found[lane],
                });
            }
        }
        Ok(())
    }

    // ---- what the bench drives ----

    fn drive(&mut self, cycle: u64, input: &mut RegIn) {
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
        for _ in 0..4 {
            let Some(number) = self.scheduler.running_warp(&mut self.rng) else {
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
                self.reserve(&issue, true);
                self.offered[slot] = Some(issue);
                return;
            }
        }
    }

    /// Books or releases the registers of an offered instruction.
    fn reserve(&mut self, issue: &Issue, book: bool) {
        let step = if book { 1 } else { u16::MAX };
        for source in (0..NUM_SOURCES).filter(|s| issue.source_valid >> s & 1 != 0) {
            let register = self.golden.get_mut(issue.warp, issue.source[source]);
            register.pending_reads = register.pending_reads.wrapping_add(step);
            if issue.dead >> source & 1 != 0 {
                register.known = if book { 0 } else { u32::MAX };
            }
        }
        for slot in (0..NUM_DESTINATIONS).filter(|s| issue.destination_valid >> s & 1 != 0) {
            let register = self.golden.get_mut(issue.warp, issue.destination[slot]);
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
            let start = self.rng.below(self.results.len());
            let count = self.results.len();
            let found = (0..count).map(|i| (start + i) % count).find(|&i| {
                let pending = &self.results[i];
                let flight = self.flights[usize::from(pending.result.tag)].as_ref();
                // The last one goes when all others are accepted.
                pending.due <= cycle && flight.is_some_and(|f| f.unplaced > 1 || f.results == 1)
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

    // ---- what was taken ----

    fn settle(&mut self, cycle: u64, out: &RegOut, input: &RegIn) {
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
        for source in (0..NUM_SOURCES).filter(|s| issue.source_valid >> s & 1 != 0) {
            expected[source] = self.golden.get(issue.warp, issue.source[source]).value;
        }
        let results = issue.destination_valid.count_ones();
        let warp = &mut self.scheduler.warps[usize::from(issue.warp)];
        warp.results += results;
        warp.until_change = warp.until_change.saturating_sub(1);
        match &mut warp.goal {
            Goal::Work(left) => *left = left.saturating_sub(1),
            Goal::ReadBack => {
                let read = |r: &u8| {
                    (0..NUM_SOURCES).any(|s| issue.source_valid >> s & 1 != 0 && issue.source[s] == *r)
                };
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
        let sources = issue.source_valid.count_ones();
        self.summary.operands += u64::from(sources);
        self.summary.values += u64::from(sources * issue.mask.count_ones());
        self.summary.longest_operands = self.summary.longest_operands.max(cycle - flight.since);
        self.scheduler.warps[usize::from(issue.warp)].reads -= 1;
        for source in (0..NUM_SOURCES).filter(|s| issue.source_valid >> s & 1 != 0) {
            self.golden.get_mut(issue.warp, issue.source[source]).pending_reads -= 1;
        }
        if issue.destination_valid == 0 {
            self.flights[usize::from(tag)] = None;
            self.free_tags.push(tag);
            return;
        }
        for slot in (0..NUM_DESTINATIONS).filter(|s| issue.destination_valid >> s & 1 != 0) {
            self.plan_results(cycle, &issue, issue.destination[slot]);
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

    // ---- waits ----

    fn check_waits(&mut self, cycle: u64) -> Result<(), FailureKind> {
        let limit = self.config.patience;
        let late = |since: u64| cycle.saturating_sub(since) > limit;
        let waits = |what: String| FailureKind::Wait { what, limit };
        for flight in self.flights.iter().flatten() {
            let issue = &flight.issue;
            if !flight.collected && late(flight.since) {
                self.suspect = (Some(issue.warp), None);
                return Err(waits(format!(
                    "{} of {}, issued in cycle {}, for its operands",
                    Tag(issue.tag),
                    WarpSlot(issue.warp),
                    flight.since
                )));
            }
        }
        if let Some((what, since)) = self.ready.longest(self.config.widths)
            && late(since)
        {
            return Err(waits(format!("{what}, not ready since cycle {since},")));
        }
        if let Some((warp, op, since)) = self.scheduler.longest_wait()
            && late(since)
        {
            self.suspect = (warp, None);
            let whose = warp.map_or_else(String::new, |w| format!(" of {}", WarpSlot(w)));
            return Err(waits(format!("{op:?}{whose}, accepted in cycle {since}, for its done event")));
        }
        Ok(())
    }
}
