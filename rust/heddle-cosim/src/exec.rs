//! Functional runs: the golden machine alone, without timing and without a design.

use std::sync::Arc;

use cpu_time::ThreadTime;
use heddle_functional::{Checks, Golden, GoldenError};
use heddle_isa::KernelLaunch;
use heddle_passes::DesignNeeds;
use heddle_sm::CtaChoice;
use serde::Serialize;

use crate::check::finish::result_failure;
use crate::check::refusal::golden_fault;
use crate::compiler::{Alone, Compiler, Judgement};
use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::kernel::{Entry, PreparedKernel};
use crate::made_by::MadeBy;
use crate::mismatch::{Check, Mismatch, Place};
use crate::report::SCHEMA;
use crate::residency::residency;
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
    /// How the compiler was judged; null for the program as parsed alone.
    pub compiler: Option<Compiler>,
    /// Words of final memory and of accesses in which the program as parsed and the allocated one were compared.
    pub compiler_words_compared: u64,
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

/// Warp instructions of the program as parsed for each one of the allocated program, at most: allocation removes
/// copies and what has no effect.
const MOST_PARSED: u64 = 4;

/// Runs every CTA of a kernel on the golden machine, checks the result against the CPU reference, and judges the
/// compiler by the program as parsed. Of design and preset of `spec` only the number of resident CTAs matters;
/// waves do not.
///
/// # Errors
/// Why the run did not pass.
pub fn exec(spec: &RunSpec, options: ExecOptions, control: &mut dyn Control) -> Result<ExecReport, RunError> {
    let design = PreparedDesign::new(spec)?;
    let max_registers = spec.max_registers.min(design.preset.register_file.max_registers);
    let spec = &RunSpec { max_registers, ..spec.clone() };
    let mut kernel = PreparedKernel::new(spec, DesignNeeds::default())?.with_compiler(design.preset.compiler);
    kernel.warn(control)?;
    let mut host = kernel.host_side()?;
    let mut report = ExecReport::of(spec, options);
    let mut compiler = Judgement::default();
    let mut seconds = 0.0;
    while let Some(launch) = host.next_launch()? {
        if control.interrupted() {
            return Err(RunError::Interrupted { cycles: 0 });
        }
        let entry = kernel.entry(&launch.entry)?;
        let limit = options.max_instructions;
        let left = limit.map(|limit| limit.saturating_sub(report.warp_instructions));
        let failed = |e: GoldenError| match (&e, limit) {
            (GoldenError::Limit { cta, .. }, Some(limit)) => RunError::OutOfInstructions {
                kernel: launch.entry.clone(),
                launch: report.launches,
                cta: *cta,
                limit,
            },
            _ => golden_fault(&e),
        };
        let residency = residency_of(&design, spec, &entry, &launch.launch)?;
        let alone = Alone {
            entry: &entry,
            launch: &launch.launch,
            number: report.launches,
            residency,
            races: spec.races,
        };
        let memory = host.take_memory();
        let judged = if options.as_parsed {
            None
        } else {
            let left = left.map(|left| left.saturating_mul(MOST_PARSED));
            let parsed = alone.parsed(memory.clone(), left, control).map_err(failed)?;
            Some((memory.clone(), parsed))
        };
        let program = if options.as_parsed { &entry.parsed } else { &entry.executable.program };
        let golden =
            Golden::new(Arc::clone(program), &launch.launch, memory).map_err(|e| golden_fault(&e))?;
        let checks = Checks { races: spec.races, ..golden.checks() };
        let mut golden = golden.with_checks(checks).with_residency(residency);
        let started = ThreadTime::now();
        let ctas = 0..launch.launch.num_ctas();
        let run = golden.run_watched(ctas, left, &mut || !control.interrupted(), &mut ());
        seconds += started.elapsed().as_secs_f64();
        report.equal_shared_writes += golden.equal_shared_writes();
        if let Some((before, parsed)) = judged {
            let allocated = match &run {
                Ok(_) => Ok(golden.memory()),
                Err(error) => {
                    Err(undefined_read(error, report.launches).unwrap_or_else(|| failed(error.clone())))
                }
            };
            let (how, words) = alone.judge(before, &parsed, allocated, control)?;
            compiler.add(how, words);
        }
        let summary = run.map_err(failed)?;
        host.memory = golden.into_memory();
        report.launches += 1;
        report.registers_per_thread = report.registers_per_thread.max(program.num_regs);
        report.warp_instructions += summary.warp_instructions;
        report.thread_instructions += summary.thread_instructions;
    }
    report.compiler = compiler.how;
    report.compiler_words_compared = compiler.words;
    host.write_outputs()?;
    report.reference_words_compared =
        host.check().map_err(|e| result_failure(&spec.kernel, &e, Place::default()))?;
    if seconds > 0.0 {
        report.warp_instructions_per_second = report.warp_instructions as f64 / seconds;
    }
    Ok(report)
}

/// CTAs that are resident at once. A launch that no SM of the preset holds can be executed all the same, CTA after
/// CTA.
fn residency_of(
    design: &PreparedDesign,
    spec: &RunSpec,
    entry: &Entry,
    launch: &KernelLaunch,
) -> Result<u32, RunError> {
    let program = &entry.executable.program;
    match residency(&design.preset_of(spec, &program.name), program, launch, CtaChoice::All, 1) {
        Err(RunError::Launch { .. }) if !launch.cooperative => Ok(1),
        other => other,
    }
}

/// A register that the allocated program reads without a value, where the program as parsed ran to its end.
fn undefined_read(error: &GoldenError, launch: u32) -> Option<RunError> {
    let undefined = matches!(error, GoldenError::UndefinedRead { .. });
    let place = Place { launch, ..Place::default() };
    undefined.then(|| Mismatch::new(Check::Compiler, place, error.to_string()).into())
}

impl ExecReport {
    /// Before the first launch.
    fn of(spec: &RunSpec, options: ExecOptions) -> Self {
        Self {
            schema: SCHEMA,
            made_by: spec.made_by.clone(),
            engine: "exec",
            kernel: spec.kernel_name(),
            size: spec.size_name().to_owned(),
            registers: if options.as_parsed { "virtual" } else { "architectural" },
            registers_per_thread: 0,
            seed: spec.seed,
            launches: 0,
            warp_instructions: 0,
            thread_instructions: 0,
            compiler: None,
            compiler_words_compared: 0,
            reference_words_compared: 0,
            equal_shared_writes: 0,
            warp_instructions_per_second: 0.0,
            ok: true,
        }
    }
}
