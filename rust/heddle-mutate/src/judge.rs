//! One mutant after the other, against the kernels in which it is active.

use heddle_cosim::{Check, Control, RunError, RunSpec, Session};
use heddle_rtl::mutants::{MutantCounts, MutantLibrary};

use crate::error::MutateError;
use crate::verdict::Verdict;

/// A run with a mutant may take so many times the cycles of the design, and `SPARE_CYCLES` more: those after which the
/// SM gives up when nothing moves are fewer.
const SLOWER: u64 = 4;
const SPARE_CYCLES: u64 = 100_000;

/// A kernel that judges mutants.
pub struct Bench {
    kernel: String,
    session: Session,
    /// Cycles of the design.
    cycles: u64,
    /// What the design evaluated of each mutant.
    counts: Vec<MutantCounts>,
}

impl Bench {
    /// Runs all kernels with the design itself; the shortest run comes first.
    ///
    /// # Errors
    /// [`MutateError::Clean`] where one does not pass; else why a run cannot be made.
    pub fn all(
        specs: Vec<RunSpec>,
        library: &MutantLibrary,
        control: &mut dyn Control,
    ) -> Result<Vec<Self>, MutateError> {
        let mut benches = Vec::new();
        for spec in specs {
            let kernel = spec.kernel_name();
            control.stage(&format!("{kernel} without a mutant"));
            let mut session = Session::new(spec)?;
            let run = session.run_mutant(library, None, None, control)?;
            let report = run.outcome.map_err(|error| MutateError::Clean { kernel: kernel.clone(), error })?;
            benches.push(Self { kernel, session, cycles: report.cycles, counts: run.counts });
        }
        benches.sort_by_key(|bench| bench.cycles);
        Ok(benches)
    }
}

/// What becomes of the mutant at place `at` of the library's list. Once it has passed kernels in which the design takes
/// `most_cycles` cycles together, no further one runs.
///
/// # Errors
/// A run that could not be made, or was interrupted.
pub fn judge(
    benches: &mut [Bench],
    library: &MutantLibrary,
    at: usize,
    most_cycles: u64,
    control: &mut dyn Control,
) -> Result<Verdict, MutateError> {
    if let Some((_, message)) = library.refused().iter().find(|(refused, _)| *refused == at) {
        return Ok(Verdict::NotInjectable { message: message.clone() });
    }
    let counts = |bench: &Bench| bench.counts.get(at).copied().unwrap_or_default();
    let evaluations: u64 = benches.iter().map(|bench| counts(bench).evaluated).sum();
    if evaluations == 0 {
        return Ok(Verdict::Dead);
    }
    let is_active = |bench: &Bench| counts(bench).differed > 0;
    let active = benches.iter().filter(|bench| is_active(bench)).count();
    let (mut passed, mut cycles) = (0, 0);
    for bench in benches.iter_mut().filter(|bench| is_active(bench)) {
        if cycles >= most_cycles {
            break;
        }
        let limit = SLOWER.saturating_mul(bench.cycles).saturating_add(SPARE_CYCLES);
        let run = bench.session.run_mutant(library, Some(at), Some(limit), control)?;
        if let Err(error) = run.outcome {
            let (check, cycle) = found_by(error, limit)?;
            return Ok(Verdict::Killed { check, kernel: bench.kernel.clone(), cycle });
        }
        passed += 1;
        cycles += bench.cycles;
    }
    if active == 0 {
        return Ok(Verdict::NotActivated { evaluations });
    }
    Ok(Verdict::Survived { passed, active })
}

/// What a failed run with a mutant was found by, and in which cycle.
fn found_by(error: RunError, limit: u64) -> Result<(String, u64), MutateError> {
    match error {
        RunError::Mismatch(mismatch) => Ok((mismatch.check.to_string(), mismatch.place.cycle)),
        RunError::OutOfCycles { .. } => Ok((Check::Hang.to_string(), limit)),
        // An assertion refuses the instance in its first evaluation.
        RunError::Build { .. } => Ok((Check::Assertion.to_string(), 0)),
        // The golden machine or the SM does not go on with what the RTL makes of the kernel.
        RunError::Kernel { .. } => Ok(("refused by the SM".to_owned(), 0)),
        RunError::Uncompared { .. } => Ok((Check::Completeness.to_string(), 0)),
        other => Err(other.into()),
    }
}
