//! Batcher's sorting networks on pairs of key and value (CUDA samples: `sortingNetworks`).
//!
//! Both networks sort the same pairs. Keys must be the sorted keys, bit for bit; values must be a
//! permutation that takes each key to its place, for equal keys may come in any order.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, TEXT_ORDER, published};
use crate::random::SplitMix64;
use crate::script::{Id, Script};
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "sortingnetworks" };
/// Pairs that a block sorts in shared memory.
const STRETCH: usize = 1024;
/// Pairs of an array in the launch that sorts many short ones.
const SHORT: usize = 16;
/// Threads of a block on global memory.
const BLOCK: usize = 256;

/// Why the sorts in shared memory have more registers than the suite's.
const INDICES: &str = "our source indexes all arrays by two 32-bit indices where the suite advances its pointers once. With \
     pointers ptxas takes 16 in place of 22 for our source, and Heddle 24: as many are live at once in the order of the text";

/// The workload.
struct SortingNetworks;

inventory::submit! { Entry(&SortingNetworks) }

/// Pairs, a power of two above the stretch.
fn pairs(size: Size) -> usize {
    match size {
        Size::Smoke => 1 << 11,
        Size::Small => 1 << 13,
        Size::Paper => 1 << 20,
    }
}

impl Workload for SortingNetworks {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "bitonic and odd-even merge sort: comparators in shared and global memory"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published(
                    "bitonic_sort",
                    "sortingnetworks/bitonicSortShared",
                    &[(Quantity::Registers, INDICES)],
                ),
                published(
                    "bitonic_stretches",
                    "sortingnetworks/bitonicSortShared1",
                    &[(Quantity::Registers, TEXT_ORDER)],
                ),
                published(
                    "bitonic_global",
                    "sortingnetworks/bitonicMergeGlobal",
                    &[(Quantity::Registers, REORDERED)],
                ),
                published("bitonic_merge", "sortingnetworks/bitonicMergeShared", &[]),
                published(
                    "oddeven_sort",
                    "sortingnetworks/oddEvenMergeSortShared",
                    &[(Quantity::Registers, INDICES)],
                ),
                published(
                    "oddeven_global",
                    "sortingnetworks/oddEvenMergeGlobal",
                    &[(Quantity::Registers, REORDERED)],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("sortingnetworks")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} pairs, sorted twice", pairs(size))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = pairs(size);
        let mut random = SplitMix64::new(seed, 0);
        // Fewer keys than pairs, so that there are equal ones.
        let keys: Vec<u32> = (0..n).map(|_| random.below(65_536)).collect();
        let values: Vec<u32> = (0..arg(n)).collect();
        let mut script = Script::new(HOST);
        let from = [script.input("keys", &keys), script.input("values", &values)];
        let bitonic = ["bitonic keys", "bitonic values"].map(|name| script.output::<u32>(name, n));
        let oddeven = ["odd-even keys", "odd-even values"].map(|name| script.output::<u32>(name, n));
        let short = ["short keys", "short values"].map(|name| script.output::<u32>(name, STRETCH));
        let plan = script.launch("bitonic_sort", [1, 1, 1], [STRETCH / 2, 1, 1]);
        plan.pointer(short[0]).pointer(short[1]).pointer(from[0]).pointer(from[1]).u32(arg(SHORT)).u32(0);
        sort_bitonic(&mut script, from, bitonic, n);
        sort_oddeven(&mut script, from, oddeven, n);
        script.judge(move |results| {
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            for [to_keys, to_values] in [bitonic, oddeven] {
                results.exact(to_keys, &sorted)?;
                let places = results.read(to_values)?;
                results.property(to_values, n as u64, misplaced(&keys, &sorted, &places))?;
            }
            // Arrays of their own, in descending order.
            let mut sorted = keys[..STRETCH].to_vec();
            for array in sorted.chunks_exact_mut(SHORT) {
                array.sort_unstable_by(|a, b| b.cmp(a));
            }
            results.exact(short[0], &sorted)?;
            let places = results.read(short[1])?;
            results.property(short[1], STRETCH as u64, misplaced(&keys[..STRETCH], &sorted, &places))
        });
        Ok(Box::new(script))
    }
}

fn stretches(script: &mut Script, entry: &'static str, from: [Id; 2], to: [Id; 2], n: usize) {
    let plan = script.launch(entry, [n / STRETCH, 1, 1], [STRETCH / 2, 1, 1]);
    plan.pointer(to[0]).pointer(to[1]).pointer(from[0]).pointer(from[1]);
    if entry == "oddeven_sort" {
        plan.u32(arg(STRETCH)).u32(1);
    }
}

fn sort_bitonic(script: &mut Script, from: [Id; 2], to: [Id; 2], n: usize) {
    stretches(script, "bitonic_stretches", from, to, n);
    let mut size = 2 * STRETCH;
    while size <= n {
        let mut stride = size / 2;
        while stride >= STRETCH {
            let plan = script.launch("bitonic_global", [n / 2 / BLOCK, 1, 1], [BLOCK, 1, 1]);
            plan.pointer(to[0]).pointer(to[1]).u32(arg(n)).u32(arg(size)).u32(arg(stride)).u32(1);
            stride /= 2;
        }
        let plan = script.launch("bitonic_merge", [n / STRETCH, 1, 1], [STRETCH / 2, 1, 1]);
        plan.pointer(to[0]).pointer(to[1]).u32(arg(n)).u32(arg(size)).u32(1);
        size *= 2;
    }
}

fn sort_oddeven(script: &mut Script, from: [Id; 2], to: [Id; 2], n: usize) {
    stretches(script, "oddeven_sort", from, to, n);
    let mut size = 2 * STRETCH;
    while size <= n {
        let mut stride = size / 2;
        while stride > 0 {
            let plan = script.launch("oddeven_global", [n / 2 / BLOCK, 1, 1], [BLOCK, 1, 1]);
            plan.pointer(to[0]).pointer(to[1]).u32(arg(size)).u32(arg(stride)).u32(1);
            stride /= 2;
        }
        size *= 2;
    }
}

/// What is wrong with the values: value i must name the place where key i came from, each place once.
fn misplaced(keys: &[u32], sorted: &[u32], places: &[u32]) -> Option<String> {
    let mut seen = vec![false; keys.len()];
    for (i, &place) in places.iter().enumerate() {
        let from = place as usize;
        match seen.get_mut(from) {
            Some(seen) if !*seen && keys[from] == sorted[i] => *seen = true,
            Some(true) => return Some(format!("holds {place} twice, again at {i}")),
            _ => return Some(format!("holds {place} at {i}, which is not the place of its key")),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_must_be_places_of_their_keys() {
        let (keys, sorted) = ([7, 3, 7], [3, 7, 7]);
        assert_eq!(misplaced(&keys, &sorted, &[1, 0, 2]), None);
        assert_eq!(misplaced(&keys, &sorted, &[1, 2, 0]), None);
        assert!(misplaced(&keys, &sorted, &[1, 2, 2]).is_some_and(|m| m.contains("twice")));
        assert!(misplaced(&keys, &sorted, &[0, 1, 2]).is_some_and(|m| m.contains("not the place")));
        assert!(misplaced(&keys, &sorted, &[9, 0, 2]).is_some());
    }
}
