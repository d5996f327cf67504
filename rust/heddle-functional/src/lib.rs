//! The golden machine: executes each warp instruction in program order on its own registers and
//! memory.
//!
//! [`Golden::run_all`] runs whole kernels, with the CTAs that are resident together taking turns, and finds out when
//! all of them wait for ever. A [`Replay`] is driven by the accesses of another program. In lock-step with a machine under test, [`Golden::issue`]
//! steps an instruction when the other machine issues it, [`Golden::performed`] lets a memory access
//! take its place in the order, and [`Golden::retire`] ends the instruction; what the golden machine
//! expected stands in [`Expected`] until then.
//!
//! Besides computing values it judges: reads of registers and memory without a value, races on shared
//! memory, accesses out of bounds or misaligned, barriers that cannot be met, and in lock-step the
//! order of memory accesses. Every error names the thread and the line of the kernel.

mod access;
mod barrier;
mod buffers;
mod cta;
mod decode;
mod env;
mod error;
mod expected;
mod fetch;
mod l1_views;
mod machine;
mod order;
mod race;
mod refusal;
mod replay;
mod run;
mod site;
mod step;
mod stuck;
mod turns;
mod waits;
mod warp;

pub use env::Checks;
pub use error::{GoldenError, OrderRule};
pub use expected::{Expected, ExpectedAccess};
pub use l1_views::LineChanges;
pub use machine::Golden;
pub use race::RaceRule;
pub use replay::{Replay, ReplayError};
pub use run::{Halt, RunSummary, Watch};
pub use site::{AccessKind, Site};
pub use waits::{Polled, StuckWarp};
