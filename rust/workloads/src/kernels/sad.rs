//! Sums of absolute differences for motion estimation (Parboil: `sad`).
//!
//! The reference is exact: integers. It takes every sum from the pixels, also those that the kernels add
//! up from smaller ones, and finds the pixels beyond the border by moving to the border.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::image;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "sad" };
/// Threads of a block for a block of 4 x 4 pixels.
const THREADS: usize = 61;
/// Pixels that the search reaches to each side.
const RANGE: usize = 16;
const SIDE: usize = 2 * RANGE + 1;
/// Room for the sums of a block, of which `SIDE * SIDE` are used.
const PLANE: usize = 1096;
/// Width and height of the shapes of a macroblock, in the order of their planes.
const SHAPES: [[usize; 2]; 7] = [[16, 16], [16, 8], [8, 16], [8, 8], [8, 4], [4, 8], [4, 4]];
/// Planes of a macroblock.
const PLANES: usize = 41;

/// The workload.
struct Sad;

inventory::submit! { Entry(&Sad) }

/// Macroblocks along x and y.
fn extent(size: Size) -> [usize; 2] {
    match size {
        Size::Smoke => [2, 1],
        Size::Small => [3, 2],
        // 176 x 144 pixels, the suite's default.
        Size::Paper => [11, 9],
    }
}

impl Workload for Sad {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "sums of absolute differences: integers, gathered pixels, halves of words added in pairs"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("sad_4x4", "sad/mb_sad_calc", &[]),
                published("sad_8x8", "sad/larger_sad_calc_8", &[]),
                published("sad_16x16", "sad/larger_sad_calc_16", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("sad")
    }

    fn size_text(&self, size: Size) -> String {
        let [x, y] = extent(size);
        format!("{}x{} pixels, {SIDE}x{SIDE} places", 16 * x, 16 * y)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let macroblocks @ [x, y] = extent(size);
        let (frame, reference) = frames(16 * x, 16 * y, &mut SplitMix64::new(seed, 0));
        let mut script = Script::new(HOST);
        // The planes are longer than the kernels fill them, and are cleared as the suite clears them.
        let sums = script.input("sums", &vec![0_u16; x * y * PLANES * PLANE]);
        let device_frame = script.input("frame", &frame.pixels);
        let device_reference = script.input("reference", &reference.continued());
        script
            .launch("sad_4x4", [4 * x, 4 * y, 1], [THREADS, 1, 1])
            .pointer(sums)
            .pointer(device_frame)
            .pointer(device_reference)
            .u32(arg(x))
            .u32(arg(y));
        for (entry, block) in [("sad_8x8", [32, 4, 1]), ("sad_16x16", [32, 1, 1])] {
            script.launch(entry, [x, y, 1], block).pointer(sums).u32(arg(x)).u32(arg(y));
        }
        script.judge(move |results| results.exact(sums, &all_sums(macroblocks, &frame, &reference)));
        Ok(Box::new(script))
    }
}

/// A frame of a film.
struct Frame {
    width: usize,
    height: usize,
    pixels: Vec<u16>,
}

impl Frame {
    /// The pixel at a place counted from `RANGE` pixels left of and above the frame; beyond the border the
    /// nearest one.
    fn pixel(&self, x: usize, y: usize) -> u16 {
        let inside = |v: usize, end: usize| v.saturating_sub(RANGE).min(end - 1);
        self.pixels[inside(y, self.height) * self.width + inside(x, self.width)]
    }

    /// The frame with `RANGE` pixels more on each side.
    fn continued(&self) -> Vec<u16> {
        let (width, height) = (self.width + 2 * RANGE, self.height + 2 * RANGE);
        (0..width * height).map(|i| self.pixel(i % width, i / width)).collect()
    }
}

/// A frame and the one before it, in which all was up to eight pixels away; there is noise in both.
fn frames(width: usize, height: usize, random: &mut SplitMix64) -> (Frame, Frame) {
    let wide = width + 8;
    let film = image(random, wide, height + 8);
    let mut frame = || {
        let (dx, dy) = (random.below(9) as usize, random.below(9) as usize);
        let pixels = (0..width * height)
            .map(|i| film[(i / width + dy) * wide + i % width + dx])
            .map(|p| u16::from(p.saturating_add(random.below(4) as u8)))
            .collect();
        Frame { width, height, pixels }
    };
    (frame(), frame())
}

/// The planes of all shapes: shape, macroblock, block of the macroblock, place.
fn all_sums([x, y]: [usize; 2], frame: &Frame, reference: &Frame) -> Vec<u16> {
    let mut sums = Vec::with_capacity(x * y * PLANES * PLANE);
    for [width, height] in SHAPES {
        for macroblock in 0..x * y {
            for block in 0..256 / (width * height) {
                let (column, row) = (block % (16 / width), block / (16 / width));
                let origin = [16 * (macroblock % x) + width * column, 16 * (macroblock / x) + height * row];
                sums.extend((0..SIDE * SIDE).map(|place| {
                    difference(frame, reference, origin, [width, height], [place % SIDE, place / SIDE])
                }));
                sums.resize(sums.len() + PLANE - SIDE * SIDE, 0);
            }
        }
    }
    sums
}

/// Sum over the block of `size` at `origin`, held against the place `place` of the search.
fn difference(
    frame: &Frame,
    reference: &Frame,
    origin: [usize; 2],
    size: [usize; 2],
    place: [usize; 2],
) -> u16 {
    let [x0, y0] = origin;
    let row = |y: usize| -> u16 {
        let own = &frame.pixels[y * frame.width + x0..][..size[0]];
        own.iter().zip(x0..).map(|(p, x)| p.abs_diff(reference.pixel(x + place[0], y + place[1]))).sum()
    };
    (y0..y0 + size[1]).map(row).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ramp() -> Frame {
        Frame { width: 16, height: 16, pixels: (0..256).map(|i| i % 16).collect() }
    }

    #[test]
    fn differences_by_hand() {
        let at = |x, y| difference(&ramp(), &ramp(), [4, 4], [4, 4], [x, y]);
        assert_eq!((at(RANGE, RANGE), at(RANGE, 0), at(RANGE + 1, 3), at(RANGE - 3, 9)), (0, 0, 16, 48));
        // Far to the left all is the first column: 4 rows of 4 + 5 + 6 + 7.
        assert_eq!(at(0, RANGE), 88);
    }

    #[test]
    fn planes_of_a_shape_add_up_to_those_of_the_next() {
        let (frame, reference) = frames(32, 16, &mut SplitMix64::new(4, 0));
        let sums = all_sums([2, 1], &frame, &reference);
        let plane = |n: usize| &sums[n * PLANE..(n + 1) * PLANE];
        // Both macroblocks' planes: 16x16 from 0, 16x8 from 2, 8x16 from 6, 8x8 from 10.
        for at in [0, 500, SIDE * SIDE - 1] {
            let quarters: Vec<u16> = (14..18).map(|n| plane(n)[at]).collect();
            assert_eq!(plane(1)[at], quarters.iter().sum::<u16>());
            assert_eq!([plane(4)[at], plane(5)[at]], [quarters[0] + quarters[1], quarters[2] + quarters[3]]);
            assert_eq!([plane(8)[at], plane(9)[at]], [quarters[0] + quarters[2], quarters[1] + quarters[3]]);
        }
        assert_eq!(plane(81).len(), PLANE);
    }

    #[test]
    fn the_best_place_is_where_the_frame_came_from() {
        let (frame, reference) = frames(48, 48, &mut SplitMix64::new(1, 0));
        let sums = all_sums([3, 3], &frame, &reference);
        // The macroblock in the middle, whose surroundings are all there.
        let middle = &sums[4 * PLANE..4 * PLANE + SIDE * SIDE];
        let best = (0..SIDE * SIDE).min_by_key(|&p| middle[p]).expect("there are places");
        assert!(middle[best] < 256 * 4 && best != RANGE * SIDE + RANGE, "{best}: {}", middle[best]);
        let near = |v: usize| (RANGE - 8..=RANGE + 8).contains(&v);
        assert!(near(best % SIDE) && near(best / SIDE));
    }
}
