//! Workloads and users' kernels through the compiler and the golden machine.

mod mutants;
mod own_ptx;
mod references;
mod run;
