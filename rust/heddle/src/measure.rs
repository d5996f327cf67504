//! `heddle claims --measure` and `--estimate`: the runs that verdicts need.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_claims::{Evidence, Missing, Paper, Stock, judge};
use heddle_experiments::{Identity, Plan, Store, Tally, sweep};

use crate::args::ClaimsArgs;
use crate::cores::cores;
use crate::estimate::{Estimate, estimate};
use crate::sweep_progress::Shown;
use crate::{Failure, Outcome, complain, print};

/// Runs what the verdicts on `papers` need and has no result, until nothing more can be had: values that are there may
/// need more, for what selects their kernels and for their conditions. A run that fails stops nothing and is told.
pub fn measure(
    papers: &[Paper],
    stock: &Stock,
    identity: &Identity,
    args: &ClaimsArgs,
    interrupted: &Arc<AtomicBool>,
) -> Result<bool, Failure> {
    let jobs = args.jobs.map_or_else(cores, usize::from);
    // What was tried: a run that failed, or that launches no such entry, is not tried again.
    let mut tried = Missing::new();
    let mut whole = true;
    loop {
        let mut missing = missing(papers, stock, identity, args)?;
        for (id, cells) in &mut missing {
            let tried = tried.entry(id.clone()).or_default();
            cells.retain(|cell| tried.insert(cell.clone()));
        }
        missing.retain(|_, cells| !cells.is_empty());
        if missing.is_empty() {
            return Ok(whole);
        }
        let plans = plans(&missing, stock, identity)?;
        if !args.quiet {
            complain(&told(&estimate(&plans, stock.root(), identity, &args.results, jobs)?));
        }
        for plan in &plans {
            let store = Store::new(&args.results, &plan.experiment.id);
            let shown = Shown::new(args.quiet);
            let swept = sweep(plan, &store, jobs, true, interrupted, &shown);
            shown.clear();
            let Tally { runs, found, passed, failed, interrupted, .. } = swept?;
            let id = &plan.experiment.id;
            let told = format!("{id}: {runs} runs: {found} were there, {passed} passed, {failed} failed");
            if interrupted {
                return Err(Failure {
                    message: format!("interrupted; {told}; --measure goes on"),
                    code: 130,
                });
            }
            whole &= failed == 0;
            if failed > 0 {
                complain(&format!("{told}; why is in {}", store.folder().join("failed").display()));
            } else if !args.quiet {
                complain(&told);
            }
        }
    }
}

/// Prints what `measure` would run first, and how long it will take.
pub fn estimated(papers: &[Paper], stock: &Stock, identity: &Identity, args: &ClaimsArgs) -> Outcome {
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let plans = plans(&missing(papers, stock, identity, args)?, stock, identity)?;
    let estimate = estimate(&plans, stock.root(), identity, &args.results, jobs)?;
    print(&estimate.rows.text(args.format))?;
    complain(&told(&estimate));
    Ok(())
}

/// The sum of what is missing; values that are there may ask for more.
fn told(estimate: &Estimate) -> String {
    format!("{}; conditions of values that are there may need more", estimate.told)
}

/// What the verdicts ask for and is not there.
fn missing(
    papers: &[Paper],
    stock: &Stock,
    identity: &Identity,
    args: &ClaimsArgs,
) -> Result<Missing, Failure> {
    let evidence = Evidence::load(stock, identity, &args.results)?;
    judge(papers, stock, &evidence)?;
    Ok(evidence.missing())
}

/// The parts of the experiments' plans that are missing.
fn plans(missing: &Missing, stock: &Stock, identity: &Identity) -> Result<Vec<Plan>, Failure> {
    let mut plans = Vec::new();
    for (id, cells) in missing {
        let Some(experiment) = stock.experiments().get(id) else { continue };
        let plan = Plan::new(experiment.clone(), stock.root(), identity)?;
        plans.push(plan.only(|point, kernel| cells.contains(&(kernel.clone(), point.label()))));
    }
    Ok(plans)
}
