//! `heddle trace`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, Kernel, RunSpec};
use serde_json::{Map, Value, json};

use crate::args::TraceArgs;
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::kernels;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("kernel"),
    Column::ranked("size", 4),
    Column::kept("launches"),
    Column::ranked("ctas", 3),
    Column::kept("warp_instructions"),
    Column::ranked("lines", 2),
    Column::kept("cycles"),
    Column::kept("trace"),
];

/// Runs every kernel with the cycle model and writes what its warps executed; returns the worst exit code.
pub fn trace(args: &TraceArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let kernels = kernels(&args.kernel)?;
    if let Some(Kernel::Trace(file)) = kernels.first() {
        return Err(Failure::usage(format!("{} is a trace already", file.display())));
    }
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let mut worst: Option<u8> = None;
    terminal.batch(kernels.len());
    let several = kernels.len() > 1;
    for kernel in kernels {
        let mut spec = RunSpec::new(root.clone(), args.design.as_str(), kernel, Engine::Sim);
        spec.preset.clone_from(&args.preset);
        spec.overrides.clone_from(&args.overrides);
        spec.max_registers = args.kernel.max_registers();
        spec.seed = args.kernel.seed;
        let name = spec.kernel_name();
        terminal.next(name.clone());
        let folder = if several { args.out.join(&name) } else { args.out.clone() };
        let written = heddle_cosim::write_trace(spec, &folder, args.xz, &mut terminal);
        terminal.clear();
        match written {
            Ok(written) => {
                let report = &written.report;
                let mut row = Map::new();
                let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
                put("design", json!(report.design));
                put("preset", json!(report.preset));
                put("kernel", json!(report.kernel));
                put("size", json!(report.size));
                put("launches", json!(report.launches));
                put("ctas", json!(report.ctas));
                put("warp_instructions", json!(report.warp_instructions));
                put("lines", json!(written.lines));
                put("cycles", json!(report.cycles));
                put("trace", json!(written.list.display().to_string()));
                rows.push(row);
                if written.others > 0 {
                    let list = written.list.display();
                    complain(&format!(
                        "{name}: the folder has traces that this run has not written, {} in all; {list} does not name them",
                        written.others
                    ));
                }
            }
            Err(error) => {
                complain(&format!("{name}: {error}"));
                worst = worst.max(Some(error.exit_code()));
                if error.ends_all() {
                    break;
                }
            }
        }
    }
    ended(print(&rows.text(args.kernel.format)), worst)
}
