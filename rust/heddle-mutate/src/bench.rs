//! What judges mutants: kernels in lock-step, and random traffic through the ports.

use heddle_cosim::{Check, Control, RunError, RunSpec, Session};
use heddle_rtl::mutants::{MutantCounts, MutantLibrary};

use crate::error::MutateError;
use crate::ports::{Failed, PortTraffic};

/// A run with a mutant may take so many times the cycles of the design, and `SPARE_CYCLES` more: those after which the
/// SM gives up when nothing moves are fewer.
const SLOWER: u64 = 4;
const SPARE_CYCLES: u64 = 100_000;

/// A run that judges mutants.
pub struct Bench {
    name: String,
    run: Run,
    /// Cycles of the design, to where it tells of a breach.
    cycles: u64,
    /// What the design evaluated of each mutant.
    counts: Vec<MutantCounts>,
}

/// What runs.
enum Run {
    Kernel(Box<Session>),
    Ports(Box<PortTraffic>),
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
    /// Traffic that breaks the contract judges where the design tells of it.
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
            control.stage(&format!("{}, without a mutant", traffic.name()));
            let run = traffic.run(library, None, control)?;
            let (name, mut cycles) = (traffic.name().to_owned(), traffic.cycles());
            match run.failed {
                Some(told) if traffic.breaks() && told.tells() => cycles = told.cycle,
                _ if traffic.breaks() => continue,
                Some(Failed { what, .. }) => return Err(MutateError::CleanBench { run: name, what }),
                None => {}
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
                let failed = traffic.run(library, Some(at), control)?.failed;
                if !traffic.breaks() {
                    return Ok(
                        failed.map(|Failed { check, cycle, .. }| Found { check: check.to_string(), cycle })
                    );
                }
                // Where the design tells of a breach, the mutant tells of none.
                let silent = failed.filter(Failed::tells).is_none();
                Ok(silent.then(|| Found { check: "fault detector".to_owned(), cycle: self.cycles }))
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
