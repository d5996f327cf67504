//! An axis from 0 with round steps.

use serde::Serialize;

/// A mark of an axis.
#[derive(Debug, Clone, Serialize)]
pub struct Tick {
    /// Where, in pixels from the origin of the axis.
    pub at: f64,
    /// What stands beside it.
    pub label: String,
}

/// An axis from 0 to a round number that is at least `most`.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// The number at its end.
    pub end: f64,
    step: f64,
    pixels: f64,
}

impl Axis {
    /// An axis of `pixels` with about five steps of 1, 2, 2.5 or 5 times a power of ten.
    pub fn new(most: f64, pixels: f64) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        let magnitude = 10f64.powf((most / 5.0).log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * magnitude).into_iter().find(|s| most / s <= 5.0);
        let step = step.unwrap_or(10.0 * magnitude);
        Self { end: (most / step).ceil() * step, step, pixels }
    }

    /// Pixels from 0 to `value`.
    pub fn length(&self, value: f64) -> f64 {
        value / self.end * self.pixels
    }

    /// All marks.
    pub fn ticks(&self) -> Vec<Tick> {
        let count = (self.end / self.step).round() as u32;
        let tick = |index: u32| {
            let value = f64::from(index) * self.step;
            Tick { at: self.length(value), label: short(value) }
        };
        (0..=count).map(tick).collect()
    }
}

/// A number as it stands in drawings and tables: four significant digits, whole ones as they are.
pub fn short(value: f64) -> String {
    if value == 0.0 || (value.fract() == 0.0 && value.abs() < 1e15) {
        return format!("{value:.0}");
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{Axis, short};

    #[test]
    fn an_axis_holds_its_largest_value_and_has_few_marks() {
        for most in [1e-4, 0.3, 0.99, 1.0, 1.01, 2.6, 7.0, 123_456.0] {
            let axis = Axis::new(most, 200.0);
            assert!(axis.end >= most && axis.end <= 2.0 * most, "{most}: {}", axis.end);
            let ticks = axis.ticks();
            assert!((3..=7).contains(&ticks.len()), "{most}: {}", ticks.len());
            assert!((ticks.last().map_or(0.0, |t| t.at) - 200.0).abs() < 1e-6, "{most}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let said = [0.0, 1.0, 1.23456, 0.012_345_6, 123_456.0, 1234.56, 0.5].map(short);
        assert_eq!(said, ["0", "1", "1.235", "0.01235", "123456", "1235", "0.5"]);
    }
}
