//! Two matrix-vector products with one matrix (PolyBench/GPU: `mvt`).
//!
//! The references are exact: one fused multiply-add a term, in ascending order.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "mvt" };
/// Threads of a block.
const BLOCK: usize = 256;

/// The workload.
struct Mvt;

inventory::submit! { Entry(&Mvt) }

/// Order of the matrix.
fn order(size: Size) -> usize {
    match size {
        Size::Smoke => 250,
        Size::Small => 1100,
        // As large as the footprint that the OSM paper gives.
        Size::Paper => 2048,
    }
}

impl Workload for Mvt {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "x1 += A y1 and x2 += A' y2: rows without coalescing, columns with it"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("mvt_rows", "mvt/mvt_kernel1", &[]), published("mvt_columns", "mvt/mvt_kernel2", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("mvt")
    }

    fn size_text(&self, size: Size) -> String {
        let n = order(size);
        format!("{n}x{n}")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = order(size);
        let mut random = SplitMix64::new(seed, 0);
        let a = matrix(&mut random, n * n);
        let [x1, x2, y1, y2] = std::array::from_fn(|_| matrix(&mut random, n));
        let mut script = Script::new(HOST);
        let device_a = script.input("a", &a);
        let [sum1, sum2, device_y1, device_y2] = [("x1", &x1), ("x2", &x2), ("y1", &y1), ("y2", &y2)]
            .map(|(name, values)| script.input(name, values));
        for (entry, y, x) in [("mvt_rows", device_y1, sum1), ("mvt_columns", device_y2, sum2)] {
            script
                .launch(entry, [n.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
                .u32(arg(n))
                .pointer(device_a)
                .pointer(y)
                .pointer(x);
        }
        script.judge(move |results| {
            results.exact(sum1, &rows(&a, &y1, &x1))?;
            results.exact(sum2, &columns(&a, &y2, &x2))
        });
        Ok(Box::new(script))
    }
}

/// x + A * y.
fn rows(a: &[f32], y: &[f32], x: &[f32]) -> Vec<f32> {
    let dot = |(row, &x): (&[f32], &f32)| row.iter().zip(y).fold(x, |sum, (&a, &y)| a.mul_add(y, sum));
    a.chunks_exact(y.len()).zip(x).map(dot).collect()
}

/// x + A' * y.
fn columns(a: &[f32], y: &[f32], x: &[f32]) -> Vec<f32> {
    let mut x = x.to_vec();
    for (row, &y) in a.chunks_exact(x.len()).zip(y) {
        for (sum, &a) in x.iter_mut().zip(row) {
            *sum = a.mul_add(y, *sum);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_multiply_and_add() {
        let a = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(rows(&a, &[1.0, 10.0], &[100.0, 200.0]), [121.0, 243.0]);
        assert_eq!(columns(&a, &[1.0, 10.0], &[100.0, 200.0]), [131.0, 242.0]);
    }
}
