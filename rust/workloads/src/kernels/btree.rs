//! Look-ups of keys and of ranges of keys in a B+ tree (Rodinia: `b+tree`).
//!
//! The reference searches the ascending keys; it knows nothing of nodes but which leaf a key belongs to.

mod tree;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::words;
use crate::pinned::Pinned;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use tree::{ORDER, Tree};

const HOST: Host = Host { workload: "btree" };
/// The value of a key that is not there.
const NONE: u32 = u32::MAX;

/// The workload.
struct Btree;

inventory::submit! { Entry(&Btree) }

inventory::submit! {
    Entry(&Pinned {
        name: "btree-racetrack",
        title: "btree with the registers per thread of the racetrack paper",
        base: &Btree,
        rows: &[
            published("btree_find", "racetrack/btree", &[]),
            published("btree_find_range", "racetrack/btree", &[]),
        ],
    })
}

/// Keys of the tree, look-ups of a key, look-ups of a range, and keys of a range.
#[derive(Debug, Clone, Copy)]
struct Extent {
    keys: usize,
    finds: usize,
    ranges: usize,
    span: usize,
}

fn extent(size: Size) -> Extent {
    let (keys, finds, ranges, span) = match size {
        Size::Smoke => (60_000, 30, 20, 300),
        Size::Small => (200_000, 300, 180, 1_000),
        Size::Paper => (1_000_000, 10_000, 6_000, 3_000),
    };
    Extent { keys, finds, ranges, span }
}

impl Workload for Btree {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "look-ups in a B+ tree: a block a query, one thread in the block finds the way"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("btree_find", "btree/findK", &[]),
                published("btree_find_range", "btree/findRangeK", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("btree")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{} keys, {} ranges of {} keys, {} keys looked up", e.keys, e.ranges, e.span, e.finds)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let keys = keys(e.keys, &mut random);
        let records = words(&mut random, e.keys);
        let tree = Tree::of(&keys, &mut random);
        let begins = lookups(&keys, e.ranges, e.span, &mut random);
        let ends: Vec<i32> = begins.iter().map(|k| k + i32::try_from(e.span).unwrap_or(0) - 1).collect();
        let queries = lookups(&keys, e.finds, 0, &mut random);

        let mut script = Script::new(HOST);
        let nodes = script.input("nodes", &tree.words);
        let values = script.input("records", &records);
        let (height, count) = (tree.height as u64, tree.len() as u64);
        let mut ways =
            |n: usize, names: [&'static str; 2]| names.map(|name| script.input(name, &vec![0_u64; n]));
        let begin_ways = ways(e.ranges, ["current", "next"]);
        let end_ways = ways(e.ranges, ["current of end", "next of end"]);
        let find_ways = ways(e.finds, ["current of finds", "next of finds"]);
        let range_begins = script.input("begins", &begins);
        let range_ends = script.input("ends", &ends);
        let first = script.input("first", &vec![0_u32; e.ranges]);
        let length = script.input("length", &vec![0_u32; e.ranges]);
        let find_keys = script.input("queries", &queries);
        let answers = script.input("answers", &vec![NONE; e.finds]);
        let plan = script.launch("btree_find_range", [e.ranges, 1, 1], [ORDER, 1, 1]);
        plan.u64(height).pointer(nodes).u64(count).pointer(begin_ways[0]).pointer(begin_ways[1]);
        plan.pointer(end_ways[0]).pointer(end_ways[1]).pointer(range_begins).pointer(range_ends);
        plan.pointer(first).pointer(length);
        let plan = script.launch("btree_find", [e.finds, 1, 1], [ORDER, 1, 1]);
        plan.u64(height).pointer(nodes).u64(count).pointer(values);
        plan.pointer(find_ways[0]).pointer(find_ways[1]).pointer(find_keys).pointer(answers);

        script.judge(move |results| {
            let ranges: Vec<_> = begins.iter().zip(&ends).map(|(&b, &e)| range(&keys, b, e)).collect();
            results.exact(first, &ranges.iter().map(|r| r.0).collect::<Vec<_>>())?;
            results.exact(length, &ranges.iter().map(|r| r.1).collect::<Vec<_>>())?;
            let value = |&key: &i32| keys.binary_search(&key).map_or(NONE, |at| records[at]);
            results.exact(answers, &queries.iter().map(value).collect::<Vec<_>>())?;
            for (ways, sought) in [(begin_ways, &begins), (end_ways, &ends), (find_ways, &queries)] {
                let leaves: Vec<u64> = sought.iter().map(|&key| tree.leaf(key)).collect();
                results.exact(ways[0], &leaves)?;
                results.exact(ways[1], &leaves)?;
            }
            Ok(())
        });
        Ok(Box::new(script))
    }
}

/// Keys from 0 that ascend by 1, now and then by 2.
fn keys(n: usize, random: &mut SplitMix64) -> Vec<i32> {
    let mut next = 0;
    let mut key = || {
        let key = next;
        next += 1 + i32::from(random.below(8) == 0);
        key
    };
    (0..n).map(|_| key()).collect()
}

/// Random integers among the keys, at least `span` below the largest; most are keys.
fn lookups(keys: &[i32], n: usize, span: usize, random: &mut SplitMix64) -> Vec<i32> {
    let largest = keys.last().map_or(0, |&key| key.unsigned_abs());
    let bound = (largest + 1).saturating_sub(arg(span));
    (0..n).map(|_| i32::try_from(random.below(bound)).unwrap_or(0)).collect()
}

/// First record and number of records of the keys `begin ..= end`. What is not found stays 0, as the suite
/// leaves it: a range whose end is no key has no length, one whose begin is none counts from the first record.
fn range(keys: &[i32], begin: i32, end: i32) -> (u32, u32) {
    let first = keys.binary_search(&begin).map_or(0, arg);
    (first, keys.binary_search(&end).map_or(0, |last| arg(last) - first + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_by_hand() {
        let keys = [0, 1, 3, 4, 6];
        assert_eq!(range(&keys, 1, 4), (1, 3));
        assert_eq!(range(&keys, 1, 5), (1, 0));
        assert_eq!(range(&keys, 2, 4), (0, 4));
        assert_eq!(range(&keys, 6, 6), (4, 1));
    }

    #[test]
    fn keys_ascend_and_most_lookups_hit() {
        let mut random = SplitMix64::new(1, 0);
        let keys = keys(10_000, &mut random);
        assert!(keys.windows(2).all(|w| w[0] < w[1]) && keys[0] == 0);
        let sought = lookups(&keys, 1_000, 50, &mut random);
        assert!(sought.iter().all(|k| k + 50 <= keys[9_999]));
        let hits = sought.iter().filter(|&k| keys.binary_search(k).is_ok()).count();
        assert!((800..1_000).contains(&hits), "{hits}");
    }
}
