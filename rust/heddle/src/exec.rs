//! `heddle exec`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, ExecOptions, Kernel, RunSpec};
use serde_json::Value;

use crate::args::ExecArgs;
use crate::made_by::made_by;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::kernels;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print};

/// Columns of the table and of CSV.
const COLUMNS: &[&str] = &[
    "kernel",
    "size",
    "registers",
    "registers_per_thread",
    "launches",
    "warp_instructions",
    "thread_instructions",
    "reference_words_compared",
    "warp_instructions_per_second",
    "ok",
];

/// Runs every kernel on the golden machine and prints the results.
pub fn exec(args: &ExecArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let options = ExecOptions { as_parsed: args.as_parsed, max_instructions: args.max_instructions };
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let made_by = made_by(&root);
    let mut rows = Rows::new(COLUMNS);
    let mut worst: Option<u8> = None;
    for kernel in kernels(&args.kernel)? {
        if let Kernel::Trace(file) = &kernel {
            let what =
                "is a trace, which has no values to execute: give it to `heddle sim` or `heddle cosim`";
            return Err(Failure::usage(format!("{} {what}", file.display())));
        }
        let mut spec = RunSpec::new(root.clone(), "baseline", kernel, Engine::Sim);
        spec.made_by = made_by.clone();
        spec.seed = args.kernel.seed;
        spec.max_registers = args.kernel.max_registers();
        let name = spec.kernel_name();
        terminal.name(name.clone());
        match heddle_cosim::exec(&spec, options, &mut terminal) {
            Ok(report) => {
                if let Ok(Value::Object(row)) = serde_json::to_value(&report) {
                    rows.push(row);
                }
            }
            Err(error) => {
                terminal.clear();
                complain(&format!("{name}: {error}"));
                worst = worst.max(Some(error.exit_code()));
            }
        }
    }
    terminal.clear();
    ended(print(&rows.text(args.kernel.format)), worst)
}
