//! Calls, parameters of calls, function addresses and functions without a body.

use heddle_kernel::{AllocOptions, DiagnosticKind, compile, lower_entry, parse, warnings};

use crate::common::{golden_words, run_words};

const HEAD: &str = ".version 8.5\n.target sm_75\n.address_size 64\n";

/// A kernel whose output address is in `%out` and thread number in `%t`.
fn kernel(functions: &str, body: &str) -> String {
    format!(
        "{HEAD}{functions}\n.visible .entry k(.param .u64 k_out)\n{{\n.reg .b64 %out;\n.reg .b32 %t;\n\
         .reg .b16 %rs<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<9>;\n.reg .f32 %f<9>;\n\
         ld.param.u64 %out, [k_out];\nmov.u32 %t, %tid.x;\n{body}\nret;\n}}\n"
    )
}

fn refused(text: &str) -> (DiagnosticKind, String) {
    let found = compile("t.ptx", text, None, AllocOptions::default()).expect_err("a fault");
    (found.list()[0].kind, found.to_string())
}

#[test]
fn a_parameter_is_written_in_parts_and_read_in_others() {
    let text = kernel(
        "",
        "{\n.param .align 8 .b8 p[24];\n\
         mov.b64 %rd1, 0x8877665544332211;\nst.param.b64 [p+8], %rd1;\n\
         mov.u16 %rs1, 0xBBAA;\nst.param.b16 [p+10], %rs1;\nst.param.b8 [p+15], %rs1;\n\
         st.param.v2.b32 [p+16], {0x12345678, 0x9ABCDEF0};\nst.param.b8 [p+1], -1;\n\
         ld.param.b32 %r1, [p+8];\nld.param.b32 %r2, [p+12];\nld.param.u16 %r3, [p+12];\n\
         ld.param.s8 %r4, [p+15];\nld.param.b64 %rd2, [p+16];\nld.param.s16 %r5, [p+18];\n\
         ld.param.u8 %r6, [p+1];\nld.param.s8 %rd3, [p+1];\n}\n\
         st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};\nst.global.u64 [%out+16], %rd2;\n\
         st.global.v2.u32 [%out+24], {%r5, %r6};\nst.global.u64 [%out+32], %rd3;",
    );
    let expected = [
        0xBBAA_2211,
        0xAA77_6655,
        0x6655,
        0xFFFF_FFAA,
        0x1234_5678,
        0x9ABC_DEF0,
        0x1234,
        0xFF,
        0xFFFF_FFFF,
        0xFFFF_FFFF,
    ];
    assert_eq!(run_words(&text, 1, 10), expected);
}

#[test]
fn a_parameter_is_argument_and_result_of_one_call() {
    let function = ".func (.param .b64 back) f(.param .b64 given)\n{\n.reg .b64 %a;\n.reg .b32 %l;\n\
                    mov.b64 %a, 7;\nst.param.b64 [back], %a;\n\
                    ld.param.b32 %l, [given+4];\ncvt.u64.u32 %a, %l;\nadd.u64 %a, %a, 1;\n\
                    st.param.b64 [back], %a;\nld.param.b64 %a, [given];\nst.param.b32 [back+4], %a;\nret;\n}\n";
    let body = "{\n.param .b64 p;\nst.param.b64 [p], 0x0000000500000003;\ncall (p), f, (p);\n\
                ld.param.b64 %rd1, [p];\n}\nst.global.u64 [%out], %rd1;";
    assert_eq!(run_words(&kernel(function, body), 1, 2), [6, 3]);
}

/// The call stands before the first store to its parameter in the text, and after it on every way.
#[test]
fn a_parameter_that_is_argument_and_result_is_stored_later_in_the_text() {
    let function = ".func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %x;\nld.param.b32 %x, [a];\n\
                    add.u32 %x, %x, %x;\nst.param.b32 [r], %x;\nret;\n}\n";
    let body = "{\n.param .b32 p;\nmov.u32 %r1, 0;\nbra INIT;\n\
                LOOP: call (p), f, (p);\nadd.u32 %r1, %r1, 1;\nsetp.eq.u32 %p1, %r1, 3;\n@%p1 bra DONE;\n\
                bra LOOP;\nINIT: st.param.b32 [p], 1;\nbra LOOP;\nDONE: ld.param.b32 %r2, [p];\n}\n\
                st.global.u32 [%out], %r2;";
    assert_eq!(run_words(&kernel(function, body), 1, 1), [8]);
}

#[test]
fn accesses_outside_a_parameter_are_told() {
    let body = "{ .param .align 8 .b8 p[12]; st.param.b64 [p+8], 1; }";
    let (kind, message) = refused(&kernel("", body));
    assert_eq!(kind, DiagnosticKind::OutOfRange);
    assert!(message.contains("8 bytes at 8 reach past the 12 bytes"), "{message}");
    let (_, message) = refused(&kernel("", "{ .param .align 8 .b8 p[12]; st.param.b32 [p+2], 1; }"));
    assert!(message.contains("offset 2 is not a multiple of 4"), "{message}");
}

const TWO: &str = ".visible .func (.param .b32 r) twice(.param .b32 a)\n{\n.reg .b32 %x<3>;\n\
    ld.param.u32 %x0, [a];\nadd.u32 %x1, %x0, %x0;\nst.param.b32 [r], %x1;\nret;\n}\n\
    .visible .func (.param .b32 r) square(.param .b32 a)\n{\n.reg .b32 %x<3>;\n\
    ld.param.u32 %x0, [a];\nmul.lo.u32 %x1, %x0, %x0;\nst.param.b32 [r], %x1;\nret;\n}\n\
    .visible .func other(.param .b64 a)\n{\nret;\n}\n";

#[test]
fn calls_go_through_tables_of_addresses() {
    let functions = format!(
        "{TWO}.global .align 8 .u64 table[3] = {{twice, square, other}};\n\
         .const .align 8 .u64 constants[2] = {{square, twice}};\n"
    );
    let call = "{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %t;\n\
        proto: .callprototype (.param .b32 _) _ (.param .b32 _);\n\
        call (r), %rd3, (a), proto;\nld.param.b32 %r2, [r];\n}\n";
    let body = format!(
        "and.b32 %r1, %t, 1;\nmul.wide.u32 %rd1, %r1, 8;\nmov.u64 %rd2, table;\nadd.u64 %rd2, %rd2, %rd1;\n\
         ld.global.u64 %rd3, [%rd2];\n{call}\nmul.wide.u32 %rd4, %t, 8;\nadd.u64 %rd4, %rd4, %out;\n\
         st.global.u32 [%rd4], %r2;\nld.const.u64 %rd3, [constants];\n{call}\nst.global.u32 [%rd4+4], %r2;"
    );
    let found = run_words(&kernel(&functions, &body), 40, 80);
    for (t, pair) in (0u32..).zip(found.chunks(2)) {
        assert_eq!(pair, [if t % 2 == 0 { 2 * t } else { t * t }, t * t], "thread {t}");
    }
}

#[test]
fn an_address_of_no_fitting_function_traps() {
    let body = "mov.u64 %rd3, other;\n{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %t;\n\
        proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (r), %rd3, (a), proto;\n}\n";
    let text = kernel(TWO, body);
    let program = lower_entry(&parse("t", &text).expect("good"), None).unwrap_or_else(|e| panic!("{e}"));
    let error = golden_words(&program, 1, 1).expect_err("a trap");
    assert!(error.to_string().contains("trap"), "{error}");
}

#[test]
fn targets_can_be_listed() {
    let body = "mov.u64 %rd3, square;\nadd.u32 %r1, %t, 3;\n\
        targets: .calltargets twice, square;\n{\n.param .b32 a;\n.param .b32 r;\nst.param.b32 [a], %r1;\n\
        @%p1 call (r), %rd3, (a), targets;\nsetp.eq.u32 %p2, %t, %t;\n\
        @%p2 call (r), %rd3, (a), targets;\nld.param.b32 %r2, [r];\n}\nst.global.u32 [%out], %r2;";
    assert_eq!(run_words(&kernel(TWO, body), 1, 1), [9]);
}

#[test]
fn registers_and_constants_are_arguments() {
    let functions = format!(
        "{TWO}.func (.reg .u32 rv) sum(.reg .u32 a, .reg .u64 b)\n{{\n.reg .u32 %x;\n\
         cvt.u32.u64 %x, b;\nadd.u32 rv, a, %x;\nret;\n}}\n.alias plus, sum;\n"
    );
    let body = "call (%r1), square, (7);\nmov.b64 %rd1, 5;\ncall.uni (%r2), plus, (%r1, %rd1);\n\
        st.global.v2.u32 [%out], {%r1, %r2};";
    assert_eq!(run_words(&kernel(&functions, body), 1, 2), [49, 54]);
}

#[test]
fn recursion_names_its_cycle() {
    let functions = ".func f();\n.func g()\n{\ncall f;\nret;\n}\n.func f()\n{\ncall g;\nret;\n}\n";
    let (kind, message) = refused(&kernel(functions, "call f;"));
    assert_eq!(kind, DiagnosticKind::Unsupported);
    assert!(message.contains("recursion is not supported: 'f' calls 'g' calls 'f'"), "{message}");
}

/// Two calls in each of thirty functions that do nothing are a thousand million.
#[test]
fn calls_that_multiply_are_refused() {
    let mut functions = ".func f30() { ret; }\n".to_owned();
    for number in (0..30).rev() {
        functions += &format!(".func f{number}() {{ call f{}; call f{}; ret; }}\n", number + 1, number + 1);
    }
    let (kind, message) = refused(&kernel(&functions, "call f0;"));
    assert_eq!(kind, DiagnosticKind::OutOfRange);
    assert!(message.contains("too large with its calls inlined"), "{message}");
}

const RUNTIME: &str = ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n\
    .extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n\
    .extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func elsewhere();\n";

#[test]
fn printing_is_a_warning_and_does_nothing() {
    let body = "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b64 [a], 0;\nst.param.b64 [b], 0;\n\
        call.uni (r), vprintf, (a, b);\nld.param.b32 %r1, [r];\n}\nadd.u32 %r1, %r1, 3;\nst.global.u32 [%out], %r1;";
    let text = kernel(RUNTIME, body);
    assert_eq!(run_words(&text, 1, 1), [3]);
    let every = |text: &str| warnings(&parse("t.ptx", text).expect("good"), |_| true);
    let told = every(&text).expect("a warning").to_string();
    assert!(told.starts_with("warning: this call prints nothing"), "{told}");
    assert!(told.contains("vprintf, (a, b)"), "{told}");
    assert!(every(&kernel(RUNTIME, "")).is_none());
}

/// A kernel is told of the calls that it may reach, through functions and addresses, and of no others.
#[test]
fn printing_is_told_of_the_kernels_that_do() {
    let call = "{\n.param .b64 a;\n.param .b32 r;\ncall.uni (r), vprintf, (a, a);\n}\nret;\n";
    let functions = format!(
        "{RUNTIME}.func speak()\n{{\n{call}}}\n.func relay()\n{{\ncall speak;\nret;\n}}\n.func by_address()\n{{\n{call}}}\n"
    );
    let entry =
        |name: &str, body: &str| format!(".visible .entry {name}()\n{{\n.reg .b64 %rd<3>;\n{body}ret;\n}}\n");
    let through = "mov.u64 %rd1, by_address;\nproto: .callprototype _ ();\ncall %rd1, (), proto;\n";
    let text = [
        kernel(&functions, ""),
        entry("silent", ""),
        entry("direct", call),
        entry("relayed", "call relay;\n"),
        entry("through", through),
    ]
    .concat();
    let module = parse("t.ptx", &text).expect("good");
    let calls = |runs: &[&str]| {
        let told = warnings(&module, |name| runs.contains(&name)).map(|d| d.to_string());
        told.unwrap_or_default().matches("this call prints nothing").count()
    };
    for (runs, expected) in [
        (&["silent"][..], 0),
        (&["direct"], 1),
        (&["relayed"], 1),
        (&["through"], 1),
        (&["relayed", "direct"], 2),
        (&["silent", "relayed", "direct", "through"], 3),
    ] {
        assert_eq!(calls(runs), expected, "{runs:?}");
    }
}

#[test]
fn a_failed_assertion_traps() {
    let argument = ".param .b64 a;\n.param .b32 c;\nst.param.b64 [a], 0;\nst.param.b32 [c], 0;\n";
    let body =
        format!("setp.gt.u32 %p1, %t, 2;\n{{\n{argument}@%p1 call __assertfail, (a, a, c, a, a);\n}}\n");
    let program = lower_entry(&parse("t", &kernel(RUNTIME, &body)).expect("good"), None);
    let program = program.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(golden_words(&program, 3, 1).unwrap_or_else(|e| panic!("{e}")), [0]);
    let error = golden_words(&program, 4, 1).expect_err("a trap");
    assert!(error.to_string().contains("trap"), "{error}");
}

#[test]
fn functions_without_a_body_are_named() {
    let call = "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call (r), malloc, (n); }";
    let (_, message) = refused(&kernel(RUNTIME, call));
    assert!(message.contains("'malloc' needs a heap on the device"), "{message}");
    let (_, message) = refused(&kernel(RUNTIME, "call elsewhere;"));
    assert!(message.contains("'elsewhere' has no body in the PTX"), "{message}");
}

/// Word `n` of a block, found through the addresses of both parameters, plus the block's third word, which
/// is 1000 more by then.
const CHOOSE: &str = ".visible .func (.param .b32 r) choose(.param .align 8 .b8 block[20], .param .b32 n)\n{\n\
    .reg .b64 %a<5>;\n.reg .b32 %x<5>;\nmov.b64 %a0, block;\nmov.b64 %a1, n;\nld.param.u32 %x0, [%a1];\n\
    mul.wide.u32 %a2, %x0, 4;\nadd.s64 %a3, %a0, %a2;\nld.param::func.u32 %x1, [%a3];\n\
    ld.local.u32 %x2, [%a0+8];\nadd.u32 %x2, %x2, 1000;\ncvta.local.u64 %a4, %a0;\nst.u32 [%a4+8], %x2;\n\
    ld.param.u32 %x3, [block+8];\nadd.u32 %x1, %x1, %x3;\nst.param.b32 [r], %x1;\nret;\n}\n";

#[test]
fn the_address_of_a_functions_parameter_is_that_of_a_copy() {
    let block = "mul.lo.u32 %r1, %t, 16;\nadd.u32 %r2, %r1, 1;\nadd.u32 %r3, %r1, 2;\nadd.u32 %r4, %r1, 3;\n\
        add.u32 %r5, %r1, 4;\nst.param.v4.b32 [b], {%r1, %r2, %r3, %r4};\nst.param.b32 [b+16], %r5;\n";
    let body = format!(
        "{{\n.param .align 8 .b8 b[20];\n.param .b32 n;\n.param .b32 r;\n{block}rem.u32 %r6, %t, 5;\n\
         st.param.b32 [n], %r6;\nsetp.ne.u32 %p1, %t, 3;\nst.param.b32 [r], 7;\n\
         @%p1 call (r), choose, (b, n);\nld.param.b32 %r7, [r];\ncall (r), choose, (b, 4);\n\
         ld.param.b32 %r8, [r];\n}}\n\
         mul.wide.u32 %rd1, %t, 8;\nadd.u64 %rd1, %rd1, %out;\nst.global.v2.u32 [%rd1], {{%r7, %r8}};"
    );
    let expected = (0..8u32).flat_map(|t| {
        let word = |n: u32| 16 * t + n;
        let chosen = word(t % 5) + word(2) + 1000;
        [if t == 3 { 7 } else { chosen }, word(4) + word(2) + 1000]
    });
    assert_eq!(run_words(&kernel(CHOOSE, &body), 8, 16), expected.collect::<Vec<_>>());
}

/// The call stands before the store to its argument in the text, and after it on every way.
#[test]
fn the_copy_of_a_parameter_has_what_is_stored_later_in_the_text() {
    let function = ".func (.param .b32 r) pick(.param .align 8 .b8 block[20], .param .b32 n)\n{\n.reg .b64 %a<4>;\n\
                    .reg .b32 %x;\nmov.b64 %a0, block;\nld.param.u32 %x, [n];\nmul.wide.u32 %a1, %x, 4;\n\
                    add.s64 %a2, %a0, %a1;\nld.param::func.u32 %x, [%a2];\nst.param.b32 [r], %x;\nret;\n}\n";
    let body = "{\n.param .align 8 .b8 b[20];\n.param .b32 n;\n.param .b32 r;\nbra INIT;\n\
                CALL: rem.u32 %r1, %t, 5;\nst.param.b32 [n], %r1;\ncall (r), pick, (b, n);\n\
                ld.param.b32 %r2, [r];\nbra DONE;\nINIT: st.param.v4.b32 [b], {11, 22, 33, 44};\n\
                st.param.b32 [b+16], 55;\nbra CALL;\n\
                DONE: mul.wide.u32 %rd1, %t, 4;\nadd.u64 %rd1, %rd1, %out;\nst.global.u32 [%rd1], %r2;\n}";
    assert_eq!(run_words(&kernel(function, body), 5, 5), [11, 22, 33, 44, 55]);
}
