//! The claims of a paper with their verdicts, and how many have each.

use heddle_claims::{Count, Judgement, Paper, count};
use serde::Serialize;

/// A paper with the judgements on all values of its claims.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The paper.
    pub paper: Paper,
    /// One for each value, in the order of the file.
    pub judgements: Vec<Judgement>,
}

/// The verdicts of a paper, as the page shows them.
#[derive(Debug, Clone, Serialize)]
pub struct VerdictTable {
    /// Id of the table.
    id: String,
    /// The publication.
    source: String,
    rows: Vec<VerdictRow>,
}

#[derive(Debug, Clone, Serialize)]
struct VerdictRow {
    claim: String,
    value: String,
    place: String,
    quantity: String,
    paper: String,
    geometric: String,
    arithmetic: String,
    verdict: &'static str,
    reason: String,
    command: Option<String>,
}

/// Values by verdict: a row for each paper and one for all of them.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    /// The verdicts that some value has.
    verdicts: Vec<&'static str>,
    rows: Vec<SummaryRow>,
    /// Claims by verdict, of all papers.
    claims: Vec<(&'static str, usize)>,
}

#[derive(Debug, Clone, Serialize)]
struct SummaryRow {
    name: String,
    /// None of all papers together.
    paper: Option<String>,
    values: Vec<usize>,
    total: usize,
}

impl VerdictTable {
    pub fn new(judged: &Judged) -> Self {
        Self {
            id: format!("claims-{}", judged.paper.id),
            source: judged.paper.source.clone(),
            rows: judged.judgements.iter().map(row).collect(),
        }
    }
}

fn row(judgement: &Judgement) -> VerdictRow {
    VerdictRow {
        claim: judgement.claim.clone(),
        value: judgement.value.clone(),
        place: judgement.place.clone(),
        quantity: judgement.quantity.clone(),
        paper: judgement.paper_text(),
        geometric: judgement.geometric_text(),
        arithmetic: judgement.arithmetic_text(),
        verdict: judgement.verdict.name(),
        reason: judgement.reason.clone(),
        command: judgement.command.clone(),
    }
}

impl Summary {
    /// `None` of no claims.
    pub fn new(papers: &[Judged]) -> Option<Self> {
        let all: Vec<&Judgement> = papers.iter().flat_map(|paper| &paper.judgements).collect();
        let counts = count(&all);
        let some = |number: fn(&Count) -> usize| {
            counts
                .iter()
                .filter(|count| number(count) > 0)
                .map(|count| (count.verdict, number(count)))
                .collect()
        };
        let values: Vec<(&'static str, usize)> = some(|count| count.values);
        let verdicts: Vec<&'static str> = values.iter().map(|(verdict, _)| *verdict).collect();
        let line = |name: &str, paper: Option<&str>, judgements: &[&Judgement]| {
            let of = |verdict: &&str| judgements.iter().filter(|one| one.verdict.name() == *verdict).count();
            SummaryRow {
                name: name.to_owned(),
                paper: paper.map(str::to_owned),
                values: verdicts.iter().map(of).collect(),
                total: judgements.len(),
            }
        };
        let of_paper = |judged: &Judged| {
            let judgements: Vec<&Judgement> = judged.judgements.iter().collect();
            line(&judged.paper.title, Some(&judged.paper.id), &judgements)
        };
        let mut rows: Vec<SummaryRow> = papers.iter().map(of_paper).collect();
        rows.push(line("all", None, &all));
        (!all.is_empty()).then(|| Self { verdicts, rows, claims: some(|count| count.claims) })
    }
}
