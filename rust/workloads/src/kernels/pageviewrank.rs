//! Pages by their number of views, on a MapReduce of counting, prefix sums and a bitonic sort
//! (Mars: `PageViewRank`).
//!
//! The order is total, so the reference is exact: a sort on the CPU. What each pair of the directory points to is fixed by
//! the prefix sums.

mod log;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::Published;
use crate::random::SplitMix64;
use crate::script::{Id, Script};
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use log::Log;

const HOST: Host = Host { workload: "pageviewrank" };
/// Threads of a block, and pairs of a unit of the sort.
const BLOCK: usize = 256;
/// Elements of a block of the prefix sums.
const SECTION: usize = 256;

/// The workload.
struct PageViewRank;

inventory::submit! { Entry(&PageViewRank) }

/// Lines of the input, and how many of them a task takes at most.
struct Extent {
    lines: usize,
    per_task: usize,
}

fn extent(size: Size) -> Extent {
    let (lines, per_task) = match size {
        Size::Smoke => (300, 1),
        Size::Small => (1_800, 2),
        Size::Paper => (60_000, 4),
    };
    Extent { lines, per_task }
}

impl Workload for PageViewRank {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "MapReduce: pages sorted by views through a directory, bytes, prefix sums, divergent comparisons"
    }

    fn suite(&self) -> &'static str {
        "mars"
    }

    fn published(&self) -> &'static [Published] {
        &[]
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("pageviewrank")
    }

    fn size_text(&self, size: Size) -> String {
        let Extent { lines, per_task } = extent(size);
        format!("{lines} pages, {per_task} a task at most")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let Extent { lines, per_task } = extent(size);
        let log = Log::random(&mut SplitMix64::new(seed, 0), lines);
        let mut script = Script::new(HOST);
        let pairs = map(&mut script, &log, per_task);
        sort(&mut script, &pairs, lines);
        let groups = group(&mut script, &pairs, &log);
        script.judge(move |results| {
            let expected = log.expected(BLOCK, per_task);
            results.exact(pairs.keys, &expected.keys)?;
            results.exact(pairs.values, &expected.values)?;
            let filled = lines.next_power_of_two() - lines;
            let filling = [[-1, 0, 0, 0]].repeat(filled);
            let directory = [expected.directory, filling].concat();
            results.exact(pairs.directory, directory.as_flattened())?;
            results.exact(groups, &expected.groups)
        });
        Ok(Box::new(script))
    }
}

/// What the map emits.
#[derive(Clone, Copy)]
struct Pairs {
    directory: Id,
    keys: Id,
    values: Id,
}

/// Counts, makes places and emits.
fn map(script: &mut Script, log: &Log, per_task: usize) -> Pairs {
    let lines = log.len();
    let text = script.input("text", &log.text);
    let begins = script.input("lines", &log.begins);
    let blocks = lines.div_ceil(BLOCK * per_task);
    let tasks = blocks * BLOCK;
    let sizes = ["pairs of tasks", "key bytes of tasks", "value bytes of tasks"]
        .map(|name| script.output::<u32>(name, tasks));
    let plan = script.launch("pageviewrank_map_count", [blocks, 1, 1], [BLOCK, 1, 1]);
    plan.pointer(text).pointer(begins).u32(arg(lines)).u32(arg(per_task));
    for size in sizes {
        plan.pointer(size);
    }
    let places = sizes.map(|size| prefix_sums(script, size, tasks));
    let directory = script.output::<i32>("directory", 4 * lines.next_power_of_two());
    let keys = script.output::<u32>("keys", lines);
    let values = script.output::<u8>("values", log.address_bytes() + lines);
    let plan = script.launch("pageviewrank_map", [blocks, 1, 1], [BLOCK, 1, 1]);
    plan.pointer(text).pointer(begins).u32(arg(lines)).u32(arg(per_task));
    for place in places {
        plan.pointer(place);
    }
    plan.pointer(directory).pointer(keys).pointer(values);
    Pairs { directory, keys, values }
}

/// Sums of all elements before each.
fn prefix_sums(script: &mut Script, input: Id, elements: usize) -> Id {
    let sections = elements.div_ceil(SECTION);
    let sums = script.output::<u32>("sums", elements);
    let totals = script.output::<u32>("totals", sections);
    script
        .launch("pageviewrank_scan", [sections, 1, 1], [SECTION / 2, 1, 1])
        .pointer(sums)
        .pointer(totals)
        .pointer(input)
        .u32(arg(elements));
    if sections > 1 {
        let before = prefix_sums(script, totals, sections);
        script
            .launch("pageviewrank_add", [sections, 1, 1], [SECTION / 2, 1, 1])
            .pointer(sums)
            .pointer(before)
            .u32(arg(elements));
    }
    sums
}

/// Fills the directory up to a power of two and sorts it.
fn sort(script: &mut Script, pairs: &Pairs, lines: usize) {
    let n = lines.next_power_of_two();
    let blocks = [n / BLOCK, 1, 1];
    script
        .launch("pageviewrank_fill", [(n - lines).div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
        .pointer(pairs.directory)
        .u32(arg(lines))
        .u32(arg(n));
    let mut launch = |entry, numbers: &[usize]| {
        let plan = script.launch(entry, blocks, [BLOCK, 1, 1]);
        plan.pointer(pairs.directory).pointer(pairs.keys).pointer(pairs.values);
        for &number in numbers {
            plan.u32(arg(number));
        }
    };
    launch("pageviewrank_sort_units", &[]);
    let mut size = 2 * BLOCK;
    while size <= n {
        let mut stride = size / 2;
        while stride >= BLOCK {
            launch("pageviewrank_sort_step", &[size, stride]);
            stride /= 2;
        }
        launch("pageviewrank_sort_rest", &[size]);
        size *= 2;
    }
}

/// Finds the first pair of each number of views.
fn group(script: &mut Script, pairs: &Pairs, log: &Log) -> Id {
    let lines = log.len();
    let blocks = [lines.div_ceil(BLOCK), 1, 1];
    let marks = script.output::<u32>("marks", lines);
    script
        .launch("pageviewrank_mark", blocks, [BLOCK, 1, 1])
        .pointer(marks)
        .pointer(pairs.directory)
        .pointer(pairs.keys)
        .u32(arg(lines));
    let places = prefix_sums(script, marks, lines);
    let groups = script.output::<u32>("groups", log.distinct_views());
    script
        .launch("pageviewrank_groups", blocks, [BLOCK, 1, 1])
        .pointer(groups)
        .pointer(marks)
        .pointer(places)
        .u32(arg(lines));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fills_up_and_small_ones_have_several_sections() {
        for size in Size::ALL {
            let Extent { lines, per_task } = extent(size);
            assert!(!lines.is_power_of_two() && lines > SECTION, "{size}: {lines}");
            assert_ne!(lines % (BLOCK * per_task), 0, "{size}: the last block of the map is partial");
        }
    }
}
