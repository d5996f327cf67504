//! Sobol's sequence, one block a dimension and part (CUDA samples: `SobolQRNG`).
//!
//! The reference is exact: number i is the sum modulo 2 of the direction numbers that the Gray code of i
//! selects, for each i on its own.

use super::digital::{BITS, directions};
use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{OWN_SOURCE, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "sobolqrng" };
/// Threads of a block.
const BLOCK: usize = 64;

/// The workload.
struct SobolQrng;

inventory::submit! { Entry(&SobolQrng) }

/// Vectors, dimensions, and blocks a dimension, a power of two.
#[derive(Debug, Clone, Copy)]
struct Extent {
    vectors: usize,
    dimensions: usize,
    blocks: usize,
}

fn extent(size: Size) -> Extent {
    let (vectors, dimensions, blocks) = match size {
        Size::Smoke => (1_000, 12, 4),
        Size::Small => (12_000, 50, 16),
        Size::Paper => (100_000, 100, 16),
    };
    Extent { vectors, dimensions, blocks }
}

impl Workload for SobolQrng {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "Sobol's sequence: tiny blocks, direction numbers in shared memory"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("sobolqrng", "sobolqrng/sobolGPU_kernel", &[(Quantity::Registers, OWN_SOURCE)])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("sobolqrng")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{} vectors in {} dimensions", e.vectors, e.dimensions)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let numbers = directions(e.dimensions, &mut SplitMix64::new(seed, 0));
        let mut script = Script::new(HOST);
        let device_directions = script.input("directions", &numbers);
        let out = script.output::<f32>("sequence", e.vectors * e.dimensions);
        script
            .launch("sobolqrng", [e.blocks, e.dimensions, 1], [BLOCK, 1, 1])
            .u32(arg(e.vectors))
            .pointer(device_directions)
            .pointer(out);
        script.judge(move |results| results.exact(out, &reference(&numbers, e.vectors)));
        Ok(Box::new(script))
    }
}

fn reference(directions: &[u32], vectors: usize) -> Vec<f32> {
    let number = |dimension: &[u32], index: u32| {
        let gray = index ^ index >> 1;
        let selected = dimension.iter().enumerate().filter(|(k, _)| gray >> k & 1 == 1);
        selected.fold(0, |x, (_, v)| x ^ v) as f32 * (1.0 / 4_294_967_296.0)
    };
    directions
        .chunks_exact(BITS)
        .flat_map(|d| (0..arg(vectors)).map(|i| number(d, i)).collect::<Vec<_>>())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_dimension_is_the_known_one() {
        let numbers = directions(1, &mut SplitMix64::new(1, 0));
        assert_eq!(reference(&numbers, 8), [0.0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125]);
    }
}
