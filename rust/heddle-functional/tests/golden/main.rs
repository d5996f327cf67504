//! The golden machine on small programs.

mod common;
mod judge;
mod kernels;
mod lockstep;
