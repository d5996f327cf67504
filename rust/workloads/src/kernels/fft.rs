//! Fourier transforms of 256 points each (Parboil: `fft`).
//!
//! The same transforms are made by a launch for each step and by one launch in shared memory. The
//! reference is the definition, in double precision.

use std::f64::consts::TAU;

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{OWN_SOURCE, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "fft" };
/// Points of a transform.
const POINTS: usize = 256;
/// Threads of a block.
const BLOCK: usize = POINTS / 2;

/// Step s of 8 joins values below 2^s * sqrt 2: their product with a factor that is off by 2^-20.5 in both
/// parts, and four roundings, add 2^s * 1.4 * 1.2e-6; what is there already at most doubles.
const SPECTRUM: Tolerance =
    Tolerance::absolute(1.8e-3, "cos.approx and sin.approx err by 2^-20.5 in each of eight steps");

/// The workload.
struct Fft;

inventory::submit! { Entry(&Fft) }

/// Transforms.
fn transforms(size: Size) -> usize {
    match size {
        Size::Smoke => 7,
        Size::Small => 80,
        Size::Paper => 8_192,
    }
}

impl Workload for Fft {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "radix-2 Fourier transforms: step by step in global memory, whole in shared memory"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("fft_global", "fft/GPU_FFT_Global", &[(Quantity::Registers, OWN_SOURCE)]),
                published("fft_shared", "fft/GPU_FftShMem", &[(Quantity::Registers, OWN_SOURCE)]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("fft")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} transforms of {POINTS} points, twice", transforms(size))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let count = transforms(size);
        let points = matrix(&mut SplitMix64::new(seed, 0), 2 * POINTS * count);
        let mut script = Script::new(HOST);
        let shared = script.input("in shared memory", &points);
        let steps = [script.input("steps 0", &points), script.output::<f32>("steps 1", points.len())];
        let mut length = 1;
        let mut from = 0;
        while length < POINTS {
            let plan = script.launch("fft_global", [count, 1, 1], [BLOCK, 1, 1]);
            plan.u32(arg(length)).pointer(steps[from]).pointer(steps[1 - from]);
            from = 1 - from;
            length *= 2;
        }
        script.launch("fft_shared", [count, 1, 1], [BLOCK, 1, 1]).pointer(shared);
        script.judge(move |results| {
            let expected: Vec<f32> = points.chunks_exact(2 * POINTS).flat_map(transform).collect();
            results.within(steps[from], &expected, &SPECTRUM)?;
            results.within(shared, &expected, &SPECTRUM)
        });
        Ok(Box::new(script))
    }
}

/// By definition, of interleaved real and imaginary parts.
fn transform(points: &[f32]) -> Vec<f32> {
    let n = points.len() / 2;
    let root = |k: usize| (-TAU * k as f64 / n as f64).sin_cos();
    let roots: Vec<(f64, f64)> = (0..n).map(root).collect();
    let mut spectrum = Vec::with_capacity(points.len());
    for k in 0..n {
        let mut sum = (0.0, 0.0);
        for (j, point) in points.chunks_exact(2).enumerate() {
            let (re, im) = (f64::from(point[0]), f64::from(point[1]));
            let (sin, cos) = roots[j * k % n];
            sum = (sum.0 + re * cos - im * sin, sum.1 + re * sin + im * cos);
        }
        spectrum.extend([sum.0 as f32, sum.1 as f32]);
    }
    spectrum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_of_a_constant_and_of_an_impulse() {
        for (points, spectrum) in
            [([1.0, 0.0, 1.0, 0.0], [2.0, 0.0, 0.0, 0.0]), ([0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0])]
        {
            let got = transform(&points);
            assert!(got.iter().zip(spectrum).all(|(g, s): (&f32, f32)| (g - s).abs() < 1e-12), "{got:?}");
        }
    }

    #[test]
    fn a_transform_keeps_the_energy() {
        let points = matrix(&mut SplitMix64::new(1, 0), 2 * POINTS);
        let energy = |v: &[f32]| v.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>();
        let ratio = energy(&transform(&points)) / energy(&points) / POINTS as f64;
        assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
    }
}
