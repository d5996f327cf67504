//! The golden machine on small programs.

mod common;
mod fuzz;
mod judge;
mod kernels;
mod l1s;
mod lockstep;
mod races;
mod waiting;
