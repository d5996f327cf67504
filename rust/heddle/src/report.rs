//! `heddle report`.

use std::collections::BTreeMap;

use heddle_claims::{Evidence, Paper, Stock, judge, load, unknown};
use heddle_cosim::MadeBy;
use heddle_experiments::{Catalog, Identity, Plan, ResultSet, Store};
use heddle_report::{Judged, Made, Measured, page};

use crate::args::ReportArgs;
use crate::made_by::made_by;
use crate::root::root;
use crate::sweep::measures;
use crate::{Failure, Outcome, complain};

/// Reads what is there of every experiment of the repository and writes the page.
pub fn run(args: &ReportArgs) -> Outcome {
    if !args.results.exists() {
        let what = "is not there; expected the folder of results that `heddle sweep` wrote";
        return Err(Failure::usage(format!("{} {what}", args.results.display())));
    }
    let root = root()?;
    let stock = Stock::load(Catalog::new(&root, measures()?)?, args.scale)?.with_results(&args.results);
    let identity = Identity::new(&root, made_by(&root))?;
    let (mut experiments, mut sets) = (Vec::new(), BTreeMap::new());
    for experiment in stock.experiments().values() {
        let plan = Plan::new(experiment.clone(), &root, &identity)?;
        let results = ResultSet::load(&plan, &Store::new(&args.results, &plan.experiment.id))?;
        sets.insert(plan.experiment.id.clone(), results.clone());
        let command = stock.command(&plan.experiment.id);
        experiments.push(Measured { experiment: plan.experiment, results, command });
    }
    let evidence = Evidence::new(&stock, sets);
    let mut judged = Vec::new();
    for paper in load(&stock)? {
        let judgements = judge(std::slice::from_ref(&paper), &stock, &evidence)?;
        judged.push(Judged { paper, judgements });
    }
    let (chosen, judged) = chosen(experiments, judged, args.only.as_deref())?;
    let html = page(&chosen, &judged, &made(identity.made_by(), args))
        .map_err(|error| Failure { code: error.exit_code(), message: error.to_string() })?;
    let out = args.out.clone().unwrap_or_else(|| args.results.join("report.html"));
    heddle_files::publish(&out, html.as_bytes())
        .map_err(|e| Failure::failed(format!("cannot write {}: {e}", out.display())))?;
    if !args.quiet {
        let there = chosen.iter().filter(|one| !one.results.rows.is_empty()).count();
        complain(&format!("{}: {there} of {} experiments have results", out.display(), chosen.len()));
    }
    Ok(())
}

/// The experiments and claims of one paper; all where none is named.
fn chosen(
    mut all: Vec<Measured>,
    mut judged: Vec<Judged>,
    only: Option<&str>,
) -> Result<(Vec<Measured>, Vec<Judged>), Failure> {
    let Some(only) = only else { return Ok((all, judged)) };
    if !judged.iter().any(|one| one.paper.id.eq_ignore_ascii_case(only)) {
        let papers: Vec<Paper> = judged.into_iter().map(|one| one.paper).collect();
        return Err(unknown(&papers, only, false).into());
    }
    all.retain(|one| one.paper().eq_ignore_ascii_case(only));
    judged.retain(|one| one.paper.id.eq_ignore_ascii_case(only));
    Ok((all, judged))
}

/// What the page says of this program.
fn made(by: &MadeBy, args: &ReportArgs) -> Made {
    let program = by.program.as_ref();
    let version = program.map_or("unknown", |program| program.version.as_str());
    let source = program.map(|program| &program.source);
    let commit = source.and_then(|source| source.commit.as_deref()).unwrap_or("unknown");
    let state = match source.and_then(|source| source.clean) {
        Some(true) => "",
        Some(false) => ", built from files that are not all of that commit",
        None => ", state of its files unknown",
    };
    let only = args.only.as_ref().map_or_else(String::new, |only| format!(" --only {only}"));
    Made {
        program: format!("heddle {version}"),
        commit: format!("{commit}{state}"),
        command: format!("heddle report --results {}{only} --scale {}", args.results.display(), args.scale),
    }
}
