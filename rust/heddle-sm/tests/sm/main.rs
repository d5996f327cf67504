//! Whole kernels on the SM with a trivial register file behind the port.

mod control;
mod errors;
mod halves;
mod machine;
mod memory;
mod performed;
mod program;
mod registers;
mod residency;
mod sub_cores;
mod timing;
