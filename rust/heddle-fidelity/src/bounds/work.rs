//! The traces of the bounds, by their length.

use crate::code::{Access, Code};
use crate::trace::{GLOBAL, Place, SHARED_BASE, Trace};
use crate::traces::turn;

/// Warps of the traces for throughput.
pub const WARPS: u32 = 16;
/// Loads of each of their warps, of the shorter and the longer trace.
pub const LOADS: [u32; 2] = [64, 192];
/// Misses of L1 at once with which L2 and DRAM are to be busy.
pub const MSHRS: u32 = 128;
/// Lines of a chase that are in L2 and not in an L1 of 128 lines.
pub const L2_LINES: u32 = 256;

const LINE: u64 = 128;
const LOAD: &str = "LDG.E.SYS";
/// A load past L1.
const LOAD_PAST_L1: &str = "LDG.E.STRONG.GPU";

fn one_warp(name: &'static str, body: impl Fn(&mut Code) + 'static) -> Trace {
    Trace::new(name, name, [1, 32], move |code, _| body(code))
}

fn all_warps(name: &'static str, body: impl Fn(&mut Code, Place) + 'static) -> Trace {
    Trace::new(name, name, [1, 32 * WARPS], body)
}

pub fn dependent(opcode: &'static str, sources: &'static [u8], length: u32) -> Trace {
    one_warp("dependent", move |code| {
        for _ in 0..length {
            code.op(opcode, Some(8), sources);
        }
    })
}

/// Eight chains a warp.
pub fn independent(opcode: &'static str, length: u32) -> Trace {
    all_warps("independent", move |code, _| {
        for i in 0..length {
            let chain = turn(8, i, 8);
            let sources = [chain, turn(21, i, 3), turn(26, i, 5)];
            code.op(opcode, Some(chain), if opcode.starts_with("MUFU") { &sources[..1] } else { &sources });
        }
    })
}

fn chase(name: &'static str, length: u32, line: impl Fn(u64) -> u64 + 'static) -> Trace {
    one_warp(name, move |code| {
        for i in 0..u64::from(length) {
            code.access(LOAD, Some(8), &[8], Access::one(4, GLOBAL[0] + line(i) * LINE));
        }
    })
}

pub fn l1_chase(length: u32) -> Trace {
    chase("l1_chase", length, |i| i % 32)
}

pub fn l2_chase(length: u32) -> Trace {
    chase("l2_chase", length, |i| i % u64::from(L2_LINES))
}

/// Each load closes the row of a bank.
pub fn dram_chase(length: u32) -> Trace {
    chase("dram_chase", length, |i| i * 33)
}

pub fn shared_chase(length: u32) -> Trace {
    one_warp("shared_chase", move |code| {
        for _ in 0..length {
            code.access("LDS.U", Some(8), &[8], Access::strided(4, SHARED_BASE, 4));
        }
    })
    .with_shared(8192)
}

pub fn shared(loads: u32) -> Trace {
    all_warps("shared", move |code, _| {
        for i in 0..loads {
            let row = SHARED_BASE + u64::from(i % 8) * LINE;
            code.access("LDS.U", Some(turn(8, i, 16)), &[36], Access::strided(4, row, 4));
        }
    })
    .with_shared(8192)
}

/// Loads of lines by their number and that of the warp.
fn stream(
    name: &'static str,
    opcode: &'static str,
    loads: u32,
    line: impl Fn(u64, u64) -> u64 + 'static,
) -> Trace {
    all_warps(name, move |code, place| {
        for i in 0..loads {
            let access = Access::strided(4, GLOBAL[0] + line(u64::from(i), place.number()) * LINE, 4);
            code.access(opcode, Some(turn(8, i, 16)), &[36], access);
        }
    })
}

/// All warps load the same 16 lines again and again.
pub fn l2_stream(loads: u32) -> Trace {
    stream("l2_stream", LOAD_PAST_L1, loads, |i, warp| (i + warp) % 16)
}

/// Each warp loads lines in a row, in rows of DRAM of its own; a row of 16 lines between them puts those of all warps into different
/// banks.
pub fn dram_stream(loads: u32) -> Trace {
    stream("dram_stream", LOAD, loads, move |i, warp| warp * u64::from(loads + 16) + i)
}
