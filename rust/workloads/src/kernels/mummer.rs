//! Longest matches of reads in a reference sequence by its suffix tree (GPGPU-Sim's ISPASS 2009 suite: `MUM`).
//!
//! The reference is exact: a binary search among the sorted suffixes finds how long a match is, and the way up from a leaf
//! where in the tree it ends.

mod tree;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::string;
use crate::published::{Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use tree::Tree;

const HOST: Host = Host { workload: "mummer" };
/// The suite's 50,000 reads are 782 blocks.
const BLOCK: usize = 64;
/// Letters of a match that is told.
const LEAST: usize = 20;
const LETTERS: &[u8] = b"ACGT";
const TEXTURES: &[(Quantity, &str)] = &[(
    Quantity::Registers,
    "the suite fetches nodes from 2-D textures, with coordinates and all four words in registers, and not by pointer",
)];

/// The workload.
struct Mummer;

inventory::submit! { Entry(&Mummer) }

/// Letters of the reference, reads, and letters of a read: at least and fewer than.
struct Extent {
    letters: usize,
    reads: usize,
    least: usize,
    more: usize,
}

fn extent(size: Size) -> Extent {
    let (letters, reads, least, more) = match size {
        Size::Smoke => (800, 70, 19, 26),
        Size::Small => (6_000, 1_000, 19, 31),
        // 20k letters of a genome, 50k reads of 25.
        Size::Paper => (20_000, 50_000, 25, 26),
    };
    Extent { letters, reads, least, more }
}

impl Workload for Mummer {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "reads matched in a suffix tree: pointer chasing, bytes, lanes that part at every letter"
    }

    fn suite(&self) -> &'static str {
        "ispass2009"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("mummer_match", "mummer/mummergpuKernel", TEXTURES),
                published("mummer_match_reverse", "mummer/mummergpuRCKernel", TEXTURES),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("mummer")
    }

    fn size_text(&self, size: Size) -> String {
        let Extent { letters, reads, least, more } = extent(size);
        format!("{reads} reads of {least} to {} letters in {letters}", more - 1)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let extent = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let genome = genome(extent.letters, &mut random);
        let reads = reads(&extent, &genome, &mut random);
        let tree = Tree::new(genome);
        let mut text = Vec::new();
        let mut begins = Vec::new();
        for read in &reads {
            begins.push(arg(text.len()));
            text.extend_from_slice(read);
            text.push(0);
        }
        let lengths: Vec<u32> = reads.iter().map(|read| arg(read.len())).collect();
        let mut script = Script::new(HOST);
        let nodes = script.input("nodes", tree.nodes().as_flattened());
        let children = script.input("children", tree.children().as_flattened());
        let reference = script.input("reference", tree.text());
        let begins = script.input("begins of reads", &begins);
        let lengths = script.input("lengths of reads", &lengths);
        // A zero before the first read as well, which its other strand ends with.
        let letters = script.input("reads", &[&[0], &text[..]].concat());
        let found = ["matches", "matches of the other strand"]
            .map(|name| script.output::<u32>(name, 2 * (text.len() - LEAST * reads.len())));
        for (entry, found) in ["mummer_match", "mummer_match_reverse"].into_iter().zip(found) {
            script
                .launch(entry, [extent.reads.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
                .pointer(found)
                .pointer_at(letters, 1)
                .pointer(begins)
                .pointer(lengths)
                .u32(arg(extent.reads))
                .u32(arg(LEAST))
                .pointer(nodes)
                .pointer(children)
                .pointer(reference);
        }
        script.judge(move |results| {
            let strands = [reads.clone(), reads.iter().map(|read| other_strand(read)).collect()];
            for (found, reads) in found.into_iter().zip(strands) {
                let ends = |read: &Vec<u8>| {
                    let starts = (read.len() + 1).saturating_sub(LEAST);
                    (0..starts).flat_map(|at| tree.longest(&read[at..], LEAST)).collect::<Vec<u32>>()
                };
                results.exact(found, &reads.iter().flat_map(ends).collect::<Vec<u32>>())?;
            }
            Ok(())
        });
        Ok(Box::new(script))
    }
}

/// Random letters with repeats: a part of what stands there already is copied, with a letter now and then changed.
fn genome(letters: usize, random: &mut SplitMix64) -> Vec<u8> {
    let mut genome = string(random, letters / 4, LETTERS);
    while genome.len() < letters {
        let length = 20 + random.below(100) as usize;
        let from = random.below(arg(genome.len())) as usize;
        let copy: Vec<u8> = genome.iter().skip(from).take(length).copied().collect();
        genome.extend(if random.below(3) == 0 {
            mutated(&copy, 40, random)
        } else {
            string(random, length, LETTERS)
        });
    }
    genome.truncate(letters);
    genome
}

/// Each letter is drawn anew once in `once_in`.
fn mutated(letters: &[u8], once_in: u32, random: &mut SplitMix64) -> Vec<u8> {
    let draw = |&letter: &u8| match random.below(once_in) {
        0 => LETTERS[random.below(4) as usize],
        _ => letter,
    };
    letters.iter().map(draw).collect()
}

/// Reads of either strand, with errors.
fn reads(extent: &Extent, genome: &[u8], random: &mut SplitMix64) -> Vec<Vec<u8>> {
    let mut reads = Vec::new();
    for _ in 0..extent.reads {
        let length = extent.least + random.below(arg(extent.more - extent.least)) as usize;
        let from = random.below(arg(genome.len() - length + 1)) as usize;
        let read = mutated(&genome[from..from + length], 50, random);
        reads.push(if random.below(2) == 0 { read } else { other_strand(&read) });
    }
    reads
}

/// The complement, backwards.
fn other_strand(read: &[u8]) -> Vec<u8> {
    let complement = |letter: &u8| match letter {
        b'A' => b'T',
        b'C' => b'G',
        b'G' => b'C',
        _ => b'A',
    };
    read.iter().rev().map(complement).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_strand_of_the_other_is_the_read() {
        assert_eq!(other_strand(b"AACGT"), b"ACGTT");
        let read = string(&mut SplitMix64::new(1, 0), 50, LETTERS);
        assert_eq!(other_strand(&other_strand(&read)), read);
    }

    #[test]
    fn reads_match_and_do_not_and_are_short_and_long() {
        let extent = extent(Size::Smoke);
        let mut random = SplitMix64::new(1, 0);
        let genome = genome(extent.letters, &mut random);
        let reads = reads(&extent, &genome, &mut random);
        let tree = Tree::new(genome);
        assert!(reads.iter().any(|read| read.len() < LEAST));
        let long: Vec<_> = reads.iter().filter(|read| read.len() > LEAST).collect();
        assert!(long.iter().any(|read| tree.longest(read, LEAST) == [0, 0]));
        assert!(long.iter().any(|read| tree.longest(read, LEAST) != [0, 0]));
    }
}
