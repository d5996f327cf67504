//! Divergence, loops, barriers.

use heddle_config::Policy;
use heddle_isa::{Alu, CacheOp, Cmp, Op, Pc, Pred, PredOperand, Space, Type};

use crate::machine::preset_with;
use crate::program::{Asm, TID, buffer, imm, launch, prologue, r, run, words};

#[test]
fn a_diamond_reconverges() {
    // out[i] = (i odd ? i * 3 : i + 1000) + 1
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.alu(Alu::And, 5, &[r(0), imm(1)]);
    asm.setp(Cmp::Eq, 0, r(5), imm(1));
    let fork = asm.pc();
    asm.branch(Some((0, false)), Pc(0), None);
    asm.alu(Alu::Add, 4, &[r(0), imm(1000)]);
    let skip = asm.pc();
    asm.branch(None, Pc(0), None);
    let odd = asm.pc();
    asm.alu(Alu::Mul, 4, &[r(0), imm(3)]);
    let join = asm.pc();
    asm.alu(Alu::Add, 4, &[r(4), imm(1)]);
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    asm.patch(fork, odd, Some(join));
    asm.patch(skip, join, None);
    let launch = launch(1, 64);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..64).map(|i| if i % 2 == 1 { 3 * i + 1 } else { i + 1001 }).collect();
    assert_eq!(words(&ran.memory, out, 64), expected);
    assert_eq!(ran.statistics.divergent_branches, 2);
}

#[test]
fn lanes_leave_a_loop_one_after_the_other() {
    // out[i] = sum of 0..=i, with a loop of i + 1 trips.
    let (memory, out) = buffer(64);
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.alu(Alu::Mov, 4, &[imm(0)]);
    asm.alu(Alu::Mov, 5, &[imm(0)]);
    let head = asm.pc();
    asm.alu(Alu::Add, 4, &[r(4), r(5)]);
    asm.alu(Alu::Add, 5, &[r(5), imm(1)]);
    asm.setp(Cmp::Le, 0, r(5), r(0));
    let back = asm.pc();
    asm.branch(Some((0, false)), head, Some(back.next()));
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    let launch = launch(1, 64);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..64).map(|i| i * (i + 1) / 2).collect();
    assert_eq!(words(&ran.memory, out, 64), expected);
}

#[test]
fn lanes_that_exit_early_leave_the_others_alone() {
    let (memory, out) = buffer(32);
    let mut asm = Asm::default();
    prologue(&mut asm, 32, out);
    asm.setp(Cmp::Lt, 0, r(0), imm(20));
    asm.exit().guard = Some(heddle_isa::Guard { pred: heddle_isa::Pred(0), negated: false });
    asm.store(Space::Global, r(1), 0, r(0));
    asm.exit();
    let launch = launch(1, 32);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..32).map(|i| if i < 20 { 0 } else { i }).collect();
    assert_eq!(words(&ran.memory, out, 32), expected);
}

/// Each thread writes its shared word, and after the barrier reads the one of the mirrored thread.
fn mirror(out: u32, threads: u32) -> Asm {
    let mut asm = Asm { shared_bytes: threads * 4, ..Asm::default() };
    prologue(&mut asm, threads, out);
    asm.alu(Alu::Mov, 3, &[TID]);
    asm.alu(Alu::Mul, 4, &[r(3), imm(4)]);
    asm.store(Space::Shared, r(4), 0, r(0));
    asm.barrier(0);
    asm.alu(Alu::Sub, 5, &[imm(threads * 4 - 4), r(4)]);
    asm.load(Space::Shared, 6, r(5), 0);
    asm.store(Space::Global, r(1), 0, r(6));
    asm.exit();
    asm
}

#[test]
fn barriers_order_the_accesses_of_more_warps_than_can_be_active() {
    for policy in [Policy::TwoLevel, Policy::Gto] {
        let (threads, ctas) = (768, 5);
        let (memory, out) = buffer(threads * ctas);
        let launch = launch(ctas, threads);
        let mut run = run(mirror(out, threads).executable(), &launch, memory);
        run.preset = preset_with(policy);
        let ran = run.go(&mut ()).expect("runs");
        let expected: Vec<u32> =
            (0..ctas).flat_map(|c| (0..threads).map(move |t| c * threads + threads - 1 - t)).collect();
        assert_eq!(words(&ran.memory, out, threads * ctas), expected);
        assert_eq!(ran.statistics.barriers, u64::from(ctas));
        if policy == Policy::TwoLevel {
            assert_eq!(ran.most_active, 8);
            let causes = ran.statistics.intervals.deactivations;
            assert!(causes.barrier > 0);
            assert_eq!(causes.barrier + causes.memory, ran.statistics.deactivations);
        } else {
            assert!(ran.most_active > 8);
            assert_eq!(ran.statistics.deactivations, 0);
        }
    }
}

#[test]
fn warps_that_ended_are_not_waited_for() {
    // Warps 2 and 3 exit before the barrier of warps 0 and 1.
    let (memory, out) = buffer(128);
    let mut asm = Asm::default();
    prologue(&mut asm, 128, out);
    asm.setp(Cmp::Ge, 0, r(0), imm(64));
    asm.exit().guard = Some(heddle_isa::Guard { pred: heddle_isa::Pred(0), negated: false });
    asm.barrier(3);
    asm.store(Space::Global, r(1), 0, imm(9));
    asm.exit();
    let launch = launch(1, 128);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..128).map(|i| if i < 64 { 9 } else { 0 }).collect();
    assert_eq!(words(&ran.memory, out, 128), expected);
}

#[test]
fn a_barrier_waits_for_stores_whose_operands_come_late() {
    // The store has five sources to collect, the load of the other warp after the barrier one.
    let threads = 64;
    let (memory, out) = buffer(threads);
    let mut asm = Asm { shared_bytes: threads * 16, ..Asm::default() };
    prologue(&mut asm, threads, out);
    asm.alu(Alu::Mul, 4, &[r(0), imm(16)]);
    asm.alu(Alu::Sub, 5, &[imm(threads * 16 - 16), r(4)]);
    let store = asm.push(Op::St { space: Space::Shared, ty: Type::U32, vector: 4, cache: CacheOp::Ca });
    store.srcs.extend_from_slice(&[r(4), r(0), r(0), r(0), r(0)]);
    asm.barrier(0);
    asm.load(Space::Shared, 6, r(5), 0);
    asm.store(Space::Global, r(1), 0, r(6));
    asm.exit();
    let launch = launch(1, threads);
    let mut run = run(asm.executable(), &launch, memory);
    run.design.collect_by_sources = 15;
    let ran = run.go(&mut ()).expect("runs");
    assert_eq!(words(&ran.memory, out, threads), (0..threads).rev().collect::<Vec<u32>>());
}

#[test]
fn predicates_of_waiting_lanes_stay() {
    // P1 = i < 16; odd lanes set it to false in a branch; out[i] = P1 ? 1 : 2.
    let (memory, out) = buffer(32);
    let mut asm = Asm::default();
    prologue(&mut asm, 32, out);
    asm.setp(Cmp::Lt, 1, r(0), imm(16));
    asm.alu(Alu::And, 5, &[r(0), imm(1)]);
    asm.setp(Cmp::Eq, 0, r(5), imm(0));
    let fork = asm.pc();
    asm.branch(Some((0, false)), Pc(0), None);
    asm.setp(Cmp::Lt, 1, r(0), imm(0));
    let join = asm.pc();
    asm.patch(fork, join, Some(join));
    let select = asm.push(Op::Selp { ty: Type::U32 });
    select.dsts.push(heddle_port::Reg(4));
    select.srcs.extend_from_slice(&[imm(1), imm(2)]);
    select.pred_srcs.push(PredOperand::Reg { pred: Pred(1), negated: false });
    asm.store(Space::Global, r(1), 0, r(4));
    asm.exit();
    let launch = launch(1, 32);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    let expected: Vec<u32> = (0..32).map(|i| if i < 16 && i % 2 == 0 { 1 } else { 2 }).collect();
    assert_eq!(words(&ran.memory, out, 32), expected);
}
