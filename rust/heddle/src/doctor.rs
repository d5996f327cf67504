//! `heddle doctor`: what runs use, and what `scripts/doctor.sh` finds on the machine.

use std::process::Command;

use verilated_runtime::build::{Compiler, Verilator};

use crate::root::root;
use crate::{Failure, Outcome, print};

/// Prints the Verilator and the compiler that a run takes, then what the script says; fails when something is
/// missing that runs need.
pub fn doctor() -> Outcome {
    let root = root()?;
    print(&format!("heddle {} in {}\n", env!("CARGO_PKG_VERSION"), root.display()))?;
    let verilator = Verilator::locate(&[root.join("build/tools/venv")]);
    match &verilator {
        Ok(verilator) => print(&format!("a run takes Verilator: {}\n", verilator.version()))?,
        Err(e) => print(&format!("a run finds no Verilator: {e}; run `make tools`\n"))?,
    }
    match Compiler::locate() {
        Ok(compiler) => print(&format!("a run takes the C++ compiler: {}\n", compiler.version()))?,
        Err(e) => print(&format!("a run finds no C++ compiler: {e}\n"))?,
    }
    let script = root.join("scripts/doctor.sh");
    let output = Command::new(&script)
        .output()
        .map_err(|e| Failure::failed(format!("cannot run {}: {e}", script.display())))?;
    print(&String::from_utf8_lossy(&output.stdout))?;
    match (output.status.success(), verilator) {
        (true, Ok(_)) => Ok(()),
        (true, Err(_)) => Err(Failure::failed("missing: verilator")),
        (false, _) => Err(Failure::failed(String::from_utf8_lossy(&output.stderr).trim())),
    }
}
