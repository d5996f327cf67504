//! Transforms of a block of 8 x 8, with the operations that the source of the kernels fixes.
//!
//! Coefficient u of eight samples x is sum over k of c(u) cos((2k + 1) u pi / 16) x(k), with c(0) the
//! root of 1/8 and c(u) = 1/2: an orthonormal basis, so the inverse is the transpose.

use std::array::from_fn;
use std::f64::consts::PI;

/// A block of samples or coefficients, row by row.
pub(super) type Block<T> = [[T; 8]; 8];

/// Steps of the quantisation: the table for luminance of the JPEG standard (T.81, annex K).
pub(super) const STEPS: Block<i16> = [
    [16, 11, 10, 16, 24, 40, 51, 61],
    [12, 12, 14, 19, 26, 58, 60, 55],
    [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62],
    [18, 22, 37, 56, 68, 109, 103, 77],
    [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101],
    [72, 92, 95, 98, 112, 100, 103, 99],
];

/// An image, row by row; both sides are multiples of 8.
pub(super) struct Plane<T> {
    pub width: usize,
    pub samples: Vec<T>,
}

impl<T: Copy> Plane<T> {
    /// Transforms every block.
    pub fn map(&self, transform: impl Fn(Block<T>) -> Block<T>) -> Self {
        let mut samples = self.samples.clone();
        for y in (0..self.samples.len() / self.width).step_by(8) {
            for x in (0..self.width).step_by(8) {
                let at = |i: usize, j: usize| (y + i) * self.width + x + j;
                let block = transform(from_fn(|i| from_fn(|j| self.samples[at(i, j)])));
                for (i, row) in block.iter().enumerate() {
                    samples[at(i, 0)..][..8].copy_from_slice(row);
                }
            }
        }
        Self { width: self.width, samples }
    }
}

/// Row u holds basis function u.
pub(super) fn basis() -> Block<f32> {
    let scale = |u: usize| if u == 0 { 0.125_f64.sqrt() } else { 0.5 };
    from_fn(|u| from_fn(|k| (scale(u) * ((2 * k + 1) as f64 * u as f64 * PI / 16.0).cos()) as f32))
}

fn transposed<T: Copy>(block: Block<T>) -> Block<T> {
    from_fn(|i| from_fn(|j| block[j][i]))
}

/// left * right, products ascending.
fn product(left: &Block<f32>, right: &Block<f32>) -> Block<f32> {
    from_fn(|i| from_fn(|j| (0..8).fold(0.0_f32, |sum, k| left[i][k].mul_add(right[k][j], sum))))
}

pub(super) fn matrix_forward(block: Block<f32>) -> Block<f32> {
    product(&product(&basis(), &block), &transposed(basis()))
}

pub(super) fn matrix_backward(block: Block<f32>) -> Block<f32> {
    product(&product(&transposed(basis()), &block), &basis())
}

/// Rows first, then columns.
fn both_ways<T: Copy>(block: Block<T>, transform: fn([T; 8]) -> [T; 8]) -> Block<T> {
    transposed(transposed(block.map(transform)).map(transform))
}

pub(super) fn fast_forward(block: Block<f32>) -> Block<f32> {
    both_ways(block, forward)
}

pub(super) fn fast_backward(block: Block<f32>) -> Block<f32> {
    both_ways(block, backward)
}

/// To the nearest multiple of the step, ties to even multiples.
pub(super) fn quantize(block: Block<f32>) -> Block<f32> {
    from_fn(|i| {
        from_fn(|j| {
            let step = f32::from(STEPS[i][j]);
            (block[i][j] / step).round_ties_even() * step
        })
    })
}

/// cos(k pi / 16) / 2 for k = 0 to 7.
fn cosines() -> [f32; 8] {
    from_fn(|k| ((k as f64 * PI / 16.0).cos() / 2.0) as f32)
}

/// Signs and cosines of the odd coefficients 1, 3, 5, 7 against the differences 0, 1, 2, 3.
const ODD: [[(f32, usize); 4]; 4] = [
    [(1.0, 1), (1.0, 3), (1.0, 5), (1.0, 7)],
    [(1.0, 3), (-1.0, 7), (-1.0, 1), (-1.0, 5)],
    [(1.0, 5), (-1.0, 1), (1.0, 7), (1.0, 3)],
    [(1.0, 7), (-1.0, 5), (1.0, 3), (-1.0, 1)],
];

/// One odd coefficient, or one difference: the table is symmetric.
fn odd(row: usize, v: [f32; 4]) -> f32 {
    let [a, b, c, d] = ODD[row].map(|(sign, k)| sign * cosines()[k]);
    a.mul_add(v[0], b.mul_add(v[1], c.mul_add(v[2], d * v[3])))
}

fn forward(x: [f32; 8]) -> [f32; 8] {
    let s: [f32; 4] = from_fn(|k| x[k] + x[7 - k]);
    let d: [f32; 4] = from_fn(|k| x[k] - x[7 - k]);
    let (e0, e1, f0, f1) = (s[0] + s[3], s[1] + s[2], s[0] - s[3], s[1] - s[2]);
    let [_, _, c2, _, c4, _, c6, _] = cosines();
    let even = [c4 * (e0 + e1), c2.mul_add(f0, c6 * f1), c4 * (e0 - e1), c6.mul_add(f0, -(c2 * f1))];
    from_fn(|u| if u % 2 == 0 { even[u / 2] } else { odd(u / 2, d) })
}

fn backward(y: [f32; 8]) -> [f32; 8] {
    let [_, _, c2, _, c4, _, c6, _] = cosines();
    let (e0, e1) = (c4 * (y[0] + y[4]), c4 * (y[0] - y[4]));
    let (f0, f1) = (c2.mul_add(y[2], c6 * y[6]), c6.mul_add(y[2], -(c2 * y[6])));
    let s = [e0 + f0, e1 + f1, e1 - f1, e0 - f0];
    let d: [f32; 4] = from_fn(|k| odd(k, [y[1], y[3], y[5], y[7]]));
    from_fn(|k| if k < 4 { s[k] + d[k] } else { s[7 - k] - d[7 - k] })
}

pub(super) fn short_forward(block: Block<i16>) -> Block<i16> {
    both_ways(block, forward_short)
}

pub(super) fn short_backward(block: Block<i16>) -> Block<i16> {
    both_ways(block, backward_short)
}

/// To the nearest multiple of the step, ties away from zero.
pub(super) fn short_quantize(block: Block<i16>) -> Block<i16> {
    from_fn(|i| {
        from_fn(|j| {
            let (value, step) = (i32::from(block[i][j]), i32::from(STEPS[i][j]));
            ((value.abs() + step / 2) / step * step * value.signum()) as i16
        })
    })
}

/// 2^12 cos(k pi / 16) for k = 1 to 7.
const FIXED: [i32; 8] = [4096, 4017, 3784, 3406, 2896, 2276, 1567, 799];

/// Half of a sum of products, without the twelve bits, rounded.
fn scaled(v: i32) -> i16 {
    ((v + (1 << 12)) >> 13) as i16
}

fn odd_short(row: usize, v: [i32; 4]) -> i32 {
    ODD[row].iter().zip(v).map(|(&(sign, k), v)| sign as i32 * FIXED[k] * v).sum()
}

fn forward_short(x: [i16; 8]) -> [i16; 8] {
    let x = x.map(i32::from);
    let s: [i32; 4] = from_fn(|k| x[k] + x[7 - k]);
    let d: [i32; 4] = from_fn(|k| x[k] - x[7 - k]);
    let (f0, f1) = (s[0] - s[3], s[1] - s[2]);
    let [_, _, k2, _, k4, _, k6, _] = FIXED;
    let even = [
        k4 * (s[0] + s[3] + s[1] + s[2]),
        k2 * f0 + k6 * f1,
        k4 * (s[0] + s[3] - s[1] - s[2]),
        k6 * f0 - k2 * f1,
    ];
    from_fn(|u| scaled(if u % 2 == 0 { even[u / 2] } else { odd_short(u / 2, d) }))
}

fn backward_short(y: [i16; 8]) -> [i16; 8] {
    let y = y.map(i32::from);
    let [_, _, k2, _, k4, _, k6, _] = FIXED;
    let (e0, e1) = (k4 * (y[0] + y[4]), k4 * (y[0] - y[4]));
    let (f0, f1) = (k2 * y[2] + k6 * y[6], k6 * y[2] - k2 * y[6]);
    let s = [e0 + f0, e1 + f1, e1 - f1, e0 - f0];
    let d: [i32; 4] = from_fn(|k| odd_short(k, [y[1], y[3], y[5], y[7]]));
    from_fn(|k| scaled(if k < 4 { s[k] + d[k] } else { s[7 - k] - d[7 - k] }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::integers;
    use crate::random::SplitMix64;

    fn sample() -> Block<i16> {
        let mut random = SplitMix64::new(3, 0);
        from_fn(|_| {
            let row = integers(&mut random, 8, 256);
            from_fn(|j| row[j] as i16 - 128)
        })
    }

    /// By definition, in double precision.
    fn definition(block: Block<i16>) -> Block<f64> {
        let c = |u: usize| if u == 0 { 0.125_f64.sqrt() } else { 0.5 };
        let cosine = |u: usize, k: usize| c(u) * ((2 * k + 1) as f64 * u as f64 * PI / 16.0).cos();
        from_fn(|u| {
            from_fn(|v| {
                let term =
                    |at: usize| f64::from(block[at / 8][at % 8]) * cosine(u, at / 8) * cosine(v, at % 8);
                (0..64).map(term).sum()
            })
        })
    }

    fn distance<T: Copy + Into<f64>>(a: &Block<T>, b: &Block<f64>) -> f64 {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.map(|(&a, b)| (a.into() - b).abs()).fold(0.0, f64::max)
    }

    #[test]
    fn every_transform_is_the_cosine_transform() {
        let block = sample();
        let expected = definition(block);
        let floats = block.map(|row| row.map(f32::from));
        assert!(distance(&matrix_forward(floats), &expected) < 1e-3);
        assert!(distance(&fast_forward(floats), &expected) < 1e-3);
        assert!(distance(&short_forward(block), &expected) < 3.0);
    }

    #[test]
    fn backward_undoes_forward() {
        let block = sample();
        let exact = block.map(|row| row.map(f64::from));
        let floats = block.map(|row| row.map(f32::from));
        assert!(distance(&matrix_backward(matrix_forward(floats)), &exact) < 1e-3);
        assert!(distance(&fast_backward(fast_forward(floats)), &exact) < 1e-3);
        assert!(distance(&short_backward(short_forward(block)), &exact) < 3.0);
    }

    #[test]
    fn quantisation_rounds_to_the_nearest_step() {
        let mut block = [[0_i16; 8]; 8];
        (block[0][0], block[0][1], block[1][0]) = (24, -6, 5);
        let q = short_quantize(block);
        assert_eq!((q[0][0], q[0][1], q[1][0]), (32, -11, 0));
        let q = quantize(block.map(|row| row.map(f32::from)));
        assert_eq!((q[0][0], q[0][1], q[1][0]), (32.0, -11.0, 0.0));
    }
}
