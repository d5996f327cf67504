//! What a sampled run says: nothing that is not of the whole run, and estimates under names that say so.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::estimate::{Estimate, LaunchSample};
use super::plan::Sampling;
use crate::made_by::MadeBy;
use crate::report::{EntryDivision, MemoryShare, RunReport};

/// The windows of a run and what follows from them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sampled {
    /// [`Sampling::window`].
    pub window: u64,
    /// [`Sampling::warm_up`].
    pub warm_up: u64,
    /// [`Sampling::every`].
    pub every: u64,
    /// Windows measured.
    pub windows: u64,
    /// Warp instructions in them.
    pub measured_instructions: u64,
    /// Their share of all.
    pub measured_share: f64,
    /// Warp instructions that issued in cycles: windows, warm-ups, heads and ends.
    pub detailed_instructions: u64,
    /// Cycles that the machine ran, of which nothing follows for the run.
    pub detailed_cycles: u64,
    /// Cycles of heads and ends, which are counted and not estimated.
    pub counted_cycles: u64,
    /// Cycles of a warp instruction in the windows; null without a window.
    pub cycles_per_instruction: Option<f64>,
    /// Cycles of all launches together, estimated.
    pub estimated_cycles: u64,
    /// Warp instructions by them.
    pub estimated_ipc: f64,
    /// Half of the confidence interval of the estimated cycles; null with too few windows.
    pub bound_cycles: Option<u64>,
    /// The same by the estimated cycles.
    pub bound: Option<f64>,
    /// Its confidence.
    pub confidence: f64,
}

/// What is estimated of a launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LaunchEstimate {
    /// Its number.
    pub launch: u32,
    /// Name of the entry.
    pub entry: String,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Its windows.
    pub windows: u64,
    /// Its cycles.
    pub estimated_cycles: u64,
}

/// The result of a sampled run of a kernel. Keys that [`RunReport`] has too mean the same.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[allow(missing_docs, reason = "said at the fields of the report of a full run")]
pub struct SampledReport {
    pub schema: u32,
    pub made_by: MadeBy,
    pub engine: &'static str,
    pub design: String,
    pub kernel: String,
    pub size: String,
    pub preset: String,
    pub parameters: BTreeMap<String, Value>,
    pub seed: u64,
    pub sms: u32,
    pub memory_share: MemoryShare,
    pub registers: u32,
    pub launches: u32,
    pub ctas: u64,
    pub warp_instructions: u64,
    pub resident_ctas: u32,
    pub residency_limit: String,
    pub cta_waves: f64,
    pub reference_words_compared: Option<u64>,
    pub memory_divisions: Vec<EntryDivision>,
    pub mismatches: u64,
    pub ok: bool,
    /// The windows, and what follows from them.
    pub sampled: Sampled,
    /// Each launch.
    pub sampled_launches: Vec<LaunchEstimate>,
}

impl SampledReport {
    /// Of a run whose report would be `report`, had all of it run in detail.
    #[must_use]
    pub fn new(report: RunReport, plan: Sampling, launches: &[LaunchSample]) -> Self {
        let estimate = Estimate::new(launches);
        let sum = |of: &dyn Fn(&LaunchSample) -> u64| launches.iter().map(of).sum::<u64>();
        let instructions = sum(&|l| l.instructions);
        let measured = sum(&|l| l.windows.iter().map(|w| w.instructions).sum());
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        let sampled = Sampled {
            window: plan.window,
            warm_up: plan.warm_up,
            every: plan.every,
            windows: sum(&|l| l.windows.len() as u64),
            measured_instructions: measured,
            measured_share: share(measured as f64, instructions as f64),
            detailed_instructions: sum(&|l| l.detailed_instructions),
            detailed_cycles: sum(&|l| l.detailed_cycles),
            counted_cycles: sum(&|l| l.counted_cycles),
            cycles_per_instruction: estimate.cycles_per_instruction,
            estimated_cycles: whole(estimate.cycles),
            estimated_ipc: share(instructions as f64, estimate.cycles),
            bound_cycles: estimate.bound.map(|bound| whole(bound.ceil())),
            bound: estimate.bound.map(|bound| share(bound, estimate.cycles)),
            confidence: 0.95,
        };
        let each = |((launch, seen), cycles): ((u32, &LaunchSample), &f64)| LaunchEstimate {
            launch,
            entry: seen.entry.clone(),
            warp_instructions: seen.instructions,
            windows: seen.windows.len() as u64,
            estimated_cycles: whole(*cycles),
        };
        Self {
            schema: report.schema,
            made_by: report.made_by,
            engine: report.engine,
            design: report.design,
            kernel: report.kernel,
            size: report.size,
            preset: report.preset,
            parameters: report.parameters,
            seed: report.seed,
            sms: report.sms,
            memory_share: report.memory_share,
            registers: report.registers,
            launches: report.launches,
            ctas: report.ctas,
            warp_instructions: instructions,
            resident_ctas: report.resident_ctas,
            residency_limit: report.residency_limit,
            cta_waves: report.cta_waves,
            reference_words_compared: report.reference_words_compared,
            memory_divisions: report.memory_divisions,
            mismatches: report.mismatches,
            ok: report.ok,
            sampled,
            sampled_launches: (0..).zip(launches).zip(&estimate.launches).map(each).collect(),
        }
    }
}

/// A number of cycles as the nearest whole one.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cycles are positive and below 2^63"
)]
fn whole(cycles: f64) -> u64 {
    cycles.round().max(0.0) as u64
}
