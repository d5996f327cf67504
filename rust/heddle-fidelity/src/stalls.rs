//! What each micro-trace is meant to lose issue slots to.

use serde::Deserialize;

use crate::error::FidelityError;

const FILE: &str = "stalls.csv";
const TEXT: &str = include_str!("../data/stalls.csv");

/// Reasons of lost issue slots, as `statistics.stalls` names them.
const REASONS: [&str; 9] =
    ["port", "unit", "result", "memory", "prefetch", "transit", "barrier", "fetch", "no_warp"];

/// The part of the lost slots that the reasons meant have at least.
pub const MEANT_SHARE: f64 = 0.9;

/// What a trace is meant to lose its slots to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    /// The trace.
    pub trace: String,
    /// The reasons; more than one where more than one mechanism is meant.
    pub reasons: Vec<String>,
    /// The mechanism, and why there is more than one.
    pub why: String,
}

#[derive(Deserialize)]
struct Row {
    trace: String,
    reasons: String,
    why: String,
}

/// All traces with what they are meant to lose their slots to.
///
/// # Errors
/// [`FidelityError::Data`] for a row that is not one, a reason that no slot is lost to, and a row that says no mechanism.
pub fn meant() -> Result<Vec<Meant>, FidelityError> {
    parse(TEXT)
}

fn parse(text: &str) -> Result<Vec<Meant>, FidelityError> {
    let wrong = |what| FidelityError::Data { file: FILE, what };
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    let rows: Vec<Row> = rows.collect::<Result<_, _>>().map_err(|e| wrong(e.to_string()))?;
    let mut all: Vec<Meant> = Vec::new();
    for Row { trace, reasons, why } in rows {
        let reasons: Vec<String> = reasons.split('+').map(str::to_owned).collect();
        if let Some(unknown) = reasons.iter().find(|reason| !REASONS.contains(&reason.as_str())) {
            return Err(wrong(format!("{trace}: '{unknown}'; expected one of {}", REASONS.join(", "))));
        }
        if why.trim().is_empty() {
            return Err(wrong(format!("{trace}: expected the mechanism")));
        }
        if all.iter().any(|other| other.trace == trace) {
            return Err(wrong(format!("{trace}: expected one row")));
        }
        all.push(Meant { trace, reasons, why });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn rows_that_say_nothing_are_refused() {
        let rows = |rows: &str| parse(&format!("trace,reasons,why\n{rows}\n"));
        let good = rows("a,unit+result,a busy unit").expect("good");
        assert_eq!((good.len(), good[0].reasons.len()), (1, 2));
        for (row, expected) in [
            ("a,units,words", "'units'; expected one of port"),
            ("a,,words", "''; expected"),
            ("a,unit, ", "expected the mechanism"),
            ("a,unit,words\na,result,words", "expected one row"),
            ("a,unit", "stalls.csv"),
        ] {
            let error = rows(row).expect_err(row).to_string();
            assert!(error.contains(expected), "{row}: {error}");
        }
    }
}
