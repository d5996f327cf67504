//! Finite differences in the time domain on a plane (PolyBench/GPU: `fdtd2d`).
//!
//! The reference is exact: the same sums and fused multiply-adds, field by field.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "fdtd2d" };
/// Threads of a block in x and y.
const BLOCK: [usize; 3] = [32, 8, 1];

/// The workload.
struct Fdtd2d;

inventory::submit! { Entry(&Fdtd2d) }

/// Cells of the plane, and time steps.
#[derive(Debug, Clone, Copy)]
struct Plane {
    rows: usize,
    columns: usize,
    steps: usize,
}

/// The suite has 500 steps; each is like the one before.
fn plane(size: Size) -> Plane {
    let (rows, columns, steps) = match size {
        Size::Smoke => (44, 50, 3),
        Size::Small => (150, 160, 6),
        Size::Paper => (2048, 2048, 10),
    };
    Plane { rows, columns, steps }
}

impl Workload for Fdtd2d {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "electromagnetic field on a plane: three streaming launches a time step"
    }

    fn suite(&self) -> &'static str {
        "polybench-gpu"
    }

    fn published(&self) -> &'static [Published] {
        const {
            &[
                published("fdtd2d_ey", "fdtd2d/fdtd_step1_kernel", &[]),
                published("fdtd2d_ex", "fdtd2d/fdtd_step2_kernel", &[]),
                published("fdtd2d_hz", "fdtd2d/fdtd_step3_kernel", &[]),
            ]
        }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("fdtd2d")
    }

    fn size_text(&self, size: Size) -> String {
        let p = plane(size);
        format!("{}x{} cells, {} steps", p.rows, p.columns, p.steps)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let p = plane(size);
        let mut random = SplitMix64::new(seed, 0);
        let fields = Fields {
            ex: matrix(&mut random, p.rows * (p.columns + 1)),
            ey: matrix(&mut random, (p.rows + 1) * p.columns),
            hz: matrix(&mut random, p.rows * p.columns),
        };
        let source = matrix(&mut random, p.steps);
        let mut script = Script::new(HOST);
        let device_source = script.input("source", &source);
        let [ex, ey, hz] = [("ex", &fields.ex), ("ey", &fields.ey), ("hz", &fields.hz)]
            .map(|(name, values)| script.input(name, values));
        let grid = [p.columns.div_ceil(BLOCK[0]), p.rows.div_ceil(BLOCK[1]), 1];
        let (rows, columns) = (arg(p.rows), arg(p.columns));
        for step in 0..p.steps {
            let plan = script.launch("fdtd2d_ey", grid, BLOCK);
            plan.u32(rows).u32(columns).pointer(device_source).pointer(ey).pointer(hz).u32(arg(step));
            script.launch("fdtd2d_ex", grid, BLOCK).u32(rows).u32(columns).pointer(ex).pointer(hz);
            let plan = script.launch("fdtd2d_hz", grid, BLOCK);
            plan.u32(rows).u32(columns).pointer(ex).pointer(ey).pointer(hz);
        }
        script.judge(move |results| {
            let mut expected = fields.clone();
            for &value in &source {
                expected.step(p, value);
            }
            results.exact(ex, &expected.ex)?;
            results.exact(ey, &expected.ey)?;
            results.exact(hz, &expected.hz)
        });
        Ok(Box::new(script))
    }
}

/// Electric field, one column more in x and one row more in y, and magnetic field.
#[derive(Debug, Clone, PartialEq)]
struct Fields {
    ex: Vec<f32>,
    ey: Vec<f32>,
    hz: Vec<f32>,
}

impl Fields {
    /// One time step with `source` in the top row of ey.
    fn step(&mut self, p: Plane, source: f32) {
        let n = p.columns;
        self.ey[..n].fill(source);
        for at in n..p.rows * n {
            self.ey[at] = (-0.5_f32).mul_add(self.hz[at] - self.hz[at - n], self.ey[at]);
        }
        for i in 0..p.rows {
            for j in 1..n {
                let (x, at) = (i * (n + 1) + j, i * n + j);
                self.ex[x] = (-0.5_f32).mul_add(self.hz[at] - self.hz[at - 1], self.ex[x]);
            }
        }
        for i in 0..p.rows {
            for j in 0..n {
                let (x, at) = (i * (n + 1) + j, i * n + j);
                let curl = ((self.ex[x + 1] - self.ex[x]) + self.ey[at + n]) - self.ey[at];
                self.hz[at] = (-0.7_f32).mul_add(curl, self.hz[at]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_cell_follows_the_source() {
        let p = Plane { rows: 1, columns: 1, steps: 1 };
        let mut f = Fields { ex: vec![1.0, 3.0], ey: vec![9.0, 5.0], hz: vec![10.0] };
        f.step(p, 2.0);
        // curl = (3 - 1) + 5 - 2; ex has no neighbour at its first column.
        assert_eq!(
            f,
            Fields { ex: vec![1.0, 3.0], ey: vec![2.0, 5.0], hz: vec![(-0.7_f32).mul_add(5.0, 10.0)] }
        );
    }

    #[test]
    fn a_uniform_magnetic_field_leaves_the_electric_one() {
        let p = Plane { rows: 3, columns: 4, steps: 1 };
        let mut f = Fields { ex: vec![1.0; 15], ey: vec![2.0; 16], hz: vec![3.0; 12] };
        f.step(p, 2.0);
        assert_eq!((f.ex, f.ey), (vec![1.0; 15], vec![2.0; 16]));
    }
}
