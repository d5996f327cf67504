//! A sheet: entries, and what runs of one SM's share show.

use std::collections::BTreeMap;
use std::path::Path;

use cpu_time::ProcessTime;
use heddle_config::Preset;
use heddle_cosim::{Control, Ctas, Engine, Kernel, RunSpec, Session};
use heddle_workloads::{Size, Workload};
use serde::{Deserialize, Serialize};

use crate::entries::{EntryCharacter, entries};
use crate::error::CharacterError;
use crate::hash::short_hash;
use crate::profile::Profile;
use crate::shares::{Mix, Reuse};

/// Version of the files; it grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// Presets on which the kernels run: the one of the papers on register files, and that of the paper which
/// gives footprints.
pub const PRESETS: [&str; 2] = ["fermi", "volta"];

/// The design that the runs use.
const DESIGN: &str = "baseline";

/// What a run of one SM's share on the baseline shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCharacter {
    /// Size of the inputs.
    pub size: String,
    /// SMs of the preset: the SM runs every so-many-th block.
    pub sms: u32,
    /// Launches.
    pub launches: u32,
    /// Blocks run.
    pub ctas: u64,
    /// Cycles.
    pub cycles: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// CPU seconds of the run, from the compiler to the CPU reference, in tenths.
    pub cpu_seconds: f64,
    /// Shares of the warp instructions.
    pub mix: Mix,
    /// Executing lanes of a warp instruction, on average: 32 without divergence.
    pub lanes: f64,
    /// Unique bytes of global memory that the SM touched.
    pub footprint_bytes: u64,
    /// Reads of the L1 that did not find their line, as a share; `None` without reads.
    pub l1_miss_rate: Option<f64>,
    /// How often values in registers are read.
    pub reuse: Reuse,
}

/// The sheet of a workload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The workload.
    pub workload: String,
    /// [`fingerprint`] of the workload when it was measured in size paper, else empty.
    pub source: String,
    /// Its entries.
    pub entries: Vec<EntryCharacter>,
    /// Runs by preset.
    pub runs: BTreeMap<String, RunCharacter>,
}

/// The sheet of `workload`, with runs of `size` on each of `presets`. `root` is the repository.
///
/// # Errors
/// When the workload does not compile or does not pass.
pub fn measure(
    root: &Path,
    workload: &'static dyn Workload,
    size: Size,
    all_presets: &[Preset],
    presets: &[&str],
    control: &mut dyn Control,
) -> Result<Sheet, CharacterError> {
    let mut runs = BTreeMap::new();
    for &preset in presets {
        runs.insert(preset.to_owned(), run(root, workload, size, preset, all_presets, control)?);
    }
    let entries = entries(workload, all_presets)?;
    let source = if size == Size::Paper { fingerprint(workload) } else { String::new() };
    Ok(Sheet { schema: SCHEMA, workload: workload.name().to_owned(), source, entries, runs })
}

/// Changes when the PTX or what size paper means does: a part of their SHA-256. What the compiler makes of
/// the PTX has a hash in each of the entries.
#[must_use]
pub fn fingerprint(workload: &dyn Workload) -> String {
    short_hash([workload.ptx().1, &workload.size_text(Size::Paper)])
}

fn run(
    root: &Path,
    workload: &'static dyn Workload,
    size: Size,
    preset: &str,
    all_presets: &[Preset],
    control: &mut dyn Control,
) -> Result<RunCharacter, CharacterError> {
    let kernel = Kernel::Workload { name: workload.name().to_owned(), size };
    let mut spec = RunSpec::new(root.to_owned(), DESIGN, kernel, Engine::Sim);
    spec.preset = Some(preset.to_owned());
    spec.ctas = Ctas::Share;
    let mut profile = Profile::new();
    let start = ProcessTime::now();
    let report = Session::new(spec)
        .and_then(|mut session| session.observe(control, &mut profile))
        .map_err(|source| CharacterError::Run { kernel: workload.name(), source })?;
    let cpu_seconds = (10.0 * start.elapsed().as_secs_f64()).round() / 10.0;
    let count = |name: &str| report.statistics.get(name).copied().unwrap_or(0);
    let hits = count("memory.l1.read_hits");
    let reads = hits + count("memory.l1.read_misses") + count("memory.l1.read_merged");
    Ok(RunCharacter {
        size: size.name().to_owned(),
        sms: all_presets.iter().find(|p| p.name == preset).map_or(1, |p| p.gpu.sms),
        launches: report.launches,
        ctas: report.ctas,
        cycles: report.cycles,
        warp_instructions: report.warp_instructions,
        cpu_seconds,
        mix: profile.mix(),
        lanes: profile.lanes(),
        footprint_bytes: profile.footprint_bytes(),
        l1_miss_rate: (reads > 0).then(|| (reads - hits) as f64 / reads as f64),
        reuse: profile.reuse(),
    })
}
