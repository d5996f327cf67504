//! Modified Gram-Schmidt orthonormalisation (PolyBench/GPU: `gramschmidt`).
//!
//! Three launches a column: the norm by one thread, the column of Q, and the update of the columns that
//! are left. The reference is exact: fused multiply-adds in ascending order, IEEE square root and
//! division.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "gramschmidt" };
/// Threads of a block.
const BLOCK: usize = 256;

/// The workload.
struct GramSchmidt;

inventory::submit! { Entry(&GramSchmidt) }

/// Rows and columns of the matrix.
///
/// The suite has 2048 x 2048, in which the norms alone, one thread each, are a billion cycles.
fn shape(size: Size) -> (usize, usize) {
    match size {
        Size::Smoke => (24, 20),
        Size::Small => (64, 68),
        Size::Paper => (512, 512),
    }
}

impl Workload for GramSchmidt {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "orthonormalisation: a serial launch and two parallel ones for every column"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("gramschmidt_norm", "gramschmidt/gramschmidt_kernel1", &[]),
                published("gramschmidt_column", "gramschmidt/gramschmidt_kernel2", &[]),
                published("gramschmidt_rest", "gramschmidt/gramschmidt_kernel3", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("gramschmidt")
    }

    fn size_text(&self, size: Size) -> String {
        let (rows, columns) = shape(size);
        format!("{rows}x{columns}, {} launches", 3 * columns)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let (rows, columns) = shape(size);
        let a = matrix(&mut SplitMix64::new(seed, 0), rows * columns);
        let mut script = Script::new(HOST);
        let device_a = script.input("a", &a);
        // The device writes the upper triangle only.
        let r = script.input("r", &vec![0.0_f32; columns * columns]);
        let q = script.output::<f32>("q", rows * columns);
        for k in 0..columns {
            let mut launch = |entry: &'static str, threads: usize, buffers: &[_]| {
                let plan = script.launch(entry, [threads.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1]);
                plan.u32(arg(rows)).u32(arg(columns));
                for &buffer in buffers {
                    plan.pointer(buffer);
                }
                plan.u32(arg(k));
            };
            launch("gramschmidt_norm", BLOCK, &[device_a, r]);
            launch("gramschmidt_column", rows, &[device_a, r, q]);
            launch("gramschmidt_rest", columns, &[device_a, r, q]);
        }
        script.judge(move |results| {
            let expected = reference(rows, columns, &a);
            results.exact(device_a, &expected.a)?;
            results.exact(r, &expected.r)?;
            results.exact(q, &expected.q)
        });
        Ok(Box::new(script))
    }
}

/// What is left of A, and its factors.
struct Factors {
    a: Vec<f32>,
    r: Vec<f32>,
    q: Vec<f32>,
}

fn reference(rows: usize, columns: usize, a: &[f32]) -> Factors {
    let mut a = a.to_vec();
    let mut r = vec![0.0_f32; columns * columns];
    let mut q = vec![0.0_f32; rows * columns];
    for k in 0..columns {
        let norm =
            (0..rows).fold(0.0_f32, |sum, i| a[i * columns + k].mul_add(a[i * columns + k], sum)).sqrt();
        r[k * columns + k] = norm;
        for i in 0..rows {
            q[i * columns + k] = a[i * columns + k] / norm;
        }
        for j in k + 1..columns {
            let part = (0..rows).fold(0.0_f32, |sum, i| q[i * columns + k].mul_add(a[i * columns + j], sum));
            r[k * columns + j] = part;
            for i in 0..rows {
                a[i * columns + j] = (-q[i * columns + k]).mul_add(part, a[i * columns + j]);
            }
        }
    }
    Factors { a, r, q }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_multiply_back_and_q_is_orthonormal() {
        let (rows, columns) = (9, 5);
        let a = matrix(&mut SplitMix64::new(3, 0), rows * columns);
        let f = reference(rows, columns, &a);
        for i in 0..rows {
            for j in 0..columns {
                let product: f32 = (0..columns).map(|k| f.q[i * columns + k] * f.r[k * columns + j]).sum();
                assert!((product - a[i * columns + j]).abs() < 1e-5);
            }
        }
        for j in 0..columns {
            for k in 0..columns {
                let dot: f32 = (0..rows).map(|i| f.q[i * columns + j] * f.q[i * columns + k]).sum();
                assert!((dot - f32::from(u8::from(j == k))).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn an_orthogonal_matrix_is_its_own_factor() {
        let f = reference(2, 2, &[3.0, 0.0, 0.0, 4.0]);
        assert_eq!((f.q, f.r), (vec![1.0, 0.0, 0.0, 1.0], vec![3.0, 0.0, 0.0, 4.0]));
    }
}
