//! Every check of the co-simulation fails on the fault that it is there for: an event of the SM is changed,
//! left out or repeated on its way to the checker, or an output of the design on its way to the SM.
//!
//! The cycle model stands behind the register port, so nothing is verilated.

mod contract;
mod end;
mod fault;
mod flow;
mod machine;
mod memory;
mod values;
