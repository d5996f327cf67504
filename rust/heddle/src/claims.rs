//! `heddle claims` and `heddle list claims`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_claims::{
    ClaimError, Evidence, Judgement, Measured, Paper, Reach, Source, Stock, Verdict, check_places, judge,
    line, load, only, write_into,
};
use heddle_experiments::{Catalog, Identity, Scale};
use heddle_files::Input;
use serde_json::{Value, json};

use crate::args::{ClaimsArgs, Format};
use crate::column::Column;
use crate::made_by::made_by;
use crate::measure::{estimated, measure};
use crate::root::root;
use crate::sweep::measures;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Columns of the verdicts.
const COLUMNS: &[Column] = &[
    Column::kept("claim"),
    Column::kept("value").text(),
    Column::kept("published").text(),
    Column::kept("geometric"),
    Column::kept("arithmetic").text(),
    Column::kept("verdict"),
    Column::kept("reason").text(),
    Column::ranked("command", 1).text(),
];
/// Columns of the list.
const LISTED: &[Column] = &[
    Column::kept("claim"),
    Column::ranked("where", 2).text(),
    Column::ranked("quantity", 1).text(),
    Column::kept("value").text(),
    Column::kept("published").text(),
    Column::kept("from").text(),
    Column::kept("needs").text(),
];
/// Characters of a table where there is room.
const WIDTH: usize = 180;
/// Bytes of a page of documentation, at most.
const PAGE_BYTES: u64 = 1 << 24;

impl From<ClaimError> for Failure {
    fn from(error: ClaimError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// What claims can name, all experiments at a scale.
fn stock(scale: Scale) -> Result<Stock, Failure> {
    Ok(Stock::load(Catalog::new(&root()?, measures()?)?, scale)?)
}

/// Prints the verdicts.
pub fn claims(args: &ClaimsArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let mut stock = stock(args.scale)?;
    if args.write.is_none() {
        stock = stock.with_results(&args.results);
    }
    let mut papers = load(&stock)?;
    if args.write.is_some() && args.scale < Scale::Claims {
        return Err(Failure::usage(
            "--write: results of scale smoke judge nothing; expected --scale claims or paper",
        ));
    }
    let mut others = Vec::new();
    if let Some(name) = &args.only {
        let all = papers.clone();
        papers = only(papers, name)?;
        let chosen = |claim: &str| papers.iter().flat_map(|paper| &paper.claims).any(|own| own.id == claim);
        let claims = all.into_iter().flat_map(|paper| paper.claims).map(|claim| claim.id);
        others = claims.filter(|claim| !chosen(claim)).collect();
        if args.write.is_some() && papers.iter().all(|paper| paper.id != *name) {
            return Err(Failure::usage(format!(
                "--write takes all claims, or those of a paper; '{name}' is one claim"
            )));
        }
    }
    let identity = Identity::new(stock.root(), made_by(stock.root()))?;
    if args.estimate {
        return estimated(&papers, &stock, &identity, args);
    }
    args.write.as_ref().map(|file| page(file, &others)).transpose()?;
    let whole = !args.measure || measure(&papers, &stock, &identity, args, interrupted)?;
    let evidence = Evidence::load(&stock, &identity, &args.results)?;
    if let Some(file) = &args.write {
        // As it is now: runs take hours.
        let page = page(file, &others)?;
        let written =
            write_into(&page, &papers, &stock, &evidence, args.keep).map_err(|e| of_page(file, &e))?;
        write(file, &page, &written, args.forget)?;
        return all_passed(whole);
    }
    let mut rows = Rows::new(COLUMNS).broken_at(WIDTH).whole_in_csv();
    let judgements = judge(&papers, &stock, &evidence)?;
    for judgement in &judgements {
        if let Value::Object(row) = verdict(judgement) {
            rows.push(row);
        }
    }
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        text += &format!("\n{}", line(&judgements));
    }
    print(&text)?;
    all_passed(whole)
}

/// The exit code where a run failed, which was told.
fn all_passed(whole: bool) -> Outcome {
    if whole { Ok(()) } else { Err(Failure { message: String::new(), code: 1 }) }
}

/// A page of documentation, which has the places for verdicts and shows none of the claims `others`.
fn page(file: &Path, others: &[String]) -> Result<String, Failure> {
    let page =
        Input { expected: "a Markdown file", most: PAGE_BYTES }.text(file).map_err(ClaimError::from)?;
    check_places(&page).map_err(|e| of_page(file, &e))?;
    if let Some(other) = others.iter().find(|claim| page.contains(&format!("\n| {claim} |"))) {
        let what = "has verdicts on claims of other papers, such as";
        return Err(Failure::usage(format!("{} {what} {other}: no --only, or another page", file.display())));
    }
    Ok(page)
}

fn of_page(file: &Path, error: &ClaimError) -> Failure {
    Failure { code: error.exit_code(), message: format!("{}: {error}", file.display()) }
}

/// Writes the verdicts into a page. It stays as it is where results that it shows are not there, unless they are to be
/// forgotten.
fn write(file: &Path, page: &str, written: &str, forget: bool) -> Outcome {
    let (before, after) = (without_results(page), without_results(written));
    let lost =
        after.iter().filter(|(value, missing)| **missing && before.get(*value) == Some(&false)).count();
    if lost > 0 && !forget {
        return Err(Failure::usage(format!(
            "{}: {lost} of the page's values have no results below --results: --keep lets rows of the same number and scale stand, --forget \
             does without them",
            file.display()
        )));
    }
    heddle_files::publish(file, written.as_bytes())
        .map_err(|e| Failure::failed(format!("cannot write {}: {e}", file.display())))
}

/// The values of a page's tables, by the beginning of their rows, and whether they are not built or not measured.
fn without_results(page: &str) -> BTreeMap<&str, bool> {
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let named = |row| Some((row, str::match_indices(row, " | ").nth(1)?.0));
    let missing =
        |row: &str| [" | not measured | ", " | not built | "].iter().any(|verdict| row.contains(verdict));
    rows.filter_map(named).map(|(row, end)| (&row[..end], missing(row))).collect()
}

fn verdict(judgement: &Judgement) -> Value {
    let Judgement { paper, claim, value, place, quantity, verdict, reason, command, ours, .. } = judgement;
    let (geometric, arithmetic) = match ours {
        Some(Measured::Means(averages)) => (averages.geometric, Some(averages.arithmetic)),
        Some(Measured::Kernel { value, .. } | Measured::Number(value)) => (None, Some(*value)),
        Some(Measured::Reached { geometric, arithmetic }) => {
            (geometric.and_then(Reach::value), arithmetic.value())
        }
        Some(Measured::Points(_)) | None => (None, None),
    };
    let off_by = match verdict {
        Verdict::Off { by, .. } => Some(*by),
        _ => None,
    };
    json!({
        "paper": paper, "claim": claim, "value": value, "where": place, "quantity": quantity,
        "published": judgement.paper_text(),
        "geometric": judgement.geometric_text(), "arithmetic": judgement.arithmetic_text(),
        "geometric_mean": geometric, "arithmetic_mean": arithmetic,
        "verdict": verdict.name(), "off_by": off_by, "reason": reason, "command": command,
    })
}

/// The list of all claims, or of those whose name has `wanted` in it.
pub fn rows(wanted: Option<&str>) -> Result<Rows, Failure> {
    let papers = load(&stock(Scale::Smoke)?)?;
    let mut rows = Rows::new(LISTED).broken_at(WIDTH);
    for Paper { id: paper, claims, .. } in &papers {
        for claim in claims.iter().filter(|claim| wanted.is_none_or(|wanted| claim.id.contains(wanted))) {
            for value in &claim.values {
                let needs: Vec<String> = value.unmet.iter().map(ToString::to_string).collect();
                let from = match &value.source {
                    Some(Source::Experiment(source)) => format!("experiment {}", source.experiment),
                    Some(Source::Computed(name)) => format!("measure {name}"),
                    None => String::new(),
                };
                let row = json!({
                    "paper": paper, "claim": claim.id, "where": claim.place, "quantity": claim.quantity,
                    "value": value.name, "published": value.published(), "from": from,
                    "needs": needs.join(", "),
                });
                if let Value::Object(row) = row {
                    rows.push(row);
                }
            }
        }
    }
    let Some(wanted) = wanted.filter(|_| rows.is_empty()) else { return Ok(rows) };
    let names = papers.iter().flat_map(|paper| &paper.claims).map(|claim| claim.id.as_str());
    let hint = heddle_suggest::hint(wanted, names);
    Err(Failure::usage(format!("no claim has '{wanted}' in its name{hint}")))
}
