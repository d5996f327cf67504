//! The tests of `heddle-kernel` in one program, which is linked once and shares the processors among all of them.

mod allocation;
mod analyses;
mod calls;
mod common;
mod constant_expressions;
mod constant_operands;
mod early_loads;
mod execution;
mod families;
mod forms;
mod generated;
mod kernels;
mod linking;
mod malformed;
mod mutation;
mod registers;
mod reserved_shared;
