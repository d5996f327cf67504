//! Many small Mersenne twisters and the Box-Muller transformation (CUDA samples: `MersenneTwister`).
//!
//! Each thread runs a twister of 19 words with a matrix and masks of its own. The sample takes these from
//! a table made by dynamic creation, which guarantees the period; here they are random, which is the
//! same work. The uniform numbers are exact, the normal ones are compared with double precision.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "mersennetwister" };
/// Threads of a block.
const BLOCK: usize = 128;
const STATE: usize = 19;
const MIDDLE: usize = 9;

const NORMAL: Tolerance = Tolerance {
    absolute: 2e-5,
    relative: 1e-5,
    reason: "sin.approx and cos.approx err by 2^-20.5 in an angle, times a radius below 7, and logf",
};

/// The workload.
struct MersenneTwister;

inventory::submit! { Entry(&MersenneTwister) }

/// Blocks, and numbers of a thread, which are even.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (2, 22),
        Size::Small => (8, 80),
        Size::Paper => (32, 5_860),
    }
}

impl Workload for MersenneTwister {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "a Mersenne twister a thread with its state in local memory; Box-Muller"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    /// The suites at hand no longer have this sample.
    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("mersennetwister")
    }

    fn size_text(&self, size: Size) -> String {
        let (blocks, count) = extent(size);
        format!("{} twisters, {count} numbers each", blocks * BLOCK)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (blocks, count) = extent(size);
        let threads = blocks * BLOCK;
        let mut random = SplitMix64::new(seed, 0);
        let twisters: Vec<Twister> =
            (0..threads).map(|_| std::array::from_fn(|_| random.next_u32())).collect();
        let mut script = Script::new(HOST);
        let table = script.input("twisters", &twisters.concat());
        let out = script.output::<f32>("numbers", threads * count);
        for (entry, with_table) in [("mersennetwister_generate", true), ("mersennetwister_normal", false)] {
            let plan = script.launch(entry, [blocks, 1, 1], [BLOCK, 1, 1]).pointer(out);
            if with_table {
                plan.pointer(table);
            }
            plan.u32(arg(count));
        }
        script.judge(move |results| {
            let mut expected = vec![0.0_f32; threads * count];
            for (thread, &twister) in twisters.iter().enumerate() {
                let uniform = uniform(twister, count);
                for (pair, numbers) in uniform.chunks_exact(2).enumerate() {
                    let normal = box_muller(numbers[0], numbers[1]);
                    for (k, value) in normal.into_iter().enumerate() {
                        expected[thread + (2 * pair + k) * threads] = value as f32;
                    }
                }
            }
            results.within(out, &expected, &NORMAL)
        });
        Ok(Box::new(script))
    }
}

/// Matrix, two masks, seed.
type Twister = [u32; 4];

/// The first `count` numbers of a twister, in (0, 1].
fn uniform([matrix, mask_b, mask_c, seed]: Twister, count: usize) -> Vec<f32> {
    let mut words = vec![seed];
    for i in 1..STATE {
        let last = words[i - 1];
        words.push((last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(arg(i)));
    }
    for i in 0..count {
        let mixed = words[i] & !1 | words[i + 1] & 1;
        words.push(words[i + MIDDLE] ^ mixed >> 1 ^ if mixed & 1 == 1 { matrix } else { 0 });
    }
    let temper = |mut x: u32| {
        x ^= x >> 12;
        x ^= x << 7 & mask_b;
        x ^= x << 15 & mask_c;
        x ^ x >> 18
    };
    words[STATE..].iter().map(|&x| (temper(x) as f32 + 1.0) * (1.0 / 4_294_967_296.0)).collect()
}

/// Two normally distributed numbers of two uniform ones.
fn box_muller(a: f32, b: f32) -> [f64; 2] {
    let radius = (-2.0 * f64::from(a).ln()).sqrt();
    let angle = std::f64::consts::TAU * f64::from(b);
    [radius * angle.cos(), radius * angle.sin()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twister_without_matrix_and_masks_by_hand() {
        let first = uniform([0, 0, 0, 1], 1);
        // word[i + 19] = word[i + 9] ^ mixed >> 1, tempered by shifts alone.
        let mut words = vec![1_u32];
        for i in 1..10 {
            let last: u32 = words[i - 1];
            words.push((last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(i as u32));
        }
        let mut x = words[9] ^ (words[0] & !1 | words[1] & 1) >> 1;
        x ^= x >> 12;
        x ^= x >> 18;
        assert_eq!(first, [(x as f32 + 1.0) / 4_294_967_296.0]);
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut random = SplitMix64::new(1, 0);
        let numbers: Vec<f64> = (0..200)
            .flat_map(|_| {
                let twister = std::array::from_fn(|_| random.next_u32());
                let u = uniform(twister, 100);
                u.chunks_exact(2).flat_map(|p| box_muller(p[0], p[1])).collect::<Vec<_>>()
            })
            .collect();
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let variance = numbers.iter().map(|x| x * x).sum::<f64>() / numbers.len() as f64;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.1, "{mean} {variance}");
    }
}
