//! Litmus programs, with all lanes of a warp doing the same. For each, outcomes that a preset forbids are not seen, and those that
//! tell its rule from others are.
//!
//! Stores take their place at once, in the order of cycle and SM; what makes an outcome weak is a line that an L1 keeps.

use std::collections::BTreeSet;

use super::program::{Program, after};

/// How an SM sees what others have stored: its lines leave at fences, or not.
const DROPS: &str = "volta";
const KEEPS: [&str; 2] = ["fermi", "maxwell"];

/// Rounds of a loop before a CTA goes on: a line comes in less than the longest.
pub const WAITS: [u32; 4] = [1, 20, 90, 250];

/// What registers hold.
pub type Outcome = Vec<u32>;

/// What registers `seen` (CTA, register) hold after `program` with all waits of two CTAs.
fn outcomes(
    preset: &str,
    program: impl Fn([u32; 2]) -> Program,
    seen: &[(usize, usize)],
) -> BTreeSet<Outcome> {
    let mut all = BTreeSet::new();
    for first in WAITS {
        for second in WAITS {
            let (left, _) = program([first, second]).run(preset, &[1]);
            all.insert(seen.iter().map(|&(cta, register)| left[cta][register]).collect());
        }
    }
    all
}

pub fn set<const N: usize>(outcomes: impl IntoIterator<Item = [u32; N]>) -> BTreeSet<Outcome> {
    outcomes.into_iter().map(|outcome| outcome.to_vec()).collect()
}

/// A writes data, then a flag. B, whose L1 holds the data as they were, sees the flag, and reads the data with `load`.
pub fn message(fence: &'static str, load: &'static str) -> impl Fn([u32; 2]) -> Program {
    move |[a, b]| {
        Program::of_words([
            after(
                a,
                &format!(
                    "mov.u32 %v0, 1;\nst.global.u32 [%x], %v0;\n{fence}\nst.volatile.global.u32 [%y], %v0;"
                ),
            ),
            format!(
                "ld.global.u32 %r0, [%x];\n{}",
                after(b, &format!("ld.volatile.global.u32 %r1, [%y];\n{fence}\n{load} %r2, [%x];"))
            ),
        ])
    }
}

/// Flag and data as B reads them.
const FLAG_AND_DATA: [(usize, usize); 2] = [(1, 1), (1, 2)];
pub const PLAIN: &str = "ld.global.u32";

#[test]
fn a_message_passes_where_a_fence_drops_the_lines() {
    let strong = set([[0, 0], [0, 1], [1, 1]]);
    let stale = set([[0, 0], [1, 0]]);
    let on = |preset, fence, load| outcomes(preset, message(fence, load), &FLAG_AND_DATA);
    for fence in ["membar.gl;", "membar.sys;", "fence.acq_rel.gpu;", "fence.sc.sys;"] {
        let seen = on(DROPS, fence, PLAIN);
        assert!(seen.is_subset(&strong) && seen.contains(&vec![1, 1]), "{fence} {seen:?}");
    }
    // The line that was there before the flag was set is read after.
    assert_eq!(on(DROPS, "", PLAIN), stale, "no fence");
    assert_eq!(on(DROPS, "membar.cta;", PLAIN), stale, "a fence of the CTA keeps the lines of its SM");
    for preset in KEEPS {
        assert_eq!(on(preset, "membar.gl;", PLAIN), stale, "{preset}");
        for load in ["ld.global.cg.u32", "ld.volatile.global.u32", "ld.global.cv.u32"] {
            let seen = on(preset, "membar.gl;", load);
            assert!(seen.is_subset(&strong) && seen.contains(&vec![1, 1]), "{preset} {load} {seen:?}");
        }
    }
}

/// Each writes its word and reads the other's, which its L1 holds as it was.
fn buffers(fence: &'static str, load: &'static str) -> impl Fn([u32; 2]) -> Program {
    let side = move |wait, own: &str, other: &str| {
        let then = format!("mov.u32 %v0, 1;\nst.global.u32 [{own}], %v0;\n{fence}\n{load} %r1, [{other}];");
        format!("ld.global.u32 %r0, [{other}];\n{}", after(wait, &then))
    };
    move |[a, b]| Program::of_words([side(a, "%x", "%y"), side(b, "%y", "%x")])
}

#[test]
fn of_two_that_store_and_then_load_one_sees_the_other_where_fences_drop_the_lines() {
    let both = [(0, 1), (1, 1)];
    let strong = set([[0, 1], [1, 0], [1, 1]]);
    let on = |preset, fence, load| outcomes(preset, buffers(fence, load), &both);
    let fenced = on(DROPS, "membar.gl;", PLAIN);
    assert!(fenced.is_subset(&strong) && fenced.len() > 1, "{fenced:?}");
    assert_eq!(on(DROPS, "", PLAIN), set([[0, 0]]));
    for preset in KEEPS {
        assert_eq!(on(preset, "membar.gl;", PLAIN), set([[0, 0]]), "{preset}");
        let past = on(preset, "membar.gl;", "ld.global.cg.u32");
        assert!(past.is_subset(&strong) && past.len() > 1, "{preset} {past:?}");
    }
}

/// Loads of one word by one thread never go back, and its own stores are seen by it.
#[test]
fn a_word_is_coherent_for_each_thread() {
    let store = |wait, value| after(wait, &format!("mov.u32 %v0, {value};\nst.global.u32 [%x], %v0;"));
    let loads = |[a, b]: [u32; 2]| {
        let second = after(b, "ld.global.u32 %r1, [%x];");
        let past = "ld.relaxed.gpu.global.u32 %r2, [%x];\nld.global.u32 %r3, [%x];\nmembar.gl;\nld.global.u32 %r4, [%x];";
        Program::of_words([store(a, 1), format!("ld.global.u32 %r0, [%x];\n{second}\n{past}")])
    };
    let owns = |[a, b]: [u32; 2]| {
        let own = store(b, 2);
        let later = after(60, "atom.global.add.u32 %r2, [%x], 0;\nld.global.u32 %r3, [%x];");
        let then = format!("ld.global.u32 %r1, [%x];\n{later}");
        Program::of_words([store(a, 1), format!("ld.global.u32 %r0, [%x];\n{own}\n{then}")])
    };
    for preset in [DROPS, KEEPS[0], KEEPS[1]] {
        let seen = outcomes(preset, loads, &[(1, 0), (1, 1), (1, 2), (1, 3), (1, 4)]);
        let in_order = |o: &[u32]| o.is_sorted();
        // A line that was there before a load past the L1 may be found after it where the memory model is not Volta's.
        let past = if preset == DROPS { 5 } else { 3 };
        assert!(seen.iter().all(|o| in_order(&o[..past])), "{preset} {seen:?}");
        let back = seen.contains(&vec![0, 0, 1, 0, 0]);
        assert_eq!(back, preset != DROPS, "{preset} {seen:?}");
        let seen = outcomes(preset, owns, &[(1, 1), (1, 2), (1, 3)]);
        // Never the word of before, and nothing older than what was seen: 2 is the own one, 1 the other's before it or after it.
        let coherent = set([[2, 2, 2], [2, 1, 1], [2, 2, 1], [1, 1, 1]]);
        assert!(seen.is_subset(&coherent) && seen.len() > 1, "{preset} {seen:?}");
    }
}

/// Two readers of two writers disagree about the order where lines stay, and agree where fences drop them.
#[test]
fn readers_agree_on_the_order_of_writes_where_fences_drop_the_lines() {
    let reader = |wait, first: &str, second: &str| {
        let then =
            format!("ld.volatile.global.u32 %r1, [{first}];\nmembar.gl;\nld.global.u32 %r2, [{second}];");
        format!("ld.global.u32 %r0, [{second}];\n{}", after(wait, &then))
    };
    let writer = |wait, word: &str| after(wait, &format!("mov.u32 %v0, 1;\nst.global.u32 [{word}], %v0;"));
    let program = |[a, b]: [u32; 2]| {
        Program::of_words([writer(a, "%x"), writer(b, "%y"), reader(60, "%x", "%y"), reader(60, "%y", "%x")])
    };
    let seen = [(2, 1), (2, 2), (3, 1), (3, 2)];
    let disagree = vec![1, 0, 1, 0];
    let dropped = outcomes(DROPS, program, &seen);
    let both = dropped.iter().any(|o| o[0] == 1 && o[2] == 1);
    let one = dropped.iter().any(|o| (o[0], o[1]) == (1, 0) || (o[2], o[3]) == (1, 0));
    assert!(!dropped.contains(&disagree) && both && one, "{dropped:?}");
    for preset in KEEPS {
        assert!(outcomes(preset, program, &seen).contains(&disagree), "{preset}");
    }
}

/// What is stale is counted, on the machine and in the replay of the program as parsed.
#[test]
fn stale_loads_are_counted_and_the_compiler_is_judged_on_what_was_read() {
    let (left, report) = message("", PLAIN)([1, 250]).run(DROPS, &[0, 1]);
    assert_eq!((left[1][1], left[1][2]), (1, 0));
    assert_eq!(report.stale_loads, Some(32), "32 lanes of one load");
    // Without L1s the program as parsed leaves another memory: it is replayed, with the versions that were read.
    assert_eq!(report.compiler_versions_taken, Some(32));
    let (_, report) = message("membar.gl;", PLAIN)([1, 250]).run(DROPS, &[0, 1]);
    assert_eq!(report.stale_loads, Some(0));
}

/// One warp sees the flag and passes the fence, and the barrier hands it on to the others, whose lines were there before.
#[test]
fn a_fence_of_one_warp_is_one_for_those_behind_its_barrier() {
    let reader = "ld.global.u32 %r0, [%x];\nsetp.ne.u32 %p, %w, 0;\n@%p bra MEET;\nSPIN:\nld.volatile.global.u32 %r1, [%y];\n\
        setp.eq.u32 %q, %r1, 0;\n@%q bra SPIN;\nmembar.gl;\nMEET:\nbar.sync 0;\nld.global.u32 %r2, [%x];";
    let writer = after(
        200,
        "mov.u32 %v0, 1;\nst.global.u32 [%x], %v0;\nmembar.gl;\nst.volatile.global.u32 [%y], %v0;",
    );
    let program = Program { warps: 4, ..Program::of_words([writer, reader.to_owned()]) };
    let (_, report) = program.run(DROPS, &[1]);
    assert_eq!(report.stale_loads, Some(0));
    let (_, report) = program.run(KEEPS[0], &[1]);
    assert_eq!(report.stale_loads, Some(4 * 32), "the lines stay");
}
