//! What a page shows of results that are not there any more.

use std::collections::{BTreeMap, BTreeSet};

use heddle_experiments::Scale;

use crate::judge::Explanation;
use crate::summary::VERDICTS;
use crate::text::explained;
use crate::verdict::{NOT_BUILT, NOT_MEASURED, OFF};

/// What stands before the commits of a page's results.
const MADE_BY: &str = "made by commit ";

/// The measured rows of a page, and what made them.
#[derive(Debug, Default)]
pub(crate) struct Older<'a> {
    rows: BTreeMap<&'a str, Row<'a>>,
    /// The commits that made results of the page; those of its rows are among them.
    pub(crate) commits: BTreeSet<&'a str>,
}

/// A row of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// The whole line.
    pub(crate) line: &'a str,
    /// The name of its verdict.
    pub(crate) verdict: &'static str,
}

impl Row<'_> {
    /// The line; of a value that is off with what explains it now, since that is no result.
    pub(crate) fn explained(&self, explanation: Option<&Explanation>) -> String {
        let cells = self.line.strip_suffix(" |").and_then(|cells| cells.rsplit_once(" | "));
        match cells {
            Some((before, reason)) if self.verdict == OFF => {
                format!("{before} | {} |", explained(reason, explanation))
            }
            _ => self.line.to_owned(),
        }
    }
}

impl<'a> Older<'a> {
    /// What a page, or a part of it, shows of results of one scale.
    pub(crate) fn of(text: &'a str, scale: Scale) -> Self {
        let told = format!("from results of scale {scale}, ");
        let lists =
            text.lines().filter(|line| line.contains(&told)).filter_map(|line| line.split_once(MADE_BY));
        let commits: BTreeSet<&str> =
            lists.flat_map(|(_, list)| list.trim_end_matches('.').split(", ")).collect();
        if commits.is_empty() {
            return Self::default();
        }
        Self { rows: text.lines().filter_map(row).collect(), commits }
    }

    /// The row of the value that `line` is a row of: that of the same claim, value and published number.
    pub(crate) fn row(&self, line: &str) -> Option<Row<'a>> {
        self.rows.get(beginning(line)?).copied()
    }
}

/// A line that is the row of a measured value, by its beginning.
fn row(line: &str) -> Option<(&str, Row<'_>)> {
    let cell = line.split(" | ").nth(5)?;
    let verdict = VERDICTS.into_iter().find(|verdict| *verdict == cell)?;
    if [NOT_MEASURED, NOT_BUILT].contains(&verdict) {
        return None;
    }
    Some((beginning(line)?, Row { line, verdict }))
}

/// Claim, value and published number of a row.
fn beginning(line: &str) -> Option<&str> {
    let cells = line.strip_prefix("| ")?;
    let (end, _) = cells.match_indices(" | ").nth(2)?;
    cells.get(..end)
}

#[cfg(test)]
mod tests {
    use heddle_experiments::Scale;

    use super::Older;
    use crate::judge::Explanation;

    const PAGE: &str = "\
| claim | value | published | geometric | arithmetic | verdict | reason |
|---|---|---|---|---|---|---|
| a | one \\| two | +1 % | +2 % | +3 % | off | why |
| a | three | +1 % |  |  | not measured | why |
| a | four | 10 |  | 10 | reproduced |  |
| a | five | 3 |  |  | not built | measure b |

2 of them are from results of scale claims, made by commit x, y with changes.
1 of them stand as they were, from results of scale claims, made by commit z.
";

    #[test]
    fn measured_rows_are_found_again_by_claim_value_and_number() {
        let older = Older::of(PAGE, Scale::Claims);
        assert_eq!(older.commits.iter().copied().collect::<Vec<_>>(), ["x", "y with changes", "z"]);
        let found = older.row("| a | one \\| two | +1 % |  |  | not measured | 8 of 9 |").expect("a row");
        assert_eq!((found.verdict, found.line), ("off", PAGE.lines().nth(2).expect("a line")));
        assert!(older.row("| a | three | +1 % |  |  | not measured | why |").is_none(), "it has no result");
        assert!(
            older.row("| a | one \\| two | +2 % |  |  | not measured | why |").is_none(),
            "another number"
        );
        assert!(Older::of(PAGE, Scale::Paper).row(found.line).is_none(), "another scale");
    }

    #[test]
    fn a_row_that_is_off_has_the_explanation_of_now() {
        let older = Older::of(PAGE, Scale::Claims);
        let of = |shows: &str, file: &str| Explanation {
            shows: shows.to_owned(),
            command: format!("heddle sweep experiments/{file}.toml"),
        };
        let off = older.row("| a | one \\| two | +1 % |  |  | not measured | 8 of 9 |").expect("a row");
        assert_eq!(off.explained(None), off.line);
        let bare = "| a | one \\| two | +1 % | +2 % | +3 % | off | why; without c |";
        let told = bare.replace("why;", "why; more: heddle sweep experiments/b.toml;");
        let row = |line| super::Row { line, ..off };
        assert_eq!(row(bare).explained(Some(&of("more", "b"))), told);
        assert_eq!(row(&told).explained(Some(&of("more", "b"))), told);
        let other = told.replace("more: heddle sweep experiments/b", "less: heddle sweep experiments/a");
        assert_eq!(row(&told).explained(Some(&of("less", "a"))), other);
        assert_eq!(row(&told).explained(None), bare, "nothing explains it any more");
        let reproduced = older.row("| a | four | 10 |  |  | not measured | why |").expect("a row");
        assert_eq!(reproduced.explained(Some(&of("more", "b"))), reproduced.line);
    }
}
