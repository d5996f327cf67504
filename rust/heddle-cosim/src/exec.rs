//! Functional runs: the golden machine alone, without timing and without a design.

use std::sync::Arc;

use cpu_time::ThreadTime;
use heddle_functional::{Checks, Golden, GoldenError};
use heddle_passes::DesignNeeds;
use serde::Serialize;

use crate::check::finish::result_failure;
use crate::check::refusal::golden_fault;
use crate::control::Control;
use crate::error::RunError;
use crate::kernel::PreparedKernel;
use crate::made_by::MadeBy;
use crate::mismatch::Place;
use crate::report::SCHEMA;
use crate::spec::RunSpec;

/// The result of one functional run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExecReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What made it.
    pub made_by: MadeBy,
    /// `exec`.
    pub engine: &'static str,
    /// Kernel name.
    pub kernel: String,
    /// Size, or `-`.
    pub size: String,
    /// `virtual` (as parsed) or `architectural`.
    pub registers: &'static str,
    /// Registers a thread.
    pub registers_per_thread: u32,
    /// Seed.
    pub seed: u64,
    /// Kernel launches.
    pub launches: u32,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Lanes in which they executed.
    pub thread_instructions: u64,
    /// Elements compared with the CPU reference.
    pub reference_words_compared: u64,
    /// Writes of shared memory, lanes and words, that found the value of another warp's write of the same phase.
    pub equal_shared_writes: u64,
    /// Warp instructions a second of CPU time, in execution alone.
    pub warp_instructions_per_second: f64,
    /// The run passed.
    pub ok: bool,
}

/// How the golden machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExecOptions {
    /// The program as parsed, on virtual registers.
    pub as_parsed: bool,
    /// The run fails when it has not ended after this many warp instructions, all launches together.
    pub max_instructions: Option<u64>,
}

/// Runs every CTA of a kernel on the golden machine and checks the result against the CPU reference.
/// Design, preset and waves of `spec` do not matter.
///
/// # Errors
/// Why the run did not pass.
pub fn exec(spec: &RunSpec, options: ExecOptions, control: &mut dyn Control) -> Result<ExecReport, RunError> {
    let ExecOptions { as_parsed, max_instructions } = options;
    let mut kernel = PreparedKernel::new(spec, DesignNeeds { intervals: None })?;
    kernel.warn(control)?;
    let mut host = kernel.host_side()?;
    let mut report = ExecReport {
        schema: SCHEMA,
        made_by: spec.made_by.clone(),
        engine: "exec",
        kernel: spec.kernel_name(),
        size: spec.size_name().to_owned(),
        registers: if as_parsed { "virtual" } else { "architectural" },
        registers_per_thread: 0,
        seed: spec.seed,
        launches: 0,
        warp_instructions: 0,
        thread_instructions: 0,
        reference_words_compared: 0,
        equal_shared_writes: 0,
        warp_instructions_per_second: 0.0,
        ok: true,
    };
    let mut seconds = 0.0;
    while let Some(launch) = host.next_launch()? {
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 });
        }
        let entry = kernel.entry(&launch.entry)?;
        let program = if as_parsed { &entry.parsed } else { &entry.executable.program };
        let golden = Golden::new(Arc::clone(program), &launch.launch, host.take_memory())
            .map_err(|e| golden_fault(&e))?;
        let checks = Checks { races: spec.races, ..golden.checks() };
        let mut golden = golden.with_checks(checks);
        let started = ThreadTime::now();
        let left = max_instructions.map(|limit| limit.saturating_sub(report.warp_instructions));
        let run = golden.run_watched(0..launch.launch.num_ctas(), left, &mut || !control.interrupted());
        let summary = run.map_err(|e| match (&e, max_instructions) {
            (GoldenError::Limit { cta, .. }, Some(limit)) => RunError::OutOfInstructions {
                kernel: launch.entry.clone(),
                launch: report.launches,
                cta: *cta,
                limit,
            },
            _ => golden_fault(&e),
        })?;
        seconds += started.elapsed().as_secs_f64();
        report.equal_shared_writes += golden.equal_shared_writes();
        host.memory = golden.into_memory();
        report.launches += 1;
        report.registers_per_thread = report.registers_per_thread.max(program.num_regs);
        report.warp_instructions += summary.warp_instructions;
        report.thread_instructions += summary.thread_instructions;
    }
    host.write_outputs()?;
    report.reference_words_compared =
        host.check().map_err(|e| result_failure(&spec.kernel, &e, Place::default()))?;
    if seconds > 0.0 {
        report.warp_instructions_per_second = report.warp_instructions as f64 / seconds;
    }
    Ok(report)
}
