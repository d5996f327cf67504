//! Ways to place queens on a board (GPGPU-Sim's ISPASS 2009 suite: `NQU`).
//!
//! The host fills the first rows in all ways up to reflection; threads go on from there. The reference
//! counts by recursion, without reflection.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::permutation;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "nqueens" };
/// Threads of a block.
const BLOCK: usize = 96;

/// The workload.
struct NQueens;

inventory::submit! { Entry(&NQueens) }

/// Columns of the board, and rows that the host fills.
fn extent(size: Size) -> (u32, u32) {
    match size {
        Size::Smoke => (9, 4),
        Size::Small => (11, 5),
        // As many starts as bring an SM near the footprint that the OSM paper gives.
        Size::Paper => (14, 6),
    }
}

impl Workload for NQueens {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "backtracking on stacks in shared memory: deep divergence, few threads"
    }

    fn suite(&self) -> &'static str {
        "ispass2009"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("nqueens", "nqueens/solve_nqueen_cuda_kernel", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("nqueens")
    }

    fn size_text(&self, size: Size) -> String {
        let (columns, filled) = extent(size);
        format!("{columns} queens, {} starts of {filled} rows", starts(columns, filled).len())
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (columns, filled) = extent(size);
        let ordered = starts(columns, filled);
        // The order of the starts is the input's only freedom: it says which threads share a warp.
        let order = permutation(&mut SplitMix64::new(seed, 0), arg(ordered.len()));
        let starts: Vec<Start> = order.iter().map(|&i| ordered[i as usize]).collect();
        let blocks = starts.len().div_ceil(BLOCK);
        let mut script = Script::new(HOST);
        let fields: [fn(&Start) -> u32; 4] = [|s| s.taken, |s| s.left, |s| s.right, |s| s.weight];
        let inputs = ["taken", "left", "right", "weights"];
        let inputs: Vec<_> = inputs
            .into_iter()
            .zip(fields)
            .map(|(name, field)| script.input(name, &starts.iter().map(field).collect::<Vec<_>>()))
            .collect();
        let solutions = script.output::<u32>("solutions", blocks);
        let plan = script.launch("nqueens", [blocks, 1, 1], [BLOCK, 1, 1]);
        plan.u32(columns).u32(columns - filled);
        for input in inputs {
            plan.pointer(input);
        }
        plan.pointer(solutions).u32(arg(starts.len()));
        script.judge(move |results| {
            let all = (1 << columns) - 1;
            let count = |s: &Start| s.weight * completions(all, s.taken, s.left, s.right);
            let blocks: Vec<u32> = starts.chunks(BLOCK).map(|block| block.iter().map(count).sum()).collect();
            let total = completions(all, 0, 0, 0);
            let wrong = (blocks.iter().sum::<u32>() != total).then(|| {
                format!(
                    "adds up to {} solutions; without reflection there are {total}",
                    blocks.iter().sum::<u32>()
                )
            });
            results.property(solutions, 1, wrong)?;
            results.exact(solutions, &blocks)
        });
        Ok(Box::new(script))
    }
}

/// A board with its first rows filled: columns and diagonals that are taken in the next row, and how many
/// boards it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Start {
    taken: u32,
    left: u32,
    right: u32,
    weight: u32,
}

/// All boards of `filled` rows whose first queen stands in the right half or the middle.
fn starts(columns: u32, filled: u32) -> Vec<Start> {
    let all = (1 << columns) - 1;
    let mut boards = Vec::new();
    for column in 0..columns.div_ceil(2) {
        let queen = 1 << column;
        let weight = if 2 * column + 1 == columns { 1 } else { 2 };
        boards.push(Start { taken: queen, left: queen << 1, right: queen >> 1, weight });
    }
    for _ in 1..filled {
        let place = |board: &Start| {
            let (board, free) = (*board, all & !(board.taken | board.left | board.right));
            (0..columns).map(|c| 1 << c).filter(move |queen| free & queen != 0).map(move |queen| Start {
                taken: board.taken | queen,
                left: (board.left | queen) << 1,
                right: (board.right | queen) >> 1,
                weight: board.weight,
            })
        };
        boards = boards.iter().flat_map(place).collect();
    }
    boards
}

/// Ways to fill the rows that are left.
fn completions(all: u32, taken: u32, left: u32, right: u32) -> u32 {
    if taken == all {
        return 1;
    }
    let mut free = all & !(taken | left | right);
    let mut count = 0;
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        count += completions(all, taken | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_the_known_ones() {
        let known = [(1, 1), (2, 0), (3, 0), (4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)];
        for (columns, count) in known {
            assert_eq!(completions((1 << columns) - 1, 0, 0, 0), count, "{columns}");
        }
    }

    #[test]
    fn reflected_starts_stand_for_all_boards() {
        for (columns, filled) in [(6, 2), (7, 3), (8, 1)] {
            let all = (1 << columns) - 1;
            let count = |s: &Start| s.weight * completions(all, s.taken, s.left, s.right);
            let sum: u32 = starts(columns, filled).iter().map(count).sum();
            assert_eq!(sum, completions(all, 0, 0, 0));
        }
    }
}
