//! `heddle tlp`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Ctas, Engine, RunSpec, TlpChoice, choose_tlp};
use serde_json::{Value, json};

use crate::args::TlpArgs;
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::named;
use crate::settings::warn_of_unread;
use crate::table::Rows;
use crate::{Outcome, complain, ended, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::ranked("design", 1),
    Column::kept("kernel"),
    Column::kept("entry"),
    Column::ranked("size", 2),
    Column::kept("ctas"),
    Column::ranked("cache_ipc", 4).fraction(),
    Column::ranked("ideal_ipc", 5).fraction(),
    Column::ranked("shifting_ipc", 6).fraction(),
    Column::kept("expected_ipc").fraction(),
    Column::ranked("l1_miss_rate", 3).fraction(),
    Column::kept("best"),
];

/// Profiles every kernel with 1, 2, ... CTAs and prints what is expected of each number, by entry.
pub fn tlp(args: &TlpArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let root = root()?;
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    warn_of_unread(&root, &args.design, args.preset.as_deref(), &args.overrides);
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let mut worst: Option<u8> = None;
    let kernels = named("KERNEL", &args.kernel, &args.size)?;
    terminal.batch(kernels.len());
    for kernel in kernels {
        let ctas = Ctas::usual(&kernel);
        let mut spec = RunSpec::new(root.clone(), args.design.as_str(), kernel, Engine::Sim);
        spec.preset.clone_from(&args.preset);
        spec.overrides.clone_from(&args.overrides);
        spec.max_registers = args.max_registers;
        spec.seed = args.seed;
        spec.ctas = ctas;
        let name = format!("{} {}", args.design, spec.kernel_name());
        terminal.next(name.clone());
        match choose_tlp(&spec, &mut terminal) {
            Ok(choices) => choices.iter().for_each(|choice| push(&mut rows, &spec, choice)),
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
    ended(print(&rows.text(args.format)), worst)
}

fn push(rows: &mut Rows, spec: &RunSpec, choice: &TlpChoice) {
    for point in &choice.points {
        let Ok(Value::Object(mut row)) = serde_json::to_value(point) else { continue };
        for (key, value) in [
            ("design", json!(spec.design)),
            ("kernel", json!(spec.kernel_name())),
            ("size", json!(spec.size_name())),
            ("entry", json!(choice.entry)),
            ("best", json!(point.ctas == choice.best)),
        ] {
            row.insert(key.to_owned(), value);
        }
        rows.push(row);
    }
}
