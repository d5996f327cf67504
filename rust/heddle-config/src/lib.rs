//! Presets: the configuration of the SM, the memory hierarchy and the register file.
//!
//! A preset is a TOML file in `presets/`; its values can be overridden by `path.to.key=value`. Every
//! key is checked: one that does not exist is an error that names the nearest one.

mod changed;
mod compiler;
mod design;
mod error;
mod instruction_cache;
mod keys;
mod load;
mod overrides;
mod pipeline;
mod preset;
mod times;
mod validate;

pub use changed::changed_keys;
pub use compiler::Compiler;
pub use design::Setting;
pub use error::ConfigError;
pub use instruction_cache::InstructionCache;
pub use load::{load, load_with, preset_names};
pub use overrides::Override;
pub use pipeline::{Pipeline, Unit};
pub use preset::{
    Activation, BankMapping, Dram, Gpu, IntervalFormation, L1d, L2, Policy, Preset, RegisterFile,
    Renumbering, Replacement, RowMapping, SPLIT_STEPS, Scheduler, SharedMemory, Sm, Split, TimingUnit,
};
