//! The suffix tree of a sequence, made from its sorted suffixes.

use super::arg;

/// Ends the sequence: no read has it, and it is smaller than every letter.
const END: u8 = b'$';
const ROOT: usize = 0;

/// A node: the letters from the root down to it are `text[suffix..suffix + depth]`.
#[derive(Debug, Clone)]
struct Node {
    parent: usize,
    suffix: usize,
    depth: usize,
}

/// The tree. Nodes are numbered by levels, the root is 0.
pub(super) struct Tree {
    text: Vec<u8>,
    nodes: Vec<Node>,
    /// Begins of the suffixes, in alphabetical order.
    sorted: Vec<usize>,
    /// The leaf of the suffix at each letter.
    leaves: Vec<usize>,
}

impl Tree {
    /// The tree of `text`, which has letters A, C, G and T.
    pub fn new(mut text: Vec<u8>) -> Self {
        text.push(END);
        let mut sorted: Vec<usize> = (0..text.len()).collect();
        sorted.sort_unstable_by(|&i, &j| text[i..].cmp(&text[j..]));
        let mut nodes = vec![Node { parent: ROOT, suffix: 0, depth: 0 }];
        let mut leaves = vec![ROOT; text.len()];
        // The nodes from the root to the leaf that was added last.
        let mut path = vec![ROOT];
        let mut before = None;
        for &suffix in &sorted {
            let shared = before.map_or(0, |b: usize| common(&text[b..], &text[suffix..]));
            let mut below = None;
            while let Some(node) = path.pop_if(|&mut node| nodes[node].depth > shared) {
                below = Some(node);
            }
            let mut parent = path.last().copied().unwrap_or(ROOT);
            if let Some(child) = below.filter(|_| nodes[parent].depth < shared) {
                // The edge to the child parts.
                nodes.push(Node { parent, suffix, depth: shared });
                parent = nodes.len() - 1;
                nodes[child].parent = parent;
                path.push(parent);
            }
            nodes.push(Node { parent, suffix, depth: text.len() - suffix });
            leaves[suffix] = nodes.len() - 1;
            path.push(nodes.len() - 1);
            before = Some(suffix);
        }
        let mut tree = Self { text, nodes, sorted, leaves };
        tree.number_by_levels();
        tree
    }

    fn number_by_levels(&mut self) {
        let mut below = vec![Vec::new(); self.nodes.len()];
        for (node, record) in self.nodes.iter().enumerate().skip(1) {
            below[record.parent].push(node);
        }
        let mut order = vec![ROOT];
        let mut at = 0;
        while let Some(node) = order.get(at).copied() {
            order.extend(&below[node]);
            at += 1;
        }
        let mut number = vec![ROOT; order.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old] = new;
        }
        let moved = |&old: &usize| {
            let node = &self.nodes[old];
            Node { parent: number[node.parent], ..*node }
        };
        self.nodes = order.iter().map(moved).collect();
        for leaf in &mut self.leaves {
            *leaf = number[*leaf];
        }
    }

    /// The sequence and its end.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// First letter of the edge into a node, as a place in the text.
    fn edge(&self, node: &Node) -> usize {
        node.suffix + self.nodes[node.parent].depth
    }

    /// Of each node: its parent, the first and last letter of the edge into it, and the node whose string lacks the first
    /// letter. Leaves, where no read gets to, have the root for that. The edge of the root ends before it begins.
    pub fn nodes(&self) -> Vec<[u32; 4]> {
        let record = |(number, node): (usize, &Node)| {
            let leaf = self.leaves[node.suffix] == number;
            let link = if leaf || number == ROOT { ROOT } else { self.at(node.suffix + 1, node.depth - 1) };
            let last = node.suffix + node.depth;
            let edge = if number == ROOT { [1, 0] } else { [arg(self.edge(node)), arg(last - 1)] };
            [arg(node.parent), edge[0], edge[1], arg(link)]
        };
        self.nodes.iter().enumerate().map(record).collect()
    }

    /// Of each node: the nodes below by A, C, G and T, 0 where there is none.
    pub fn children(&self) -> Vec<[u32; 4]> {
        let mut children = vec![[0; 4]; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate().skip(1) {
            let letter = self.text[self.edge(node)];
            if let Some(column) = b"ACGT".iter().position(|&l| l == letter) {
                children[node.parent][column] = arg(number);
            }
        }
        children
    }

    /// The highest node that `text[suffix..suffix + depth]` is a prefix of.
    fn at(&self, suffix: usize, depth: usize) -> usize {
        let mut node = self.leaves[suffix];
        while node != ROOT && self.nodes[self.nodes[node].parent].depth >= depth {
            node = self.nodes[node].parent;
        }
        node
    }

    /// Where the longest prefix of `read` that the text has ends: the node that the edge leads to, and the letters of this
    /// edge that match. Zeros when it is shorter than `least`.
    pub fn longest(&self, read: &[u8], least: usize) -> [u32; 2] {
        let next = self.sorted.partition_point(|&suffix| &self.text[suffix..] < read);
        let around = self.sorted[next.saturating_sub(1)..self.sorted.len().min(next + 1)].iter();
        let matched = around.map(|&suffix| (common(&self.text[suffix..], read), suffix)).max();
        let Some((length, suffix)) = matched.filter(|&(length, _)| length >= least) else { return [0, 0] };
        let node = self.at(suffix, length);
        [arg(node), arg(length - self.nodes[self.nodes[node].parent].depth)]
    }
}

/// Letters that `x` and `y` begin with alike.
fn common(x: &[u8], y: &[u8]) -> usize {
    x.iter().zip(y).take_while(|(x, y)| x == y).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::string;
    use crate::random::SplitMix64;

    #[test]
    fn tree_by_hand() {
        let tree = Tree::new(b"ACACA".to_vec());
        // The root; $, A, CA; A$ and ACA, CA$ and CACA$; ACA$ and ACACA$.
        let depths: Vec<_> = tree.nodes.iter().map(|n| n.depth).collect();
        assert_eq!(depths, [0, 1, 1, 2, 2, 3, 3, 5, 4, 6]);
        let records = tree.nodes();
        // CA links to A, ACA to CA, A to the root.
        assert_eq!([records[3][3], records[5][3], records[2][3]], [2, 3, 0]);
        assert_eq!(tree.children()[0], [2, 3, 0, 0]);
        assert_eq!(tree.children()[2], [0, 5, 0, 0]);
        // ACAC ends one letter below ACA.
        assert_eq!(tree.longest(b"ACACG", 3), [9, 1]);
        assert_eq!(tree.longest(b"CATTT", 2), [3, 2]);
        assert_eq!(tree.longest(b"CATTT", 3), [0, 0]);
    }

    #[test]
    fn edges_spell_every_suffix_and_links_drop_a_letter() {
        let tree = Tree::new(string(&mut SplitMix64::new(3, 0), 300, b"ACGT"));
        let records = tree.nodes();
        let spelt = |mut node: usize| {
            let mut letters = Vec::new();
            while node != ROOT {
                let [parent, begin, end, _] = records[node].map(|v| v as usize);
                letters.splice(0..0, tree.text[begin..=end].iter().copied());
                node = parent;
            }
            letters
        };
        for (suffix, &leaf) in tree.leaves.iter().enumerate() {
            assert_eq!(spelt(leaf), tree.text[suffix..]);
        }
        let inner = |&node: &usize| node != ROOT && !tree.leaves.contains(&node);
        let mut links = 0;
        for node in (0..records.len()).filter(inner) {
            assert_eq!(spelt(records[node][3] as usize), spelt(node)[1..]);
            links += 1;
        }
        assert!(links > 100);
    }

    #[test]
    fn longest_matches_are_those_of_a_search_by_letters() {
        let mut random = SplitMix64::new(4, 0);
        let text = string(&mut random, 200, b"ACGT");
        let tree = Tree::new(text.clone());
        for _ in 0..50 {
            let read = string(&mut random, 12, b"ACGT");
            let found = |length: &usize| text.windows(*length).any(|w| w == &read[..*length]);
            let length = (1..=read.len()).take_while(found).last().unwrap_or(0);
            let [node, on_edge] = tree.longest(&read, 1).map(|v| v as usize);
            let above = tree.nodes[tree.nodes[node].parent].depth;
            assert_eq!(above + on_edge, length);
            assert_eq!(&text[tree.nodes[node].suffix..][..length], &read[..length]);
        }
    }
}
