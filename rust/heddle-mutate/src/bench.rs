//! What judges mutants: kernels in lock-step, and random traffic through the ports.

use heddle_cosim::{Check, Control, PreparedDesign, RunError, RunSpec, Session};
use heddle_coverage::Rules;
use heddle_port::DesignError;
use heddle_portbench::{BenchConfig, Failure, FailureKind};
use heddle_rtl::mutants::{MutantCounts, MutantLibrary};

use crate::error::MutateError;

/// Seeds of the port bench.
const SEEDS: [u64; 3] = [1, 2, 3];

/// A run with a mutant may take so many times the cycles of the design, and `SPARE_CYCLES` more: those after which the
/// SM gives up when nothing moves are fewer.
const SLOWER: u64 = 4;
const SPARE_CYCLES: u64 = 100_000;

/// A run that judges mutants.
pub struct Bench {
    name: String,
    run: Run,
    /// Cycles of the design.
    cycles: u64,
    /// What the design evaluated of each mutant.
    counts: Vec<MutantCounts>,
}

/// What runs.
enum Run {
    Kernel(Box<Session>),
    Ports(Box<PortTraffic>),
}

/// The port bench with one setting and seed.
#[derive(Debug, Clone)]
pub struct PortTraffic {
    name: String,
    design: PreparedDesign,
    seed: u64,
    cycles: u64,
}

/// What found a mutant.
pub(crate) struct Found {
    /// The check.
    pub check: String,
    /// The cycle of that run.
    pub cycle: u64,
}

impl Bench {
    /// Runs all kernels with the design itself, the shortest run comes first, and then the port bench as `ports` says.
    ///
    /// # Errors
    /// [`MutateError::Clean`], [`MutateError::CleanBench`] where one does not pass; else why a run cannot be made, or that it
    /// was interrupted.
    pub fn all(
        specs: Vec<RunSpec>,
        ports: Vec<PortTraffic>,
        library: &MutantLibrary,
        control: &mut dyn Control,
    ) -> Result<Vec<Self>, MutateError> {
        let mut benches = Vec::new();
        for spec in specs {
            let kernel = spec.kernel_name();
            control.stage(&format!("{kernel} without a mutant"));
            let mut session = Box::new(Session::new(spec)?);
            let run = session.run_mutant(library, None, None, control)?;
            let report = run.outcome.map_err(|error| MutateError::Clean { kernel: kernel.clone(), error })?;
            benches.push(Self {
                name: kernel,
                run: Run::Kernel(session),
                cycles: report.cycles,
                counts: run.counts,
            });
        }
        benches.sort_by_key(|bench| bench.cycles);
        for traffic in ports {
            let (name, cycles) = (traffic.name.clone(), traffic.cycles);
            control.stage(&format!("{name}, without a mutant"));
            let run = traffic.run(library, None, control)?;
            if let Some(Failed { what, .. }) = run.failed {
                return Err(MutateError::CleanBench { run: name, what });
            }
            benches.push(Self { name, run: Run::Ports(Box::new(traffic)), cycles, counts: run.counts });
        }
        Ok(benches)
    }

    /// What it is called: the kernel, or the port bench with its seed.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Cycles of the design.
    pub(crate) fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Whether it is random traffic.
    pub(crate) fn is_port_bench(&self) -> bool {
        matches!(self.run, Run::Ports(_))
    }

    /// What the design evaluated of the mutant at place `at`.
    pub(crate) fn counts(&self, at: usize) -> MutantCounts {
        self.counts.get(at).copied().unwrap_or_default()
    }

    /// Runs with the mutant at place `at` of the library's list: what found it, if anything did.
    ///
    /// # Errors
    /// A run that could not be made, or was interrupted.
    pub(crate) fn run(
        &mut self,
        library: &MutantLibrary,
        at: usize,
        control: &mut dyn Control,
    ) -> Result<Option<Found>, MutateError> {
        match &mut self.run {
            Run::Kernel(session) => {
                let limit = SLOWER.saturating_mul(self.cycles).saturating_add(SPARE_CYCLES);
                let run = session.run_mutant(library, Some(at), Some(limit), control)?;
                run.outcome.err().map(|error| found_by(error, limit)).transpose()
            }
            Run::Ports(traffic) => {
                Ok(traffic.run(library, Some(at), control)?.failed.map(|failed| failed.found))
            }
        }
    }
}

/// What a failed run of a kernel with a mutant was found by, and in which cycle.
fn found_by(error: RunError, limit: u64) -> Result<Found, MutateError> {
    let found = |check: Check, cycle| Ok(Found { check: check.to_string(), cycle });
    match error {
        RunError::Mismatch(mismatch) => found(mismatch.check, mismatch.place.cycle),
        RunError::OutOfCycles { .. } => found(Check::Hang, limit),
        // An assertion refuses the instance in its first evaluation.
        RunError::Build { .. } => found(Check::Assertion, 0),
        // The golden machine or the SM does not go on with what the RTL makes of the kernel.
        RunError::Kernel { .. } => Ok(Found { check: "refused by the SM".to_owned(), cycle: 0 }),
        RunError::Uncompared { .. } => found(Check::Completeness, 0),
        other => Err(other.into()),
    }
}

/// A run of the port bench.
struct Traffic {
    failed: Option<Failed>,
    counts: Vec<MutantCounts>,
}

struct Failed {
    found: Found,
    what: String,
}

impl PortTraffic {
    /// The port bench for `cycles` cycles with each setting and seed, none where that is 0: as `spec` has the design, and
    /// with those settings of its rules of coverage that need no other elaboration. What `spec` sets stays so; a rule
    /// that does not go with it is left out.
    ///
    /// # Errors
    /// The design, or its rules.
    pub fn all(spec: &RunSpec, cycles: u64) -> Result<Vec<Self>, MutateError> {
        if cycles == 0 {
            return Ok(Vec::new());
        }
        let design = PreparedDesign::new(spec)?;
        let rules = Rules::load(&spec.root, &design.manifest)?;
        let mut settings = vec![(String::new(), design)];
        for rule in rules.runs.iter().filter(|rule| rule.design == spec.design) {
            let mut further = spec.clone();
            further.overrides.splice(0..0, rule.set.iter().cloned());
            let Ok(design) = PreparedDesign::new(&further) else { continue };
            if design.elaboration == settings[0].1.elaboration {
                let set = rule.set.iter().map(|one| format!(" --set {}={}", one.key, one.value));
                settings.push((set.collect(), design));
            }
        }
        let all = settings.iter().flat_map(|(set, design)| {
            SEEDS.map(|seed| Self {
                name: format!("port bench{set}, seed {seed}"),
                design: design.clone(),
                seed,
                cycles,
            })
        });
        Ok(all.collect())
    }

    /// What it is called, with its setting and seed.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn run(
        &self,
        library: &MutantLibrary,
        mutant: Option<usize>,
        control: &dyn Control,
    ) -> Result<Traffic, MutateError> {
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 }.into());
        }
        let Self { design, seed, cycles, .. } = self;
        let wrong = |source| MutateError::Rtl { design: design.manifest.name.clone(), source };
        let mut rtl = match library.instance(*seed, mutant) {
            Ok(rtl) => rtl,
            // An assertion refuses the instance in its first evaluation.
            Err(error) if mutant.is_some() => {
                let found = Found { check: Check::Assertion.to_string(), cycle: 0 };
                return Ok(Traffic {
                    failed: Some(Failed { found, what: error.to_string() }),
                    counts: Vec::new(),
                });
            }
            Err(error) => return Err(wrong(error)),
        };
        let config = BenchConfig::new(&design.manifest, rtl.made_with(), design.config);
        let model = heddle_designs::create(&design.manifest.name, &design.instance);
        let mut model = model.map_err(RunError::usage)?;
        let ran = heddle_portbench::run(&config, &mut rtl, &mut *model, *seed, *cycles);
        let failed = ran.err().map(|failure| Failed {
            found: Found { check: check_of(&failure).to_string(), cycle: failure.cycle },
            what: failure.to_string(),
        });
        let counts = library.counts(&mut rtl).map_err(RunError::usage)?;
        Ok(Traffic { failed, counts })
    }
}

/// The check of a co-simulation that is the same as that of the port bench.
fn check_of(failure: &Failure) -> Check {
    match &failure.kind {
        FailureKind::Output { .. } => Check::Control,
        FailureKind::Operand { .. } => Check::Operand,
        FailureKind::Loaded { .. } => Check::Memory,
        FailureKind::Wait { .. } => Check::Hang,
        FailureKind::Design(DesignError::Rtl { .. }) => Check::Assertion,
        FailureKind::NothingCompared => Check::Completeness,
        _ => Check::Contract,
    }
}
