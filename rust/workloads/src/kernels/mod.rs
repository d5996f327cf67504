//! The kernels, one module each: sizes, inputs, host code, CPU reference.

mod bfs;
mod bicg;
mod divergence;
mod fdtd2d;
mod gaussian;
mod gemm;
mod gramschmidt;
mod hotspot;
mod laplace3d;
mod lud;
mod matrixmul;
mod mvt;
mod nw;
mod pathfinder;
mod reduction;
mod syrk;
mod vectoradd;
mod walsh;

use crate::random::SplitMix64;
use crate::{Checked, Workload};

/// All kernels.
pub(crate) static ALL: &[&dyn Workload] = &[
    &vectoradd::VectorAdd,
    &matrixmul::MatrixMul,
    &hotspot::Hotspot,
    &bfs::Bfs,
    &reduction::Reduction,
    &divergence::Divergence,
    &bicg::Bicg,
    &fdtd2d::Fdtd2d,
    &gemm::Gemm,
    &gramschmidt::GramSchmidt,
    &mvt::Mvt,
    &syrk::Syrk,
    &pathfinder::Pathfinder,
    &gaussian::Gaussian,
    &laplace3d::Laplace3d,
    &lud::Lud,
    &nw::NeedlemanWunsch,
    &walsh::Walsh,
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

/// `elements` floats in -1 .. 1.
fn matrix(random: &mut SplitMix64, elements: usize) -> Vec<f32> {
    (0..elements).map(|_| random.f32_in(-1.0, 1.0)).collect()
}

/// `n` as a kernel argument.
///
/// Sizes of workloads are fixed and far below 2^31, so this does not saturate.
fn arg(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
