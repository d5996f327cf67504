//! General matrix product with register tiling (Parboil: `sgemm`).
//!
//! The reference is exact: one fused multiply-add a product, k ascending.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "sgemm" };
/// Rows and columns of C that a block makes, and products of a step.
const TILE_M: usize = 128;
const TILE_N: usize = 16;
const TILE_K: usize = 8;
const ALPHA: f32 = 1.25;
const BETA: f32 = -0.5;

/// The workload.
struct Sgemm;

inventory::submit! { Entry(&Sgemm) }

/// Rows, columns and length of the sums, multiples of the tiles.
#[derive(Debug, Clone, Copy)]
struct Shape {
    rows: usize,
    columns: usize,
    inner: usize,
}

fn shape(size: Size) -> Shape {
    let (rows, columns, inner) = match size {
        Size::Smoke => (256, 32, 72),
        Size::Small => (384, 96, 200),
        // Nine tiles of rows and not the suite's eight, which divide the number of SMs: an SM's share has all of them,
        // and comes near the footprint that the OSM paper gives.
        Size::Paper => (1152, 1024, 992),
    };
    Shape { rows, columns, inner }
}

impl Workload for Sgemm {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "matrix product with sixteen sums a thread in registers"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("sgemm", "sgemm/mysgemmNT", &[(Quantity::Registers, REORDERED)])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("sgemm")
    }

    fn size_text(&self, size: Size) -> String {
        let s = shape(size);
        format!("{}x{} * {}x{}", s.rows, s.inner, s.inner, s.columns)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let s = shape(size);
        let mut random = SplitMix64::new(seed, 0);
        let a = matrix(&mut random, s.rows * s.inner);
        let b = matrix(&mut random, s.columns * s.inner);
        let c = matrix(&mut random, s.rows * s.columns);
        let mut script = Script::new(HOST);
        let [device_a, device_b, device_c] =
            [("a", &a), ("b", &b), ("c", &c)].map(|(name, values)| script.input(name, values));
        script
            .launch("sgemm", [s.rows / TILE_M, s.columns / TILE_N, 1], [TILE_N, TILE_K, 1])
            .pointer(device_a)
            .u32(arg(s.rows))
            .pointer(device_b)
            .u32(arg(s.columns))
            .pointer(device_c)
            .u32(arg(s.rows))
            .u32(arg(s.inner))
            .f32(ALPHA)
            .f32(BETA);
        script.judge(move |results| results.exact(device_c, &reference(s, &a, &b, &c)));
        Ok(Box::new(script))
    }
}

/// Columns one after the other; A and B hold their column k at k.
fn reference(s: Shape, a: &[f32], b: &[f32], c: &[f32]) -> Vec<f32> {
    let mut sums = vec![0.0_f32; c.len()];
    for (a, b) in a.chunks_exact(s.rows).zip(b.chunks_exact(s.columns)) {
        for (column, &b) in sums.chunks_exact_mut(s.rows).zip(b) {
            for (sum, &a) in column.iter_mut().zip(a) {
                *sum = a.mul_add(b, *sum);
            }
        }
    }
    sums.iter().zip(c).map(|(&sum, &c)| ALPHA.mul_add(sum, c * BETA)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_multiplies_by_the_transpose() {
        let s = Shape { rows: 2, columns: 1, inner: 2 };
        // A = [1 3; 2 4] by columns, B = [5 6].
        let c = reference(s, &[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0], &[8.0, 0.0]);
        assert_eq!(c, [1.25 * 23.0 - 4.0, 1.25 * 34.0]);
    }

    #[test]
    fn sides_are_multiples_of_the_tiles() {
        for s in Size::ALL.map(shape) {
            assert!(s.rows % TILE_M == 0 && s.columns % TILE_N == 0 && s.inner % TILE_K == 0);
        }
    }
}
