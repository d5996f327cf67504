//! LU decomposition in tiles (Rodinia: `lud`).
//!
//! The reference is exact. Inside the tiles of the diagonal and the perimeter every product is taken off
//! by a fused multiply-add, k ascending; an inner tile first sums the sixteen products of a step and
//! then subtracts the sum. The reference does the same element by element.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "lud" };
const TILE: usize = 16;

/// The workload.
struct Lud;

inventory::submit! { Entry(&Lud) }

/// Order of the matrix, a multiple of the tile.
fn order(size: Size) -> usize {
    match size {
        Size::Smoke => 64,
        Size::Small => 160,
        // The larger matrix of the suite: nearer to the footprint of the OSM paper than its default.
        Size::Paper => 512,
    }
}

impl Workload for Lud {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "LU decomposition in tiles: three kernels, two of them of one warp a block"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("lud_diagonal", "lud/lud_diagonal", &[(Quantity::Registers, REORDERED)]),
                published("lud_perimeter", "lud/lud_perimeter", &[]),
                published("lud_internal", "lud/lud_internal", &[(Quantity::Registers, REORDERED)]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("lud")
    }

    fn size_text(&self, size: Size) -> String {
        let n = order(size);
        format!("{n}x{n}, {} launches", 3 * (n / TILE) - 2)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = order(size);
        let mut a = matrix(&mut SplitMix64::new(seed, 0), n * n);
        for i in 0..n {
            a[i * n + i] += 16.0;
        }
        let mut script = Script::new(HOST);
        let m = script.input("m", &a);
        let mut launch = |entry: &'static str, grid: [usize; 3], block: [usize; 3], offset: usize| {
            script.launch(entry, grid, block).pointer(m).u32(arg(n)).u32(arg(offset));
        };
        for offset in (0..n).step_by(TILE) {
            launch("lud_diagonal", [1, 1, 1], [TILE, 1, 1], offset);
            let rest = (n - offset) / TILE - 1;
            if rest > 0 {
                launch("lud_perimeter", [rest, 1, 1], [2 * TILE, 1, 1], offset);
                launch("lud_internal", [rest, rest, 1], [TILE, TILE, 1], offset);
            }
        }
        script.judge(move |results| results.exact(m, &reference(n, &a)));
        Ok(Box::new(script))
    }
}

/// The factors in one matrix: L below the diagonal, U on and above it.
fn reference(n: usize, a: &[f32]) -> Vec<f32> {
    let mut m = a.to_vec();
    for i in 0..n {
        for j in 0..n {
            // Products of whole tiles before the tile of min(i, j), then those inside it.
            let inner = i.min(j);
            let tiles = inner / TILE * TILE;
            let mut value = m[i * n + j];
            for first in (0..tiles).step_by(TILE) {
                let product = |sum: f32, k: usize| m[i * n + k].mul_add(m[k * n + j], sum);
                value -= (first..first + TILE).fold(0.0, product);
            }
            for k in tiles..inner {
                value = (-m[i * n + k]).mul_add(m[k * n + j], value);
            }
            m[i * n + j] = if i > j { value / m[j * n + j] } else { value };
        }
    }
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_decomposes_by_hand() {
        let m = reference(3, &[2.0, 1.0, 1.0, 4.0, 4.0, 3.0, 8.0, 7.0, 9.0]);
        assert_eq!(m, [2.0, 1.0, 1.0, 2.0, 2.0, 1.0, 4.0, 1.5, 3.5]);
    }

    #[test]
    fn factors_multiply_back() {
        let n = 3 * TILE;
        let mut a = matrix(&mut SplitMix64::new(2, 0), n * n);
        for i in 0..n {
            a[i * n + i] += 16.0;
        }
        let m = reference(n, &a);
        for i in 0..n {
            for j in 0..n {
                let l = |k: usize| if k == i { 1.0 } else { m[i * n + k] };
                let product: f32 = (0..=i.min(j)).map(|k| l(k) * m[k * n + j]).sum();
                assert!((product - a[i * n + j]).abs() < 1e-4, "{i} {j}");
            }
        }
    }
}
