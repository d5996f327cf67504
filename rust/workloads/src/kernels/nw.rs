//! Global alignment of two sequences by Needleman and Wunsch (Rodinia: `nw`).
//!
//! The reference is exact: it fills the matrix row by row.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "nw" };
const TILE: usize = 16;
/// Cost of a gap.
const PENALTY: i32 = 10;

/// The workload.
struct NeedlemanWunsch;

inventory::submit! { Entry(&NeedlemanWunsch) }

/// Letters of a sequence, a multiple of the tile.
fn letters(size: Size) -> usize {
    match size {
        Size::Smoke => 96,
        Size::Small => 400,
        // As large as the footprint that the OSM paper gives.
        Size::Paper => 1024,
    }
}

impl Workload for NeedlemanWunsch {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "sequence alignment along anti-diagonals: blocks of half a warp, much shared memory"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("nw_upper", "nw/needle_cuda_shared_1", &[(Quantity::Registers, REORDERED)]),
                published("nw_lower", "nw/needle_cuda_shared_2", &[(Quantity::Registers, REORDERED)]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("nw")
    }

    fn size_text(&self, size: Size) -> String {
        let n = letters(size);
        format!("{n}x{n} letters, {} launches", 2 * (n / TILE) - 1)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = letters(size);
        let mut random = SplitMix64::new(seed, 0);
        let columns = n + 1;
        // One gain for each pair of letters, as a substitution matrix gives them: -4 to 11.
        let gains: Vec<i32> = (0..24 * 24).map(|_| random.below(16) as i32 - 4).collect();
        let [across, down] = [0, 1].map(|_| (0..n).map(|_| random.below(24) as usize).collect::<Vec<_>>());
        let mut similarity = vec![0_i32; columns * columns];
        for (y, &a) in down.iter().enumerate() {
            for (x, &b) in across.iter().enumerate() {
                similarity[(y + 1) * columns + x + 1] = gains[a * 24 + b];
            }
        }
        let border = border(columns);
        let mut script = Script::new(HOST);
        let device_similarity = script.input("similarity", &similarity);
        let score = script.input("score", &border);
        let tiles = n / TILE;
        for count in 1..=tiles {
            let plan = script.launch("nw_upper", [count, 1, 1], [TILE, 1, 1]);
            plan.pointer(device_similarity).pointer(score).u32(arg(columns)).u32(PENALTY.unsigned_abs());
            plan.u32(arg(count));
        }
        for count in (1..tiles).rev() {
            let plan = script.launch("nw_lower", [count, 1, 1], [TILE, 1, 1]);
            plan.pointer(device_similarity).pointer(score).u32(arg(columns)).u32(PENALTY.unsigned_abs());
            plan.u32(arg(count)).u32(arg(tiles));
        }
        script.judge(move |results| results.exact(score, &reference(columns, &similarity)));
        Ok(Box::new(script))
    }
}

/// The matrix with its first row and column: gaps only.
fn border(columns: usize) -> Vec<i32> {
    let mut score = vec![0_i32; columns * columns];
    let mut gap = 0;
    for i in 0..columns {
        score[i] = gap;
        score[i * columns] = gap;
        gap -= PENALTY;
    }
    score
}

fn reference(columns: usize, similarity: &[i32]) -> Vec<i32> {
    let mut score = border(columns);
    for y in 1..columns {
        for x in 1..columns {
            let at = y * columns + x;
            let matched = score[at - columns - 1] + similarity[at];
            score[at] = matched.max(score[at - 1] - PENALTY).max(score[at - columns] - PENALTY);
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_aligns_by_hand() {
        // Letters AB against AB: equal letters gain 5, others lose 4.
        let similarity = [0, 0, 0, 0, 5, -4, 0, -4, 5];
        assert_eq!(reference(3, &similarity), [0, -10, -20, -10, 5, -5, -20, -5, 10]);
    }
}
