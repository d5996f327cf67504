//! Speed of functional runs: the golden machine alone, all its checks on.

use std::path::Path;

use heddle_cosim::{Engine, ExecOptions, Kernel, RunError, RunSpec};
use heddle_workloads::Size;

use crate::rates::rates;

/// Kernels, with the warp instructions per CPU second that are to be reached where a number is set.
const KERNELS: [(&str, Option<f64>); 4] =
    [("matrixmul", Some(10e6)), ("bfs", Some(3e6)), ("hotspot", None), ("reduction", None)];

/// Measures every kernel, prints a table, and says whether all rates were reached.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let size = Size::Small;
    let run = |name: &str| {
        let kernel = Kernel::Workload { name: name.to_owned(), size };
        // The design of a functional run does not matter.
        let spec = RunSpec::new(root.to_owned(), "baseline", kernel, Engine::Sim);
        let report = heddle_cosim::exec(&spec, ExecOptions::default(), &mut ())?;
        Ok((report.warp_instructions, report.warp_instructions_per_second))
    };
    let told = format!("functional runs (`heddle exec`), size {size}, their execution alone");
    rates(["kernel", "exec\nM warp instr/s"], &KERNELS, run, &told)
}
