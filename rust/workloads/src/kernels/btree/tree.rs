//! A B+ tree of ascending keys, as an array of nodes.

use std::ops::Range;

use crate::kernels::arg;
use crate::random::SplitMix64;

/// Entries that a node has room for, one of them unused.
pub(super) const ORDER: usize = 256;
/// Most and fewest entries of a node that is not the root.
const MOST: usize = ORDER - 1;
const FEWEST: usize = ORDER / 2;
/// Words of a node: location, indices, keys, whether it is a leaf, number of entries.
const WORDS: usize = 1 + 2 * (ORDER + 1) + 2;

/// The tree. Nodes are numbered level by level, from the root, which is node 0.
pub(super) struct Tree {
    /// Nodes, of `WORDS` words each.
    pub(super) words: Vec<i32>,
    /// Levels below the root.
    pub(super) height: usize,
    /// The first leaf.
    leaves: usize,
    /// The first key of each leaf.
    lowest: Vec<i32>,
}

impl Tree {
    /// A tree of `keys`, which ascend and are positive; the records have the order of the keys. How full a node is,
    /// between half and wholly, is random, as after insertions in any order.
    pub(super) fn of(keys: &[i32], random: &mut SplitMix64) -> Self {
        // What the nodes of each level hold of the level below, from the leaves, which hold keys.
        let mut levels = vec![shares(keys.len(), random)];
        let mut lowest: Vec<Vec<i32>> = vec![levels[0].iter().map(|r| keys[r.start]).collect()];
        while levels[levels.len() - 1].len() > 1 {
            let below = &lowest[lowest.len() - 1];
            let nodes = shares(below.len(), random);
            lowest.push(nodes.iter().map(|r| below[r.start]).collect());
            levels.push(nodes);
        }
        let mut words = Vec::new();
        let mut next = 0;
        for (level, nodes) in levels.iter().enumerate().rev() {
            let first = next + nodes.len();
            for held in nodes {
                if level == 0 {
                    words.extend(node(true, held.clone(), &keys[held.clone()]));
                } else {
                    let mut separators = lowest[level - 1][held.clone()].to_vec();
                    separators[0] = i32::MIN;
                    words.extend(node(false, first + held.start..first + held.end, &separators));
                }
            }
            next = first;
        }
        let lowest = lowest.swap_remove(0);
        Self { words, height: levels.len() - 1, leaves: next - lowest.len(), lowest }
    }

    /// Number of nodes.
    pub(super) fn len(&self) -> usize {
        self.words.len() / WORDS
    }

    /// The leaf that holds `key` if any does.
    pub(super) fn leaf(&self, key: i32) -> u64 {
        let after = self.lowest.partition_point(|&lowest| lowest <= key);
        u64::from(arg(self.leaves + after.saturating_sub(1)))
    }
}

/// Cuts `0 .. n` into what nodes may hold.
fn shares(n: usize, random: &mut SplitMix64) -> Vec<Range<usize>> {
    let mut shares = Vec::new();
    let mut start = 0;
    while start < n {
        let rest = n - start;
        let some = FEWEST + random.below(arg(MOST - FEWEST + 1)) as usize;
        let held = if rest <= MOST { rest } else { some.min(rest - FEWEST) };
        shares.push(start..start + held);
        start += held;
    }
    shares
}

/// The words of a node with an index for each key. Unused keys are the largest, so no key is between them.
fn node(leaf: bool, indices: Range<usize>, keys: &[i32]) -> Vec<i32> {
    let int = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    let mut words = vec![0];
    words.extend(indices.map(int));
    words.resize(1 + ORDER + 1, 0);
    words.extend(keys);
    words.resize(1 + 2 * (ORDER + 1), i32::MAX);
    words.extend([i32::from(leaf), int(keys.len())]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: usize = 1 + ORDER + 1;

    /// Goes down the tree: the leaf, and the record of the key.
    fn walk(tree: &Tree, key: i32) -> (usize, Option<i32>) {
        let words = |node: usize| &tree.words[node * WORDS..][..WORDS];
        let mut node = 0;
        while words(node)[WORDS - 2] == 0 {
            let count = words(node)[WORDS - 1] as usize;
            let slot = words(node)[KEYS..][..count].iter().rposition(|&k| k <= key).expect("a child");
            node = words(node)[1 + slot] as usize;
        }
        let slot = words(node)[KEYS..][..ORDER].iter().position(|&k| k == key);
        (node, slot.map(|s| words(node)[1 + s]))
    }

    #[test]
    fn every_key_is_found_at_its_record() {
        let keys: Vec<i32> = (0..70_000).map(|i| 3 * i + 5).collect();
        let tree = Tree::of(&keys, &mut SplitMix64::new(1, 0));
        assert_eq!(tree.height, 2);
        for (record, &key) in keys.iter().enumerate() {
            assert_eq!(walk(&tree, key).1, Some(record as i32));
            assert_eq!(walk(&tree, key).0 as u64, tree.leaf(key));
            assert_eq!(walk(&tree, key + 1), (tree.leaf(key + 1) as usize, None));
        }
        assert_eq!(walk(&tree, 1), (tree.leaf(1) as usize, None));
    }

    #[test]
    fn nodes_are_half_full_at_least() {
        let tree = Tree::of(&(0..9_999).collect::<Vec<i32>>(), &mut SplitMix64::new(2, 0));
        let counts: Vec<i32> = tree.words.chunks(WORDS).map(|w| w[WORDS - 1]).collect();
        assert_eq!(counts.len(), tree.len());
        assert!(counts[1..].iter().all(|&c| (FEWEST as i32..=MOST as i32).contains(&c)), "{counts:?}");
        assert_eq!(counts[0] as usize, tree.len() - 1);
        assert!(counts[1..].iter().any(|&c| c != counts[1]));
    }

    #[test]
    fn a_few_keys_are_a_root_that_is_a_leaf() {
        let tree = Tree::of(&[4, 9], &mut SplitMix64::new(3, 0));
        assert_eq!((tree.height, tree.len(), tree.words.len()), (0, 1, WORDS));
        assert_eq!((walk(&tree, 9), walk(&tree, 5)), ((0, Some(1)), (0, None)));
    }
}
