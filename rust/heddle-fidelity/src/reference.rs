//! Cycles of others for the traces, and how far a number of cycles is from them.

use serde::Deserialize;

use crate::error::FidelityError;

const FILE: &str = "reference.csv";
const TEXT: &str = include_str!("../data/reference.csv");

/// What others say of a trace. Their origin: `data/README.md`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Reference {
    /// The trace.
    pub trace: String,
    /// Cycles that the reference simulator takes.
    pub simulator_cycles: Option<u64>,
    /// Cycles that follow from published figures of the hardware.
    pub hardware_cycles: Option<u64>,
    /// What was published.
    pub hardware_published: String,
}

impl Reference {
    /// Fewest and most cycles among the references.
    #[must_use]
    pub fn interval(&self) -> [u64; 2] {
        let known = || self.simulator_cycles.into_iter().chain(self.hardware_cycles);
        [known().min().unwrap_or(0), known().max().unwrap_or(u64::MAX)]
    }
}

/// All references, in the order of the file.
///
/// # Errors
/// [`FidelityError::Data`] for a row that is not one, or has no cycles.
pub fn references() -> Result<Vec<Reference>, FidelityError> {
    parse(TEXT)
}

fn parse(text: &str) -> Result<Vec<Reference>, FidelityError> {
    let wrong = |what| FidelityError::Data { file: FILE, what };
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let rows: Vec<Reference> = rows.collect::<Result<_, _>>().map_err(|e| wrong(e.to_string()))?;
    for row in &rows {
        let known = [row.simulator_cycles, row.hardware_cycles];
        if known == [None; 2] || known.contains(&Some(0)) {
            return Err(wrong(format!("{}: expected cycles above 0 of at least one reference", row.trace)));
        }
    }
    Ok(rows)
}

/// The natural logarithm of how many times more than the interval `[low, high]` a number is; negative below it, 0
/// inside.
#[must_use]
pub fn distance(measured: f64, [low, high]: [f64; 2]) -> f64 {
    if measured > high {
        (measured / high).ln()
    } else if measured < low {
        (measured / low).ln()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_from_the_interval() {
        let interval = [100.0, 200.0];
        assert_eq!([100.0, 150.0, 200.0].map(|cycles| distance(cycles, interval)), [0.0; 3]);
        assert_eq!(distance(200.0 * 1.1, interval), (1.1f64).ln());
        assert_eq!(distance(50.0, interval), -(2.0f64).ln());
    }

    #[test]
    fn a_row_without_cycles_is_refused() {
        let rows =
            |row: &str| parse(&format!("trace,simulator_cycles,hardware_cycles,hardware_published\n{row}\n"));
        let one = rows("a,5,,").expect("good");
        assert_eq!((one[0].interval(), one[0].hardware_cycles), ([5, 5], None));
        assert_eq!(rows("a,5,3,words").expect("good")[0].interval(), [3, 5]);
        for wrong in ["a,,,", "a,0,,", "a,5", "a,-5,,", "a,five,,"] {
            assert!(rows(wrong).is_err(), "{wrong}");
        }
    }
}
