//! How a run ends: comparisons after its last cycle, and what kind of failure an error is.

use heddle_functional::Replay;
use heddle_rtl::RtlRegisterFile;
use heddle_workloads::CheckFailure;

use super::{Session, Work};
use crate::check::finish::{first_wrong_word, result_failure, same_memory};
use crate::check::writers::Writers;
use crate::compiler::{Compiler, SIDES, difference};
use crate::error::RunError;
use crate::kernel::HostSide;
use crate::mismatch::{Check, Mismatch, Place};
use crate::spec::{Ctas, Engine, Kernel};
use crate::totals::{ToCompare, Totals};
use crate::window::WaveWriter;

impl Session {
    /// Final memory of a launch: golden memory against that of the machine under test, and that of the program as
    /// parsed against golden memory. Where `replay` ran it is what both programs must agree in.
    pub(super) fn compare_memories(
        &mut self,
        golden: &HostSide,
        under_test: &HostSide,
        parsed: &mut HostSide,
        replay: Option<Replay>,
        totals: &mut Totals,
        begin: &Place,
    ) -> Result<(), RunError> {
        let place = Place { cycle: totals.cycles, ..begin.clone() };
        totals.memory_words += same_memory(
            &golden.memory,
            &under_test.memory,
            Check::FinalMemory,
            ["golden memory", "the machine under test"],
            place.clone(),
        )
        .map_err(|mismatch| {
            self.with_writer(mismatch, first_wrong_word(&golden.memory, &under_test.memory))
        })?;
        let writers = self.writers.as_deref();
        let compare = |parsed: &HostSide| {
            let same = same_memory(&parsed.memory, &golden.memory, Check::Compiler, SIDES, place.clone());
            same.map_err(|mismatch| {
                with_writer(mismatch, writers, first_wrong_word(&parsed.memory, &golden.memory))
            })
        };
        let freely = compare(parsed);
        let replayed = replay.is_some();
        let accesses = match replay {
            None => 0,
            Some(replay) => {
                let words = replay.words_compared();
                totals.versions_taken += replay.versions_taken();
                let memory = replay.finish();
                parsed.memory = memory.map_err(|e| difference(&e, begin.launch, totals.cycles))?;
                words
            }
        };
        let (how, words) = match freely {
            Ok(words) => (Compiler::Equal, words),
            Err(_) if replayed => (Compiler::Replayed, compare(parsed)?),
            Err(mismatch) => {
                self.replay_from = Some(begin.launch);
                return Err(mismatch.into());
            }
        };
        totals.memory_words += words;
        totals.compiler.add(how, words + accesses);
        Ok(())
    }

    /// What there is to compare in the run.
    pub(super) fn to_compare(&self) -> ToCompare {
        ToCompare {
            values: !matches!(self.work, Work::Trace(_)),
            memory_port: self.design.manifest.memory_port.any(),
        }
    }

    fn with_writer(&self, mismatch: Box<Mismatch>, wrong: Option<u64>) -> Box<Mismatch> {
        with_writer(mismatch, self.writers.as_deref(), wrong)
    }

    /// The CPU reference, where all CTAs ran, on this SM or functionally.
    pub(super) fn check_reference(&self, host: &mut HostSide, totals: &mut Totals) -> Result<(), RunError> {
        // The share of all SMs is the whole grid.
        let part = self.spec.ctas == Ctas::Share && self.spec.sms < self.design.preset.gpu.sms;
        if part && self.spec.engine == Engine::Cosim {
            return Ok(());
        }
        let place = after_last(totals);
        let words = host.check().map_err(|failure| {
            let wrong = match &failure {
                CheckFailure::Differs { address, .. } => Some(u64::from(*address)),
                _ => None,
            };
            match result_failure(&self.spec.kernel, &failure, place) {
                RunError::Mismatch(mismatch) => RunError::Mismatch(self.with_writer(mismatch, wrong)),
                other => other,
            }
        })?;
        totals.referenced(words, self.has_reference())
    }

    /// Whether the kernel is one that ships with Heddle, which has a CPU reference.
    pub(super) fn has_reference(&self) -> bool {
        matches!(self.spec.kernel, Kernel::Workload { .. } | Kernel::Input { .. })
    }
}

/// Says who wrote the word at address `wrong` last, where that was noted.
fn with_writer(mut mismatch: Box<Mismatch>, writers: Option<&Writers>, wrong: Option<u64>) -> Box<Mismatch> {
    if let (Some(writers), Some(address)) = (writers, wrong) {
        mismatch.notes.push(writers.last(address));
    }
    mismatch
}

/// After the last launch of a co-simulation: the waveform is closed, after a mismatch some cycles later, and
/// the RTL's final blocks run.
pub(super) fn end_lockstep(
    outcome: Result<(), RunError>,
    rtl: &mut RtlRegisterFile,
    totals: &Totals,
    waves: &mut Option<WaveWriter>,
) -> Result<(), RunError> {
    let closed = waves.as_mut().map_or(Ok(()), |waves| close_waves(&outcome, rtl, waves));
    outcome.and(closed)?;
    final_blocks(rtl, totals)
}

/// The waveform of a run with that outcome is closed, after a mismatch some cycles later.
pub(super) fn close_waves(
    outcome: &Result<(), RunError>,
    rtl: &mut RtlRegisterFile,
    waves: &mut WaveWriter,
) -> Result<(), RunError> {
    if let Err(RunError::Mismatch(mismatch)) = outcome {
        waves.show_lane(mismatch.place.lane.unwrap_or(0));
        waves.run_on(rtl);
    }
    waves.close(rtl)
}

/// The final blocks of the RTL run.
pub(super) fn final_blocks(rtl: &mut RtlRegisterFile, totals: &Totals) -> Result<(), RunError> {
    rtl.finish().map_err(|e| reset_failure(&e, after_last(totals)))
}

/// The place behind the last launch.
fn after_last(totals: &Totals) -> Place {
    Place { launch: totals.launches.saturating_sub(1), cycle: totals.cycles, ..Place::default() }
}

pub(super) fn reset_failure(error: &heddle_port::DesignError, place: Place) -> RunError {
    Mismatch::new(Check::Assertion, place, format!("the RTL stops: {error}")).into()
}

pub(super) fn same_failure(a: &Mismatch, b: &Mismatch) -> bool {
    a.check == b.check && a.place == b.place && a.what == b.what
}
