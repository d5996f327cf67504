//! Claims, judged.

use serde::Serialize;

use crate::claim::{Claim, ClaimValue, Expected, Paper, Shown, Source, Statement};
use crate::computed;
use crate::error::ClaimError;
use crate::evidence::Evidence;
use crate::measured::{Answer, Measured, measure};
use crate::source::{FromExperiment, Mean};
use crate::stock::Stock;
use crate::text;
use crate::verdict::{Verdict, is_bound, off_by};

/// How far two numbers of a paper for one thing may be apart, as a share of the smaller one.
const APART: f64 = 0.25;

/// A value of a claim, judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// Short name of the paper.
    pub paper: String,
    /// The claim.
    pub claim: String,
    /// What distinguishes the value in its claim.
    pub value: String,
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: String,
    /// What is measured.
    pub quantity: String,
    /// What the paper says.
    pub expected: Expected,
    /// What the numbers are.
    #[serde(rename = "as")]
    pub shown: Shown,
    /// Their unit.
    pub unit: String,
    /// What we have, where we have something.
    pub ours: Option<Measured>,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// What the verdict rests on.
    pub reason: String,
    /// The command that gives our value, where it can be measured.
    pub command: Option<String>,
    /// What explains the value if it is off.
    pub explanation: Option<Explanation>,
}

/// What explains a value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// What is shown.
    pub shows: String,
    /// The command that shows it.
    pub command: String,
}

impl std::fmt::Display for Explanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.shows, self.command)
    }
}

impl Judgement {
    /// What the paper says, as text: `+28 %`.
    #[must_use]
    pub fn paper_text(&self) -> String {
        text::expected(&self.expected, self.shown, &self.unit)
    }

    /// Our geometric mean as text; empty where there is none.
    #[must_use]
    pub fn geometric_text(&self) -> String {
        text::geometric(self.ours.as_ref(), self.shown, &self.unit)
    }

    /// Our arithmetic mean, or the single number, as text; empty where there is none.
    #[must_use]
    pub fn arithmetic_text(&self) -> String {
        text::arithmetic(self.ours.as_ref(), self.shown, &self.unit)
    }
}

/// Judges all values of all claims of `papers`.
///
/// # Errors
/// A technology that does not fit its rows, or something that cannot be computed.
pub fn judge(papers: &[Paper], stock: &Stock, evidence: &Evidence<'_>) -> Result<Vec<Judgement>, ClaimError> {
    let mut all = Vec::new();
    for paper in papers {
        for claim in &paper.claims {
            for value in &claim.values {
                all.push(judge_value(paper, claim, value, stock, evidence)?);
            }
        }
    }
    Ok(all)
}

fn judge_value(
    paper: &Paper,
    claim: &Claim,
    value: &ClaimValue,
    stock: &Stock,
    evidence: &Evidence<'_>,
) -> Result<Judgement, ClaimError> {
    let (ours, mut verdict) = match &value.source {
        None => (None, Verdict::NotBuilt { needs: value.unmet.clone() }),
        Some(Source::Computed(name)) => {
            let measured = Measured::Number(evidence.computed(name)?);
            let verdict = held(value, &measured, Mean::Both);
            (Some(measured), verdict)
        }
        Some(Source::Experiment(source)) => match measure(evidence, source, value.shown, &value.expected)? {
            Answer::Missing(missing, of) => (None, Verdict::NotMeasured { missing, of }),
            Answer::NoKernel { most, kernel } => {
                let property = format!("largest ratio by which kernels are selected ({kernel})");
                let least = source.selected.as_ref().map_or(most, |selected| selected.at_least);
                let (shown, unit) = (Shown::Ratio, String::new());
                (None, Verdict::NotComparable { property, value: most, range: (least, None), shown, unit })
            }
            Answer::Value(measured) => {
                let verdict = from_results(value, source, &measured, evidence)?;
                // Where a condition has no results, ours is not judged and not shown.
                let shown = !matches!(verdict, Verdict::NotMeasured { .. });
                (shown.then_some(measured), verdict)
            }
        },
    };
    if let Some(contradiction) = contradiction(claim, value, evidence)? {
        verdict = contradiction;
    }
    let by = value.isolated_by.as_ref();
    let explanation =
        by.map(|by| Explanation { shows: by.shows.clone(), command: stock.command(&by.experiment) });
    let mut reason = text::reason(&verdict, value, explanation.as_ref());
    if let (Some(_), Some(Source::Experiment(source))) = (&ours, &value.source) {
        reason = [reason, left_out(source, evidence)]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("; ");
    }
    Ok(Judgement {
        paper: paper.id.clone(),
        claim: claim.id.clone(),
        value: value.name.clone(),
        place: claim.place.clone(),
        quantity: claim.quantity.clone(),
        expected: value.expected.clone(),
        shown: value.shown,
        unit: value.unit.clone(),
        ours,
        verdict,
        reason,
        command: value.source.as_ref().map(|source| command(source, claim, stock)),
        explanation,
    })
}

/// The kernels that the scale leaves out, where the value is of all others of the experiment.
fn left_out(source: &FromExperiment, evidence: &Evidence<'_>) -> String {
    let Some(experiment) = evidence.experiment(&source.experiment) else { return String::new() };
    if experiment.left_out.is_empty() || source.kernels != experiment.kernels {
        return String::new();
    }
    let names: Vec<String> = experiment.left_out.iter().map(ToString::to_string).collect();
    format!("without {}", names.join(", "))
}

/// Whether a measured value is what the paper says.
fn held(value: &ClaimValue, measured: &Measured, mean: Mean) -> Verdict {
    match off_by(&value.expected, measured, mean) {
        None => Verdict::Reproduced,
        Some(by) => Verdict::Off { by, or_more: is_bound(&value.expected, measured, mean) },
    }
}

/// The verdict on a value from results: their size and the workloads come before the value.
fn from_results(
    value: &ClaimValue,
    source: &FromExperiment,
    measured: &Measured,
    evidence: &Evidence<'_>,
) -> Result<Verdict, ClaimError> {
    let has = evidence.experiment(&source.experiment).map(|experiment| experiment.size);
    if let Some(has) = has.filter(|has| *has < source.size) {
        return Ok(Verdict::NotJudged { needs: source.size.to_string(), has: has.to_string() });
    }
    for condition in &source.conditions {
        let found = match &condition.source {
            Source::Computed(name) => evidence.computed(name)?,
            Source::Experiment(of) => {
                match measure(evidence, of, condition.shown, &Expected::Range(condition.range))? {
                    Answer::Value(Measured::Means(means)) => means.arithmetic,
                    Answer::Missing(missing, of) => return Ok(Verdict::NotMeasured { missing, of }),
                    // A condition is a mean, and its kernels are those of the value, of which there are some.
                    Answer::Value(_) | Answer::NoKernel { .. } => continue,
                }
            }
        };
        let [low, high] = condition.range;
        if !(low..=high).contains(&found) {
            let (property, shown, unit) =
                (condition.property.clone(), condition.shown, condition.unit.clone());
            let range = (low, Some(high).filter(|high| high.is_finite()));
            return Ok(Verdict::NotComparable { property, value: found, range, shown, unit });
        }
    }
    Ok(held(value, measured, source.mean))
}

/// What a paper says against itself: two numbers for one thing, or one beyond what its own constants allow.
fn contradiction(
    claim: &Claim,
    value: &ClaimValue,
    evidence: &Evidence<'_>,
) -> Result<Option<Verdict>, ClaimError> {
    let apart =
        |a: &&Statement, b: &&Statement| (a.value - b.value).abs() > APART * a.value.abs().min(b.value.abs());
    for (index, first) in claim.statements.iter().enumerate() {
        if let Some(second) = claim.statements[index + 1..].iter().find(|second| apart(&first, second)) {
            return Ok(Some(Verdict::Contradicts { first: first.clone(), second: second.clone() }));
        }
    }
    let (Some(limit), Some(says)) = (&value.limit, says(&value.expected)) else { return Ok(None) };
    let most = evidence.computed(limit)?;
    if says.abs() <= most.abs() {
        return Ok(None);
    }
    let first = Statement { place: claim.place.clone(), value: says, unit: None };
    let second = Statement { place: computed::meaning(limit).to_owned(), value: most, unit: None };
    Ok(Some(Verdict::Contradicts { first, second }))
}

/// The number that a paper gives, where it gives one.
fn says(expected: &Expected) -> Option<f64> {
    match expected {
        Expected::Near { value, .. }
        | Expected::Within { value, .. }
        | Expected::Exact(value)
        | Expected::AtLeast(value)
        | Expected::AtMost(value) => Some(*value),
        Expected::Range(_) | Expected::Ascending(_) => None,
    }
}

/// The command that gives a value.
fn command(source: &Source, claim: &Claim, stock: &Stock) -> String {
    match source {
        Source::Experiment(source) => stock.command(&source.experiment),
        Source::Computed(name) => computed::command(name)
            .map_or_else(|| format!("heddle claims --only {}", claim.id), str::to_owned),
    }
}
