//! Warps that wait for memory: those that go on, and those that never will.

use heddle_functional::{Golden, GoldenError, RunSummary};
use heddle_isa::{Alu, AtomicOp, Cmp, Op, Operand, Space, Type};

use crate::common::{Builder, CTA, LANE, OUT, imm, launch, memory, r};

/// Runs a grid of `ctas` CTAs of which `resident` are resident at once.
fn run(b: &Builder, ctas: u32, threads: u32, resident: u32) -> Result<RunSummary, GoldenError> {
    let golden = Golden::new(b.program(), &launch(ctas, threads), memory(8))?;
    golden.with_residency(resident).run_all(0..u64::from(ctas), None)
}

/// Each CTA sets its word and waits until all have set theirs.
fn meet(b: &mut Builder, ctas: u32) {
    b.atom_add(Space::Global, &[1], imm(OUT.into()), imm(1))
        .ld(Space::Global, 2, imm(OUT.into()))
        .setp(Cmp::Lt, 0, r(2), imm(ctas.into()))
        .bra(1, Some(4))
        .when(0, false)
        .exit();
}

fn cas(b: &mut Builder, dst: u32, address: u64, expected: u64, new: u64) {
    let op = Op::Atom { space: Space::Global, op: AtomicOp::Cas, ty: Type::U32 };
    b.op("atom.cas", op, &[dst], &[imm(address), imm(expected), imm(new)]);
}

#[test]
fn ctas_that_are_resident_together_meet() {
    let mut b = Builder::default();
    meet(&mut b, 4);
    assert_eq!(run(&b, 4, 1, 4).expect("four are resident").ctas, 4);
    assert_eq!(run(&b, 4, 1, 100).expect("four are resident").ctas, 4);
}

#[test]
fn who_waits_for_a_cta_that_has_no_room_is_named() {
    let mut b = Builder::default();
    meet(&mut b, 4);
    let error = run(&b, 4, 1, 3).expect_err("the fourth never starts");
    let GoldenError::Stuck { grid: 4, resident: 3, waits } = &error else { panic!("{error}") };
    assert_eq!(waits.iter().map(|w| w.at.cta).collect::<Vec<_>>(), [0, 1, 2]);
    for wait in waits {
        assert_eq!(wait.at.pc.0, 1);
        assert_eq!(
            wait.polled.iter().map(|p| (p.address, p.value)).collect::<Vec<_>>(),
            [(OUT.into(), Some(3))]
        );
    }
    assert!(error.to_string().contains("'out' + 0"), "{error}");
}

#[test]
fn a_barrier_and_a_loop_of_stores_that_change_nothing_are_no_way_out() {
    // Warp 0 stores the same value again and again and polls; warp 1 stands at a barrier.
    let mut b = Builder::default();
    b.setp(Cmp::Eq, 0, crate::common::WARP, imm(1))
        .bra(6, None)
        .when(0, false)
        .st(Space::Global, imm(u64::from(OUT) + 4), imm(7))
        .ld(Space::Global, 2, imm(OUT.into()))
        .setp(Cmp::Eq, 1, r(2), imm(0))
        .bra(2, Some(6))
        .when(1, false)
        .bar()
        .exit();
    let error = run(&b, 1, 64, 1).expect_err("nobody sets the word");
    let GoldenError::Stuck { waits, .. } = &error else { panic!("{error}") };
    assert_eq!((waits[0].barrier, waits[1].barrier), (None, Some(0)), "{error}");
}

#[test]
fn a_search_of_an_array_that_nobody_changes_is_stuck() {
    // An inner loop over four words, which ends by its own count, in a loop that ends by what it reads.
    let mut b = Builder::default();
    b.alu(Alu::Mov, 1, &[imm(0)]) // 0
        .alu(Alu::Mov, 3, &[imm(0)])
        .alu(Alu::Mad, 2, &[r(1), imm(4), imm(OUT.into())]) // 2
        .ld(Space::Global, 2, r(2))
        .alu(Alu::Or, 3, &[r(3), r(2)])
        .alu(Alu::Add, 1, &[r(1), imm(1)])
        .setp(Cmp::Lt, 0, r(1), imm(4))
        .bra(2, Some(8))
        .when(0, false)
        .setp(Cmp::Eq, 1, r(3), imm(0)) // 8
        .bra(0, Some(10))
        .when(1, false)
        .exit();
    let error = run(&b, 1, 32, 1).expect_err("nobody changes a word");
    let GoldenError::Stuck { waits, .. } = &error else { panic!("{error}") };
    assert_eq!(waits[0].polled.len(), 4, "{error}");
}

#[test]
fn a_loop_that_gives_up_is_not_stuck() {
    // Three million looks at a word that nobody sets.
    let mut b = Builder::default();
    b.alu(Alu::Mov, 1, &[imm(0)])
        .ld(Space::Global, 2, imm(OUT.into()))
        .setp(Cmp::Ne, 0, r(2), imm(0))
        .bra(7, Some(7))
        .when(0, false)
        .alu(Alu::Add, 1, &[r(1), imm(1)])
        .setp(Cmp::Lt, 1, r(1), imm(3_000_000))
        .bra(1, Some(7))
        .when(1, false)
        .exit();
    assert!(run(&b, 1, 32, 1).expect("it gives up").warp_instructions > 15_000_000);
}

#[test]
fn a_loop_in_registers_is_not_stuck() {
    let mut b = Builder::default();
    b.alu(Alu::Mov, 1, &[imm(0)])
        .alu(Alu::Add, 1, &[r(1), imm(1)])
        .setp(Cmp::Lt, 1, r(1), imm(17_000_000))
        .bra(1, Some(4))
        .when(1, false)
        .exit();
    assert!(run(&b, 1, 32, 1).expect("it ends").warp_instructions > 50_000_000);
}

#[test]
fn lanes_of_one_warp_that_wait_for_each_other_are_told_apart() {
    let lock = u64::from(OUT);
    let mut b = Builder::default();
    cas(&mut b, 1, lock, 0, 1); // 0
    b.setp(Cmp::Ne, 0, r(1), imm(0))
        .bra(0, Some(3))
        .when(0, false)
        .st(Space::Global, imm(lock), imm(0)) // 3: lets go
        .exit();
    let error = run(&b, 1, 32, 1).expect_err("lane 0 has the lock and its warp waits for it");
    let GoldenError::StuckLanes { lanes, waiting, at, waiting_at, .. } = &error else { panic!("{error}") };
    assert_eq!((lanes.0, waiting.0, at.pc.0, waiting_at.pc.0), (!1, 1, 0, 3), "{error}");
    // One lane alone gets through, and so do lanes of different warps.
    run(&b, 1, 1, 1).expect("nobody else wants the lock");
    let mut b = Builder::default();
    b.setp(Cmp::Ne, 1, LANE, imm(0)).exit().when(1, false);
    cas(&mut b, 1, lock, 0, 1); // 2
    b.setp(Cmp::Ne, 0, r(1), imm(0))
        .bra(2, Some(5))
        .when(0, false)
        .st(Space::Global, imm(lock), imm(0))
        .exit();
    run(&b, 2, 64, 2).expect("each warp has one lane that wants it");
}

#[test]
fn a_cta_that_is_ahead_waits_for_one_that_starts_later() {
    // CTA 0 waits for the last one, which starts when the others have ended.
    let mut b = Builder::default();
    b.setp(Cmp::Ne, 0, CTA, imm(0))
        .bra(6, None)
        .when(0, false)
        .ld(Space::Global, 2, imm(OUT.into()))
        .setp(Cmp::Ne, 1, r(2), Operand::Imm(5))
        .bra(2, Some(5))
        .when(1, false)
        .exit()
        .atom_add(Space::Global, &[1], imm(OUT.into()), imm(1)) // 6
        .exit();
    assert_eq!(run(&b, 6, 1, 2).expect("one slot is enough for the others").ctas, 6);
}
