//! One axis: from a coordinate to texel numbers and weights.

use smallvec::{SmallVec, smallvec};

/// What becomes of texel numbers outside `0..N` (CUDA programming guide, "Texture Memory").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Addressing {
    /// The nearest texel.
    #[default]
    Clamp,
    /// Zero.
    Border,
    /// The number modulo `N`; with normalised coordinates only.
    Wrap,
    /// The number modulo `2N`, counted backwards from `N` on; with normalised coordinates only.
    Mirror,
}

/// Sum of the weights of the linear filter on an axis.
pub(super) const WHOLE: u32 = 256;
/// From here on a coordinate is reduced to the period before it becomes an integer.
const REDUCED_FROM: f64 = (1u64 << 40) as f64;

/// A texel on an axis: its number, or `None` outside, and its weight.
pub(super) type Tap = (Option<u32>, u32);

impl Addressing {
    /// The texel that texel number `i` of `size` stands for; `None` is the border.
    pub(super) fn resolve(self, i: i64, size: u32) -> Option<u32> {
        let n = i64::from(size);
        let inside = match self {
            Self::Clamp => i.clamp(0, n - 1),
            Self::Border => i,
            Self::Wrap => i.rem_euclid(n),
            Self::Mirror => {
                let j = i.rem_euclid(2 * n);
                j.min(2 * n - 1 - j)
            }
        };
        u32::try_from(inside).ok().filter(|&i| i < size)
    }

    /// A coordinate of the same texels that an `i64` holds.
    fn reduce(self, u: f64, size: u32) -> f64 {
        let n = f64::from(size);
        match self {
            _ if u.is_nan() => 0.0,
            Self::Clamp | Self::Border => u.clamp(-2.0, n + 2.0),
            Self::Wrap | Self::Mirror if u.is_infinite() => 0.0,
            Self::Wrap | Self::Mirror if u.abs() >= REDUCED_FROM => u % (2.0 * n),
            Self::Wrap | Self::Mirror => u,
        }
    }

    /// The texel of the point filter at `u`, counted in texels.
    pub(super) fn point(self, u: f64, size: u32) -> Option<u32> {
        self.resolve(self.reduce(u, size).floor() as i64, size)
    }

    /// The two texels of the linear filter at `u` with their weights in 256ths; one where both are the
    /// same.
    pub(super) fn linear(self, u: f64, size: u32) -> SmallVec<[Tap; 2]> {
        let v = self.reduce(u, size) - 0.5;
        let low = v.floor();
        let a = ((v - low) * f64::from(WHOLE) + 0.5).floor() as u32;
        let i = low as i64;
        let (first, second) = (self.resolve(i, size), self.resolve(i + 1, size));
        if first == second { smallvec![(first, WHOLE)] } else { smallvec![(first, WHOLE - a), (second, a)] }
    }
}
