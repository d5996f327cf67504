//! Symmetric rank-k update (PolyBench/GPU: `syrk`).
//!
//! The reference is exact, as that of `gemm`.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "syrk" };
/// Threads of a block in x and y.
const BLOCK: [usize; 3] = [32, 8, 1];
const ALPHA: f32 = 12_435.0;
const BETA: f32 = 4_546.0;

/// The workload.
struct Syrk;

inventory::submit! { Entry(&Syrk) }

/// Order of C, and the sum's length.
fn shape(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (52, 36),
        Size::Small => (124, 112),
        Size::Paper => (1024, 1024),
    }
}

impl Workload for Syrk {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "symmetric rank-k update: every lane walks along a row of its own"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("syrk", "syrk/syrk_kernel", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("syrk")
    }

    fn size_text(&self, size: Size) -> String {
        let (order, inner) = shape(size);
        format!("{order}x{inner} * {inner}x{order}")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (order, inner) = shape(size);
        let mut random = SplitMix64::new(seed, 0);
        let a = matrix(&mut random, order * inner);
        let c = matrix(&mut random, order * order);
        let mut script = Script::new(HOST);
        let device_a = script.input("a", &a);
        let device_c = script.input("c", &c);
        script
            .launch("syrk", [order.div_ceil(BLOCK[0]), order.div_ceil(BLOCK[1]), 1], BLOCK)
            .u32(arg(order))
            .u32(arg(inner))
            .f32(ALPHA)
            .f32(BETA)
            .pointer(device_a)
            .pointer(device_c);
        script.judge(move |results| results.exact(device_c, &reference(order, inner, &a, &c)));
        Ok(Box::new(script))
    }
}

fn reference(order: usize, inner: usize, a: &[f32], c: &[f32]) -> Vec<f32> {
    let row = |i: usize| &a[i * inner..(i + 1) * inner];
    (0..order * order)
        .map(|at| {
            let (i, j) = (at / order, at % order);
            let products = row(i).iter().zip(row(j));
            products.fold(c[at] * BETA, |sum, (&x, &y)| (ALPHA * x).mul_add(y, sum))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_multiplies_by_the_transpose() {
        let c = reference(2, 2, &[1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, 0.0, 0.0]);
        assert_eq!(c, [5.0 * ALPHA, 11.0 * ALPHA + BETA, 11.0 * ALPHA, 25.0 * ALPHA]);
    }
}
