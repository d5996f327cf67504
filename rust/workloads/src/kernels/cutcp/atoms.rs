//! Atoms of a box of water, and the bins that they are sorted into.

use crate::kernels::arg;
use crate::random::SplitMix64;

/// Side of a bin, and of a region of the lattice, in angstrom.
pub(super) const SIDE: f32 = 4.0;
/// Atoms that a bin has room for.
pub(super) const PLACES: usize = 8;
/// Words of a bin: position and charge of each atom.
pub(super) const BIN_WORDS: usize = 4 * PLACES;

/// A point charge: angstrom, elementary charges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Atom {
    pub(super) position: [f32; 3],
    pub(super) charge: f32,
}

/// Water molecules in a box from the origin to `end`, turned at random, near the points of a grid that gives the
/// density of water. Molecules that stick out of the box are left out.
pub(super) fn water(end: [f32; 3], random: &mut SplitMix64) -> Vec<Atom> {
    const SPACING: f32 = 3.1;
    const BOND: f32 = 0.9572;
    /// Cosine and sine of the angle between the bonds, 104.52 degrees.
    const ANGLE: [f32; 2] = [-0.250_72, 0.968_06];
    let steps = end.map(|e| (e / SPACING).ceil() as usize);
    let mut atoms = Vec::new();
    for z in 0..steps[2] {
        for y in 0..steps[1] {
            for x in 0..steps[0] {
                let oxygen = [x, y, z].map(|i| (i as f32 + 0.5) * SPACING + random.f32_in(-0.4, 0.4));
                let one = direction(random);
                let other = direction(random);
                let along = dot(one, other);
                let across = unit([0, 1, 2].map(|i| other[i] - along * one[i]));
                let bent = [0, 1, 2].map(|i| ANGLE[0] * one[i] + ANGLE[1] * across[i]);
                let hydrogen = |bond: [f32; 3]| [0, 1, 2].map(|i| oxygen[i] + BOND * bond[i]);
                let molecule = [(oxygen, -0.834), (hydrogen(one), 0.417), (hydrogen(bent), 0.417)];
                let inside = |p: &[f32; 3]| p.iter().zip(end).all(|(p, e)| (0.0..e).contains(p));
                if molecule.iter().all(|(p, _)| inside(p)) {
                    atoms.extend(molecule.map(|(position, charge)| Atom { position, charge }));
                }
            }
        }
    }
    atoms
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    v.map(|c| c / length)
}

/// A random direction; the points of a ball without its middle are equally likely before they are scaled.
fn direction(random: &mut SplitMix64) -> [f32; 3] {
    loop {
        let v = [(); 3].map(|()| random.f32_in(-1.0, 1.0));
        if (0.1..1.0).contains(&dot(v, v)) {
            return unit(v);
        }
    }
}

/// The atoms by bins, with empty bins around the box.
pub(super) struct Bins {
    /// Bins along each axis.
    pub(super) extent: [usize; 3],
    /// `BIN_WORDS` words of each bin; a charge of 0 marks an unused place.
    pub(super) words: Vec<f32>,
    /// The bin of the origin.
    pub(super) origin: usize,
    /// The atoms for which there was room, which are those that the device sees.
    pub(super) held: Vec<Atom>,
}

impl Bins {
    /// `inner` bins along the axes of the box and `rim` around them.
    pub(super) fn of(atoms: &[Atom], inner: [usize; 3], rim: usize) -> Self {
        let extent = inner.map(|n| n + 2 * rim);
        let at = |bin: [usize; 3]| ((bin[2] + rim) * extent[1] + bin[1] + rim) * extent[0] + bin[0] + rim;
        let mut words = vec![0.0; extent.iter().product::<usize>() * BIN_WORDS];
        let mut held = Vec::new();
        for atom in atoms {
            let bin = &mut words[at(atom.position.map(|p| (p / SIDE) as usize)) * BIN_WORDS..][..BIN_WORDS];
            let Some(place) = bin.chunks_exact_mut(4).find(|place| place[3] == 0.0) else { continue };
            place[..3].copy_from_slice(&atom.position);
            place[3] = atom.charge;
            held.push(*atom);
        }
        Self { extent, words, origin: at([0; 3]), held }
    }
}

/// Bins around the box that a cutoff reaches.
pub(super) fn rim(cutoff: f32) -> usize {
    (cutoff / SIDE).ceil() as usize
}

/// Offsets of the bins that hold points nearer than the cutoff to a point of the bin itself.
pub(super) fn neighbours(cutoff: f32) -> Vec<[i32; 3]> {
    let reach = i32::try_from(arg(rim(cutoff))).unwrap_or(0);
    let near = |offset: [i32; 3]| {
        let gaps = offset.map(|d| (d.abs() - 1).max(0) as f32 * SIDE);
        dot(gaps, gaps) < cutoff * cutoff
    };
    let axis = || -reach..=reach;
    axis()
        .flat_map(|z| axis().flat_map(move |y| axis().map(move |x| [x, y, z])))
        .filter(|&offset| near(offset))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn water_is_neutral_and_dense() {
        let atoms = water([20.0; 3], &mut SplitMix64::new(1, 0));
        let molecules = atoms.len() / 3;
        assert_eq!(atoms.len(), 3 * molecules);
        // 0.0334 molecules in a cubic angstrom, fewer at the faces of a small box.
        assert!((150..=267).contains(&molecules), "{molecules}");
        assert!(atoms.iter().map(|a| f64::from(a.charge)).sum::<f64>().abs() < 1e-3);
        for molecule in atoms.chunks_exact(3) {
            let between = |a: usize, b: usize| {
                let d = [0, 1, 2].map(|i| molecule[a].position[i] - molecule[b].position[i]);
                dot(d, d).sqrt()
            };
            assert!((between(0, 1) - 0.9572).abs() < 1e-4 && (between(0, 2) - 0.9572).abs() < 1e-4);
            // Two hydrogens of water are 1.514 angstrom apart.
            assert!((between(1, 2) - 1.5139).abs() < 1e-3);
        }
    }

    #[test]
    fn bins_hold_their_atoms_and_leave_out_what_does_not_fit() {
        let atom = |x: f32, charge: f32| Atom { position: [x, 5.0, 0.5], charge };
        let mut atoms = vec![atom(4.0, -1.0)];
        atoms.extend((0_u8..10).map(|i| atom(f32::from(i) / 4.0, 1.0 + f32::from(i))));
        let bins = Bins::of(&atoms, [2, 2, 1], 1);
        assert_eq!(bins.extent, [4, 4, 3]);
        assert_eq!(bins.origin, 16 + 4 + 1);
        assert_eq!(bins.held, atoms[..9]);
        let bin = |n: usize| &bins.words[n * BIN_WORDS..][..BIN_WORDS];
        assert_eq!(bin(bins.origin + 4 + 1)[..8], [4.0, 5.0, 0.5, -1.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(bin(bins.origin + 4)[28..], [1.75, 5.0, 0.5, 8.0]);
        assert_eq!(bins.words.iter().filter(|w| **w != 0.0).count(), 4 * 9 - 1);
    }

    #[test]
    fn neighbours_reach_as_far_as_the_cutoff() {
        assert_eq!(neighbours(4.0).len(), 27);
        // 7 x 7 x 7 less the corners where the gap is 8, 8 and 4 or 8.
        assert_eq!(neighbours(12.0).len(), 343 - 8 - 24);
        let mut random = SplitMix64::new(1, 0);
        let near = neighbours(6.0);
        for _ in 0..20_000 {
            let [a, b] = [(); 2].map(|()| [(); 3].map(|()| random.f32_in(0.0, 24.0)));
            let d = [0, 1, 2].map(|i| a[i] - b[i]);
            let bin = |p: f32| (p / SIDE) as i32;
            if dot(d, d) < 36.0 {
                assert!(near.contains(&[0, 1, 2].map(|i| bin(b[i]) - bin(a[i]))), "{a:?} {b:?}");
            }
        }
    }
}
