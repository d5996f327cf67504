//! The runs: kernels in lock-step, and the port bench.

use std::path::{Path, PathBuf};

use heddle_config::Override;
use heddle_cosim::{Control, Engine, Kernel, PreparedDesign, RunError, RunSpec, Session};
use heddle_manifest::Manifest;
use heddle_rtl::covered::{self, CoveredLibrary};
use heddle_workloads::Size;
use serde::{Deserialize, Serialize};

use crate::data;
use crate::error::CoverageError;
use crate::point::Counts;
use crate::ports;
use crate::rules::Rules;

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Request {
    /// Root of the repository.
    pub root: PathBuf,
    /// The design.
    pub design: String,
    /// Kernels that run with the design as it is, in size smoke.
    pub kernels: Vec<String>,
    /// Kernels that run with each variant and each further setting, in size smoke.
    pub variant_kernels: Vec<String>,
    /// Cycles of the port bench with each seed and setting, 0 none.
    pub bench_cycles: u64,
    /// Folder for files while the runs last, and for what they counted.
    pub results: PathBuf,
}

/// What runs with one choice of settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The design or a variant of it.
    pub design: String,
    /// Settings.
    #[serde(with = "crate::rules::settings")]
    pub overrides: Vec<Override>,
    /// Kernels that ran.
    pub kernels: Vec<String>,
    /// Cycles of all of them together.
    pub kernel_cycles: u64,
    /// Cycles of the port bench.
    pub bench_cycles: u64,
}

impl Run {
    /// The design and its settings, as on a command line.
    #[must_use]
    pub fn name(&self) -> String {
        let set = self.overrides.iter().map(|one| format!(" --set {}={}", one.key, one.value));
        std::iter::once(self.design.clone()).chain(set).collect()
    }
}

/// What the runs covered, one after the other, and what they were: the design and each variant that has RTL, and the
/// runs that `rules` name.
///
/// # Errors
/// [`CoverageError`]: a model cannot be built, a kernel does not pass, or the port bench finds a difference.
pub fn measure(
    request: &Request,
    manifest: &Manifest,
    rules: &Rules,
    control: &mut dyn Control,
) -> Result<(Counts, Vec<Run>), CoverageError> {
    let mut counts = Counts::default();
    let mut runs = Vec::new();
    for (design, overrides) in rules.settings(&request.root, manifest)? {
        let as_it_is = design == manifest.name && overrides.is_empty();
        let kernels = if as_it_is { &request.kernels } else { &request.variant_kernels };
        let mut run = Run { design, overrides, kernels: kernels.clone(), kernel_cycles: 0, bench_cycles: 0 };
        counts.merge(of_run(request, &mut run, control)?);
        runs.push(run);
    }
    Ok((counts, runs))
}

fn of_run(request: &Request, run: &mut Run, control: &mut dyn Control) -> Result<Counts, CoverageError> {
    let specs: Vec<RunSpec> = run.kernels.iter().map(|kernel| spec(request, run, kernel)).collect();
    let failed = |run: &Run| {
        let run = run.name();
        move |source| CoverageError::Run { run, source }
    };
    let first = specs.first().ok_or_else(|| RunError::usage("no kernel is named")).map_err(failed(run))?;
    let design = PreparedDesign::new(first).map_err(failed(run))?;
    let mut progress = |text: &str| control.stage(text);
    let library = covered::build(&request.root, &design.manifest, &design.elaboration, &mut progress)
        .map_err(|source| CoverageError::Rtl { design: run.name(), source })?;
    let data = heddle_files::temporary(&request.results.join("coverage.dat"))
        .map_err(|source| CoverageError::Write { path: request.results.clone(), source })?;
    let mut counts = Counts::default();
    for spec in specs {
        let named = format!("{}, kernel {}", run.name(), spec.kernel_name());
        control.stage(&named);
        let failed = |source| CoverageError::Run { run: named.clone(), source };
        let mut session = Session::new(spec).map_err(failed)?;
        let report = session.run_covered(&library, data.path(), control).map_err(failed)?;
        run.kernel_cycles += report.cycles;
        counts.merge(read(data.path(), &named)?);
    }
    if request.bench_cycles > 0 {
        for seed in ports::SEEDS {
            let named = format!("{}, port bench with seed {seed}", run.name());
            control.stage(&named);
            bench(&design, &library, (seed, request.bench_cycles), data.path(), &named)?;
            run.bench_cycles += request.bench_cycles;
            counts.merge(read(data.path(), &named)?);
        }
    }
    Ok(counts)
}

fn bench(
    design: &PreparedDesign,
    library: &CoveredLibrary,
    (seed, cycles): (u64, u64),
    data: &Path,
    named: &str,
) -> Result<(), CoverageError> {
    let failed = |what: String| CoverageError::Bench { run: named.to_owned(), what };
    let mut rtl = library.instance(seed).map_err(|e| failed(e.to_string()))?;
    let (config, mut model) = ports::bench(design, &rtl).map_err(|e| failed(e.to_string()))?;
    let ran = heddle_portbench::run(&config, &mut rtl, &mut *model, seed, cycles);
    ran.map_err(|e| failed(e.to_string()))?;
    rtl.coverage_write(data).map_err(|e| failed(e.to_string()))
}

fn read(path: &Path, named: &str) -> Result<Counts, CoverageError> {
    let text = data::INPUT.text(path)?;
    data::read(&text).map_err(|source| CoverageError::Data { run: named.to_owned(), source })
}

fn spec(request: &Request, run: &Run, kernel: &str) -> RunSpec {
    let kernel = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(request.root.clone(), run.design.clone(), kernel, Engine::Cosim);
    spec.overrides.clone_from(&run.overrides);
    spec.results.clone_from(&request.results);
    spec
}
