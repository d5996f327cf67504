//! Quasirandom numbers and their normal quantiles (CUDA samples: `quasirandomGenerator`).
//!
//! The sequence is exact. The quantiles are compared with Moro's formula in double precision.

use super::digital::{BITS, directions};
use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{OPERANDS, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "quasirandom" };
const DIMENSIONS: usize = 3;
/// Bits of an index and of a number.
const INDEX_BITS: usize = 31;
/// Numbers that a block makes at once in each dimension.
const BLOCK: usize = 128;

const QUANTILE: Tolerance = Tolerance {
    absolute: 1e-6,
    relative: 2e-5,
    reason: "single precision in rational functions that lose up to four bits by cancellation, and logf",
};

/// The workload.
struct Quasirandom;

inventory::submit! { Entry(&Quasirandom) }

/// Numbers of a dimension, and blocks.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (500, 2),
        Size::Small => (12_000, 16),
        Size::Paper => (1_048_576, 128),
    }
}

impl Workload for Quasirandom {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "digital sequence from a table of constants, and normal quantiles"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("quasirandom_generate", "quasirandom/quasirandomGeneratorKernel", &[]),
                published(
                    "quasirandom_normal",
                    "quasirandom/inverseCNDKernel",
                    &[(Quantity::Registers, OPERANDS)],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("quasirandom")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} numbers in {DIMENSIONS} dimensions", extent(size).0)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (count, blocks) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let columns = columns(&mut random);
        let first = random.below(1 << 16);
        let mut script = Script::new(HOST);
        script.constant("columns", &columns);
        let numbers = script.output::<f32>("numbers", DIMENSIONS * count);
        let normal = script.output::<f32>("normal", DIMENSIONS * count);
        script
            .launch("quasirandom_generate", [blocks, 1, 1], [BLOCK, DIMENSIONS, 1])
            .pointer(numbers)
            .u32(first)
            .u32(arg(count));
        script
            .launch("quasirandom_normal", [blocks, 1, 1], [BLOCK, 1, 1])
            .pointer(normal)
            .pointer(numbers)
            .u32(arg(DIMENSIONS * count));
        script.judge(move |results| {
            let sequence = sequence(&columns, first, count);
            results.exact(numbers, &sequence)?;
            let quantiles: Vec<f32> = sequence.iter().map(|&p| quantile(f64::from(p)) as f32).collect();
            results.within(normal, &quantiles, &QUANTILE)
        });
        Ok(Box::new(script))
    }
}

/// Column i of the matrix of each dimension: a direction number without its lowest bit.
fn columns(random: &mut SplitMix64) -> Vec<u32> {
    let numbers = directions(DIMENSIONS, random);
    numbers.chunks_exact(BITS).flat_map(|d| d[..INDEX_BITS].iter().map(|v| v >> 1)).collect()
}

/// Numbers `first ..` of each dimension, in (0, 1].
fn sequence(columns: &[u32], first: u32, count: usize) -> Vec<f32> {
    let number = |dimension: &[u32], index: u32| {
        let selected = dimension.iter().enumerate().filter(|(i, _)| index >> i & 1 == 1);
        let value = selected.fold(0, |sum, (_, column)| sum ^ column);
        (value + 1) as f32 * (1.0 / 2_147_483_648.0)
    };
    let indices = || first..first + arg(count);
    columns
        .chunks_exact(INDEX_BITS)
        .flat_map(|d| indices().map(|i| number(d, i)).collect::<Vec<_>>())
        .collect()
}

/// Moro's approximation of the normal quantile (Moro: The full Monte, Risk 8(2), 1995).
pub(super) fn quantile(p: f64) -> f64 {
    const UP: [f64; 4] = [2.506_628_238_84, -18.615_000_625_2, 41.391_197_735_3, -25.441_060_496_3];
    const LOW: [f64; 5] = [1.0, -8.473_510_930_9, 23.083_367_437_4, -21.062_241_018_2, 3.130_829_098_33];
    const TAIL: [f64; 9] = [
        0.337_475_482_272_614_7,
        0.976_169_019_091_718_6,
        0.160_797_971_491_820_9,
        0.027_643_881_033_386_3,
        0.003_840_572_937_360_9,
        0.000_395_189_651_191_9,
        0.000_032_176_788_176_8,
        0.000_000_288_816_736_4,
        0.000_000_396_031_518_7,
    ];
    let horner = |coefficients: &[f64], x: f64| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    let y = p - 0.5;
    if y.abs() < 0.42 {
        return y * horner(&UP, y * y) / horner(&LOW, y * y);
    }
    let tail = if y > 0.0 { 1.0 - p } else { p };
    horner(&TAIL, (-tail.ln()).ln()).copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_tabulated_ones() {
        for (p, x) in [(0.5, 0.0), (0.975, 1.959_963_985), (0.841_344_746, 1.0), (0.001, -3.090_232_306)] {
            assert!((quantile(p) - x).abs() < 1e-6, "{p}");
            assert!((quantile(1.0 - p) + x).abs() < 1e-6, "{p}");
        }
    }

    #[test]
    fn the_first_dimension_reverses_the_bits_of_the_index() {
        let columns = columns(&mut SplitMix64::new(1, 0));
        let first = sequence(&columns, 0, 4);
        let unit = 1.0 / 2_147_483_648.0;
        assert_eq!(first[..4], [unit, 0.5, 0.25, 0.75]);
    }
}
