//! Gridding of samples of the frequency space (Parboil: `mri-gridding`).
//!
//! The reference is exact: the sort is stable and the source fixes every rounding, so each cell adds the
//! same numbers in the same order. No bin has more samples than it takes: which of them would be left to
//! the host depends on the order of atomic operations.

mod reference;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::pinned::Pinned;
use crate::published::{Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::{Id, Script};
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use reference::{Sample, Window, bin, gather};

const HOST: Host = Host { workload: "mri-gridding" };
/// Threads of a block that bins, sums or reorders.
const THREADS: usize = 512;
/// Threads of a block of the sort.
const SORT_THREADS: usize = 256;
/// Elements of a block of the sort and of the sums.
const TILE: usize = 1024;
/// Bits that a pass of the sort looks at, and the values of so many bits.
const DIGIT_BITS: u32 = 4;
const DIGITS: usize = 16;
/// Most threads of a block that sums the sums of tiles.
const TREE_THREADS: usize = 128;
/// Samples that a bin takes.
const ROOM: usize = 1024;
/// Threads of a block that fills cells, and the cells that it fills.
const GRID_BLOCK: [usize; 3] = [8, 4, 2];
const GRID_TILE: [usize; 3] = [8, 4, 8];

/// The workload.
struct MriGridding;

inventory::submit! { Entry(&MriGridding) }

inventory::submit! {
    Entry(&Pinned {
        name: "mri-gridding-racetrack",
        title: "mri-gridding with the registers per thread of the racetrack paper",
        base: &MriGridding,
        rows: &[published("mri_gridding_split", "racetrack/mri-gridding", &[])],
    })
}

/// Cells, samples, the window's radius, and percent of the samples that hold nothing.
#[derive(Debug, Clone, Copy)]
struct Extent {
    cells: [usize; 3],
    samples: usize,
    cutoff: f32,
    blank: u32,
}

impl Extent {
    fn bins(&self) -> usize {
        self.cells.iter().product()
    }
}

fn extent(size: Size) -> Extent {
    let (cells, samples, cutoff, blank) = match size {
        Size::Smoke => ([16, 4, 8], 530, 1.5, 66),
        Size::Small => ([16, 8, 16], 1_100, 2.5, 50),
        Size::Paper => ([64, 64, 64], 262_144, 2.5, 10),
    };
    Extent { cells, samples, cutoff, blank }
}

const SAME_AS_PTXAS: &str =
    "ptxas takes as many registers for our source as for the suite's; ours needs fewer";
/// Why the sums between blocks have shared memory where the published rows have none.
const DYNAMIC: &str =
    "its words are dynamic shared memory, which the compiler does not count and a launch does";

impl Workload for MriGridding {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "samples gathered into a grid: radix sort, sums, batches in shared memory, divergent windows"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("mri_gridding_bin", "mri-gridding/binning_kernel", &[]),
                published("mri_gridding_split", "mri-gridding/splitSort", &[]),
                published("mri_gridding_rearrange", "mri-gridding/splitRearrange", &[]),
                published("mri_gridding_scan", "mri-gridding/scan_L1_kernel", &[]),
                published(
                    "mri_gridding_scan_up",
                    "mri-gridding/scan_inter1_kernel",
                    &[(Quantity::Registers, SAME_AS_PTXAS), (Quantity::Shared, DYNAMIC)],
                ),
                published(
                    "mri_gridding_scan_down",
                    "mri-gridding/scan_inter2_kernel",
                    &[(Quantity::Shared, DYNAMIC)],
                ),
                published(
                    "mri_gridding_scan_add",
                    "mri-gridding/uniformAdd",
                    &[(Quantity::Shared, "ptxas rounds the four bytes of the variable up to sixteen")],
                ),
                published(
                    "mri_gridding_reorder",
                    "mri-gridding/reorder_kernel",
                    &[(Quantity::Registers, SAME_AS_PTXAS)],
                ),
                published("mri_gridding", "mri-gridding/gridding_GPU", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("mri-gridding")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        let [x, y, z] = e.cells;
        format!("{} samples, {x}x{y}x{z} cells, window of {} cells", e.samples, 2.0 * e.cutoff)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let samples = samples(e, &mut SplitMix64::new(seed, 0));
        let window = Window::new(e.cutoff);
        let (n, bins) = (e.samples, e.bins());
        let mut script = Script::new(HOST);
        let [x, y, z] = e.cells.map(arg);
        script.constant("grid", &[[x, y, z].as_slice(), &window.words()].concat());
        let device_samples = script.input("samples", &samples.concat());
        let unsorted = ["keys", "values"].map(|name| script.output::<u32>(name, n));
        let starts = script.input("starts", &vec![0_u32; bins + 1]);
        script
            .launch("mri_gridding_bin", [n.div_ceil(THREADS), 1, 1], [THREADS, 1, 1])
            .u32(arg(n))
            .pointer(device_samples)
            .pointer(unsorted[0])
            .pointer(unsorted[1])
            .pointer(starts)
            .u32(arg(ROOM))
            .u32(arg(bins));
        let [keys, order] = sort(&mut script, unsorted, n, bins);
        let data = script.output::<f32>("data", 2 * n);
        let places = script.output::<f32>("places", 4 * n);
        script
            .launch("mri_gridding_reorder", [n.div_ceil(THREADS), 1, 1], [THREADS, 1, 1])
            .u32(arg(n))
            .pointer(order)
            .pointer(device_samples)
            .pointer(data)
            .pointer(places);
        sums(&mut script, starts, bins + 1);
        let values = script.output::<f32>("values", 2 * bins);
        let density = script.output::<f32>("density", bins);
        let tiles = [0, 1, 2].map(|axis| e.cells[axis] / GRID_TILE[axis]);
        script
            .launch("mri_gridding", [tiles[0], tiles[1] * tiles[2], 1], GRID_BLOCK)
            .pointer(data)
            .pointer(places)
            .pointer(starts)
            .pointer(values)
            .pointer(density);
        script.judge(move |results| {
            let bin_of: Vec<u32> = samples.iter().map(|s| bin(s, e.cells)).collect();
            let mut sorted: Vec<u32> = (0..arg(n)).collect();
            sorted.sort_by_key(|&i| bin_of[i as usize]);
            let first = |bin: u32| arg(sorted.partition_point(|&i| bin_of[i as usize] < bin));
            let ordered: Vec<Sample> = sorted.iter().map(|&i| samples[i as usize]).collect();
            results.exact(keys, &sorted.iter().map(|&i| bin_of[i as usize]).collect::<Vec<_>>())?;
            results.exact(order, &sorted)?;
            results.exact(starts, &(0..=arg(bins)).map(first).collect::<Vec<_>>())?;
            results.exact(data, &ordered.iter().flat_map(|s| [s[0], s[1]]).collect::<Vec<_>>())?;
            results
                .exact(places, &ordered.iter().flat_map(|s| [s[2], s[3], s[4], s[5]]).collect::<Vec<_>>())?;
            let filled = gather(&ordered, e.cells, &window);
            results.exact(values, &filled.iter().flat_map(|c| [c[0], c[1]]).collect::<Vec<_>>())?;
            results.exact(density, &filled.iter().map(|c| c[2]).collect::<Vec<_>>())
        });
        Ok(Box::new(script))
    }
}

/// Sorts keys up to `largest` with their values; returns the buffers that have them in order.
fn sort(script: &mut Script, unsorted: [Id; 2], n: usize, largest: usize) -> [Id; 2] {
    let tiles = n.div_ceil(TILE);
    let (grid, block) = ([tiles, 1, 1], [SORT_THREADS, 1, 1]);
    let mut from = unsorted;
    let mut to = ["keys 1", "values 1"].map(|name| script.output::<u32>(name, n));
    for shift in (0..arg(largest).ilog2() + 1).step_by(DIGIT_BITS as usize) {
        let counts = script.output::<u32>("counts of digits", DIGITS * tiles);
        script
            .launch("mri_gridding_split", grid, block)
            .u32(arg(n))
            .u32(shift)
            .pointer(from[0])
            .pointer(from[1])
            .pointer(counts);
        sums(script, counts, DIGITS * tiles);
        script
            .launch("mri_gridding_rearrange", grid, block)
            .u32(arg(n))
            .u32(shift)
            .pointer(from[0])
            .pointer(to[0])
            .pointer(from[1])
            .pointer(to[1])
            .pointer(counts);
        (from, to) = (to, from);
    }
    from
}

/// Replaces each element of `data` by the sum of those before it.
fn sums(script: &mut Script, data: Id, elements: usize) {
    let tiles = elements.div_ceil(TILE);
    let count = tiles.next_power_of_two().max(2);
    let sums = script.input("sums of tiles", &vec![0_u32; count]);
    let (grid, block) = ([tiles, 1, 1], [THREADS, 1, 1]);
    script.launch("mri_gridding_scan", grid, block).u32(arg(elements)).pointer(data).pointer(sums);
    let mut levels = Vec::new();
    let (mut distance, mut pairs) = (1, count / 2);
    while pairs > 0 {
        let threads = pairs.min(TREE_THREADS);
        levels.push((distance, threads, pairs / threads));
        distance *= 2 * threads;
        pairs /= 2 * threads;
    }
    // One word more after every 16.
    let shared = |threads: usize| 4 * arg(2 * threads + (2 * threads - 1) / 16);
    for &(distance, threads, blocks) in &levels {
        let plan = script.launch("mri_gridding_scan_up", [blocks, 1, 1], [threads, 1, 1]);
        plan.shared(shared(threads)).pointer(sums).u32(arg(distance));
    }
    for (level, &(distance, threads, blocks)) in levels.iter().enumerate().rev() {
        let plan = script.launch("mri_gridding_scan_down", [blocks, 1, 1], [threads, 1, 1]);
        plan.shared(shared(threads))
            .pointer(sums)
            .u32(arg(distance))
            .u32(u32::from(level + 1 == levels.len()));
    }
    script.launch("mri_gridding_scan_add", grid, block).u32(arg(elements)).pointer(data).pointer(sums);
}

/// Samples in the ellipsoid of the grid, denser and larger towards the middle; of the blank ones half have
/// no value and half no weight.
fn samples(e: Extent, random: &mut SplitMix64) -> Vec<Sample> {
    let mut one = || {
        let (direction, length) = loop {
            let p = [0; 3].map(|_| random.f32_in(-1.0, 1.0));
            let square: f32 = p.iter().map(|v| v * v).sum();
            if (0.01..1.0).contains(&square) {
                break (p, square.sqrt());
            }
        };
        let radius = random.f32_in(0.0, 1.0).sqrt();
        let place =
            |axis: usize| 0.5 * e.cells[axis] as f32 * (1.0 + 0.999 * radius * direction[axis] / length);
        let size = 1.0 - 0.9 * radius;
        let mut sample = [
            size * random.f32_in(-1.0, 1.0),
            size * random.f32_in(-1.0, 1.0),
            place(0),
            place(1),
            place(2),
            radius,
        ];
        match random.below(200) {
            b if b < e.blank => sample[..2].fill(0.0),
            b if b < 2 * e.blank => sample[5] = 0.0,
            _ => {}
        }
        sample
    };
    (0..e.samples).map(|_| one()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bin_is_ever_full_and_every_sample_has_one() {
        for size in Size::ALL {
            let e = extent(size);
            let mut counts = vec![0; e.bins()];
            for sample in samples(e, &mut SplitMix64::new(1, 0)) {
                counts[bin(&sample, e.cells) as usize] += 1;
            }
            let fullest = counts.iter().max().copied().unwrap_or_default();
            assert!(fullest > 1 && fullest <= ROOM, "{size}: {fullest}");
        }
    }
}
