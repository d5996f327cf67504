//! European call options on a binomial tree (CUDA samples: `binomialOptions`).
//!
//! The reference is the same tree in double precision.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "binomialoptions" };
/// Threads of a block.
const BLOCK: usize = 128;
const RISK_FREE: f64 = 0.06;
const VOLATILITY: f64 = 0.10;

/// A level rounds twice and all terms are positive: 2048 * 2 * 2^-24. Payoffs at the end err by the error of
/// expf, 2 ulp, and of its argument, up to 5 * 2^-24, relative to prices whose mean is at most 30.
const PRICE: Tolerance = Tolerance {
    absolute: 2e-5,
    relative: 2.5e-4,
    reason: "two roundings a level of the tree, and expf at its leaves",
};

/// The workload.
struct BinomialOptions;

inventory::submit! { Entry(&BinomialOptions) }

/// Options, and steps of the tree, at most 2048.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (3, 70),
        Size::Small => (6, 400),
        Size::Paper => (1024, 2048),
    }
}

/// An option: price and strike of the share, and years.
#[derive(Debug, Clone, Copy)]
struct Contract {
    spot: f32,
    strike: f32,
    years: f32,
}

impl Workload for BinomialOptions {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "binomial trees: sixteen values a thread in registers, neighbours through shared memory"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("binomialoptions", "binomialoptions/binomialOptionsKernel", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("binomialoptions")
    }

    fn size_text(&self, size: Size) -> String {
        let (options, steps) = extent(size);
        format!("{options} options, {steps} steps")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (count, steps) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let options: Vec<[f32; 5]> = (0..count)
            .map(|_| {
                let contract = Contract {
                    spot: random.f32_in(5.0, 30.0),
                    strike: random.f32_in(1.0, 100.0).min(40.0),
                    years: random.f32_in(0.25, 10.0),
                };
                parameters(contract, steps)
            })
            .collect();
        let mut script = Script::new(HOST);
        let device_options = script.input("options", &options.concat());
        let prices = script.output::<f32>("prices", count);
        script
            .launch("binomialoptions", [count, 1, 1], [BLOCK, 1, 1])
            .pointer(device_options)
            .pointer(prices)
            .u32(arg(steps));
        script.judge(move |results| {
            let expected: Vec<f32> = options.iter().map(|&o| price(o, steps) as f32).collect();
            results.within(prices, &expected, &PRICE)
        });
        Ok(Box::new(script))
    }
}

/// Price and strike of the share, the logarithm of a step up, and the discounted probabilities of up and
/// down (Cox, Ross, Rubinstein).
fn parameters(contract: Contract, steps: usize) -> [f32; 5] {
    let dt = f64::from(contract.years) / steps as f64;
    let step = VOLATILITY * dt.sqrt();
    let growth = (RISK_FREE * dt).exp();
    let up = (growth - (-step).exp()) / (step.exp() - (-step).exp());
    [contract.spot, contract.strike, step as f32, (up / growth) as f32, ((1.0 - up) / growth) as f32]
}

fn price(option: [f32; 5], steps: usize) -> f64 {
    let [spot, strike, step, up, down] = option.map(f64::from);
    let payoff = |node: usize| (spot * (step * (2.0 * node as f64 - steps as f64)).exp() - strike).max(0.0);
    let mut level: Vec<f64> = (0..=steps).map(payoff).collect();
    while level.len() > 1 {
        level = level.windows(2).map(|pair| up * pair[1] + down * pair[0]).collect();
    }
    level[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_of_one_step_by_hand() {
        assert_eq!(price([10.0, 9.0, 0.0, 0.25, 0.5], 1), 0.75);
    }

    #[test]
    fn deep_in_the_money_the_price_is_spot_less_discounted_strike() {
        let contract = Contract { spot: 30.0, strike: 1.0, years: 2.0 };
        let got = price(parameters(contract, 300), 300);
        assert!((got - (30.0 - (-RISK_FREE * 2.0).exp())).abs() < 1e-4, "{got}");
    }
}
