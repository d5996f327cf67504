//! Which loads come early, that none comes too early, and what the checker of orders finds.

use heddle_isa::{Instr, Op, Program};
use heddle_kernel::liveness::{Liveness, Place};
use heddle_kernel::{
    CompileOptions, OrderFault, Ordered, cfg, check_order, compile, lower, parse, with_early_loads,
};

use crate::common;
use crate::common::lowered;

/// Registers that are never short here.
const ENOUGH: u32 = 64;

/// The program around `body`, and the same with loads early while at most `registers` are live.
fn early(body: &str, registers: u32) -> (Program, Ordered) {
    let program = lowered(body).unwrap_or_else(|e| panic!("{e}"));
    let ordered = with_early_loads(&program, registers);
    check_order(&program, &ordered).unwrap_or_else(|e| panic!("{e}\n{body}"));
    (program, ordered)
}

/// Where the instructions around `body` come from, in their new order, of those behind the first two.
fn order(body: &str, registers: u32) -> Vec<u32> {
    early(body, registers).1.origins.into_iter().map(|pc| pc.0).filter(|&pc| pc > 1).collect()
}

/// The same in the order of the text, of so many instructions.
fn text_order(count: usize) -> Vec<u32> {
    (2..2 + u32::try_from(count).expect("few")).collect()
}

/// Two bases in %rd1 and %rd2, and a word; what follows begins with instruction 3.
const FIRST: &str =
    "ld.param.u64 %rd1, [k_param_0];\n add.s64 %rd2, %rd1, 64;\n ld.global.u32 %r1, [%rd1];\n";
/// Stores what was computed into %r4.
const LAST: &str = "\n st.global.u32 [%rd1+32], %r4;";

#[test]
fn a_load_comes_before_what_waits_for_another() {
    let body = format!(
        "{FIRST} add.s32 %r2, %r1, 1;\n add.s64 %rd3, %rd1, 8;\n ld.global.u32 %r3, [%rd3];\n add.s32 %r4, %r3, %r2;{LAST}"
    );
    // The address comes with the load.
    assert_eq!(order(&body, ENOUGH), [2, 4, 5, 3, 6, 7, 8]);
    assert_eq!(order(&body, 1), text_order(7), "there are no registers for it");
}

#[test]
fn a_load_does_not_pass_what_may_change_it() {
    for (between, passes) in [
        ("st.global.u32 [%rd2], %r2;", false),
        ("st.u32 [%rd2], %r2;", false),
        ("st.global.u32 [%rd1+4], %r2;", false),
        // Another lane may have its base where this one loads.
        ("st.global.u32 [%rd1+8], %r2;", false),
        ("st.shared.u32 [buffer], %r2;", true),
        ("st.local.u32 [depot], %r2;", true),
        ("bar.sync 0;", false),
        ("membar.cta;", false),
        ("atom.shared.add.u32 %r5, [buffer], %r2;", false),
        ("st.volatile.shared.u32 [buffer], %r2;", false),
        ("activemask.b32 %r5;", false),
        ("mov.u32 %r3, 7;\n add.s32 %r5, %r3, %r2;", false),
    ] {
        let body = format!(
            "{FIRST} add.s32 %r2, %r1, 1;\n {between}\n ld.global.u32 %r3, [%rd1+4];\n add.s32 %r4, %r3, %r2;{LAST}"
        );
        let found = order(&body, ENOUGH);
        assert_eq!(found != text_order(found.len()), passes, "{between}: {found:?}");
    }
}

#[test]
fn a_load_of_read_only_data_passes_stores() {
    let body = format!(
        "{FIRST} add.s32 %r2, %r1, 1;\n st.global.u32 [%rd2], %r2;\n ld.global.nc.u32 %r3, [%rd1+4];\n add.s32 %r4, %r3, %r2;{LAST}"
    );
    assert_eq!(order(&body, ENOUGH)[..4], [2, 5, 3, 4]);
}

#[test]
fn a_base_that_changes_is_another_base() {
    let body = format!(
        "{FIRST} add.s32 %r2, %r1, 1;\n st.global.u32 [%rd1+4], %r2;\n add.s64 %rd1, %rd1, 4;\n ld.global.u32 %r3, [%rd1];\n add.s32 %r4, %r3, %r2;{LAST}"
    );
    assert_eq!(order(&body, ENOUGH), text_order(8));
}

#[test]
fn a_load_that_waits_for_another_stays_behind_what_could_come_first() {
    let chase = "ld.global.u64 %rd3, [%rd1+8];\n ld.global.u32 %r3, [%rd3];\n ld.global.u32 %r5, [%rd1+16];\n add.s32 %r4, %r3, %r5;";
    // 4 waits for 3, so 5 begins before it.
    assert_eq!(order(&format!("{FIRST}{chase}{LAST}"), ENOUGH)[..5], [2, 3, 5, 4, 6]);
}

#[test]
fn a_guarded_load_keeps_its_place_among_those_that_touch_its_result() {
    let guarded = "setp.ne.u32 %p1, %r1, 0;\n mov.u32 %r3, 0;\n add.s32 %r2, %r1, 1;\n @%p1 ld.global.u32 %r3, [%rd1+4];\n add.s32 %r4, %r3, %r2;";
    let found = order(&format!("{FIRST}{guarded}{LAST}"), ENOUGH);
    let at = |origin: u32| found.iter().position(|&o| o == origin);
    assert!(at(3) < at(6) && at(4) < at(6) && at(6) < at(7), "{found:?}");
}

/// Most 32-bit registers that are live behind an instruction.
fn most_live(program: &Program) -> usize {
    let liveness = Liveness::compute(program);
    let registers = |live: &bitvec::vec::BitVec| {
        live.iter_ones().filter(|&index| matches!(liveness.place(index), Place::Reg(_))).count()
    };
    liveness.per_instruction(program).iter().map(|around| registers(&around.live_out)).max().unwrap_or(0)
}

/// Every kernel of the PTX files that nvcc made.
fn kernels() -> Vec<Program> {
    let of_file = |(path, text): (std::path::PathBuf, String)| {
        let module = parse(&path.display().to_string(), &text).unwrap_or_else(|e| panic!("{e}"));
        lower(&module).unwrap_or_else(|e| panic!("{e}"))
    };
    common::nvcc_files().into_iter().flat_map(of_file).collect()
}

#[test]
fn no_more_registers_are_live_than_allowed_or_than_the_text_has() {
    let (mut moved, mut pairs) = (0, 0);
    for program in kernels() {
        let before = most_live(&program);
        for allowed in [8, 20, 64] {
            let ordered = with_early_loads(&program, allowed);
            let changed = check_order(&program, &ordered).unwrap_or_else(|e| panic!("{}: {e}", program.name));
            let (after, most) = (most_live(&ordered.program), before.max(allowed as usize));
            assert!(after <= most, "{}: {after} live, {before} in the text, {allowed} allowed", program.name);
            moved += usize::from(changed > 0);
            pairs += changed;
        }
    }
    println!("{moved} orders that are not the text's, {pairs} pairs of instructions that changed places");
    assert!(moved > 150 && pairs > 10_000, "{moved}, {pairs}");
}

#[test]
fn every_kernel_of_nvcc_is_allocated_with_loads_early_and_does_not_spill_for_it() {
    let (mut early, mut more) = (0, 0);
    for (path, text) in common::nvcc_files() {
        let module = parse("k.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        for entry in module.entries() {
            let of = |early_loads, constant_operands| {
                let options = CompileOptions { early_loads, constant_operands, ..CompileOptions::default() };
                compile("k.ptx", &text, Some(&entry.name.text), options)
                    .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
            };
            let without = of(0, false);
            assert_eq!(without.ordered, None);
            for with in [of(64, false), of(64, true)] {
                assert_eq!(without.parsed, with.parsed, "the program as written is not changed");
                assert!(with.allocated.local_bytes <= without.allocated.local_bytes);
                assert!(with.ordered.as_ref().is_none_or(|o| o.instrs != with.parsed.instrs));
                early += usize::from(with.ordered.is_some());
                more += usize::from(with.allocated.num_regs > without.allocated.num_regs);
            }
        }
    }
    assert!(early > 100 && more > 20, "{early} programs with early loads, {more} with more registers");
}

/// Whether the load of a word comes before a store right before it, without and with the checker's consent; what is
/// before the two fills registers.
fn passes(store: &str, load: &str) -> bool {
    let before = "mov.u32 %r1, %tid.x;\n cvt.u64.u32 %rd1, %r1;\n";
    let body = format!("{before} {store}\n {load}\n st.shared.u32 [buffer+64], %r3;");
    let program = lowered(&body).unwrap_or_else(|e| panic!("{e}\n{body}"));
    let at = |op: fn(&Op) -> bool| program.instrs.iter().position(|i| op(&i.op)).expect("it is there");
    let (first, second) = (at(|op| matches!(op, Op::St { .. })), at(|op| matches!(op, Op::Ld { .. })));
    assert_eq!(first + 1, second, "{body}");
    let origins = program.blocks.iter().flat_map(cfg::pcs).collect();
    let mut swapped = Ordered { program: program.clone(), origins };
    swapped.program.instrs.swap(first, second);
    swapped.origins.swap(first, second);
    let accepted = check_order(&program, &swapped).is_ok();
    let early = with_early_loads(&program, ENOUGH);
    let position = |origin: usize| early.origins.iter().position(|pc| pc.index() == origin);
    assert_eq!(position(second) < position(first), accepted, "pass and checker: {body}");
    accepted
}

#[test]
fn pass_and_checker_let_a_load_pass_a_store_that_cannot_meet_it() {
    for (store, load, expected) in [
        ("st.shared.u32 [%r1], %r1;", "ld.shared.u32 %r3, [%r1+4];", false),
        ("st.shared.u32 [buffer], %r1;", "ld.shared.u32 %r3, [buffer+4];", true),
        ("st.shared.u32 [buffer], %r1;", "ld.shared.u32 %r3, [buffer];", false),
        ("st.shared.v2.u32 [buffer], {%r1, %r1};", "ld.shared.u32 %r3, [buffer+4];", false),
        ("st.shared.v2.u32 [buffer], {%r1, %r1};", "ld.shared.u32 %r3, [buffer+8];", true),
        ("st.u32 [%rd1], %r1;", "ld.shared.u32 %r3, [buffer];", false),
        ("st.shared.u32 [buffer], %r1;", "ld.u32 %r3, [%rd1];", false),
        ("st.shared.u32 [buffer], %r1;", "ld.global.u32 %r3, [%rd1];", true),
        ("st.local.u32 [%r1], %r1;", "ld.local.u32 %r3, [%r1+4];", true),
        ("st.local.u32 [%r1], %r1;", "ld.local.u32 %r3, [%r1];", false),
        ("st.local.u32 [%r1+2147483644], %r1;", "ld.local.u32 %r3, [%r1-2147483648];", false),
        ("st.global.u32 [%rd1], %r1;", "ld.global.nc.u32 %r3, [%rd1];", true),
        ("@%p1 st.shared.u32 [%r1], %r1;", "ld.shared.u32 %r3, [buffer];", false),
        ("st.shared.u32 [buffer], %r3;", "ld.shared.u32 %r3, [buffer+4];", false),
    ] {
        let set = if store.starts_with('@') { "setp.ne.u32 %p1, %r1, 0;\n" } else { "" };
        let value = if store.contains("%r3") { "add.u32 %r3, %r1, 1;\n" } else { "" };
        assert_eq!(passes(&format!("{set}{value}{store}"), load), expected, "{store} {load}");
    }
}

/// The fault that the checker finds in `ordered`.
fn fault(program: &Program, ordered: &Ordered) -> OrderFault {
    check_order(program, ordered).expect_err("a fault").fault
}

#[test]
fn the_checker_finds_what_is_no_order_of_the_text() {
    let body = format!("{FIRST} add.s32 %r2, %r1, 1;\n add.s32 %r4, %r2, %r2;{LAST}");
    let (program, good) = early(&body, ENOUGH);
    let mut ordered = good.clone();
    ordered.origins[1] = ordered.origins[0];
    assert!(matches!(fault(&program, &ordered), OrderFault::Origin { .. }), "one twice");
    ordered = good.clone();
    ordered.program.instrs[4] = ordered.program.instrs[3].clone();
    assert!(matches!(fault(&program, &ordered), OrderFault::Origin { .. }), "another instruction");
    ordered = good.clone();
    ordered.origins.pop();
    assert_eq!(fault(&program, &ordered), OrderFault::Blocks, "one is missing");
    ordered = good;
    ordered.program.blocks[0].len -= 1;
    assert_eq!(fault(&program, &ordered), OrderFault::Blocks, "another block");
}

#[test]
fn the_checker_finds_neighbours_that_may_not_change_places() {
    let (mut refused, mut accepted) = (0, 0);
    for program in kernels() {
        let origins: Vec<_> = program.blocks.iter().flat_map(cfg::pcs).collect();
        for first in 0..program.instrs.len() - 1 {
            let (a, b) = (&program.instrs[first], &program.instrs[first + 1]);
            let mut ordered = Ordered { program: program.clone(), origins: origins.clone() };
            ordered.program.instrs.swap(first, first + 1);
            ordered.origins.swap(first, first + 1);
            let result = check_order(&program, &ordered);
            if depends(a, b) || [a, b].iter().any(|i| matches!(i.op, Op::Bar { .. } | Op::Atom { .. })) {
                result.expect_err("one needs the other");
                refused += 1;
            } else {
                accepted += usize::from(result.is_ok());
            }
            if first > 40 {
                break;
            }
        }
    }
    assert!(refused > 1000 && accepted > 1000, "{refused} refused, {accepted} accepted");
}

/// Whether `b` reads a register that `a` writes.
fn depends(a: &Instr, b: &Instr) -> bool {
    b.source_regs().iter().any(|register| a.dsts.contains(register))
}
