//! The part of a page of documentation that verdicts are written into.

use crate::error::ClaimError;
use crate::evidence::Evidence;
use crate::judge::{Judgement, judge};
use crate::stock::Stock;
use crate::verdict::Verdict;
use crate::{Paper, summary};

/// The line before the part that is written.
pub const BEGIN: &str = "<!-- heddle claims --write: verdicts without results -->";
/// The line after it.
pub const END: &str = "<!-- end of heddle claims --write -->";

/// `page` with the verdicts that need no results between [`BEGIN`] and [`END`], as a Markdown table: values that
/// are computed, and contradictions of a paper. What is between the lines before is replaced.
///
/// # Errors
/// [`ClaimError::Markers`] where the page has not both lines once and in order; what cannot be computed.
pub fn write_into(page: &str, papers: &[Paper], stock: &Stock) -> Result<String, ClaimError> {
    let (before, after) = around(page)?;
    let evidence = Evidence::new(stock, std::collections::BTreeMap::new());
    let judgements = judge(papers, stock, &evidence)?;
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", table(&judgements)))
}

/// The text before the first marker and after the second.
fn around(page: &str) -> Result<(&str, &str), ClaimError> {
    for marker in [BEGIN, END] {
        let found = page.matches(marker).count();
        if found != 1 {
            return Err(ClaimError::Markers { marker, found });
        }
    }
    let (before, rest) = page.split_once(BEGIN).ok_or(ClaimError::Markers { marker: BEGIN, found: 0 })?;
    let (_, after) = rest.split_once(END).ok_or(ClaimError::Order { first: BEGIN, second: END })?;
    Ok((before, after))
}

/// The rows that need no results, and how many of all values do.
fn table(judgements: &[Judgement]) -> String {
    let mut text =
        String::from("| claim | value | published | ours | verdict | reason |\n|---|---|---|---|---|---|\n");
    let (open, judged): (Vec<_>, Vec<_>) = judgements.iter().partition(|judgement| {
        matches!(judgement.verdict, Verdict::NotBuilt { .. } | Verdict::NotMeasured { .. })
    });
    for judgement in &judged {
        let cells = [
            judgement.claim.clone(),
            judgement.value.clone(),
            judgement.paper_text(),
            judgement.arithmetic_text(),
            judgement.verdict.name().to_owned(),
            judgement.reason.clone(),
        ];
        // A bar would end the cell.
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text += "\nThese values, by verdict:\n\n";
    text += &summary::markdown(&judged);
    text += &format!("\n{} further values need results, or something that is not built.\n", open.len());
    text
}

#[cfg(test)]
mod tests {
    use super::{BEGIN, END, around};

    #[test]
    fn a_page_needs_both_markers_once_and_in_order() {
        assert_eq!(around(&format!("a\n{BEGIN}\nold\n{END}\nb")).ok(), Some(("a\n", "\nb")));
        let refused = |page: String| around(&page).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(refused(END.to_owned()).contains("once, found it 0 times"));
        assert!(refused(format!("{BEGIN}{BEGIN}{END}")).contains("once, found it 2 times"));
        assert!(refused(format!("{END}{BEGIN}")).contains("after"));
    }
}
