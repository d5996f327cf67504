//! Shared memory: latency, throughput, conflicts, and a tile of a matrix product.

use crate::code::{Access, Code};
use crate::trace::{GLOBAL, Place, SHARED_BASE, Trace};
use crate::traces::arithmetic::turn;

/// Bytes of a row of all banks.
const ROW: u64 = 128;

fn loads(times: u32, stride: u64) -> impl Fn(&mut Code, Place) {
    move |code, _| {
        for i in 0..times {
            let access = Access::strided(4, SHARED_BASE + u64::from(i % 8) * ROW, stride);
            code.access("LDS.U", Some(8 + 4 * turn(0, i, 8)), &[36], access);
        }
    }
}

fn dependent(code: &mut Code, _: Place) {
    for _ in 0..500 {
        code.access("LDS.U", Some(8), &[8], Access::strided(4, SHARED_BASE, 4));
    }
}

fn with_ffma(code: &mut Code, _: Place) {
    for i in 0..150 {
        let loaded = turn(20, i, 4);
        code.access(
            "LDS.U",
            Some(loaded),
            &[36],
            Access::strided(4, SHARED_BASE + u64::from(i % 8) * ROW, 4),
        );
        code.ffma(8, [8, loaded, 30]);
    }
}

fn tile(code: &mut Code, place: Place) {
    let (cta, warp) = (u64::from(place.cta), u64::from(place.warp));
    for i in 0..12 {
        let line = GLOBAL[0] + ((cta * 12 + i) * 8 + warp) * ROW;
        code.access("LDG.E.SYS", Some(40), &[2], Access::strided(4, line, 4));
        code.access("STS", None, &[4, 40], Access::strided(4, SHARED_BASE + warp * ROW, 4));
        code.plain("BAR.SYNC");
        for k in 0..8 {
            let row = SHARED_BASE + k * ROW;
            code.access("LDS.U.128", Some(16), &[5], Access::lanes(16, |lane| row + lane % 8 * 16));
            code.access("LDS.U.128", Some(20), &[6], Access::lanes(16, |lane| row + lane / 8 * 16));
            for j in 0..16 {
                code.ffma(44 + j, [44 + j, 16 + j % 4, 20 + j / 4]);
            }
        }
        code.plain("BAR.SYNC");
    }
}

pub fn all() -> Vec<Trace> {
    let bytes = 8192;
    vec![
        Trace::new("lds_dep_w1", "dependent LDS", [1, 32], dependent).with_shared(bytes),
        Trace::new("lds_nc_w8", "LDS without conflicts", [1, 256], loads(300, 4)).with_shared(bytes),
        Trace::new("lds_32way_w8", "LDS, 32 lanes in one bank", [1, 256], loads(40, ROW)).with_shared(bytes),
        Trace::new("lds_ffma_w8", "LDS, then an FFMA that needs it", [1, 256], with_ffma).with_shared(bytes),
        Trace::new("tile_w8x4", "tile of a matrix product: LDS.128, FFMA, barriers", [4, 256], tile)
            .with_registers(62)
            .with_shared(4096),
    ]
}
