//! Histograms of bytes with 64 and with 256 bins (CUDA samples: `histogram`).
//!
//! The reference is exact: it counts.

use super::{arg, ptx};
use crate::buffers::{Element, Host};
use crate::input::{InputFile, take};
use crate::published::{OWN_SOURCE, Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "histogram" };
/// Threads of a block of the kernel with 256 bins: six warps.
const THREADS_256: usize = 192;
/// Threads of a block of the kernel with 64 bins.
const THREADS_64: usize = 64;
/// Vectors of sixteen bytes that a thread of it may count: its counters are bytes.
const VECTORS: usize = 255 / 16;
/// Threads of a block that adds up.
const MERGE_THREADS: usize = 256;

/// The workload.
struct Histogram;

inventory::submit! { Entry(&Histogram) }

/// Vectors of sixteen bytes, blocks of the kernel with 256 bins, and how many of these bins are added up.
struct Extent {
    vectors: usize,
    blocks_256: usize,
    merged: usize,
}

fn extent(size: Size) -> Extent {
    let (vectors, blocks_256, merged) = match size {
        // A block a bin is a large part of smoke, so it adds up few.
        Size::Smoke => (1_100, 4, 20),
        Size::Small => (24_100, 24, 256),
        Size::Paper => (4_194_304, 240, 256),
    };
    Extent { vectors, blocks_256, merged }
}

impl Workload for Histogram {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "counts of bytes: atomics in shared memory, and byte counters without them"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published(
                    "histogram_256",
                    "histogram/histogram256Kernel",
                    &[(Quantity::Registers, REORDERED)],
                ),
                published(
                    "histogram_64",
                    "histogram/histogram64Kernel",
                    &[(Quantity::Registers, OWN_SOURCE)],
                ),
                published("histogram_merge", "histogram/mergeHistogram256Kernel", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("histogram")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} bytes", 16 * extent(size).vectors)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let extent = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let words = (0..4 * extent.vectors).map(|_| random.next_u32()).collect();
        Ok(Box::new(script(extent, words)))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["any bytes, a multiple of 16"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        let bytes = file.bytes();
        if bytes.is_empty() || !bytes.len().is_multiple_of(16) {
            return Err(file.unfit("a multiple of 16 bytes", bytes.len().to_string()).into());
        }
        let words = bytes.chunks_exact(4).map(u32::get).collect();
        Ok(Box::new(script(Extent { vectors: bytes.len() / 16, ..extent(Size::Paper) }, words)))
    }
}

/// Counts the bytes of `words` both ways.
fn script(extent: Extent, words: Vec<u32>) -> Script {
    let Extent { vectors, blocks_256, merged } = extent;
    let blocks_64 = vectors.div_ceil(VECTORS * THREADS_64);
    let mut script = Script::new(HOST);
    let data = script.input("data", &words);
    let partial_64 = script.output::<u32>("partial 64", 64 * blocks_64);
    let partial_256 = script.output::<u32>("partial 256", 256 * blocks_256);
    let histogram_64 = script.output::<u32>("histogram 64", 64);
    let histogram_256 = script.output::<u32>("histogram 256", merged);
    script
        .launch("histogram_64", [blocks_64, 1, 1], [THREADS_64, 1, 1])
        .pointer(partial_64)
        .pointer(data)
        .u32(arg(vectors))
        .u32(arg(VECTORS));
    script
        .launch("histogram_256", [blocks_256, 1, 1], [THREADS_256, 1, 1])
        .pointer(partial_256)
        .pointer(data)
        .u32(arg(4 * vectors));
    for (histogram, partial, count, bins) in
        [(histogram_64, partial_64, blocks_64, 64), (histogram_256, partial_256, blocks_256, merged)]
    {
        script
            .launch("histogram_merge", [bins, 1, 1], [MERGE_THREADS, 1, 1])
            .pointer(histogram)
            .pointer(partial)
            .u32(arg(count))
            .u32(if partial == partial_64 { 64 } else { 256 });
    }
    script.judge(move |results| {
        results.exact(histogram_64, &counts(&words, 6))?;
        results.exact(histogram_256, &counts(&words, 8)[..merged])
    });
    script
}

/// How often each value of the upper `bits` bits of a byte occurs.
fn counts(words: &[u32], bits: u32) -> Vec<u32> {
    let mut counts = vec![0; 1 << bits];
    for byte in words.iter().flat_map(|w| w.to_le_bytes()) {
        counts[usize::from(byte >> (8 - bits))] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_counts() {
        let words = [0x0403_0201, 0xFF01_01FC];
        let fine = counts(&words, 8);
        assert_eq!((fine[1], fine[2], fine[0xFC], fine[0xFF], fine.iter().sum::<u32>()), (3, 1, 1, 1, 8));
        let coarse = counts(&words, 6);
        assert_eq!((coarse[0], coarse[1], coarse[63]), (5, 1, 2));
    }
}
