//! Tracking of points through the frames of an ultrasound film (Rodinia: `heartwall`).
//!
//! The reference is exact: the source of the kernel fixes the order of every sum, with divisions and roots
//! as IEEE rounds them.

mod reference;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::inputs::image;
use crate::published::{Published, Quantity, WHOLE, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use reference::{Track, track};

const HOST: Host = Host { workload: "heartwall" };
/// Threads of a block.
const THREADS: usize = 256;
/// What a template keeps of itself when it learns.
const KEEP: f32 = 0.87;
/// Templates learn in every so-many-th frame.
const LEARN_EVERY: usize = 2;

/// The workload.
struct Heartwall;

inventory::submit! { Entry(&Heartwall) }

/// What the run is of.
#[derive(Debug, Clone, Copy)]
struct Extent {
    /// Rows and columns of a frame.
    height: usize,
    width: usize,
    frames: usize,
    points: usize,
    /// Pixels from the middle of a template to its border.
    radius: usize,
    /// Pixels from the middle of the window of search to its border.
    reach: usize,
    /// Side of the square of places around the last one that are taken.
    near: usize,
}

impl Extent {
    /// Side of a template.
    fn template(&self) -> usize {
        2 * self.radius + 1
    }

    /// Side of the window of search.
    fn window(&self) -> usize {
        2 * self.reach + 1
    }

    /// Side of the places in which template and window overlap.
    fn places(&self) -> usize {
        self.window() + self.template() - 1
    }
}

fn extent(size: Size) -> Extent {
    let (height, width, frames, points, radius, reach, near) = match size {
        Size::Smoke => (60, 70, 3, 3, 3, 6, 5),
        Size::Small => (100, 120, 3, 6, 5, 10, 7),
        // The suite's film, points and sizes.
        Size::Paper => (609, 590, 3, 51, 25, 40, 10),
    };
    Extent { height, width, frames, points, radius, reach, near }
}

impl Workload for Heartwall {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "points tracked through a film: convolution, running sums, one block a point, long phases"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("heartwall", "heartwall/kernel", &[]),
                published(
                    WHOLE,
                    "osm/heartwall",
                    &[(
                        Quantity::Footprint,
                        "with the suite's sizes the arrays of one point alone take 530 KB",
                    )],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("heartwall")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!(
            "{} points in {} frames of {}x{} pixels, templates of {}x{} in windows of {}x{}",
            e.points,
            e.frames,
            e.width,
            e.height,
            e.template(),
            e.template(),
            e.window(),
            e.window()
        )
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let mut random = SplitMix64::new(seed, 0);
        let film = film(e, &mut random);
        let points = points(e, &mut random);
        let padded = e.window() + 2 * e.template();
        let each = |elements: usize| e.points * elements;
        let mut script = Script::new(HOST);
        let sizes = [e.height, e.frames, e.radius, e.reach, e.near, LEARN_EVERY].map(arg);
        script.constant("common", &[sizes.as_slice(), &[KEEP.to_bits()]].concat());
        let frame = script.input("frame", &film[0]);
        let rows = script.input("rows", &points.iter().map(|p| arg(p[0])).collect::<Vec<_>>());
        let columns = script.input("columns", &points.iter().map(|p| arg(p[1])).collect::<Vec<_>>());
        let templates = script.output::<f32>("templates", each(e.template().pow(2)));
        let windows = script.output::<f32>("windows", each(e.window().pow(2)));
        let places = script.output::<f32>("places", each(e.places().pow(2)));
        let paddeds = script.output::<f32>("padded windows", each(padded.pow(2)));
        let strips = script.output::<f32>("strips", each(padded * e.places()));
        let [sums, squares, masks] = ["sums", "sums of squares", "masks"]
            .map(|name| script.output::<f32>(name, each(e.places().pow(2))));
        let [found_rows, found_columns] =
            ["found rows", "found columns"].map(|name| script.output::<u32>(name, each(e.frames)));
        for (number, pixels) in film.iter().enumerate() {
            if number > 0 {
                script.rewrite(frame, pixels);
            }
            let plan = script.launch("heartwall", [e.points, 1, 1], [THREADS, 1, 1]);
            plan.u32(arg(number));
            for buffer in [
                frame,
                rows,
                columns,
                templates,
                windows,
                places,
                paddeds,
                strips,
                sums,
                squares,
                masks,
                found_rows,
                found_columns,
            ] {
                plan.pointer(buffer);
            }
        }
        script.judge(move |results| {
            let tracks: Vec<Track> = points.iter().map(|&p| track(e, &film, p)).collect();
            let found = |axis: usize| -> Vec<u32> {
                tracks.iter().flat_map(|t| &t.found).map(|p| arg(p[axis])).collect()
            };
            let all = |part: fn(&Track) -> &Vec<f32>| -> Vec<f32> {
                tracks.iter().flat_map(part).copied().collect()
            };
            results.exact(found_rows, &found(0))?;
            results.exact(found_columns, &found(1))?;
            results.exact(templates, &all(|t| &t.template))?;
            results.exact(windows, &all(|t| &t.window))?;
            results.exact(sums, &all(|t| &t.sums))?;
            results.exact(squares, &all(|t| &t.squares))
        });
        Ok(Box::new(script))
    }
}

/// Frames, column by column: a picture that moves by up to two pixels a frame, with noise.
fn film(e: Extent, random: &mut SplitMix64) -> Vec<Vec<f32>> {
    let room = 4 * (e.frames - 1);
    let wide = e.width + room;
    let picture = image(random, wide, e.height + room);
    let [mut x, mut y] = [room / 2; 2];
    (0..e.frames)
        .map(|number| {
            if number > 0 {
                x = x + random.below(5) as usize - 2;
                y = y + random.below(5) as usize - 2;
            }
            (0..e.width * e.height)
                .map(|i| picture[(i % e.height + y) * wide + i / e.height + x])
                .map(|pixel| f32::from(pixel) + 1.0 + random.below(4) as f32)
                .collect()
        })
        .collect()
}

/// Row and column of each point, so far from the border that no search ends there.
fn points(e: Extent, random: &mut SplitMix64) -> Vec<[usize; 2]> {
    let margin = 2 * e.radius + e.reach + 1;
    let mut within = |end: usize| margin + random.below(arg(end - 2 * margin)) as usize;
    (0..e.points).map(|_| [within(e.height), within(e.width)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_their_windows_lie_in_the_frame() {
        for size in Size::ALL {
            let e = extent(size);
            // No place is further from the point than template and window overlap.
            let far = e.reach + 2 * e.radius;
            for [row, column] in points(e, &mut SplitMix64::new(1, 0)) {
                assert!(row > far && row + far < e.height && column > far && column + far < e.width);
            }
            assert_eq!(film(e, &mut SplitMix64::new(1, 0)).len(), e.frames);
        }
    }

    #[test]
    fn points_follow_the_picture() {
        let e = extent(Size::Smoke);
        let film = film(e, &mut SplitMix64::new(7, 0));
        let film = [film[0].clone(), shifted(e, &film[0], 2, 1), shifted(e, &film[0], 1, 3)];
        for point in points(e, &mut SplitMix64::new(7, 1)) {
            let [row, column] = point;
            let found = track(e, &film, point).found;
            assert_eq!(found, [[row, column], [row + 2, column + 1], [row + 1, column + 3]]);
        }
    }

    /// The frame, moved by so many rows and columns; what comes in at the border repeats it.
    fn shifted(e: Extent, frame: &[f32], rows: usize, columns: usize) -> Vec<f32> {
        let from = |i: usize| {
            let (row, column) = ((i % e.height).saturating_sub(rows), (i / e.height).saturating_sub(columns));
            frame[column * e.height + row]
        };
        (0..frame.len()).map(from).collect()
    }
}
