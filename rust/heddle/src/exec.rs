//! `heddle exec`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, ExecOptions, Kernel, RunSpec};
use serde_json::Value;

use crate::args::{ExecArgs, Format};
use crate::column::Column;
use crate::made_by::made_by;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::{equal_writes, kernels};
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("kernel"),
    Column::ranked("size", 3),
    Column::ranked("registers", 5),
    Column::ranked("registers_per_thread", 4),
    Column::ranked("launches", 2),
    Column::kept("warp_instructions"),
    Column::ranked("thread_instructions", 6),
    Column::ranked("compiler", 6),
    Column::ranked("compiler_words_compared", 8),
    Column::ranked("reference_words_compared", 1),
    Column::ranked("warp_instructions_per_second", 7),
    Column::ranked("ok", 1),
];

/// Runs every kernel on the golden machine and prints the results.
pub fn exec(args: &ExecArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.as_parsed && args.kernel.max_registers.is_some() {
        return Err(Failure::usage("--as-parsed runs on virtual registers: --max-registers has no meaning"));
    }
    let root = root()?;
    let options = ExecOptions { as_parsed: args.as_parsed, max_instructions: args.max_instructions };
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let made_by = made_by(&root);
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let mut notes = String::new();
    let mut worst: Option<u8> = None;
    let kernels = kernels(&args.kernel)?;
    terminal.batch(kernels.len());
    for kernel in kernels {
        if let Kernel::Trace(file) = &kernel {
            let what =
                "is a trace, which has no values to execute: give it to `heddle sim` or `heddle cosim`";
            return Err(Failure::usage(format!("{} {what}", file.display())));
        }
        let mut spec = RunSpec::new(root.clone(), &args.design, kernel, Engine::Sim);
        spec.preset.clone_from(&args.preset);
        spec.overrides.clone_from(&args.overrides);
        spec.made_by = made_by.clone();
        spec.seed = args.kernel.seed;
        spec.max_registers = args.kernel.max_registers();
        spec.races = args.kernel.race_rule();
        let name = spec.kernel_name();
        terminal.next(name.clone());
        match heddle_cosim::exec(&spec, options, &mut terminal) {
            Ok(report) => {
                notes.push_str(&equal_writes(&name, report.equal_shared_writes));
                if let Ok(Value::Object(row)) = serde_json::to_value(&report) {
                    rows.push(row);
                }
            }
            Err(error) => {
                terminal.clear();
                complain(&format!("{name}: {error}"));
                worst = worst.max(Some(error.exit_code()));
                if error.ends_all() {
                    break;
                }
            }
        }
    }
    terminal.clear();
    let mut text = rows.text(args.kernel.format);
    if args.kernel.format == Format::Table {
        text.push_str(&notes);
    }
    ended(print(&text), worst)
}
