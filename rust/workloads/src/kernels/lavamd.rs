//! Forces between particles in neighbouring boxes (Rodinia: `lavaMD`).
//!
//! All is in double precision. The order of every sum is fixed, so only the exponential keeps the
//! reference from being exact.

use super::{arg, ptx};
use crate::buffers::{Host, to_bytes};
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "lavamd" };
/// Threads of a block.
const BLOCK: usize = 128;
/// Particles of a box.
const PARTICLES: usize = 100;
/// Neighbours that a box has room for.
const NEIGHBOURS: usize = 26;
const ALPHA: f64 = 0.5;

/// A sum has at most 27 * 100 = 2,700 terms. Each errs by an ulp in `exp` here and there (CUDA C++ Programming
/// Guide, double-precision functions) and by an addition, 2^-53 of the sum of the terms' sizes; a term is below
/// 2 e^1.4 < 8.2. So: 2 * 2,700 * 2^-53 of the result where all terms are positive, and of 2,700 * 8.2 else.
const SUMS: Tolerance = Tolerance {
    absolute: 1.4e-8,
    relative: 6.1e-13,
    reason: "exp errs by one ulp, which changes how up to 2,700 additions round",
};

/// The workload.
struct LavaMd;

inventory::submit! { Entry(&LavaMd) }

/// Boxes along x, y and z.
fn extent(size: Size) -> [usize; 3] {
    match size {
        Size::Smoke => [2, 1, 1],
        Size::Small => [3, 2, 1],
        // One more than the suite's default along each side: nearer to the footprint of the OSM paper.
        Size::Paper => [11, 11, 11],
    }
}

impl Workload for LavaMd {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "forces between particles of neighbouring boxes: doubles, boxes in shared memory"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("lavamd", "lavamd/kernel_gpu_cuda", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("lavamd")
    }

    fn size_text(&self, size: Size) -> String {
        let [x, y, z] = extent(size);
        format!("{x}x{y}x{z} boxes of {PARTICLES} particles")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let boxes = boxes(extent(size));
        let particles = boxes.len() * PARTICLES;
        let mut random = SplitMix64::new(seed, 0);
        // One of ten values each, as in the suite's own inputs.
        let mut tenths =
            |n: usize| -> Vec<f64> { (0..n).map(|_| f64::from(1 + random.below(10)) / 10.0).collect() };
        let (places, charges) = (tenths(4 * particles), tenths(particles));
        let mut script = Script::new(HOST);
        let device_boxes = script.input("boxes", &boxes.iter().flat_map(HomeBox::bytes).collect::<Vec<_>>());
        let device_places = script.input("places", &places);
        let device_charges = script.input("charges", &charges);
        let forces = script.input("forces", &vec![0.0_f64; 4 * particles]);
        script
            .launch("lavamd", [boxes.len(), 1, 1], [BLOCK, 1, 1])
            .f64(ALPHA)
            .u32(arg(boxes.len()))
            .pointer(device_boxes)
            .pointer(device_places)
            .pointer(device_charges)
            .pointer(forces);
        script.judge(move |results| {
            let expected: Vec<f64> = (0..particles)
                .flat_map(|i| force(i, &boxes[i / PARTICLES].around, &places, &charges))
                .collect();
            results.within(forces, &expected, &SUMS)
        });
        Ok(Box::new(script))
    }
}

/// A box: numbers and places of itself, which comes first, and of the boxes around it.
struct HomeBox {
    around: Vec<(usize, [usize; 3])>,
}

impl HomeBox {
    /// The record of the device: place, number, first particle, neighbours and how many these are.
    fn bytes(&self) -> Vec<u8> {
        let record = |&(number, place): &(usize, [usize; 3])| {
            let [x, y, z] = place.map(arg);
            let mut bytes = to_bytes(&[x, y, z, arg(number)]);
            bytes.extend(to_bytes(&[(number * PARTICLES) as u64]));
            bytes
        };
        let mut bytes: Vec<u8> = self.around.first().map(record).unwrap_or_default();
        bytes.extend(to_bytes(&[arg(self.around.len() - 1), 0]));
        bytes.extend(self.around.iter().skip(1).flat_map(record));
        bytes.resize(bytes.len() + (1 + NEIGHBOURS - self.around.len()) * 24, 0);
        bytes
    }
}

/// All boxes, x fastest, each with those that touch it.
fn boxes([x, y, z]: [usize; 3]) -> Vec<HomeBox> {
    let number = |[i, j, k]: [usize; 3]| (k * y + j) * x + i;
    let near = |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
    let mut boxes = Vec::with_capacity(x * y * z);
    for at in 0..x * y * z {
        let place = [at % x, at / x % y, at / x / y];
        let mut around = vec![(at, place)];
        for k in near(place[2], z) {
            for j in near(place[1], y) {
                around.extend(near(place[0], x).map(|i| (number([i, j, k]), [i, j, k])));
            }
        }
        let itself = around.iter().rposition(|&(n, _)| n == at).unwrap_or_default();
        around.remove(itself);
        boxes.push(HomeBox { around });
    }
    boxes
}

/// Potential and force of particle `i` by those of the boxes `around`.
///
/// `places` holds four numbers a particle: half its square of distance from the origin, and its place.
fn force(i: usize, around: &[(usize, [usize; 3])], places: &[f64], charges: &[f64]) -> [f64; 4] {
    let own = &places[4 * i..4 * i + 4];
    let mut sums = [0.0; 4];
    for &(number, _) in around {
        let members = number * PARTICLES..(number + 1) * PARTICLES;
        for (place, charge) in places[4 * members.start..].chunks_exact(4).zip(&charges[members]) {
            let dot = own[1] * place[1] + own[2] * place[2] + own[3] * place[3];
            let potential = (-(2.0 * ALPHA * ALPHA * (own[0] + place[0] - dot))).exp();
            sums[0] += charge * potential;
            for (sum, (a, b)) in sums[1..].iter_mut().zip(own[1..].iter().zip(&place[1..])) {
                *sum += charge * (2.0 * potential * (a - b));
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_know_those_that_touch_them() {
        let boxes = boxes([3, 3, 3]);
        let counts: Vec<usize> = boxes.iter().map(|b| b.around.len()).collect();
        // A corner, an edge, a face, the middle.
        assert_eq!((counts[0], counts[1], counts[4], counts[13]), (8, 12, 18, 27));
        let of_corner: Vec<usize> = boxes[0].around.iter().map(|&(n, _)| n).collect();
        assert_eq!(of_corner, [0, 1, 3, 4, 9, 10, 12, 13]);
        assert!(boxes.iter().all(|b| b.bytes().len() == 656));
    }

    #[test]
    fn forces_by_hand_and_of_pairs() {
        // All particles but three are without charge: at (1, 0, 0) with 0.5, at (0, 2, 0) with 1, and the
        // particle itself at the origin with 0.25.
        let mut places = vec![0.0; 4 * PARTICLES];
        let mut charges = vec![0.0; PARTICLES];
        places[4..8].copy_from_slice(&[0.5, 1.0, 0.0, 0.0]);
        places[8..12].copy_from_slice(&[2.0, 0.0, 2.0, 0.0]);
        charges[..3].copy_from_slice(&[0.25, 0.5, 1.0]);
        let around = [(0, [0; 3])];
        // 2 alpha^2 = 0.5; the exponents are 0, -0.25 and -1.
        let [near, far] = [(-0.25_f64).exp(), (-1.0_f64).exp()];
        let sums = force(0, &around, &places, &charges);
        assert_eq!(sums, [0.25 + 0.5 * near + far, -0.5 * (2.0 * near), -2.0 * (2.0 * far), 0.0]);
        // What one does to the other is what the other does to it, turned round, for equal charges.
        charges[1] = 0.25;
        charges[2] = 0.0;
        let (a, b) = (force(0, &around, &places, &charges), force(1, &around, &places, &charges));
        assert_eq!((a[1], a[2]), (-b[1], b[2]));
    }
}
