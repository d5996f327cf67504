//! Reading of traces.

mod faults;
mod files;
mod kernels;
mod operands;
mod samples;
