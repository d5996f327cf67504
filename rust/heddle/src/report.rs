//! `heddle report`.

use std::path::{Path, PathBuf};

use heddle_cosim::MadeBy;
use heddle_experiments::{Catalog, Experiment, Identity, Plan, ResultSet, Store};
use heddle_report::{Made, Measured, page};

use crate::made_by::made_by;
use crate::report_args::ReportArgs;
use crate::root::root;
use crate::sweep::measures;
use crate::{Failure, Outcome, complain};

/// Reads what is there of every experiment of the repository and writes the page.
pub fn run(args: &ReportArgs) -> Outcome {
    let root = root()?;
    let catalog = Catalog::new(&root, measures()?)?;
    let identity = Identity::new(&root, made_by(&root))?;
    let mut experiments = Vec::new();
    for file in files(&root.join("experiments"))? {
        let experiment = Experiment::load(&file, &catalog, args.size)?;
        let plan = Plan::new(experiment, &root, &identity)?;
        let results = ResultSet::load(&plan, &Store::new(&args.results, &plan.experiment.id))?;
        let command = format!(
            "heddle sweep experiments/{0}.toml --size {1} --results {2} --resume",
            plan.experiment.id,
            plan.experiment.size,
            args.results.display()
        );
        experiments.push(Measured { experiment: plan.experiment, results, command });
    }
    let chosen = chosen(experiments, args.only.as_deref())?;
    let html = page(&chosen, &made(identity.made_by(), args)).map_err(Failure::failed)?;
    let out = args.out.clone().unwrap_or_else(|| args.results.join("report.html"));
    heddle_files::publish(&out, html.as_bytes())
        .map_err(|e| Failure::failed(format!("cannot write {}: {e}", out.display())))?;
    if !args.quiet {
        let there = chosen.iter().filter(|one| !one.results.rows.is_empty()).count();
        complain(&format!("{}: {there} of {} experiments have results", out.display(), chosen.len()));
    }
    Ok(())
}

/// The experiment files of a folder, in alphabetical order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let fail = |e: std::io::Error| Failure::usage(format!("cannot read {}: {e}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// The experiments of one paper; all where none is named.
fn chosen(all: Vec<Measured>, only: Option<&str>) -> Result<Vec<Measured>, Failure> {
    let Some(only) = only else { return Ok(all) };
    let mut papers: Vec<String> = all.iter().map(|one| one.paper().to_lowercase()).collect();
    papers.sort_unstable();
    papers.dedup();
    if !papers.contains(&only.to_lowercase()) {
        let hint = heddle_suggest::hint_or_list(only, papers.iter().map(String::as_str));
        return Err(Failure::usage(format!("no experiment is of paper '{only}'{hint}")));
    }
    Ok(all.into_iter().filter(|one| one.paper().eq_ignore_ascii_case(only)).collect())
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
    let size = args.size.map_or_else(String::new, |size| format!(" --size {size}"));
    Made {
        program: format!("heddle {version}"),
        commit: format!("{commit}{state}"),
        command: format!("heddle report --results {}{only}{size}", args.results.display()),
    }
}
