//! Gaussian elimination, two launches a column (Rodinia: `gaussian`).
//!
//! The reference is exact: IEEE division for the multipliers, one fused multiply-add an element. The
//! matrix is dominated by its diagonal, so that no pivoting is needed.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, Quantity, REORDERED, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "gaussian" };
/// Threads of a block of the first kernel.
const ROW_BLOCK: usize = 512;
/// Threads a side of a block of the second.
const SIDE: usize = 4;

/// The workload.
struct Gaussian;

inventory::submit! { Entry(&Gaussian) }

/// Order of the matrix.
fn order(size: Size) -> usize {
    match size {
        Size::Smoke => 24,
        Size::Small => 64,
        Size::Paper => 512,
    }
}

impl Workload for Gaussian {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "elimination: many launches, blocks of half a warp, most threads idle"
    }

    fn suite(&self) -> &'static str {
        "rodinia"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("gaussian_multipliers", "gaussian/Fan1", &[(Quantity::Registers, REORDERED)]),
                published("gaussian_rows", "gaussian/Fan2", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("gaussian")
    }

    fn size_text(&self, size: Size) -> String {
        let n = order(size);
        format!("{n}x{n}, {} launches", 2 * (n - 1))
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let n = order(size);
        let mut random = SplitMix64::new(seed, 0);
        let mut system =
            System { a: matrix(&mut random, n * n), b: matrix(&mut random, n), m: vec![0.0; n * n] };
        for i in 0..n {
            system.a[i * n + i] += 4.0;
        }
        let mut script = Script::new(HOST);
        let [m, a, b] =
            [("m", &system.m), ("a", &system.a), ("b", &system.b)].map(|(name, v)| script.input(name, v));
        for t in 0..n - 1 {
            let plan =
                script.launch("gaussian_multipliers", [n.div_ceil(ROW_BLOCK), 1, 1], [ROW_BLOCK, 1, 1]);
            plan.pointer(m).pointer(a).u32(arg(n)).u32(arg(t));
            let side = n.div_ceil(SIDE);
            let plan = script.launch("gaussian_rows", [side, side, 1], [SIDE, SIDE, 1]);
            plan.pointer(m).pointer(a).pointer(b).u32(arg(n)).u32(arg(t));
        }
        script.judge(move |results| {
            let mut expected = system.clone();
            expected.eliminate();
            results.exact(m, &expected.m)?;
            results.exact(a, &expected.a)?;
            results.exact(b, &expected.b)
        });
        Ok(Box::new(script))
    }
}

/// a * x = b, with the multipliers m.
#[derive(Debug, Clone, PartialEq)]
struct System {
    a: Vec<f32>,
    b: Vec<f32>,
    m: Vec<f32>,
}

impl System {
    fn eliminate(&mut self) {
        let n = self.b.len();
        for t in 0..n {
            for row in t + 1..n {
                let factor = self.a[row * n + t] / self.a[t * n + t];
                self.m[row * n + t] = factor;
                for column in t..n {
                    let upper = self.a[t * n + column];
                    let element = &mut self.a[row * n + column];
                    *element = (-factor).mul_add(upper, *element);
                }
                self.b[row] = (-factor).mul_add(self.b[t], self.b[row]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elimination_leaves_a_triangle() {
        let a = vec![2.0, 1.0, 1.0, 4.0, 4.0, 3.0, 8.0, 7.0, 9.0];
        let mut s = System { a, b: vec![1.0, 1.0, 1.0], m: vec![0.0; 9] };
        s.eliminate();
        assert_eq!(s.a, [2.0, 1.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0, 3.5]);
        assert_eq!((s.b, s.m[3], s.m[6], s.m[7]), (vec![1.0, -1.0, -1.5], 2.0, 4.0, 1.5));
    }
}
