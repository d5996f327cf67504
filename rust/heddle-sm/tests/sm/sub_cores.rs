//! A register file for each scheduler: bases, occupancy, and slots that belong to a sub-core.

use heddle_config::{Policy, Preset};
use heddle_isa::{Alu, KernelLaunch};
use heddle_port::{Command, CommandOp, Cycle};
use heddle_sm::{LaunchError, Observer, Stop};

use crate::machine::{Run, preset_with};
use crate::program::{Asm, buffer, imm, launch, r, run};

/// Maxwell with two schedulers of which each has a file.
fn preset(policy: Policy) -> Preset {
    let mut preset = preset_with(policy);
    preset.scheduler.schedulers = 2;
    preset.register_file.sub_cores = 2;
    preset
}

/// A chain of additions on `registers` registers.
fn chain(registers: u32) -> Asm {
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, registers - 1, &[imm(1)]);
    for target in 0..8 {
        asm.alu(Alu::Add, target, &[r(registers - 1), imm(target)]);
    }
    asm.exit();
    asm
}

fn run_of(registers: u32, launch: &KernelLaunch) -> Run<'_> {
    let (memory, _) = buffer(1);
    let mut run = run(chain(registers).executable(), launch, memory);
    run.preset = preset(Policy::Gto);
    run.design.sub_cores = 2;
    run
}

/// Warp slots and their bases.
#[derive(Default)]
struct Bases(Vec<(u8, u16)>);

impl Observer for Bases {
    fn command(&mut self, _: Cycle, command: &Command) -> Result<(), Stop> {
        if CommandOp::from_code(command.op) == Some(CommandOp::WarpBase) {
            self.0.push((command.warp, command.value));
        }
        Ok(())
    }
}

#[test]
fn every_file_begins_at_zero_and_no_slot_serves_another_sub_core() {
    let launch = launch(12, 96);
    let mut bases = Bases::default();
    let ran = run_of(33, &launch).go(&mut bases).expect("runs");
    assert_eq!(bases.0.len(), 36);
    for &(warp, base) in &bases.0 {
        assert_eq!(base, u16::from(warp / 2) * 33, "warp slot {warp}");
    }
    assert_eq!(ran.statistics.results_written, 36 * 9);
}

#[test]
fn each_file_holds_whole_warps() {
    let launch = launch(1, 32);
    // 2048 warp registers hold 49 warps of 41; 1024 hold 24.
    for (sub_cores, warps) in [(1, 49), (2, 48)] {
        let mut run = run_of(41, &launch);
        run.preset.register_file.sub_cores = sub_cores;
        assert_eq!(run.sm().expect("fits").occupancy().warps_of_registers, warps);
    }
}

#[test]
fn sub_cores_need_a_scheduler_each_and_warps_that_stay_with_it() {
    let launch = launch(1, 32);
    let refused = |change: &dyn Fn(&mut Preset)| {
        let mut run = run_of(9, &launch);
        change(&mut run.preset);
        run.sm().expect_err("is refused")
    };
    let what = |error: LaunchError| match error {
        LaunchError::Configuration { what, value, .. } => (what, value),
        other => panic!("{other}"),
    };
    assert_eq!(what(refused(&|p| p.scheduler.schedulers = 1)), ("scheduler.schedulers", 1));
    let two_level = refused(&|p| p.scheduler.policy = Policy::TwoLevel);
    assert!(two_level.to_string().contains("two-level"), "{two_level}");
    assert_eq!(what(two_level), ("register_file.sub_cores", 2));
    assert_eq!(what(refused(&|p| p.register_file.sub_cores = 4)), ("scheduler.schedulers", 2));
}
