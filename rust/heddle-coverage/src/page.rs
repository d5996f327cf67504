//! The tables of a design, as text between markers of a page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use heddle_files::Input;

use crate::Coverage;
use crate::error::CoverageError;
use crate::hole::Hole;
use crate::measure::Run;
use crate::point::Kind;
use crate::share::{Share, Shares};

/// The page.
const INPUT: Input = Input { expected: "a page in Markdown", most: 1 << 24 };

/// The line behind the tables of a design.
const END: &str = "<!-- end -->";

/// Puts the tables of a design between its markers, the line `<!-- coverage DESIGN -->` and the next `<!-- end -->`.
///
/// # Errors
/// [`CoverageError::Read`], [`CoverageError::Page`], [`CoverageError::Write`].
pub fn write(path: &Path, design: &str, coverage: &Coverage) -> Result<(), CoverageError> {
    let text = replaced(path, &INPUT.text(path)?, design, &tables(coverage))?;
    heddle_files::publish(path, text.as_bytes())
        .map_err(|source| CoverageError::Write { path: path.to_owned(), source })
}

fn replaced(path: &Path, page: &str, design: &str, tables: &str) -> Result<String, CoverageError> {
    let marker = format!("<!-- coverage {design} -->\n");
    let parts = page.split_once(&marker).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else {
        return Err(CoverageError::Page { path: path.to_owned(), marker: marker.trim().to_owned() });
    };
    Ok(format!("{before}{marker}{tables}{END}{after}"))
}

/// The tables of a design in Markdown.
#[must_use]
pub fn tables(coverage: &Coverage) -> String {
    let mut text =
        String::from("\n| run | kernels | their cycles | cycles of the port bench |\n|---|---|---|---|\n");
    for run in &coverage.runs {
        let Run { kernel_cycles, bench_cycles, .. } = run;
        let kernels = match run.kernels.len() {
            all if all == heddle_workloads::all().len() => format!("all {all}"),
            _ => run.kernels.join(", "),
        };
        let _ = writeln!(text, "| `{}` | {kernels} | {kernel_cycles} | {bench_cycles} |", run.name());
    }
    text.push_str("\n| module | lines | branches | edges of control | covers |\n|---|---|---|---|---|\n");
    for (module, shares) in &coverage.modules {
        row(&mut text, module, shares);
    }
    row(&mut text, "**all**", &coverage.all);
    let with = Kind::ALL.map(|kind| shown(coverage.with_reasons(kind)));
    let _ = writeln!(text, "| all, and holes with a reason | {} |", with.join(" | "));
    reasons(&mut text, &coverage.holes);
    for kind in Kind::ALL {
        let open = coverage.holes.iter().filter(|hole| hole.kind == kind && hole.reason.is_none());
        holes(&mut text, kind, open);
    }
    text.push('\n');
    text
}

fn row(text: &mut String, module: &str, shares: &Shares) {
    let _ = write!(text, "| {module} |");
    for kind in Kind::ALL {
        let _ = write!(text, " {} |", shown(shares.of(kind)));
    }
    text.push('\n');
}

/// A share as text; less than all is never shown as 100 %.
#[must_use]
pub fn shown(share: Share) -> String {
    let Share { reached, of } = share;
    match share.percent() {
        None => "–".to_owned(),
        Some(_) if reached == of => format!("100 % of {of}"),
        Some(percent) => format!("{:.1} % of {of}", percent.min(99.9)),
    }
}

/// How much each reason explains.
fn reasons(text: &mut String, holes: &[Hole]) {
    let mut all: BTreeMap<&str, [usize; Kind::ALL.len()]> = BTreeMap::new();
    for hole in holes {
        if let Some(reason) = &hole.reason {
            let missing = all.entry(reason).or_default();
            for (sum, _) in missing.iter_mut().zip(Kind::ALL).filter(|(_, kind)| *kind == hole.kind) {
                *sum += hole.missing;
            }
        }
    }
    if !all.is_empty() {
        text.push_str("\n| reason of holes | lines | branches | edges | covers |\n|---|---|---|---|---|\n");
    }
    for (reason, missing) in all {
        let missing = missing.map(|n| if n == 0 { "–".to_owned() } else { n.to_string() });
        let _ = writeln!(text, "| {reason} | {} |", missing.join(" | "));
    }
}

fn holes<'a>(text: &mut String, kind: Kind, holes: impl Iterator<Item = &'a Hole>) {
    let head = match kind {
        Kind::Line => "line not executed",
        Kind::Branch => "side not taken",
        Kind::Toggle => "signal with edges not seen",
        Kind::Cover => "cover not seen",
    };
    let mut empty = true;
    for hole in holes {
        if std::mem::take(&mut empty) {
            let _ = write!(text, "\n| place | {head}, without a reason |\n|---|---|\n");
        }
        let what = match kind {
            Kind::Line => code(&hole.text),
            Kind::Branch => format!("{} of {}", hole.what, code(&hole.text)),
            Kind::Toggle => format!("`{}`, {} of {}", hole.what, hole.missing, hole.of),
            Kind::Cover => format!("`{}`", hole.what),
        };
        let _ = writeln!(text, "| {}:{} | {what} |", hole.file, hole.line);
    }
}

/// Code in a cell of a table.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}
