//! Hashes of chunks and of sliding windows of a buffer, by MD5 and SHA-1 (GPGPU-Sim's ISPASS 2009 suite: `STO`).
//!
//! The reference is exact: the hashes of the `RustCrypto` libraries.

use md5::{Digest, Md5};
use sha1::Sha1;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "storegpu" };
const BLOCK: usize = 128;

/// The workload.
struct StoreGpu;

inventory::submit! { Entry(&StoreGpu) }

/// Bytes of the buffer, of a chunk, of a window, and from one window to the next. The last chunk is a shorter one.
/// The rest of a window after its full blocks leaves too little room for the length, that of a chunk does not.
struct Extent {
    bytes: usize,
    chunk: usize,
    window: usize,
    step: usize,
}

fn extent(size: Size) -> Extent {
    let (bytes, chunk, window, step) = match size {
        Size::Smoke => (8_837, 68, 60, 55),
        Size::Small => (24_003, 84, 124, 27),
        // The suite's 49,152 threads share 192 KB. Chunks near the footprint of the OSM paper.
        Size::Paper => (196_607, 96, 124, 4),
    };
    Extent { bytes, chunk, window, step }
}

/// Where the windows begin.
fn window_starts(extent: &Extent) -> impl Iterator<Item = usize> {
    (0..=extent.bytes - extent.window).step_by(extent.step)
}

impl Workload for StoreGpu {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "MD5 and SHA-1 of chunks and of sliding windows: integers, blocks in shared memory without barriers"
    }

    fn suite(&self) -> &'static str {
        "ispass2009"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("storegpu_md5", "storegpu/md5", &[]),
                published("storegpu_md5_overlap", "storegpu/md5_overlap", &[]),
                published("storegpu_sha1", "storegpu/sha1", &[]),
                published("storegpu_sha1_overlap", "storegpu/sha1_overlap", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("storegpu")
    }

    fn size_text(&self, size: Size) -> String {
        let Extent { bytes, chunk, window, step } = extent(size);
        format!("{bytes} bytes in chunks of {chunk} and windows of {window}, {step} apart")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let extent = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let data: Vec<u8> = (0..extent.bytes).map(|_| random.next_u32().to_le_bytes()[0]).collect();
        let chunks = extent.bytes.div_ceil(extent.chunk);
        let windows = window_starts(&extent).count();
        let mut script = Script::new(HOST);
        let input = script.input("input", &data);
        let md5_chunks = script.output::<u8>("MD5 of chunks", 16 * chunks);
        let md5_windows = script.output::<u8>("MD5 of windows", 16 * windows);
        let sha1_chunks = script.output::<u8>("SHA-1 of chunks", 20 * chunks);
        let sha1_windows = script.output::<u8>("SHA-1 of windows", 20 * windows);
        for (entry, digests) in [("storegpu_md5", md5_chunks), ("storegpu_sha1", sha1_chunks)] {
            script
                .launch(entry, [chunks.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
                .pointer(digests)
                .pointer(input)
                .u32(arg(extent.bytes))
                .u32(arg(extent.chunk));
        }
        for (entry, digests) in
            [("storegpu_md5_overlap", md5_windows), ("storegpu_sha1_overlap", sha1_windows)]
        {
            script
                .launch(entry, [windows.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1])
                .pointer(digests)
                .pointer(input)
                .u32(arg(windows))
                .u32(arg(extent.window))
                .u32(arg(extent.step));
        }
        script.judge(move |results| {
            let chunks = || data.chunks(extent.chunk);
            let windows = || window_starts(&extent).filter_map(|at| data.get(at..at + extent.window));
            results.exact(md5_chunks, &digests::<Md5>(chunks()))?;
            results.exact(sha1_chunks, &digests::<Sha1>(chunks()))?;
            results.exact(md5_windows, &digests::<Md5>(windows()))?;
            results.exact(sha1_windows, &digests::<Sha1>(windows()))
        });
        Ok(Box::new(script))
    }
}

/// The digests of `pieces`, one after the other.
fn digests<'a, H: Digest>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    pieces.flat_map(|piece| H::digest(piece).to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn digests_are_those_of_the_standards() {
        let pieces = || [&b""[..], b"abc"].into_iter();
        // RFC 1321, appendix A.5.
        let md5 = hex(&digests::<Md5>(pieces()));
        assert_eq!(md5, "d41d8cd98f00b204e9800998ecf8427e900150983cd24fb0d6963f7d28e17f72");
        // RFC 3174, section 7.3, has the second.
        let sha1 = hex(&digests::<Sha1>(pieces()));
        let empty = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
        assert_eq!(sha1, format!("{empty}a9993e364706816aba3e25717850c26c9cd0d89d"));
    }

    #[test]
    fn pieces_end_in_every_way() {
        for size in Size::ALL {
            let extent = extent(size);
            assert_eq!(extent.chunk % 4, 0, "the kernel reads chunks as words");
            assert_ne!(extent.bytes % extent.chunk, 0, "the last chunk is shorter");
            assert!(extent.chunk > 64, "a chunk has full blocks and a rest");
            assert!(extent.window % 64 >= 56, "the length takes a block of its own");
        }
        assert_ne!(window_starts(&extent(Size::Smoke)).count() % BLOCK, 0);
    }
}
