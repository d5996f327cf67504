//! Modules, their declarations and their names.

use heddle_kernel::DiagnosticKind::*;
use heddle_kernel::{AllocOptions, compile, parse};

use super::{check, check_all, fault};
use crate::common::kernel;

#[test]
fn modules() {
    let head = ".version 8.5\n.target sm_75\n.address_size 64\n";
    let table = [
        ("^".to_owned(), Syntax, "begins with '.version'"),
        (format!("^{head}"), Entry, "no kernel"),
        (".version ^abc\n".to_owned(), Syntax, "expected a version"),
        (".version ^99.0\n".to_owned(), OutOfRange, "99.0 is not a version of PTX"),
        (".version ^8\n".to_owned(), OutOfRange, "expected a version from 1.0 to 9.9, such as 8.5"),
        (".version ^8.55\n".to_owned(), OutOfRange, "8.55 is not a version of PTX"),
        (".version 8.5\n.target ^foo\n".to_owned(), Syntax, "expected an architecture, such as sm_75"),
        (".version 8.5\n.target ^sm_9x\n".to_owned(), Syntax, "'sm_9x' is not a target of PTX"),
        (".version 8.5\n.target sm_75, ^debugg\n".to_owned(), Syntax, "'debugg' is not a target of PTX"),
        (format!("{head}.address_size ^48\n"), OutOfRange, "48 is not an address size"),
        (format!("{head}.address_size ^32\n"), Unsupported, "addresses of 32 bits are not supported"),
        (format!("{head}^.visble .entry k() {{ ret; }}"), UnknownDirective, "did you mean 'visible'?"),
        (format!("{head}.entry k() ^.maxntidd 3 {{ ret; }}"), UnknownDirective, "did you mean 'maxntid'?"),
        (
            format!("{head}.entry k() ^.reqntid 64, 32 {{ ret; }}"),
            OutOfRange,
            ".reqntid asks for blocks of [64, 32, 1] threads, which no launch can have",
        ),
        (
            format!("{head}.entry k() ^.reqntid 1, 1, 65 {{ ret; }}"),
            OutOfRange,
            "at most [1024, 1024, 64] in x",
        ),
        (
            format!("{head}.entry k() ^.reqntid 4294967295, 4294967295, 4294967295 {{ ret; }}"),
            OutOfRange,
            "expected at most 1024 threads in all",
        ),
        (
            format!("{head}.entry k() .maxntid 64 ^.reqntid 32 {{ ret; }}"),
            Syntax,
            "a kernel cannot have both .reqntid and .maxntid",
        ),
        (
            format!("{head}.entry k() .reqntid 32\n^.maxntid 64 {{ ret; }}"),
            Syntax,
            "both .reqntid and .maxntid",
        ),
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
fn every_fault_of_the_head_is_told_and_what_ptx_has_is_taken() {
    let kernel = ".entry k() { ret; }\n";
    let found = fault(&format!(".version 99.0\n.target foo\n.address_size 32\n{kernel}"));
    assert_eq!(found.list().len(), 3, "{found}");
    for (version, targets) in [
        ("1.0", "sm_10"),
        ("8.8", "sm_100f, texmode_unified"),
        ("9.0", "sm_90a, texmode_independent, debug"),
        ("9.9", "sm_121, map_f64_to_f32"),
    ] {
        let text = format!(".version {version}\n.target {targets}\n{kernel}");
        let module = parse("head.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(module.version.as_deref(), Some(version));
        assert_eq!(module.targets.join(", "), targets);
    }
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
        ("mov.u32 %r1, ^%tid.v;", UndefinedName, ""),
    ]);
}

#[test]
fn duplicate_labels_and_ranges_of_another_scope_are_fine() {
    let text = kernel("{ .reg .b32 %r<3>; L: add.s32 %r1, %r2, 1; }\n{ L: ret; }");
    compile("good.ptx", &text, None, AllocOptions::default()).unwrap_or_else(|e| panic!("{e}"));
}
