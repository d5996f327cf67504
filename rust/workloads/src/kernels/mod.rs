//! The kernels, one module each: sizes, inputs, host code, CPU reference. Each submits itself to the
//! registry, so its line here is all that stands outside its own files.

mod bfs;
mod bicg;
mod digital;
mod divergence;
mod fdtd2d;
mod gaussian;
mod gemm;
mod gramschmidt;
mod histogram;
mod hotspot;
mod laplace3d;
mod lud;
mod matrixmul;
mod mersennetwister;
mod mvt;
mod nw;
mod pathfinder;
mod quasirandom;
mod reduction;
mod sobolqrng;
mod sortingnetworks;
mod syrk;
mod vectoradd;
mod walsh;

use crate::inputs::matrix;
use crate::params::arg;
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
    &histogram::Histogram,
    &sortingnetworks::SortingNetworks,
    &quasirandom::Quasirandom,
    &sobolqrng::SobolQrng,
    &mersennetwister::MersenneTwister,
];

/// A check in which every element had to be equal bit for bit.
fn exact(words: u64) -> Checked {
    Checked { words, exact: true, bound: None }
}

/// The PTX of a kernel, by its name.
macro_rules! ptx {
    ($name:literal) => {
        (
            concat!($name, ".ptx"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kernels/", $name, "/", $name, ".ptx")),
        )
    };
}
use ptx;
