//! Presets: the configuration of the SM, the memory hierarchy and the register file.
//!
//! A preset is a TOML file in `presets/`; its values can be overridden by `path.to.key=value`. Every
//! key is checked: one that does not exist is an error that names the nearest one. A preset with a `base` stands on a whole
//! one and has only the keys that differ.

mod changed;
mod compiler;
mod design;
mod dram;
mod error;
mod instruction_cache;
mod keys;
mod l1d;
mod layer;
mod load;
mod overrides;
mod pipeline;
mod preset;
mod range;
mod register_file;
mod scheduler;
mod shared_memory;
mod source;
mod technology;
mod times;
mod validate;

pub use changed::changed_keys;
pub use compiler::{Compiler, RegisterCount};
pub use design::Setting;
pub use dram::{Dram, TimingUnit};
pub use error::ConfigError;
pub use instruction_cache::{InstructionCache, PrefetchCode};
pub use l1d::{Allocation, L1d, SetIndex, WriteHit};
pub use load::{base_of, load, load_for, load_with, machine_names, preset_names};
pub use overrides::Override;
pub use pipeline::{CollectorOrder, Pipeline, Unit};
pub use preset::{Gpu, Interconnect, L2, Preset, Sm};
pub use register_file::{BankMapping, IntervalFormation, RegisterFile, Renumbering, Replacement, RowMapping};
pub use scheduler::{Activation, Policy, Scheduler};
pub use shared_memory::{SPLIT_STEPS, SharedMemory, Split};
pub use technology::{Technology, Times};
pub use times::set_by;
