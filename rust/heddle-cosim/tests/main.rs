//! The tests of `heddle-cosim` in one program, which is linked once and shares the processors among all of them.

mod banks;
mod beside;
mod checks;
mod code;
mod common;
mod determinism;
mod divergence;
mod flush;
mod formation;
mod golden_cycles;
mod l1_values;
mod latency;
mod ltrf_moves;
#[path = "common/made.rs"]
mod made;
mod many_sms;
mod on_chip;
mod order;
mod ptx;
mod refused_operands;
mod rtl_sms;
mod sampling;
mod shared_use;
mod slots;
mod streams;
mod textures;
mod tlp;
mod traces;
mod unified;
mod unread;
mod warp;
mod waves;
mod ways;
mod written_traces;
