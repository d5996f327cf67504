//! `heddle coverage`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_coverage::{Coverage, CoverageError, Hole, Kind, Request, Share, Shares};
use heddle_manifest::Manifest;
use serde_json::{Map, Value, json};

use crate::args::{CoverageArgs, Format};
use crate::column::Column;
use crate::mutate::kernels;
use crate::progress::Terminal;
use crate::root::root;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Columns of the modules.
const MODULES: &[Column] = &[
    Column::kept("module"),
    Column::kept("lines_reached"),
    Column::kept("lines"),
    Column::kept("branches_reached"),
    Column::kept("branches"),
    Column::kept("edges_reached"),
    Column::kept("edges"),
    Column::kept("covers_reached"),
    Column::kept("covers"),
];

/// Columns of the holes.
const HOLES: &[Column] = &[
    Column::kept("kind"),
    Column::kept("place"),
    Column::kept("what").text(),
    Column::kept("missing"),
    Column::kept("of"),
    Column::kept("reason").text().optional(),
];

/// The page that `--write` writes to.
const PAGE: &str = "docs/coverage.md";

impl From<CoverageError> for Failure {
    fn from(error: CoverageError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// Measures what the kernels and the port bench reach of a design, and prints it by module, or what they do not reach.
pub fn coverage(args: &CoverageArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let manifest = Manifest::load(&root, &args.design).map_err(Failure::usage)?;
    if !manifest.has_rtl {
        let what = "is a cycle model without RTL, and it is RTL whose coverage is measured";
        return Err(Failure::usage(format!("'{}' {what}", args.design)));
    }
    let request = Request {
        kernels: kernels("--kernel", &args.kernel)?,
        variant_kernels: kernels("--variant-kernel", &args.variant_kernel)?,
        root,
        design: args.design.clone(),
        bench_cycles: args.bench_cycles,
        results: args.results.clone(),
    };
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    terminal.next(format!("coverage {}", args.design));
    let coverage = heddle_coverage::coverage(&request, args.again, &mut terminal);
    terminal.clear();
    let coverage = coverage.map_err(|error| Failure::from(error).interrupted_by(interrupted))?;
    if args.write {
        heddle_coverage::page::write(&request.root.join(PAGE), &args.design, &coverage)?;
    }
    let table = args.format == Format::Table;
    let mut text = String::new();
    if args.holes {
        let mut rows = Rows::new(HOLES).whole_in_csv();
        for hole in &coverage.holes {
            rows.push(object(hole_row(&args.design, hole)));
        }
        text.push_str(&rows.text(args.format));
    } else {
        let mut rows = Rows::new(MODULES).whole_in_csv();
        for (module, shares) in &coverage.modules {
            rows.push(object(module_row(&args.design, module, shares)));
        }
        text.push_str(&rows.text(args.format));
    }
    if table {
        text.push_str(&summary(&args.design, &coverage));
    }
    print(&text)?;
    if args.targets { missed(&args.design, &coverage) } else { Ok(()) }
}

fn object(row: Value) -> Map<String, Value> {
    match row {
        Value::Object(row) => row,
        _ => Map::new(),
    }
}

fn module_row(design: &str, module: &str, shares: &Shares) -> Value {
    let [lines, branches, edges, covers] = Kind::ALL.map(|kind| shares.of(kind));
    json!({
        "design": design,
        "module": module,
        "lines_reached": lines.reached,
        "lines": lines.of,
        "branches_reached": branches.reached,
        "branches": branches.of,
        "edges_reached": edges.reached,
        "edges": edges.of,
        "covers_reached": covers.reached,
        "covers": covers.of,
    })
}

fn hole_row(design: &str, hole: &Hole) -> Value {
    json!({
        "design": design,
        "kind": hole.kind.name(),
        "place": format!("{}:{}", hole.file, hole.line),
        "what": if hole.what.is_empty() { &hole.text } else { &hole.what },
        "text": hole.text,
        "missing": hole.missing,
        "of": hole.of,
        "reason": hole.reason,
    })
}

/// What was reached of everything, and how many holes nobody has explained.
fn summary(design: &str, coverage: &Coverage) -> String {
    let shown = |kind| heddle_coverage::page::shown(coverage.all.of(kind));
    let [lines, branches, edges, covers] = Kind::ALL.map(shown);
    let explained = coverage.holes.iter().filter(|hole| hole.reason.is_some()).count();
    format!(
        "{design}: lines {lines}, branches {branches}, edges of control signals {edges}, covers {covers}\n\
         {} runs; {} holes, {explained} of them with a reason\n",
        coverage.runs.len(),
        coverage.holes.len(),
    )
}

/// Whether what is to be reached is: 98 % of the lines, 95 % of the edges of control signals, and every cover without a
/// reason.
fn missed(design: &str, coverage: &Coverage) -> Outcome {
    let covers =
        coverage.holes.iter().filter(|hole| hole.kind == Kind::Cover && hole.reason.is_none()).count();
    let missed = below(coverage.all.of(Kind::Line), coverage.all.of(Kind::Toggle), covers);
    if missed.is_empty() {
        return Ok(());
    }
    Err(Failure::failed(format!("'{design}' does not reach {}", missed.join(", "))))
}

/// What is not reached, with so many covers that have no reason. Where nothing is counted nothing is reached.
fn below(lines: Share, edges: Share, covers: usize) -> Vec<String> {
    let mut missed = Vec::new();
    for (share, least, of) in [(lines, 98.0, "the lines"), (edges, 95.0, "the edges of control signals")] {
        match share.percent() {
            Some(percent) if percent >= least => {}
            Some(_) => missed.push(format!("{least} % of {of}")),
            None => missed.push(format!("{least} % of {of}, of which none were counted")),
        }
    }
    if covers > 0 {
        missed.push(format!("{covers} covers that have no reason"));
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_counted_reaches_nothing() {
        let share = |reached, of| Share { reached, of };
        let whole = share(100, 100);
        assert!(below(whole, whole, 0).is_empty());
        assert!(below(share(98, 100), share(95, 100), 0).is_empty());
        assert_eq!(below(share(97, 100), whole, 0), ["98 % of the lines"]);
        assert_eq!(below(whole, share(94, 100), 0), ["95 % of the edges of control signals"]);
        assert_eq!(below(whole, whole, 2), ["2 covers that have no reason"]);
        let none = share(0, 0);
        assert_eq!(below(none, whole, 0), ["98 % of the lines, of which none were counted"]);
        assert_eq!(below(none, none, 0).len(), 2);
    }
}
