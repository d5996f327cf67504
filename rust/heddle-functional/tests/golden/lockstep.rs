//! Lock-step: snapshots, pending versions, tags, barriers, and the order checker.

use heddle_functional::{Golden, GoldenError, OrderRule};
use heddle_isa::{Alu, Cmp, Pc, Space};
use heddle_port::{LaneMask, Tag};

use crate::common::{Builder, OUT, TID, imm, launch, memory, own_word, r};

const LOW: LaneMask = LaneMask(0xffff);
const HIGH: LaneMask = LaneMask(0xffff_0000);

fn golden(b: &Builder, threads: u32) -> Golden {
    let mut golden = Golden::new(b.program(), &launch(1, threads), memory(64)).expect("a launch");
    golden.start_cta(0).expect("in the grid");
    golden
}

/// Issues and retires `count` instructions of warp `warp` that access no memory.
fn skip(golden: &mut Golden, warp: u32, count: usize) {
    for _ in 0..count {
        golden.issue(0, warp, Tag(1000)).expect("issues");
        golden.retire(Tag(1000)).expect("retires");
    }
}

#[test]
fn operands_are_a_snapshot_of_issue() {
    let mut b = Builder::default();
    own_word(&mut b, 32).alu(Alu::Add, 1, &[r(0), imm(1)]).alu(Alu::Mov, 0, &[imm(5)]).exit();
    let mut g = golden(&b, 20);
    skip(&mut g, 0, 3);
    let address = OUT + 4 * 7;
    let e = g.issue(0, 0, Tag(3)).expect("issues");
    assert_eq!((e.pc, e.active, e.exec), (Pc(3), LaneMask(0xf_ffff), LaneMask(0xf_ffff)));
    assert_eq!((e.source_valid, e.destination_valid), (1, 1));
    assert_eq!(e.results.values[0][7], address + 1);
    g.issue(0, 0, Tag(4)).expect("issues");
    assert_eq!(g.expected(Tag(3)).map(|e| e.sources[0][7]), Some(address));
    let error = g.issue(0, 0, Tag(4)).expect_err("in use");
    assert!(matches!(error, GoldenError::TagInUse { tag: Tag(4), .. }), "{error}");
    g.retire(Tag(4)).expect("in flight");
    assert!(matches!(g.retire(Tag(4)), Err(GoldenError::UnknownTag { .. })));
    assert_eq!(g.next(0, 0), Ok(Some((Pc(5), LaneMask(0xf_ffff)))));
    let unfinished = g.finish_cta(0).expect_err("the warp has not ended");
    assert!(unfinished.to_string().contains("exit"), "{unfinished}");
    skip(&mut g, 0, 1);
    let unfinished = g.finish_cta(0).expect_err("tag 3 is in flight");
    assert!(unfinished.to_string().contains("PC 3"), "{unfinished}");
    g.retire(Tag(3)).expect("in flight");
    g.finish_cta(0).expect("nothing is left");
    assert!(g.is_idle());
}

fn load_then_use() -> Builder {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .alu(Alu::Mov, 1, &[imm(3)]) // so that only the load makes R1 unreadable
        .ld(Space::Global, 1, r(0))
        .alu(Alu::Add, 2, &[r(1), imm(1)])
        .exit();
    b
}

#[test]
fn reading_a_pending_load_is_an_error() {
    let b = load_then_use();
    let mut g = golden(&b, 32);
    skip(&mut g, 0, 4);
    g.issue(0, 0, Tag(3)).expect("issues");
    let access = g.performed(Tag(3), LOW).expect("performs");
    assert_eq!((access.lanes, access.addresses[3]), (LOW, u64::from(OUT) + 12));
    match g.clone().issue(0, 0, Tag(4)) {
        Err(GoldenError::PendingRead { at, register, lanes, writer }) => {
            assert_eq!((register.0, lanes, at.line, writer.line), (1, HIGH, 6, 5));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(g.clone().retire(Tag(3)), Err(GoldenError::NotPerformed { lanes: HIGH, .. })));
    g.performed(Tag(3), HIGH).expect("performs");
    g.issue(0, 0, Tag(4)).expect("both halves are there");
    g.retire(Tag(3)).expect("performed");
}

#[test]
fn lanes_are_performed_exactly_once() {
    let b = load_then_use();
    let mut g = golden(&b, 16);
    skip(&mut g, 0, 4);
    g.issue(0, 0, Tag(3)).expect("issues");
    let wrong = g.performed(Tag(3), LaneMask(0x1_0001)).expect_err("lane 16 does not exist");
    assert!(matches!(wrong, GoldenError::WrongLanes { wrong: LaneMask(0x1_0000), .. }));
    g.performed(Tag(3), LaneMask(1)).expect("performs");
    let wrong = g.performed(Tag(3), LaneMask(3)).expect_err("lane 0 twice");
    assert!(matches!(wrong, GoldenError::WrongLanes { wrong: LaneMask(1), .. }));
    assert!(g.performed(Tag(9), LaneMask(1)).is_err());
}

#[test]
fn a_superseded_load_does_not_come_back() {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .ld(Space::Global, 1, r(0))
        .alu(Alu::Mov, 1, &[imm(77)])
        .alu(Alu::Add, 2, &[r(1), imm(1)])
        .exit();
    let mut g = golden(&b, 32);
    skip(&mut g, 0, 3);
    g.issue(0, 0, Tag(3)).expect("issues");
    skip(&mut g, 0, 1);
    g.performed(Tag(3), LaneMask::ALL).expect("performs");
    let e = g.issue(0, 0, Tag(5)).expect("the newer version is there");
    assert_eq!(e.results.values[0], [78; 32]);
}

#[test]
fn values_follow_the_performed_order() {
    // Both warps add to one word and keep the old value.
    let mut b = Builder::default();
    b.atom_add(Space::Global, &[1], imm(OUT.into()), imm(1)).exit();
    let mut g = golden(&b, 64);
    g.issue(0, 0, Tag(0)).expect("issues");
    g.issue(0, 1, Tag(1)).expect("issues");
    let second = g.performed(Tag(1), LaneMask::ALL).expect("performs");
    let first = g.performed(Tag(0), LaneMask::ALL).expect("performs");
    assert_eq!((second.loaded[0][0], first.loaded[0][0], first.loaded[0][31]), (0, 32, 63));
}

fn order_error(result: Result<impl std::fmt::Debug, GoldenError>) -> (u32, u32, OrderRule) {
    match result {
        Err(GoldenError::Order { at, earlier, rule }) => (at.line, earlier.line, rule),
        other => panic!("{other:?}"),
    }
}

#[test]
fn same_address_accesses_stay_in_order() {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .st(Space::Global, r(0), imm(1)) // line 4
        .ld(Space::Global, 1, r(0)) // line 5
        .ld(Space::Global, 2, r(0)) // line 6, another word
        .offset(128)
        .exit();
    let mut g = golden(&b, 32);
    skip(&mut g, 0, 3);
    for tag in 3..6 {
        g.issue(0, 0, Tag(tag)).expect("issues");
    }
    g.performed(Tag(5), LaneMask::ALL).expect("another address may go first");
    assert_eq!(order_error(g.performed(Tag(4), LOW)), (5, 4, OrderRule::SameAddress));
    g.performed(Tag(3), LOW).expect("performs");
    g.performed(Tag(4), LOW).expect("these lanes are in order");
    assert_eq!(order_error(g.performed(Tag(4), HIGH)), (5, 4, OrderRule::SameAddress));
}

#[test]
fn fences_order_what_stands_around_them() {
    let mut b = Builder::default();
    own_word(&mut b, 32)
        .st(Space::Global, r(0), imm(1)) // line 4
        .fence()
        .st(Space::Global, r(0), imm(2)) // line 6
        .offset(128)
        .exit();
    let mut g = golden(&b, 32);
    skip(&mut g, 0, 3);
    g.issue(0, 0, Tag(3)).expect("issues");
    skip(&mut g, 0, 1);
    g.issue(0, 0, Tag(5)).expect("issues");
    assert_eq!(order_error(g.performed(Tag(5), LaneMask::ALL)), (6, 4, OrderRule::Fence));
    g.performed(Tag(3), LaneMask::ALL).expect("performs");
    g.performed(Tag(5), LaneMask::ALL).expect("performs");
}

#[test]
fn barriers_order_the_accesses_of_the_cta() {
    let mut b = Builder::default();
    own_word(&mut b, 64)
        .st(Space::Global, r(0), imm(1)) // line 4
        .bar()
        .ld(Space::Global, 1, imm(OUT.into())) // line 6
        .exit();
    let mut g = golden(&b, 64);
    for warp in 0..2 {
        skip(&mut g, warp, 3);
        g.issue(0, warp, Tag(3 + warp as u16)).expect("issues");
    }
    skip(&mut g, 0, 1);
    assert_eq!(g.waits_at(0, 0), Ok(Some(0)));
    match g.clone().issue(0, 0, Tag(9)) {
        Err(GoldenError::EarlyPass { barrier: 0, missing, at }) => {
            assert_eq!((missing, at.line), (vec![1], 6));
        }
        other => panic!("{other:?}"),
    }
    g.performed(Tag(3), LaneMask::ALL).expect("performs");
    let opens_early = g.clone().issue(0, 1, Tag(8)).map(|_| ());
    assert_eq!(order_error(opens_early), (5, 4, OrderRule::Barrier));
    g.performed(Tag(4), LaneMask::ALL).expect("performs");
    skip(&mut g, 1, 1);
    assert_eq!(g.waits_at(0, 0), Ok(None));
    g.issue(0, 0, Tag(9)).expect("all have arrived");
    let access = g.performed(Tag(9), LaneMask::ALL).expect("now it may");
    assert_eq!(access.loaded[0], [1; 32]);
}

#[test]
fn dead_values_are_without_value() {
    let mut b = Builder::default();
    own_word(&mut b, 32).alu(Alu::Add, 1, &[r(0), imm(1)]).alu(Alu::Add, 2, &[r(0), imm(1)]).exit();
    let mut g = golden(&b, 32).with_dead_sources(vec![0, 0, 0, 1, 0, 0]);
    skip(&mut g, 0, 4);
    match g.issue(0, 0, Tag(4)) {
        Err(GoldenError::UndefinedRead { register, why, .. }) => {
            assert_eq!(register.0, 0);
            assert!(why.contains("dead"));
        }
        other => panic!("{other:?}"),
    }
}

/// A design that sees the bit forgets the register in all lanes, also in those that wait on another path.
#[test]
fn dead_values_are_without_value_in_waiting_lanes_too() {
    let mut b = Builder::default();
    b.alu(Alu::Mov, 0, &[imm(7)])
        .setp(Cmp::Lt, 0, TID, imm(16))
        .bra(5, Some(6))
        .when(0, false)
        .alu(Alu::Add, 1, &[r(0), imm(1)]) // 3: upper lanes
        .bra(6, None)
        .alu(Alu::Add, 1, &[r(0), imm(2)]) // 5: lower lanes
        .exit();
    for (kept, wrong) in [([0; 7], false), ([0, 0, 0, 1, 0, 1, 0], true)] {
        let mut g = golden(&b, 32).with_dead_sources(kept.to_vec());
        let mut outcome = Ok(());
        while let Ok(Some(_)) = g.next(0, 0) {
            outcome = g.issue(0, 0, Tag(0)).map(drop).and_then(|()| g.retire(Tag(0)));
            if outcome.is_err() {
                break;
            }
        }
        let dead = matches!(&outcome, Err(GoldenError::UndefinedRead { register, .. }) if register.0 == 0);
        assert_eq!(dead, wrong, "{outcome:?}");
    }
}

#[test]
fn ctas_start_once_and_within_the_grid() {
    let mut b = Builder::default();
    b.alu(Alu::Mov, 0, &[TID]).exit();
    let mut g = golden(&b, 32);
    assert!(g.start_cta(0).is_err());
    assert!(g.start_cta(1).is_err());
    assert!(g.issue(0, 1, Tag(0)).is_err());
    skip(&mut g, 0, 2);
    assert!(g.issue(0, 0, Tag(0)).is_err(), "the warp has ended");
}

/// Lock-step in any order that the rules allow gives the memory of a run on its own.
#[test]
fn lock_step_and_run_agree() {
    let mut b = Builder::default();
    own_word(&mut b, 64)
        .shared(256)
        .alu(Alu::Mul, 1, &[TID, imm(4)])
        .alu(Alu::Mul, 2, &[TID, imm(3)])
        .st(Space::Shared, r(1), r(2))
        .bar()
        .alu(Alu::Xor, 1, &[r(1), imm(128)])
        .ld(Space::Shared, 3, r(1))
        .st(Space::Global, r(0), r(3))
        .exit();
    let mut alone = Golden::new(b.program(), &launch(1, 64), memory(64)).expect("a launch");
    let summary = alone.run_all(0..1, None).expect("runs");
    assert_eq!((summary.barriers, summary.ctas), (1, 1));
    let mut g = golden(&b, 64);
    let mut steps = 0;
    while let Some(warp) =
        (0..2).rev().find(|&w| matches!(g.next(0, w), Ok(Some(_))) && g.waits_at(0, w) == Ok(None))
    {
        let e = g.issue(0, warp, Tag(7)).expect("issues");
        let lanes = (e.kind != heddle_functional::AccessKind::None).then_some(e.exec);
        if let Some(lanes) = lanes {
            g.performed(Tag(7), lanes & HIGH).expect("performs");
            g.performed(Tag(7), lanes & LOW).expect("performs");
        }
        g.retire(Tag(7)).expect("retires");
        steps += 1;
    }
    g.finish_cta(0).expect("ended");
    assert_eq!(steps, summary.warp_instructions);
    assert_eq!(g.memory(), alone.memory());
}
