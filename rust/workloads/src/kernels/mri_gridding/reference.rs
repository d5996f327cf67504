//! The window, and what the samples are for each cell.

use std::f32::consts::PI;

/// Real and imaginary part, place in cells, weight.
pub(super) type Sample = [f32; 6];

/// A Kaiser-Bessel window.
pub(super) struct Window {
    cutoff: f32,
    cutoff2: f32,
    over_cutoff2: f32,
    beta: f32,
}

impl Window {
    /// A window that ends `cutoff` cells from its middle, for a grid twice as fine as the image needs
    /// (Beatty, Nishimura, Pauly: Rapid gridding reconstruction with a minimal oversampling ratio, IEEE
    /// TMI 2005, equation 5).
    pub fn new(cutoff: f32) -> Self {
        let cutoff2 = cutoff * cutoff;
        Self { cutoff, cutoff2, over_cutoff2: 1.0 / cutoff2, beta: PI * (2.25 * cutoff2 - 0.8).sqrt() }
    }

    /// The words of the device's constants.
    pub fn words(&self) -> [u32; 4] {
        [self.cutoff, self.cutoff2, self.over_cutoff2, self.beta].map(f32::to_bits)
    }

    /// The window at a square of distance; none outside.
    fn at(&self, square: f32) -> Option<f32> {
        (square < self.cutoff2).then(|| bessel(self.beta * (-square).mul_add(self.over_cutoff2, 1.0).sqrt()))
    }
}

/// Modified Bessel function of the first kind, order 0, as the kernel takes it: coefficients of the square
/// of the argument, highest first.
fn bessel(v: f32) -> f32 {
    const NUMERATOR: [f32; 15] = [
        4.621_069_3e-32,
        3.200_226_3e-29,
        5.260_701e-26,
        3.718_276e-23,
        2.562_172_2e-20,
        1.270_611_8e-17,
        5.041_478_7e-15,
        1.512_079_8e-12,
        3.383_002_2e-10,
        5.416_28e-8,
        5.888_836_3e-6,
        0.000_401_381_5,
        0.015_097_873,
        0.247_884_94,
        1.0,
    ];
    const DENOMINATOR: [f32; 4] = [-4.406_001e-10, 1.609_824_3e-6, -0.002_115_001_2, 1.0];
    let square = v * v;
    let polynomial = |c: &[f32]| c[1..].iter().fold(c[0], |sum, &c| sum.mul_add(square, c));
    polynomial(&NUMERATOR) / polynomial(&DENOMINATOR)
}

/// Number of the cell that a sample lies in; x fastest.
pub(super) fn bin(sample: &Sample, cells: [usize; 3]) -> u32 {
    let [x, y, z] = [2, 3, 4].map(|i| sample[i] as usize);
    ((z * cells[1] + y) * cells[0] + x) as u32
}

/// Real part, imaginary part and weight of each cell: every sample with a value and a weight is added to
/// the cells in its window, in the order of `samples`.
pub(super) fn gather(samples: &[Sample], cells: [usize; 3], window: &Window) -> Vec<[f32; 3]> {
    let mut filled = vec![[0.0_f32; 3]; cells.iter().product()];
    let reach = |at: f32, end: usize| {
        (at - window.cutoff).max(0.0) as usize..end.min((at + window.cutoff) as usize + 1)
    };
    for &[re, im, x, y, z, weight] in samples.iter().filter(|s| s[5] != 0.0 && (s[0] != 0.0 || s[1] != 0.0)) {
        for k in reach(z, cells[2]) {
            for j in reach(y, cells[1]) {
                for i in reach(x, cells[0]) {
                    let [dx, dy, dz] = [x - i as f32, y - j as f32, z - k as f32];
                    let Some(value) = window.at(dz.mul_add(dz, dy.mul_add(dy, dx * dx))) else { continue };
                    let share = value * weight;
                    let cell = &mut filled[(k * cells[1] + j) * cells[0] + i];
                    *cell = [share.mul_add(re, cell[0]), share.mul_add(im, cell[1]), cell[2] + share];
                }
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rational_function_is_the_bessel_function() {
        // The sum of (v^2 / 4)^k / k!^2.
        let series = |v: f64| {
            let mut term = 1.0;
            (1..100).fold(1.0, |sum, k| {
                term *= v * v / 4.0 / f64::from(k * k);
                sum + term
            })
        };
        for v in [0.0_f32, 0.25, 1.0, 5.0, 11.4, 19.9] {
            let exact = series(f64::from(v));
            assert!((f64::from(bessel(v)) / exact - 1.0).abs() < 1e-6, "{v}");
        }
        assert!((series(1.0) - 1.266_065_877_752).abs() < 1e-12);
    }

    #[test]
    fn a_sample_is_spread_over_its_window_alone() {
        let window = Window::new(1.5);
        let filled = gather(&[[2.0, -1.0, 3.0, 3.0, 3.0, 0.5]], [7, 7, 7], &window);
        let cell = |x: usize, y: usize, z: usize| filled[(z * 7 + y) * 7 + x];
        let middle = bessel(window.beta) * 0.5;
        assert_eq!(cell(3, 3, 3), [2.0 * middle, -middle, middle]);
        assert_eq!((cell(2, 3, 3), cell(3, 4, 3)), (cell(4, 3, 3), cell(3, 3, 2)));
        // The square of the distance is 2, inside, and 3, outside.
        assert!(cell(2, 2, 3)[2] > 0.0);
        assert_eq!((cell(2, 2, 2), cell(5, 3, 3)), ([0.0; 3], [0.0; 3]));
        let blank = [[0.0, 0.0, 3.0, 3.0, 3.0, 0.5], [2.0, -1.0, 3.0, 3.0, 3.0, 0.0]];
        assert!(gather(&blank, [7, 7, 7], &window).iter().all(|c| *c == [0.0; 3]));
    }

    #[test]
    fn bins_are_counted_along_x_first() {
        assert_eq!(bin(&[0.0, 0.0, 2.9, 1.0, 3.5, 1.0], [4, 5, 6]), (3 * 5 + 1) * 4 + 2);
    }
}
