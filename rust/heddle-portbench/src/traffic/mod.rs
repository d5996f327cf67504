//! The traffic: what the bench drives in each cycle, and what it expects to come back.

mod drive;
mod taken;

use heddle_port::{
    Command, CommandOp, Done, Issue, LaneData, MAX_PORT_WIDTH, NUM_SOURCES, OperandData, RegIn, RegOut,
    ResultWrite, Tag, WarpSlot,
};

use crate::config::BenchConfig;
use crate::failure::{Failure, FailureKind};
use crate::golden::Golden;
use crate::history::{Entry, History};
use crate::ready::Ready;
use crate::rng::Rng;
use crate::scheduler::Scheduler;
use crate::summary::Summary;

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
        let owner = slot * self.config.sub_cores / self.config.widths.issue;
        if usize::from(issue.warp) % self.config.sub_cores != owner {
            return Err(FailureKind::Protocol(format!(
                "operand slot {slot}, of sub-core {owner}, offers {} of {}",
                Tag(operands.tag),
                WarpSlot(issue.warp)
            )));
        }
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
