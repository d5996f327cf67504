//! A table of rates, each with the one that is to be reached where a number is set.

use comfy_table::{CellAlignment, Table, presets};
use heddle_cosim::RunError;

/// Runs of each; the fastest counts, for the first one also fills the caches.
pub const RUNS: usize = 5;

/// Measures each of `named` with `run`, which gives the warp instructions of a run and those of a CPU second, prints a table
/// that ends with `told`, and says whether all rates were reached.
pub fn rates(
    [kind, rate]: [&str; 2],
    named: &[(&str, Option<f64>)],
    mut run: impl FnMut(&str) -> Result<(u64, f64), RunError>,
    told: &str,
) -> Result<bool, RunError> {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header([kind, "warp instr", rate, "to reach\nM warp instr/s", "reached"]);
    let mega = |rate: f64| format!("{:.2}", rate / 1e6);
    let mut all = true;
    for (name, target) in named {
        eprintln!("bench: {name}, {told}");
        let (mut instructions, mut best) = (0, 0.0f64);
        for _ in 0..RUNS {
            let (ran, rate) = run(name)?;
            instructions = ran;
            best = best.max(rate);
        }
        let missed = target.is_some_and(|target| best < target);
        all &= !missed;
        table.add_row([
            (*name).to_owned(),
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
    println!("{told}; per CPU second, the best of {RUNS} runs");
    Ok(all)
}
