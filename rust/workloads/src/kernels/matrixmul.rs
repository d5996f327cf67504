//! Product of two matrices in tiles of 16 x 16 (CUDA samples: `matrixMul`).
//!
//! The reference is exact: every element is accumulated from zero by one IEEE fused multiply-add a
//! product, k ascending, as the source of the kernel says.

use heddle_isa::{DeviceMemory, KernelLaunch};

use super::{arg, ptx};
use crate::buffers::{Buffer, Host};
use crate::params::ParamBlock;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Entry, Instance, Launch, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "matrixmul" };
const TILE: usize = 16;

/// The workload.
struct MatrixMul;

inventory::submit! { Entry(&MatrixMul) }

/// Sides of the matrices, multiples of the tile: A is `rows x inner`, B is `inner x columns`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    rows: usize,
    inner: usize,
    columns: usize,
}

fn shape(size: Size) -> Shape {
    let (rows, inner, columns) = match size {
        Size::Smoke => (48, 64, 48),
        Size::Small => (128, 160, 144),
        Size::Paper => (320, 320, 640),
    };
    Shape { rows, inner, columns }
}

impl Workload for MatrixMul {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "tiled matrix product: shared memory, barriers, high register reuse"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("matrixmul", "matrixmul/MatrixMulCUDA16", &[(Quantity::Registers, REORDERED)])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("matrixmul")
    }

    fn size_text(&self, size: Size) -> String {
        let s = shape(size);
        format!("{}x{} * {}x{}", s.rows, s.inner, s.inner, s.columns)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let shape = shape(size);
        let mut random = SplitMix64::new(seed, 0);
        let mut matrix =
            |elements: usize| -> Vec<f32> { (0..elements).map(|_| random.f32_in(-1.0, 1.0)).collect() };
        Ok(Box::new(Run {
            shape,
            a: matrix(shape.rows * shape.inner),
            b: matrix(shape.inner * shape.columns),
            buffers: None,
            launched: false,
        }))
    }
}

struct Run {
    shape: Shape,
    a: Vec<f32>,
    b: Vec<f32>,
    buffers: Option<[Buffer; 3]>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.buffers = Some([
            HOST.upload(memory, "a", &self.a)?,
            HOST.upload(memory, "b", &self.b)?,
            HOST.allocate::<f32>(memory, "c", self.shape.rows * self.shape.columns)?,
        ]);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let [a, b, c] = self.buffers.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        Ok(Some(Launch {
            entry: "matrixmul".into(),
            launch: KernelLaunch {
                grid: [arg(self.shape.columns / TILE), arg(self.shape.rows / TILE), 1],
                block: [arg(TILE), arg(TILE), 1],
                params: ParamBlock::new()
                    .pointer(c.address)
                    .pointer(a.address)
                    .pointer(b.address)
                    .u32(arg(self.shape.inner))
                    .u32(arg(self.shape.columns))
                    .finish(),
                ..KernelLaunch::default()
            },
        }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let [_, _, c] = self.buffers.ok_or_else(|| HOST.unchecked())?;
        HOST.expect(memory, c, &reference(self.shape, &self.a, &self.b)).map(Checked::exact)
    }
}

fn reference(shape: Shape, a: &[f32], b: &[f32]) -> Vec<f32> {
    let mut c = vec![0.0_f32; shape.rows * shape.columns];
    for (c_row, a_row) in c.chunks_exact_mut(shape.columns).zip(a.chunks_exact(shape.inner)) {
        for (&a, b_row) in a_row.iter().zip(b.chunks_exact(shape.columns)) {
            for (sum, &b) in c_row.iter_mut().zip(b_row) {
                *sum = a.mul_add(b, *sum);
            }
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_multiplies() {
        let shape = Shape { rows: 2, inner: 3, columns: 2 };
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let b = [7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
        assert_eq!(reference(shape, &a, &b), [58.0, 64.0, 139.0, 154.0]);
    }

    #[test]
    fn reference_is_near_the_product_in_double_precision() {
        let shape = shape(Size::Smoke);
        let mut random = SplitMix64::new(5, 0);
        let mut matrix = |n: usize| -> Vec<f32> { (0..n).map(|_| random.f32_in(-1.0, 1.0)).collect() };
        let (a, b) = (matrix(shape.rows * shape.inner), matrix(shape.inner * shape.columns));
        let c = reference(shape, &a, &b);
        for (row, column) in [(0, 0), (7, 31), (shape.rows - 1, shape.columns - 1)] {
            let products = (0..shape.inner)
                .map(|k| f64::from(a[row * shape.inner + k]) * f64::from(b[k * shape.columns + column]));
            let (exact, magnitude) = products.fold((0.0, 0.0), |(s, m), p| (s + p, m + p.abs()));
            // Each of the `inner` roundings errs by at most half an ulp of a partial sum.
            let bound = magnitude * 64.0 * f64::from(f32::EPSILON) / 2.0;
            let got = f64::from(c[row * shape.columns + column]);
            assert!((got - exact).abs() <= bound, "{got} against {exact}");
        }
    }

    #[test]
    fn a_product_that_needs_the_fused_rounding_is_fused() {
        let shape = Shape { rows: 1, inner: 2, columns: 1 };
        let e = f32::EPSILON;
        // (1 + e)(1 - e) - 1 = -e^2 only when the product is not rounded on its own.
        let c = reference(shape, &[1.0, 1.0 + e], &[-1.0, 1.0 - e]);
        assert_eq!(c, [-e * e]);
    }

    #[test]
    fn sides_are_multiples_of_the_tile() {
        for size in Size::ALL {
            let s = shape(size);
            assert!([s.rows, s.inner, s.columns].iter().all(|n| n % TILE == 0));
        }
    }
}
