//! Every family of instructions: PTX in, IR out.

mod common;

use common::lowered;
use heddle_kernel::print::instr_text;

/// The IR of a body without the final exit, one line an instruction. Registers that the body reads
/// are zeroed at entry; those lines are left out.
fn ir(body: &str) -> String {
    let program = lowered(body).unwrap_or_else(|e| panic!("{body}\n{e}"));
    let first_loc = program.instrs[0].loc;
    let zeroed = program
        .instrs
        .iter()
        .take_while(|i| {
            let text = instr_text(i);
            let is_zero = |ty: &str, value: &str| text.starts_with(ty) && text.ends_with(value);
            i.loc == first_loc
                && (is_zero("mov.b32", "<- 0")
                    || is_zero("mov.b64", "<- 0")
                    || is_zero("mov.pred", "<- false"))
        })
        .count();
    let lines: Vec<String> =
        program.instrs[zeroed..program.instrs.len() - 1].iter().map(instr_text).collect();
    lines.join("\n")
}

/// Each body and what becomes of it. Registers are numbered in the order in which names appear.
fn check(table: &[(&str, &str)]) {
    for (body, expected) in table {
        let found = ir(body);
        assert_eq!(&found, expected, "\nbody: {body}");
    }
}

#[test]
fn arithmetic() {
    check(&[
        ("add.s32 %r1, %r2, -1;", "add.s32 R0 <- R1, 0xffffffff"),
        ("add.sat.s32 %r1, %r2, %r3;", "add.sat.s32 R0 <- R1, R2"),
        ("sub.u64 %rd1, %rd2, %rd3;", "sub.u64 R0, R1 <- R2:3, R4:5"),
        ("add.rz.ftz.sat.f32 %f1, %f2, 0f3F800000;", "add.rz.ftz.sat.f32 R0 <- R1, 0x3f800000"),
        ("add.s16 %rs1, %rs2, -2;", "add.s16 R0 <- R1, 0xfffe"),
        ("mul.lo.s32 %r1, %r2, %r3;", "mul.s32 R0 <- R1, R2"),
        ("mul.hi.u32 %r1, %r2, %r3;", "mulhi.u32 R0 <- R1, R2"),
        ("mul.wide.s32 %rd1, %r2, 4;", "mulwide.s32 R0, R1 <- R2, 4"),
        ("mul.wide.u16 %r1, %rs2, %rs3;", "mulwide.u16 R0 <- R1, R2"),
        ("mul.rn.f64 %fd1, %fd2, %fd3;", "mul.rn.f64 R0, R1 <- R2:3, R4:5"),
        ("mad.lo.s32 %r1, %r2, %r3, %r4;", "mad.s32 R0 <- R1, R2, R3"),
        ("mad.hi.sat.s32 %r1, %r2, %r3, %r4;", "madhi.sat.s32 R0 <- R1, R2, R3"),
        ("mad.wide.u32 %rd1, %r2, %r3, %rd4;", "madwide.u32 R0, R1 <- R2, R3, R4:5"),
        ("mad.rn.f32 %f1, %f2, %f3, %f4;", "fma.rn.f32 R0 <- R1, R2, R3"),
        ("fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", "fma.rn.f64 R0, R1 <- R2:3, R4:5, R6:7"),
        ("div.s32 %r1, %r2, %r3;", "div.s32 R0 <- R1, R2"),
        ("div.full.f32 %f1, %f2, %f3;", "div.full.f32 R0 <- R1, R2"),
        ("div.approx.ftz.f32 %f1, %f2, %f3;", "div.approx.ftz.f32 R0 <- R1, R2"),
        ("div.rn.f64 %fd1, %fd2, %fd3;", "div.rn.f64 R0, R1 <- R2:3, R4:5"),
        ("rem.u64 %rd1, %rd2, 10;", "rem.u64 R0, R1 <- R2:3, 10"),
        ("min.NaN.f32 %f1, %f2, %f3;", "min.nan.f32 R0 <- R1, R2"),
        ("max.s64 %rd1, %rd2, %rd3;", "max.s64 R0, R1 <- R2:3, R4:5"),
        ("abs.ftz.f32 %f1, %f2;", "abs.ftz.f32 R0 <- R1"),
        ("neg.s64 %rd1, %rd2;", "neg.s64 R0, R1 <- R2:3"),
        ("sad.u32 %r1, %r2, %r3, %r4;", "sad.u32 R0 <- R1, R2, R3"),
        ("@!%p1 add.u32 %r1, %r2, %r3;", "@!P0 add.u32 R0 <- R1, R2"),
    ]);
}

#[test]
fn carry_and_halves() {
    check(&[
        (
            "add.cc.u32 %r1, %r2, %r3;\naddc.cc.u32 %r4, %r5, %r6;\nsubc.u32 %r7, %r8, 1;",
            "add.cc.u32 R0, P0 <- R1, R2\nadd.cc.c.u32 R3, P0 <- R4, R5, P0\nsub.c.u32 R6 <- R7, 1, P0",
        ),
        (
            "mad.lo.cc.u32 %r1, %r2, %r3, %r4;\nmadc.hi.u64 %rd1, %rd2, %rd3, %rd4;",
            "mad.cc.u32 R0, P0 <- R1, R2, R3\nmadhi.c.u64 R4, R5 <- R6:7, R8:9, R10:11, P0",
        ),
        ("add.f16x2 %r1, %r2, %r3;", "add.f16x2 R0 <- R1, R2"),
        ("fma.rn.ftz.f16 %rs1, %rs2, %rs3, %rs4;", "fma.rn.ftz.f16 R0 <- R1, R2, R3"),
        ("setp.ge.f16 %p1, %rs1, %rs2;", "setp.ge.f16 P0 <- R0, R1"),
    ]);
}

#[test]
fn logic_and_shifts() {
    check(&[
        ("and.b64 %rd1, %rd2, -8;", "and.b64 R0, R1 <- R2:3, 0xfffffffffffffff8"),
        ("or.pred %p1, %p2, !%p3;", "or.pred P0 <- P1, !P2"),
        ("xor.b32 %r1, %r2, 0b101;", "xor.b32 R0 <- R1, 5"),
        ("not.pred %p1, %p2;", "not.pred P0 <- P1"),
        ("not.b16 %rs1, %rs2;", "not.b16 R0 <- R1"),
        ("cnot.b32 %r1, %r2;", "cnot.b32 R0 <- R1"),
        ("shl.b64 %rd1, %rd2, %r3;", "shl.b64 R0, R1 <- R2:3, R4"),
        ("shr.s16 %rs1, %rs2, 3;", "shr.s16 R0 <- R1, 3"),
        ("shr.b32 %r1, %r2, 017;", "shr.b32 R0 <- R1, 15"),
        ("shf.l.wrap.b32 %r1, %r2, %r3, %r4;", "shfl.alt.b32 R0 <- R1, R2, R3"),
        ("shf.r.clamp.b32 %r1, %r2, %r3, 7;", "shfr.b32 R0 <- R1, R2, 7"),
    ]);
}

#[test]
fn bits() {
    check(&[
        ("popc.b64 %r1, %rd2;", "popc.b64 R0 <- R2:3"),
        ("clz.b32 %r1, %r2;", "clz.b32 R0 <- R1"),
        ("bfind.shiftamt.s64 %r1, %rd2;", "bfind.alt.s64 R0 <- R2:3"),
        ("@%p1 bmsk.clamp.b32 %r1, %r2, 5;", "@P0 bmsk.b32 R0 <- R1, 5"),
        ("szext.wrap.s32 %r1, %r2, %r3;", "szext.alt.s32 R0 <- R1, R2"),
        ("fns.b32 %r1, %r2, %r3, -1;", "fns.b32 R0 <- R1, R2, 0xffffffff"),
        ("prmt.b32.rc16 %r1, %r2, %r3, %r4;", "prmt.rc16.b32 R0 <- R1, R2, R3"),
        ("lop3.b32 %r1, %r2, %r3, %r4, 0xE8;", "lop3.b32 R0 <- R1, R2, R3, 232"),
        (
            "lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 1, !%p2;",
            "lop3.b32 R0 <- R1, R2, R3, 1\nsetp.ne.or.b32 P0 <- R0, 0, !P1",
        ),
        ("dp4a.u32.s32 %r1, %r2, %r3, %r4;", "dp4a.u32.s32.s32 R0 <- R1, R2, R3"),
        ("dp2a.hi.u32.u32 %r1, %r2, %r3, %r4;", "dp2a.hi.u32.u32.u32 R0 <- R1, R2, R3"),
        ("mul24.lo.s32 %r1, %r2, %r3;", "mul24.lo.s32 R0 <- R1, R2"),
        ("mad24.hi.sat.s32 %r1, %r2, %r3, %r4;", "mad24.hi.sat.s32 R0 <- R1, R2, R3"),
        ("brev.b64 %rd1, %rd2;", "brev.b64 R0, R1 <- R2:3"),
        ("bfe.s32 %r1, %r2, 4, %r3;", "bfe.s32 R0 <- R1, 4, R2"),
        ("bfi.b64 %rd1, %rd2, %rd3, %r4, 8;", "bfi.b64 R0, R1 <- R2:3, R4:5, R6, 8"),
        ("prmt.b32 %r1, %r2, %r3, 0x5410U;", "prmt.b32 R0 <- R1, R2, 0x5410"),
    ]);
}

#[test]
fn video() {
    check(&[
        ("vadd.s32.u32.s32.sat %r1, %r2.b0, %r3.h1;", "vadd.u32.s32(b0, h1).sat.s32 R0 <- R1, R2"),
        ("vsub.u32.u32.u32.max %r1, %r2, 7, %r3;", "vsub.u32.u32.max(w, w).u32 R0 <- R1, 7, R2"),
        (
            "vabsdiff.u32.s32.s32 %r1.b2, %r2, %r3, %r4;",
            "vabsdiff.s32.s32.merge.b2(w, w).u32 R0 <- R1, R2, R3",
        ),
        (
            "@%p1 vmin.s32.s32.s32 %r1.h0, %r2, %r3, %r1;",
            "@P0 vmin.s32.s32.merge.h0(w, w).s32 R0 <- R1, R2, R0",
        ),
        (
            "vshl.s32.u32.u32.sat.clamp.add %r1, %r2, %r3, %r4;",
            "vshl.u32.u32.clamp.add(w, w).sat.s32 R0 <- R1, R2, R3",
        ),
        ("vshr.u32.s32.u32.wrap %r1, %r2, 3;", "vshr.s32.u32.wrap(w, w).u32 R0 <- R1, 3"),
        ("vset.u32.s32.ge.add %r1, %r2, %r3.b3, %r4;", "vset.u32.s32.ge.add(w, b3).u32 R0 <- R1, R2, R3"),
        (
            "vmad.s32.s32.u32.sat.shr7 %r1, %r2, -%r3.h1, %r4;",
            "vmad.s32.u32.negated.shr7(w, h1).sat.s32 R0 <- R1, R2, R3",
        ),
        ("vmad.u32.u32.u32.po.shr15 %r1, %r2, %r3, %r4;", "vmad.u32.u32.po.shr15(w, w).u32 R0 <- R1, R2, R3"),
        ("vmad.u32.u32.u32 %r1, -%r2, -%r3, -%r4;", "vmad.u32.u32.minus(w, w).u32 R0 <- R1, R2, R3"),
        ("vavrg2.s32.s32.u32 %r1.h1, %r2, %r3.h02, %r4;", "vavrg2.s32.u32(1 of 10, 02).s32 R0 <- R1, R2, R3"),
        (
            "vset2.s32.s32.lt.add %r1, %r2, %r3, %r4;",
            "vset2.s32.s32.lt.add(10 of 10, 32).u32 R0 <- R1, R2, R3",
        ),
        (
            "vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;",
            "vabsdiff4.u32.u32.add(3210 of 3210, 7654).u32 R0 <- R1, R2, R3",
        ),
        (
            "vadd4.s32.u32.u32.sat %r1.b310, %r2.b7654, %r3.b0123, %r4;",
            "vadd4.u32.u32(310 of 7654, 0123).sat.s32 R0 <- R1, R2, R3",
        ),
        ("vset4.u32.u32.ne %r1.b2, %r2, %r3, 0;", "vset4.u32.u32.ne(2 of 3210, 7654).u32 R0 <- R1, R2, 0"),
    ]);
}

#[test]
fn special_functions() {
    check(&[
        ("rcp.approx.ftz.f64 %fd1, %fd2;", "rcp.approx.ftz.f64 R0, R1 <- R2:3"),
        ("rcp.rn.f32 %f1, %f2;", "rcp.rn.f32 R0 <- R1"),
        ("sqrt.rp.f64 %fd1, %fd2;", "sqrt.rp.f64 R0, R1 <- R2:3"),
        ("rsqrt.approx.f32 %f1, %f2;", "rsqrt.approx.f32 R0 <- R1"),
        ("sin.approx.ftz.f32 %f1, %f2;", "sin.approx.ftz.f32 R0 <- R1"),
        ("cos.approx.f32 %f1, %f2;", "cos.approx.f32 R0 <- R1"),
        ("ex2.approx.f32 %f1, %f2;", "ex2.approx.f32 R0 <- R1"),
        ("lg2.approx.f32 %f1, %f2;", "lg2.approx.f32 R0 <- R1"),
        ("copysign.f64 %fd1, %fd2, %fd3;", "copysign.f64 R0, R1 <- R2:3, R4:5"),
    ]);
}

#[test]
fn comparison_and_selection() {
    check(&[
        ("setp.lt.s32 %p1, %r1, 7;", "setp.lt.s32 P0 <- R0, 7"),
        ("setp.hs.u64 %p1, %rd1, %rd2;", "setp.ge.u64 P0 <- R0:1, R2:3"),
        ("setp.gtu.ftz.f32 %p1, %f1, %f2;", "setp.gtu.ftz.f32 P0 <- R0, R1"),
        ("setp.eq.and.b32 %p1|%p2, %r1, %r2, !%p3;", "setp.eq.and.b32 P0, P1 <- R0, R1, !P2"),
        ("setp.ne.xor.s16 %p1|_, %rs1, %rs2, %p3;", "setp.ne.xor.s16 P0, P1 <- R0, R1, P2"),
        ("set.le.f32.s32 %f1, %r1, %r2;", "set.le.f32.s32 R0 <- R1, R2"),
        ("set.nan.or.u32.f64 %r1, %fd1, %fd2, %p1;", "set.nan.or.u32.f64 R0 <- R2:3, R4:5, P0"),
        ("selp.b64 %rd1, 5, %rd2, %p1;", "selp.b64 R0, R1 <- 5, R2:3, P0"),
        ("slct.u32.f32 %r1, %r2, %r3, %f1;", "setp.ge.f32 P0 <- R0, 0\nselp.u32 R1 <- R2, R3, P0"),
    ]);
}

#[test]
fn conversion() {
    check(&[
        ("cvt.u32.u16 %r1, %rs1;", "cvt.u32.u16 R0 <- R1"),
        ("cvt.u16.u32 %rs1, %r1;", "cvt.u16.u32 R0 <- R1"),
        ("cvt.s64.s32 %rd1, %r1;", "cvt.s64.s32 R0, R1 <- R2"),
        ("cvt.u32.u64 %r1, %rd1;", "cvt.u32.u64 R0 <- R2:3"),
        ("cvt.s32.s8 %r1, %rs1;", "cvt.s32.s8 R0 <- R1"),
        ("cvt.rzi.ftz.s32.f32 %r1, %f1;", "cvt.rzi.ftz.s32.f32 R0 <- R1"),
        ("cvt.rn.f64.u64 %fd1, %rd1;", "cvt.rn.f64.u64 R0, R1 <- R2:3"),
        ("cvt.f64.f32 %fd1, %f1;", "cvt.f64.f32 R0, R1 <- R2"),
        ("cvt.rn.f32.f64 %f1, %fd1;", "cvt.rn.f32.f64 R0 <- R2:3"),
        ("cvt.rni.f32.f32 %f1, %f2;", "cvt.rni.f32.f32 R0 <- R1"),
        ("cvt.sat.f32.f32 %f1, %f2;", "cvt.sat.f32.f32 R0 <- R1"),
        ("cvt.rn.f16.f32 %rs1, %f2;", "cvt.rn.f16.f32 R0 <- R1"),
        ("cvt.s32.s16 %rd1, %rs1;", "cvt.s32.s16 R0 <- R2\nshr.s32 R1 <- R0, 31"),
        ("cvta.to.global.u64 %rd1, %rd2;", "mov.u64 R0, R1 <- R2:3"),
        ("cvta.shared.u64 %rd1, %rd2;", "add.u64 R0, R1 <- R2:3, 0xe0000000"),
        ("cvta.to.local.u64 %rd1, %rd2;", "sub.u64 R0, R1 <- R2:3, 0xf0000000"),
    ]);
}

#[test]
fn moves() {
    check(&[
        ("mov.u32 %r1, %tid.x;", "mov.u32 R0 <- %tid(0)"),
        ("mov.b32 %r1, %nctaid.z;", "mov.b32 R0 <- %nctaid(2)"),
        ("mov.u32 %r1, %laneid;", "mov.u32 R0 <- %laneid"),
        ("mov.u32 %r1, WARP_SZ;", "mov.u32 R0 <- 32"),
        ("mov.pred %p1, !%p2;", "mov.pred P0 <- !P1"),
        ("mov.b32 %r1, 0f3F800000;", "mov.b32 R0 <- 0x3f800000"),
        ("mov.b32 %r1, %f1;", "mov.b32 R0 <- R1"),
        ("mov.f64 %fd1, 0dBFF0000000000000;", "mov.f64 R0, R1 <- 0xbff0000000000000"),
        ("mov.u64 %rd1, table+4;", "mov.u64 R0, R1 <- 0x8000004"),
        ("mov.u32 %r1, buffer;", "mov.u32 R0 <- 0"),
        (
            "mov.b32 %r1, dynamic;\nst.shared.b32 [buffer], %r1;",
            "mov.b32 R0 <- 128\nst.shared.ca.b32 [0], R0",
        ),
        ("mov.b64 %rd1, {%r1, %r2};", "pack.b64 R0, R1 <- R2, R3"),
        ("mov.b32 {%rs1, _}, %r1;", "unpack.b32 R1, R2 <- R0"),
        ("mov.b64 {%r1, %r2}, %rd1;", "unpack.b64 R2, R3 <- R0:1"),
        ("mov.b64 %rd1, {%rs1, %rs2, %rs3, %rs4};", "pack.b64 R0, R1 <- R2, R3, R4, R5"),
    ]);
}

#[test]
fn memory() {
    check(&[
        ("ld.param.u64 %rd1, [k_param_0];", "ld.param.ca.u64 R0, R1 <- [0]"),
        ("ld.param.b32 %r1, [k_param_1+0];", "ld.param.ca.b32 R0 <- [8]"),
        (
            "ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+-16];",
            "ld.global.nc.v4.f32 R2, R3, R4, R5 <- [R0:1-16]",
        ),
        ("ld.global.v2.f64 {%fd1, %fd2}, [%rd1];", "ld.global.ca.v2.f64 R2, R3, R4, R5 <- [R0:1]"),
        ("ld.volatile.shared.u32 %r1, [%r2+4];", "ld.shared.volatile.u32 R1 <- [R0+4]"),
        ("ld.shared.u8 %rs1, [buffer+3];", "ld.shared.ca.u8 R0 <- [3]"),
        ("ld.const.f32 %f1, [weights+8];", "ld.const.ca.f32 R0 <- [8]"),
        ("ld.local.b64 %rd1, [depot];", "ld.local.ca.b64 R0, R1 <- [0]"),
        ("ld.s8 %r1, [%rd1];", "ld.generic.ca.s8 R2 <- [R0:1]"),
        ("ld.global.cg.s32 %rd1, [%rd2];", "ld.global.cg.s32 R2 <- [R0:1]\nshr.s32 R3 <- R2, 31"),
        ("ld.global.L1::no_allocate.L2::128B.u32 %r1, [table+4];", "ld.global.ca.u32 R0 <- [0x8000004]"),
        ("ld.acquire.gpu.u32 %r1, [%rd1];", "ld.generic.volatile.u32 R2 <- [R0:1]\nfence.gpu"),
        ("st.global.v4.b32 [%rd1], {%r1,%r2,%r3,7};", "st.global.ca.v4.b32 [R0:1], R2, R3, R4, 7"),
        ("st.global.u8 [%rd1], %r1;", "st.global.ca.u8 [R0:1], R2"),
        ("st.release.cta.shared.u32 [%r1], %r2;", "fence.cta\nst.shared.volatile.u32 [R0], R1"),
        ("@%p1 st.shared.f32 [dynamic+4], %f1;", "@P0 st.shared.ca.f32 [132], R0"),
    ]);
}

#[test]
fn atomics() {
    check(&[
        ("atom.global.add.f32 %f1, [%rd1], %f2;", "atom.global.add.f32 R2 <- [R0:1], R3"),
        ("atom.shared.cas.b32 %r1, [%r2], %r3, 5;", "atom.shared.cas.b32 R1 <- [R0], R2, 5"),
        (
            "atom.global.cas.b64 %rd1, [%rd2+8], %rd3, %rd4;",
            "atom.global.cas.b64 R2, R3 <- [R0:1+8], R4:5, R6:7",
        ),
        ("red.global.inc.u32 [%rd1], 3;", "atom.global.inc.u32 [R0:1], 3"),
        ("atom.exch.b32 _, [%rd1], %r1;", "atom.generic.exch.b32 R2 <- [R0:1], R3"),
        (
            "atom.add.acq_rel.cta.u64 %rd1, [%rd2], %rd3;",
            "fence.cta\natom.generic.add.u64 R2, R3 <- [R0:1], R4:5\nfence.cta",
        ),
    ]);
}

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
            "setp.eq.and.u32 P1 <- R0, 0, !P0\n@P1 bra 7 (meet at 8)\n\
             setp.eq.and.u32 P2 <- R0, 1, !P0\n@P2 bra 8 (meet at 8)\n\
             @!P0 bra 7 (meet at 7)\nfence.cta\nfence.gpu",
        ),
        ("bra.uni END;\nadd.s32 %r1, %r2, %r3;\nEND:", "bra 1 (meet at 1)"),
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
        "@!P0 bra 14 (meet at 14)",
        "mov.b32 R4 <- R0",
        "bfe.u32 R5 <- R2, 0, 16",
        "setp.lt.s32 P1 <- R4, 0",
        "mov.b32 R6 <- R4",
        "@P1 bra 14 (meet at 14)",
        "shl.b32 R7 <- R4, 1",
        "mov.b32 R6 <- R7",
        "bra 14 (meet at 14)",
        "mov.b32 R8 <- R6",
        "st.shared.ca.b32 [0], R8",
        "exit",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn layouts() {
    let program = lowered(
        ".shared .b8 odd[3];\n.shared .align 8 .f64 aligned;\nst.shared.u8 [odd], 1;\n\
         st.shared.f64 [aligned], 0d0000000000000000;\nst.shared.u8 [dynamic], 1;\nld.local.u8 %rs1, [depot];",
    )
    .expect("a valid kernel");
    assert_eq!(program.shared_bytes, 144, "128 + 3, aligned to 8, + 8, aligned to 16");
    assert_eq!(program.local_bytes, 32);
    assert_eq!(program.param_bytes, 12);
    assert_eq!(
        program.constants.bytes[..16]
            .chunks(4)
            .map(|c| f32::from_le_bytes(c.try_into().expect("4 bytes")))
            .collect::<Vec<_>>(),
        [1.0, 2.0, 3.0, 0.0]
    );
    assert_eq!(program.globals[0].address, heddle_kernel::GLOBALS_BASE);
    assert_eq!(program.globals[0].bytes.len(), 64);
}

#[test]
fn initial_values_of_every_form() {
    let text = ".version 8.5\n.target sm_75\n.address_size 64\n\
        .global .align 2 .u16 m[2][3] = {{1, 2}, {4}};\n\
        .global .u64 p = m+2;\n.global .v2 .f32 v = {0f3F800000, 0f40000000};\n\
        .global .b8 bytes[] = {255, -1, 0x10};\n.global .s32 one = -7;\n\
        .entry k() { ret; }\n";
    let module = heddle_kernel::parse("t", text).unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower(&module).unwrap_or_else(|e| panic!("{e}")).remove(0);
    let bytes = |i: usize| program.globals[i].bytes.clone();
    assert_eq!(bytes(0), [1, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0, 0]);
    assert_eq!(bytes(1), u64::from(program.globals[0].address + 2).to_le_bytes());
    assert_eq!(bytes(2), [0, 0, 0x80, 0x3F, 0, 0, 0, 0x40]);
    assert_eq!(bytes(3), [255, 255, 16]);
    assert_eq!(bytes(4), (-7i32).to_le_bytes());
    assert_eq!(program.globals[1].address % 8, 0);
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

#[test]
fn textures() {
    check(&[
        (
            "tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5}];",
            "tex.1d.v4.u32.s32 R3, R4, R5, R6 <- R0:1, R2",
        ),
        (
            "tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6, %f7, %f8}];",
            "tex.3d.v4.f32.f32 R5, R6, R7, R8 <- R0:1, R2, R3, R4",
        ),
        (
            "tex.level.a2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %f6, %f7, %f7}], %f8;",
            "tex.a2d.v4.f32.f32 R6, R7, R8, R9 <- R0:1, R2, R3, R4, R5",
        ),
    ]);
}

#[test]
fn surfaces_are_an_address_and_an_access() {
    check(&[
        (
            "sust.b.2d.v4.b8.trap [%rd1, {%r1, %r2}], {%rs1, %rs2, %rs3, %rs4};",
            "suaddr.2d.4.trap R4, R5 <- R0:1, R2, R3\nst.global.ca.v4.b8 [R4:5], R6, R7, R8, R9",
        ),
        (
            "mov.u32 %r1, %tid.x;\n@%p1 suld.b.a1d.b32.zero {%r1}, [%rd1, {%r2, %r3}];",
            "mov.u32 R0 <- %tid(0)\nmov.pred P1 <- false\n@P0 suaddr.a1d.4.zero R6, R7, P1 <- R2:3, R4, R5\n\
             @P0 mov.b32 R0 <- 0\n@P1 ld.global.ca.b32 R0 <- [R6:7]",
        ),
    ]);
}

#[test]
fn references_take_their_handles_from_constant_memory() {
    let module = heddle_kernel::parse(
        "references.ptx",
        ".version 5.0\n.target sm_75\n.address_size 64\n.const .b32 c = 1;\n.global .texref image;\n\
         .global .surfref result;\n.entry k()\n{\n.reg .f32 %f<5>;\n.reg .b32 %r<2>;\n\
         tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0}];\n\
         sust.b.1d.b32.clamp [result, {%r1}], {%r1};\nret;\n}\n",
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let program = heddle_kernel::lower_entry(&module, None).unwrap_or_else(|e| panic!("{e}"));
    let variables: Vec<_> =
        program.constants.variables.iter().map(|v| (v.name.as_str(), v.offset, v.bytes)).collect();
    assert_eq!(variables, [("image", 8, 8), ("result", 16, 8), ("c", 0, 4)]);
    assert_eq!(program.constants.bytes.len(), 24);
    let loads: Vec<String> =
        program.instrs.iter().map(instr_text).filter(|text| text.starts_with("ld.const")).collect();
    assert_eq!(loads.len(), 2, "{loads:?}");
    assert!(loads[0].ends_with("[8]") && loads[1].ends_with("[16]"), "{loads:?}");
}
