//! Sums of floating-point numbers as atomic operations give them, by way of the host's arithmetic.
//!
//! Numbers of 16 bits are added in double precision, whose 53 bits are more than twice theirs and two, so that rounding
//! twice gives what rounding once does.

/// Bits of exponent and fraction.
#[derive(Clone, Copy)]
struct Format {
    exponent: i32,
    fraction: i32,
}

const HALF: Format = Format { exponent: 5, fraction: 10 };
const BRAIN: Format = Format { exponent: 8, fraction: 7 };
/// A NaN of 16 bits.
const NAN: u64 = 0x7FFF;

/// Codes of the additions: of singles and doubles, of halves, of brain floats.
pub const FLOAT: u8 = 12;
pub const HALVES: u8 = 13;
pub const BRAINS: u8 = 14;

/// The sum of an addition of code `code` on `bytes` bytes.
#[must_use]
pub fn sum(code: u8, bytes: usize, a: u64, b: u64) -> u64 {
    let pieces = |format: Format| {
        (0..bytes / 2).fold(0, |all, piece| {
            let at = |x: u64| x >> (16 * piece) & 0xFFFF;
            all | narrow_sum(format, at(a), at(b)) << (16 * piece)
        })
    };
    match (code, bytes) {
        (HALVES, _) => pieces(HALF),
        (BRAINS, _) => pieces(BRAIN),
        (_, 8) => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            let sum = x + y;
            match (x.is_nan(), y.is_nan(), sum.is_nan()) {
                (true, _, _) => a | 1 << 51,
                (_, true, _) => b | 1 << 51,
                (_, _, true) => 0xFFF8 << 48,
                _ => sum.to_bits(),
            }
        }
        _ => {
            let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
            u64::from(if sum.is_nan() { 0x7FFF_FFFF } else { sum.to_bits() })
        }
    }
}

impl Format {
    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    fn value(self, bits: u64) -> f64 {
        let sign = if bits >> 15 != 0 { -1.0 } else { 1.0 };
        let magnitude = bits & 0x7FFF;
        let fraction = magnitude & ((1 << self.fraction) - 1);
        let exponent = (magnitude >> self.fraction) as i32;
        let size = match exponent {
            _ if magnitude == self.infinity() => f64::INFINITY,
            _ if magnitude > self.infinity() => f64::NAN,
            0 => fraction as f64 * 2f64.powi(1 - self.bias() - self.fraction),
            _ => (fraction + (1 << self.fraction)) as f64 * 2f64.powi(exponent - self.bias() - self.fraction),
        };
        sign * size
    }

    /// The nearest number, the even one of two.
    fn bits(self, x: f64) -> u64 {
        if x.is_nan() {
            return NAN;
        }
        let sign = u64::from(x.is_sign_negative()) << 15;
        let exponent = ((x.to_bits() >> 52 & 0x7FF) as i32 - 1023).max(1 - self.bias());
        let units = (x.abs() * 2f64.powi(self.fraction - exponent)).round_ties_even();
        let hidden = 2f64.powi(self.fraction);
        let magnitude = if units < hidden {
            units as u64
        } else {
            // A sum that was rounded up to the next power of two carries into the exponent.
            (((exponent + self.bias()) as u64) << self.fraction) + (units - hidden) as u64
        };
        sign | if x.is_infinite() { self.infinity() } else { magnitude.min(self.infinity()) }
    }
}

fn narrow_sum(format: Format, a: u64, b: u64) -> u64 {
    format.bits(format.value(a) + format.value(b))
}

#[cfg(test)]
mod tests {
    use super::{BRAINS, FLOAT, HALVES, sum};

    #[test]
    fn sums_of_each_format() {
        assert_eq!(sum(HALVES, 4, 0x3C00_6800, 0xBC00_3C00), 0x0000_6800, "1 - 1, and 2048 + 1 is a tie");
        assert_eq!(sum(HALVES, 2, 0x7BFF, 0x7BFF), 0x7C00, "beyond the greatest number");
        assert_eq!(sum(HALVES, 2, 0x0003, 0x8001), 0x0002, "subnormal");
        assert_eq!(sum(BRAINS, 4, 0x7F80_3F80, 0xFF80_3F80), 0x7FFF_4000, "no number, and 2");
        assert_eq!(sum(FLOAT, 8, 0x7FF0_0000_0000_0001, 0), 0x7FF8_0000_0000_0001, "a NaN goes on, quiet");
        assert_eq!(sum(FLOAT, 8, 0x7FF0 << 48, 0xFFF0 << 48), 0xFFF8 << 48);
        assert_eq!(sum(FLOAT, 4, 0x3F80_0001, 0x3380_0000), 0x3F80_0002, "a tie rounds to even");
    }
}
