//! European call options by simulation (CUDA samples: `MonteCarlo` of SDK 4.2).
//!
//! The same options are priced with a block each and with several blocks each. The reference uses the
//! same quantiles in double precision.

use super::quasirandom::quantile;
use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "montecarlo" };
/// Threads of a block.
const BLOCK: usize = 256;
/// Blocks that share an option.
const PARTS: usize = 4;
const RISK_FREE: f64 = 0.06;
const VOLATILITY: f64 = 0.10;

const SAMPLE: Tolerance = Tolerance {
    absolute: 2e-6,
    relative: 2e-5,
    reason: "single precision in rational functions that lose up to four bits by cancellation, and logf",
};

/// A path errs by ex2.approx (2 ulp), by its argument (a sample within 2e-5 of up to 5 times a spread of at
/// most 0.32) and by rounding; sums of up to 1024 + 16 positive terms round once each. The squares double it.
const MOMENTS: Tolerance = Tolerance {
    absolute: 1e-3,
    relative: 3e-4,
    reason: "ex2.approx of samples that are themselves approximate, and long sums of positive terms",
};

/// Why the samples have more registers than the suite's.
const LOGARITHMS: &str = "our source takes logarithms to the full precision of a float, where the suite takes the \
     approximate instruction: with that Heddle takes 17";

/// The workload.
struct MonteCarlo;

inventory::submit! { Entry(&MonteCarlo) }

/// Options and paths.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (3, 3_000),
        Size::Small => (10, 20_000),
        Size::Paper => (256, 262_144),
    }
}

impl Workload for MonteCarlo {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "option prices by simulation: exponentials and sums, reduced in shared memory"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published(
                    "montecarlo_samples",
                    "montecarlo-sdk42/inverseCNDKernel",
                    &[(Quantity::Registers, LOGARITHMS)],
                ),
                published("montecarlo_option", "montecarlo-sdk42/MonteCarloOneBlockPerOption", &[]),
                published("montecarlo_parts", "montecarlo-sdk42/MonteCarloKernel", &[]),
                published(
                    "montecarlo_reduce",
                    "montecarlo-sdk42/MonteCarloReduce",
                    &[(Quantity::Registers, REORDERED)],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("montecarlo")
    }

    fn size_text(&self, size: Size) -> String {
        let (options, paths) = extent(size);
        format!("{options} options, {paths} paths, twice")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (count, paths) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let options: Vec<[f32; 4]> = (0..count).map(|_| option(&mut random)).collect();
        let mut script = Script::new(HOST);
        let device_options = script.input("options", &options.concat());
        let samples = script.output::<f32>("samples", paths);
        let parts = script.output::<f32>("parts", 2 * count * PARTS * BLOCK);
        let alone = script.output::<f32>("one block an option", 2 * count);
        let together = script.output::<f32>("several blocks an option", 2 * count);
        let threads = [BLOCK, 1, 1];
        script.launch("montecarlo_samples", [8, 1, 1], threads).pointer(samples).u32(arg(paths));
        for (entry, grid, results) in
            [("montecarlo_option", [count, 1, 1], alone), ("montecarlo_parts", [PARTS, count, 1], parts)]
        {
            let plan = script.launch(entry, grid, threads);
            plan.pointer(results).pointer(device_options).pointer(samples).u32(arg(paths));
        }
        script
            .launch("montecarlo_reduce", [count, 1, 1], threads)
            .pointer(together)
            .pointer(parts)
            .u32(arg(PARTS * BLOCK));
        script.judge(move |results| {
            // The source fixes the bits of the probability, to which the tails are sensitive.
            let probability = |i: usize| (i as f32 + 0.5) * (1.0 / paths as f32);
            let normal: Vec<f64> = (0..paths).map(|i| quantile(f64::from(probability(i)))).collect();
            results.within(samples, &normal.iter().map(|&x| x as f32).collect::<Vec<_>>(), &SAMPLE)?;
            let expected: Vec<f32> = options.iter().flat_map(|&o| moments(o, &normal)).collect();
            results.within(alone, &expected, &MOMENTS)?;
            results.within(together, &expected, &MOMENTS)
        });
        Ok(Box::new(script))
    }
}

/// Price and strike of the share, drift and spread of the logarithm of its price.
fn option(random: &mut SplitMix64) -> [f32; 4] {
    let (spot, strike) = (random.f32_in(5.0, 50.0), random.f32_in(10.0, 25.0));
    let years = f64::from(random.f32_in(1.0, 5.0));
    let drift = (RISK_FREE - 0.5 * VOLATILITY * VOLATILITY) * years;
    [spot, strike, drift as f32, (VOLATILITY * years.sqrt()) as f32]
}

/// Sum of the payoffs and of their squares.
fn moments(option: [f32; 4], normal: &[f64]) -> [f32; 2] {
    let [spot, strike, drift, spread] = option.map(f64::from);
    let payoff = |x: &f64| (spot * (drift + spread * x).exp() - strike).max(0.0);
    let (sum, squares) =
        normal.iter().map(payoff).fold((0.0, 0.0), |(sum, squares), p| (sum + p, squares + p * p));
    [sum as f32, squares as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        assert_eq!(moments([10.0, 8.0, 0.0, 0.0], &[1.0, 2.0, -3.0]), [6.0, 12.0]);
        assert_eq!(moments([10.0, 12.0, 0.0, 0.0], &[1.0]), [0.0, 0.0]);
    }

    #[test]
    fn the_price_is_that_of_black_and_scholes() {
        // Spot 42, strike 40, 10 % a year, volatility 20 %, half a year: 4.76 (Hull, chapter 15).
        let (drift, spread) = ((0.1 - 0.02) * 0.5, 0.2 * 0.5_f64.sqrt());
        let normal: Vec<f64> = (0..40_000).map(|i| quantile((f64::from(i) + 0.5) / 40_000.0)).collect();
        let [sum, _] = moments([42.0, 40.0, drift as f32, spread as f32], &normal);
        let price = f64::from(sum) / 40_000.0 * (-0.05_f64).exp();
        assert!((price - 4.76).abs() < 0.005, "{price}");
    }
}
