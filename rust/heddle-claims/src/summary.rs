//! How many claims and values have each verdict.

use std::collections::BTreeMap;

use crate::judge::Judgement;
use crate::verdict::{NOT_BUILT, NOT_MEASURED, OFF};

/// All verdicts, in the order of the documentation.
pub(crate) const VERDICTS: [&str; 7] = [
    "reproduced",
    OFF,
    NOT_BUILT,
    NOT_MEASURED,
    "not judged at this scale",
    "workload not comparable",
    "paper contradicts itself",
];
/// A claim whose values have different verdicts.
const MIXED: &str = "mixed";

/// How many have a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The verdict; `mixed` of claims whose values have several.
    pub verdict: &'static str,
    /// Values that have it.
    pub values: usize,
    /// Claims all of whose values have it.
    pub claims: usize,
}

/// Counts by verdict, each verdict in its place whether or not something has it, `mixed` last. Both columns sum to
/// all values and all claims.
#[must_use]
pub fn count(judgements: &[&Judgement]) -> Vec<Count> {
    let mut claims: BTreeMap<(&str, &str), Vec<&'static str>> = BTreeMap::new();
    for judgement in judgements {
        let names = claims.entry((&judgement.paper, &judgement.claim)).or_default();
        names.push(judgement.verdict.name());
    }
    let of_claim = |names: &Vec<&'static str>| match names.first() {
        Some(first) if names.iter().all(|name| name == first) => *first,
        _ => MIXED,
    };
    let by_claim: Vec<&str> = claims.values().map(of_claim).collect();
    let one = |verdict: &'static str| Count {
        verdict,
        values: judgements.iter().filter(|judgement| judgement.verdict.name() == verdict).count(),
        claims: by_claim.iter().filter(|name| **name == verdict).count(),
    };
    VERDICTS.into_iter().chain([MIXED]).map(one).collect()
}

/// One line: values and claims by verdict.
#[must_use]
pub fn line(judgements: &[Judgement]) -> String {
    let counts = count(&judgements.iter().collect::<Vec<_>>());
    let of = |number: fn(&Count) -> usize| {
        let parts = counts.iter().filter(|count| count.verdict != MIXED || number(count) > 0);
        parts.map(|count| format!("{} {}", number(count), count.verdict)).collect::<Vec<_>>().join(", ")
    };
    let all = |number: fn(&Count) -> usize| counts.iter().map(number).sum::<usize>();
    let (values, claims) = (|count: &Count| count.values, |count: &Count| count.claims);
    format!("{} values: {}\n{} claims: {}\n", all(values), of(values), all(claims), of(claims))
}

/// How many values have each of `verdicts` that one has, as a Markdown table.
pub(crate) fn markdown(verdicts: &[&str]) -> String {
    let mut text = String::from("| verdict | values |\n|---|---|\n");
    for verdict in VERDICTS {
        let values = verdicts.iter().filter(|one| **one == verdict).count();
        if values > 0 {
            text += &format!("| {verdict} | {values} |\n");
        }
    }
    text
}
