//! How far a floating-point result may be from its reference, and why.

use std::fmt;

use crate::buffers::Element;

/// A floating-point element.
pub trait Float: Element {
    /// The value, exactly.
    fn value(self) -> f64;
}

impl Float for f32 {
    fn value(self) -> f64 {
        f64::from(self)
    }
}

impl Float for f64 {
    fn value(self) -> f64 {
        self
    }
}

/// An element passes when it differs from its reference by at most `absolute + relative * |reference|`.
/// A NaN passes where the reference is NaN, an infinity where it is the same infinity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Largest difference of an element whose reference is 0.
    pub absolute: f64,
    /// Largest difference relative to the reference.
    pub relative: f64,
    /// Why the bits do not follow from the source of the kernel.
    pub reason: &'static str,
}

impl Tolerance {
    /// A bound relative to the reference alone.
    #[must_use]
    pub const fn relative(relative: f64, reason: &'static str) -> Self {
        Self { absolute: 0.0, relative, reason }
    }

    /// A bound on the difference itself.
    #[must_use]
    pub const fn absolute(absolute: f64, reason: &'static str) -> Self {
        Self { absolute, relative: 0.0, reason }
    }

    /// Whether `actual` is near enough.
    #[must_use]
    pub fn admits(&self, actual: f64, expected: f64) -> bool {
        if expected.is_finite() && actual.is_finite() {
            (actual - expected).abs() <= self.absolute + self.relative * expected.abs()
        } else {
            actual == expected || actual.is_nan() && expected.is_nan()
        }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "within {:e} + {:e} * |reference|: {}", self.absolute, self.relative, self.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive_and_specials_must_agree() {
        let t = Tolerance { absolute: 0.5, relative: 0.25, reason: "a test" };
        assert!(t.admits(4.0 + 1.5, 4.0) && t.admits(-1.5 - 4.0, -4.0));
        assert!(!t.admits(5.6, 4.0) && !t.admits(2.4, 4.0));
        assert!(t.admits(f64::NAN, f64::NAN) && !t.admits(f64::NAN, 1.0) && !t.admits(1.0, f64::NAN));
        assert!(t.admits(f64::INFINITY, f64::INFINITY));
        assert!(!t.admits(f64::NEG_INFINITY, f64::INFINITY) && !t.admits(1.0, f64::INFINITY));
    }
}
