//! Loads at the L1s of many SMs.

use heddle_functional::{AccessKind, Golden, GoldenError, LineChanges, OrderRule};
use heddle_isa::{FenceLevel, Op, Space};
use heddle_port::{LaneMask, LineBytes, Tag};

use crate::common::{Builder, OUT, imm, launch, memory, own_word, r};

const ALL: LaneMask = LaneMask(u32::MAX);
const LINE: u32 = OUT / 128;

/// Each thread of two CTAs loads its word, the same in both, and again after a fence of `level`, stores 7, and loads it once more. The fence stands
/// before the second load.
fn golden(level: FenceLevel, drops: bool) -> Golden {
    let mut b = Builder::default();
    own_word(&mut b, 0).ld(Space::Global, 1, r(0));
    b.op("fence", Op::Fence { level }, &[], &[]);
    b.ld(Space::Global, 2, r(0)).st(Space::Global, r(0), imm(7)).ld(Space::Global, 3, r(0)).exit();
    let mut golden =
        Golden::new(b.program(), &launch(2, 32), memory(64)).expect("a launch").with_l1s(2, drops);
    for cta in [0, 1] {
        golden.start_cta_on(cta, cta as usize).expect("in the grid");
    }
    golden
}

/// The next instruction of a CTA with an access, performed: what lane 5 loads.
fn access(g: &mut Golden, cta: u64) -> Result<(u32, bool), GoldenError> {
    loop {
        let tag = Tag(cta as u16);
        let e = g.issue(cta, 0, tag)?;
        let accesses = !e.spaces.global.is_empty() && e.kind != AccessKind::None;
        let access = accesses.then(|| g.performed(tag, ALL)).transpose()?;
        g.retire(tag)?;
        if let Some(access) = access {
            return Ok((access.loaded[0][5], access.stale.has(5)));
        }
    }
}

fn takes(g: &mut Golden, sm: usize) {
    g.lines_changed(sm, LineChanges { taken: Some((LINE, LineBytes::MAX)), ..LineChanges::default() });
}

#[test]
fn a_load_finds_the_line_as_it_was_taken() {
    let mut g = golden(FenceLevel::Cta, true);
    (0..2).for_each(|sm| takes(&mut g, sm));
    let before = access(&mut g, 0).expect("held");
    assert_eq!(access(&mut g, 1), Ok(before));
    // CTA 1 stores and sees it; CTA 0 sees its own line.
    assert_eq!(access(&mut g, 1), Ok(before));
    access(&mut g, 1).expect("a store");
    assert_eq!(access(&mut g, 1), Ok((7, false)), "its own store");
    assert_eq!(access(&mut g, 0), Ok((before.0, true)), "another SM's");
}

#[test]
fn a_line_that_is_not_held_is_refused() {
    let mut g = golden(FenceLevel::Cta, true);
    takes(&mut g, 1);
    let error = access(&mut g, 0).expect_err("SM 1 has taken it, not SM 0");
    assert!(matches!(error, GoldenError::NotHeld { .. }), "{error}");
    let mut g = golden(FenceLevel::Cta, true);
    g.lines_changed(0, LineChanges { taken: Some((LINE, u32::MAX.into())), ..LineChanges::default() });
    let error = access(&mut g, 0).expect_err("the first of four sectors");
    assert!(
        matches!(error, GoldenError::NotHeld { .. }) && error.to_string().contains("thread (8,0,0)"),
        "{error}"
    );
    let mut g = golden(FenceLevel::Cta, true);
    takes(&mut g, 0);
    g.lines_changed(0, LineChanges { left: &[LINE], ..LineChanges::default() });
    assert!(matches!(access(&mut g, 0), Err(GoldenError::NotHeld { .. })), "it has left");
}

#[test]
fn after_a_fence_the_lines_must_have_left() {
    for (level, drops) in [
        (FenceLevel::Gpu, true),
        (FenceLevel::System, true),
        (FenceLevel::Gpu, false),
        (FenceLevel::Cta, true),
    ] {
        let mut g = golden(level, drops);
        takes(&mut g, 0);
        access(&mut g, 0).expect("held");
        let awaits = drops && level != FenceLevel::Cta;
        let second = access(&mut g, 0);
        assert_eq!(matches!(second, Err(GoldenError::KeptLines { .. })), awaits, "{level:?} {second:?}");
    }
    let mut g = golden(FenceLevel::Gpu, true);
    takes(&mut g, 0);
    access(&mut g, 0).expect("held");
    // The fence, then its lines leave, and the load takes its line anew.
    g.issue(0, 0, Tag(0)).expect("issues");
    g.retire(Tag(0)).expect("retires");
    g.lines_changed(
        0,
        LineChanges { emptied: true, taken: Some((LINE, LineBytes::MAX)), ..LineChanges::default() },
    );
    access(&mut g, 0).expect("held");
}

#[test]
fn a_fence_waits_for_what_stands_before_it() {
    for level in [FenceLevel::Gpu, FenceLevel::Cta] {
        let mut g = golden(level, true);
        takes(&mut g, 0);
        for tag in 0..4 {
            g.issue(0, 0, Tag(tag)).expect("the last is the load");
        }
        let early = g.clone().issue(0, 0, Tag(9)).map(|_| ()).expect_err("the load is not performed");
        assert!(matches!(early, GoldenError::Order { rule: OrderRule::Waits, .. }), "{early}");
        g.performed(Tag(3), ALL).expect("held");
        g.issue(0, 0, Tag(9)).expect("the fence passes");
    }
}
