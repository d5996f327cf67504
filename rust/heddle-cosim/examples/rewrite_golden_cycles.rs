//! Writes the golden cycles and events of designs, all where none is named:
//! `rewrite_golden_cycles [DESIGN...]`. Only for a change of cycles or events that is meant.

#[path = "../tests/golden_cycles/measure.rs"]
mod measure;
#[path = "../tests/golden_cycles/record.rs"]
mod record;

use std::fs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use measure::{designs, file, for_each, measure};
use record::Record;

/// Writes one design's file and prints what changed in it.
fn rewrite(design: &str) -> Result<(), String> {
    let measured = measure(design, |_| true).map_err(|e| e.to_string())?;
    let path = file(design);
    let old = fs::read_to_string(&path).map_err(|e| e.to_string()).and_then(|text| Record::parse(&text));
    fs::write(&path, measured.text()).map_err(|e| format!("{}: {e}", path.display()))?;
    match old.map(|old| old.differences(&measured)) {
        Ok(changed) => {
            let lines: String = changed.iter().map(|line| format!("\n  {line}")).collect();
            println!("{design}: {} differences{lines}", changed.len());
        }
        Err(error) => println!("{design}: written new, as there was none: {error}"),
    }
    Ok(())
}

fn main() -> ExitCode {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let failed = AtomicBool::new(false);
    for_each(if named.is_empty() { designs() } else { named }.as_slice(), |design| {
        if let Err(error) = rewrite(design) {
            eprintln!("{design}: {error}");
            failed.store(true, Ordering::Relaxed);
        }
    });
    if failed.into_inner() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
