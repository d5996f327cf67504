//! Every family of instructions: PTX in, IR out.

mod flow;
mod memory;

use heddle_kernel::print::instr_text;

use crate::common::lowered;

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
        ("mov.u32 %r1, %nctaid.w;", "mov.u32 R0 <- 0"),
        ("mov.b32 %r1, %nctaid.z;", "mov.b32 R0 <- %nctaid(2)"),
        ("mov.u32 %r1, %laneid;", "mov.u32 R0 <- %laneid"),
        ("mov.u32 %r1, WARP_SZ;", "mov.u32 R0 <- 32"),
        ("mov.u32 %r1, WARP_SZ-1;", "mov.u32 R0 <- 31"),
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
