//! The two matrix-vector products of the biconjugate gradient method (PolyBench/GPU: `bicg`).
//!
//! The references are exact: one fused multiply-add a term, in ascending order.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "bicg" };
/// Threads of a block.
const BLOCK: usize = 256;

/// The workload.
struct Bicg;

inventory::submit! { Entry(&Bicg) }

/// Rows and columns of the matrix.
fn shape(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (250, 260),
        Size::Small => (1100, 1120),
        Size::Paper => (4096, 4096),
    }
}

impl Workload for Bicg {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "two matrix-vector products: one along columns, one along rows"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("bicg_transposed", "bicg/bicg_kernel1", &[]),
                published("bicg_direct", "bicg/bicg_kernel2", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("bicg")
    }

    fn size_text(&self, size: Size) -> String {
        let (rows, columns) = shape(size);
        format!("{rows}x{columns}")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (rows, columns) = shape(size);
        let mut random = SplitMix64::new(seed, 0);
        let a = matrix(&mut random, rows * columns);
        let r = matrix(&mut random, rows);
        let p = matrix(&mut random, columns);
        let mut script = Script::new(HOST);
        let [device_a, device_r, device_p] =
            [("a", &a), ("r", &r), ("p", &p)].map(|(name, values)| script.input(name, values));
        let s = script.output::<f32>("s", columns);
        let q = script.output::<f32>("q", rows);
        for (entry, threads, vector, product) in
            [("bicg_transposed", columns, device_r, s), ("bicg_direct", rows, device_p, q)]
        {
            script
                .launch(entry, [threads.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
                .u32(arg(rows))
                .u32(arg(columns))
                .pointer(device_a)
                .pointer(vector)
                .pointer(product);
        }
        script.judge(move |results| {
            results.exact(s, &transposed(columns, &a, &r))?;
            results.exact(q, &direct(columns, &a, &p))
        });
        Ok(Box::new(script))
    }
}

/// A' * r.
fn transposed(columns: usize, a: &[f32], r: &[f32]) -> Vec<f32> {
    let mut s = vec![0.0_f32; columns];
    for (row, &r) in a.chunks_exact(columns).zip(r) {
        for (sum, &a) in s.iter_mut().zip(row) {
            *sum = a.mul_add(r, *sum);
        }
    }
    s
}

/// A * p.
fn direct(columns: usize, a: &[f32], p: &[f32]) -> Vec<f32> {
    let dot = |row: &[f32]| row.iter().zip(p).fold(0.0_f32, |sum, (&a, &p)| a.mul_add(p, sum));
    a.chunks_exact(columns).map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_multiply() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(transposed(3, &a, &[1.0, 10.0]), [41.0, 52.0, 63.0]);
        assert_eq!(direct(3, &a, &[1.0, 10.0, 100.0]), [321.0, 654.0]);
    }
}
