//! Where control goes on from each instruction of a function.

use std::collections::{HashMap, HashSet};

use crate::dot::{At, Cluster, Edge};
use crate::error::{Fault, MOST_SHOWN};
use crate::instruction::{Instruction, parse};
use crate::label::fields;
use crate::operand::{Operand, parse as parse_operand};

/// The first architecture without the modifier `.S`, which ends the instructions of a divergent way (Maxwell).
const FIRST_WITHOUT_SYNC_MODIFIER: u32 = 50;

/// Ways from an instruction to one that may follow, of a function. Those of a program are a few for each instruction.
const MOST_WAYS: usize = 1 << 24;

/// A block of the graph: what lies between two labels. Control can leave it in the middle.
#[derive(Debug)]
struct Block<'a> {
    name: &'a str,
    /// Indices of its instructions.
    instructions: std::ops::Range<usize>,
    /// Its ports, each with its last instruction.
    ports: HashMap<&'a str, Option<usize>>,
}

/// The instructions of a function and its blocks.
#[derive(Debug)]
pub struct Blocks<'a> {
    /// In the order of the text.
    pub instructions: Vec<Instruction>,
    blocks: Vec<Block<'a>>,
    by_name: HashMap<&'a str, usize>,
}

impl<'a> Blocks<'a> {
    /// Reads the labels of a cluster.
    ///
    /// # Errors
    /// [`Fault::Instruction`], [`Fault::Register`], [`Fault::SecondAt`], [`Fault::Twice`].
    pub fn new(cluster: &Cluster<'a>) -> At<Self> {
        let mut all = Self { instructions: Vec::new(), blocks: Vec::new(), by_name: HashMap::new() };
        let mut addresses = HashSet::new();
        for node in &cluster.nodes {
            let begin = all.instructions.len();
            let mut ports = HashMap::new();
            for field in fields(node.label) {
                let before = all.instructions.len();
                for (line, at) in &field.lines {
                    let at = node.at + at;
                    let Some(instruction) = parse(line, at).map_err(|fault| (at, fault))? else { continue };
                    if let Some(address) = instruction.address.filter(|&address| !addresses.insert(address)) {
                        return Err((at, Fault::SecondAt { address }));
                    }
                    all.instructions.push(instruction);
                }
                let end = all.instructions.len();
                ports.extend(field.port.map(|port| (port, (end > before).then(|| end - 1))));
            }
            let instructions = begin..all.instructions.len();
            if all.by_name.insert(node.name, all.blocks.len()).is_some() {
                return Err((node.at, Fault::Twice { node: node.name.to_owned() }));
            }
            all.blocks.push(Block { name: node.name, instructions, ports });
        }
        Ok(all)
    }

    /// Whether the cluster has a node of this name.
    pub fn has(&self, node: &str) -> bool {
        self.by_name.contains_key(node)
    }

    /// By instruction: those that may follow, ascending. Edges to nodes of other functions are calls.
    ///
    /// # Errors
    /// [`Fault::Port`], [`Fault::Ways`].
    pub fn flow(&self, edges: &[Edge<'a>], architecture: u32) -> At<Vec<Vec<usize>>> {
        let mut leaving: Vec<Vec<&Edge<'a>>> = vec![Vec::new(); self.blocks.len()];
        for edge in edges {
            if let (Some(&from), true) = (self.by_name.get(edge.from.node), self.has(edge.to.node)) {
                leaving[from].push(edge);
            }
        }
        let (mut flow, mut ways) = (vec![Vec::new(); self.instructions.len()], 0);
        for (block, edges) in self.blocks.iter().zip(&leaving) {
            for index in block.instructions.clone() {
                if index + 1 < block.instructions.end && !ends(&self.instructions[index], architecture) {
                    flow[index].push(index + 1);
                }
            }
            let mut to: HashMap<usize, Vec<&str>> = HashMap::new();
            for edge in edges.iter().filter(|_| !block.instructions.is_empty()) {
                for from in self.left_at(block, edge)? {
                    to.entry(from).or_default().push(edge.to.node);
                }
            }
            for (from, nodes) in to {
                flow[from].extend(self.first_of(&nodes, &leaving));
                ways += flow[from].len();
                if ways > MOST_WAYS {
                    return Err((
                        edges.first().map_or(0, |edge| edge.from.at),
                        Fault::Ways { most: MOST_WAYS },
                    ));
                }
            }
        }
        for next in &mut flow {
            next.sort_unstable();
            next.dedup();
        }
        Ok(flow)
    }

    /// Refuses a direct branch among `reached`, ascending indices, that no edge follows: its way would end there. One to
    /// a place that is not of the graph, such as a function of another file, leaves it.
    ///
    /// # Errors
    /// [`Fault::Branch`].
    pub fn check_branches(&self, edges: &[Edge<'a>], reached: &[usize], architecture: u32) -> At<()> {
        let (mut targets, mut left) = (HashSet::new(), HashSet::new());
        for edge in edges {
            let Some(&number) = self.by_name.get(edge.from.node) else { continue };
            let block = &self.blocks[number];
            targets.insert((number, edge.to.node));
            left.extend(if taken(edge) {
                block.ports.get(edge.from.port.unwrap_or_default()).copied().flatten()
            } else {
                // What leaves below a branch with a condition is where it goes on without it.
                block
                    .instructions
                    .clone()
                    .next_back()
                    .filter(|&last| ends(&self.instructions[last], architecture))
            });
        }
        for (number, block) in self.blocks.iter().enumerate() {
            for index in block.instructions.clone() {
                let branch = &self.instructions[index];
                let led =
                    left.contains(&index) || branch.places().any(|place| targets.contains(&(number, place)));
                if self.is_direct(branch) && !led && reached.binary_search(&index).is_ok() {
                    let text = branch.text().chars().take(MOST_SHOWN).collect();
                    return Err((branch.at, Fault::Branch { branch: text, node: block.name.to_owned() }));
                }
            }
        }
        Ok(())
    }

    /// Whether an instruction is a branch to a place of the graph that it names itself: a node, or a label, whose
    /// names begin with a point.
    fn is_direct(&self, instruction: &Instruction) -> bool {
        let inside = |place: &str| place.starts_with('.') || self.by_name.contains_key(place);
        matches!(instruction.base(), "BRA" | "JMP") && instruction.places().any(inside)
    }

    /// The first instructions of blocks, and of those behind the ones that have none.
    fn first_of(&self, nodes: &[&str], leaving: &[Vec<&Edge<'a>>]) -> Vec<usize> {
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        let mut waiting: Vec<usize> =
            nodes.iter().filter_map(|node| self.by_name.get(node)).copied().collect();
        while let Some(number) = waiting.pop() {
            let instructions = &self.blocks[number].instructions;
            if !instructions.is_empty() {
                found.push(instructions.start);
            } else if seen.insert(number) {
                waiting.extend(leaving[number].iter().filter_map(|edge| self.by_name.get(edge.to.node)));
            }
        }
        found
    }

    /// The instructions at which an edge leaves a block that has some: that of its port, and of an edge that leaves
    /// below, the last. Where the port is missing, as in graphs of CUDA 9.2 and 10.0, those that name the target.
    fn left_at(&self, block: &Block<'a>, edge: &Edge<'a>) -> At<Vec<usize>> {
        let port = edge.from.port.unwrap_or_default();
        if !taken(edge) {
            return Ok(vec![block.instructions.end - 1]);
        }
        if let Some(&Some(instruction)) = block.ports.get(port) {
            return Ok(vec![instruction]);
        }
        let named: Vec<usize> = block
            .instructions
            .clone()
            .filter(|&i| self.instructions[i].names(edge.to.node) && !only_names(&self.instructions[i]))
            .collect();
        if named.is_empty() {
            let [node, port, target] = [block.name, port, edge.to.node].map(str::to_owned);
            return Err((edge.from.at, Fault::Port { node, port, target }));
        }
        Ok(named)
    }
}

/// Whether an edge leaves at the instruction of its port, and not below the block.
fn taken(edge: &Edge<'_>) -> bool {
    let port = edge.from.port.unwrap_or_default();
    match edge.from.compass {
        Some(side) => side != "s",
        None => port.starts_with("exit") && !port.starts_with("exitpost"),
    }
}

/// Whether an instruction names a place where threads meet later, and goes on itself.
fn only_names(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "SSY" | "PBK" | "PCNT" | "PRET" | "PEXIT" | "BSSY" | "LEPC" | "WARPSYNC")
}

/// Whether no thread goes on to the next instruction.
fn ends(instruction: &Instruction, architecture: u32) -> bool {
    let transfers = matches!(
        instruction.base(),
        "BRA" | "BRX" | "BRXU" | "JMP" | "JMX" | "JMXU" | "EXIT" | "KILL" | "RET" | "BRK" | "CONT" | "SYNC"
    );
    let meets = architecture < FIRST_WITHOUT_SYNC_MODIFIER && instruction.has("S");
    // A predicate or a uniform register among the operands is a condition, as is that the warp has diverged.
    let conditional = instruction.operands.iter().any(|operand| match parse_operand(operand) {
        Operand::Predicate => !matches!(operand.as_str(), "PT" | "UPT"),
        Operand::Uniform => !instruction.base().ends_with('U'),
        Operand::Register(_) | Operand::Other(_) => false,
    });
    let diverged = instruction.has("DIV") || instruction.has("CONV");
    (transfers || meets) && instruction.guard.is_none() && !(transfers && (conditional || diverged))
}
