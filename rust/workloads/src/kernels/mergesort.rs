//! Merge sort of pairs of key and value (CUDA samples: `mergeSort`).
//!
//! The sort is stable, so the reference is exact for values too.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::integers;
use crate::published::{Published, Quantity, TEXT_ORDER, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "mergesort" };
/// Pairs that a block sorts in shared memory.
const STRETCH: usize = 1024;
/// Keys between two samples, and threads of a block that merges an interval.
const SAMPLE: usize = 128;
/// Threads of a block of the kernels on samples.
const BLOCK: usize = 256;

/// The workload.
struct MergeSort;

inventory::submit! { Entry(&MergeSort) }

/// Pairs, a power of two above the stretch.
fn pairs(size: Size) -> usize {
    match size {
        Size::Smoke => 1 << 11,
        Size::Small => 1 << 14,
        Size::Paper => 1 << 22,
    }
}

impl Workload for MergeSort {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "merge sort: binary searches in shared memory, intervals cut by samples"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published(
                    "mergesort_shared",
                    "mergesort/mergeSortSharedKernel",
                    &[(Quantity::Registers, TEXT_ORDER)],
                ),
                published("mergesort_sample_ranks", "mergesort/generateSampleRanksKernel", &[]),
                published("mergesort_merge_ranks", "mergesort/mergeRanksAndIndicesKernel", &[]),
                published("mergesort_intervals", "mergesort/mergeElementaryIntervalsKernel", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("mergesort")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} pairs", pairs(size))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = pairs(size);
        // Fewer keys than pairs, so that equal ones show whether the sort is stable.
        let keys = integers(&mut SplitMix64::new(seed, 0), n, 65_536);
        let values: Vec<u32> = (0..arg(n)).collect();
        let mut script = Script::new(HOST);
        let from = [script.input("keys", &keys), script.input("values", &values)];
        let sides = [["keys 0", "values 0"], ["keys 1", "values 1"]]
            .map(|names| names.map(|name| script.output::<u32>(name, n)));
        let [ranks_a, ranks_b, limits_a, limits_b] =
            ["ranks a", "ranks b", "limits a", "limits b"].map(|name| script.output::<u32>(name, n / SAMPLE));

        let mut now = 0;
        let plan = script.launch("mergesort_shared", [n / STRETCH, 1, 1], [STRETCH / 2, 1, 1]);
        plan.pointer(sides[now][0]).pointer(sides[now][1]).pointer(from[0]).pointer(from[1]);
        let mut stride = STRETCH;
        while stride < n {
            let threads = n / (2 * SAMPLE);
            let blocks = [threads.div_ceil(BLOCK), 1, 1];
            let plan = script.launch("mergesort_sample_ranks", blocks, [BLOCK, 1, 1]);
            plan.pointer(ranks_a).pointer(ranks_b).pointer(sides[now][0]);
            plan.u32(arg(stride)).u32(arg(n)).u32(arg(threads));
            for (limits, ranks) in [(limits_a, ranks_a), (limits_b, ranks_b)] {
                let plan = script.launch("mergesort_merge_ranks", blocks, [BLOCK, 1, 1]);
                plan.pointer(limits).pointer(ranks);
                plan.u32(arg(stride)).u32(arg(n)).u32(arg(threads));
            }
            let plan = script.launch("mergesort_intervals", [n / SAMPLE, 1, 1], [SAMPLE, 1, 1]);
            for buffer in [sides[1 - now], sides[now], [limits_a, limits_b]].as_flattened() {
                plan.pointer(*buffer);
            }
            plan.u32(arg(stride)).u32(arg(n));
            now = 1 - now;
            stride *= 2;
        }
        script.judge(move |results| {
            let mut order = values.clone();
            order.sort_by_key(|&i| keys[i as usize]);
            let sorted: Vec<u32> = order.iter().map(|&i| keys[i as usize]).collect();
            results.exact(sides[now][0], &sorted)?;
            results.exact(sides[now][1], &order)
        });
        Ok(Box::new(script))
    }
}
