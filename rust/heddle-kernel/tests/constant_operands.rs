//! Which sources come from the parameter block or the constant bank, and that they have the same values there.

use std::borrow::Cow;

use heddle_isa::{Constant, Operand, Program, Space};
use heddle_kernel::{
    AllocOptions, CompileOptions, allocate_traced, check_allocation, compile, with_constant_operands,
};

use crate::common;
use crate::common::lowered;

const PARAM: Constant = Constant { space: Space::Param, offset: 8, words: 1 };

/// The operands of banks in the kernel around `body`: instruction, source and place.
fn constants(body: &str) -> Vec<(usize, usize, Constant)> {
    let program = lowered(body).unwrap_or_else(|e| panic!("{e}"));
    let changed = with_constant_operands(&program);
    found(&changed)
}

fn found(program: &Program) -> Vec<(usize, usize, Constant)> {
    let mut found = Vec::new();
    for (pc, instr) in program.instrs.iter().enumerate() {
        for (position, source) in instr.srcs.iter().enumerate() {
            if let Operand::Constant(constant) = source {
                found.push((pc, position, *constant));
            }
        }
    }
    found
}

const LOAD: &str = "ld.param.u32 %r1, [k_param_1];\n mov.u32 %r2, %tid.x;\n";
const KEEP: &str = "\n st.shared.u32 [buffer], %r3;";

#[test]
fn arithmetic_takes_a_parameter_where_its_field_is() {
    for (text, position) in [
        ("add.s32 %r3, %r2, %r1;", 1),
        ("add.s32 %r3, %r1, %r2;", 0),
        ("mad.lo.s32 %r3, %r2, %r1, %r2;", 1),
        ("mad.lo.s32 %r3, %r2, %r2, %r1;", 2),
        ("shl.b32 %r3, %r2, %r1;", 1),
        ("neg.s32 %r3, %r1;", 0),
        ("lop3.b32 %r3, %r2, %r2, %r1, 0x96;", 2),
        ("add.s32 %r3, %r1, 0;", 0),
    ] {
        assert_eq!(constants(&format!("{LOAD}{text}{KEEP}")), [(2, position, PARAM)], "{text}");
    }
}

#[test]
fn there_is_one_field_for_a_constant_and_not_all_have_it() {
    for text in [
        "add.s32 %r3, %r1, 5;",
        "mad.lo.s32 %r3, %r1, %r2, 7;",
        "shl.b32 %r3, %r1, %r2;",
        "div.u32 %r3, %r2, %r1;",
        "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;",
        "st.shared.u32 [buffer], %r1; mov.u32 %r3, %r2;",
        "ld.shared.u32 %r3, [%r1];",
        "atom.shared.add.u32 %r3, [buffer], %r1;",
    ] {
        assert_eq!(constants(&format!("{LOAD}{text}{KEEP}")), [], "{text}");
    }
    let twice = constants(&format!("{LOAD} mad.lo.s32 %r3, %r1, %r1, %r1;{KEEP}"));
    assert_eq!(twice, [(2, 1, PARAM)], "one source only");
}

#[test]
fn what_may_hold_something_else_stays_in_registers() {
    let guarded = "ld.param.u32 %r1, [k_param_1];\n mov.u32 %r2, %tid.x;\n setp.ne.u32 %p1, %r2, 0;\n";
    for body in [
        format!("{LOAD} add.s32 %r1, %r2, 1;\n add.s32 %r3, %r2, %r1;{KEEP}"),
        format!("{guarded} @%p1 bra over;\n mov.u32 %r1, %r2;\nover:\n add.s32 %r3, %r2, %r1;{KEEP}"),
        format!(
            "{LOAD}again:\n add.s32 %r3, %r2, %r1;\n add.s32 %r1, %r3, 1;\n setp.lt.u32 %p1, %r3, 9;\n @%p1 bra again;{KEEP}"
        ),
        format!("{guarded} @%p1 mov.u32 %r1, %r2;\n add.s32 %r3, %r2, %r1;{KEEP}"),
        format!("ld.param.u16 %rs1, [k_param_1];\n add.s16 %rs2, %rs1, %rs1;\n cvt.u32.u16 %r3, %rs2;{KEEP}"),
        format!("mov.u32 %r2, %tid.x;\n ld.const.u32 %r1, [%rd1];\n add.s32 %r3, %r2, %r1;{KEEP}"),
    ] {
        assert_eq!(constants(&body), [], "{body}");
    }
}

#[test]
fn copies_pairs_and_the_constant_bank_are_followed() {
    let copy = constants(&format!("{LOAD} mov.u32 %r4, %r1;\n add.s32 %r3, %r2, %r4;{KEEP}"));
    assert_eq!(copy, [(2, 0, PARAM), (3, 1, PARAM)]);
    let pair = "ld.param.u64 %rd1, [k_param_0];\n cvta.to.global.u64 %rd2, %rd1;\n cvt.u64.u32 %rd3, 4;\n\
                add.s64 %rd4, %rd2, %rd3;\n ld.global.u32 %r3, [%rd4];";
    let wide = Constant { space: Space::Param, offset: 0, words: 2 };
    let sums = constants(&format!("{pair}{KEEP}"));
    assert!(sums.iter().any(|&(_, position, constant)| (position, constant) == (0, wide)), "{sums:?}");
    let bank = "ld.const.f32 %f1, [weights+8];\n mov.u32 %r2, %tid.x;\n cvt.rn.f32.u32 %f2, %r2;\n\
                fma.rn.f32 %f3, %f2, %f1, %f2;\n cvt.rzi.u32.f32 %r3, %f3;";
    let weight = Constant { space: Space::Const, offset: 8, words: 1 };
    assert_eq!(constants(&format!("{bank}{KEEP}")), [(3, 1, weight)]);
}

#[test]
fn a_register_that_holds_several_things_is_followed_where_it_holds_a_constant() {
    let program =
        lowered(&format!("{LOAD} add.s32 %r3, %r2, %r1;\n mov.u32 %r1, %r2;\n add.s32 %r3, %r3, %r1;{KEEP}"));
    let program = program.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found(&with_constant_operands(&program)), [(2, 1, PARAM)]);
    let guarded = "ld.param.u32 %r1, [k_param_1];\n mov.u32 %r2, %tid.x;\n setp.ne.u32 %p1, %r2, 0;\n";
    let both = format!(
        "{guarded} @%p1 bra over;\n ld.param.u32 %r1, [k_param_1];\nover:\n add.s32 %r3, %r2, %r1;{KEEP}"
    );
    assert_eq!(constants(&both), [(5, 1, PARAM)], "all paths agree");
}

#[test]
fn a_program_without_such_sources_is_not_copied() {
    let program = lowered("mov.u32 %r3, %tid.x;").unwrap_or_else(|e| panic!("{e}"));
    assert!(matches!(with_constant_operands(&program), Cow::Borrowed(_)));
}

#[test]
fn every_kernel_of_nvcc_is_allocated_with_them_and_takes_no_more_registers() {
    let (mut before, mut after, mut operands) = (0, 0, 0);
    for (path, text) in common::nvcc_files() {
        let module = heddle_kernel::parse("k.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        for entry in module.entries() {
            let of = |constant_operands| {
                let options = CompileOptions { constant_operands, ..CompileOptions::default() };
                compile("k.ptx", &text, Some(&entry.name.text), options)
                    .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
            };
            let (without, with) = (of(false), of(true));
            assert_eq!(without.parsed, with.parsed, "the program as written is not changed");
            assert_eq!(found(&without.allocated), []);
            operands += found(&with.allocated).len();
            before += without.allocated.num_regs;
            after += with.allocated.num_regs;
        }
    }
    println!("{operands} operands, {before} registers before and {after} after");
    assert!(operands > 300 && after < before, "{operands} operands, {before} registers, {after} with them");
}

#[test]
fn the_checker_finds_a_wrong_place_in_a_bank() {
    let program = lowered(&format!("{LOAD} add.s32 %r3, %r2, %r1;{KEEP}")).unwrap_or_else(|e| panic!("{e}"));
    let changed = with_constant_operands(&program);
    let mut allocation = allocate_traced(&changed, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    check_allocation(&changed, &allocation).unwrap_or_else(|e| panic!("{e}"));
    for instr in &mut allocation.program.instrs {
        for source in &mut instr.srcs {
            if let Operand::Constant(constant) = source {
                constant.offset = 0;
            }
        }
    }
    check_allocation(&changed, &allocation).expect_err("another parameter");
}
