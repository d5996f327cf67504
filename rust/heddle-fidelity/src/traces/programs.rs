//! Three small programs: a sum of vectors, a loop of FFMA, a product of matrices by tiles.

use crate::code::{Access, Code};
use crate::trace::{GLOBAL, Place, SHARED_BASE, Trace};

/// Bytes of a line.
const LINE: u64 = 128;
/// Program counter of the first instruction of a loop.
const LOOP: u32 = 16;

/// All lanes, four bytes each, side by side.
fn row(base: u64) -> Access {
    Access::strided(4, base, 4)
}

/// What compiled kernels begin with.
fn begin(code: &mut Code) {
    code.op("IMAD.MOV.U32", Some(1), &[255, 255]);
}

/// The end of a loop.
fn count(code: &mut Code) {
    code.op("IADD3", Some(2), &[2]).with_immediate(1);
    code.op("ISETP.NE.AND", None, &[2]);
}

fn vector_sum(code: &mut Code, place: Place) {
    begin(code);
    code.op("S2R", Some(6), &[]);
    code.op("S2R", Some(3), &[]);
    code.op("IMAD", Some(6), &[6, 3]);
    code.op("ISETP.GE.AND", None, &[6]);
    code.plain("BRA").in_lanes(0);
    code.op("MOV", Some(7), &[]).with_immediate(4);
    code.op("IMAD.WIDE", Some(2), &[6, 7]);
    code.op("IMAD.WIDE", Some(4), &[6, 7]);
    let at = place.number() * LINE;
    code.access("LDG.E.SYS", Some(2), &[2], row(GLOBAL[0] + at));
    code.access("LDG.E.SYS", Some(5), &[4], row(GLOBAL[1] + at));
    code.op("IMAD.WIDE", Some(6), &[6, 7]);
    code.op("FADD", Some(9), &[2, 5]);
    code.access("STG.E.SYS", None, &[6, 9], row(GLOBAL[2] + at));
}

fn ffma_loop(code: &mut Code, place: Place) {
    begin(code);
    for _ in 0..200 {
        code.at(LOOP);
        for k in 0..8 {
            code.ffma(8 + k, [8 + k, 20 + k, 28 + k * 3 % 8]);
        }
        count(code);
        code.plain("BRA").with_immediate(16);
    }
    code.access("STG.E.SYS", None, &[6, 8], row(GLOBAL[2] + place.number() * LINE));
}

fn matrix_product(code: &mut Code, place: Place) {
    const TILES: u64 = 30;
    begin(code);
    let (cta, warp) = (u64::from(place.cta), u64::from(place.warp));
    for i in 0..TILES {
        code.at(LOOP);
        let tile = |number: u64| ((number * TILES + i) * 8 + warp) * LINE;
        code.access("LDG.E.SYS", Some(40), &[2], row(GLOBAL[0] + tile(cta % 8)));
        code.access("LDG.E.SYS", Some(41), &[4], row(GLOBAL[1] + tile(cta / 8)));
        code.access("STS", None, &[10, 40], row(SHARED_BASE + warp * LINE));
        code.access("STS", None, &[11, 41], row(SHARED_BASE + 8 * LINE + warp * LINE));
        code.plain("BAR.SYNC");
        for k in 0..8 {
            code.access("LDS.U", Some(20 + k), &[12], row(SHARED_BASE + u64::from(k) * LINE));
        }
        for k in 0..32 {
            let sum = 48 + k % 16;
            code.ffma(sum, [sum, 20 + k % 8, 20 + (k * 3 + 1) % 8]);
        }
        count(code);
        code.plain("BAR.SYNC");
        code.plain("BRA").with_immediate(16);
    }
    code.at(0x1000);
}

pub fn all() -> Vec<Trace> {
    vec![
        Trace::new("program_vadd", "sum of vectors, 64 CTAs", [64, 256], vector_sum)
            .with_registers(16)
            .of_kernel("vectoradd"),
        Trace::new("program_sgemm", "product of matrices by tiles, 16 CTAs", [16, 256], matrix_product)
            .with_registers(80)
            .with_shared(2048)
            .of_kernel("sgemm_tile"),
        Trace::new("program_ffma", "loop of 8 FFMA, 8 CTAs", [8, 256], ffma_loop)
            .with_registers(36)
            .of_kernel("ffma_loop"),
    ]
}
