//! Occupancy, CTA choice, two-level scheduling, register-intervals.

use heddle_config::Policy;
use heddle_isa::{Alu, Space};
use heddle_port::{Command, CommandOp, Cycle};
use heddle_sm::{CtaChoice, CtaEvent, LaunchError, Observer, OccupancyLimit, Stop};

use crate::machine::{FixedTime, preset_with};
use crate::program::{Asm, buffer, imm, launch, prologue, r, run, with_intervals, words};

fn program(registers: u32, shared_bytes: u32) -> Asm {
    let mut asm = Asm { shared_bytes, ..Asm::default() };
    asm.alu(Alu::Mov, registers - 1, &[imm(1)]);
    asm.exit();
    asm
}

#[test]
fn occupancy_follows_the_first_limit() {
    use OccupancyLimit::{Ctas, Registers, SharedMemory, Warps};
    // (registers, shared bytes, threads) -> (CTAs, limit); 64 warps, 32 CTAs, 2048 warp registers,
    // 65536 bytes of shared memory.
    for ((registers, shared, threads), expected) in [
        ((16, 0, 32), (32, Ctas)),
        ((16, 0, 256), (8, Warps)),
        ((32, 0, 256), (8, Warps)),
        ((33, 0, 256), (7, Registers)),
        ((255, 0, 64), (4, Registers)),
        ((16, 20_000, 128), (3, SharedMemory)),
        ((16, 0, 1000), (2, Warps)),
    ] {
        let (memory, _) = buffer(1);
        let launch = launch(1, threads);
        let sm = run(program(registers, shared).executable(), &launch, memory).sm().expect("fits");
        let o = sm.occupancy();
        assert_eq!((o.ctas, o.limit), expected, "{registers} registers, {shared} bytes, {threads} threads");
    }
}

/// Cycles in which CTAs start.
#[derive(Default)]
struct Starts(Vec<u64>);

impl Observer for Starts {
    fn cta_started(&mut self, e: &CtaEvent) -> Result<(), Stop> {
        self.0.push(e.cycle.0);
        Ok(())
    }
}

#[test]
fn ctas_start_an_interval_apart_while_they_have_room() {
    for interval in [1, 7] {
        let (memory, _) = buffer(1);
        let launch = launch(6, 64);
        let mut run = run(program(16, 0).executable(), &launch, memory);
        run.preset.sm.cta_interval = interval;
        let mut starts = Starts::default();
        run.go(&mut starts).expect("runs");
        let apart: Vec<u64> = starts.0.windows(2).map(|w| w[1] - w[0]).collect();
        assert_eq!(apart, [u64::from(interval); 5]);
    }
}

/// Table 1 of the racetrack paper: block size, registers per thread -> blocks, occupancy and register
/// utilization in percent, on the SM of its table 2.
#[test]
fn occupancy_and_register_utilization_are_those_of_table_1() {
    for (name, threads, registers, blocks, occupancy, utilization) in [
        ("hotspot", 256, 60, 2, 33.0, 93.75),
        ("b+tree", 256, 30, 4, 67.0, 93.75),
        ("histo_final", 512, 41, 1, 33.0, 64.06),
        ("histo_main", 768, 22, 1, 50.0, 51.56),
        ("mri-gridding", 256, 40, 3, 50.0, 93.75),
    ] {
        let (memory, _) = buffer(1);
        let launch = launch(1, threads);
        let mut run = run(program(registers, 0).executable(), &launch, memory);
        run.preset = heddle_config::load("fermi").expect("the preset ships");
        let o = *run.sm().expect("fits").occupancy();
        let share = 100.0 * f64::from(o.warps()) / f64::from(run.preset.sm.warps);
        assert_eq!((o.ctas, share.round()), (blocks, occupancy), "{name}");
        assert_eq!((1e4 * o.register_utilization()).round() / 100.0, utilization, "{name}");
    }
}

#[test]
fn registers_are_rounded_to_the_granularity() {
    let (memory, _) = buffer(1);
    let launch = launch(1, 256);
    let mut run = run(program(33, 0).executable(), &launch, memory);
    run.preset.sm.register_granularity = 8;
    let o = *run.sm().expect("fits").occupancy();
    assert_eq!((o.registers_per_warp, o.ctas), (40, 6));
}

#[test]
fn a_cta_that_does_not_fit_is_refused_with_the_numbers() {
    let refuse = |registers, shared, threads| {
        let (memory, _) = buffer(1);
        let launch = launch(1, threads);
        let sm = run(program(registers, shared).executable(), &launch, memory).sm();
        sm.expect_err("does not fit")
    };
    assert_eq!(
        refuse(100, 0, 1024),
        LaunchError::Registers { warps: 32, per_warp: 100, needed: 3200, available: 2048 }
    );
    assert_eq!(refuse(4, 70_000, 32), LaunchError::Shared { needed: 70_000, available: 65_536 });
    assert_eq!(refuse(4, 0, 2049), LaunchError::Warps { threads: 2049, needed: 65, available: 64 });
    assert!(matches!(refuse(4, 0, 0), LaunchError::Empty { .. }));
}

#[derive(Default)]
struct Seen {
    ctas: Vec<u64>,
    finished: Vec<u64>,
    resident: usize,
    most_resident: usize,
    commands: Vec<(CommandOp, u8, u16)>,
    bases: Vec<u16>,
}

impl Observer for Seen {
    fn cta_started(&mut self, e: &CtaEvent) -> Result<(), Stop> {
        self.ctas.push(e.cta);
        self.resident += 1;
        self.most_resident = self.most_resident.max(self.resident);
        Ok(())
    }

    fn cta_finished(&mut self, e: &CtaEvent) -> Result<(), Stop> {
        self.finished.push(e.cta);
        self.resident -= 1;
        Ok(())
    }

    fn command(&mut self, _: Cycle, c: &Command) -> Result<(), Stop> {
        let op = CommandOp::from_code(c.op).expect("known");
        if op == CommandOp::WarpBase {
            self.bases.push(c.value);
        }
        self.commands.push((op, c.warp, c.interval));
        Ok(())
    }
}

#[test]
fn every_nth_cta_runs_and_warps_have_their_own_registers() {
    let (memory, out) = buffer(64 * 100);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.store(Space::Global, r(1), 0, imm(1));
    asm.exit();
    let launch = launch(100, 64);
    let mut run = run(asm.executable(), &launch, memory);
    run.ctas = CtaChoice::EveryNth { n: 24, first: 3 };
    let mut seen = Seen::default();
    let ran = run.go(&mut seen).expect("runs");
    assert_eq!(seen.ctas, [3, 27, 51, 75, 99]);
    seen.finished.sort_unstable();
    assert_eq!(seen.finished, seen.ctas);
    let sums: Vec<u32> = words(&ran.memory, out, 6400).chunks(64).map(|c| c.iter().sum()).collect();
    assert!((0..100).all(|c| sums[c] == if c % 24 == 3 { 64 } else { 0 }));
    let mut bases = seen.bases.clone();
    bases.sort_unstable();
    assert_eq!(bases, (0..10).map(|w| w * 4).collect::<Vec<u16>>());
    assert_eq!(seen.commands[0].0, CommandOp::KernelStart);
}

#[test]
fn resident_ctas_never_exceed_the_occupancy() {
    let (memory, out) = buffer(256 * 40);
    let mut asm = Asm { shared_bytes: 20_000, ..Asm::default() };
    prologue(&mut asm, 256, out);
    asm.store(Space::Global, r(1), 0, r(0));
    asm.exit();
    let launch = launch(40, 256);
    let mut seen = Seen::default();
    let ran = run(asm.executable(), &launch, memory).go(&mut seen).expect("runs");
    assert_eq!(seen.most_resident, 3);
    assert_eq!(words(&ran.memory, out, 10_240), (0..10_240).collect::<Vec<u32>>());
}

/// A loop whose two halves lie in two intervals: the working set changes twice a trip.
fn two_intervals(out: u32) -> heddle_isa::Executable {
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.alu(Alu::Mov, 4, &[imm(0)]);
    let head = asm.pc();
    asm.alu(Alu::Add, 4, &[r(4), r(0)]);
    let second = asm.pc();
    asm.alu(Alu::Add, 5, &[r(4), imm(1)]);
    asm.alu(Alu::Mov, 4, &[r(5)]);
    asm.setp(heddle_isa::Cmp::Lt, 0, r(4), imm(500));
    let back = asm.pc();
    asm.branch(Some((0, false)), head, Some(back.next()));
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    with_intervals(asm.executable(), &[(0, &[0, 1, 2, 3, 4]), (second.0, &[1, 4, 5])])
}

#[test]
fn a_warp_prefetches_before_it_issues_in_another_interval() {
    struct Resident(Vec<Option<u16>>, u32);
    impl Observer for Resident {
        fn done(&mut self, _: Cycle, d: &heddle_port::Done) -> Result<(), Stop> {
            match CommandOp::from_code(d.op) {
                Some(CommandOp::Prefetch) => self.0[usize::from(d.warp)] = Some(d.interval),
                Some(CommandOp::WarpBase) => self.0[usize::from(d.warp)] = None,
                _ => {}
            }
            Ok(())
        }
        fn warp_issued(&mut self, e: &heddle_sm::IssueEvent) -> Result<(), Stop> {
            if e.through_port {
                let interval = u16::from(e.pc.0 >= 6);
                assert_eq!(self.0[e.slot.index()], Some(interval), "pc {}", e.pc);
                self.1 += 1;
            }
            Ok(())
        }
    }
    let (memory, out) = buffer(64 * 20);
    let launch = launch(20, 64);
    for policy in [Policy::TwoLevel, Policy::Gto] {
        let mut run = run(two_intervals(out), &launch, memory.clone());
        run.preset = preset_with(policy);
        run.design = FixedTime::new(3, 12);
        let mut resident = Resident(vec![None; 64], 0);
        let ran = run.go(&mut resident).expect("runs");
        assert_eq!(ran.most_active, 8, "intervals limit the active warps under any policy");
        let prefetches = ran.statistics.prefetches;
        assert!(resident.1 > 0 && prefetches > 40);
        // The design answers after 12 cycles; no two of the six registers are equal modulo 16, and each of the 40
        // warps could have all of them at once.
        let intervals = ran.statistics.intervals;
        assert_eq!(
            (intervals.prefetch_cycles.to_15, intervals.prefetch_cycles.sum),
            (prefetches, 12 * prefetches)
        );
        assert_eq!((intervals.prefetch_conflicts.none, intervals.prefetch_conflicts.sum), (prefetches, 0));
        assert_eq!(intervals.optimal, 40);
        let expected: Vec<u32> = (0..1280)
            .map(|i: u32| {
                let mut v = 0;
                loop {
                    v += i + 1;
                    if v >= 500 {
                        return v;
                    }
                }
            })
            .collect();
        assert_eq!(words(&ran.memory, out, 1280), expected);
    }
}

#[test]
fn a_warp_that_waits_for_a_load_gives_its_place_to_another() {
    let (memory, out) = buffer(64 * 32);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.load(Space::Global, 4, r(1), 0);
    asm.alu(Alu::Add, 4, &[r(4), r(0)]);
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    let launch = launch(32, 64);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    assert_eq!(words(&ran.memory, out, 2048), (0..2048).collect::<Vec<u32>>());
    assert_eq!(ran.most_active, 8);
    let s = ran.statistics;
    assert!(s.deactivations >= 40, "{}", s.deactivations);
    assert_eq!(s.activations, s.deactivations + 64);
    assert_eq!((s.intervals.deactivations.memory, s.intervals.deactivations.barrier), (s.deactivations, 0));
    assert_eq!(s.intervals.optimal, 0, "no intervals");
}

#[test]
fn chosen_ctas_are_counted_without_listing_them() {
    for (choice, grid) in [
        (CtaChoice::All, 7),
        (CtaChoice::EveryNth { n: 3, first: 0 }, 7),
        (CtaChoice::EveryNth { n: 3, first: 2 }, 9),
        (CtaChoice::EveryNth { n: 4, first: 9 }, 9),
    ] {
        assert_eq!(choice.count(grid), choice.ctas(grid).count() as u64, "{choice:?} of {grid}");
    }
    assert_eq!(CtaChoice::EveryNth { n: 2, first: 0 }.count(u64::MAX), 1 << 63);
}
