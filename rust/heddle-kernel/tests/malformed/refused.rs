//! What is right in PTX and not taken.

use heddle_kernel::DiagnosticKind::*;

use super::check_all;

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
