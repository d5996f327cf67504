//! Control flow, barriers, and what is special about a thread.

use heddle_isa::{Instr, Op};
use heddle_kernel::DiagnosticKind;
use heddle_kernel::print::instr_text;

use super::check;
use crate::common::lowered;

#[test]
fn control() {
    check(&[
        ("bar.sync 15;", "bar.sync 15"),
        ("barrier.sync.aligned 0;", "bar.sync 0"),
        ("barrier.cta.sync 3;", "bar.sync 3"),
        ("bar.warp.sync -1;", "bar.warp.sync 0xffffffff"),
        ("pmevent 7;", "nop"),
        ("griddepcontrol.wait;", "nop"),
        ("trap;", "trap"),
        ("@%p1 brkpt;", "@P0 trap"),
        ("membar.gl;", "fence.gpu"),
        ("fence.sc.cta;", "fence.cta"),
        ("@%p1 exit;", "@P0 exit"),
        (
            "targets: .branchtargets A, B, A;\n@!%p1 brx.idx %r1, targets;\nA: membar.cta;\nB: membar.gl;",
            "setp.eq.and.u32 P1 <- R0, 0, !P0\n@P1 bra 6 (meet at 7)\n\
             setp.eq.and.u32 P2 <- R0, 1, !P0\n@P2 bra 7 (meet at 7)\n\
             fence.cta\nfence.gpu",
        ),
        // Branches to the next instruction, to an exit and to a branch.
        ("bra.uni END;\nadd.s32 %r1, %r2, %r3;\nEND:", ""),
        ("@%p1 bra END;\nadd.s32 %r1, %r2, %r3;\nEND: ret;", "@P0 exit\nadd.s32 R0 <- R1, R2"),
        (
            "@%p1 bra A;\nB: add.s32 %r1, %r2, %r3;\nmembar.cta;\nret;\nA: bra C;\nC: @%p2 bra B;",
            "@P0 bra 8 (meet at 5)\nadd.s32 R0 <- R1, R2\nfence.cta\nexit\n@P1 bra 5 (meet at 5)",
        ),
        ("LOOP: add.s32 %r1, %r1, 1;\n@%p1 bra LOOP;", "add.s32 R0 <- R0, 1\n@P0 bra 2 (meet at 4)"),
    ]);
}

#[test]
fn barriers() {
    check(&[
        ("bar.sync 1, 64;", "bar.sync 1, 64"),
        ("bar.sync %r1, %r2;", "bar.sync R0, R1"),
        ("bar.arrive 15, 96;", "bar.arrive 15, 96"),
        ("barrier.cta.arrive.aligned %r1, 32;", "bar.arrive R0, 32"),
        ("bar.red.popc.u32 %r1, 2, %p1;", "bar.reduce 2, P0\nbarresult.popc R0"),
        (
            "@%p1 barrier.cta.red.or.aligned.pred %p2, %r1, 64, !%p3;",
            "@P0 bar.reduce R0, 64, !P2\n@P0 barresult.or P1",
        ),
        ("bar.red.and.pred %p1, 0, %p1;", "bar.reduce 0, P0\nbarresult.and P0"),
    ]);
}

#[test]
fn lanes_of_a_warp() {
    check(&[
        ("shfl.sync.down.b32 %r1, %r2, 16, 31, -1;", "shfl.down.b32 R0 <- R1, 16, 31, 0xffffffff"),
        ("shfl.sync.idx.b32 %r1|%p1, %f1, %r2, %r3, %r4;", "shfl.idx.b32 R0, P0 <- R1, R2, R3, R4"),
        ("shfl.sync.up.b32 _|%p1, %r1, 1, 0, -1;", "shfl.up.b32 R0, P0 <- R1, 1, 0, 0xffffffff"),
        ("shfl.bfly.b32 %r1, %r2, 1, 0x1f;", "shfl.bfly.b32 R0 <- R1, 1, 31"),
        ("vote.sync.ballot.b32 %r1, !%p1, 0xff;", "vote.ballot R0 <- 255, !P0"),
        ("vote.ballot.sync.b32 %r1, %p1, -1;", "vote.ballot R0 <- 0xffffffff, P0"),
        ("vote.sync.any.pred %p1, %p2, %r1;", "vote.any P0 <- R0, P1"),
        ("vote.all.pred %p1, %p2;", "vote.all P0 <- P1"),
        ("vote.uni.pred %p1, %p1;", "vote.uni P0 <- P0"),
        ("match.any.sync.b64 %r1, %rd1, -1;", "match.any.b64 R0 <- R2:3, 0xffffffff"),
        ("match.all.sync.b32 %r1|%p1, %r2, %r3;", "match.all.b32 R0, P0 <- R1, R2"),
        ("redux.sync.max.s32 %r1, %r2, -1;", "redux.max.s32 R0 <- R1, 0xffffffff"),
        ("redux.sync.xor.b32 %r1, %r2, %r3;", "redux.xor.b32 R0 <- R1, R2"),
        ("activemask.b32 %r1;", "activemask.b32 R0"),
        ("elect.sync %r1|%p1, -1;", "elect R0, P0 <- 0xffffffff"),
        ("elect.sync _|%p1, -1;", "elect P0 <- 0xffffffff"),
    ]);
}

#[test]
fn special_registers() {
    check(&[
        ("mov.u32 %r1, %clock;", "clock R0"),
        ("mov.u32 %r1, %clock_hi;", "clock R1, R0"),
        ("mov.u64 %rd1, %globaltimer;", "clock R0, R1"),
        ("mov.u32 %r1, %smid;", "mov.u32 R0 <- 0"),
        ("mov.u32 %r1, %nsmid;", "mov.u32 R0 <- 1"),
        ("mov.u64 %rd1, %gridid;", "mov.u64 R0, R1 <- 0"),
        ("mov.u32 %r1, %envreg31;", "mov.u32 R0 <- 0"),
        ("mov.u32 %r1, %clusterid.y;", "mov.u32 R0 <- %ctaid(1)"),
        ("mov.u32 %r1, %aggr_smem_size;", "mov.u32 R0 <- %totalsharedbytes"),
    ]);
}

#[test]
fn scopes_hide_names_and_labels() {
    check(&[(
        "{ .reg .b32 t; mov.u32 t, 1; { .reg .f32 t; mov.f32 t, 0f00000000; } mov.u32 %r1, t; }",
        "mov.u32 R0 <- 1\nmov.f32 R1 <- 0\nmov.u32 R2 <- R0",
    )]);
}

#[test]
fn calls_are_inlined() {
    let text = ".version 8.5\n.target sm_75\n.address_size 64\n\
        .func (.param .b32 result) twice(.param .b32 value, .param .align 8 .b8 pair[16]);\n\
        .func (.param .b32 result) twice(.param .b32 value, .param .align 8 .b8 pair[16])\n{\n\
        .reg .b32 %r<3>;\n.reg .b16 %rs<2>;\n.reg .pred %p;\nld.param.b32 %r1, [value];\n\
        ld.param.u16 %rs1, [pair+8];\nsetp.lt.s32 %p, %r1, 0;\nst.param.b32 [result], %r1;\n@%p ret;\n\
        shl.b32 %r2, %r1, 1;\nst.param.b32 [result+0], %r2;\nret;\n}\n\
        .entry k() {\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n{\n.param .b32 a;\n.param .align 8 .b8 b[16];\n\
        .param .b32 r;\nst.param.b32 [a], 7;\nst.param.b32 [b+8], %r5;\n\
        @%p1 call.uni (r), twice, (a, b);\nld.param.b32 %r1, [r];\n}\nst.shared.b32 [0], %r1;\nret;\n}\n";
    let module = heddle_kernel::parse("t", text).unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let lines: Vec<String> = program
        .instrs
        .iter()
        .map(instr_text)
        .skip_while(|t| t.ends_with("<- 0") || t.ends_with("<- false"))
        .collect();
    let expected = [
        "mov.b32 R0 <- 7",
        "mov.b32 R2 <- R1",
        "@!P0 bra 13 (meet at 13)",
        "mov.b32 R4 <- R0",
        "bfe.u32 R5 <- R2, 0, 16",
        "setp.lt.s32 P1 <- R4, 0",
        "mov.b32 R6 <- R4",
        "@P1 bra 13 (meet at 13)",
        "shl.b32 R7 <- R4, 1",
        "mov.b32 R6 <- R7",
        "mov.b32 R8 <- R6",
        "st.shared.ca.b32 [0], R8",
        "exit",
    ];
    assert_eq!(lines, expected);
}

/// Where the lanes of each guarded branch of a body meet.
fn meetings(body: &str) -> Vec<Option<String>> {
    let program = lowered(body).unwrap_or_else(|e| panic!("{body}\n{e}"));
    let of = |instr: &Instr| match instr.op {
        Op::Bra { reconvergence, .. } if instr.guard.is_some() => {
            Some(reconvergence.map(|pc| instr_text(&program.instrs[pc.index()])))
        }
        _ => None,
    };
    program.instrs.iter().filter_map(of).collect()
}

#[test]
fn lanes_that_go_on_meet_whatever_others_end() {
    let meet = Some("fence.gpu".to_owned());
    // An early return inside an `if`, as compilers write it, as an exit, with work before it, and a failed assertion.
    for side in [
        "@%p2 bra OUT;",
        "@%p2 exit;",
        "@!%p2 bra ON;\nst.shared.u32 [buffer], %r1;\nret;\nON: add.s32 %r2, %r1, 1;",
        "@!%p2 bra ON;\nst.shared.u32 [buffer], %r1;\nbra OUT;\nON: add.s32 %r2, %r1, 1;",
        "@%p2 bra FAILED;",
    ] {
        let body = format!(
            "@%p1 bra L;\n{side}\nadd.s32 %r1, %r1, 1;\nL: membar.gl;\nst.shared.u32 [buffer], %r1;\nbra OUT;\n\
             FAILED: trap;\nexit;\nOUT: ret;\n"
        );
        assert_eq!(meetings(&body)[0], meet, "{side}");
    }
    // Of two ways that only end, one goes first.
    let body = "@%p1 bra L;\nst.shared.u32 [buffer], %r1;\nret;\nL: membar.gl;";
    assert_eq!(meetings(body), [meet]);
}

#[test]
fn reads_before_writes_are_zeroed_at_entry() {
    let program = lowered("@%p1 mov.u32 %r1, 5;\nst.shared.u32 [buffer], %r1;").expect("valid");
    let text: Vec<String> = program.instrs.iter().map(instr_text).collect();
    assert_eq!(text[0], "mov.b32 R0 <- 0");
    assert_eq!(text[1], "mov.pred P0 <- false");
    assert_eq!(text[2], "@P0 mov.u32 R0 <- 5");
}

#[test]
fn what_a_kernel_declares_of_its_launches_is_kept() {
    let lowered = |directives: &str| {
        let text = format!(".version 8.5\n.target sm_75\n.entry k() {directives} {{ ret; }}\n");
        heddle_kernel::parse("t", &text)
            .and_then(|m| heddle_kernel::lower(&m))
            .map(|mut list| list.remove(0).declared)
    };
    let declared = lowered(".reqntid 32, 4 .maxnreg 40").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((declared.block, declared.registers), (Some([32, 4, 1]), Some(40)));
    let only = "[32, 4, 1], as .reqntid declares";
    assert_eq!(declared.expected_block([4, 32, 1]).as_deref(), Some(only));
    assert_eq!(declared.expected_block([32, 4, 1]), None);
    let declared = lowered(".maxntid 16, 16").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(declared.expected_block([256, 1, 1]), None, "only the product counts");
    assert_eq!(
        declared.expected_block([257, 1, 1]).as_deref(),
        Some("at most 256 threads, as .maxntid declares")
    );
    let declared = lowered(".maxntid 4294967295, 4294967295, 4294967295").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(declared.threads, Some(u64::MAX), "a product beyond 64 bits is no limit");
    assert_eq!(declared.expected_block([1024, 1, 1]), None);
    assert_eq!(declared.expected_block([u32::MAX; 3]), None);
    let declared = lowered(".maxntid 1024").unwrap_or_else(|e| panic!("{e}"));
    // 2^96 and 2^66 threads are none in 64 bits.
    for block in [[u32::MAX; 3], [1 << 31, 1 << 31, 16]] {
        let expected = declared.expected_block(block);
        assert_eq!(expected.as_deref(), Some("at most 1024 threads, as .maxntid declares"), "{block:?}");
    }
    for largest in [[1024, 1, 1], [1, 1024, 1], [16, 1, 64]] {
        let [x, y, z] = largest;
        let declared = lowered(&format!(".reqntid {x}, {y}, {z}")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(declared.block, Some(largest));
    }
    for wrong in [".reqntid 0", ".maxntid 1, 2, 3, 4", ".reqntid 4294967296", ".maxnreg 0", ".maxnreg 1, 2"] {
        let fault = lowered(wrong).expect_err(wrong);
        assert_eq!((fault.list().len(), fault.list()[0].kind), (1, DiagnosticKind::OutOfRange), "{fault}");
    }
}

#[test]
fn directives_that_change_nothing_are_read() {
    let text = ".version 8.8 // comment\n.target sm_75, debug\n.address_size 64\n/* block\n comment */\n\
        .file 1 \"a.cu\", 123, 456\n.section .debug_str { info: .b8 1,2,3 }\n\
        .visible .entry k(.param .u64 .ptr .global .align 8 k_param_0, .param .align 8 .b8 s[24])\n\
        .maxntid 256, 1, 1 .minnctapersm 2\n{\n.pragma \"nounroll\";\n\
        .loc 1 10 2\n.loc 1 11 3, function_name $L__info0, inlined_at 1 4 5\n\
        proto: .callprototype _ (.param .b32 _);\nld.param.u32 %r1, [s+8];\nret;\n.reg .b32 %r<2>;\n}\n";
    let fault = heddle_kernel::parse("t", text)
        .and_then(|m| heddle_kernel::lower(&m))
        .expect_err("%r1 is used before its declaration");
    assert_eq!(fault.list().len(), 1, "{fault}");
    let moved = text.replace(".reg .b32 %r<2>;\n", "").replace(".pragma", ".reg .b32 %r<2>; .pragma");
    let module = heddle_kernel::parse("t", &moved).unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0);
    assert_eq!(program.param_bytes, 32);
    assert_eq!(instr_text(&program.instrs[0]), "ld.param.ca.u32 R0 <- [16]");
}
