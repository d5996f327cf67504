//! Single-token mutants of a design's RTL, judged by kernels in lock-step and by the port bench.
//!
//! A mutant is the design with one token changed, such as `+` into `-` (DeMillo, Lipton and Sayward, Hints on Test
//! Data Selection, IEEE Computer 1978). Of the sites that `scripts/mutation-sites.py` finds in the design's sources,
//! [`draw`] takes as many as asked for; all go into one build ([`heddle_rtl::mutants`]). Every kernel runs once with
//! the design itself, and so does the port bench with each of its seeds, which counts in how many evaluations each
//! mutant's value would have been another one; a mutant then runs only with what had one, the shortest kernel first, until
//! a check finds it or it has passed enough kernels and all seeds. What no run found can be asked of netlists, proofs
//! and lint. What was found is kept after each mutant, so that a
//! run which was ended goes on where it stopped.

mod bench;
mod draw;
mod equivalent;
mod error;
mod judge;
mod kept;
mod lint;
mod ports;
mod proof;
mod prove;
mod same;
mod script;
mod site;
mod verdict;

use std::path::{Path, PathBuf};

use heddle_config::Override;
use heddle_cosim::{Control, Engine, Kernel, PreparedDesign, RunError, RunSpec};
use heddle_rtl::mutants;
use heddle_workloads::Size;

pub use bench::Bench;
pub use draw::draw;
pub use error::MutateError;
pub use judge::judge;
pub use ports::PortTraffic;
pub use site::{Site, sites};
pub use verdict::{Judged, Score, Verdict};

use equivalent::Equivalents;
use kept::Kept;
use prove::prove;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// Root of the repository.
    pub root: PathBuf,
    /// Design, or a variant of one.
    pub design: String,
    /// Keys of the preset and parameters of the design that are changed.
    pub overrides: Vec<Override>,
    /// Mutants to draw.
    pub count: usize,
    /// What decides which are drawn, such as a commit.
    pub seed: String,
    /// Kernels that judge, in size smoke.
    pub kernels: Vec<String>,
    /// Cycles of kernels that a mutant has to pass to survive, at least one kernel.
    pub most_cycles: u64,
    /// Cycles of the port bench with each of its seeds, 0 for none.
    pub bench_cycles: u64,
    /// Leave out the further elaborations.
    pub first_elaboration: bool,
    /// Ask netlists, proofs and lint about those that no run found.
    pub prove: bool,
    /// Folder that keeps what was found.
    pub results: PathBuf,
    /// Judge anew what was kept.
    pub fresh: bool,
}

/// Draws mutants and judges them; `control` gets each stage. What was judged before by a run with the same sources,
/// settings, kernels and seed is taken over.
///
/// # Errors
/// [`MutateError`]: the design, the tools or the results folder; or a kernel that fails without any mutant.
pub fn mutate(request: &Request, control: &mut dyn Control) -> Result<Vec<Judged>, MutateError> {
    let specs: Vec<RunSpec> = request.kernels.iter().map(|kernel| spec(request, kernel)).collect();
    let first = specs.first().ok_or_else(|| RunError::usage("no kernel is named that judges"))?;
    let design = PreparedDesign::new(first)?;
    let sites = sites(&request.root, &design.manifest)?;
    let equivalents = Equivalents::load(&request.root, &design.manifest, &sites)?;
    let drawn = draw(sites, request.count, &request.seed);
    let list: Vec<mutants::Mutant> = drawn.iter().map(Site::mutant).collect();
    let mut progress = |text: &str| control.stage(text);
    let library = mutants::build(&request.root, &design.manifest, &design.elaboration, &list, &mut progress)
        .map_err(|source| MutateError::Rtl { design: request.design.clone(), source })?;
    let file = kept_file(&request.results, &request.design);
    let mut ports = PortTraffic::all(first, request.bench_cycles)?;
    if request.first_elaboration {
        ports.truncate(1);
    }
    let mut kept = Kept::open(&file, request, &ports, &library.origin().model, &drawn)?;
    let others = ports.iter().skip(1).filter_map(|ports| ports.first());
    let others: Vec<PreparedDesign> = others.map(|first| first.design().clone()).collect();
    let mut ports = ports.into_iter();
    let own_ports = ports.next().unwrap_or_default();
    if kept.judged().len() < drawn.len() {
        let mut benches = Bench::all(specs, own_ports, &library, control)?;
        for at in kept.judged().len()..drawn.len() {
            control.stage(&format!("mutant {} of {}: {}", at + 1, drawn.len(), drawn[at]));
            let verdict = judge(&mut benches, &library, at, request.most_cycles, control)?;
            kept.add(Judged { site: drawn[at].clone(), verdict, elaborations: 1, proved: String::new() })?;
        }
    }
    for (before, ports) in ports.enumerate() {
        further(&mut kept, request, before + 1, ports, control)?;
    }
    if request.prove {
        let designs: Vec<PreparedDesign> = std::iter::once(design).chain(others).collect();
        prove(&mut kept, &equivalents, &request.root, &designs, control)?;
    }
    Ok(kept.into_judged().into_iter().map(|one| equivalents.applied_to(one)).collect())
}

/// Judges what nothing found, or evaluated, in the `before` elaborations before by the port bench of a further one.
fn further(
    kept: &mut Kept,
    request: &Request,
    before: usize,
    ports: Vec<PortTraffic>,
    control: &mut dyn Control,
) -> Result<(), MutateError> {
    let is_open = |one: &Judged| {
        one.elaborations == before && (one.verdict.is_unfound() || one.verdict == Verdict::Dead)
    };
    let open: Vec<usize> = (0..kept.judged().len()).filter(|&at| is_open(&kept.judged()[at])).collect();
    let Some(first) = ports.first().filter(|_| !open.is_empty()) else { return Ok(()) };
    let PreparedDesign { manifest, elaboration, .. } = first.design().clone();
    let list: Vec<mutants::Mutant> = open.iter().map(|&at| kept.judged()[at].site.mutant()).collect();
    let mut progress = |text: &str| control.stage(text);
    let library = mutants::build(&request.root, &manifest, &elaboration, &list, &mut progress)
        .map_err(|source| MutateError::Rtl { design: manifest.called(), source })?;
    let mut benches = Bench::all(Vec::new(), ports, &library, control)?;
    for (place, at) in open.into_iter().enumerate() {
        control.stage(&format!("mutant {} of elaboration '{}'", at + 1, elaboration.name));
        let verdict = judge(&mut benches, &library, place, request.most_cycles, control)?;
        kept.again(at, verdict)?;
    }
    Ok(())
}

/// The file that keeps what was found of a design.
fn kept_file(results: &Path, design: &str) -> PathBuf {
    results.join(format!("{design}.mutants.jsonl"))
}

fn spec(request: &Request, kernel: &str) -> RunSpec {
    let kernel = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(request.root.clone(), request.design.clone(), kernel, Engine::Cosim);
    spec.overrides.clone_from(&request.overrides);
    spec.results.clone_from(&request.results);
    spec
}
