//! What is wrong with a kernel is found, and named with thread and line.

use heddle_functional::{AccessKind, GoldenError};
use heddle_isa::{Alu, BarrierKind, Cmp, Op, Space, Type};

use crate::common::{Builder, OUT, TID, WARP, imm, own_word, r, run};

fn fails(b: &Builder, ctas: u32, threads: u32) -> GoldenError {
    run(b, ctas, threads, 64).expect_err("the kernel is wrong")
}

#[test]
fn uninitialised_reads() {
    let mut b = Builder::default();
    b.shared(64).setp(Cmp::Eq, 0, TID, imm(3)).ld(Space::Shared, 1, imm(12)).when(0, false).exit();
    match fails(&b, 1, 32) {
        GoldenError::UninitialisedRead { at, space: Space::Shared, address: 12, bytes: 4, .. } => {
            assert_eq!((at.thread, at.line, at.text.as_str()), ([3, 0, 0], 2, "ld.Shared R1"));
        }
        other => panic!("{other}"),
    }
    let mut memory = heddle_isa::DeviceMemory::new();
    memory.allocate("fresh", 64).expect("room");
    memory.store(u64::from(OUT), 4, 1).expect("inside");
    let mut b = Builder::default();
    b.alu(Alu::Mad, 0, &[TID, imm(4), imm(OUT.into())]).ld(Space::Global, 1, r(0)).exit();
    let launch = crate::common::launch(1, 2);
    let mut golden = heddle_functional::Golden::new(b.program(), &launch, memory).expect("launch");
    let error = golden.run_all(0..1, None).expect_err("thread 1 reads nothing");
    let text = error.to_string();
    assert!(text.contains("thread (1,0,0)") && text.contains("'fresh' + 4"), "{text}");
}

#[test]
fn undefined_registers() {
    let mut b = Builder::default();
    b.setp(Cmp::Lt, 0, TID, imm(4))
        .alu(Alu::Mov, 1, &[imm(1)])
        .when(0, false)
        .alu(Alu::Add, 2, &[r(1), imm(1)])
        .exit();
    match fails(&b, 1, 32) {
        GoldenError::UndefinedRead { at, register, lanes, .. } => {
            assert_eq!((at.line, register.0, lanes.0), (3, 1, 0xffff_fff0))
        }
        other => panic!("{other}"),
    }
}

#[test]
fn races_between_warps() {
    // Warp 1 reads what warp 0 writes, without a barrier.
    let mut b = Builder::default();
    b.shared(8)
        .setp(Cmp::Eq, 0, TID, imm(0))
        .setp(Cmp::Eq, 1, TID, imm(32))
        .st(Space::Shared, imm(4), imm(9))
        .when(0, false)
        .ld(Space::Shared, 1, imm(4))
        .when(1, false)
        .exit();
    match fails(&b, 1, 64) {
        GoldenError::Race { at, kind, other, other_kind, address } => {
            assert_eq!((at.thread[0], at.line, kind), (32, 4, AccessKind::Load));
            assert_eq!((other.thread[0], other.line, other_kind), (0, 3, AccessKind::Store));
            assert_eq!(address, 4);
        }
        other => panic!("{other}"),
    }
    // With a barrier in between it is none.
    let mut b = Builder::default();
    b.shared(8)
        .setp(Cmp::Eq, 0, TID, imm(0))
        .st(Space::Shared, imm(4), imm(9))
        .when(0, false)
        .bar()
        .ld(Space::Shared, 1, imm(4))
        .exit();
    run(&b, 1, 64, 1).expect("no race");
    // A write after a read of another warp.
    let mut b = Builder::default();
    b.shared(8)
        .setp(Cmp::Eq, 0, WARP, imm(0))
        .st(Space::Shared, imm(4), imm(9))
        .when(0, false)
        .bar()
        .ld(Space::Shared, 1, imm(4))
        .setp(Cmp::Eq, 0, WARP, imm(1))
        .st(Space::Shared, imm(4), imm(1))
        .when(0, false)
        .exit();
    match fails(&b, 1, 64) {
        // Warp 1 completes the barrier and goes on first.
        GoldenError::Race { at, other, .. } => assert_eq!((at.line, other.line), (4, 6)),
        other => panic!("{other}"),
    }
}

#[test]
fn atomics_race_only_with_plain_accesses() {
    let mut b = Builder::default();
    b.shared(8)
        .setp(Cmp::Eq, 0, WARP, imm(0))
        .st(Space::Shared, imm(0), imm(0))
        .when(0, false)
        .bar()
        .atom_add(Space::Shared, &[1], imm(0), imm(1))
        .exit();
    run(&b, 1, 96, 1).expect("atomics do not race with each other");
    b.last().op = Op::Nop;
    b.ld(Space::Shared, 2, imm(0)).exit();
    match fails(&b, 1, 96) {
        GoldenError::Race { kind, other_kind, .. } => {
            let both = [kind, other_kind];
            assert!(both.contains(&AccessKind::Atomic) && both.contains(&AccessKind::Load));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn lanes_of_one_store_race_by_value() {
    let mut b = Builder::default();
    b.shared(8).st(Space::Shared, imm(0), imm(7)).exit();
    run(&b, 1, 32, 1).expect("all write the same");
    let mut b = Builder::default();
    b.shared(8).st(Space::Shared, imm(0), TID).exit();
    match fails(&b, 1, 32) {
        GoldenError::Race { at, other, .. } => assert_eq!((at.lane, other.lane), (Some(1), Some(0))),
        other => panic!("{other}"),
    }
}

#[test]
fn byte_accesses_of_one_word_do_not_race() {
    let byte = |op: fn(Type) -> Op| op(Type::U8);
    let mut b = Builder::default();
    b.shared(4).op(
        "st.shared.u8",
        byte(|ty| Op::St { space: Space::Shared, ty, vector: 1, cache: Default::default() }),
        &[],
        &[r(0), WARP],
    );
    let mut c = Builder::default();
    c.shared(4).alu(Alu::Mov, 0, &[WARP]);
    let store = b.last().clone();
    c.op("st.shared.u8", store.op, &[], &[r(0), WARP]).exit();
    run(&c, 1, 128, 1).expect("each warp has its byte");
}

#[test]
fn bounds_and_alignment() {
    let mut b = Builder::default();
    own_word(&mut b, 32).st(Space::Global, r(0), imm(1)).offset(4 * 60).exit();
    match fails(&b, 1, 32) {
        GoldenError::OutOfBounds { at, address, .. } => {
            assert_eq!((at.thread[0], address), (4, u64::from(OUT) + 256));
        }
        other => panic!("{other}"),
    }
    let mut b = Builder::default();
    b.shared(16).st(Space::Shared, imm(16), imm(1)).exit();
    assert!(matches!(fails(&b, 1, 1), GoldenError::OutOfBounds { space: Space::Shared, address: 16, .. }));
    let mut b = Builder::default();
    b.local(20).st(Space::Local, imm(20), imm(1)).exit();
    assert!(matches!(fails(&b, 1, 1), GoldenError::OutOfBounds { space: Space::Local, .. }));
    let mut b = Builder::default();
    own_word(&mut b, 32).ld(Space::Global, 1, r(0)).offset(2).exit();
    assert!(matches!(fails(&b, 1, 1), GoldenError::Misaligned { bytes: 4, .. }));
}

#[test]
fn barriers_that_cannot_be_met() {
    // Warp 0 waits at barrier 0, warp 1 at barrier 1.
    let mut b = Builder::default();
    b.setp(Cmp::Eq, 0, WARP, imm(0)).bar().when(0, false).barrier(BarrierKind::Sync, &[imm(1)]).when(0, true);
    b.exit();
    match fails(&b, 1, 64) {
        GoldenError::BarrierNeverMet { cta: 0, waiting } => {
            let lines: Vec<_> = waiting.iter().map(|s| (s.warp, s.line)).collect();
            assert_eq!(lines, [(0, 2), (1, 3)]);
        }
        other => panic!("{other}"),
    }
    let mut b = Builder::default();
    b.setp(Cmp::Lt, 0, TID, imm(8)).bar().when(0, false).exit();
    match fails(&b, 1, 32) {
        GoldenError::DivergentBarrier { arrived, missing, .. } => {
            assert_eq!((arrived.0, missing.0), (0xff, 0xffff_ff00));
        }
        other => panic!("{other}"),
    }
}

#[test]
fn exited_warps_are_not_waited_for() {
    let mut b = Builder::default();
    b.setp(Cmp::Ge, 0, TID, imm(40)).exit().when(0, false).bar().exit();
    run(&b, 1, 96, 1).expect("lanes and warps that ended do not count");
}

#[test]
fn endless_loops_and_missing_exits() {
    let mut b = Builder::default();
    b.bra(0, None).exit();
    assert!(matches!(fails(&b, 1, 32), GoldenError::Limit { limit: 100_000, .. }));
    let mut b = Builder::default();
    b.alu(Alu::Mov, 0, &[imm(1)]);
    assert!(matches!(fails(&b, 1, 32), GoldenError::PastEnd { instructions: 1, .. }));
}

#[test]
fn an_endless_kernel_can_be_stopped() {
    let mut b = Builder::default();
    b.bra(0, None).exit();
    let launch = crate::common::launch(1, 32);
    let mut golden =
        heddle_functional::Golden::new(b.program(), &launch, crate::common::memory(1)).expect("launch");
    let mut asked = 0;
    let mut goes_on = || {
        asked += 1;
        asked < 5
    };
    let error = golden.run_watched(0..1, None, &mut goes_on, &mut ()).expect_err("it never ends");
    assert!(matches!(error, GoldenError::Stopped { cta: 0 }), "{error}");
}

#[test]
fn turns_let_a_warp_wait_for_another_by_memory() {
    let mut b = Builder::default();
    b.setp(Cmp::Eq, 0, WARP, imm(1))
        .bra(5, None)
        .when(0, false)
        .ld(Space::Global, 1, imm(OUT.into())) // 2: warp 0 spins
        .setp(Cmp::Eq, 1, r(1), imm(0))
        .bra(2, Some(6))
        .when(1, false)
        .st(Space::Global, imm(OUT.into()), imm(1)) // 5
        .exit();
    run(&b, 1, 64, 1).expect("warp 1 gets its turn");
}
