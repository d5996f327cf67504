//! Constant expressions in operands and initial values.

use heddle_kernel::DiagnosticKind::{self, *};
use heddle_kernel::{AllocOptions, compile};

use crate::common::{kernel, run_words};

/// The 64-bit values of expressions as operands and as initial values.
fn values(expressions: &[&str]) -> Vec<u64> {
    let list = expressions.join(", ");
    let stores: String = expressions
        .iter()
        .zip(0..)
        .map(|(e, n)| format!("mov.b64 %rd1, {e};\nst.global.b64 [%rd0+{}], %rd1;\n", 8 * n))
        .collect();
    let count = u32::try_from(expressions.len()).expect("few");
    let text = format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n.global .align 8 .u64 list[{count}] = {{{list}}};\n\
         .visible .entry k(.param .u64 out)\n{{\n.reg .b64 %rd<4>;\nld.param.u64 %rd0, [out];\n{stores}\
         mov.u64 %rd2, list;\n"
    );
    let copies: String = (0..count)
        .map(|n| {
            format!(
                "ld.global.b64 %rd3, [%rd2+{}];\nst.global.b64 [%rd0+{}], %rd3;\n",
                8 * n,
                8 * (count + n)
            )
        })
        .collect();
    let words = run_words(&format!("{text}{copies}ret;\n}}\n"), 1, 4 * count);
    let found: Vec<u64> = words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32).collect();
    let (operands, initial) = found.split_at(expressions.len());
    assert_eq!(operands, initial, "operands and initial values");
    operands.to_vec()
}

fn check(table: &[(&str, i64)]) {
    let expressions: Vec<&str> = table.iter().map(|(expression, _)| *expression).collect();
    for (found, (expression, expected)) in values(&expressions).into_iter().zip(table) {
        assert_eq!(found.cast_signed(), *expected, "{expression}");
    }
}

#[test]
fn operators_bind_as_in_c() {
    check(&[
        ("(1+2)*4", 12),
        ("1+2*4", 9),
        ("10 - 3 - 2", 5),
        ("100 / 10 / 5", 2),
        ("5 << 2", 20),
        ("1 << 2 + 3", 32),
        ("7 & 3 == 3", 1),
        ("1 | 6 ^ 2 & 3", 5),
        ("-(3)", -3),
        ("-2 * -3", 6),
        ("- -3", 3),
        ("+5", 5),
        ("~0", -1),
        ("-~5", 6),
        ("!0 + !7", 1),
        ("17 % 5", 2),
        ("1 < 2 == 1", 1),
        ("0 || 2 && 3", 1),
        ("1 && 0 || 0", 0),
        ("2 >= 2", 1),
        ("2 > 2", 0),
        ("3 <= 2", 0),
        ("4 != 4", 0),
        ("1 ? 10 : 0 ? 20 : 30", 10),
        ("0 ? 10 : 0 ? 20 : 30", 30),
        ("(2 > 1 ? 3 : 4) * 2", 6),
        ("WARP_SZ", 32),
        ("WARP_SZ - 1", 31),
        ("2 * WARP_SZ", 64),
        ("-WARP_SZ", -32),
        ("~(WARP_SZ - 1) & 0xff", 0xe0),
    ]);
}

#[test]
fn integers_have_64_bits_and_a_sign_where_none_is_unsigned() {
    check(&[
        ("-7 / 2", -3),
        ("-8 / 2U", 0x7fff_ffff_ffff_fffc),
        ("-8 >> 1", -4),
        ("-8U >> 1", 0x7fff_ffff_ffff_fffc),
        ("(.u64)-8 >> 1", 0x7fff_ffff_ffff_fffc),
        ("(.s64)(-8U) >> 1", -4),
        ("~7 >> 1", 0x7fff_ffff_ffff_fffc),
        ("-1 < 0", 1),
        ("-1 < 0U", 0),
        ("0x8000000000000000 > 0", 1),
        ("(1 ? -8 : 0U) >> 1", 0x7fff_ffff_ffff_fffc),
        ("-1 % 10", 5),
        ("1 << 63", i64::MIN),
        ("1 << 64", 0),
        ("-1 >> 64", -1),
        ("-1U >> 64", 0),
        ("1 << -1", 0),
        ("0x7fffffffffffffff + 1", i64::MIN),
        ("(.s64)0x8000000000000000 / -1", i64::MIN),
        ("0xffffffffffffffff * 3", -3),
    ]);
}

#[test]
fn expressions_stand_where_numbers_do() {
    let body = "add.s32 %r1, %r2, (1 + 2) * 4;\nmov.b64 %rd1, {2 << 3, ~0};\nmov.u32 %r3, ~0;\nmov.f32 %f1, -(1.5);\n\
                st.global.v2.b32 [%rd1], {1 + 1, (3)};\nsetp.eq.or.s32 %p1, %r1, 5 - 6, !1;\n@!%p1 mov.u16 %rs1, -(2 | 1);";
    compile("good.ptx", &kernel(body), None, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    // In a call, parentheses are lists; inside of those, they are expressions.
    let call = ".version 8.5\n.target sm_75\n.address_size 64\n.func (.reg .u32 r) f(.reg .u32 a, .reg .u32 b)\n{\n\
                sub.u32 r, a, b;\nret;\n}\n.entry k(.param .u64 out)\n{\n.reg .b32 %r;\n.reg .b64 %o;\n\
                ld.param.u64 %o, [out];\ncall (%r), f, ((1 + 2) * 4, 7 - 5);\nst.global.u32 [%o], %r;\nret;\n}\n";
    assert_eq!(run_words(call, 1, 1), [10]);
}

/// A number that stands alone may be `WARP_SZ`, and a sign may stand before the parentheses of a floating-point one.
#[test]
fn warp_sizes_and_signs_of_floats_have_values() {
    let text = ".version 8.5\n.target sm_75\n.address_size 64\n.global .u32 list[WARP_SZ];\n\
                .visible .entry k(.param .u64 out) .maxntid WARP_SZ\n{\n.reg .b32 %r<2>;\n.reg .f32 %f1;\n.reg .f64 %fd1;\n\
                .reg .b64 %rd<4>;\nld.param.u64 %rd0, [out];\nmov.f32 %f1, -(1.5);\nst.global.f32 [%rd0], %f1;\n\
                mov.f64 %fd1, -(-(2.5));\nst.global.f64 [%rd0+8], %fd1;\nmov.u64 %rd1, list;\nmov.u64 %rd2, list+WARP_SZ;\n\
                sub.u64 %rd3, %rd2, %rd1;\nst.global.u32 [%rd0+4], %rd3;\nret;\n}\n";
    let bits = 2.5_f64.to_bits();
    let halves = [bits as u32, (bits >> 32) as u32];
    assert_eq!(run_words(text, 1, 4), [(-1.5_f32).to_bits(), 32, halves[0], halves[1]]);
}

/// A complement has ones above the bits of a narrow operand, whatever its sign there.
#[test]
fn complements_fit_narrow_operands() {
    let text = ".version 8.5\n.target sm_75\n.address_size 64\n.global .u8 narrow[4] = {~0x80, ~0x7f, 0, 0};\n\
                .visible .entry k(.param .u64 out)\n{\n.reg .b16 %rs1;\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n\
                ld.param.u64 %rd0, [out];\nmov.b32 %r1, -1;\nand.b32 %r1, %r1, ~0x80000000;\nst.global.u32 [%rd0], %r1;\n\
                mov.u16 %rs1, ~0x8000;\ncvt.u32.u16 %r2, %rs1;\nst.global.u32 [%rd0+4], %r2;\n\
                mov.u64 %rd1, narrow;\nld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd0+8], %r3;\nret;\n}\n";
    assert_eq!(run_words(text, 1, 3), [0x7fff_ffff, 0x7fff, 0x807f]);
}

#[test]
fn expressions_without_a_value_are_told() {
    let table: &[(&str, DiagnosticKind, &str)] = &[
        ("mov.u32 %r1, 1 ^/ 0;", OutOfRange, "a division by zero"),
        ("mov.u32 %r1, 5 ^% (3 - 3);", OutOfRange, "a division by zero"),
        ("mov.f32 %f1, 1.5 ^+ 1.5;", Unsupported, "on a floating-point constant"),
        ("mov.f32 %f1, ^~1.5;", Unsupported, "on a floating-point constant"),
        ("mov.f32 %f1, ^!1.5;", Unsupported, "on a floating-point constant"),
        ("mov.u64 %rd1, ^(.s64)1.5;", Unsupported, "on a floating-point constant"),
        ("mov.u32 %r1, 1.5 ^? 1 : 2;", Unsupported, "on a floating-point constant"),
        ("mov.f32 %f1, 1 ^? 1.5 : 2.5;", Unsupported, "on a floating-point constant"),
        ("mov.u64 %rd1, 1 ^? 1U : 2.5;", Unsupported, "on a floating-point constant"),
        ("mov.u64 %rd1, 0 ^? 2.5 : 1U;", Unsupported, "on a floating-point constant"),
        ("mov.u32 %r1, 1 + ^%r2;", Syntax, "expected a number"),
        ("mov.u32 %r1, (1 + 2^;", Syntax, "expected an operator or ')'"),
        ("mov.u32 %r1, 1 ? 2^;", Syntax, "expected an operator or ':'"),
        ("mov.u32 %r1, 1 +^;", Syntax, "expected a number"),
        ("mov.u32 %r1, 1 ^2;", Syntax, "expected ',' and another operand, or ';'"),
        ("mov.u32 %r1, (^.u32)1;", Syntax, "expected a number"),
        ("mov.u32 %r1, ^1 << 32;", OutOfRange, "does not fit .u32"),
        ("add.s32 %r1, (^%r2), %r3;", Syntax, "expected a number"),
        // Addresses have sums of a base and plain numbers.
        ("ld.global.u32 %r1, [%rd1+^(4)];", Syntax, "expected an offset"),
        ("ld.global.u32 %r1, [%rd1+4^*2];", Syntax, "expected '+', '-' or ']'"),
        ("ld.global.u32 %r1, [4^+4];", Syntax, "expected '+', '-' or ']'"),
        ("ld.global.u32 %r1, [^(4)];", Syntax, "expected a number"),
        ("ld.global.u32 %r1, [^-4];", Operand, "an absolute address is a non-negative integer"),
    ];
    for (body, kind, message) in table {
        crate::malformed::check(&kernel(body), *kind, message);
    }
}

/// Whatever is nested is told and takes no stack; signs and operators side by side are not nested.
#[test]
fn deep_expressions_are_refused() {
    let operand = |expression: &str| {
        let text = kernel(&format!("mov.u64 %rd1, {expression};"));
        compile("deep.ptx", &text, None, AllocOptions::default()).map(|_| ()).map_err(|e| e.to_string())
    };
    let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(operand(&nested(64)), Ok(()));
    for text in [
        nested(65),
        nested(1_000_000),
        "(".repeat(1_000_000),
        "(-~!".repeat(500_000),
        "1 ? ".repeat(1_000_000),
        "1 ? 2 : ".repeat(500_000),
        "1 + (".repeat(500_000),
    ] {
        let told = operand(&text).expect_err("too deep");
        assert!(told.contains("nested more than 64 deep"), "{}", &told[..told.len().min(300)]);
    }
    assert_eq!(operand(&format!("{}1", "-".repeat(1_000_000))), Ok(()));
    assert_eq!(operand(&format!("{}1", "~ ".repeat(1_000_000))), Ok(()));
    assert_eq!(operand(&format!("{}1", "1 + 2 * ".repeat(500_000))), Ok(()));
}
