//! `heddle latency`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::Engine;
use serde_json::{Value, json};

use crate::args::LatencyArgs;
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::settings::{designs, usable};
use crate::table::Rows;
use crate::{Outcome, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("design"),
    Column::kept("path"),
    Column::kept("cycles"),
    Column::ranked("issue", 8),
    Column::ranked("unit", 9),
    Column::ranked("first_level", 2),
    Column::ranked("interconnect", 3),
    Column::ranked("l2", 1),
    Column::ranked("translation", 5),
    Column::ranked("dram", 4),
    Column::ranked("fill", 6),
    Column::ranked("write_back", 7),
];

/// Chases pointers along every path of each design, follows a chain of dependent instructions through each unit, and
/// prints the latencies hop by hop.
pub fn latency(args: &LatencyArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let designs = designs(&args.design)?;
    for design in &designs {
        usable(&root, design, args.preset.as_deref(), &args.overrides, Engine::Sim)?;
    }
    terminal.batch(designs.len());
    for design in designs {
        terminal.next(design.to_owned());
        let preset = args.preset.as_deref();
        let measured = heddle_cosim::latencies(&root, design, preset, &args.overrides, &mut terminal);
        let arithmetic =
            heddle_cosim::arithmetic_latencies(&root, design, preset, &args.overrides, &mut terminal);
        terminal.clear();
        let loads = measured?.into_iter().map(serde_json::to_value);
        let units = arithmetic?.into_iter().map(serde_json::to_value);
        for latency in loads.chain(units) {
            if let Ok(Value::Object(mut row)) = latency {
                row.insert("design".to_owned(), json!(design));
                for column in COLUMNS {
                    row.entry(column.key).or_insert(Value::Null);
                }
                rows.push(row);
            }
        }
    }
    print(&rows.text(args.format))
}
