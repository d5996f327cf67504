//! Writes `docs/registers.md`, or with `--check` compares it: registers per thread of the kernels of
//! `rust/workloads`, beside those that ptxas gives them (`scripts/registers.sh`).

mod page;

use std::process::ExitCode;

fn main() -> ExitCode {
    let check = match std::env::args().nth(1).as_deref() {
        None => false,
        Some("--check") => true,
        Some(other) => {
            eprintln!("registers: unknown argument '{other}', expected --check or nothing");
            return ExitCode::from(2);
        }
    };
    let path = page::root().join("docs/registers.md");
    let result = page::rows().and_then(|rows| {
        let text = page::text(&rows);
        if !check {
            return std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()));
        }
        match std::fs::read_to_string(&path) {
            Ok(old) if old == text => Ok(()),
            Ok(_) => Err("docs/registers.md is stale; run scripts/registers.sh".to_owned()),
            Err(e) => Err(format!("cannot read {}: {e}", path.display())),
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("registers: {message}");
            ExitCode::FAILURE
        }
    }
}
