//! Bounds that follow from a preset, for presets without references.
//!
//! Each is held against the difference of the cycles of two traces that differ in their length alone, so that what a launch
//! takes to begin and to end is not in it.

mod levels;
mod work;

use heddle_config::{Override, Preset, Unit};

use self::levels::Levels;
use crate::error::FidelityError;
use crate::judgement::{Judged, Verdict};
use crate::measure::{Setting, measure};
use crate::reference::distance;
use crate::trace::Trace;

/// The preset that `reference.csv` is of; all others have bounds.
pub const REFERENCES_OF: &str = "volta";

/// Cycles between the issues of dependent instructions beside those of their unit: the register port of `baseline`.
const PORT: u32 = 5;
/// How far the cycles of a chase may be from the sum of its hops.
const CHASE: f64 = 0.03;
/// Least part of the peak that has to be reached, and most: what the ends of the two traces differ by.
const PEAK: [f64; 2] = [0.9, 1.01];

/// Two traces of which one has more of the same work, and the cycles that this may take.
#[derive(Debug)]
pub struct Bound {
    /// Its name.
    pub name: &'static str,
    /// What the cycles follow from.
    pub what: String,
    /// The shorter one first.
    traces: [Trace; 2],
    overrides: Vec<Override>,
    /// Fewest and most cycles.
    cycles: [f64; 2],
}

impl Bound {
    /// `work` more instructions or lines take `each` cycles each, neither fewer nor more.
    fn exact(name: &'static str, what: String, traces: [Trace; 2], work: u32, each: u32) -> Self {
        let cycles = [f64::from(work * each); 2];
        Self { name, what, traces, overrides: Vec::new(), cycles }
    }

    /// The same in about that many.
    fn chase(name: &'static str, what: String, traces: [Trace; 2], work: u32, each: f64) -> Self {
        let all = f64::from(work) * each;
        Self { name, what, traces, overrides: Vec::new(), cycles: [all * (1.0 - CHASE), all * (1.0 + CHASE)] }
    }

    /// `work` more of them at about the peak of one in `each` cycles.
    fn peak(name: &'static str, what: String, traces: [Trace; 2], work: u32, each: f64) -> Self {
        let all = f64::from(work) * each;
        Self { name, what, traces, overrides: Vec::new(), cycles: [all / PEAK[1], all / PEAK[0]] }
    }

    /// With another value of a key.
    fn set(mut self, key: &str, value: u32) -> Self {
        self.overrides.push(Override { key: key.to_owned(), value: value.to_string() });
        self
    }
}

/// All bounds of `baseline` with a preset.
#[must_use]
pub fn bounds(preset: &Preset) -> Vec<Bound> {
    let p = &preset.pipeline;
    // Where a preset has none of a kind, its instructions go to those of single precision.
    let sfu = if p.sfu.units == 0 { p.fp32 } else { p.sfu };
    let dependent = |name: &'static str, opcode: &'static str, sources: &'static [u8], latency: u32| {
        let what = format!("port {PORT} + unit {latency}");
        let lengths = [200, 600].map(|n| work::dependent(opcode, sources, n));
        Bound::exact(name, what, lengths, 400, PORT + latency)
    };
    let schedulers = preset.scheduler.schedulers;
    let throughput = |name: &'static str, opcode: &'static str, unit: Unit, lengths: [u32; 2]| {
        let each = (f64::from(unit.interval) / f64::from(unit.units)).max(1.0 / f64::from(schedulers));
        let what =
            format!("peak of {} pipelines, an instruction in {} cycles each", unit.units, unit.interval);
        let work = work::WARPS * (lengths[1] - lengths[0]);
        Bound::peak(name, what, lengths.map(|n| work::independent(opcode, n)), work, each)
    };
    let levels = Levels::new(preset);
    let chase = |name: &'static str, level: (String, f64), at: fn(u32) -> Trace, [short, long]: [u32; 2]| {
        let (what, each) = level;
        Bound::chase(name, what, [at(short), at(long)], long - short, each)
    };
    let lines = work::WARPS * work::LOADS[1] - work::WARPS * work::LOADS[0];
    let streams = |at: fn(u32) -> Trace| work::LOADS.map(at);
    vec![
        dependent("ffma_dep", "FFMA", &[8, 21, 30], p.fp32.latency),
        dependent("iadd3_dep", "IADD3", &[8, 21, 30], p.int.latency),
        dependent("imad_dep", "IMAD", &[8, 21, 30], p.int_multiply_latency),
        dependent("dfma_dep", "DFMA", &[8, 26, 30], p.fp64.latency),
        dependent("mufu_dep", "MUFU.RCP", &[8], p.sfu.latency),
        dependent("shfl_dep", "SHFL.BFLY", &[8], p.exchange.latency),
        throughput("ffma_peak", "FFMA", p.fp32, [100, 300]),
        throughput("mufu_peak", "MUFU.RCP", sfu, [50, 150]),
        Bound::peak("lds_peak", "peak of an access a cycle".to_owned(), streams(work::shared), lines, 1.0),
        chase("lds_chase", levels.shared(), work::shared_chase, [100, 300]),
        chase("l1_chase", levels.l1(), work::l1_chase, [100, 300]),
        chase("l2_chase", levels.l2(), work::l2_chase, [2 * work::L2_LINES, 3 * work::L2_LINES]),
        chase("dram_chase", levels.dram(), work::dram_chase, [100, 200]),
        {
            let (what, each) = levels.l2_peak();
            Bound::peak("l2_peak", what, streams(work::l2_stream), lines, each).set("l1d.mshrs", work::MSHRS)
        },
        {
            let (what, each) = levels.dram_peak();
            Bound::peak("dram_peak", what, streams(work::dram_stream), lines, each)
                .set("l1d.mshrs", work::MSHRS)
        },
    ]
}

/// Those of `all` with these names, comma separated; `all` for all of them.
///
/// # Errors
/// [`FidelityError::Unknown`].
pub fn chosen_bounds<'a>(all: &'a [Bound], names: &str) -> Result<Vec<&'a Bound>, FidelityError> {
    crate::traces::by_name(all, names, |bound| bound.name)
}

/// Runs the two traces of a bound and judges the difference of their cycles.
///
/// # Errors
/// As [`measure`].
pub fn hold(
    bound: &Bound,
    setting: &Setting,
    folder: &std::path::Path,
    control: &mut dyn heddle_cosim::Control,
) -> Result<Judged, FidelityError> {
    let overrides = setting.overrides.iter().chain(&bound.overrides).cloned().collect();
    let setting = Setting { overrides, ..setting.clone() };
    let mut cycles = [0; 2];
    for ((cycles, trace), length) in cycles.iter_mut().zip(&bound.traces).zip(["short", "long"]) {
        *cycles = measure(trace, &setting, &folder.join(length), control)?.cycles;
    }
    Ok(judged(bound, cycles[1].saturating_sub(cycles[0])))
}

fn judged(bound: &Bound, cycles: u64) -> Judged {
    let distance = distance(cycles as f64, bound.cycles);
    Judged {
        trace: bound.name.to_owned(),
        cycles,
        reference_low: Some(bound.cycles[0].ceil() as u64),
        reference_high: Some(bound.cycles[1].floor() as u64),
        distance,
        distance_to_simulator: None,
        distance_to_hardware: None,
        distance_limit: 0.0,
        verdict: if distance == 0.0 { Verdict::Within } else { Verdict::Beyond },
        mechanism: None,
        bound: Some(bound.what.clone()),
    }
}
