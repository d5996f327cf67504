//! The kernels, one module each: sizes, inputs, host code, CPU reference. Each submits itself to the
//! registry, so its line here is all that stands outside its own files.

mod bfs;
mod bicg;
mod binomialoptions;
mod btree;
mod cutcp;
mod dct8x8;
mod digital;
mod divergence;
mod dxtc;
mod fdtd2d;
mod fft;
mod gaussian;
mod gemm;
mod gramschmidt;
mod groupby;
mod hashjoin;
mod heartwall;
mod histo;
mod histogram;
mod hotspot;
mod kmeans;
mod laplace3d;
mod lavamd;
mod leukocyte;
mod lud;
mod matrixmul;
mod mergesort;
mod mersennetwister;
mod montecarlo;
mod mri_gridding;
mod mummer;
mod mvt;
mod nqueens;
mod nw;
mod pageviewrank;
mod pathfinder;
mod quasirandom;
mod reduction;
mod sad;
mod scalarprod;
mod sgemm;
mod sobolqrng;
mod sortingnetworks;
mod srad;
mod storegpu;
mod streamcluster;
mod syrk;
mod tpacf;
mod vectoradd;
mod walsh;

use crate::inputs::matrix;
use crate::params::arg;

/// The PTX of a kernel, by its name.
macro_rules! ptx {
    ($name:literal) => {
        (concat!($name, ".ptx"), include_str!(concat!("../../kernels/", $name, "/", $name, ".ptx")))
    };
}
use ptx;
