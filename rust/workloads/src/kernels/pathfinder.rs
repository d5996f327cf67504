//! Cheapest paths through a grid, row by row (Rodinia: `pathfinder`).
//!
//! The reference is exact: it fills one whole row after the other, without stretches.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::input::{CostGrid, InputFile, take};
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "pathfinder" };
/// Threads of a block.
const BLOCK: usize = 256;

/// The workload.
struct Pathfinder;

inventory::submit! { Entry(&Pathfinder) }

/// Cells of the grid, and rows that a launch goes down, which is also what a stretch loses at either end.
#[derive(Debug, Clone, Copy)]
struct Grid {
    columns: usize,
    rows: usize,
    height: usize,
}

fn grid(size: Size) -> Grid {
    let (columns, rows, height) = match size {
        Size::Smoke => (1_700, 15, 6),
        Size::Small => (12_000, 41, 10),
        // As large as the footprint that the OSM paper gives.
        Size::Paper => (50_000, 100, 20),
    };
    Grid { columns, rows, height }
}

impl Workload for Pathfinder {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "dynamic programming on rows: shared memory, barriers, idle rims"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("pathfinder", "pathfinder/dynproc_kernel", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("pathfinder")
    }

    fn size_text(&self, size: Size) -> String {
        let g = grid(size);
        format!("{} columns, {} rows, {} a launch", g.columns, g.rows, g.height)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let g = grid(size);
        let mut random = SplitMix64::new(seed, 0);
        let first: Vec<u32> = (0..g.columns).map(|_| random.below(10)).collect();
        let wall: Vec<u32> = (0..g.columns * (g.rows - 1)).map(|_| random.below(10)).collect();
        Ok(Box::new(script(g, first, wall)))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["a grid of costs, a row a line"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        let costs = CostGrid::parse(file)?;
        let g = Grid { columns: costs.columns, rows: costs.rows(), ..grid(Size::Paper) };
        let (first, wall) = costs.cells.split_at(costs.columns);
        Ok(Box::new(script(g, first.to_vec(), wall.to_vec())))
    }
}

/// The launches down the grid from its first row; `wall` holds the others.
fn script(g: Grid, first: Vec<u32>, wall: Vec<u32>) -> Script {
    let mut script = Script::new(HOST);
    let device_wall = script.input("wall", &wall);
    let rows = [script.input("row 0", &first), script.output::<u32>("row 1", g.columns)];
    let mut done = 0;
    let mut from = 0;
    while done < g.rows - 1 {
        let steps = g.height.min(g.rows - 1 - done);
        let blocks = g.columns.div_ceil(BLOCK - 2 * g.height);
        script
            .launch("pathfinder", [blocks, 1, 1], [BLOCK, 1, 1])
            .u32(arg(steps))
            .pointer(device_wall)
            .pointer(rows[from])
            .pointer(rows[1 - from])
            .u32(arg(g.columns))
            .u32(arg(done))
            .u32(arg(g.height));
        done += steps;
        from = 1 - from;
    }
    script.judge(move |results| results.exact(rows[from], &reference(g.columns, &first, &wall)));
    script
}

/// Cost of the cheapest path to each cell of the last row; `wall` holds the rows after the first.
fn reference(columns: usize, first: &[u32], wall: &[u32]) -> Vec<u32> {
    wall.chunks_exact(columns).fold(first.to_vec(), |above, row| {
        let cheapest = |j: usize| {
            let near = j.saturating_sub(1)..(j + 2).min(columns);
            above[near].iter().min().copied().unwrap_or(0)
        };
        row.iter().enumerate().map(|(j, cost)| cost + cheapest(j)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_finds_the_cheapest_way_down() {
        assert_eq!(reference(3, &[5, 1, 9], &[1, 1, 1, 7, 0, 2]), [9, 2, 4]);
        assert_eq!(reference(1, &[4], &[3, 2]), [9]);
    }

    #[test]
    fn a_stretch_keeps_cells_of_its_own() {
        assert!(Size::ALL.into_iter().all(|s| 2 * grid(s).height < BLOCK));
    }
}
