//! Atomics of every type, scope and order. Sums are exact in every order, so that the order in which warps
//! come does not show.

use heddle_cosim::Engine;

use super::{UNTOUCHED, gives, kernel, one_launch};

/// One word of all threads begins with `before`, each thread does `access` on `[%out]`, and it ends with
/// `after`. `%f1`, `%rs1`, `%r1` and `%fd1` hold 1 in their types.
fn sums_to(access: &str, threads: usize, before: [u32; 2], after: [u32; 2]) {
    let body = format!(
        "mov.f32 %f1, 0f3F800000;\nmov.f64 %fd1, 0d3FF0000000000000;\nmov.u32 %r1, 1;\nmov.u64 %rd1, 1;\n{access}"
    );
    let made = one_launch(kernel("", "", &body, 1), threads, before.to_vec(), after.to_vec(), |_| ());
    made.passes(2);
}

fn wide(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

#[test]
fn every_scope_and_order_adds() {
    for scope in ["", ".cta", ".cluster", ".gpu", ".sys"] {
        sums_to(&format!("red{scope}.global.add.u32 [%out], %r1;"), 96, [5, 6], [101, 6]);
    }
    for order in ["relaxed", "acquire", "release", "acq_rel"] {
        let access = format!(
            "atom.{order}.gpu.global.add.u32 %r2, [%out], %r1;\natom.{order}.sys.add.u32 %r2, [%out+4], %r2;"
        );
        // What the first adds gave: 0 to 63, each once.
        sums_to(&access, 64, [0, 10], [64, 10 + 63 * 32]);
    }
    sums_to("red.release.gpu.global.add.u64 [%out], %rd1;", 96, [u32::MAX, 6], [95, 7]);
}

#[test]
fn doubles_and_floats_add() {
    let double = |x: f64| wide(x.to_bits());
    sums_to("red.global.add.f64 [%out], %fd1;", 96, double(0.5), double(96.5));
    sums_to("atom.gpu.global.add.f64 %fd2, [%out], %fd1;", 40, double(-40.0), double(0.0));
    // Beyond 2^53 the sum is rounded to even, each time.
    let large = 9_007_199_254_740_992.0;
    sums_to("red.sys.global.add.f64 [%out], %fd1;", 64, double(large), double(large));
    let float = |x: f32| [x.to_bits(), 9];
    sums_to("red.cta.global.add.f32 [%out], %f1;", 96, float(0.25), float(96.25));
    sums_to("atom.add.f32 %f2, [%out], %f1;", 64, float(16_777_216.0), float(16_777_216.0));
}

#[test]
fn halves_and_brain_floats_add() {
    // 1, 1024, 2048 as f16; 1, 256 as bf16.
    let one = "mov.b16 %rs1, 0x3C00;\n";
    let noftz = "atom.global.add.noftz.f16 %rs2, [%out+2], %rs1;";
    sums_to(&format!("{one}{noftz}"), 96, [0x0000_1234, 1], [0x5600_1234, 1]);
    // Beyond 2048 ones are lost; subnormal sums are not.
    sums_to(&format!("{one}{noftz}"), 64, [0x6800_0000, 1], [0x6800_0000, 1]);
    sums_to("mov.b16 %rs1, 3;\nred.global.add.noftz.f16 [%out], %rs1;", 64, [0, 0], [192, 0]);
    let pair = "mov.b32 %r2, {0x3C00, 0xBC00};\nred.global.add.noftz.f16x2 [%out+4], %r2;";
    sums_to(pair, 64, [7, 0x6400_0000], [7, 0x6380_5400]);
    let brain = "mov.b16 %rs1, 0x3F80;\nred.gpu.global.add.noftz.bf16 [%out], %rs1;";
    sums_to(brain, 96, [0xffff_0000, 0], [0xffff_42c0, 0]);
    sums_to(brain, 64, [0x4380, 0], [0x4380, 0]);
    let pair = "mov.b32 %r2, 0x3F80BF80;\natom.sys.global.add.noftz.bf16x2 %r3, [%out], %r2;";
    sums_to(pair, 64, [0, 0], [0x4280_c280, 0]);
}

#[test]
fn integers_meet_in_every_operation() {
    let t = |access: &str| format!("mad.lo.u32 %r2, %t, 3, 5;\ncvt.s64.s32 %rd2, %r2;\n{access}");
    // Of 64 threads: 5 to 194 in steps of 3.
    sums_to(&t("red.global.max.u32 [%out], %r2;"), 64, [9, 0], [194, 0]);
    sums_to(&t("sub.s32 %r2, 0, %r2;\nred.global.min.s32 [%out], %r2;"), 64, [9, 0], [-194_i32 as u32, 0]);
    sums_to(&t("red.global.max.u64 [%out], %rd2;"), 64, [9, 0], [194, 0]);
    sums_to(
        &t("neg.s64 %rd2, %rd2;\natom.global.min.s64 %rd3, [%out], %rd2;"),
        64,
        [9, 0],
        wide(-194_i64 as u64),
    );
    let all = (0..64).map(|t| 3 * t + 5);
    sums_to(&t("red.global.or.b32 [%out], %r2;"), 64, [0x100, 0], [all.clone().fold(0x100, |a, b| a | b), 0]);
    sums_to(&t("red.global.xor.b64 [%out], %rd2;"), 64, [0, 8], [all.fold(0, |a, b| a ^ b), 8]);
    sums_to(&t("red.global.and.b32 [%out], %r2;"), 64, [0xff01, 0], [0, 0]);
    // 64 times 0 to 9 and over again; 64 times down from 3, the limit 9 after 0.
    sums_to("red.global.inc.u32 [%out], 9;", 64, [0, 0], [4, 0]);
    sums_to("red.global.dec.u32 [%out], 9;", 64, [3, 0], [9, 0]);
}

#[test]
fn each_thread_swaps_and_gets_what_was_there() {
    let body = "atom.global.exch.b32 %r1, [%own], %t;\natom.global.cas.b32 %r2, [%own+4], 70, %t;\n\
        atom.acquire.cta.global.cas.b16 %rs1, [%own+10], 7, 9;\ncvt.u32.u16 %r3, %rs1;\n\
        mov.b64 %rd1, {%t, %r1};\natom.global.exch.b64 %rd2, [%own+16], %rd1;\n\
        atom.global.cas.b64 %rd3, [%own+24], %rd2, %rd1;\nadd.u64 %rd3, %rd3, 1;\n\
        st.global.u32 [%own], %r1;\nst.global.v2.u32 [%own+32], {%r2, %r3};\nst.global.u64 [%own+40], %rd3;";
    let threads = 96;
    let before = |t: u32| {
        [500 + t, if t.is_multiple_of(2) { 70 } else { 71 }, 0x7_0003, 1, t, 3, t, 3 + t % 3, 0, 0, 0, 0]
    };
    let after = |t: u32| {
        let old = before(t);
        let mut new = old;
        // The first word was exchanged, then overwritten with what was there.
        if old[1] == 70 {
            new[1] = t;
        }
        new[2] = 0x9_0003;
        [new[4], new[5]] = [t, old[0]];
        if [old[6], old[7]] == [old[4], old[5]] {
            [new[6], new[7]] = [t, old[0]];
        }
        [new[8], new[9], new[10], new[11]] = [old[1], 7, old[6] + 1, old[7]];
        new
    };
    let words = |f: &dyn Fn(u32) -> [u32; 12]| (0..threads).flat_map(f).collect::<Vec<u32>>();
    let (before, after) = (words(&before), words(&after));
    let count = after.len();
    one_launch(kernel("", "", body, 12), threads as usize, before, after, |_| ()).passes(count);
}

/// A histogram in shared memory, and a lock-free maximum by compare and swap of generic addresses.
#[test]
fn atomics_of_shared_memory_meet() {
    let module = ".shared .align 8 .b8 bins[64];\n";
    let body = "mov.u64 %rd1, bins;\nand.b32 %r1, %t, 15;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\n\
        setp.lt.u32 %p1, %t, 16;\nmov.u32 %r2, 0;\n@%p1 st.shared.u32 [%rd1], %r2;\nbar.sync 0;\n\
        red.shared.add.u32 [%rd1], %t;\nbar.sync 0;\nld.shared.u32 %r3, [%rd1];\nbar.sync 0;\n\
        @%p1 st.shared.u32 [%rd1], %r2;\nbar.sync 0;\ncvta.shared.u64 %rd3, %rd1;\n\
        atom.cta.max.u32 %r4, [%rd3], %t;\nbar.sync 0;\nld.u32 %r5, [%rd3];\n\
        st.global.v2.u32 [%own], {%r3, %r5};";
    let threads = 96;
    gives(module, body, threads as usize, |t| {
        let same = || (0..threads).filter(|other| other % 16 == t % 16);
        [same().sum(), same().max().unwrap_or(UNTOUCHED)]
    });
}

/// Sums of every format, and a compare-and-swap of 16 bits, also in the caches that hold shared memory off chip.
#[test]
fn floats_of_shared_memory_add() {
    let module = ".shared .align 16 .b8 bins[32];\n";
    let body = "mov.u64 %rd1, bins;\nmul.wide.u32 %rd2, %t, 4;\nadd.u64 %rd2, %rd1, %rd2;\n\
        setp.lt.u32 %p1, %t, 8;\nmov.u32 %r1, 0;\n@%p1 st.shared.u32 [%rd2], %r1;\nbar.sync 0;\n\
        mov.f64 %fd1, 0d3FF0000000000000;\nred.shared.add.f64 [%rd1], %fd1;\n\
        mov.f32 %f1, 0f3F800000;\nred.shared.add.f32 [%rd1+8], %f1;\n\
        mov.b16 %rs1, 0x3C00;\nred.shared.add.noftz.f16 [%rd1+12], %rs1;\n\
        mov.b16 %rs2, 0x3F80;\nred.shared.add.noftz.bf16 [%rd1+14], %rs2;\n\
        mov.b32 %r2, {0x3C00, 0xBC00};\nred.shared.add.noftz.f16x2 [%rd1+16], %r2;\n\
        mov.b32 %r3, 0x3F80BF80;\natom.shared.add.noftz.bf16x2 %r4, [%rd1+20], %r3;\n\
        atom.shared.cas.b16 %rs3, [%rd1+26], 0, 7;\nbar.sync 0;\n\
        ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1];\nst.global.v4.u32 [%own], {%r5, %r6, %r7, %r8};\n\
        ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1+16];\nst.global.v4.u32 [%own+16], {%r5, %r6, %r7, %r8};";
    let threads = 64;
    let sums = [0, 0x4050_0000, 0x4280_0000, 0x4280_5400, 0xd400_5400, 0x4280_c280, 0x0007_0000, 0];
    let after: Vec<u32> = (0..threads).flat_map(|_| sums).collect();
    let words = after.len();
    let made = one_launch(kernel(module, "", body, 8), threads, vec![UNTOUCHED; words], after, |_| ());
    made.passes(words);
    for design in ["osm", "ucm"] {
        let report = made.run(design, Engine::Cosim, 255).unwrap_or_else(|e| panic!("{design}: {e}"));
        assert_eq!((report.ok, report.reference_words_compared), (true, Some(words as u64)), "{design}");
    }
}
