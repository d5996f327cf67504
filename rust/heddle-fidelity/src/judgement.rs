//! Measured cycles against references and limits.

use serde::Serialize;

use crate::error::FidelityError;
use crate::limits::{Limits, MEAN};
use crate::measure::Measured;
use crate::reference::{Reference, distance};

/// Whether a distance is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within the limit of every trace.
    Within,
    /// Beyond that, within the limit of its row, which says why.
    Known,
    /// Beyond its limit.
    Beyond,
    /// Within the limit of every trace, though a row says that it is not: the row has to go.
    RowNotNeeded,
}

impl Verdict {
    /// Whether it is good.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(self, Self::Within | Self::Known)
    }
}

/// A trace, judged; the keys of its row in the results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The trace, or [`MEAN`].
    pub trace: String,
    /// Measured cycles; of the mean those of all traces.
    pub cycles: u64,
    /// Fewest cycles of the references.
    pub reference_low: Option<u64>,
    /// Most cycles of the references.
    pub reference_high: Option<u64>,
    /// Natural logarithm of the ratio to the nearer end of that interval, 0 inside; of the mean that of the sizes.
    pub distance: f64,
    /// The same to the reference simulator.
    pub distance_to_simulator: Option<f64>,
    /// The same to published figures of the hardware.
    pub distance_to_hardware: Option<f64>,
    /// Largest size of `distance` that passes.
    pub distance_limit: f64,
    /// Whether it passes.
    pub verdict: Verdict,
    /// Why it is further away than others, where a row of the limits says so.
    pub mechanism: Option<String>,
    /// What the interval follows from, where it is a bound.
    pub bound: Option<String>,
}

/// All traces, judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// By trace, and the mean where all traces with a reference were measured.
    pub rows: Vec<Judged>,
}

impl Judgement {
    /// Whether everything passes.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.rows.iter().all(|row| row.verdict.passes())
    }
}

/// Judges traces by references and limits.
///
/// # Errors
/// [`FidelityError::Data`] where a trace has no reference, a reference or a row of the limits no trace.
pub fn judge(
    traces: &[crate::Trace],
    measured: &[Measured],
    references: &[Reference],
    limits: &Limits,
) -> Result<Judgement, FidelityError> {
    let known = |name: &str| traces.iter().any(|trace| trace.name == name);
    if let Some(lost) = references.iter().find(|r| !known(&r.trace)) {
        let what = format!("{}: expected the name of a micro-trace", lost.trace);
        return Err(FidelityError::Data { file: "reference.csv", what });
    }
    if let Some(lost) = limits.beyond.iter().find(|row| row.trace != MEAN && !known(&row.trace)) {
        let what = format!("{}: expected the name of a micro-trace, or {MEAN}", lost.trace);
        return Err(FidelityError::Data { file: "limits.toml", what });
    }
    let mut rows = Vec::new();
    for one in measured {
        let reference = references.iter().find(|r| r.trace == one.trace);
        let reference = reference.ok_or_else(|| FidelityError::Data {
            file: "reference.csv",
            what: format!("expected a row of the trace {}", one.trace),
        })?;
        rows.push(trace_row(one, reference, limits));
    }
    if !rows.is_empty() && measured.len() == references.len() {
        rows.push(mean_row(&rows, limits));
    }
    Ok(Judgement { rows })
}

fn trace_row(one: &Measured, reference: &Reference, limits: &Limits) -> Judged {
    let [low, high] = reference.interval();
    let cycles = one.cycles as f64;
    let to = |other: Option<u64>| other.map(|other| distance(cycles, [other as f64; 2]));
    let row = Judged {
        trace: one.trace.clone(),
        cycles: one.cycles,
        reference_low: Some(low),
        reference_high: Some(high),
        distance: distance(cycles, [low as f64, high as f64]),
        distance_to_simulator: to(reference.simulator_cycles),
        distance_to_hardware: to(reference.hardware_cycles),
        distance_limit: 0.0,
        verdict: Verdict::Within,
        mechanism: None,
        bound: None,
    };
    limited(row, limits)
}

fn mean_row(rows: &[Judged], limits: &Limits) -> Judged {
    let mean = |sizes: Vec<f64>| (!sizes.is_empty()).then(|| sizes.iter().sum::<f64>() / sizes.len() as f64);
    let row = Judged {
        trace: MEAN.to_owned(),
        cycles: rows.iter().map(|row| row.cycles).sum(),
        reference_low: None,
        reference_high: None,
        distance: mean(rows.iter().map(|row| row.distance.abs()).collect()).unwrap_or(0.0),
        distance_to_simulator: mean(
            rows.iter().filter_map(|r| r.distance_to_simulator).map(f64::abs).collect(),
        ),
        distance_to_hardware: mean(
            rows.iter().filter_map(|r| r.distance_to_hardware).map(f64::abs).collect(),
        ),
        distance_limit: 0.0,
        verdict: Verdict::Within,
        mechanism: None,
        bound: None,
    };
    limited(row, limits)
}

/// The row with its limit and what follows from it.
fn limited(row: Judged, limits: &Limits) -> Judged {
    let base = limits.without_row(&row.trace);
    let beyond = limits.row(&row.trace);
    let distance_limit = beyond.map_or(base, |row| row.limit);
    let size = row.distance.abs();
    let verdict = match beyond {
        _ if size.is_nan() || size > distance_limit => Verdict::Beyond,
        Some(_) if size <= base => Verdict::RowNotNeeded,
        Some(_) => Verdict::Known,
        None => Verdict::Within,
    };
    Judged { distance_limit, verdict, mechanism: beyond.map(|row| row.mechanism.clone()), ..row }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Trace;

    const LIMITS: &str = "within = 0.1\nmean_within = 0.04\n";
    const ROW: &str = "[[beyond]]\ntrace = \"a\"\nlimit = 0.5\nmechanism = \"a queue\"\n";

    fn judged(cycles: u64, rows: &str) -> Judgement {
        let traces = [Trace::new("a", "a", [1, 32], |_, _| ())];
        let reference = Reference {
            trace: "a".to_owned(),
            simulator_cycles: Some(100),
            hardware_cycles: Some(80),
            hardware_published: String::new(),
        };
        let measured = [Measured { trace: "a".to_owned(), cycles, warp_instructions: 1 }];
        let limits = Limits::parse(&format!("{LIMITS}{rows}")).expect("good");
        judge(&traces, &measured, &[reference], &limits).expect("names agree")
    }

    fn verdicts(cycles: u64, rows: &str) -> Vec<Verdict> {
        judged(cycles, rows).rows.iter().map(|row| row.verdict).collect()
    }

    #[test]
    fn a_trace_is_within_its_limit_or_not() {
        use Verdict::{Beyond, Known, RowNotNeeded, Within};
        // 4 % of 100 is 104, 10 % is 110.
        assert_eq!(verdicts(104, ""), [Within, Within]);
        assert_eq!(verdicts(110, ""), [Within, Beyond]);
        assert_eq!(verdicts(111, ""), [Beyond, Beyond]);
        assert_eq!(verdicts(72, ""), [Beyond, Beyond]);
        assert_eq!(verdicts(120, ROW)[0], Known);
        assert_eq!(verdicts(170, ROW)[0], Beyond);
        assert_eq!(verdicts(104, ROW)[0], RowNotNeeded);
        assert!(judged(104, "").passes() && !judged(104, ROW).passes() && !judged(120, ROW).passes());
        let mean = "[[beyond]]\ntrace = \"mean\"\nlimit = 0.5\nmechanism = \"a queue\"\n";
        assert!(judged(120, &format!("{ROW}{mean}")).passes());
    }

    #[test]
    fn distances_to_each_reference_stand_beside() {
        let row = &judged(90, "").rows[0];
        assert_eq!((row.distance, row.reference_low, row.reference_high), (0.0, Some(80), Some(100)));
        assert_eq!(row.distance_to_simulator, Some((0.9f64).ln()));
        assert_eq!(row.distance_to_hardware, Some((90.0f64 / 80.0).ln()));
    }

    #[test]
    fn names_that_nobody_has_are_refused() {
        let traces = [Trace::new("a", "a", [1, 32], |_, _| ())];
        let reference = |trace: &str| Reference {
            trace: trace.to_owned(),
            simulator_cycles: Some(1),
            hardware_cycles: None,
            hardware_published: String::new(),
        };
        let measured = [Measured { trace: "a".to_owned(), cycles: 1, warp_instructions: 1 }];
        let limits = |rows: &str| Limits::parse(&format!("{LIMITS}{rows}")).expect("good");
        let refused = |references: &[Reference], limits: &Limits, file: &str| {
            let error = judge(&traces, &measured, references, limits).expect_err("a name is wrong");
            assert!(error.to_string().starts_with(file), "{error}");
        };
        refused(&[reference("a"), reference("b")], &limits(""), "reference.csv: b:");
        refused(&[], &limits(""), "reference.csv: expected a row");
        refused(&[reference("a")], &limits(&ROW.replace("\"a\"", "\"c\"")), "limits.toml: c:");
    }

    #[test]
    fn rows_that_say_nothing_are_refused() {
        let refused = |rows: &str| Limits::parse(&format!("{LIMITS}{rows}")).is_err();
        assert!(!refused(ROW));
        assert!(refused(&format!("{ROW}{ROW}")));
        assert!(refused(&ROW.replace("0.5", "0.1")) && refused(&ROW.replace("0.5", "nan")));
        assert!(refused(&ROW.replace("a queue", " ")) && refused(&ROW.replace("mechanism", "why")));
    }
}
