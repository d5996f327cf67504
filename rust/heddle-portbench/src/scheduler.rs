//! Kernels and warps: which command comes next, and what its done event means.

use heddle_port::{Command, CommandOp, Done, NUM_REGS, WarpSlot};
use heddle_rtl::MappingTables;

use crate::config::BenchConfig;
use crate::golden::Golden;
use crate::regions::Regions;
use crate::rng::Rng;
use crate::tables::Loading;
use crate::warp::{Goal, State, Warp, random_set};

/// In place of the cycle of a command that is offered.
const NOT_ACCEPTED: u64 = u64::MAX;
/// From one command to the next, so that intervals are unlike each other.
const INTERVAL_STEP: u16 = 0x9E37;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel {
    /// The next command starts one.
    None,
    /// Its start is offered or under way, since a cycle once accepted.
    Starting(Option<u64>),
    /// Warps may begin until a cycle.
    Running(u64),
}

/// What may begin in this cycle.
#[derive(Debug, Clone, Copy)]
struct Choice {
    /// Warps may begin.
    open: bool,
    /// One more warp may become active.
    place: bool,
}

/// All warp slots.
pub(crate) struct Scheduler {
    pub(crate) warps: Vec<Warp>,
    kernel: Kernel,
    ending: bool,
    needs_intervals: bool,
    regions: Regions,
    banks: usize,
    sub_cores: usize,
    most_active: usize,
    most_in_set: usize,
    slots: usize,
    /// Interval of commands other than prefetches: it means nothing, and done events repeat it.
    interval: u16,
    running: Vec<u8>,
    tables: Option<MappingTables>,
    loading: Loading,
}

impl Scheduler {
    pub(crate) fn new(config: &BenchConfig) -> Self {
        let slots = config.warps.clamp(1, heddle_port::NUM_WARPS);
        let most_in_set = match usize::from(config.port.registers_per_interval) {
            0 => NUM_REGS,
            n => n,
        };
        Self {
            warps: vec![Warp::new(); slots],
            kernel: Kernel::None,
            ending: false,
            needs_intervals: config.needs_intervals,
            regions: Regions::new(config, slots),
            banks: config.banks,
            sub_cores: config.sub_cores,
            most_active: match usize::from(config.port.active_warps) {
                0 => slots,
                n => n,
            },
            most_in_set,
            slots,
            interval: 0,
            running: Vec::new(),
            tables: config.mapping,
            loading: Loading::default(),
        }
    }

    /// Whether no warp is there and none will come in this kernel.
    pub(crate) fn is_empty(&self) -> bool {
        self.kernel == Kernel::None
    }

    /// Moves goals and plans on.
    pub(crate) fn advance(&mut self, cycle: u64, ending: bool, golden: &Golden, rng: &mut Rng) {
        self.ending = ending;
        let closing = match self.kernel {
            Kernel::Running(until) => ending || cycle >= until,
            _ => false,
        };
        let loading = self.loading.waits_since().is_some();
        if closing && !loading && self.warps.iter().all(|w| w.state == State::Free) {
            self.kernel = Kernel::None;
        }
        self.running.clear();
        for number in 0..self.warps.len() {
            if self.warps[number].state == State::Active {
                self.plan(number, closing, golden, rng);
            }
            if self.warps[number].runs(self.needs_intervals) {
                self.running.push(number as u8);
            }
        }
    }

    /// Decides what an active warp does next, if it has to change something.
    fn plan(&mut self, number: usize, closing: bool, golden: &Golden, rng: &mut Rng) {
        let (registers, most, needs_intervals) =
            (self.regions.registers(), self.most_in_set, self.needs_intervals);
        let warp = &mut self.warps[number];
        if warp.plan.is_some() {
            return;
        }
        match warp.goal {
            Goal::Work(left) if left == 0 || closing => {
                if closing || rng.chance(160) {
                    warp.goal = Goal::ReadBack;
                    warp.unread = (0..registers)
                        .map(|r| r as u8)
                        .filter(|&r| {
                            let register = golden.get(number as u8, r);
                            register.known != 0 || register.pending_writes != 0
                        })
                        .collect();
                } else {
                    warp.goal = Goal::Leave;
                }
            }
            Goal::Work(_) | Goal::ReadBack | Goal::Leave => {}
        }
        // A write that was offered and taken back leaves nothing to read.
        warp.unread.retain(|&r| {
            let register = golden.get(number as u8, r);
            register.known != 0 || register.pending_writes != 0
        });
        match warp.goal {
            Goal::Leave => warp.plan = Some(CommandOp::Exit),
            Goal::ReadBack if warp.unread.is_empty() => {
                warp.goal = Goal::Leave;
                warp.plan = Some(CommandOp::Exit);
            }
            Goal::ReadBack => {
                if needs_intervals && !warp.unread.iter().any(|r| warp.set.contains(r)) {
                    let start = rng.below(warp.unread.len());
                    let count = warp.unread.len().min(most);
                    let unread = warp.unread.iter().cycle().skip(start).take(count);
                    warp.next_set = unread.copied().collect();
                    warp.plan = Some(CommandOp::Prefetch);
                }
            }
            Goal::Work(_) => {
                let first = needs_intervals && !warp.has_set;
                if first || warp.until_change == 0 {
                    let prefetch = first || rng.chance(if needs_intervals { 176 } else { 32 });
                    warp.next_set = random_set(rng, registers, most, &warp.set);
                    warp.plan = Some(if prefetch { CommandOp::Prefetch } else { CommandOp::Deactivate });
                }
            }
        }
    }

    /// A warp of sub-core `sub_core` that may issue.
    pub(crate) fn running_warp(&self, sub_core: usize, rng: &mut Rng) -> Option<u8> {
        let warp = rng.pick(&self.running).copied()?;
        // The next one after it that belongs there.
        let from = self.running.iter().position(|&other| other == warp)?;
        let mut turn = self.running[from..].iter().chain(&self.running[..from]);
        let warp = *turn.find(|&&warp| usize::from(warp) % self.sub_cores == sub_core)?;
        self.warps[usize::from(warp)].runs(self.needs_intervals).then_some(warp)
    }

    /// A command to offer, if one is due. The warp counts as busy from now on.
    pub(crate) fn next_command(&mut self, cycle: u64, rng: &mut Rng) -> Option<Command> {
        match self.kernel {
            Kernel::None if self.ending => None,
            Kernel::None => Some(self.start_kernel(rng)),
            Kernel::Starting(_) => None,
            Kernel::Running(until) => {
                if let Some(command) = self.loading.next() {
                    return Some(command);
                }
                let open = !self.ending && cycle < until;
                let slots = self.slots;
                let start = rng.below(slots);
                let place = self.warps.iter().filter(|w| w.holds_place()).count() < self.most_active;
                let choice = Choice { open, place };
                (0..slots).find_map(|i| self.command_of((start + i) % slots, choice, rng))
            }
        }
    }

    fn start_kernel(&mut self, rng: &mut Rng) -> Command {
        self.regions.start(rng);
        let registers = self.regions.registers();
        self.kernel = Kernel::Starting(None);
        if let Some(tables) = self.tables {
            self.loading.draw(tables, self.banks, rng);
        }
        Command {
            valid: true,
            op: CommandOp::KernelStart as u8,
            interval: !self.interval,
            value: registers as u16,
            gating: registers.is_multiple_of(2),
            ..Command::default()
        }
    }

    fn command_of(&mut self, number: usize, choice: Choice, rng: &mut Rng) -> Option<Command> {
        let warp = &mut self.warps[number];
        let mut command = Command { valid: true, warp: number as u8, ..Command::default() };
        let op = match warp.state {
            State::Free if choice.open => {
                let region = self.regions.take(number, rng)?;
                *warp = Warp::new();
                warp.region = region;
                warp.goal = Goal::Work(20 + rng.below(300) as u32);
                command.value = self.regions.base(region) as u16;
                CommandOp::WarpBase
            }
            State::Inactive if choice.place => CommandOp::Activate,
            State::Active if warp.ready_for_plan() => warp.plan.take()?,
            _ => return None,
        };
        command.op = op as u8;
        self.interval = self.interval.wrapping_add(INTERVAL_STEP);
        command.interval = self.interval;
        if op == CommandOp::Prefetch {
            command.interval = rng.word() as u16;
            for &register in &warp.next_set {
                command.vector[usize::from(register) / 32] |= 1 << (register % 32);
            }
        }
        warp.state = State::Busy;
        warp.awaited = Some(op);
        warp.awaited_interval = command.interval;
        warp.since = NOT_ACCEPTED;
        Some(command)
    }

    /// A command was accepted.
    pub(crate) fn accepted(&mut self, cycle: u64, command: &Command, golden: &mut Golden) {
        match CommandOp::from_code(command.op) {
            Some(CommandOp::KernelStart) => self.kernel = Kernel::Starting(Some(cycle)),
            Some(CommandOp::MapEntry) => self.loading.accepted(cycle),
            op => {
                self.warps[usize::from(command.warp)].since = cycle;
                if op == Some(CommandOp::WarpBase) {
                    golden.forget_warp(command.warp);
                }
            }
        }
    }

    /// A done event came; returns since when it was awaited.
    pub(crate) fn done(&mut self, cycle: u64, done: &Done, rng: &mut Rng) -> Result<u64, String> {
        let op = CommandOp::from_code(done.op);
        let nobody = || {
            let name = op.map_or_else(|| format!("command {}", done.op), |op| format!("{op:?}"));
            format!(
                "done event of {name}, {}, interval {}, for which nobody waits",
                WarpSlot(done.warp),
                done.interval
            )
        };
        if let (Some(CommandOp::KernelStart), Kernel::Starting(Some(since))) = (op, self.kernel) {
            self.kernel = Kernel::Running(cycle + 2000 + rng.below(12_000) as u64);
            return Ok(since);
        }
        if op == Some(CommandOp::MapEntry) {
            return self.loading.done().ok_or_else(nobody);
        }
        let all: Vec<u8> = (0..self.regions.registers()).map(|r| r as u8).collect();
        let warp = self
            .warps
            .get_mut(usize::from(done.warp))
            .filter(|w| w.state == State::Busy && w.since != NOT_ACCEPTED && w.awaited == op)
            .ok_or_else(nobody)?;
        if op == Some(CommandOp::Prefetch) && done.interval != warp.awaited_interval {
            return Err(format!("{}, expected interval {}", nobody(), warp.awaited_interval));
        }
        warp.state = match op {
            Some(CommandOp::Activate | CommandOp::Prefetch) => State::Active,
            Some(CommandOp::Exit) => State::Free,
            _ => State::Inactive,
        };
        match op {
            Some(CommandOp::Exit) => self.regions.give_back(warp.region),
            Some(CommandOp::WarpBase) if !self.needs_intervals => warp.set = all,
            Some(CommandOp::Prefetch) => {
                warp.has_set = true;
                if self.needs_intervals {
                    warp.set = std::mem::take(&mut warp.next_set);
                }
            }
            _ => {}
        }
        if warp.state == State::Active {
            warp.until_change = 1 + rng.below(40) as u32;
        }
        warp.awaited = None;
        Ok(warp.since)
    }

    /// The command that has waited longest for its done event: its warp, and since when.
    pub(crate) fn longest_wait(&self) -> Option<(Option<u8>, CommandOp, u64)> {
        if let Kernel::Starting(Some(since)) = self.kernel {
            return Some((None, CommandOp::KernelStart, since));
        }
        if let Some(since) = self.loading.waits_since() {
            return Some((None, CommandOp::MapEntry, since));
        }
        (self.warps.iter().enumerate())
            .filter(|(_, w)| w.state == State::Busy && w.since != NOT_ACCEPTED)
            .filter_map(|(i, w)| Some((Some(i as u8), w.awaited?, w.since)))
            .min_by_key(|(_, _, since)| *since)
    }
}
