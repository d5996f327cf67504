//! Scalar products of many pairs of vectors (CUDA samples: `scalarProd`).
//!
//! The reference is exact: 1024 partial sums of fused multiply-adds, each ascending, added by halving.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "scalarprod" };
/// Threads of a block.
const BLOCK: usize = 256;
/// Partial sums of a product.
const SUMS: usize = 1024;

/// The workload.
struct ScalarProd;

inventory::submit! { Entry(&ScalarProd) }

/// Pairs of vectors, elements of a vector, and blocks.
fn extent(size: Size) -> (usize, usize, usize) {
    match size {
        Size::Smoke => (7, 2_500, 3),
        Size::Small => (60, 4_096, 16),
        Size::Paper => (256, 4_096, 128),
    }
}

impl Workload for ScalarProd {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "many scalar products: streaming, then a tree in shared memory"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("scalarprod", "scalarprod/scalarProdGPU", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("scalarprod")
    }

    fn size_text(&self, size: Size) -> String {
        let (vectors, elements, _) = extent(size);
        format!("{vectors} pairs of {elements} elements")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (vectors, elements, blocks) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let [a, b] = [0, 1].map(|_| matrix(&mut random, vectors * elements));
        let mut script = Script::new(HOST);
        let device_a = script.input("a", &a);
        let device_b = script.input("b", &b);
        let products = script.output::<f32>("products", vectors);
        script
            .launch("scalarprod", [blocks, 1, 1], [BLOCK, 1, 1])
            .pointer(products)
            .pointer(device_a)
            .pointer(device_b)
            .u32(arg(vectors))
            .u32(arg(elements));
        script.judge(move |results| {
            let pairs = a.chunks_exact(elements).zip(b.chunks_exact(elements));
            results.exact(products, &pairs.map(|(a, b)| product(a, b)).collect::<Vec<_>>())
        });
        Ok(Box::new(script))
    }
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = vec![0.0_f32; SUMS];
    for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
        sums[i % SUMS] = a.mul_add(b, sums[i % SUMS]);
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        for (sum, other) in sums.iter_mut().zip(upper) {
            *sum += other;
        }
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_multiplies_and_adds() {
        assert_eq!(product(&[1.0, 2.0, 3.0], &[4.0, -5.0, 6.0]), 12.0);
        // 1500 ones: every partial sum is exact.
        assert_eq!(product(&[1.0; 1500], &[2.0; 1500]), 3000.0);
    }
}
