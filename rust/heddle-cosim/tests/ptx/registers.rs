//! Vector registers and registers of 128 bits.

use super::{UNTOUCHED, gives, kernel, one_launch};

/// Vectors are loaded, stored and moved whole, and used by component under both names.
#[test]
fn vector_registers_have_components() {
    let body = ".reg .v2 .b32 %two;\n.reg .v4 .f32 %four;\n.reg .v4 .u32 %row<3>;\n.reg .v2 .b64 %wide;\n\
        mul.lo.u32 %two.x, %t, 3;\nadd.u32 %two.y, %two.r, 1;\nst.global.v2.b32 [%own], %two;\n\
        ld.global.v2.u32 {%row1.x, %row1.y}, [%own];\nmov.u32 %row1.z, %row1.y;\nmov.u32 %row1.w, %row1.r;\n\
        st.global.v4.u32 [%own], %row1;\nld.global.v4.u32 %row2, [%own];\nadd.u32 %row2.a, %row2.w, %row2.b;\n\
        mov.b64 %wide.x, {%row2.x, %row2.y};\nmov.b64 %wide.y, {%row2.z, %row2.a};\n\
        st.global.v2.b64 [%own+16], %wide;\n\
        cvt.rn.f32.u32 %four.x, %t;\nmul.rn.f32 %four.y, %four.x, 0f3F000000;\nmov.f32 %four.z, 0f3E800000;\n\
        mov.f32 %four.w, %four.r;\nst.global.v4.f32 [%own+32], %four;";
    gives("", body, 40, |t| {
        let f = t as f32;
        let [x, y] = [3 * t, 3 * t + 1];
        [x, y, y, x, x, y, y, x + y, f.to_bits(), (f / 2.0).to_bits(), 0.25_f32.to_bits(), f.to_bits()]
    });
}

/// Moves, loads and stores of 128 bits in every space, through a call and a branch.
#[test]
fn registers_of_128_bits_keep_their_halves() {
    let module = ".shared .align 16 .b8 tile[2048];\n\
        .visible .func (.param .align 16 .b8 r[16]) swap(.param .align 16 .b8 a[16])\n{\n\
        .reg .b128 %q<2>;\n.reg .b64 %x<2>;\nld.param.b128 %q0, [a];\nmov.b128 {%x0, %x1}, %q0;\n\
        mov.b128 %q1, {%x1, %x0};\nst.param.b128 [r], %q1;\nret;\n}\n";
    let body = ".reg .b128 %q<6>;\n.local .align 16 .b8 depot[32];\n.reg .b64 %lo, %hi;\n\
        mul.wide.u32 %lo, %t, 65537;\nadd.s64 %hi, %lo, 0x123456789abc;\nmov.b128 %q0, {%lo, %hi};\n\
        mov.b128 %q1, %q0;\nmul.wide.u32 %rd1, %t, 16;\nmov.u64 %rd2, tile;\nadd.u64 %rd2, %rd2, %rd1;\n\
        st.shared.b128 [%rd2], %q1;\nld.shared.b128 %q2, [%rd2];\nst.local.b128 [depot+16], %q2;\n\
        ld.local.b128 %q3, [depot+16];\nand.b32 %r1, %t, 1;\nsetp.eq.u32 %p1, %r1, 0;\n\
        @%p1 bra SAME;\n{\n.param .align 16 .b8 a[16];\n.param .align 16 .b8 r[16];\n\
        st.param.b128 [a], %q3;\ncall.uni (r), swap, (a);\nld.param.b128 %q3, [r];\n}\nSAME:\n\
        st.global.b128 [%own], %q3;\nld.global.b128 %q4, [%own];\nmov.b128 {%rd3, %rd4}, %q4;\n\
        add.u64 %rd3, %rd3, 1;\nst.global.v2.u64 [%own+16], {%rd3, %rd4};";
    gives(module, body, 96, |t| {
        let low = u64::from(t) * 65537;
        let high = low + 0x1234_5678_9abc;
        let [a, b] = if t % 2 == 0 { [low, high] } else { [high, low] };
        let words = |x: u64| [x as u32, (x >> 32) as u32];
        let [[a0, a1], [b0, b1], [c0, c1]] = [a, b, a + 1].map(words);
        [a0, a1, b0, b1, c0, c1, b0, b1]
    });
}

/// Bytes, halves and words come apart and together.
#[test]
fn values_are_packed_and_unpacked() {
    let body = ".reg .b8 %c<5>;\nmad.lo.u32 %r1, %t, 0x01020304, 0x80706050;\n\
        mov.b32 {%c0, %c1, %c2, %c3}, %r1;\nmov.b32 %r2, {%c3, %c2, %c1, %c0};\n\
        mov.b32 {%rs1, %rs2}, %r1;\nmov.b16 {%c0, %c1}, %rs2;\nmov.b16 %rs3, {%c1, %c0};\n\
        mov.b64 %rd1, {%rs1, %rs2, %rs3, %rs1};\nmov.b64 {%r3, %r4}, %rd1;\n\
        mov.b64 {%rs4, %rs5, %rs6, %rs7}, %rd1;\nmov.b32 %r5, {%rs7, %rs5};\n\
        st.global.v4.u32 [%own], {%r2, %r3, %r4, %r5};";
    gives("", body, 64, |t| {
        let word = t.wrapping_mul(0x0102_0304).wrapping_add(0x8070_6050);
        let (low, high) = (word & 0xffff, word >> 16);
        let turned = high >> 8 | (high & 0xff) << 8;
        [word.swap_bytes(), word, turned | low << 16, low | high << 16]
    });
}

/// Loads and stores of vectors of bytes and halves extend by their sign and cut off.
#[test]
fn vectors_of_small_elements_extend_and_truncate() {
    let body = "ld.global.v4.s8 {%r1, %r2, %r3, %r4}, [%own];\nld.global.v2.u8 {%rs1, %rs2}, [%own+2];\n\
        ld.global.v2.s16 {%rd1, %rd2}, [%own];\nadd.s32 %r1, %r1, %r2;\nadd.s32 %r3, %r3, %r4;\n\
        st.global.v4.u8 [%own+4], {%r1, %r3, %rs1, %rs2};\nst.global.v2.b16 [%own+8], {%rd2, %rd1};";
    let threads = 37;
    let word = |t: u32| (t * 7 + 100) & 0xff | 0xf00 | (200 + t) << 16 | 0x8100_0000;
    let before: Vec<u32> = (0..threads).flat_map(|t| [word(t), UNTOUCHED, UNTOUCHED]).collect();
    let after: Vec<u32> = (0..threads)
        .flat_map(|t| {
            let b = word(t).to_le_bytes();
            let sum = |x: u8, y: u8| x.wrapping_add(y);
            let second = u32::from_le_bytes([sum(b[0], b[1]), sum(b[2], b[3]), b[2], b[3]]);
            [word(t), second, word(t).rotate_right(16)]
        })
        .collect();
    let words = after.len();
    one_launch(kernel("", "", body, 3), threads as usize, before, after, |_| ()).passes(words);
}
