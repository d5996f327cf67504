//! DXT1 compression of an image (CUDA samples: `dxtc`).
//!
//! The reference is exact: it adds in the order of the kernel's trees; see [`compress`].

mod compress;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::image;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use compress::{code_words, compress};

const HOST: Host = Host { workload: "dxtc" };
const BLOCK: usize = 64;
/// Pixels a side of a block of the image.
const N: usize = 4;

/// The workload.
struct Dxtc;

inventory::submit! { Entry(&Dxtc) }

/// Sides of the image, multiples of 4, and blocks of it that a launch takes at most.
struct Extent {
    width: usize,
    height: usize,
    launch: usize,
}

fn extent(size: Size) -> Extent {
    let (width, height, launch) = match size {
        Size::Smoke => (12, 4, 2),
        Size::Small => (32, 28, 48),
        // The sample's picture and its 768 blocks a processor, of 80.
        Size::Paper => (512, 512, 768 * 80),
    };
    Extent { width, height, launch }
}

impl Workload for Dxtc {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "DXT1 compression: least squares for a thousand code words, colours in registers"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("dxtc_compress", "dxtc/compress", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("dxtc")
    }

    fn size_text(&self, size: Size) -> String {
        let Extent { width, height, launch } = extent(size);
        format!("{width}x{height} pixels, {launch} blocks a launch at most")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let extent = extent(size);
        let pixels = by_block(extent.width, &picture(&extent, &mut SplitMix64::new(seed, 0)));
        let blocks = pixels.len() / (N * N);
        let mut script = Script::new(HOST);
        let list = script.input("code words", &code_words());
        let input = script.input("image", &pixels);
        let output = script.output::<u32>("compressed", 2 * blocks);
        for first in (0..blocks).step_by(extent.launch) {
            script
                .launch("dxtc_compress", [extent.launch.min(blocks - first), 1, 1], [BLOCK, 1, 1])
                .pointer(list)
                .pointer(input)
                .pointer(output)
                .u32(arg(first));
        }
        script.judge(move |results| {
            let list = code_words();
            let expected: Vec<u32> =
                pixels.as_chunks().0.iter().flat_map(|block| compress(block, &list)).collect();
            results.exact(output, &expected)
        });
        Ok(Box::new(script))
    }
}

/// A photograph with a black edge on the left and a pattern of three greys on the right; red lies in the lowest
/// byte of a pixel.
fn picture(extent: &Extent, random: &mut SplitMix64) -> Vec<u32> {
    let Extent { width, height, .. } = *extent;
    let light = image(random, width, height);
    let tint = image(random, width, height);
    let pixel = |(at, (&light, &tint)): (usize, (&u8, &u8))| {
        let (light, tint) = (u32::from(light), u32::from(tint));
        match at % width {
            x if x < N => 0,
            x if x >= width - N => (25 + 100 * ((x + at / width) as u32 % 3)) * 0x01_0101,
            _ => light | ((3 * light + tint) / 4) << 8 | ((light + tint) / 2) << 16,
        }
    };
    light.iter().zip(&tint).enumerate().map(pixel).collect()
}

/// The pixels of one block of the image after the other.
fn by_block(width: usize, pixels: &[u32]) -> Vec<u32> {
    let mut ordered = Vec::with_capacity(pixels.len());
    for band in pixels.chunks_exact(N * width) {
        for left in (0..width).step_by(N) {
            ordered.extend(band.chunks_exact(width).flat_map(|row| &row[left..left + N]));
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::*;

    #[test]
    fn blocks_are_gathered() {
        let pixels: Vec<u32> = (0..64).collect();
        let ordered = by_block(8, &pixels);
        assert_eq!(ordered[..8], [0, 1, 2, 3, 8, 9, 10, 11]);
        assert_eq!(ordered[16..20], [4, 5, 6, 7]);
        assert_eq!(ordered[60..], [60, 61, 62, 63]);
    }

    #[test]
    fn pictures_have_blocks_of_four_of_three_and_of_one_colour() {
        let extent = extent(Size::Smoke);
        let pixels = by_block(extent.width, &picture(&extent, &mut SplitMix64::new(1, 0)));
        let ends: Vec<_> = pixels
            .as_chunks()
            .0
            .iter()
            .map(|block| compress(block, &code_words())[0])
            .map(|ends| (ends & 0xffff).cmp(&(ends >> 16)))
            .collect();
        assert!([Equal, Greater, Less].iter().all(|o| ends.contains(o)));
    }
}
