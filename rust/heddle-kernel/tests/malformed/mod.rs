//! Malformed and unsupported input: each fault is told at its line and column.

mod modules;
mod refused;

use heddle_kernel::DiagnosticKind::{self, *};
use heddle_kernel::{AllocOptions, Diagnostics, MAX_TOKENS, compile};

use crate::common::kernel;

fn fault(text: &str) -> Diagnostics {
    match compile("bad.ptx", text, None, AllocOptions::default()) {
        Ok(_) => panic!("this compiled:\n{text}"),
        Err(diagnostics) => diagnostics,
    }
}

/// Compiles `marked` without its `^`, which stands before the place of the first fault.
pub(crate) fn check(marked: &str, kind: DiagnosticKind, message: &str) {
    let at = marked.find('^').expect("a mark");
    let text = marked.replacen('^', "", 1);
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |n| n + 1) + 1;
    let found = fault(&text);
    let first = &found.list()[0];
    let loc = found.loc(first);
    assert_eq!((loc.line as usize, loc.column as usize), (line, column), "{marked}\n{found}");
    assert_eq!(first.kind, kind, "{marked}\n{found}");
    let rendered = found.to_string();
    assert!(rendered.contains(message), "'{message}' is not in:\n{rendered}");
    assert!(rendered.contains(&format!("bad.ptx:{line}:{column}")), "{rendered}");
}

fn check_all(table: &[(&str, DiagnosticKind, &str)]) {
    for (body, kind, message) in table {
        check(&kernel(body), *kind, message);
    }
}

#[test]
fn tokens() {
    check_all(&[
        ("add.s32 %r1, %r2, ^#;", Token, "'#' is not a PTX token"),
        ("mov.f32 %f1, ^0f123;", Token, ""),
        ("^/* no end", Token, "this comment has no end"),
        (".file 1 ^\"abc\n;", Token, "this string has no end"),
        ("mov.u32 %r1, ^é;", Token, "is not a PTX token"),
    ]);
}

/// The memory that a text can take is bounded, whatever is in it.
#[test]
fn texts_without_end_are_cut_short() {
    let head = ".version 8.0\n.target sm_75\n.address_size 64\n";
    // Six tokens of the head; the end of the text counts as none.
    let semicolons = |n: usize| format!("{head}{}", ";".repeat(n));
    let fits = heddle_kernel::parse("long.ptx", &semicolons(MAX_TOKENS - 6));
    assert!(fits.is_ok(), "{:?}", fits.err().map(|e| e.to_string()));
    let text = fault(&semicolons(MAX_TOKENS - 5)).to_string();
    assert!(text.contains("the text has more than 4194304 tokens"), "{text}");
    assert!(text.contains(&format!("bad.ptx:4:{}", MAX_TOKENS - 5)), "{}", &text[..200]);
    let faults = fault(&format!("{head}{}", "#".repeat(1_000_000)));
    assert_eq!(faults.list().len(), 100);
}

#[test]
fn syntax() {
    check_all(&[
        ("add.s32 %r1, %r2 ^%r3;", Syntax, "expected ',' and another operand, or ';'"),
        ("add.s32 %r1, %r2, ^;", Syntax, "expected an operand"),
        ("add.s32 %r1, %r2, %r3\n^sub.s32 %r1, %r2, %r3;", Syntax, "unexpected 'sub'"),
        ("ld.global.u32 %r1, [%rd1+^%r2];", Syntax, "expected an offset"),
        ("ld.global.u32 %r1, [%rd1^;", Syntax, "expected '+', '-' or ']'"),
        ("mov.b64 %rd1, {%r1, %r2^;", Syntax, "expected ',' or '}'"),
        ("@add^.s32 %r1, %r2, %r3;", Syntax, "expected an instruction"),
        ("^) add.s32 %r1, %r2, %r3;", Syntax, "unexpected ')'"),
        (".reg ^%r1;", Syntax, "expected a type"),
        (".reg .b32 %q<^x>;", Syntax, "expected a number of registers"),
        ("^.regs .b32 %q;", UnknownDirective, "did you mean 'reg'?"),
        (".reg ^.b33 %q;", UnknownDirective, "neither a type nor an attribute"),
    ]);
}

#[test]
fn modifiers() {
    check_all(&[
        ("add^.s33 %r1, %r2, %r3;", Modifier, "'add' does not take '.s33' here"),
        ("add^.fzt.f32 %f1, %f2, %f3;", Modifier, "did you mean 'ftz'?"),
        ("^add %r1, %r2, %r3;", Modifier, "'add' needs a type"),
        ("^add.ftz.f64 %fd1, %fd2, %fd3;", Modifier, ".ftz does not go with type .f64"),
        ("and^.s32 %r1, %r2, %r3;", Modifier, "'and' does not take type .s32"),
        ("^mul.s32 %r1, %r2, %r3;", Modifier, "expected one of .lo .hi .wide"),
        ("^mul.wide.s64 %rd1, %rd2, %rd3;", Modifier, ".wide does not go with type .s64"),
        ("^fma.f32 %f1, %f2, %f3, %f4;", Modifier, "needs a rounding mode"),
        ("^div.f32 %f1, %f2, %f3;", Modifier, "exactly one way of rounding"),
        ("^setp.s32 %p1, %r1, %r2;", Modifier, "needs a comparison"),
        ("^setp.lo.s32 %p1, %r1, %r2;", Modifier, "does not go with type .s32"),
        ("^cvt.s32.f32 %r1, %f1;", Modifier, "expected one of .rni .rzi .rmi .rpi"),
        ("^cvt.rn.s64.s32 %rd1, %r1;", Modifier, "no floating-point rounding"),
        ("^cvt.f32.f64 %f1, %fd1;", Modifier, "expected one of .rn .rz .rm .rp"),
        ("^rcp.f32 %f1, %f2;", Modifier, "either .approx or a rounding mode"),
        ("ld.global^.v3.u32 %r1, [%rd1];", Modifier, "'.v3'"),
        ("^st.const.u32 [weights], %r1;", Modifier, "cannot be stored to"),
        ("^ld.acquire.global.u32 %r1, [%rd1];", Modifier, "needs a scope"),
        ("^atom.global.u32 %r1, [%rd1], %r2;", Modifier, "needs an operation"),
        ("atom.global.inc^.f32 %f1, [%rd1], %f2;", Modifier, "does not take type .f32"),
        ("bar^.snyc 0;", Modifier, "did you mean 'sync'?"),
        ("add.s32^.s32 %r1, %r2, %r3;", Modifier, "'.s32'"),
    ]);
}

#[test]
fn operands() {
    check_all(&[
        ("^add.s32 %r1, %r2;", Operand, "'add' takes 3 operands, found 2"),
        ("^ret %r1;", Operand, "'ret' takes 0 operands, found 1"),
        ("^bra A, B;", Operand, "'bra' takes 1 operand, found 2"),
        ("add.s32 ^5, %r2, %r3;", Operand, "expected a destination register"),
        ("add.s32 %r1, ^[%r2], %r3;", Operand, "expected a register or a constant"),
        ("ld.global.u32 %r1, ^%rd1;", Operand, "expected an address in brackets"),
        ("ld.global.v2.u32 ^%r1, [%rd1];", Operand, "expected 2 registers in braces"),
        ("ld.global.v2.u32 ^{%r1, %r2, %r3}, [%rd1];", Operand, "3 elements instead of 2"),
        ("^mov.b32 %r1, {%r2, %r3, %r4};", Operand, "cannot have 3 parts"),
        ("^mov.b64 {%r1, %r1}, %rd1;", Operand, "written twice"),
        ("^setp.lt.s32 %p1|%p1, %r1, %r2;", Operand, "written twice"),
        ("@^%r1 ret;", TypeMismatch, "'%r1' is a .b32 register"),
        ("selp.b32 %r1, %r2, %r3, ^%r4;", TypeMismatch, "expected a .pred register"),
    ]);
}

#[test]
fn types() {
    check_all(&[
        ("add.s32 %r1, ^%rd2, %r3;", TypeMismatch, "'%rd2' is .b64, the instruction wants .s32"),
        ("add.s32 ^%f1, %r2, %r3;", TypeMismatch, "'%f1' is .f32, the instruction wants .s32"),
        ("add.f32 %f1, %f2, ^1;", TypeMismatch, "an integer cannot stand for a .f32 value"),
        ("add.f64 %fd1, %fd2, ^0f3F800000;", TypeMismatch, "a 32-bit float cannot stand"),
        ("mul.wide.s32 ^%r1, %r2, %r3;", TypeMismatch, "wants .s64"),
        ("shl.b64 %rd1, %rd2, ^%rd3;", TypeMismatch, "wants .u32"),
        ("ld.global.u64 ^%r1, [%rd1];", TypeMismatch, "wants .u64"),
        ("ld.global.u8 ^%f1, [%rd1];", TypeMismatch, "wants .u8"),
        ("ld.global.u32 %r1, [^%f1];", TypeMismatch, "no address"),
        ("ld.global.u32 %r1, [^buffer];", TypeMismatch, "'buffer' is a .shared variable"),
        ("setp.lt.s32 ^%r1, %r2, %r3;", TypeMismatch, "'%r1' is .b32, the instruction wants .pred"),
        ("and.b32 %r1, ^%p1, %r2;", TypeMismatch, "'%p1' is .pred"),
    ]);
}

#[test]
fn ranges() {
    check_all(&[
        ("mov.u32 %r1, ^4294967296;", OutOfRange, "does not fit .u32"),
        ("mov.u16 %rs1, ^-32769;", OutOfRange, "does not fit .u16"),
        ("mov.u32 %r1, ^99999999999999999999;", OutOfRange, "does not fit 64 bits"),
        ("bar.sync ^16;", OutOfRange, "expected a number from 0 to 15"),
        ("ld.global.u32 %r1, ^[%rd1+4294967296];", OutOfRange, "offset does not fit 32 bits"),
        (".reg .f32 %q<^0>;", OutOfRange, "'%q<0>' declares no register"),
        (".reg .v2 .f32 %q<^0>;", OutOfRange, "expected a number of registers from 1 on"),
        (".shared .align ^3 .b8 x[4];", OutOfRange, "3 is not an alignment"),
    ]);
}

#[test]
fn every_fault_of_a_text_is_told() {
    let text = kernel("ad.s32 %r1, %r2, %r3;\nadd.s32 %r1, %q, 1;\nbra X;");
    let found = fault(&text);
    assert_eq!(found.list().len(), 3, "{found}");
    let lines: Vec<u32> = found.list().iter().map(|d| found.loc(d).line).collect();
    assert!(lines.windows(2).all(|w| w[0] < w[1]), "{lines:?}");
}

#[test]
fn a_message_shows_line_and_caret() {
    let found = fault(&kernel("add.s32 %r1, %q2, %r3;"));
    let text = found.to_string();
    assert!(text.starts_with("error: '%q2' is not declared"), "{text}");
    assert!(text.contains("add.s32 %r1, %q2, %r3;"), "{text}");
    assert!(text.contains("^^^"), "{text}");
}
