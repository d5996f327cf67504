//! Arithmetic: latency and throughput of the units.

use crate::code::Code;
use crate::trace::{Place, Trace};

/// Register `first + i % count`.
pub fn turn(first: u8, i: u32, count: u32) -> u8 {
    // `count` is the number of registers that take turns, far below 256.
    first + (i % count) as u8
}

/// `times` instructions on registers that follow from the number of the instruction.
fn repeat(times: u32, one: impl Fn(&mut Code, u32)) -> impl Fn(&mut Code, Place) {
    move |code, _| (0..times).for_each(|i| one(code, i))
}

fn dependent(opcode: &'static str, times: u32, sources: &'static [u8]) -> impl Fn(&mut Code, Place) {
    repeat(times, move |code, _| {
        code.op(opcode, Some(8), sources);
    })
}

/// Eight chains of FFMA.
fn ffma_chains(times: u32) -> impl Fn(&mut Code, Place) {
    repeat(times, |code, i| {
        let chain = turn(8, i, 8);
        code.ffma(chain, [chain, turn(21, i, 3), turn(26, i, 5)]);
    })
}

fn dfma(chains: u32, times: u32) -> impl Fn(&mut Code, Place) {
    repeat(times, move |code, i| {
        let chain = 8 + 2 * turn(0, i, chains);
        code.op("DFMA", Some(chain), &[chain, 26, 30]);
    })
}

fn mufu(chains: u32, times: u32) -> impl Fn(&mut Code, Place) {
    repeat(times, move |code, i| {
        let chain = turn(8, i, chains);
        code.op("MUFU.RCP", Some(chain), &[chain]);
    })
}

pub fn all() -> Vec<Trace> {
    const FFMA: &[u8] = &[8, 21, 30];
    let iadd = repeat(400, |code, i| {
        let chain = turn(8, i, 8);
        code.op("IADD3", Some(chain), &[chain, turn(21, i, 3), turn(30, i, 5)]);
    });
    let half = repeat(400, |code, i| {
        let chain = turn(8, i, 8);
        code.op("HFMA2", Some(chain), &[chain, 21, 30]);
    });
    vec![
        Trace::new("ffma_dep_w1", "dependent FFMA", [1, 32], dependent("FFMA", 2000, FFMA)),
        Trace::new(
            "ffma_dep_w4",
            "dependent FFMA, a warp a scheduler",
            [1, 128],
            dependent("FFMA", 2000, FFMA),
        ),
        Trace::new("ffma_dep_w16", "dependent FFMA, 16 warps", [1, 512], dependent("FFMA", 1000, FFMA)),
        Trace::new("ffma_ind_w1", "8 chains of FFMA, one warp", [1, 32], ffma_chains(2000)),
        Trace::new("ffma_ind_w4", "8 chains of FFMA, a warp a scheduler", [1, 128], ffma_chains(2000)),
        Trace::new("ffma_ind_w64", "FFMA throughput", [8, 256], ffma_chains(400)).with_registers(32),
        Trace::new("iadd3_ind_w32", "IADD3 throughput", [4, 256], iadd),
        Trace::new("dfma_dep_w1", "dependent DFMA", [1, 32], dfma(1, 500)),
        Trace::new("dfma_ind_w16", "DFMA throughput", [1, 512], dfma(8, 200)),
        Trace::new("mufu_dep_w1", "dependent MUFU", [1, 32], mufu(1, 500)),
        Trace::new("mufu_ind_w16", "MUFU throughput", [1, 512], mufu(8, 200)),
        Trace::new("shfl_dep_w1", "dependent SHFL", [1, 32], dependent("SHFL.BFLY", 300, &[8])),
        Trace::new("imad_dep_w1", "dependent IMAD", [1, 32], dependent("IMAD", 500, FFMA)),
        Trace::new("hfma2_ind_w16", "HFMA2 throughput", [1, 512], half),
    ]
}
