//! Speed of traces on the cycle model.

use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use heddle_cosim::{Engine, Kernel, RunError, RunSpec, Session};
use heddle_fidelity::{Folder, all, chosen};

use crate::timed;

/// Micro-traces, with the warp instructions per CPU second that are to be reached where a number is set.
const TRACES: [(&str, Option<f64>); 2] = [("ffma_ind_w64", Some(2e6)), ("program_sgemm", None)];
const DESIGN: &str = "baseline";
const PRESET: &str = "volta";
/// Runs of a trace; the fastest counts.
const RUNS: usize = 5;

/// Measures all traces, prints them, and says whether all rates were reached.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let folder = Folder::new(None).map_err(RunError::usage)?;
    let traces = all();
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(["trace", "warp instr", "M warp instr/s", "to reach\nM warp instr/s", "reached"]);
    let mega = |rate: f64| format!("{:.2}", rate / 1e6);
    let mut reached = true;
    for (name, target) in TRACES {
        eprintln!("bench: {DESIGN} trace {name}");
        let list = chosen(&traces, name).and_then(|chosen| chosen[0].write(folder.path()));
        let work = Kernel::Trace(list.map_err(RunError::usage)?);
        let spec = RunSpec {
            preset: Some(PRESET.to_owned()),
            ..RunSpec::new(root.to_owned(), DESIGN, work, Engine::Sim)
        };
        let (mut instructions, mut best) = (0, 0.0f64);
        for _ in 0..RUNS {
            let mut session = Session::new(spec.clone())?;
            let (seconds, report) = timed(|| session.run(&mut ()))?;
            instructions = report.warp_instructions;
            best = best.max(instructions as f64 / seconds);
        }
        let missed = target.is_some_and(|target| best < target);
        reached &= !missed;
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
        "traces of `heddle fidelity` on {DESIGN}, {PRESET}, read and run; per CPU second, the best of {RUNS} runs"
    );
    Ok(reached)
}
