//! Cycles that follow by hand from the configuration.

use heddle_config::{Policy, Preset};
use heddle_isa::{Alu, Space, Type};
use heddle_sm::{IssueEvent, Observer, Stop};

use crate::machine::{FixedTime, preset_with};
use crate::program::{Asm, buffer, imm, launch, r, run};

/// Issue cycles by pc of warp 0.
#[derive(Default)]
struct Issues(Vec<(u32, u64)>);

impl Observer for Issues {
    fn warp_issued(&mut self, e: &IssueEvent) -> Result<(), Stop> {
        if e.warp_in_cta == 0 {
            self.0.push((e.pc.0, e.cycle.0));
        }
        Ok(())
    }
}

/// The Maxwell preset in round robin, with one pipeline for special functions.
fn preset() -> Preset {
    let mut preset = preset_with(Policy::RoundRobin);
    preset.pipeline.sfu.units = 1;
    preset
}

fn distances(asm: Asm, collect: u64) -> Vec<u64> {
    let (memory, _) = buffer(64);
    let launch = launch(1, 32);
    let mut run = run(asm.executable(), &launch, memory);
    run.preset = preset();
    run.design = FixedTime::new(collect, 2);
    let mut issues = Issues::default();
    run.go(&mut issues).expect("runs");
    issues.0.windows(2).map(|w| w[1].1 - w[0].1).collect()
}

#[test]
fn dependent_alu_instructions_are_collect_plus_latency_plus_one_apart() {
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, 0, &[imm(1)]);
    asm.alu(Alu::Add, 0, &[r(0), imm(1)]);
    asm.alu(Alu::Add, 0, &[r(0), imm(1)]);
    asm.alu(Alu::Add, 1, &[imm(1), imm(1)]);
    asm.exit();
    // Operands come out `collect` cycles after issue; a latency later the result is written; the next
    // cycle can read it. An independent instruction follows at once.
    let apart = 3 + u64::from(preset().pipeline.int.latency) + 1;
    assert_eq!(distances(asm, 3), [apart, apart, 1, 1]);
}

#[test]
fn special_functions_take_their_latency_and_interval() {
    let mut asm = Asm::default();
    for n in 0..3 {
        asm.alu_of(Alu::Rcp, Type::F32, n, &[imm(0x3F80_0000)]);
    }
    asm.alu(Alu::Add, 4, &[r(2), imm(0)]);
    asm.exit();
    // The third begins two intervals after the first, and was issued two cycles after it.
    let sfu = preset().pipeline.sfu;
    let apart = u64::from(2 * sfu.interval - 2 + 1 + sfu.latency + 1);
    assert_eq!(distances(asm, 1), [1, 1, apart, 1]);
}

#[test]
fn an_l1_hit_takes_its_latency() {
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    asm.load(Space::Global, 0, imm(out), 0);
    asm.alu(Alu::Add, 1, &[r(0), imm(0)]);
    asm.load(Space::Global, 2, imm(out), 0);
    asm.alu(Alu::Add, 3, &[r(2), imm(0)]);
    asm.exit();
    let launch = launch(1, 32);
    let mut run = run(asm.executable(), &launch, memory);
    run.preset = preset_with(Policy::RoundRobin);
    run.design = FixedTime::new(1, 2);
    let mut issues = Issues::default();
    run.go(&mut issues).expect("runs");
    let at: Vec<u64> = issues.0.iter().map(|(_, cycle)| *cycle).collect();
    // Hit: operands one cycle after issue, look-up in the cycle after, 82 cycles, one for the response
    // register, one for the result.
    assert_eq!(at[3] - at[2], 1 + 1 + 82 + 1 + 1);
    // Miss: networks, L2 and DRAM, whose row is empty, more than the look-up; beside them some cycles of registers.
    let p = &run.preset;
    let row = p.dram.core_cycles(p.dram.rcd, p.gpu.core_mhz) + p.dram.core_cycles(p.dram.cl, p.gpu.core_mhz);
    let networks = p.interconnect.request_delay + p.interconnect.reply_delay;
    let hops = row + u64::from(networks + p.l2.latency + p.dram.latency);
    let miss = at[1] - at[0];
    assert!((hops..hops + 40).contains(&miss), "{miss} for {hops}");
}

#[test]
fn shared_memory_takes_its_latency_and_conflicts() {
    let time = |stride: u32| {
        let mut asm = Asm { shared_bytes: 4096, ..Asm::default() };
        asm.alu(Alu::Mul, 1, &[crate::program::TID, imm(stride)]);
        asm.load(Space::Shared, 0, r(1), 0);
        asm.alu(Alu::Add, 2, &[r(0), imm(0)]);
        asm.exit();
        distances(asm, 1)[1]
    };
    assert_eq!(time(4), 1 + 1 + 24 + 1 + 1);
    assert_eq!(time(128), time(4) + 31);
    assert_eq!(time(0), time(4));
}

#[test]
fn two_warps_fill_both_schedulers() {
    let mut asm = Asm::default();
    for n in 0..40 {
        asm.alu(Alu::Mov, n, &[imm(n)]);
    }
    asm.exit();
    let (memory, _) = buffer(1);
    let launch = launch(1, 128);
    let mut run = run(asm.executable(), &launch, memory);
    run.design = FixedTime::new(1, 1);
    let slots = u64::from(run.preset.sm.warps);
    let ran = run.go(&mut ()).expect("runs");
    let s = ran.statistics;
    assert_eq!(s.warp_instructions, 4 * 41);
    assert!(s.cycles < 125, "{} cycles for 164 instructions at two a cycle", s.cycles);
    assert_eq!(s.stalls.sum() + s.warp_instructions, 2 * s.cycles, "each scheduler-cycle is counted once");
    assert_eq!(s.warps.sum(), slots * s.cycles, "each warp-slot cycle is counted once");
}

#[test]
fn a_load_waits_for_a_place_in_the_load_store_unit() {
    // With one place, a load issues after all lanes of the one before have been looked up: operands two cycles
    // after its issue, and then the look-up.
    for (places, least) in [(32, 1), (1, 3)] {
        let (memory, out) = buffer(64);
        let mut asm = Asm::default();
        for register in 0..3 {
            asm.load(Space::Global, register, imm(out), 0);
        }
        asm.exit();
        let launch = launch(1, 32);
        let mut run = run(asm.executable(), &launch, memory);
        run.preset = preset_with(Policy::RoundRobin);
        run.preset.sm.memory_instructions = places;
        run.design = FixedTime::new(2, 2);
        let mut issues = Issues::default();
        run.go(&mut issues).expect("runs");
        let at: Vec<u64> = issues.0.iter().map(|(_, cycle)| *cycle).collect();
        let apart = at[1] - at[0];
        assert_eq!((apart, apart > 1), (at[2] - at[1], places == 1), "{places} places");
        assert!(apart >= least, "{places} places: {apart}");
    }
}

/// Warps of the loads in the order of their issue.
#[derive(Default)]
struct Loads(Vec<u32>);

impl Observer for Loads {
    fn warp_issued(&mut self, e: &IssueEvent) -> Result<(), Stop> {
        if e.pc.0 < 8 {
            self.0.push(e.warp_in_cta);
        }
        Ok(())
    }
}

/// Of eight loads, those of the first of two warps; operands take `collect` cycles.
fn loads_of_the_first_warp(collect: u64) -> usize {
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    for register in 0..8 {
        asm.load(Space::Global, register, imm(out), 0);
    }
    asm.exit();
    let launch = launch(1, 64);
    let mut run = run(asm.executable(), &launch, memory);
    run.preset = preset_with(Policy::RoundRobin);
    run.preset.sm.memory_instructions = 1;
    run.design = FixedTime::new(collect, 2);
    let mut loads = Loads::default();
    run.go(&mut loads).expect("runs");
    loads.0[..8].iter().filter(|warp| **warp == 0).count()
}

#[test]
fn schedulers_take_turns_at_what_they_share() {
    // A warp a scheduler, and one place in the load-store unit. With one of two times of the operands it gets free in every
    // odd number of cycles, so that one scheduler after the other is first.
    let of_first = [1, 2].map(loads_of_the_first_warp);
    assert!(of_first.iter().any(|loads| (3..=5).contains(loads)), "{of_first:?}");
}
