//! A register file in two halves, for even and odd warp slots, and one active warp at a time.

use heddle_config::{Activation, Policy, Preset};
use heddle_isa::{Alu, Space};
use heddle_port::{Command, CommandOp, Cycle, Done, Tag};
use heddle_sm::{IssueEvent, LaunchError, Observer, Statistics, Stop};

use crate::machine::preset_with;
use crate::program::{Asm, buffer, imm, launch, prologue, r, run, words};

fn preset(alternate: bool) -> Preset {
    let mut preset = preset_with(Policy::TwoLevel);
    preset.scheduler.schedulers = 1;
    preset.scheduler.active_warps = 1;
    preset.scheduler.alternate_banks = alternate;
    preset.register_file.warp_banks = 2;
    preset.register_file.max_registers = 64;
    preset
}

fn registers(count: u32) -> Asm {
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, count - 1, &[imm(1)]);
    asm.exit();
    asm
}

#[test]
fn each_half_holds_whole_warps() {
    // 2048 warp registers: 1024 a half, which hold 24 warps of 41 registers, and 49 together.
    for (banks, warps) in [(1, 49), (2, 48)] {
        let (memory, _) = buffer(1);
        let launch = launch(1, 32);
        let mut run = run(registers(41).executable(), &launch, memory);
        run.preset = preset(true);
        run.preset.register_file.warp_banks = banks;
        assert_eq!(run.sm().expect("fits").occupancy().warps_of_registers, warps);
    }
}

#[test]
fn more_registers_than_the_design_addresses_are_refused() {
    let (memory, _) = buffer(1);
    let launch = launch(1, 32);
    let mut run = run(registers(65).executable(), &launch, memory);
    run.preset = preset(true);
    let error = run.sm().expect_err("65 of 64");
    assert_eq!(error, LaunchError::RegistersOfThread { registers: 65, most: 64 });
    assert!(error.to_string().contains("--max-registers 64"), "{error}");
}

/// Bases, kernel starts, and the order in which warps become active.
#[derive(Default)]
struct Seen {
    bases: Vec<(u8, u16)>,
    activated: Vec<u8>,
    gating: Option<bool>,
    /// Warps that have a base and have not ended.
    live: u64,
    /// Activations of a warp of the same half as the one before, while the other half has warps.
    out_of_turn: usize,
}

impl Observer for Seen {
    fn command(&mut self, _: Cycle, c: &Command) -> Result<(), Stop> {
        match CommandOp::from_code(c.op).expect("known") {
            CommandOp::KernelStart => self.gating = Some(c.gating),
            CommandOp::WarpBase => {
                self.bases.push((c.warp, c.value));
                self.live |= 1 << c.warp;
            }
            CommandOp::Activate => {
                let others = self.live & (0x5555_5555_5555_5555 << (1 - c.warp % 2));
                if self.activated.last().is_some_and(|last| last % 2 == c.warp % 2) && others != 0 {
                    self.out_of_turn += 1;
                }
                self.activated.push(c.warp);
            }
            CommandOp::Exit => self.live &= !(1 << c.warp),
            _ => {}
        }
        Ok(())
    }
}

/// Each thread loads, waits, and stores, `trips` times.
fn loads(trips: u32, threads: u32, out: u32) -> Asm {
    let mut asm = Asm::default();
    prologue(&mut asm, threads, out);
    for _ in 0..trips {
        asm.load(Space::Global, 4, r(1), 0);
        asm.alu(Alu::Add, 4, &[r(4), r(0)]);
        asm.store(Space::Global, r(1), 0, r(4));
    }
    asm.exit();
    asm
}

fn ran(trips: u32, ctas: u32, threads: u32, alternate: bool) -> (Seen, Statistics) {
    let (memory, out) = buffer(ctas * threads);
    let launch = launch(ctas, threads);
    let mut run = run(loads(trips, threads, out).executable(), &launch, memory);
    run.preset = preset(alternate);
    let mut seen = Seen::default();
    let ran = run.go(&mut seen).expect("runs");
    let expected: Vec<u32> = (0..ctas * threads).map(|i| trips * i).collect();
    assert_eq!(words(&ran.memory, out, ctas * threads), expected);
    assert_eq!(ran.most_active, 1);
    (seen, ran.statistics)
}

#[test]
fn registers_of_odd_slots_lie_in_the_upper_half() {
    let (seen, _) = ran(1, 30, 96, true);
    assert_eq!(seen.bases.len(), 90);
    for (warp, base) in seen.bases {
        assert_eq!(base, u16::from(warp % 2) * 1024 + u16::from(warp / 2) * 5, "slot {warp}");
    }
}

#[test]
fn warps_of_the_two_halves_take_turns() {
    let (seen, statistics) = ran(4, 8, 64, true);
    assert!(seen.activated.len() > 40, "{}", seen.activated.len());
    assert_eq!(seen.out_of_turn, 0, "{:?}", seen.activated);
    assert_eq!(statistics.activations, seen.activated.len() as u64);
    let (_, free) = ran(4, 8, 64, false);
    assert_eq!(free.bank_rule_cycles, 0);
}

/// One warp, and three of which two are even: none may wait for a half without a warp.
#[test]
fn a_half_without_warps_is_not_waited_for() {
    for threads in [32, 96] {
        let (seen, statistics) = ran(3, 1, threads, true);
        assert!(seen.activated.contains(&0));
        assert_eq!(seen.out_of_turn, 0);
        assert_eq!(statistics.ctas, 1);
    }
}

#[test]
fn the_time_between_two_active_periods_is_counted() {
    let (seen, statistics) = ran(3, 1, 64, true);
    let first_periods = 2;
    assert_eq!(statistics.returns, seen.activated.len() as u64 - first_periods);
    assert!(statistics.returns > 0 && statistics.inactive_cycles >= statistics.returns);
    assert!(statistics.inactive_cycles + statistics.active_warp_cycles <= 2 * statistics.cycles);
    assert_eq!(seen.gating, Some(false));
}

/// Commands and answers, and issue and end of the instruction at `load`, with their cycles.
#[derive(Default)]
struct Timeline {
    load: u32,
    commands: Vec<(u64, CommandOp, u8)>,
    dones: Vec<(u64, CommandOp, u8)>,
    issued: Vec<(u64, Tag, u8)>,
    loaded: Vec<(u64, u8)>,
}

impl Timeline {
    /// The warps in the order in which they became active.
    fn activated(&self) -> Vec<u8> {
        let activations = self.commands.iter().filter(|(_, op, _)| *op == CommandOp::Activate);
        activations.map(|(_, _, warp)| *warp).collect()
    }

    /// Cycles of the answers to `op`, in their order.
    fn answers(&self, op: CommandOp) -> Vec<(u64, u8)> {
        let answers = self.dones.iter().filter(|(_, other, _)| *other == op);
        answers.map(|(cycle, _, warp)| (*cycle, *warp)).collect()
    }
}

impl Observer for Timeline {
    fn command(&mut self, cycle: Cycle, c: &Command) -> Result<(), Stop> {
        self.commands.push((cycle.0, CommandOp::from_code(c.op).expect("known"), c.warp));
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, d: &Done) -> Result<(), Stop> {
        self.dones.push((cycle.0, CommandOp::from_code(d.op).expect("known"), d.warp));
        Ok(())
    }

    fn warp_issued(&mut self, e: &IssueEvent) -> Result<(), Stop> {
        if e.pc.0 == self.load {
            self.issued.push((e.cycle.0, e.tag, e.slot.0));
        }
        Ok(())
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        if let Some((_, _, warp)) = self.issued.iter().find(|(_, other, _)| *other == tag)
            && self.loaded.iter().all(|(_, other)| other != warp)
        {
            self.loaded.push((cycle.0, *warp));
        }
        Ok(())
    }
}

/// Six warps that load and then compute for longer than a load takes, twice each.
fn long_periods(activation: Activation, alternate: bool) -> Vec<u8> {
    let threads = 6 * 32;
    let (memory, out) = buffer(threads);
    let mut asm = Asm::default();
    prologue(&mut asm, threads, out);
    for _ in 0..2 {
        asm.load(Space::Global, 4, r(1), 0);
        for _ in 0..100 {
            asm.alu(Alu::Add, 4, &[r(4), imm(1)]);
        }
    }
    asm.exit();
    let launch = launch(1, threads);
    let mut run = run(asm.executable(), &launch, memory);
    run.preset = preset(alternate);
    run.preset.scheduler.activation = activation;
    let mut seen = Timeline::default();
    run.go(&mut seen).expect("runs");
    seen.activated()
}

/// All loads are back before the third period begins, so every warp that left is ready.
#[test]
fn warps_become_active_in_the_order_of_the_preset() {
    for alternate in [false, true] {
        let oldest = long_periods(Activation::Oldest, alternate);
        assert_eq!(oldest, [0, 1, 2, 3, 4, 5, 0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5], "{alternate}");
        let turns = long_periods(Activation::RoundRobin, alternate);
        assert_eq!(turns, [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5], "{alternate}");
    }
}

/// Three warps, of slots 0, 1 and 2, that load, add, store and end.
fn three_warps(alternate: bool) -> (Timeline, Statistics) {
    let (memory, out) = buffer(96);
    let mut asm = Asm::default();
    prologue(&mut asm, 96, out);
    let mut seen = Timeline { load: asm.pc().0, ..Timeline::default() };
    asm.load(Space::Global, 4, r(1), 0);
    asm.alu(Alu::Add, 4, &[r(4), r(0)]);
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    let launch = launch(1, 96);
    let mut run = run(asm.executable(), &launch, memory);
    run.preset = preset(alternate);
    let statistics = run.go(&mut seen).expect("runs").statistics;
    assert_eq!(seen.issued.iter().map(|(.., warp)| *warp).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(seen.loaded.iter().map(|(_, warp)| *warp).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(seen.loaded[0].0 > seen.issued[2].0, "every load is issued before the first is done");
    (seen, statistics)
}

/// Warp 2 of the even half is active when the load of warp 0 is done, also of the even half: warp 0 waits for
/// that of warp 1.
#[test]
fn cycles_in_which_a_ready_warp_is_held_back_are_counted() {
    let (seen, statistics) = three_warps(true);
    assert_eq!(seen.activated(), [0, 1, 2, 1, 0, 2]);
    assert_eq!(statistics.bank_rule_cycles, seen.loaded[1].0 - seen.loaded[0].0);
    let (seen, statistics) = three_warps(false);
    assert_eq!(seen.activated(), [0, 1, 2, 0, 1, 2]);
    assert_eq!(statistics.bank_rule_cycles, 0);
}

#[test]
fn cycles_between_and_in_active_periods_are_counted() {
    let (seen, statistics) = three_warps(true);
    let order = |answers: &[(u64, u8)]| answers.iter().map(|(_, warp)| *warp).collect::<Vec<_>>();
    let active = seen.answers(CommandOp::Activate);
    let left = seen.answers(CommandOp::Deactivate);
    let ended = seen.answers(CommandOp::Exit);
    assert_eq!((order(&active), order(&left)), (vec![0, 1, 2, 1, 0, 2], vec![0, 1, 2]));
    assert_eq!(order(&ended), [1, 0, 2]);
    assert_eq!(statistics.returns, 3);
    let [left_0, left_1, left_2] = [0, 1, 2].map(|warp| left[warp].0);
    let away = (active[3].0 - left_1) + (active[4].0 - left_0) + (active[5].0 - left_2);
    assert_eq!(statistics.inactive_cycles, away);
    // Warps 0 and 1 leave two cycles after their load was issued, when the sum behind it is seen to wait. Warp 2
    // does when warp 1 is ready, the cycle after its load is done. The exits take two cycles to be answered.
    let [(issued_0, ..), (issued_1, ..), _] = seen.issued[..] else { panic!("three loads") };
    let ends =
        [issued_0 + 2, issued_1 + 2, seen.loaded[1].0 + 1, ended[0].0 - 2, ended[1].0 - 2, ended[2].0 - 2];
    let periods: u64 = active.iter().zip(ends).map(|((begin, _), end)| end - begin).sum();
    assert_eq!(statistics.active_warp_cycles, periods);
}
