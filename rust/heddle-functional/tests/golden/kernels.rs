//! Whole kernels: control flow, barriers, atomics, memory of all spaces.

use heddle_functional::Golden;
use heddle_isa::{Alu, Cmp, Declared, KernelLaunch, Op, Operand, Space, Special, Type};

use crate::common::{Builder, CTA, LANE, OUT, TID, imm, launch, memory, own_word, r, run};

#[test]
fn divergent_if_else() {
    let mut b = Builder::default();
    own_word(&mut b, 40)
        .alu(Alu::And, 1, &[TID, imm(1)])
        .setp(Cmp::Eq, 0, r(1), imm(0))
        .bra(7, Some(8))
        .when(0, false)
        .alu(Alu::Mov, 2, &[imm(100)]) // 6: odd threads
        .alu(Alu::Mov, 2, &[TID]) // 7: all that are here
        .alu(Alu::Add, 2, &[r(2), imm(1)]) // 8
        .st(Space::Global, r(0), r(2))
        .exit();
    // Both paths pass 7, so the odd threads' value is overwritten there.
    let out = run(&b, 2, 40, 80).expect("runs");
    for (i, &word) in out.iter().enumerate() {
        assert_eq!(word, i as u32 % 40 + 1);
    }
}

#[test]
fn lanes_leave_a_loop_at_different_times() {
    let mut b = Builder::default();
    own_word(&mut b, 64)
        .alu(Alu::Mov, 1, &[TID])
        .alu(Alu::Mov, 2, &[imm(0)])
        .alu(Alu::Add, 2, &[r(2), r(1)]) // 5: sum of 1 to tid
        .alu(Alu::Sub, 1, &[r(1), imm(1)])
        .setp(Cmp::Lt, 0, r(1), imm(64))
        .bra(5, Some(9))
        .when(0, false)
        .st(Space::Global, r(0), r(2)) // 9
        .exit();
    let out = run(&b, 1, 64, 64).expect("runs");
    for (i, &word) in (0u32..).zip(&out) {
        assert_eq!(word, i * (i + 1) / 2, "thread {i}");
    }
}

#[test]
fn shared_memory_across_a_barrier() {
    let mut b = Builder::default();
    own_word(&mut b, 96)
        .shared(96 * 4)
        .alu(Alu::Mul, 1, &[TID, imm(4)])
        .alu(Alu::Mul, 2, &[TID, imm(7)])
        .st(Space::Shared, r(1), r(2))
        .bar()
        .alu(Alu::Sub, 3, &[imm(95), TID])
        .alu(Alu::Mul, 3, &[r(3), imm(4)])
        .ld(Space::Shared, 4, r(3))
        .st(Space::Global, r(0), r(4))
        .exit();
    let out = run(&b, 3, 96, 288).expect("runs");
    for (i, &word) in (0u32..).zip(&out) {
        assert_eq!(word, (95 - i % 96) * 7);
    }
}

#[test]
fn atomics_count_every_thread_once() {
    let mut b = Builder::default();
    own_word(&mut b, 70)
        .alu(Alu::Mov, 1, &[imm((OUT + 4 * 140).into())])
        .atom_add(Space::Global, &[2], r(1), imm(1))
        .st(Space::Global, r(0), r(2))
        .exit();
    let mut out = run(&b, 2, 70, 141).expect("runs");
    assert_eq!(out.pop(), Some(140));
    out.sort_unstable();
    assert!(out.iter().copied().eq(0..140), "each old value once");
}

#[test]
fn local_memory_is_per_thread() {
    let mut b = Builder::default();
    own_word(&mut b, 64)
        .local(12)
        .st(Space::Local, imm(8), TID)
        .st(Space::Local, imm(4), imm(1000))
        .ld(Space::Local, 1, imm(8))
        .ld(Space::Local, 2, imm(4))
        .alu(Alu::Add, 1, &[r(1), r(2)])
        .st(Space::Global, r(0), r(1))
        .exit();
    let out = run(&b, 1, 64, 64).expect("runs");
    assert!(out.iter().copied().eq(1000..1064));
}

#[test]
fn generic_addresses_reach_all_spaces() {
    let mut b = Builder::default();
    let shared = u64::from(heddle_isa::memory::SHARED_WINDOW);
    let local = u64::from(heddle_isa::memory::LOCAL_WINDOW);
    own_word(&mut b, 32)
        .shared(128)
        .local(16)
        .alu(Alu::Mad, 1, &[TID, imm(4), imm(shared)])
        .st(Space::Generic, r(1), imm(5))
        .st(Space::Generic, imm(local), LANE)
        .ld(Space::Generic, 2, r(1))
        .ld(Space::Local, 3, imm(0))
        .alu(Alu::Add, 2, &[r(2), r(3)])
        .st(Space::Generic, r(0), r(2))
        .exit();
    let out = run(&b, 1, 32, 32).expect("runs");
    assert!(out.iter().copied().eq(5..37));
}

#[test]
fn guarded_exit_and_store() {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .setp(Cmp::Ge, 0, TID, imm(10))
        .exit()
        .when(0, false)
        .setp(Cmp::Lt, 1, TID, imm(3))
        .st(Space::Global, r(0), imm(1))
        .when(1, true)
        .exit();
    let out = run(&b, 1, 32, 32).expect("runs");
    for (i, &word) in out.iter().enumerate() {
        assert_eq!(word, u32::from((3..10).contains(&i)));
    }
}

#[test]
fn a_guarded_comparison_leaves_the_other_lanes_predicate() {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .setp(Cmp::Lt, 0, TID, imm(8))
        .setp(Cmp::Lt, 1, TID, imm(100))
        .setp(Cmp::Ge, 1, TID, imm(100))
        .when(0, false)
        .st(Space::Global, r(0), imm(1))
        .when(1, false)
        .exit();
    let out = run(&b, 1, 32, 32).expect("runs");
    for (i, &word) in out.iter().enumerate() {
        assert_eq!(word, u32::from(i >= 8));
    }
}

#[test]
fn vectors_and_wide_values() {
    let mut b = Builder::default();
    let vector = |ty, vector| Op::Ld { space: Space::Global, ty, vector, cache: Default::default() };
    own_word(&mut b, 1)
        .op("ld.v4", vector(Type::U32, 4), &[4, 5, 6, 7], &[r(0)])
        .op("ld.v2.u64", vector(Type::U64, 2), &[8, 9, 10, 11], &[r(0)])
        .alu(Alu::Add, 4, &[r(4), r(7)])
        .alu(Alu::Add, 8, &[r(9), r(10)])
        .st(Space::Global, r(0), r(4))
        .st(Space::Global, r(0), r(8))
        .offset(4)
        .exit();
    let mut memory = memory(4);
    for (i, value) in [1u32, 20, 300, 4000].into_iter().enumerate() {
        memory.store(u64::from(OUT) + 4 * i as u64, 4, value.into()).expect("inside");
    }
    let mut golden = Golden::new(b.program(), &launch(1, 1), memory).expect("a launch");
    let summary = golden.run_all(0..1, None).expect("runs");
    assert_eq!((summary.loads, summary.stores, summary.warp_instructions), (2, 2, 10));
    let memory = golden.into_memory();
    assert_eq!(memory.load(OUT.into(), 8), Ok(4001 | 320 << 32));
}

#[test]
fn threads_and_ctas_have_coordinates_in_three_dimensions() {
    let special = Operand::Special;
    let mut b = Builder::default();
    b.alu(Alu::Mad, 0, &[special(Special::Tid(1)), imm(5), special(Special::Tid(0))])
        .alu(Alu::Mad, 0, &[special(Special::Tid(2)), imm(20), r(0)]) // the thread's number
        .alu(Alu::Mad, 1, &[special(Special::Ctaid(1)), imm(2), special(Special::Ctaid(0))])
        .alu(Alu::Mad, 1, &[special(Special::Ctaid(2)), imm(6), r(1)]) // the CTA's number
        .alu(Alu::Mad, 0, &[r(1), imm(40), r(0)])
        .alu(Alu::Mad, 2, &[r(0), imm(4), imm(OUT.into())])
        .alu(Alu::Mad, 3, &[special(Special::WarpId), imm(32), LANE])
        .alu(Alu::Mad, 3, &[r(1), imm(40), r(3)])
        .alu(Alu::Sub, 3, &[r(3), r(0)]) // 0 where both ways of counting agree
        .alu(Alu::Add, 3, &[r(3), special(Special::Nctaid(2))])
        .st(Space::Global, r(2), r(3))
        .exit();
    let launch = KernelLaunch { grid: [2, 3, 2], block: [5, 4, 2], ..launch(1, 1) };
    let mut golden = Golden::new(b.program(), &launch, memory(480)).expect("a launch");
    let summary = golden.run_all(0..12, None).expect("runs");
    assert_eq!(summary.thread_instructions, 480 * 12);
    for thread in 0..480 {
        assert_eq!(golden.memory().load(u64::from(OUT) + 4 * thread, 4), Ok(2), "{thread}");
    }
}

#[test]
fn a_launch_that_cannot_be_is_refused() {
    let mut b = Builder::default();
    b.exit();
    for (ctas, threads) in [(0, 32), (1, 0), (1, 1025)] {
        assert!(Golden::new(b.program(), &launch(ctas, threads), memory(1)).is_err());
    }
    b.declare(Declared { block: Some([32, 1, 1]), ..Declared::default() });
    assert!(Golden::new(b.program(), &launch(1, 32), memory(1)).is_ok());
    let error = Golden::new(b.program(), &launch(1, 31), memory(1)).expect_err("another block");
    assert!(error.to_string().contains("[32, 1, 1], as .reqntid declares"), "{error}");
    b.declare(Declared::default());
    let launch_of = |shared| KernelLaunch { dynamic_shared_bytes: shared, ..launch(1, 1) };
    assert!(Golden::new(b.program(), &launch_of(u32::MAX), memory(1)).is_err());
    b.local(1 << 30);
    assert!(Golden::new(b.program(), &launch(1, 1), memory(1)).is_err());
    b.local(0);
    b.alu(Alu::Mov, 99, &[CTA]);
    let error = Golden::new(b.program(), &launch(1, 1), memory(1)).expect_err("no such register");
    assert!(error.to_string().contains("R99"), "{error}");
}
