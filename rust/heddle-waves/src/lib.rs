//! Waveforms after the run: the saved views that open them well, and FST made from VCD.
//!
//! The verilated model writes VCD (one trace format per build). This crate reads that file's
//! declarations, resolves the design's view (`testbench/<design>/view.toml`) to the signals that are
//! really there, and writes a GTKWave save file and a Surfer command file with named groups.

mod enums;
mod error;
mod fst;
mod paths;
mod resolve;
mod save;
mod shows;
mod signals;
mod texts;
mod view;
mod view_file;

pub use error::{Miss, WaveError};
pub use fst::vcd_to_fst;
pub use resolve::{ResolvedGroup, is_offer};
pub use save::{Focus, save_views};
pub use shows::{NOTHING, Shows, Text, Valid};
pub use signals::{Signal, first_high, read_signals};
pub use texts::add_texts;
pub use view::{Group, Names, Radix, View, When};
