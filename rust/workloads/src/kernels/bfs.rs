//! Breadth-first search by levels over a random graph (Rodinia: `bfs`).
//!
//! The reference is exact: a search with a queue on the CPU gives each node its only possible level.

use std::collections::VecDeque;

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::input::{GraphList, InputFile, take};
use crate::params::ParamBlock;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "bfs" };
const BLOCK: usize = 512;
/// A node has 1 to this many edges.
const MAX_DEGREE: u32 = 11;

/// The workload.
struct Bfs;

inventory::submit! { Entry(&Bfs) }

/// Nodes; not a multiple of the block.
fn nodes(size: Size) -> usize {
    match size {
        Size::Smoke => 1_500,
        Size::Small => 20_000,
        // As large as the footprint that the OSM paper gives.
        Size::Paper => 500_000,
    }
}

impl Workload for Bfs {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "breadth-first search by levels: irregular accesses, deep divergence, bytes"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("bfs_expand", "bfs/Kernel", &[]), published("bfs_advance", "bfs/Kernel2", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("bfs")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} nodes, 1 to {MAX_DEGREE} edges each", nodes(size))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        Ok(Box::new(Run { graph: random_graph(nodes(size), seed), buffers: None, next: Step::First }))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["a graph list as Rodinia has it"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        Ok(Box::new(Run { graph: GraphList::parse(file)?, buffers: None, next: Step::First }))
    }
}

/// Each node has a random number of edges to random nodes.
fn random_graph(nodes: usize, seed: u64) -> GraphList {
    let mut random = SplitMix64::new(seed, 0);
    let mut graph = GraphList { first: vec![0], edges: Vec::new(), source: 0 };
    for _ in 0..nodes {
        for _ in 0..=random.below(MAX_DEGREE) {
            graph.edges.push(random.below(arg(nodes)));
        }
        graph.first.push(arg(graph.edges.len()));
    }
    graph
}

impl GraphList {
    fn len(&self) -> usize {
        self.first.len() - 1
    }

    fn neighbours(&self, node: usize) -> &[u32] {
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }

    /// Pairs of first edge and number of edges, as the kernel wants them.
    fn records(&self) -> Vec<u32> {
        self.first.windows(2).flat_map(|w| [w[0], w[1] - w[0]]).collect()
    }

    /// Edges from the source to each node, -1 where there is no way.
    fn levels(&self) -> Vec<i32> {
        let mut levels = vec![-1; self.len()];
        let source = self.source as usize;
        levels[source] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(node) = queue.pop_front() {
            for &neighbour in self.neighbours(node) {
                let neighbour = neighbour as usize;
                if levels[neighbour] < 0 {
                    levels[neighbour] = levels[node] + 1;
                    queue.push_back(neighbour);
                }
            }
        }
        levels
    }
}

#[derive(Debug, Clone, Copy)]
struct Buffers {
    nodes: Buffer,
    edges: Buffer,
    frontier: Buffer,
    marked: Buffer,
    visited: Buffer,
    cost: Buffer,
    again: Buffer,
}

/// The launch that comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The expansion of the source.
    First,
    /// The advance to the level that was expanded.
    Advance,
    /// The expansion of the next level, when the advance found one.
    Expand,
    /// Nothing.
    Done,
}

struct Run {
    graph: GraphList,
    buffers: Option<Buffers>,
    next: Step,
}

impl Run {
    fn launch(&self, entry: &str, params: Vec<u8>) -> Option<Launch> {
        Some(Launch {
            entry: entry.into(),
            launch: KernelLaunch {
                grid: [arg(self.graph.len().div_ceil(BLOCK)), 1, 1],
                block: [arg(BLOCK), 1, 1],
                params,
                ..KernelLaunch::default()
            },
        })
    }

    fn expand(&self, b: &Buffers) -> Option<Launch> {
        let params = ParamBlock::new()
            .pointer(b.nodes.address)
            .pointer(b.edges.address)
            .pointer(b.frontier.address)
            .pointer(b.marked.address)
            .pointer(b.visited.address)
            .pointer(b.cost.address)
            .u32(arg(self.graph.len()));
        self.launch("bfs_expand", params.finish())
    }

    fn advance(&self, b: &Buffers) -> Option<Launch> {
        let params = ParamBlock::new()
            .pointer(b.frontier.address)
            .pointer(b.marked.address)
            .pointer(b.visited.address)
            .pointer(b.again.address)
            .u32(arg(self.graph.len()));
        self.launch("bfs_advance", params.finish())
    }
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let (nodes, first) = (self.graph.len(), self.graph.source as usize);
        let mut source = vec![0_u8; nodes];
        source[first] = 1;
        let mut cost = vec![-1_i32; nodes];
        cost[first] = 0;
        self.buffers = Some(Buffers {
            nodes: HOST.upload(memory, "nodes", &self.graph.records())?,
            edges: HOST.upload(memory, "edges", &self.graph.edges)?,
            frontier: HOST.upload(memory, "frontier", &source)?,
            marked: HOST.upload(memory, "marked", &vec![0_u8; nodes])?,
            visited: HOST.upload(memory, "visited", &source)?,
            cost: HOST.upload(memory, "cost", &cost)?,
            again: HOST.upload(memory, "again", &[0_u32])?,
        });
        Ok(())
    }

    fn next_launch(&mut self, memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let buffers = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        if self.next == Step::Expand && HOST.read::<u32>(memory, buffers.again)? == [0] {
            self.next = Step::Done;
        }
        let (launch, next) = match self.next {
            Step::First | Step::Expand => (self.expand(&buffers), Step::Advance),
            Step::Advance => {
                HOST.write(memory, buffers.again, &[0_u32])?;
                (self.advance(&buffers), Step::Expand)
            }
            Step::Done => (None, Step::Done),
        };
        self.next = next;
        Ok(launch)
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let b = self.buffers.ok_or_else(|| HOST.unchecked())?;
        let levels = self.graph.levels();
        let visited: Vec<u8> = levels.iter().map(|&l| u8::from(l >= 0)).collect();
        let none = vec![0_u8; levels.len()];
        let words = HOST.expect(memory, b.cost, &levels)?
            + HOST.expect(memory, b.visited, &visited)?
            + HOST.expect(memory, b.frontier, &none)?
            + HOST.expect(memory, b.marked, &none)?;
        Ok(Checked::exact(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels by relaxing every edge until nothing changes.
    fn by_relaxation(graph: &GraphList) -> Vec<i32> {
        let mut levels = vec![i32::MAX; graph.len()];
        levels[graph.source as usize] = 0;
        loop {
            let mut changed = false;
            for node in 0..graph.len() {
                for &n in graph.neighbours(node) {
                    let through = levels[node].saturating_add(1);
                    if through < levels[n as usize] {
                        levels[n as usize] = through;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        levels.into_iter().map(|l| if l == i32::MAX { -1 } else { l }).collect()
    }

    #[test]
    fn reference_on_a_graph_by_hand() {
        // 0 -> 1, 2; 1 -> 3; 2 -> 2, 0; 3 -> 0; 4 -> 0 and nothing leads to 4.
        let mut graph =
            GraphList { first: vec![0, 2, 3, 5, 6, 7], edges: vec![1, 2, 3, 2, 0, 0, 0], source: 0 };
        assert_eq!(graph.levels(), [0, 1, 1, 2, -1]);
        graph.source = 3;
        assert_eq!(graph.levels(), [1, 2, 2, 0, -1]);
        graph.source = 0;
        assert_eq!(graph.records(), [0, 2, 2, 1, 3, 2, 5, 1, 6, 1]);
    }

    #[test]
    fn reference_is_what_relaxation_finds() {
        for seed in 0..50 {
            let graph = random_graph(40, seed);
            assert_eq!(graph.levels(), by_relaxation(&graph), "seed {seed}");
        }
    }

    #[test]
    fn graphs_have_several_levels_and_nodes_out_of_reach() {
        let graph = random_graph(nodes(Size::Smoke), 1);
        let levels = graph.levels();
        assert!(levels.iter().any(|&l| l >= 4));
        assert!(levels.contains(&-1));
        let degrees = graph.records();
        let degrees: Vec<_> = degrees.chunks(2).map(|r| r[1]).collect();
        assert_eq!(degrees.iter().min(), Some(&1));
        assert_eq!(degrees.iter().max(), Some(&MAX_DEGREE));
    }
}
