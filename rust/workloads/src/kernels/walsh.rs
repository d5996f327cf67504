//! Dyadic convolution by fast Walsh-Hadamard transforms (CUDA samples: `fastWalshTransform`).
//!
//! Data and kernel are transformed, multiplied, and the product is transformed back. The reference is
//! exact: it does the butterflies of each stage with the sums that the radix-4 steps of the source fix.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::{Id, Script};
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "walsh" };
/// log2 of the elements that a block transforms in shared memory, at most.
const STRETCH_BITS: usize = 11;
/// Threads of a block of the kernels on global memory.
const BLOCK: usize = 256;
/// Blocks of the product.
const PRODUCT_BLOCKS: usize = 128;

/// The workload.
struct Walsh;

inventory::submit! { Entry(&Walsh) }

/// log2 of the elements of data and kernel; the kernel is padded with zeros.
fn bits(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (13, 7),
        Size::Small => (16, 7),
        Size::Paper => (23, 7),
    }
}

impl Workload for Walsh {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "Walsh-Hadamard transforms: butterflies in shared memory and with large strides"
    }

    fn suite(&self) -> &'static str {
        "cuda-samples"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("walsh_shared", "walsh/fwtBatch1Kernel", &[]),
                published("walsh_global", "walsh/fwtBatch2Kernel", &[(Quantity::Registers, REORDERED)]),
                published("walsh_modulate", "walsh/modulateKernel", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("walsh")
    }

    fn size_text(&self, size: Size) -> String {
        format!("{} elements", 1 << bits(size).0)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (bits, kernel_bits) = bits(size);
        let n = 1 << bits;
        let mut random = SplitMix64::new(seed, 0);
        let data = matrix(&mut random, n);
        let mut kernel = matrix(&mut random, 1 << kernel_bits);
        kernel.resize(n, 0.0);
        let mut script = Script::new(HOST);
        let device_data = script.input("data", &data);
        let device_kernel = script.input("kernel", &kernel);
        transform(&mut script, device_data, bits);
        transform(&mut script, device_kernel, bits);
        script
            .launch("walsh_modulate", [PRODUCT_BLOCKS, 1, 1], [BLOCK, 1, 1])
            .pointer(device_data)
            .pointer(device_kernel)
            .u32(arg(n));
        transform(&mut script, device_data, bits);
        script.judge(move |results| {
            let (mut convolved, mut transformed) = (data.clone(), kernel.clone());
            reference(&mut transformed);
            reference(&mut convolved);
            let scale = 1.0 / n as f32;
            for (a, b) in convolved.iter_mut().zip(&transformed) {
                *a *= b * scale;
            }
            reference(&mut convolved);
            results.exact(device_kernel, &transformed)?;
            results.exact(device_data, &convolved)
        });
        Ok(Box::new(script))
    }
}

/// Stages with large strides in global memory, two at a time, and the rest in shared memory.
fn transform(script: &mut Script, data: Id, bits: usize) {
    let mut rest = bits;
    while rest > STRETCH_BITS {
        let stride = 1 << (rest - 2);
        let plan = script.launch("walsh_global", [(1 << bits) / (4 * BLOCK), 1, 1], [BLOCK, 1, 1]);
        plan.pointer(data).u32(arg(stride));
        rest -= 2;
    }
    let elements = 1 << rest;
    script
        .launch("walsh_shared", [1 << (bits - rest), 1, 1], [elements / 4, 1, 1])
        .shared(arg(4 * elements))
        .pointer(data)
        .u32(arg(rest));
}

/// The transform in place: stages of radix 4 from the largest stride on, and one of radix 2 at the end
/// when log2 of the length is odd.
fn reference(data: &mut [f32]) {
    let mut stride = data.len() / 4;
    while stride > 0 {
        for group in data.chunks_exact_mut(4 * stride) {
            for i in 0..stride {
                let d = [0, 1, 2, 3].map(|part| group[i + part * stride]);
                let (s02, t02, s13, t13) = (d[0] + d[2], d[0] - d[2], d[1] + d[3], d[1] - d[3]);
                for (part, value) in [s02 + s13, s02 - s13, t02 + t13, t02 - t13].into_iter().enumerate() {
                    group[i + part * stride] = value;
                }
            }
        }
        stride /= 4;
    }
    if data.len().trailing_zeros() % 2 == 1 {
        for pair in data.chunks_exact_mut(2) {
            (pair[0], pair[1]) = (pair[0] + pair[1], pair[0] - pair[1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By definition: the sign of a product is the parity of the common bits of the two indices.
    fn by_definition(data: &[f32]) -> Vec<f32> {
        let sign = |i: usize, j: usize| if (i & j).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
        (0..data.len()).map(|i| data.iter().enumerate().map(|(j, v)| sign(i, j) * v).sum()).collect()
    }

    #[test]
    fn reference_is_the_transform() {
        for n in [2, 4, 8, 32, 64] {
            // Small integers, so that every sum is exact.
            let data: Vec<f32> = (0..n).map(|i| (i * 7 % 11) as f32).collect();
            let mut transformed = data.clone();
            reference(&mut transformed);
            assert_eq!(transformed, by_definition(&data), "{n}");
        }
    }
}
