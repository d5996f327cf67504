//! `heddle doctor`: tools found, versions, what is missing and how to get it.

use std::process::Command;

use verilated_runtime::build::{Compiler, Verilator};

use crate::root::root;
use crate::{Failure, Outcome, print};

/// What a tool is needed for.
struct Tool {
    name: &'static str,
    arguments: &'static [&'static str],
    needed: bool,
    purpose: &'static str,
    remedy: &'static str,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "python3",
        arguments: &["--version"],
        needed: true,
        purpose: "fetches the pinned tools",
        remedy: "install Python 3.9 or later with its venv module",
    },
    Tool {
        name: "make",
        arguments: &["--version"],
        needed: true,
        purpose: "front door",
        remedy: "install GNU make",
    },
    Tool {
        name: "gtkwave",
        arguments: &["--version"],
        needed: false,
        purpose: "opens waves with the .gtkw view",
        remedy: "install the package gtkwave",
    },
    Tool {
        name: "surfer",
        arguments: &["--version"],
        needed: false,
        purpose: "opens waves with the .sucl view",
        remedy: "`cargo install surfer`, or use gtkwave",
    },
];

/// Prints a line for each tool; fails when one is missing that runs need.
pub fn doctor() -> Outcome {
    let root = root()?;
    print(&format!("heddle {} in {}\n", env!("CARGO_PKG_VERSION"), root.display()));
    let mut missing: Vec<&str> = Vec::new();
    match Verilator::locate(&[root.join("build/tools/venv")]) {
        Ok(verilator) => print(&line("ok", "verilator", verilator.version(), "builds the RTL")),
        Err(e) => {
            missing.push("verilator");
            print(&line("MISSING", "verilator", &format!("{e}; run `make tools`"), "builds the RTL"));
        }
    }
    match Compiler::locate() {
        Ok(compiler) => print(&line("ok", "C++ compiler", compiler.version(), "compiles verilated models")),
        Err(e) => {
            missing.push("C++ compiler");
            print(&line(
                "MISSING",
                "C++ compiler",
                &format!("{e}; install g++"),
                "compiles verilated models",
            ));
        }
    }
    for tool in TOOLS {
        match version(tool) {
            Some(version) => print(&line("ok", tool.name, &version, tool.purpose)),
            None => {
                let state = if tool.needed { "MISSING" } else { "absent" };
                if tool.needed {
                    missing.push(tool.name);
                }
                print(&line(state, tool.name, tool.remedy, tool.purpose));
            }
        }
    }
    if missing.is_empty() {
        print("everything that runs need is there\n");
        Ok(())
    } else {
        Err(Failure::failed(format!("missing: {}", missing.join(", "))))
    }
}

fn line(state: &str, name: &str, what: &str, purpose: &str) -> String {
    format!("{state:8} {name:14} {what} ({purpose})\n")
}

/// First line that the tool prints of its version.
fn version(tool: &Tool) -> Option<String> {
    let output = Command::new(tool.name).args(tool.arguments).output().ok()?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let first = String::from_utf8_lossy(&text).lines().next()?.trim().to_owned();
    (output.status.success() && !first.is_empty()).then_some(first)
}
