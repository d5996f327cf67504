//! A second reading of the CUDA programming guide's "Texture Fetching": exact fractions in place of floating
//! point, and functions of the coordinate in place of texel numbers.

use heddle_isa::texture::{Addressing, Filter, Format, ReadMode, Sampler};

/// `numerator / 2^shift`, exact.
#[derive(Clone, Copy)]
struct Dyadic {
    numerator: i128,
    shift: u32,
}

impl Dyadic {
    /// An f32; those below 2^-60 count as the sign times 2^-60, which is below every border.
    fn new(x: f32) -> Self {
        let bits = x.to_bits();
        let exponent = (bits >> 23 & 0xff) as i32;
        let fraction = i128::from(bits & 0x7f_ffff);
        let mantissa = if exponent == 0 { fraction } else { fraction | 0x80_0000 };
        let sign = if bits >> 31 == 1 { -1 } else { 1 };
        let power = exponent.max(1) - 150;
        if mantissa == 0 {
            Self { numerator: 0, shift: 0 }
        } else if power >= 0 {
            Self { numerator: sign * (mantissa << power.min(60)), shift: 0 }
        } else if power < -84 {
            Self { numerator: sign, shift: 60 }
        } else {
            Self { numerator: sign * mantissa, shift: power.unsigned_abs() }
        }
    }

    fn times(self, n: u32) -> Self {
        Self { numerator: self.numerator * i128::from(n), ..self }
    }

    /// `floor(self * 2^bits + add / 2)`.
    fn scaled_floor(self, bits: u32, add: i128) -> i128 {
        ((self.numerator << (bits + 1)) + (add << self.shift)) >> (self.shift + 1)
    }
}

/// A texel on an axis with its weight in 256ths; `None` is the border.
pub type Tap = (Option<u32>, u32);

fn wrap(addressing: Addressing, i: i128, n: u32) -> Option<u32> {
    let n = i128::from(n);
    let j = match addressing {
        Addressing::Clamp if i < 0 => 0,
        Addressing::Clamp if i >= n => n - 1,
        Addressing::Clamp | Addressing::Border => i,
        Addressing::Wrap => ((i % n) + n) % n,
        Addressing::Mirror => {
            let period = i.div_euclid(n);
            let inside = i - period * n;
            if period % 2 == 0 { inside } else { n - 1 - inside }
        }
    };
    (0..n).contains(&j).then_some(j as u32)
}

/// The texels of one axis.
pub fn axis(x: f32, n: u32, sampler: &Sampler, addressing: Addressing) -> Vec<Tap> {
    let periodic = matches!(addressing, Addressing::Wrap | Addressing::Mirror);
    let x = if x.is_nan() || periodic && x.is_infinite() { 0.0 } else { x };
    // What is further out than any image is as far out as the largest that the fraction holds; a wrapped
    // coordinate without fraction is a multiple of the period.
    let x = if x.abs() >= 3.0e10 { if periodic { 0.0 } else { x.signum() * 3.0e10 } } else { x };
    let u = if sampler.normalised { Dyadic::new(x).times(n) } else { Dyadic::new(x) };
    if sampler.filter == Filter::Point {
        return vec![(wrap(addressing, u.scaled_floor(0, 0), n), 256)];
    }
    // In units of 1/256 texel, the half texel taken off and rounded to nearest with ties up.
    let v = u.scaled_floor(8, 1) - 128;
    let (i, a) = (v.div_euclid(256), v.rem_euclid(256) as u32);
    vec![(wrap(addressing, i, n), 256 - a), (wrap(addressing, i + 1, n), a)]
}

/// A channel as the numerator of a fraction with the denominator that is returned with it.
pub fn texel(format: Format, read: ReadMode, raw: u32) -> (i128, i128) {
    let (value, most) = match format {
        Format::U8 => (i128::from(raw & 0xff), 255),
        Format::S8 => (i128::from(raw as u8 as i8), 127),
        Format::U16 => (i128::from(raw & 0xffff), 65535),
        Format::S16 => (i128::from(raw as u16 as i16), 32767),
        Format::U32 => (i128::from(raw), 1),
        Format::S32 => (i128::from(raw as i32), 1),
        Format::F32 => return ((f64::from(f32::from_bits(raw)) * 1024.0) as i128, 1024),
        Format::F16 => {
            let magnitude = match (raw >> 10 & 31, i128::from(raw & 0x3ff)) {
                (0, m) => m,
                (e, m) => (m | 0x400) << (e - 1),
            };
            return (if raw >> 15 & 1 == 1 { -magnitude } else { magnitude }, 1 << 24);
        }
    };
    if read == ReadMode::Element { (value, 1) } else { (value.max(-most), most) }
}

/// `numerator / denominator` rounded to f32 (to nearest, ties to even), by integer division.
pub fn round(numerator: i128, denominator: i128) -> f32 {
    if numerator == 0 {
        return 0.0;
    }
    let (mut n, mut d) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let mut exponent = 0;
    while n < d << 24 {
        n <<= 1;
        exponent -= 1;
    }
    while n >= d << 25 {
        d <<= 1;
        exponent += 1;
    }
    // The quotient has 25 bits: one below the last place.
    let (q, rest) = (n / d, n % d);
    let up = q & 1 == 1 && (rest != 0 || q & 2 == 2);
    let magnitude = (q / 2 + u128::from(up)) as f64 * f64::from(exponent + 1).exp2();
    if numerator < 0 { -magnitude as f32 } else { magnitude as f32 }
}
