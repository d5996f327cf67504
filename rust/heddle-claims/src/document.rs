//! The parts of a page of documentation that verdicts are written into.

use std::collections::BTreeSet;

use crate::error::ClaimError;
use crate::evidence::Evidence;
use crate::judge::{Judgement, judge};
use crate::older::Older;
use crate::stock::Stock;
use crate::verdict::Verdict;
use crate::{Paper, summary};

/// The lines around the verdicts that need no results.
pub const COMPUTED: [&str; 2] =
    ["<!-- heddle claims --write: verdicts without results -->", "<!-- end of verdicts without results -->"];
/// The lines around those that need some.
pub const MEASURED: [&str; 2] =
    ["<!-- heddle claims --write: verdicts from results -->", "<!-- end of verdicts from results -->"];

/// `page` with two Markdown tables between their lines: the values that need no results, which are those that are
/// computed and contradictions of a paper; and all others by the results of `evidence`, with the commits of the programs
/// that made them. What is between the lines before is replaced; with `keep` the rows of values that have no results now, but
/// had some of the same scale, stay.
///
/// # Errors
/// [`ClaimError::Markers`] where the page has not each of the lines once and in order; what cannot be computed.
pub fn write_into(
    page: &str,
    papers: &[Paper],
    stock: &Stock,
    evidence: &Evidence<'_>,
    keep: bool,
) -> Result<String, ClaimError> {
    let older = if keep { Older::of(page, stock.scale()) } else { Older::default() };
    let without = judge(papers, stock, &Evidence::new(stock, std::collections::BTreeMap::new()))?;
    let written = between(page, COMPUTED, &computed(&without))?;
    let with = judge(papers, stock, evidence)?;
    let measured: Vec<&Judgement> =
        without.iter().zip(&with).filter(|(without, _)| is_open(without)).map(|(_, with)| with).collect();
    between(&written, MEASURED, &from_results(&measured, stock, &evidence.commits(), &older))
}

/// That a page has the lines that verdicts are written between.
///
/// # Errors
/// [`ClaimError::Markers`], [`ClaimError::Order`].
pub fn check_places(page: &str) -> Result<(), ClaimError> {
    [COMPUTED, MEASURED].into_iter().try_for_each(|lines| between(page, lines, "").map(drop))
}

/// Whether a value is without a verdict until something is measured or built.
fn is_open(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::NotBuilt { .. } | Verdict::NotMeasured { .. })
}

/// `page` with `text` between two lines of it.
fn between(page: &str, [begin, end]: [&'static str; 2], text: &str) -> Result<String, ClaimError> {
    for marker in [begin, end] {
        let found = page.matches(marker).count();
        if found != 1 {
            return Err(ClaimError::Markers { marker, found });
        }
    }
    let (before, rest) = page.split_once(begin).ok_or(ClaimError::Markers { marker: begin, found: 0 })?;
    let (_, after) = rest.split_once(end).ok_or(ClaimError::Order { first: begin, second: end })?;
    Ok(format!("{before}{begin}\n\n{text}\n{end}{after}"))
}

/// A row of a table; a bar would end the cell.
fn row<const N: usize>(cells: [String; N]) -> String {
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// The rows that need no results, and how many of all values do.
fn computed(judgements: &[Judgement]) -> String {
    let mut text =
        String::from("| claim | value | published | ours | verdict | reason |\n|---|---|---|---|---|---|\n");
    let (open, judged): (Vec<_>, Vec<_>) = judgements.iter().partition(|judgement| is_open(judgement));
    for judgement in &judged {
        text += &row([
            judgement.claim.clone(),
            judgement.value.clone(),
            judgement.paper_text(),
            judgement.arithmetic_text(),
            judgement.verdict.name().to_owned(),
            judgement.reason.clone(),
        ]);
    }
    text += "\nThese values, by verdict:\n\n";
    text += &summary::markdown(&judged.iter().map(|judgement| judgement.verdict.name()).collect::<Vec<_>>());
    text += &format!("\n{} further values need results.\n", open.len());
    text
}

/// The rows that need results, each with what is not there, or as it was.
fn from_results(
    judgements: &[&Judgement],
    stock: &Stock,
    commits: &BTreeSet<String>,
    older: &Older<'_>,
) -> String {
    let scale = stock.scale();
    let mut text = String::from(
        "| claim | value | published | geometric | arithmetic | verdict | reason |\n|---|---|---|---|---|---|---|\n",
    );
    let (mut verdicts, mut kept) = (Vec::new(), 0);
    for judgement in judgements {
        let is_measured = !matches!(judgement.verdict, Verdict::NotMeasured { .. });
        let reason = if is_measured {
            judgement.reason.clone()
        } else {
            format!("{}, of scale {scale}", judgement.reason)
        };
        let line = row([
            judgement.claim.clone(),
            judgement.value.clone(),
            judgement.paper_text(),
            judgement.geometric_text(),
            judgement.arithmetic_text(),
            judgement.verdict.name().to_owned(),
            reason,
        ]);
        match older.row(&line).filter(|_| !is_measured) {
            Some(before) => {
                kept += 1;
                verdicts.push(before.verdict);
                text += &before.explained(judgement.explanation.as_ref());
                text += "\n";
            }
            None => {
                verdicts.push(judgement.verdict.name());
                text += &line;
            }
        }
    }
    text += "\nThese values, by verdict:\n\n";
    text += &summary::markdown(&verdicts);
    let measured = judgements.iter().filter(|judgement| !is_open(judgement)).count();
    let mut told = |count: usize, are: &str, commits: Vec<&str>| {
        if count > 0 {
            let commits = commits.join(", ");
            text += &format!(
                "\n{count} of them {are} from results of scale {scale}, made by commit {commits}.\n"
            );
        }
    };
    told(measured, "are", commits.iter().map(String::as_str).collect());
    let before = older.commits.iter().copied().filter(|commit| !commits.contains(*commit));
    told(kept, "stand as they were,", before.collect());
    text
}

#[cfg(test)]
mod tests {
    use super::{COMPUTED, between};

    #[test]
    fn a_page_needs_both_markers_once_and_in_order() {
        let [begin, end] = COMPUTED;
        let written = between(&format!("a\n{begin}\nold\n{end}\nb"), COMPUTED, "new");
        assert_eq!(written.ok(), Some(format!("a\n{begin}\n\nnew\n{end}\nb")));
        let refused =
            |page: String| between(&page, COMPUTED, "").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused(end.to_owned()).contains("once, found it 0 times"));
        assert!(refused(format!("{begin}{begin}{end}")).contains("once, found it 2 times"));
        assert!(refused(format!("{end}{begin}")).contains("after"));
    }
}
