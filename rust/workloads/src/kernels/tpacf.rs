//! Two-point angular correlation (Parboil: `tpacf`).
//!
//! The reference is exact: the source fixes the bits of every dot product, so every pair has one bin.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "tpacf" };
/// Threads of a block.
const BLOCK: usize = 256;
const BINS: usize = 20;

/// The workload.
struct Tpacf;

inventory::submit! { Entry(&Tpacf) }

/// Random sets, and points of a set.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (1, 110),
        Size::Small => (1, 330),
        // More and smaller sets than the suite's: an SM comes near the footprint that the OSM paper gives.
        Size::Paper => (500, 600),
    }
}

impl Workload for Tpacf {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "angles between pairs of points: bisection, atomics in shared memory"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("tpacf", "tpacf/gen_hists", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("tpacf")
    }

    fn size_text(&self, size: Size) -> String {
        let (sets, points) = extent(size);
        format!("{points} points, {sets} random sets")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (sets, points) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let all: Vec<[f32; 3]> = (0..(sets + 1) * points).map(|_| direction(&mut random)).collect();
        let edges = edges();
        let blocks = 2 * sets + 1;
        let mut script = Script::new(HOST);
        script.constant("edges", &edges);
        let [x, y, z] = [("x", 0), ("y", 1), ("z", 2)]
            .map(|(name, axis)| script.input(name, &all.iter().map(|p| p[axis]).collect::<Vec<_>>()));
        let histograms = script.output::<u32>("histograms", blocks * BINS);
        script
            .launch("tpacf", [blocks, 1, 1], [BLOCK, 1, 1])
            .pointer(histograms)
            .pointer(x)
            .pointer(y)
            .pointer(z)
            .u32(arg(sets))
            .u32(arg(points));
        script.judge(move |results| {
            let set = |s: usize| &all[s * points..(s + 1) * points];
            let own = (0..=sets).map(|s| autocorrelation(set(s), &edges));
            let cross = (1..=sets).map(|s| correlation(set(s), set(0), &edges));
            results.exact(histograms, &own.chain(cross).flatten().collect::<Vec<_>>())
        });
        Ok(Box::new(script))
    }
}

/// A point on the sphere; three of four lie near one of a few places, as galaxies do.
fn direction(random: &mut SplitMix64) -> [f32; 3] {
    let mut center = [0.0; 3];
    if random.below(4) > 0 {
        let corner = random.below(6);
        center[(corner / 2) as usize] = if corner.is_multiple_of(2) { 6.0 } else { -6.0 };
    }
    loop {
        let p = center.map(|c: f64| c + f64::from(random.f32_in(-1.0, 1.0)));
        let length = p.iter().map(|v| v * v).sum::<f64>().sqrt();
        if length > 0.1 {
            return p.map(|v| (v / length) as f32);
        }
    }
}

/// Cosines of the edges: five bins a decade from one minute of arc on.
fn edges() -> [f32; BINS + 1] {
    std::array::from_fn(|k| {
        let minutes = 10.0_f64.powf(k as f64 / 5.0);
        (minutes / 60.0).to_radians().cos() as f32
    })
}

fn count(histogram: &mut [u32; BINS], a: &[f32; 3], b: &[f32; 3], edges: &[f32; BINS + 1]) {
    let cosine = a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]));
    // The first edge that is not above.
    let above = edges.iter().take_while(|&&edge| cosine < edge).count();
    if let Some(bin) = above.checked_sub(1).and_then(|bin| histogram.get_mut(bin)) {
        *bin += 1;
    }
}

/// Pairs of a set with itself, each once.
fn autocorrelation(set: &[[f32; 3]], edges: &[f32; BINS + 1]) -> [u32; BINS] {
    let mut histogram = [0; BINS];
    for (j, a) in set.iter().enumerate() {
        for b in &set[..j] {
            count(&mut histogram, a, b, edges);
        }
    }
    histogram
}

/// Pairs of one point of each set: the kernel takes the second set's point first.
fn correlation(tile: &[[f32; 3]], other: &[[f32; 3]], edges: &[f32; BINS + 1]) -> [u32; BINS] {
    let mut histogram = [0; BINS];
    for a in other {
        for b in tile {
            count(&mut histogram, a, b, edges);
        }
    }
    histogram
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_fall_into_their_bins() {
        let at = |minutes: f64| {
            let angle = (minutes / 60.0).to_radians();
            [angle.cos() as f32, angle.sin() as f32, 0.0]
        };
        let x = [1.0, 0.0, 0.0];
        // 5 minutes: 10^0.6 = 3.98 to 10^0.8 = 6.3, bin 3. 3000 minutes: 10^3.4 to 10^3.6, bin 17.
        let set = [x, at(5.0), at(3000.0)];
        let histogram = correlation(&set[1..], &set[..1], &edges());
        assert_eq!((histogram[3], histogram[17], histogram.iter().sum::<u32>()), (1, 1, 2));
        // The points themselves are nearer than the first edge, opposite ones beyond the last.
        assert_eq!(correlation(&[x, [-1.0, 0.0, 0.0]], &[x], &edges()), [0; BINS]);
        assert_eq!(autocorrelation(&set, &edges()).iter().sum::<u32>(), 3);
    }
}
