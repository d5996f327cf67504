//! Direction numbers of Sobol's sequences, for the kernels that make low-discrepancy numbers.
//!
//! Dimension 0 is van der Corput's sequence. Dimension d takes the d-th primitive polynomial over the field
//! of two elements; its initial values, which may be any odd numbers, come from the random generator.
//! (Bratley, Fox: Algorithm 659, ACM TOMS 14, 1988.)

use crate::random::SplitMix64;

/// Bits of a number.
pub(super) const BITS: usize = 32;

/// Direction numbers of `dimensions` dimensions, [`BITS`] each, the first with the highest bit set.
pub(super) fn directions(dimensions: usize, random: &mut SplitMix64) -> Vec<u32> {
    let mut numbers: Vec<u32> = Vec::with_capacity(dimensions * BITS);
    if dimensions > 0 {
        numbers.extend((0..BITS).map(|k| 1 << (BITS - 1 - k)));
    }
    for polynomial in primitive_polynomials().take(dimensions.saturating_sub(1)) {
        numbers.extend(dimension(polynomial, random));
    }
    numbers
}

/// Direction numbers of one dimension; bit i of `polynomial` is the coefficient of x^i.
fn dimension(polynomial: u32, random: &mut SplitMix64) -> [u32; BITS] {
    let degree = polynomial.ilog2() as usize;
    let mut m = [0_u64; BITS];
    for k in 0..BITS {
        m[k] = if k < degree {
            // Odd and below 2^(k + 1).
            u64::from(random.below(1 << k)) * 2 + 1
        } else {
            let term = |i: usize| {
                let coefficient = u64::from(polynomial >> (degree - i) & 1);
                coefficient * (m[k - i] << i)
            };
            (1..=degree).fold(m[k - degree], |sum, i| sum ^ term(i))
        };
    }
    std::array::from_fn(|k| (m[k] << (BITS - 1 - k)) as u32)
}

/// Primitive polynomials, by ascending degree and value.
fn primitive_polynomials() -> impl Iterator<Item = u32> {
    (1..16).flat_map(|degree| (1_u32 << degree..1 << (degree + 1)).filter(|&p| is_primitive(p)))
}

/// Whether the powers of x run through all residues but zero.
fn is_primitive(polynomial: u32) -> bool {
    let degree = polynomial.ilog2();
    let period = (1_u32 << degree) - 1;
    let mut power = 1_u32;
    for exponent in 1..=period {
        power <<= 1;
        if power >> degree & 1 == 1 {
            power ^= polynomial;
        }
        if power == 1 {
            return exponent == period;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_the_tabulated_ones() {
        let first: Vec<u32> = primitive_polynomials().take(8).collect();
        assert_eq!(first, [0b11, 0b111, 0b1011, 0b1101, 0b10011, 0b11001, 0b10_0101, 0b10_1001]);
    }

    #[test]
    fn every_dimension_visits_every_interval_once() {
        let numbers = directions(20, &mut SplitMix64::new(4, 0));
        for dimension in numbers.chunks_exact(BITS) {
            let mut seen = [false; 256];
            for i in 0..256_u32 {
                let x = (0..8).filter(|k| i >> k & 1 == 1).fold(0, |x, k| x ^ dimension[k]);
                seen[(x >> 24) as usize] = true;
            }
            assert!(seen.into_iter().all(|s| s));
        }
    }
}
