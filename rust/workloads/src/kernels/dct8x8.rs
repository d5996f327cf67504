//! Discrete cosine transforms of an image in blocks of 8 x 8 (CUDA samples: `dct8x8`).
//!
//! Forth, quantised and back: by matrix products, by fast transforms, and by fast transforms on 16-bit
//! integers. The references are exact; see [`transform`].

mod transform;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::input::{GreyImage, InputFile, take};
use crate::inputs::image;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::{Id, Script};
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use transform::{Plane, STEPS, basis};

const HOST: Host = Host { workload: "dct8x8" };
/// Samples a side of a block of the image.
const N: usize = 8;

/// The workload.
struct Dct8x8;

inventory::submit! { Entry(&Dct8x8) }

/// Width and height of the image, multiples of 32.
fn extent(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (64, 32),
        Size::Small => (256, 192),
        Size::Paper => (512, 512),
    }
}

impl Workload for Dct8x8 {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "cosine transforms of an image: matrix products, fast transforms, 16-bit integers"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("dct8x8_matrix", "dct8x8/CUDAkernel1DCT", &[(Quantity::Registers, REORDERED)]),
                published(
                    "dct8x8_matrix_inverse",
                    "dct8x8/CUDAkernel1IDCT",
                    &[(Quantity::Registers, REORDERED)],
                ),
                published("dct8x8_fast", "dct8x8/CUDAkernel2DCT", &[]),
                published("dct8x8_fast_inverse", "dct8x8/CUDAkernel2IDCT", &[]),
                published(
                    "dct8x8_quantize",
                    "dct8x8/CUDAkernelQuantizationFloat",
                    &[(Quantity::Registers, REORDERED)],
                ),
                published("dct8x8_short", "dct8x8/CUDAkernelShortDCT", &[]),
                published("dct8x8_short_inverse", "dct8x8/CUDAkernelShortIDCT", &[]),
                published(
                    "dct8x8_short_quantize",
                    "dct8x8/CUDAkernelQuantizationShort",
                    &[(Quantity::Registers, REORDERED)],
                ),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("dct8x8")
    }

    fn size_text(&self, size: Size) -> String {
        let (width, height) = extent(size);
        format!("{width}x{height} pixels, three ways")
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (width, height) = extent(size);
        let pixels = image(&mut SplitMix64::new(seed, 0), width, height);
        Ok(Box::new(script(&GreyImage { width, height, pixels })))
    }

    fn input_files(&self) -> &'static [&'static str] {
        &["a pgm image with sides that are multiples of 32"]
    }

    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        let [file] = take(self, files)?;
        let image = GreyImage::parse(file)?;
        if ![image.width, image.height].iter().all(|side| side.is_multiple_of(4 * N)) {
            let found = format!("{} x {} pixels", image.width, image.height);
            return Err(file.unfit(format!("sides that are multiples of {}", 4 * N), found).into());
        }
        Ok(Box::new(script(&image)))
    }
}

/// Transforms `image` in three ways.
fn script(image: &GreyImage) -> Script {
    let GreyImage { width, height, ref pixels } = *image;
    let floats: Vec<f32> = pixels.iter().map(|&p| f32::from(p) - 128.0).collect();
    let shorts: Vec<i16> = pixels.iter().map(|&p| i16::from(p) - 128).collect();
    let mut script = Script::new(HOST);
    script.constant("basis", &basis().concat()).constant("steps", &STEPS.concat());
    let input = script.input("image", &floats);
    let [by_matrix, by_matrix_back, fast, fast_back] =
        ["matrix", "matrix back", "fast", "fast back"].map(|name| script.output::<f32>(name, floats.len()));
    let integers = script.input("integers", &shorts);

    let blocks = [width / N, height / N, 1];
    let quads = [width / (4 * N), height / (2 * N), 1];
    let squares = [width / (4 * N), height / (4 * N), 1];
    let mut launch = |entry: &'static str, grid, block, buffers: &[Id]| {
        let plan = script.launch(entry, grid, block);
        for &buffer in buffers {
            plan.pointer(buffer);
        }
        plan.u32(arg(width));
    };
    launch("dct8x8_matrix", blocks, [N, N, 1], &[by_matrix, input]);
    launch("dct8x8_quantize", blocks, [N, N, 1], &[by_matrix]);
    launch("dct8x8_matrix_inverse", blocks, [N, N, 1], &[by_matrix_back, by_matrix]);
    launch("dct8x8_fast", quads, [N, 4, 2], &[fast, input]);
    launch("dct8x8_quantize", blocks, [N, N, 1], &[fast]);
    launch("dct8x8_fast_inverse", quads, [N, 4, 2], &[fast_back, fast]);
    launch("dct8x8_short", squares, [N, 4, 4], &[integers]);
    launch("dct8x8_short_quantize", blocks, [N, N, 1], &[integers]);
    launch("dct8x8_short_inverse", squares, [N, 4, 4], &[integers]);
    script.judge(move |results| {
        let plane = Plane { width, samples: floats.clone() };
        let coefficients = plane.map(transform::matrix_forward).map(transform::quantize);
        results.exact(by_matrix, &coefficients.samples)?;
        results.exact(by_matrix_back, &coefficients.map(transform::matrix_backward).samples)?;
        let coefficients = plane.map(transform::fast_forward).map(transform::quantize);
        results.exact(fast, &coefficients.samples)?;
        results.exact(fast_back, &coefficients.map(transform::fast_backward).samples)?;
        let plane = Plane { width, samples: shorts.clone() };
        let back =
            plane.map(transform::short_forward).map(transform::short_quantize).map(transform::short_backward);
        results.exact(integers, &back.samples)
    });
    script
}
