//! `heddle mutate`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_mutate::{Judged, MutateError, Request, Score, Verdict};
use heddle_rtl::Manifest;
use serde_json::{Map, Value, json};

use crate::args::{Format, MutateArgs};
use crate::column::Column;
use crate::made_by::made_by;
use crate::progress::Terminal;
use crate::root::root;
use crate::settings::names;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("result"),
    Column::kept("place"),
    Column::ranked("operator", 1),
    Column::kept("token").text(),
    Column::kept("mutant").text(),
    Column::ranked("check", 2).optional(),
    Column::ranked("run", 3).optional(),
    Column::ranked("cycle", 4).optional(),
    Column::kept("why").text().optional(),
];

impl From<MutateError> for Failure {
    fn from(error: MutateError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// Judges mutants of a design, prints those that were not found (in JSON and CSV all), and the score; fails where that
/// is below the least one, or where more are equivalent by reason than may be.
pub fn mutate(args: &MutateArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let commit = || made_by(&root).tree.and_then(|tree| tree.commit);
    let seed = match args.seed.clone().or_else(commit) {
        Some(seed) => seed,
        None => {
            let manifest = Manifest::load(&root, &args.design).map_err(Failure::usage)?;
            heddle_rtl::sources_hash(&root, &manifest).map_err(Failure::usage)?
        }
    };
    let request = Request {
        kernels: kernels("--kernel", &args.kernel)?,
        root,
        design: args.design.clone(),
        overrides: args.overrides.clone(),
        count: args.count,
        seed,
        most_cycles: args.most_cycles,
        bench_cycles: args.bench_cycles,
        first_elaboration: args.first_elaboration,
        prove: args.prove,
        results: args.results.clone(),
        fresh: args.fresh,
    };
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    terminal.next(format!("mutate {}", args.design));
    let judged = heddle_mutate::mutate(&request, &mut terminal);
    terminal.clear();
    let judged = judged.map_err(|error| Failure::from(error).interrupted_by(interrupted))?;
    let score = Score::of(&judged);
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let table = args.format == Format::Table;
    for one in judged.iter().filter(|one| !table || !matches!(one.verdict, Verdict::Killed { .. })) {
        rows.push(row(&request, one));
    }
    let mut text = rows.text(args.format);
    if table {
        text.push_str(&summary(&request, &judged, score));
    }
    print(&text)?;
    held(score, args.least, args.most_by_reason)
        .map_err(|fault| Failure::failed(format!("mutants of '{}': {fault}", request.design)))
}

/// What of the score is beyond the limits, both in percent: of those that can be killed at least `least` were, and of
/// all at most `most_by_reason` are equivalent for no more than a reason in the list.
fn held(score: Score, least: u8, most_by_reason: u8) -> Result<(), String> {
    let Some(killed) = score.killed_share() else { return Err("none could be judged".to_owned()) };
    let by_reason = 100.0 * score.equivalent as f64 / score.mutants as f64;
    if killed * 100.0 < f64::from(least) {
        Err(format!("{:.1} % were killed, at least {least} % are asked for", killed * 100.0))
    } else if by_reason > f64::from(most_by_reason) {
        Err(format!("{by_reason:.1} % are equivalent by reason alone, at most {most_by_reason} % may be"))
    } else {
        Ok(())
    }
}

/// The names of the kernels that `option` names, comma separated, or of `all`.
pub(crate) fn kernels(option: &str, list: &str) -> Result<Vec<String>, Failure> {
    if list == "all" {
        return Ok(heddle_workloads::all().iter().map(|workload| workload.name().to_owned()).collect());
    }
    let found = |name| heddle_workloads::find(name).map_err(Failure::usage);
    names(option, list)?.into_iter().map(|name| Ok(found(name)?.name().to_owned())).collect()
}

/// A mutant as a row; every row has every key.
fn row(request: &Request, Judged { site, verdict, .. }: &Judged) -> Map<String, Value> {
    let nothing = Value::Null;
    let (result, check, run, cycle, why) = match verdict {
        Verdict::Killed { check, run, cycle } => ("killed", json!(check), json!(run), json!(cycle), nothing),
        Verdict::Survived { passed, active } => {
            let why = format!("passed {passed} of {active} runs in which it is active");
            ("survived", nothing.clone(), nothing.clone(), nothing, json!(why))
        }
        Verdict::NotActivated { evaluations } => {
            let why = format!("evaluated {evaluations} times, never another value");
            ("not-activated", nothing.clone(), nothing.clone(), nothing, json!(why))
        }
        Verdict::Dead => ("dead", nothing.clone(), nothing.clone(), nothing, json!("never evaluated")),
        Verdict::Equivalent { reason } => {
            ("equivalent", nothing.clone(), nothing.clone(), nothing, json!(reason))
        }
        Verdict::SameNetlist => {
            let why = "yosys makes the netlist of the design of it";
            ("same-netlist", nothing.clone(), nothing.clone(), nothing, json!(why))
        }
        Verdict::NotInjectable { message } => {
            ("not-injectable", nothing.clone(), nothing.clone(), nothing, json!(message))
        }
    };
    let row = json!({
        "design": request.design,
        "seed": request.seed,
        "result": result,
        "place": format!("{}:{}:{}", site.file.display(), site.line, site.column),
        "operator": site.operator,
        "token": site.token,
        "mutant": site.mutant,
        "original": site.original,
        "replacement": site.replacement,
        "check": check,
        "run": run,
        "cycle": cycle,
        "why": why,
    });
    match row {
        Value::Object(row) => row,
        _ => Map::new(),
    }
}

/// The score in words, and what the killed were found by.
fn summary(request: &Request, judged: &[Judged], score: Score) -> String {
    let mut checks: Vec<(&str, usize)> = Vec::new();
    for one in judged {
        let Verdict::Killed { check, .. } = &one.verdict else { continue };
        match checks.iter_mut().find(|(name, _)| name == check) {
            Some((_, count)) => *count += 1,
            None => checks.push((check, 1)),
        }
    }
    checks.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let checks: Vec<String> = checks.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let by = if checks.is_empty() { String::new() } else { format!(" ({})", checks.join(", ")) };
    let share = score.killed_share().map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    format!(
        "{}: {} mutants with seed {}\n\
         killed {} of {}: {share}{by}\n\
         survived {}, not activated {}; not counted: dead {}, same netlist {}, equivalent {}, not injectable {}\n",
        request.design,
        score.mutants,
        request.seed,
        score.killed,
        score.judged(),
        score.survived,
        score.not_activated,
        score.dead,
        score.same_netlist,
        score.equivalent,
        score.not_injectable
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_score_and_many_reasons_fail() {
        let score = Score { mutants: 100, killed: 95, survived: 1, equivalent: 4, ..Score::default() };
        assert_eq!(held(score, 98, 4), Ok(()));
        assert!(held(score, 99, 4).is_err_and(|fault| fault.contains("99.0 % were killed, at least 99 %")));
        assert!(held(score, 98, 3).is_err_and(|fault| fault.contains("4.0 % are equivalent")));
        assert!(held(Score { mutants: 3, dead: 3, ..Score::default() }, 0, 100).is_err());
    }
}
