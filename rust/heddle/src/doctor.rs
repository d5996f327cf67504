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
        name: "cargo",
        arguments: &["--version"],
        needed: true,
        purpose: "builds Heddle",
        remedy: "install Rust 1.90 or later from https://rustup.rs",
    },
    Tool {
        name: "rustc",
        arguments: &["--version"],
        needed: true,
        purpose: "builds Heddle",
        remedy: "install Rust 1.90 or later from https://rustup.rs",
    },
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
    Tool {
        name: "nvcc",
        arguments: &["--version"],
        needed: false,
        purpose: "makes PTX of CUDA C++",
        remedy: "`make workloads` fetches it into build/tools/nvcc; see docs/your-kernel.md",
    },
];

/// Prints a line for each tool; fails when one is missing that runs need.
pub fn doctor() -> Outcome {
    let root = root()?;
    print(&format!("heddle {} in {}\n", env!("CARGO_PKG_VERSION"), root.display()))?;
    let mut missing: Vec<&str> = Vec::new();
    match Verilator::locate(&[root.join("build/tools/venv")]) {
        Ok(verilator) => print(&line("ok", "verilator", verilator.version(), "builds the RTL"))?,
        Err(e) => {
            missing.push("verilator");
            print(&line("MISSING", "verilator", &format!("{e}; run `make tools`"), "builds the RTL"))?;
        }
    }
    match Compiler::locate() {
        Ok(compiler) => print(&line("ok", "C++ compiler", compiler.version(), "compiles verilated models"))?,
        Err(e) => {
            missing.push("C++ compiler");
            print(&line(
                "MISSING",
                "C++ compiler",
                &format!("{e}; install g++"),
                "compiles verilated models",
            ))?;
        }
    }
    for tool in TOOLS {
        match version(tool) {
            Some(version) => print(&line("ok", tool.name, &version, tool.purpose))?,
            None => {
                let state = if tool.needed { "MISSING" } else { "absent" };
                if tool.needed {
                    missing.push(tool.name);
                }
                print(&line(state, tool.name, tool.remedy, tool.purpose))?;
            }
        }
    }
    if missing.is_empty() {
        print("everything that runs need is there\n")
    } else {
        Err(Failure::failed(format!("missing: {}", missing.join(", "))))
    }
}

fn line(state: &str, name: &str, what: &str, purpose: &str) -> String {
    format!("{state:8} {name:14} {what} ({purpose})\n")
}

/// The first line with a version number that the tool prints; some print their usage as well.
fn version(tool: &Tool) -> Option<String> {
    let output = Command::new(tool.name).args(tool.arguments).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().map(str::trim).find(|line| has_version(line));
    Some(line.unwrap_or("version not stated").to_owned())
}

/// Whether a line holds a number with a point in it, such as `3.3.104`.
fn has_version(line: &str) -> bool {
    let bytes = line.as_bytes();
    bytes.windows(3).any(|w| w[0].is_ascii_digit() && w[1] == b'.' && w[2].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_version_is_told_from_usage() {
        assert!(has_version("GTKWave Analyzer v3.3.104 (w)1999-2020 BSI"));
        assert!(has_version("cargo 1.90.0 (840b83a10 2025-07-30)"));
        assert!(!has_version("Usage: gtkwave [OPTION]... [DUMPFILE] [SAVEFILE] [RCFILE]"));
        assert!(!has_version(""));
    }
}
