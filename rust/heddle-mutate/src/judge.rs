//! One mutant after the other, against the runs in which it is active.

use heddle_cosim::Control;
use heddle_rtl::mutants::MutantLibrary;

use crate::bench::Bench;
use crate::error::MutateError;
use crate::verdict::Verdict;

/// What becomes of the mutant at place `at` of the library's list. Once it has passed kernels in which the design takes
/// `most_cycles` cycles together, no further kernel runs, and the port bench has the last word.
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
    let evaluations: u64 = benches.iter().map(|bench| bench.counts(at).evaluated).sum();
    if evaluations == 0 {
        return Ok(Verdict::Dead);
    }
    let is_active = |bench: &Bench| bench.counts(at).differed > 0;
    let active = benches.iter().filter(|bench| is_active(bench)).count();
    let (mut passed, mut cycles) = (0, 0);
    for bench in benches.iter_mut().filter(|bench| is_active(bench)) {
        if cycles >= most_cycles && !bench.is_port_bench() {
            continue;
        }
        if let Some(found) = bench.run(library, at, control)? {
            let run = bench.name().to_owned();
            return Ok(Verdict::Killed { check: found.check, run, cycle: found.cycle });
        }
        passed += 1;
        cycles += bench.cycles();
    }
    if active == 0 {
        return Ok(Verdict::NotActivated { evaluations });
    }
    Ok(Verdict::Survived { passed, active })
}
