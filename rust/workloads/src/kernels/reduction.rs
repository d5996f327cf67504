//! Sum of integers by a tree in shared memory (CUDA samples: `reduction`).
//!
//! Two launches: the first leaves one sum a block, the second adds these in one block. Addition is
//! modulo 2^32, so the order does not matter and the reference is exact.

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::published::{AT_LAUNCH, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "reduction" };
/// Threads of a block, a power of two.
const BLOCK: usize = 256;

/// The workload.
struct Reduction;

inventory::submit! { Entry(&Reduction) }

/// Elements and blocks of the first launch.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (40_003, 12),
        Size::Small => (1_200_007, 48),
        Size::Paper => (16_777_216, 64),
    }
}

impl Workload for Reduction {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "integer sum by a tree: shared memory, barriers in a loop, lanes that fall idle"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("reduction", "reduction/reduce6", &[(Quantity::Shared, AT_LAUNCH)])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("reduction")
    }

    fn size_text(&self, size: Size) -> String {
        let (elements, blocks) = extent(size);
        format!("{elements} elements, {blocks} blocks")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (elements, blocks) = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        Ok(Box::new(Run {
            input: (0..elements).map(|_| random.next_u32()).collect(),
            blocks,
            buffers: None,
            launches: 0,
        }))
    }
}

struct Run {
    input: Vec<u32>,
    blocks: usize,
    buffers: Option<[Buffer; 3]>,
    launches: u32,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.buffers = Some([
            HOST.upload(memory, "input", &self.input)?,
            HOST.allocate::<u32>(memory, "partial", self.blocks)?,
            HOST.allocate::<u32>(memory, "total", 1)?,
        ]);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let [input, partial, total] = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        let (source, destination, n, blocks) = match self.launches {
            0 => (input, partial, self.input.len(), self.blocks),
            1 => (partial, total, self.blocks, 1),
            _ => return Ok(None),
        };
        self.launches += 1;
        Ok(Some(Launch {
            entry: "reduction".into(),
            launch: KernelLaunch {
                grid: [arg(blocks), 1, 1],
                block: [arg(BLOCK), 1, 1],
                dynamic_shared_bytes: arg(4 * BLOCK),
                params: ParamBlock::new()
                    .pointer(source.address)
                    .pointer(destination.address)
                    .u32(arg(n))
                    .finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let [_, partial, total] = self.buffers.ok_or_else(|| HOST.unchecked())?;
        let (sums, sum) = reference(&self.input, self.blocks, BLOCK);
        let words = HOST.expect(memory, partial, &sums)? + HOST.expect(memory, total, &[sum])?;
        Ok(Checked::exact(words))
    }
}

/// The sum of each block and of all: element `i` belongs to thread `i` modulo the grid's threads.
fn reference(input: &[u32], blocks: usize, block: usize) -> (Vec<u32>, u32) {
    let mut sums = vec![0_u32; blocks];
    for (i, &v) in input.iter().enumerate() {
        let sum = &mut sums[i / block % blocks];
        *sum = sum.wrapping_add(v);
    }
    let sum = input.iter().fold(0_u32, |s, &v| s.wrapping_add(v));
    (sums, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_folds_a_grid_apart() {
        // Two blocks of two threads: elements 0 1 4 5 8 and 2 3 6 7.
        let input = [1, 10, 100, 1000, 2, 20, 200, 2000, 3];
        assert_eq!(reference(&input, 2, 2), (vec![36, 3300], 3336));
        assert_eq!(reference(&[u32::MAX, 2], 1, 2), (vec![1], 1));
        assert_eq!(reference(&[], 2, 2), (vec![0, 0], 0));
    }
}
