//! Speckle-reducing anisotropic diffusion (Rodinia: `srad`, version 2).
//!
//! The host derives the variation of the speckle from a homogeneous region of the image before every step. All
//! operations are fixed by the source, also those in double precision that its constants bring, so the
//! reference is exact and gives the host the statistics of every step.

use super::{arg, ptx};
use crate::buffers::Host;
use crate::input::{GreyImage, InputFile, take};
use crate::inputs;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "srad" };
/// Side of a tile, and of the homogeneous region.
const TILE: usize = 16;
const LAMBDA: f32 = 0.5;
/// Variation of the speckle in an image from a file at least: below it is the noise of rounding.
const LEAST_SPECKLE: f32 = 1e-4;
/// Pixels of an image from a file at most: six arrays of floats of it are in device memory.
const MAX_PIXELS: usize = 1 << 24;

/// The workload.
struct Srad;

inventory::submit! { Entry(&Srad) }

/// Pixels and steps; rows and columns are multiples of the tile.
#[derive(Debug, Clone, Copy)]
struct Extent {
    rows: usize,
    columns: usize,
    steps: usize,
}

fn extent(size: Size) -> Extent {
    let (rows, columns, steps) = match size {
        Size::Smoke => (64, 48, 2),
        Size::Small => (160, 176, 2),
        Size::Paper => (2048, 2048, 2),
    };
    Extent { rows, columns, steps }
}

impl Workload for Srad {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "anisotropic diffusion of an image in tiles: divergence at their rims, some double precision"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("srad_coefficients", "srad/srad_cuda_1", &[]),
                published("srad_update", "srad/srad_cuda_2", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("srad")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{}x{} pixels, {} steps", e.rows, e.columns, e.steps)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let grey = inputs::image(&mut SplitMix64::new(seed, 0), e.columns, e.rows);
        let start = exponentials(&grey);
        let end = End::of(e, &start);
        Ok(Box::new(script(e, &start, end)))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["a pgm image with sides that are multiples of 16"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        let GreyImage { width, height, pixels } = GreyImage::parse(file)?;
        let found = || format!("{width} x {height} pixels");
        if ![width, height].iter().all(|side| side.is_multiple_of(TILE)) {
            return Err(file.unfit(format!("sides that are multiples of {TILE}"), found()).into());
        }
        if pixels.len() > MAX_PIXELS {
            return Err(file.unfit(format!("{MAX_PIXELS} pixels at most"), found()).into());
        }
        let e = Extent { rows: height, columns: width, ..extent(Size::Paper) };
        let start = exponentials(&pixels);
        let end = End::of(e, &start);
        if !end.speckles.iter().all(|&speckle| speckle >= LEAST_SPECKLE) {
            let expected = format!("speckle in the first {TILE} x {TILE} pixels");
            return Err(file.unfit(expected, "an even region").into());
        }
        Ok(Box::new(script(e, &start, end)))
    }
}

/// The steps from the image `start`.
fn script(e: Extent, start: &[f32], end: End) -> Script {
    let mut script = Script::new(HOST);
    let image = script.input("image", start);
    let differences = ["east", "west", "north", "south"].map(|side| script.output::<f32>(side, start.len()));
    let coefficients = script.output::<f32>("coefficients", start.len());
    let (grid, block) = ([e.columns / TILE, e.rows / TILE, 1], [TILE, TILE, 1]);
    for &speckle in &end.speckles {
        let plan = script.launch("srad_coefficients", grid, block);
        differences.iter().fold(&mut *plan, |plan, &d| plan.pointer(d));
        plan.pointer(image).pointer(coefficients).u32(arg(e.columns)).f32(speckle);
        let plan = script.launch("srad_update", grid, block);
        differences.iter().fold(&mut *plan, |plan, &d| plan.pointer(d));
        plan.pointer(image).pointer(coefficients).u32(arg(e.columns)).f32(LAMBDA);
    }
    script.judge(move |results| {
        results.exact(image, &end.image)?;
        let Some(flow) = &end.flow else { return Ok(()) };
        results.exact(coefficients, &flow.coefficients)?;
        differences.iter().zip(&flow.differences).try_for_each(|(&id, d)| results.exact(id, d))
    });
    script
}

/// Exponentials of an image with grey values in 0 .. 1, as speckle is multiplicative.
fn exponentials(grey: &[u8]) -> Vec<f32> {
    // The series in Horner's form has the same bits on every machine, which a library's function does not promise.
    let exponential = |x: f64| (1..=12).rev().fold(1.0, |sum, k| 1.0 + sum * x / f64::from(k));
    grey.iter().map(|&p| exponential(f64::from(p) / 255.0) as f32).collect()
}

/// What the steps lead to.
struct End {
    /// Variation of the speckle before each step.
    speckles: Vec<f32>,
    /// The last step.
    flow: Option<Flow>,
    image: Vec<f32>,
}

impl End {
    fn of(e: Extent, start: &[f32]) -> Self {
        let mut end = Self { speckles: Vec::new(), flow: None, image: start.to_vec() };
        for _ in 0..e.steps {
            let speckle = variation(e, &end.image);
            let flow = Flow::of(e, &end.image, speckle);
            end.image = flow.update(e, &end.image);
            end.speckles.push(speckle);
            end.flow = Some(flow);
        }
        end
    }
}

/// Squared coefficient of variation in the region of a tile's size in the corner.
fn variation(e: Extent, pixels: &[f32]) -> f32 {
    let region = || pixels.chunks_exact(e.columns).take(TILE).flat_map(|row| &row[..TILE]);
    let count = (TILE * TILE) as f32;
    let mean = region().sum::<f32>() / count;
    let squares: f32 = region().map(|p| p * p).sum();
    (squares / count - mean * mean) / (mean * mean)
}

/// Differences of each pixel to its neighbours, and its coefficient.
struct Flow {
    /// East, west, north, south.
    differences: [Vec<f32>; 4],
    coefficients: Vec<f32>,
}

impl Flow {
    fn of(e: Extent, pixels: &[f32], speckle: f32) -> Self {
        let mut flow = Self { differences: Default::default(), coefficients: Vec::new() };
        for (at, &p) in pixels.iter().enumerate() {
            let [east, south] = ahead(e, at);
            let west = if at % e.columns == 0 { at } else { at - 1 };
            let north = if at < e.columns { at } else { at - e.columns };
            let [e, w, n, s] = [east, west, north, south].map(|neighbour| pixels[neighbour] - p);
            for (all, d) in flow.differences.iter_mut().zip([e, w, n, s]) {
                all.push(d);
            }
            let gradient = (n * n + s * s + w * w + e * e) / (p * p);
            flow.coefficients.push(coefficient(gradient, (n + s + w + e) / p, speckle));
        }
        flow
    }

    /// The image after the step: the divergence takes the coefficients of the pixel, east and south of it.
    fn update(&self, extent: Extent, pixels: &[f32]) -> Vec<f32> {
        let next = |(at, &p): (usize, &f32)| {
            let [e, w, n, s] = self.differences.each_ref().map(|d| d[at]);
            let [east, south] = ahead(extent, at).map(|neighbour| self.coefficients[neighbour]);
            let c = self.coefficients[at];
            let divergence = c * n + south * s + c * w + east * e;
            (f64::from(p) + 0.25 * f64::from(LAMBDA) * f64::from(divergence)) as f32
        };
        pixels.iter().enumerate().map(next).collect()
    }
}

/// The pixels east and south of a pixel: itself at the border.
fn ahead(e: Extent, at: usize) -> [usize; 2] {
    let (row, column) = (at / e.columns, at % e.columns);
    [at + usize::from(column + 1 < e.columns), if row + 1 < e.rows { at + e.columns } else { at }]
}

/// How freely a pixel diffuses, 0 to 1, from squared gradient, Laplacian and speckle.
fn coefficient(gradient: f32, laplacian: f32, speckle: f32) -> f32 {
    let numerator = 0.5 * f64::from(gradient) - (1.0 / 16.0) * f64::from(laplacian * laplacian);
    let root = (1.0 + 0.25 * f64::from(laplacian)) as f32;
    let variation = numerator as f32 / (root * root);
    let excess = (variation - speckle) / (speckle * (1.0 + speckle));
    ((1.0 / (1.0 + f64::from(excess))) as f32).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Extent = Extent { rows: 16, columns: 16, steps: 1 };

    fn grey() -> Vec<u8> {
        inputs::image(&mut SplitMix64::new(1, 0), SQUARE.columns, SQUARE.rows)
    }

    fn of_file(width: usize, height: usize, pixels: &[u8]) -> Result<(), String> {
        let head = format!("P5 {width} {height} 255\n");
        let file = InputFile::new("i.pgm", [head.as_bytes(), pixels].concat());
        Srad.instance_of(&[file]).map(|_| ()).map_err(|e| e.to_string())
    }

    #[test]
    fn images_from_files_have_whole_tiles_and_speckle() {
        assert_eq!(of_file(16, 16, &grey()), Ok(()));
        let error = |width, height, pixels: &[u8]| of_file(width, height, pixels).expect_err("a fault");
        assert_eq!(
            error(8, 32, &grey()),
            "i.pgm: expected sides that are multiples of 16, found 8 x 32 pixels"
        );
        let even = "i.pgm: expected speckle in the first 16 x 16 pixels, found an even region";
        assert_eq!(error(16, 16, &[9; 256]), even);
        // The speckle is elsewhere.
        assert_eq!(error(16, 32, &[vec![9; 256], grey()].concat()), even);
        let side = 4096;
        assert_eq!(
            error(side + 16, side, &vec![1; (side + 16) * side]),
            "i.pgm: expected 16777216 pixels at most, found 4112 x 4096 pixels"
        );
    }

    #[test]
    fn coefficients_by_hand() {
        // A variation of exactly the speckle diffuses fully; more diffuses less, less not more.
        assert_eq!(coefficient(0.5, 0.0, 0.25), 1.0);
        assert_eq!(coefficient(0.0, 0.0, 0.25), 1.0);
        // Variation 0.5, excess 0.25 / (0.25 * 1.25), which is rounded to a float.
        assert_eq!(coefficient(1.0, 0.0, 0.25), (1.0 / (1.0 + f64::from(0.8_f32))) as f32);
        // Variation (4 - 4) / 9: the Laplacian takes the gradient away.
        assert_eq!(coefficient(8.0, 8.0, 0.5), 1.0);
    }

    #[test]
    fn an_even_image_stays() {
        let image = vec![2.0; 256];
        let flow = Flow::of(SQUARE, &image, 0.1);
        assert!(flow.coefficients.iter().all(|&c| c == 1.0));
        assert_eq!(flow.update(SQUARE, &image), image);
    }

    #[test]
    fn diffusion_keeps_the_sum_and_flattens_speckle() {
        let image = exponentials(&grey());
        let speckle = variation(SQUARE, &image);
        let next = Flow::of(SQUARE, &image, speckle).update(SQUARE, &image);
        let sum = |pixels: &[f32]| pixels.iter().map(|&p| f64::from(p)).sum::<f64>();
        assert!((sum(&image) - sum(&next)).abs() < 1e-4);
        assert!(variation(SQUARE, &next) < 0.99 * speckle);
    }

    #[test]
    fn exponentials_are_those_of_the_library() {
        for (p, g) in exponentials(&grey()).iter().zip(grey()) {
            assert!((f64::from(*p) - (f64::from(g) / 255.0).exp()).abs() < 1e-6);
        }
    }
}
