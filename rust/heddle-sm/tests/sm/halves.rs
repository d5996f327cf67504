//! A register file in two halves, for even and odd warp slots, and one active warp at a time.

use heddle_config::{Policy, Preset};
use heddle_isa::{Alu, Space};
use heddle_port::{Command, CommandOp, Cycle};
use heddle_sm::{LaunchError, Observer, Stop};

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

fn ran(trips: u32, ctas: u32, threads: u32, alternate: bool) -> (Seen, heddle_sm::Statistics) {
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
