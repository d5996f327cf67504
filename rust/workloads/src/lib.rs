//! The kernels that Heddle runs: PTX, inputs, host code and a CPU reference for each.
//!
//! A [`Workload`] is a kernel with its sizes. An [`Instance`] is one run of it on one machine: it fills
//! buffers, hands out launches one after the other and checks the result. Inputs depend on size and
//! seed only, and buffers get the same addresses each time, so a golden machine and a machine under
//! test each take an instance of their own and can be compared byte for byte.
//!
//! ```
//! use heddle_isa::DeviceMemory;
//! use heddle_workloads::{Size, find};
//!
//! let workload = find("vectoradd")?;
//! let mut instance = workload.instance(Size::Smoke, 1)?;
//! let mut memory = DeviceMemory::new();
//! instance.set_up(&mut memory)?;
//! while let Some(launch) = instance.next_launch(&mut memory)? {
//!     assert_eq!(launch.entry, "vectoradd");
//!     // A machine runs the launch on `memory` here.
//! }
//! // Nothing ran, so the check fails.
//! assert!(instance.check(&memory).is_err());
//! # Ok::<(), heddle_workloads::WorkloadError>(())
//! ```
//!
//! The PTX in `kernels/` is what `scripts/make-workloads.sh` makes of the CUDA C++ next to it. The
//! sources say `fmaf` where they mean a fused multiply-add and nvcc is told not to fuse, so the bits of
//! every result follow from the source and each reference is exact.
//!
//! A user's own PTX runs by a [`launch_file`].

pub mod buffers;
pub mod chain;
pub mod chase;
pub mod error;
pub mod input;
pub mod inputs;
mod kernels;
pub mod launch_file;
mod not_held;
pub mod params;
mod pinned;
mod ptxas;
pub mod published;
pub mod random;
pub mod script;
pub mod tolerance;

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use heddle_isa::{DeviceMemory, KernelLaunch};

use input::InputFile;
use published::{Paper, Published};

pub use error::{CheckFailure, WorkloadError};
pub use ptxas::ptxas_registers;

/// How much work an instance is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// A co-simulation of it takes a second or so: tens of thousands of warp instructions.
    Smoke,
    /// Ten to thirty times smoke: hundreds of thousands of warp instructions.
    Small,
    /// The size of the papers and suites, for simulation without RTL.
    Paper,
}

impl Size {
    /// All sizes, ascending.
    pub const ALL: [Self; 3] = [Self::Smoke, Self::Small, Self::Paper];

    /// The name that users type.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Small => "small",
            Self::Paper => "paper",
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Size {
    type Err = WorkloadError;

    fn from_str(name: &str) -> Result<Self, WorkloadError> {
        Self::ALL
            .into_iter()
            .find(|s| s.name() == name)
            .ok_or_else(|| WorkloadError::UnknownSize { name: name.into() })
    }
}

/// A kernel with its sizes.
pub trait Workload: Sync {
    /// The name that users type, also the stem of the PTX file.
    fn name(&self) -> &'static str;

    /// One line that says what it computes and what it exercises.
    fn title(&self) -> &'static str;

    /// The benchmark suite whose kernel of that name it follows, or `heddle`.
    fn suite(&self) -> &'static str;

    /// The application that it follows: its own name, or for a variant that of the workload it varies.
    fn application(&self) -> &'static str {
        self.name()
    }

    /// The papers that use the application.
    fn papers(&self) -> Vec<Paper> {
        published::papers(self.application(), self.suite())
    }

    /// The published values that its entries are held against. What the papers' tables say of the
    /// application as a whole is held against it in any case.
    fn published(&self) -> &'static [Published];

    /// Registers per thread that `entry` takes however few it needs: pinned to a published value so that
    /// the occupancy is the publication's. `None` leaves it to the allocator.
    fn pinned_registers(&self, entry: &str) -> Option<u32> {
        let _ = entry;
        None
    }

    /// File name and text of its PTX.
    fn ptx(&self) -> (&'static str, &'static str);

    /// Sizes that it has.
    fn sizes(&self) -> &'static [Size] {
        &Size::ALL
    }

    /// One line that says what `size` means in elements and steps.
    fn size_text(&self, size: Size) -> String;

    /// A run of its own: may be called any number of times, equal arguments give equal instances.
    ///
    /// # Errors
    /// When the inputs of that size cannot be made.
    fn instance(&self, size: Size, seed: u64) -> Result<Box<dyn Instance>, WorkloadError>;

    /// What each of the files holds that [`Workload::instance_of`] takes, in their order. Empty when inputs
    /// are only generated.
    fn input_files(&self) -> &'static [&'static str] {
        &[]
    }

    /// A run on inputs from files; steps and rounds are those of size paper.
    ///
    /// # Errors
    /// When there are more or fewer files than the workload takes, or one does not hold what it must.
    fn instance_of(&self, files: &[InputFile]) -> Result<Box<dyn Instance>, WorkloadError> {
        Err(input::miscounted(self.name(), self.input_files(), files.len()).into())
    }
}

/// One kernel launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// Name of the entry in the PTX.
    pub entry: String,
    /// Grid, block, dynamic shared memory and parameters.
    pub launch: KernelLaunch,
}

/// What a check of the result against the CPU reference compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// Elements compared.
    pub words: u64,
    /// Whether every element had to be equal bit for bit.
    pub exact: bool,
    /// The error bound and its reason, when not exact.
    pub bound: Option<String>,
}

impl Checked {
    /// Every element had to be equal bit for bit.
    #[must_use]
    pub fn exact(words: u64) -> Self {
        Self { words, exact: true, bound: None }
    }
}

/// One run on one machine.
pub trait Instance: Send {
    /// Allocates the buffers and fills those that hold inputs. Called once, first, when the `.global`
    /// variables of the module are in `memory` already.
    ///
    /// # Errors
    /// When memory refuses.
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError>;

    /// The next launch, or `None` when the run is complete. Called when the launch before is complete:
    /// the host code between launches may read and write `memory`.
    ///
    /// # Errors
    /// When memory refuses, or before [`Instance::set_up`].
    fn next_launch(&mut self, memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError>;

    /// Compares the outputs with the CPU reference, after the last launch.
    ///
    /// # Errors
    /// The first element that differs, with the number of those that do.
    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure>;
}

/// A workload's line in the registry, submitted by its own module with `inventory::submit!`.
struct Entry(&'static dyn Workload);

inventory::collect!(Entry);

static ALL: LazyLock<Vec<&'static dyn Workload>> = LazyLock::new(|| {
    let mut all: Vec<_> = inventory::iter::<Entry>.into_iter().map(|e| e.0).collect();
    all.sort_unstable_by_key(|w| w.name());
    all
});

/// All workloads in alphabetical order.
#[must_use]
pub fn all() -> &'static [&'static dyn Workload] {
    &ALL
}

/// The workload `name`.
///
/// # Errors
/// [`WorkloadError::UnknownWorkload`], with the nearest name.
pub fn find(name: &str) -> Result<&'static dyn Workload, WorkloadError> {
    all().iter().copied().find(|w| w.name() == name).ok_or_else(|| WorkloadError::UnknownWorkload {
        name: name.into(),
        help: heddle_suggest::hint_or_list(name, all().iter().map(|w| w.name())),
    })
}
