//! Global memory: latencies by level, bandwidth, stores.

use crate::code::{Access, Code};
use crate::trace::{GLOBAL, Place, Trace};
use crate::traces::arithmetic::turn;

/// Bytes of a line.
const LINE: u64 = 128;
const LOAD: &str = "LDG.E.SYS";
const STORE: &str = "STG.E.SYS";

/// A load of a line by all lanes.
fn line(code: &mut Code, d: u8, address: u8, line: u64) {
    code.access(LOAD, Some(d), &[address], Access::strided(4, GLOBAL[0] + line * LINE, 4));
}

/// `count` loads of one lane, each of which needs the one before; the first needs register `first`.
fn chase(code: &mut Code, count: u64, first: u8, address: impl Fn(u64) -> u64) {
    for i in 0..count {
        let before = if i == 0 { first } else { 8 };
        code.access(LOAD, Some(8), &[before], Access::one(4, GLOBAL[0] + address(i)));
    }
}

fn l1_chase(code: &mut Code, _: Place) {
    code.access(LOAD, Some(10), &[36], Access::strided(4, GLOBAL[0], LINE));
    chase(code, 500, 10, |i| i % 32 * LINE);
}

/// Every warp brings two of 32 lines; all wait for all.
fn warm(code: &mut Code, place: Place) {
    for i in 0..2 {
        line(code, 24 + i, 36, (u64::from(place.warp) * 2 + u64::from(i)) % 32);
    }
    code.op("IADD3", Some(24), &[24, 25]);
    code.plain("BAR.SYNC");
}

fn l1_hits(code: &mut Code, place: Place) {
    warm(code, place);
    for i in 0..200 {
        line(code, turn(8, i, 16), 36, u64::from(i % 32));
    }
}

fn l1_hits_128(code: &mut Code, place: Place) {
    warm(code, place);
    for i in 0..100 {
        let access = Access::strided(16, GLOBAL[0] + u64::from(i % 8) * 4 * LINE, 16);
        code.access("LDG.E.128.SYS", Some(8 + 4 * turn(0, i, 4)), &[36], access);
    }
}

/// 480 lines, brought by loads of 32 lines each, then chased: more than an L1 of 32 KB holds.
fn l2_chase(code: &mut Code, _: Place) {
    const LOADS: u8 = 15;
    for i in 0..LOADS {
        let access = Access::strided(4, GLOBAL[0] + u64::from(i) * 32 * LINE, LINE);
        code.access(LOAD, Some(10 + i), &[36], access);
    }
    chase(code, u64::from(LOADS) * 32, 10 + LOADS - 1, |i| i * LINE);
}

fn dram_chase(code: &mut Code, _: Place) {
    chase(code, 300, 8, |i| i * 33 * LINE);
}

fn stream(code: &mut Code, place: Place) {
    for i in 0..32 {
        line(code, turn(8, i, 16), 4, u64::from(i) * 64 + place.number());
    }
}

fn strided(code: &mut Code, place: Place) {
    for i in 0..16 {
        let base = GLOBAL[0] + (u64::from(i) * 8 + place.number()) * 32 * LINE;
        code.access(LOAD, Some(turn(8, i, 16)), &[36], Access::strided(4, base, LINE));
    }
}

fn stores(code: &mut Code, place: Place) {
    for i in 0..32 {
        let line = GLOBAL[0] + (i * 32 + place.number()) * LINE;
        code.access(STORE, None, &[36, 8], Access::strided(4, line, 4));
    }
}

fn saxpy(code: &mut Code, place: Place) {
    code.op("S2R", Some(3), &[]);
    code.op("S2R", Some(6), &[]);
    code.op("IMAD", Some(6), &[6, 3]);
    code.op("ISETP.GE.AND", None, &[6]);
    code.op("IMAD.WIDE", Some(2), &[6, 7]);
    code.op("IMAD.WIDE", Some(4), &[6, 7]);
    let at = |array: usize| Access::strided(4, GLOBAL[array] + place.number() * LINE, 4);
    code.access(LOAD, Some(8), &[2], at(0));
    code.access(LOAD, Some(9), &[4], at(1));
    code.ffma(10, [8, 12, 9]);
    code.access(STORE, None, &[4, 10], at(1));
}

pub fn all() -> Vec<Trace> {
    vec![
        Trace::new("ldg_l1_dep_w1", "dependent LDG, hits in L1", [1, 32], l1_chase),
        Trace::new("ldg_l1_w16", "LDG of whole lines, hits in L1", [1, 512], l1_hits),
        Trace::new("ldg128_l1_w16", "LDG.128 of whole lines, hits in L1", [1, 512], l1_hits_128),
        // So much shared memory leaves an L1 of 32 KB.
        Trace::new("ldg_l2_dep_w1", "dependent LDG, hits in L2", [1, 32], l2_chase)
            .with_shared((96 << 10) - 1024),
        Trace::new("ldg_dram_dep_w1", "dependent LDG from DRAM", [1, 32], dram_chase),
        Trace::new("ldg_stream_w64", "LDG bandwidth of DRAM", [8, 256], stream).with_registers(32),
        Trace::new("ldg_stride_w8", "LDG of 32 lines each, from DRAM", [1, 256], strided),
        Trace::new("stg_stream_w32", "STG bandwidth", [4, 256], stores),
        Trace::new("saxpy_64x8", "saxpy, 64 CTAs of 8 warps", [64, 256], saxpy).with_registers(16),
    ]
}
