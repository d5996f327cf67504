//! Electrostatic potential on a lattice, of the atoms within a cutoff (Parboil: `cutcp`).
//!
//! The reference goes through the atoms and adds each to the points around it. Squared distances and smoothing
//! have the bits of the kernel; the reciprocal root and the sum are in double precision. As in the suite, atoms for
//! which their bin has no room are left to the host, so neither the device nor the reference sees them.

mod atoms;

use super::{arg, ptx};
use crate::buffers::Host;
use crate::published::{Published, published};
use crate::random::SplitMix64;
use crate::script::Script;
use crate::tolerance::Tolerance;
use crate::{Entry, Instance, Size, Workload, WorkloadError};
use atoms::{Atom, BIN_WORDS, Bins, SIDE, neighbours, rim, water};

const HOST: Host = Host { workload: "cutcp" };
/// Points along a region.
const POINTS: usize = 8;
/// Distance of points in angstrom.
const SPACING: f32 = 0.5;
/// Points of a region, and its points a thread apart.
const REGION: usize = POINTS * POINTS * POINTS;
const THREADS: usize = 128;

/// The workload.
struct Cutcp;

inventory::submit! { Entry(&Cutcp) }

/// Regions of the lattice along each axis, and cutoff in angstrom.
#[derive(Debug, Clone, Copy)]
struct Extent {
    regions: [usize; 3],
    cutoff: f32,
}

fn extent(size: Size) -> Extent {
    let (regions, cutoff) = match size {
        Size::Smoke => ([2, 1, 2], 5.0),
        Size::Small => ([3, 2, 2], 12.0),
        Size::Paper => ([11, 11, 11], 12.0),
    };
    Extent { regions, cutoff }
}

impl Extent {
    /// Points of the lattice along each axis.
    fn points(self) -> [usize; 3] {
        self.regions.map(|n| n * POINTS)
    }

    /// Where the device keeps a point: threads of a region lie 8 x 2 x 8, with four points along y each.
    fn place(self, [x, y, z]: [usize; 3]) -> usize {
        let [rx, ry, rz] = [x, y, z].map(|p| p / POINTS);
        let [x, y, z] = [x, y, z].map(|p| p % POINTS);
        let region = (rz * self.regions[1] + ry) * self.regions[0] + rx;
        region * REGION + y / 2 * THREADS + (z * 2 + y % 2) * POINTS + x
    }
}

impl Workload for Cutcp {
    fn name(&self) -> &'static str {
        HOST.workload
    }

    fn title(&self) -> &'static str {
        "cutoff potential of atoms on a lattice: bins in shared memory, constants, reciprocal roots"
    }

    fn suite(&self) -> &'static str {
        "parboil"
    }

    fn published(&self) -> &'static [Published] {
        const { &[published("cutcp", "cutcp/cuda_cutoff_potential_lattice6overlap", &[])] }
    }

    fn ptx(&self) -> (&'static str, &'static str) {
        ptx!("cutcp")
    }

    fn size_text(&self, size: Size) -> String {
        let e = extent(size);
        let [x, y, z] = e.points();
        format!("{x}x{y}x{z} points in water, cutoff {} angstrom", e.cutoff)
    }

    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError> {
        let e = extent(size);
        let atoms = water(e.regions.map(|n| n as f32 * SIDE), &mut SplitMix64::new(seed, 0));
        let bins = Bins::of(&atoms, e.regions, rim(e.cutoff));
        let near = neighbours(e.cutoff);
        let mut script = Script::new(HOST);
        script.constant("neighbour_count", &[arg(near.len())]);
        script.constant("neighbours", &near.concat());
        let words = script.input("bins", &bins.words);
        let potentials = script.output::<f32>("potentials", e.regions.iter().product::<usize>() * REGION);
        let [x, y, layers] = e.regions;
        for layer in 0..layers {
            script
                .launch("cutcp", [x, y, 1], [POINTS, THREADS / (POINTS * POINTS), POINTS])
                .u32(arg(bins.extent[0]))
                .u32(arg(bins.extent[1]))
                .pointer_at(words, arg(4 * BIN_WORDS * bins.origin))
                .f32(SPACING)
                .f32(e.cutoff * e.cutoff)
                .f32(1.0 / (e.cutoff * e.cutoff))
                .pointer(potentials)
                .u32(arg(layer));
        }
        script.judge(move |results| {
            let (expected, bound) = reference(e, &bins.held);
            results.within(potentials, &expected, &bound)
        });
        Ok(Box::new(script))
    }
}

/// What the atoms add to a point.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    /// Sum of the terms' magnitudes.
    magnitude: f64,
    terms: u32,
}

impl Sum {
    /// Each term is off by the reciprocal root's 2^-22.9 (PTX ISA, `rsqrt.approx`) and two roundings, each partial sum,
    /// which no more than the magnitudes make up, by one rounding, and so is the reference.
    fn bound(&self) -> f64 {
        let rounding = 2.0_f64.powi(-24);
        self.magnitude * ((f64::from(self.terms) + 3.0) * rounding + 2.0_f64.powf(-22.9))
    }
}

/// The potential of each point, in the order of the device, and how far the device may be off.
fn reference(e: Extent, atoms: &[Atom]) -> (Vec<f32>, Tolerance) {
    let points = e.points();
    let mut sums = vec![Sum::default(); points.iter().product()];
    for atom in atoms {
        let [xs, ys, zs] = [0, 1, 2].map(|axis| {
            let end = |p: f32| ((p / SPACING).max(0.0) as usize).min(points[axis]);
            end(atom.position[axis] - e.cutoff)..end(atom.position[axis] + e.cutoff + SPACING)
        });
        for z in zs {
            for y in ys.clone() {
                for x in xs.clone() {
                    if let Some(term) = potential(e.cutoff, atom, [x, y, z]) {
                        let sum = &mut sums[e.place([x, y, z])];
                        sum.value += term;
                        sum.magnitude += term.abs();
                        sum.terms += 1;
                    }
                }
            }
        }
    }
    let bound = sums.iter().map(Sum::bound).fold(0.0, f64::max);
    let reason =
        "rsqrt.approx is within 2^-22.9, and each partial sum of the largest number of atoms is rounded";
    (sums.iter().map(|s| s.value as f32).collect(), Tolerance::absolute(bound, reason))
}

/// What an atom adds to a point, or nothing beyond the cutoff.
fn potential(cutoff: f32, atom: &Atom, point: [usize; 3]) -> Option<f64> {
    let [dx, dy, dz] = [0, 1, 2].map(|axis| atom.position[axis] - point[axis] as f32 * SPACING);
    let distance2 = dy.mul_add(dy, dz.mul_add(dz, dx * dx));
    let cutoff2 = cutoff * cutoff;
    let smoothing = f64::from((-distance2).mul_add(1.0 / cutoff2, 1.0));
    (distance2 < cutoff2)
        .then(|| f64::from(atom.charge) / f64::from(distance2).sqrt() * smoothing * smoothing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_atom_by_hand() {
        let atom = Atom { position: [1.0, 2.0, 0.0], charge: -2.0 };
        // At (1, 0, 0): distance 2 of cutoff 4, so -2 / 2 * (1 - 1/4)^2.
        assert_eq!(potential(4.0, &atom, [2, 0, 0]), Some(-0.5625));
        assert_eq!(potential(2.0, &atom, [2, 0, 0]), None);
    }

    #[test]
    fn every_point_gets_every_atom() {
        let e = Extent { regions: [1, 2, 2], cutoff: 3.0 };
        let atoms = water([4.0, 8.0, 8.0], &mut SplitMix64::new(4, 0));
        let (values, bound) = reference(e, &atoms);
        assert!(bound.absolute > 0.0 && bound.absolute < 1e-3, "{}", bound.absolute);
        let mut places = vec![false; values.len()];
        let [nx, ny, nz] = e.points();
        for (x, y, z) in (0..nz).flat_map(|z| (0..ny).flat_map(move |y| (0..nx).map(move |x| (x, y, z)))) {
            let place = e.place([x, y, z]);
            let all: f64 = atoms.iter().filter_map(|a| potential(e.cutoff, a, [x, y, z])).sum();
            assert!((f64::from(values[place]) - all).abs() <= 1e-6 * all.abs().max(1.0));
            assert!(!std::mem::replace(&mut places[place], true));
        }
        assert!(atoms.len() > 10 && values.iter().any(|&v| v < -0.1) && values.iter().any(|&v| v > 0.1));
    }
}
