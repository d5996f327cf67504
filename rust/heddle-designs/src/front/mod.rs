//! What every register file does at the port, once: a design adds the mechanism that its paper is about.
//!
//! [`Machine`] is the cycle model of a whole register file. It takes instructions, results and commands at
//! the port, hands collected operands out, keeps the warps' bases, counts what happens at the port, and
//! checks the configuration. A [`Mechanism`] says where an operand lies, when it can be read, and where a
//! result goes. The parts are those of `rtl/common`: [`CollectorArray`] (collector_array, read_requests),
//! [`Dispatch`] (operand_dispatch), [`CommandPort`] (command_port), [`WriteBuffer`] (write_buffer),
//! [`Locate`] (locate). A mechanism need not use them all: collectors of another kind implement
//! [`Collectors`]. A mechanism may have sub-cores ([`SubCores`]): a register file for each scheduler.
//!
//! A cycle has these steps, in which everything before the hand-over sees the state when the cycle began:
//!
//! 1. dispatch takes complete instructions out of their collectors;
//! 2. [`Mechanism::access`]: the cycle of the arrays;
//! 3. hand-over: [`Mechanism::take_issue`], [`Mechanism::take_result`], [`Mechanism::command`]. What the SM
//!    hands over takes part from the next cycle on; registers are found by the bases of this cycle; a
//!    collector that is emptied in this cycle is free from the next one on;
//! 4. [`Mechanism::end`]: the clock edge of what waits for the hand-over, and the outputs that are the
//!    design's.
//!
//! A mechanism may say for how many cycles it stays as it is ([`Mechanism::steady`]): without an offer these have the outputs of
//! the cycle before, and none of the steps.

mod collectors;
mod command_port;
mod dispatch;
mod limits;
mod locate;
mod machine;
mod memory_inputs;
mod places;
mod ports;
mod sub_cores;
mod write_buffer;

pub use collectors::{CollectorArray, Collectors, ELSEWHERE, NUM_COLLECTORS, SourceRef};
pub use command_port::{Answer, CommandPort, Present};
pub use dispatch::{Dispatch, DispatchCycle};
pub use limits::Limit;
pub use locate::{Locate, Place};
pub use machine::{Machine, Mechanism};
pub use memory_inputs::MemoryInputs;
pub use places::Places;
pub use ports::{Front, Optional};
pub use sub_cores::SubCores;
pub use write_buffer::{PLACES_PER_PORT, WriteBuffer, WriteGrants};
