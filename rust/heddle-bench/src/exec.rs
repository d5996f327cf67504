//! Speed of functional runs: the golden machine alone, all its checks on.

use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use heddle_cosim::{Engine, ExecOptions, Kernel, RunError, RunSpec};
use heddle_workloads::Size;

/// Kernels, with the warp instructions per CPU second that are to be reached where a number is set.
const KERNELS: [(&str, Option<f64>); 4] =
    [("matrixmul", Some(10e6)), ("bfs", Some(3e6)), ("hotspot", None), ("reduction", None)];

/// Runs of a kernel; the fastest counts, for the first one also fills the caches.
const RUNS: usize = 5;

/// Measures every kernel, prints a table, and says whether all rates were reached.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let size = Size::Small;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(["kernel", "warp instr", "exec\nM warp instr/s", "to reach\nM warp instr/s", "reached"]);
    let mega = |rate: f64| format!("{:.1}", rate / 1e6);
    let mut all = true;
    for (name, target) in KERNELS {
        eprintln!("bench: exec {name} {size}");
        let kernel = Kernel::Workload { name: name.to_owned(), size };
        // The design of a functional run does not matter.
        let spec = RunSpec::new(root.to_owned(), "baseline", kernel, Engine::Sim);
        let mut instructions = 0;
        let mut best = 0.0f64;
        for _ in 0..RUNS {
            let report = heddle_cosim::exec(&spec, ExecOptions::default(), &mut ())?;
            instructions = report.warp_instructions;
            best = best.max(report.warp_instructions_per_second);
        }
        let missed = target.is_some_and(|target| best < target);
        all &= !missed;
        table.add_row([
            name.to_owned(),
            instructions.to_string(),
            mega(best),
            target.map_or("-".to_owned(), mega),
            target.map_or("-", |_| if missed { "NO" } else { "yes" }).to_owned(),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!(
        "functional runs (`heddle exec`), size {size}; per CPU second of execution, the best of {RUNS} runs"
    );
    Ok(all)
}
