//! Jacobi steps of Laplace's equation in three dimensions (GPGPU-Sim's ISPASS 2009 suite: `LPS`).
//!
//! The reference is exact: the six neighbours are added in the order of the source.

use super::{arg, matrix, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::{Entry, Instance, Size, Workload, WorkloadError};

const HOST: Host = Host { workload: "laplace3d" };
/// Threads of a block in x and y.
const BLOCK: [usize; 3] = [32, 4, 1];

/// The workload.
struct Laplace3d;

inventory::submit! { Entry(&Laplace3d) }

/// Cells of the box in x, y, z, and steps.
#[derive(Debug, Clone, Copy)]
struct Extent {
    nx: usize,
    ny: usize,
    nz: usize,
    steps: usize,
}

fn extent(size: Size) -> Extent {
    let (nx, ny, nz, steps) = match size {
        Size::Smoke => (50, 14, 9, 2),
        Size::Small => (100, 50, 21, 2),
        // As large as the footprint that the OSM paper gives.
        Size::Paper => (200, 200, 100, 4),
    };
    Extent { nx, ny, nz, steps }
}

impl Workload for Laplace3d {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "Laplace's equation on a box: planes in shared memory, halo by part of the threads"
    }

    fn suite(&self) -> &'static str {
        "ispass2009"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("laplace3d", "laplace3d/GPU_laplace3d", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("laplace3d")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        format!("{}x{}x{} cells, {} steps", e.nx, e.ny, e.nz, e.steps)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let cells = matrix(&mut SplitMix64::new(seed, 0), e.nx * e.ny * e.nz);
        let mut script = Script::new(HOST);
        let fields = [script.input("field 0", &cells), script.output::<f32>("field 1", cells.len())];
        for step in 0..e.steps {
            script
                .launch("laplace3d", [e.nx.div_ceil(BLOCK[0]), e.ny.div_ceil(BLOCK[1]), 1], BLOCK)
                .u32(arg(e.nx))
                .u32(arg(e.ny))
                .u32(arg(e.nz))
                .pointer(fields[step % 2])
                .pointer(fields[(step + 1) % 2]);
        }
        script.judge(move |results| {
            let last = (1..e.steps).fold(cells.clone(), |field, _| jacobi(e, &field));
            results.exact(fields[(e.steps + 1) % 2], &last)?;
            results.exact(fields[e.steps % 2], &jacobi(e, &last))
        });
        Ok(Box::new(script))
    }
}

/// One step; the faces stay.
fn jacobi(e: Extent, field: &[f32]) -> Vec<f32> {
    let plane = e.nx * e.ny;
    let mut next = field.to_vec();
    for z in 1..e.nz - 1 {
        for y in 1..e.ny - 1 {
            for x in 1..e.nx - 1 {
                let at = x + y * e.nx + z * plane;
                let across = field[at - 1] + field[at + 1];
                let along = field[at - e.nx] + field[at + e.nx];
                let up = field[at - plane] + field[at + plane];
                next[at] = ((across + along) + up) * (1.0 / 6.0);
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centre_becomes_the_mean_of_its_neighbours() {
        let e = Extent { nx: 3, ny: 3, nz: 3, steps: 1 };
        let mut field = vec![0.0_f32; 27];
        for (at, v) in [(12, 6.0), (14, 12.0), (10, 18.0), (16, 24.0), (4, 30.0), (22, 36.0), (13, 99.0)] {
            field[at] = v;
        }
        let next = jacobi(e, &field);
        assert_eq!(next[13], 126.0 * (1.0 / 6.0));
        assert!((0..27).filter(|&i| i != 13).all(|i| next[i] == field[i]));
    }

    #[test]
    fn a_linear_field_is_a_solution() {
        let e = Extent { nx: 5, ny: 4, nz: 6, steps: 1 };
        let field: Vec<f32> = (0..120).map(|at| (at % 5 + 2 * (at / 5 % 4) + 4 * (at / 20)) as f32).collect();
        let next = jacobi(e, &field);
        assert!(next.iter().zip(&field).all(|(a, b)| (a - b).abs() < 1e-5));
    }
}
