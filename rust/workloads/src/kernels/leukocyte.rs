//! Detection and tracking of white blood cells (Rodinia: `leukocyte`).
//!
//! All operations are fixed by the source, also the order of the sum that decides when a flow field has settled, so the
//! reference is exact, and the cells that the host picks between the launches are known beforehand.

mod frame;
mod reference;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, WHOLE, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use frame::{Circles, Image, frame, gradients};
use reference::{FLOW_THREADS, Motion, Window};

const HOST: Host = Host { workload: "leukocyte" };
/// Threads of a block that dilates.
const DILATE_THREADS: usize = 176;
/// Pixels between two circles.
const RADIUS_STEP: usize = 2;

/// The workload.
struct Leukocyte;

inventory::submit! { Entry(&Leukocyte) }

#[derive(Debug, Clone, Copy)]
struct Extent {
    /// Rows and columns of the frame.
    frame: [usize; 2],
    /// Circles, points of a circle, radius of the smallest.
    circles: usize,
    points: usize,
    smallest: usize,
    /// Radius of the disc that dilates.
    disc: usize,
    /// Cells that are tracked, and half the rows and columns around each.
    cells: usize,
    window: [usize; 2],
    most_iterations: u32,
    /// Mean movement below which a flow field has settled.
    cutoff: f32,
}

fn extent(size: Size) -> Extent {
    match size {
        Size::Smoke => Extent {
            frame: [48, 30],
            circles: 2,
            points: 12,
            smallest: 2,
            disc: 2,
            cells: 2,
            window: [9, 11],
            most_iterations: 4,
            cutoff: 0.01,
        },
        Size::Small => Extent {
            frame: [84, 60],
            circles: 3,
            points: 50,
            smallest: 4,
            disc: 4,
            cells: 4,
            window: [12, 20],
            most_iterations: 10,
            cutoff: 0.005,
        },
        Size::Paper => Extent {
            frame: [219, 640],
            circles: 7,
            points: 150,
            smallest: 8,
            disc: 12,
            cells: 36,
            window: [20, 40],
            most_iterations: 500,
            cutoff: 0.0005,
        },
    }
}

impl Extent {
    fn radii(&self) -> Vec<usize> {
        (0..self.circles).map(|n| self.smallest + n * RADIUS_STEP).collect()
    }

    /// Pixels at the border around which no cell is sought.
    fn rim(&self) -> usize {
        self.smallest + (self.circles - 1) * RADIUS_STEP + 2
    }

    fn motion(&self) -> Motion {
        Motion {
            velocity: [1.0, 1.0],
            width: 2.0,
            most_iterations: self.most_iterations,
            cutoff: self.cutoff,
        }
    }
}

/// The inputs, and what the device makes of them step by step.
struct Run {
    circles: Circles,
    gradients: [Image; 2],
    gicov: Image,
    dilated: Image,
    windows: Vec<Window>,
    flows: Vec<(Vec<f32>, u32)>,
}

impl Run {
    fn of(e: Extent, seed: u64) -> Self {
        let radii = e.radii();
        let cells = e.cells + e.cells / 2;
        let ends = [e.smallest, e.rim() - 2];
        let gradients = gradients(&frame(e.frame, cells, ends, &mut SplitMix64::new(seed, 0)));
        let circles = Circles::of(e.points, &radii);
        let gicov = reference::gicov(&gradients, e.rim(), &circles);
        let dilated = reference::dilate(&gicov, e.disc);
        let found = reference::cells(&gicov, &dilated, e.cells);
        let windows: Vec<_> = found.iter().map(|&cell| Window::of(&gradients, cell, e.window)).collect();
        let flows = windows.iter().map(|window| reference::flow(window, &e.motion())).collect();
        Self { circles, gradients, gicov, dilated, windows, flows }
    }
}

/// The disc that dilates, 1 for each pixel that belongs to it.
fn disc(radius: usize) -> Vec<f32> {
    let side = 0..=2 * radius;
    let pixels = side.clone().flat_map(|y| side.clone().map(move |x| [y, x].map(|p| p.abs_diff(radius))));
    pixels.map(|[y, x]| f32::from(u8::from(y * y + x * x <= radius * radius))).collect()
}

impl Workload for Leukocyte {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "cells in an image: gathers along circles, dilation, a flow field in shared memory until it settles"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("leukocyte_gicov", "leukocyte/GICOV_kernel", &[]),
                published("leukocyte_dilate", "leukocyte/dilate_kernel", &[]),
                published("leukocyte_flow", "leukocyte/IMGVF_kernel", &[]),
                published(
                    WHOLE,
                    "osm/leukocyte",
                    &[(
                        Quantity::Footprint,
                        "with the suite's frame the gradients on the circles around an SM's 8 columns take 523 KB; all other \
                         arrays take 214 KB",
                    )],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("leukocyte")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        let [rows, columns] = e.frame;
        format!("{columns}x{rows} pixels, {} circles of {} points, {} cells", e.circles, e.points, e.cells)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let run = Run::of(e, seed);
        let [rows, columns] = e.frame;
        let side = 2 * e.disc + 1;
        let mut script = Script::new(HOST);
        script.constant("circumference", &run.circles.words()).constant("disc", &disc(e.disc));
        let [along_x, along_y] = &run.gradients;
        let gradients = [("gradient x", along_x), ("gradient y", along_y)];
        let gradients = gradients.map(|(name, image)| script.input(name, &image.pixels));
        let gicov = script.input("gicov", &vec![0.0_f32; rows * columns]);
        let dilated = script.output::<f32>("dilated", rows * columns);
        let inside = |pixels: usize| pixels - 2 * e.rim();
        script
            .launch("leukocyte_gicov", [inside(columns), 1, 1], [inside(rows), 1, 1])
            .u32(arg(rows))
            .u32(arg(e.rim()))
            .u32(arg(e.circles))
            .u32(arg(e.points))
            .pointer(gradients[0])
            .pointer(gradients[1])
            .pointer(gicov);
        script
            .launch(
                "leukocyte_dilate",
                [(rows * columns).div_ceil(DILATE_THREADS), 1, 1],
                [DILATE_THREADS, 1, 1],
            )
            .u32(arg(rows))
            .u32(arg(columns))
            .u32(arg(side))
            .u32(arg(side))
            .pointer(gicov)
            .pointer(dilated);

        let values: Vec<f32> = run.windows.iter().flat_map(|w| w.values.iter().copied()).collect();
        let first = |n: usize| run.windows[..n].iter().map(|w| arg(w.values.len())).sum::<u32>();
        let each = |of: &dyn Fn(usize) -> u32| (0..run.windows.len()).map(of).collect::<Vec<_>>();
        let fields = script.input("fields", &values);
        let images = script.input("images", &values);
        let firsts = script.input("first", &each(&first));
        let rows_of = script.input("rows", &each(&|n| arg(run.windows[n].rows)));
        let columns_of = script.input("columns", &each(&|n| arg(run.windows[n].columns)));
        let motion = e.motion();
        script
            .launch("leukocyte_flow", [run.windows.len(), 1, 1], [FLOW_THREADS, 1, 1])
            .pointer(fields)
            .pointer(images)
            .pointer(firsts)
            .pointer(rows_of)
            .pointer(columns_of)
            .f32(motion.velocity[0])
            .f32(motion.velocity[1])
            .f32(motion.width)
            .u32(motion.most_iterations)
            .f32(motion.cutoff);

        script.judge(move |results| {
            results.exact(gicov, &run.gicov.pixels)?;
            // The device stores the dilated image row by row.
            let by_rows = Image::of(columns, rows, |column, row| run.dilated.at(row, column));
            results.exact(dilated, &by_rows.pixels)?;
            let flows: Vec<f32> = run.flows.iter().flat_map(|(field, _)| field.iter().copied()).collect();
            results.exact(fields, &flows)
        });
        Ok(Box::new(script))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_by_hand() {
        assert_eq!(disc(1), [0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
        assert_eq!(disc(12).len(), 625);
    }

    #[test]
    fn all_cells_are_found_and_fields_settle_or_run_out_of_iterations() {
        for size in Size::ALL {
            let e = extent(size);
            let run = Run::of(e, 1);
            assert_eq!(run.windows.len(), e.cells, "{size}");
            assert!(run.windows.iter().all(|w| w.rows <= 41 && w.columns <= 81), "{size}");
            let iterations: Vec<u32> = run.flows.iter().map(|f| f.1).collect();
            assert!(iterations.iter().any(|&n| n < e.most_iterations), "{size}: {iterations:?}");
        }
    }
}
