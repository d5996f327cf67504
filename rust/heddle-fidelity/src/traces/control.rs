//! Control: loops, barriers, divergence, the start of CTAs.

use crate::code::{Access, Code};
use crate::trace::{GLOBAL, Place, Trace};
use crate::traces::arithmetic::turn;

/// `times` FFMA on eight chains.
fn ffma(code: &mut Code, times: u32, mask: u32, [b, c]: [u8; 2]) {
    for i in 0..times {
        let chain = turn(8, i, 8);
        code.ffma(chain, [chain, b, c]).in_lanes(mask);
    }
}

fn counted_loop(code: &mut Code, _: Place) {
    for _ in 0..100 {
        code.at(0);
        ffma(code, 4, u32::MAX, [21, 30]);
        code.op("IADD3", Some(2), &[2]).with_immediate(1);
        code.op("ISETP.NE.AND", None, &[2]);
        code.plain("BRA");
    }
}

fn barriers(code: &mut Code, _: Place) {
    for _ in 0..150 {
        ffma(code, 8, u32::MAX, [21, 30]);
        code.plain("BAR.SYNC");
    }
}

fn divergence(code: &mut Code, _: Place) {
    const LOW: u32 = 0xffff;
    for _ in 0..25 {
        code.op("ISETP.NE.AND", None, &[2]);
        code.plain("BSSY");
        code.plain("BRA").in_lanes(LOW);
        ffma(code, 16, !LOW, [21, 30]);
        code.plain("BRA").in_lanes(!LOW);
        ffma(code, 16, LOW, [22, 31]);
        code.plain("BSYNC");
    }
}

fn tiny(code: &mut Code, place: Place) {
    code.op("S2R", Some(3), &[]);
    code.op("S2R", Some(4), &[]);
    code.op("IMAD", Some(6), &[3, 4]);
    code.op("IADD3", Some(7), &[6]);
    code.ffma(8, [7, 6, 4]);
    let line = GLOBAL[2] + place.number() % 16 * 128;
    code.access("STG.E.SYS", None, &[6, 8], Access::strided(4, line, 4));
}

pub fn all() -> Vec<Trace> {
    vec![
        Trace::new("loop_w16", "loop of 4 FFMA with a branch, 16 warps", [1, 512], counted_loop),
        Trace::new("bar_w8", "a barrier after every 8 FFMA, 8 warps", [1, 256], barriers),
        Trace::new("div_half_w8", "if and else, half of the lanes each", [1, 256], divergence),
        Trace::new("cta_tiny", "1024 CTAs of 2 warps and 7 instructions", [1024, 64], tiny)
            .with_registers(16),
    ]
}
