//! What a run is asked to do.

mod outputs;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use heddle_config::Override;
use heddle_functional::RaceRule;
use heddle_isa::Program;
use heddle_workloads::{Instance, Size};

use crate::made_by::MadeBy;
use crate::part::Per;
use crate::rtl_sms::RtlSms;
use crate::stream::Streams;

/// What drives the SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The RTL drives it; the cycle model is a shadow, the golden machine checks.
    Cosim,
    /// The cycle model drives it; there is no RTL.
    Sim,
}

impl Engine {
    /// The name that users type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cosim => "cosim",
            Self::Sim => "sim",
        }
    }
}

/// Which kernel runs.
#[derive(Debug, Clone)]
pub enum Kernel {
    /// One that ships with Heddle.
    Workload {
        /// Its name.
        name: String,
        /// Its size.
        size: Size,
    },
    /// One that ships with Heddle, on inputs from files.
    Input {
        /// Its name.
        name: String,
        /// The files, as many and in the order that the kernel wants.
        files: Vec<PathBuf>,
    },
    /// A user's PTX with a launch file.
    File {
        /// The PTX.
        ptx: PathBuf,
        /// Further PTX modules that it is linked with, besides those of the launch file.
        link: Vec<PathBuf>,
        /// The launch file.
        launch: PathBuf,
    },
    /// A trace of SASS instructions: `kernelslist.g`, or one `.traceg` or `.traceg.xz`.
    Trace(PathBuf),
    /// PTX made in memory, with host code of its own.
    Made(Arc<dyn MadeKernel>),
}

/// A kernel that is neither shipped nor in files, such as a generated one.
pub trait MadeKernel: fmt::Debug + Send + Sync {
    /// Name for messages and files.
    fn name(&self) -> String;
    /// The PTX.
    fn ptx(&self) -> String;
    /// A run of its host code; may be called any number of times, equal seeds give equal instances.
    fn instance(&self, seed: u64) -> Box<dyn Instance>;
    /// Plants a bug of the compiler into the allocated program, after it was checked. The number of instructions
    /// stays.
    fn plant(&self, allocated: &mut Program) {
        let _ = allocated;
    }
}

/// Which CTAs of a grid run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ctas {
    /// Every CTA.
    All,
    /// Those of `sms` SMs of the preset's, if all of these got them in turn.
    Share,
}

impl Ctas {
    /// What a run of `kernel` takes where nothing else is said: one SM's share in size `paper`, else all.
    #[must_use]
    pub fn usual(kernel: &Kernel) -> Self {
        match kernel {
            Kernel::Workload { size: Size::Paper, .. } => Self::Share,
            _ => Self::All,
        }
    }
}

/// Waveform format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaveFormat {
    /// As the verilated model writes it.
    Vcd,
    /// Converted from VCD.
    Fst,
}

/// A window of cycles to be written as a waveform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveWindow {
    /// Format.
    pub format: WaveFormat,
    /// First cycle of the run, all launches together.
    pub from: u64,
    /// Number of cycles.
    pub cycles: u64,
}

/// The seed where nothing is said.
const SEED: u64 = 1;

/// A planted bug of the instrumented RTL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its id in `testbench/<design>/planted_bugs.toml`.
    pub id: String,
    /// The SM that has it; `None` is every SM that is RTL.
    pub sm: Option<u32>,
}

impl Fault {
    /// In every SM that is RTL.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), sm: None }
    }
}

/// The queue between the RTL's side of a co-simulation and the side that checks it, on another thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckQueue {
    /// Cycles that may wait in it.
    pub cycles: usize,
    /// For tests: so long the checking side does nothing before it takes some cycles.
    pub pause: Duration,
}

impl CheckQueue {
    /// Cycles that may wait where nothing is said.
    pub const USUAL_CYCLES: usize = 1024;

    /// A queue for `cycles` cycles; none for 0, where checking is on the thread of the RTL.
    #[must_use]
    pub fn new(cycles: usize) -> Option<Self> {
        (cycles > 0).then_some(Self { cycles, pause: Duration::ZERO })
    }
}

/// One run.
#[derive(Debug, Clone)]
pub struct RunSpec {
    /// Root of the Heddle repository, where `rtl/` and `testbench/` are.
    pub root: PathBuf,
    /// Design name.
    pub design: String,
    /// Kernel.
    pub kernel: Kernel,
    /// Preset name or file; `None` is the design's own.
    pub preset: Option<String>,
    /// Preset overrides, after the design's own.
    pub overrides: Vec<Override>,
    /// Architectural registers that the allocator may use.
    pub max_registers: u32,
    /// Seed of inputs and of the RTL's random initial state.
    pub seed: u64,
    /// Engine.
    pub engine: Engine,
    /// The run fails when it has not ended after this many cycles.
    pub max_cycles: Option<u64>,
    /// SMs that are simulated, with their part of L2 and DRAM.
    pub sms: u32,
    /// Threads of the host that a run of the cycle model on several SMs uses; its results are the same for any number.
    pub threads: usize,
    /// Checks a co-simulation of one SM beside its RTL; what is found is the same with and without. A run that
    /// writes waves is checked on the thread of the RTL, and so is one with mutants, whose evaluations are counted.
    pub check_queue: Option<CheckQueue>,
    /// Which of them are RTL, in a co-simulation.
    pub rtl_sms: RtlSms,
    /// CTAs.
    pub ctas: Ctas,
    /// CTAs of an entry that are resident at once, of entries that keep fewer than `sm.ctas`.
    pub entry_ctas: BTreeMap<String, u32>,
    /// A kernel may read shared memory that its CTA never wrote, and finds zero; else that is an error of the kernel.
    pub unwritten_shared: bool,
    /// Which races on shared memory are errors of the kernel.
    pub races: RaceRule,
    /// Parts of the run that are reported beside the whole.
    pub per: Per,
    /// Waveform window to write.
    pub waves: Option<WaveWindow>,
    /// Planted bug to switch on.
    pub fault: Option<Fault>,
    /// Folder for waveforms and reports.
    pub results: PathBuf,
    /// Where functional streams are kept, of a run that is to use them. The result is the same with and without. Runs of
    /// kernels from files, on all CTAs and with RTL have none.
    pub streams: Option<Streams>,
    /// The program that runs and the files that it reads, for the result.
    pub made_by: MadeBy,
}

impl RunSpec {
    /// A run with the defaults: the design's preset, all registers, seed 1, every CTA, no waves.
    #[must_use]
    pub fn new(root: PathBuf, design: impl Into<String>, kernel: Kernel, engine: Engine) -> Self {
        let results = root.join("results");
        Self {
            root,
            design: design.into(),
            kernel,
            preset: None,
            overrides: Vec::new(),
            max_registers: 255,
            seed: SEED,
            engine,
            max_cycles: None,
            sms: 1,
            threads: 1,
            check_queue: None,
            rtl_sms: RtlSms::All,
            ctas: Ctas::All,
            entry_ctas: BTreeMap::new(),
            unwritten_shared: false,
            races: RaceRule::default(),
            per: Per::Run,
            waves: None,
            fault: None,
            results,
            streams: None,
            made_by: MadeBy::default(),
        }
    }

    /// Name of the kernel for tables and file names.
    #[must_use]
    pub fn kernel_name(&self) -> String {
        match &self.kernel {
            Kernel::Workload { name, .. } | Kernel::Input { name, .. } => name.clone(),
            Kernel::Made(made) => made.name(),
            Kernel::Trace(path) => trace_name(path),
            Kernel::File { ptx, .. } => {
                ptx.file_stem().map_or_else(|| "kernel".to_owned(), |s| s.to_string_lossy().into_owned())
            }
        }
    }

    /// Numbers of the SMs that are RTL, ascending; none in `sim`.
    #[must_use]
    pub fn rtl_sms(&self) -> Vec<u32> {
        match self.engine {
            Engine::Cosim => self.rtl_sms.of(self.sms),
            Engine::Sim => Vec::new(),
        }
    }

    /// Size of the kernel, `input` on files, `-` for a user's own.
    #[must_use]
    pub fn size_name(&self) -> &'static str {
        match &self.kernel {
            Kernel::Workload { size, .. } => size.name(),
            Kernel::Input { .. } => "input",
            Kernel::File { .. } | Kernel::Trace(_) | Kernel::Made(_) => "-",
        }
    }
}

/// The stem of a trace's name; of a list, which has the same name everywhere, that of its folder.
fn trace_name(path: &Path) -> String {
    let name = |p: &Path| p.file_name().map(|n| n.to_string_lossy().into_owned());
    let own = name(path).unwrap_or_else(|| "trace".to_owned());
    let folder = path.parent().and_then(name);
    match (own.as_str(), folder) {
        ("kernelslist.g", Some(folder)) => folder,
        _ => own.split('.').next().unwrap_or("trace").to_owned(),
    }
}
