//! A saturating histogram with many bins (Parboil: `histo`).
//!
//! The reference counts. The hot range that the first launch finds is fixed to the bit by the order of
//! its sums, so the host knows it beforehand, and it is compared.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::pinned::Pinned;
use crate::published::{OWN_SOURCE, Published, Quantity, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "histo" };
/// Threads of a block that looks for the hot range.
const PRESCAN: usize = 512;
/// Threads of a block that counts.
const MAIN: usize = 768;
/// Threads of a block that adds up.
const FINAL: usize = 512;
/// Bins of a window.
const WINDOW: usize = 24_576;
/// Rows of the image that a block maps.
const ROWS: usize = 16;

/// The workload.
struct Histo;

inventory::submit! { Entry(&Histo) }

inventory::submit! {
    Entry(&Pinned {
        name: "histo-racetrack",
        title: "histo with the registers per thread of the racetrack paper",
        base: &Histo,
        rows: &[
            published("histo_main", "racetrack/histo-main", &[]),
            published("histo_final", "racetrack/histo-final", &[]),
        ],
    })
}

/// Sides of the image, windows of bins, and blocks of the first, third and last launch.
#[derive(Debug, Clone, Copy)]
struct Extent {
    width: usize,
    height: usize,
    windows: usize,
    prescan_blocks: usize,
    main_blocks: usize,
    final_blocks: usize,
}

fn extent(size: Size) -> Extent {
    let (width, height, windows, prescan_blocks, main_blocks, final_blocks) = match size {
        Size::Smoke => (97, 50, 2, 4, 2, 6),
        Size::Small => (400, 200, 4, 16, 8, 16),
        Size::Paper => (996, 1040, 86, 64, 14, 42),
    };
    Extent { width, height, windows, prescan_blocks, main_blocks, final_blocks }
}

impl Workload for Histo {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "saturating histogram: byte counters by compare-and-swap in shared memory"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("histo_prescan", "histo-base/histo_prescan_kernel", &[]),
                published("histo_intermediates", "histo-base/histo_intermediates_kernel", &[]),
                published("histo_main", "histo/histo_main_kernel", &[]),
                published("histo_final", "histo/histo_final_kernel", &[(Quantity::Registers, OWN_SOURCE)]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("histo")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{}x{} pixels, {} bins", e.width, e.height, e.windows * WINDOW)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let pixels = pixels(e, &mut SplitMix64::new(seed, 0));
        let [low, high] = hot_range(e, &pixels);
        let first = low as usize / WINDOW;
        let windows = (high as usize / WINDOW).min(e.windows - 1) - first + 1;
        let words = e.windows * WINDOW / 4;
        let mut script = Script::new(HOST);
        let input = script.input("image", &pixels);
        let range = script.input("range", &[u32::MAX, 0]);
        let mapped = script.output::<u32>("mapped", pixels.len());
        let cold = script.input("cold", &vec![0_u32; e.windows * WINDOW]);
        let parts = script.output::<u32>("parts", windows * e.main_blocks * WINDOW / 4);
        let histogram = script.output::<u32>("histogram", words);
        script
            .launch("histo_prescan", [e.prescan_blocks, 1, 1], [PRESCAN, 1, 1])
            .pointer(input)
            .u32(arg(pixels.len()))
            .pointer(range);
        script
            .launch("histo_intermediates", [e.height.div_ceil(ROWS), 1, 1], [e.width.div_ceil(2), 1, 1])
            .pointer(input)
            .u32(arg(e.height))
            .u32(arg(e.width))
            .u32(arg(e.width))
            .pointer(mapped);
        script
            .launch("histo_main", [e.main_blocks, windows, 1], [MAIN, 1, 1])
            .pointer(mapped)
            .u32(arg(pixels.len()))
            .u32(arg(first))
            .u32(arg(windows))
            .pointer(cold)
            .pointer(parts);
        script
            .launch("histo_final", [e.final_blocks, 1, 1], [FINAL, 1, 1])
            .u32(arg(first))
            .u32(arg(windows))
            .u32(arg(e.main_blocks))
            .pointer(parts)
            .pointer(cold)
            .pointer(histogram)
            .u32(arg(words));
        script.judge(move |results| {
            results.exact(range, &[low, high])?;
            results.exact(histogram, &counts(e, &pixels))
        });
        Ok(Box::new(script))
    }
}

/// Bins near one place, some of them very often, and a few anywhere.
fn pixels(e: Extent, random: &mut SplitMix64) -> Vec<u32> {
    let bins = arg(e.windows * WINDOW);
    let center = bins / 2 - bins / 5;
    (0..e.width * e.height)
        .map(|_| match random.below(100) {
            0 => random.below(bins),
            1..20 => center + random.below(3),
            _ => center + random.below(400) + random.below(400),
        })
        .collect()
}

/// Lowest and highest bin that some block's mean and mean deviation reach to.
fn hot_range(e: Extent, pixels: &[u32]) -> [u32; 2] {
    let mut range = [u32::MAX, 0];
    for part in pixels.chunks_exact(pixels.len() / e.prescan_blocks).take(e.prescan_blocks) {
        let statistics = |thread: usize| {
            let values = || part.iter().skip(thread).step_by(PRESCAN).map(|&v| v as f32);
            let count = values().count() as f32;
            if count == 0.0 {
                return (0.0, 0.0);
            }
            let mean = values().fold(0.0, |sum, v| sum + v) / count;
            (mean, values().fold(0.0, |sum, v| sum + (v - mean).abs()) / count)
        };
        let mut all: Vec<(f32, f32)> = (0..PRESCAN).map(statistics).collect();
        while all.len() > 1 {
            let upper = all.split_off(all.len() / 2);
            for (a, b) in all.iter_mut().zip(upper) {
                *a = ((a.0 + b.0) * 0.5, (a.1 + b.1) * 0.5);
            }
        }
        let (mean, reach) = (all[0].0, 10.0 * all[0].1);
        // A negative float becomes 0.
        range = [range[0].min((mean - reach) as u32), range[1].max((mean + reach) as u32)];
    }
    range
}

/// Four bins a word, none above 255.
fn counts(e: Extent, pixels: &[u32]) -> Vec<u32> {
    let mut counts = vec![0_u8; e.windows * WINDOW];
    for &bin in pixels {
        counts[bin as usize] = counts[bin as usize].saturating_add(1);
    }
    counts.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: Extent =
        Extent { width: 40, height: 30, windows: 1, prescan_blocks: 1, main_blocks: 1, final_blocks: 1 };

    #[test]
    fn counts_saturate() {
        let pixels: Vec<u32> = (0..1200).map(|i| if i < 300 { 5 } else { 8 + i % 4 }).collect();
        let words = counts(TINY, &pixels);
        assert_eq!((words[1], words[2]), (0x0000_FF00, 0xE1E1_E1E1));
    }

    #[test]
    fn a_constant_image_has_a_range_of_one_bin() {
        assert_eq!(hot_range(TINY, &[1234; 1200]), [1234, 1234]);
    }

    #[test]
    fn inputs_saturate_some_bins_and_have_a_cold_part() {
        let e = extent(Size::Smoke);
        let pixels = pixels(e, &mut SplitMix64::new(1, 0));
        let [_, high] = hot_range(e, &pixels);
        assert!(counts(e, &pixels).iter().any(|w| w.to_le_bytes().contains(&255)));
        assert!((high as usize) < e.windows * WINDOW);
    }
}
