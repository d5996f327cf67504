//! Presets: the configuration of the SM, the memory hierarchy and the register file.
//!
//! A preset is a TOML file in `presets/`; its values can be overridden by `path.to.key=value`. Every
//! key is checked: one that does not exist is an error that names the nearest one.

mod changed;
mod load;
mod preset;

pub use changed::changed_keys;
pub use load::{ConfigError, Override, load, load_with, preset_names};
pub use preset::{
    Activation, Dram, Gpu, L1d, L2, Pipeline, Policy, Preset, RegisterFile, Replacement, RowMapping,
    SPLIT_STEPS, Scheduler, SharedMemory, Sm, Split, TimingUnit,
};
