//! The kernels, one module each: sizes, inputs, host code, CPU reference.

mod bfs;
mod divergence;
mod hotspot;
mod matrixmul;
mod reduction;
mod vectoradd;

use crate::{Checked, Workload};

/// All kernels.
pub(crate) static ALL: &[&dyn Workload] = &[
    &vectoradd::VectorAdd,
    &matrixmul::MatrixMul,
    &hotspot::Hotspot,
    &bfs::Bfs,
    &reduction::Reduction,
    &divergence::Divergence,
];

/// A check in which every element had to be equal bit for bit.
fn exact(words: u64) -> Checked {
    Checked { words, exact: true, bound: None }
}

/// The PTX of a kernel, by its name.
macro_rules! ptx {
    ($name:literal) => {
        (concat!($name, ".ptx"), include_str!(concat!("../../kernels/", $name, "/", $name, ".ptx")))
    };
}
use ptx;

/// `n` as a kernel argument.
///
/// Sizes of workloads are fixed and far below 2^31, so this does not saturate.
fn arg(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
