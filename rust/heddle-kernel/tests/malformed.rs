//! Malformed and unsupported input: each fault is told at its line and column.

mod common;

use common::kernel;
use heddle_kernel::DiagnosticKind::{self, *};
use heddle_kernel::{AllocOptions, Diagnostics, MAX_TOKENS, compile};

fn fault(text: &str) -> Diagnostics {
    match compile("bad.ptx", text, None, AllocOptions::default()) {
        Ok(_) => panic!("this compiled:\n{text}"),
        Err(diagnostics) => diagnostics,
    }
}

/// Compiles `marked` without its `^`, which stands before the place of the first fault.
fn check(marked: &str, kind: DiagnosticKind, message: &str) {
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
fn video_instructions() {
    check_all(&[
        ("^vadd.u32.u32.u32 %r1, %r2, %r3, %r4;", Modifier, "nothing says what the third source is for"),
        ("^vadd.u32.u32.u32.add %r1, %r2, %r3;", Operand, "takes 4 operands, found 3"),
        ("^vadd.u32.u32.u32 %r1.b0, %r2, %r3;", Operand, "takes 4 operands, found 3"),
        ("^vadd.u32.u32.u32.min %r1.b0, %r2, %r3, %r4;", Modifier, "exclude each other"),
        ("vmax.u32.u32.u32 %r1, ^%r2.b4, %r3;", Operand, "a selector from .b0 to .b3, .h0 or .h1"),
        ("vmax.u32.u32.u32 %r1, %r2, ^%r3.h10;", Operand, "a selector from .b0 to .b3, .h0 or .h1"),
        ("vset.u32.u32.lt^.sat %r1, %r2, %r3;", Modifier, "'vset' does not take '.sat' here"),
        ("^vset.u32.u32 %r1, %r2, %r3;", Modifier, "'vset' needs a comparison"),
        ("^vshl.u32.u32.u32 %r1, %r2, %r3;", Modifier, "needs a rule for amounts above 32"),
        ("vshl.u32.u32^.s32.wrap %r1, %r2, %r3;", Modifier, "'vshl' does not take type .s32"),
        ("^vmad.u32.u32.u32.po %r1, -%r2, %r3, %r4;", Modifier, ".po does not go with a negated operand"),
        ("^vmad.u32.u32.u32 %r1, -%r2, %r3, -%r4;", Modifier, "either the product or the third source"),
        ("vadd.u32.u32.u32 %r1, ^-%r2, %r3;", Operand, "a register or a constant"),
        ("^vadd4.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;", Modifier, ".sat does not go with .add"),
        ("^vadd4.u32.u32.u32 %r1, %r2, %r3;", Operand, "takes 4 operands, found 3"),
        ("vadd4.u32.u32.u32 ^%r1.b01, %r2, %r3, %r4;", Operand, "the highest first"),
        ("vadd2.u32.u32.u32 ^%r1.b1, %r2, %r3, %r4;", Operand, ".h0, .h1 or .h10"),
        ("vadd2.u32.u32.u32 %r1, ^%r2.h14, %r3, %r4;", Operand, "two digits from 0 to 3"),
        ("vadd4.u32.u32.u32 %r1, %r2, ^%r3.b0, %r4;", Operand, "four digits from 0 to 7"),
        ("vadd4^.u16.u32.u32 %r1, %r2, %r3, %r4;", Modifier, "does not take type .u16"),
    ]);
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
fn modules() {
    let head = ".version 8.5\n.target sm_75\n.address_size 64\n";
    let table = [
        ("^".to_owned(), Syntax, "begins with '.version'"),
        (format!("^{head}"), Entry, "no kernel"),
        (".version ^abc\n".to_owned(), Syntax, "expected a version"),
        (format!("{head}.address_size ^48\n"), OutOfRange, "48 is not an address size"),
        (format!("{head}^.visble .entry k() {{ ret; }}"), UnknownDirective, "did you mean 'visible'?"),
        (format!("{head}.entry k() ^.maxntidd 3 {{ ret; }}"), UnknownDirective, "did you mean 'maxntid'?"),
        (format!("{head}.entry ^() {{ ret; }}"), Syntax, "expected the function's name"),
        (format!("{head}.entry k(^.u32 a) {{ ret; }}"), Syntax, "needs a state space"),
        (format!("{head}.entry k() {{ ret; ^"), Syntax, "the text ends here"),
        (
            format!("{head}.shared .b8 ^big[999999];\n.entry k() {{ .reg .b32 %r; mov.u32 %r, big; }}"),
            OutOfRange,
            "does not fit",
        ),
        (format!("{head}.global .b8 big[^99999999999999999999];"), OutOfRange, "does not fit 64 bits"),
        (format!("{head}.const .b8 ^big[70000];\n.entry k() {{ ret; }}"), OutOfRange, "constant memory"),
        (
            format!("{head}.global .b32 a[2] = ^{{1,2,3}};\n.entry k() {{ ret; }}"),
            OutOfRange,
            "fewer elements",
        ),
        (
            format!("{head}.global .u64 a = ^nowhere;\n.entry k() {{ ret; }}"),
            UndefinedName,
            "not a variable of global or constant memory",
        ),
        (format!("{head}.global ^.texref t[2];\n.entry k() {{ ret; }}"), Unsupported, ".texref"),
        (format!("{head}.global ^.samplerref t;\n.entry k() {{ ret; }}"), Unsupported, ".samplerref"),
        (
            format!("{head}.global .texref t;\n.entry k() {{ .reg .b64 %d; mov.u64 %d, ^t; ret; }}"),
            Unsupported,
            "the address of 't'",
        ),
        (format!("{head}.extern .global .b32 ^e;\n.entry k() {{ ret; }}"), Unsupported, "another module"),
        (
            format!("{head}.extern .func f;\n.entry k() {{ call.uni ^f; ret; }}"),
            Unsupported,
            "has no body in the PTX",
        ),
        (
            format!("{head}.func f() {{ call.uni ^f; ret; }}\n.entry k() {{ call.uni f; ret; }}"),
            Unsupported,
            "recursion",
        ),
        (
            format!("{head}.func f(.param .b32 a) {{ ret; }}\n.entry k() {{ ^call.uni f; ret; }}"),
            Operand,
            "1 parameters here, the call 0",
        ),
        (
            format!("{head}.func f() {{ bad^.u32 %r; }}\n.entry k() {{ call.uni f; ret; }}")
                .replace("bad^", "^bad"),
            UnknownOpcode,
            "'bad' is not",
        ),
        (
            format!("{head}.entry k() {{ .reg .b64 %rd; call.uni ^%rd, (); ret; }}"),
            Operand,
            "through an address",
        ),
        (
            format!("{head}.entry a() {{ ret; }}\n.entry ^b() {{ ret; }}"),
            Entry,
            "name one of them, with --entry: a, b",
        ),
    ];
    for (text, kind, message) in table {
        check(&text, kind, message);
    }
    let found = compile(
        "bad.ptx",
        &format!("{head}.entry kernel() {{ ret; }}"),
        Some("kernal"),
        AllocOptions::default(),
    )
    .expect_err("another name");
    assert!(found.to_string().contains("did you mean 'kernel'?"), "{found}");
}

#[test]
fn names() {
    check_all(&[
        ("^ad.s32 %r1, %r2, %r3;", UnknownOpcode, "did you mean"),
        ("^frobnicate %r1;", UnknownOpcode, "'frobnicate' is not a PTX instruction"),
        ("add.s32 %r1, ^%r9, %r3;", UndefinedName, "'%r<9>' declares %r0 to %r8"),
        ("add.s32 %r1, ^%r01, %r3;", UndefinedName, "'%r01' is not declared"),
        ("bra ^NOWHERE;", UndefinedName, "'NOWHERE' is not declared"),
        ("LOOP: bra ^LOP;", UndefinedName, "did you mean 'LOOP'?"),
        ("{ INNER: ret; }\nbra ^INNER;", UndefinedName, "'INNER' is not declared"),
        ("ld.shared.u32 %r1, [^bufer];", UndefinedName, "did you mean 'buffer'?"),
        ("L: ret;\n^L: ret;", DuplicateName, "'L' is already declared"),
        (".reg .b32 ^%r<3>;", DuplicateName, "already declared"),
        ("t: .branchtargets A;\nbrx.idx %r1, ^u;\nA:", UndefinedName, "'u' is not declared"),
        ("t: .branchtargets ^A;\nbrx.idx %r1, t;", UndefinedName, "'A' is not declared"),
        ("A: brx.idx %r1, ^A;", Operand, "a list of branch targets"),
        ("bra ^%r1;", Operand, "'%r1' is not a label"),
        ("mov.u32 ^%tid.x, %r1;", Operand, "cannot be written"),
        ("mov.u32 %r1, ^%pm3;", Unsupported, "%pm3"),
        ("add.u32 %r1, %r1, ^%clock;", Operand, "cannot stand here"),
        ("mov.u32 %r1, ^%clock64;", TypeMismatch, "'%clock64' is .u64"),
        ("mov.u32 %r1, ^%envreg32;", UndefinedName, "%envreg32"),
        ("mov.u32 %r1, ^%tid.w;", UndefinedName, ""),
    ]);
}

#[test]
fn duplicate_labels_and_ranges_of_another_scope_are_fine() {
    let text = kernel("{ .reg .b32 %r<3>; L: add.s32 %r1, %r2, 1; }\n{ L: ret; }");
    compile("good.ptx", &text, None, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
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
        (".shared .align ^3 .b8 x[4];", OutOfRange, "3 is not an alignment"),
    ]);
}

#[test]
fn unsupported() {
    check_all(&[
        (
            "^wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1], %r2;",
            Unsupported,
            "'wmma' is a tensor-core instruction; tensor cores are not modelled",
        ),
        (
            "^tex.grad.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%f5, %f5}, {%f6, %f6};",
            Unsupported,
            ".grad",
        ),
        (
            "^tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}|%p1, [%rd1, {%f5, %f6}];",
            Unsupported,
            "a predicate that tells residency",
        ),
        (
            "^tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, %rd2, {%f5, %f6}];",
            Unsupported,
            "a sampler apart from the texture",
        ),
        (
            "^tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}], {%r1, %r2};",
            Unsupported,
            "an offset or a depth comparison",
        ),
        (
            "^tex.level.acube.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1, %f5, %f6, %f7}], %f8;",
            Unsupported,
            "more than six source registers",
        ),
        ("^tex.2d.v2.f16x2.f32 {%r1,%r2}, [%rd1, {%f5, %f6}];", Unsupported, "packed halves"),
        ("^sust.p.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};", Unsupported, "a formatted surface access"),
        ("^tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];", Unsupported, "'tld4'"),
        ("^txq.width.b32 %r1, [%rd1];", Unsupported, "'txq'"),
        ("^redux.sync.min.f32 %f1, %f2, -1;", Unsupported, "a reduction of floats"),
        ("^barrier.cluster.arrive;", Unsupported, "a barrier of a cluster"),
        ("bar.sync 0, ^48;", OutOfRange, "cannot count 48 threads"),
        ("bar.warp.sync ^0;", OutOfRange, "names no lane"),
        ("^bar.arrive 0;", Operand, "does not take 1 operands"),
        ("^bar.red.popc.u32 %r1, 0;", Operand, "takes 3 or 4 operands"),
        ("elect.sync ^%r1, -1;", Operand, "d|p"),
        ("add.rn^.f32x2 %rd1, %rd2, %rd3;", Unsupported, ".f32x2"),
        ("atom.exch^.b128 %rd1, [%rd2], %rd3;", Unsupported, "a 128-bit atomic"),
        ("^cvt.pack.sat.s16.s32 %r1, %r2, %r3;", Unsupported, "'cvt.pack'"),
        ("^prefetch.tensormap [%rd1];", Unsupported, "a tensor map"),
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

#[test]
fn textures_and_surfaces() {
    check_all(&[
        ("^tex.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5}];", Modifier, "needs a geometry"),
        ("^tex.2d.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];", Modifier, "a vector of four"),
        ("tex.2d.v4^.s16.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];", Modifier, "type .s16"),
        ("tex.cube.v4.f32^.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2,%r3,%r4}];", Modifier, "type .s32"),
        ("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, ^{%f5}];", Operand, "1 elements instead of 2"),
        ("tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, ^{%f5,%f5,%f5}];", Operand, "3 elements instead of 4"),
        ("tex.1d.v4.f32.f32 ^{%f1,%f2,%f3}, [%rd1, {%f5}];", Operand, "3 elements instead of 4"),
        ("^tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f1}, [%rd1, {%f5}];", Operand, "written twice"),
        ("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, ^[%rd1];", Operand, "cannot stand here"),
        ("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [^table, {%f5}];", Operand, "cannot stand here"),
        ("tex.1d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [^%r1, {%f5}];", TypeMismatch, "wants .u64"),
        ("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {^%f5}];", TypeMismatch, "wants .s32"),
        ("^sust.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};", Modifier, "needs a kind of access"),
        ("sust.b.2d.v4.b32.trap [%rd1, {%r1, %r2}], ^{%r3};", Operand, "instead of 4"),
        ("^suld.b.2d.v4.b64.trap {%rd1,%rd2,%rd3,%rd4}, [%rd5, {%r1, %r2}];", Unsupported, "128 bits"),
    ]);
}
