//! General matrix product without shared memory (PolyBench/GPU: `gemm`).
//!
//! The reference is exact: the source of the kernel fixes one product by alpha and one fused
//! multiply-add for each k, ascending.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "gemm" };
/// Threads of a block in x and y.
const BLOCK: [usize; 3] = [32, 8, 1];
const ALPHA: f32 = 32_412.0;
const BETA: f32 = 2_123.0;

/// The workload.
struct Gemm;

inventory::submit! { Entry(&Gemm) }

/// Rows and columns of C, and the sum's length.
#[derive(Debug, Clone, Copy)]
struct Shape {
    rows: usize,
    columns: usize,
    inner: usize,
}

fn shape(size: Size) -> Shape {
    let (rows, columns, inner) = match size {
        Size::Smoke => (44, 60, 40),
        Size::Small => (120, 124, 112),
        // As large as the footprint that the OSM paper gives.
        Size::Paper => (1024, 1024, 1024),
    };
    Shape { rows, columns, inner }
}

impl Workload for Gemm {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "matrix product from global memory: partial sums stored at every step"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("gemm", "gemm/gemm_kernel", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("gemm")
    }

    fn size_text(&self, size: Size) -> String {
        let s = shape(size);
        format!("{}x{} * {}x{}", s.rows, s.inner, s.inner, s.columns)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let s = shape(size);
        let mut random = SplitMix64::new(seed, 0);
        let a = matrix(&mut random, s.rows * s.inner);
        let b = matrix(&mut random, s.inner * s.columns);
        let c = matrix(&mut random, s.rows * s.columns);
        let mut script = Script::new(HOST);
        let [device_a, device_b, device_c] =
            [("a", &a), ("b", &b), ("c", &c)].map(|(name, values)| script.input(name, values));
        let grid = [s.columns.div_ceil(BLOCK[0]), s.rows.div_ceil(BLOCK[1]), 1];
        script
            .launch("gemm", grid, BLOCK)
            .u32(arg(s.rows))
            .u32(arg(s.columns))
            .u32(arg(s.inner))
            .f32(ALPHA)
            .f32(BETA)
            .pointer(device_a)
            .pointer(device_b)
            .pointer(device_c);
        script.judge(move |results| results.exact(device_c, &reference(s, &a, &b, &c)));
        Ok(Box::new(script))
    }
}

fn reference(s: Shape, a: &[f32], b: &[f32], c: &[f32]) -> Vec<f32> {
    let mut out: Vec<f32> = c.iter().map(|v| v * BETA).collect();
    for (row, a_row) in out.chunks_exact_mut(s.columns).zip(a.chunks_exact(s.inner)) {
        for (&a, b_row) in a_row.iter().zip(b.chunks_exact(s.columns)) {
            let scaled = ALPHA * a;
            for (sum, &b) in row.iter_mut().zip(b_row) {
                *sum = scaled.mul_add(b, *sum);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_multiplies_and_scales() {
        let s = Shape { rows: 1, columns: 2, inner: 2 };
        let c = reference(s, &[1.0, 2.0], &[1.0, 0.0, 0.0, 1.0], &[1.0, 2.0]);
        assert_eq!(c, [ALPHA + BETA, 2.0 * ALPHA + 2.0 * BETA]);
    }
}
