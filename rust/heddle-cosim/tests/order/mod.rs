//! Kernels whose result depends on the order of accesses, and kernels whose CTAs wait for each other: the compiler
//! is judged on them all the same, and what can never end is said to.

mod compiler;
mod fault;
mod kernel;
mod refusal;
mod streams;
mod suite;
mod waiting;
mod writer;
