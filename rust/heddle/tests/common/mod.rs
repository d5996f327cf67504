//! What the tests of the program share.

use std::path::PathBuf;
use std::process::{Child, Command};

/// How a run of the program ended.
pub struct Ran {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The command line, for messages.
    line: String,
}

impl Ran {
    /// Asserts exit code 0 and an empty standard error.
    pub fn passes(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.line);
        self
    }

    /// Asserts exit code 0, and that standard error holds every one of `parts`.
    pub fn warns(self, parts: &[&str]) -> Self {
        self.fails(0, parts)
    }

    /// Asserts the exit code, and that standard error holds every one of `parts`.
    pub fn fails(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}:\n{}", self.line, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "{}: no '{part}' in:\n{}", self.line, self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}:\n{}", self.line, self.stderr);
        self
    }

    /// The lines of standard output as JSON objects.
    pub fn json(&self) -> Vec<serde_json::Value> {
        let parse = |line| {
            serde_json::from_str(line).unwrap_or_else(|e| panic!("{}: {e}: not JSON: {line}", self.line))
        };
        self.stdout.lines().map(parse).collect()
    }
}

/// Runs the program with `arguments` in the folder `tests/cases`; what a co-simulation writes goes below the
/// build folder unless `arguments` say where.
pub fn heddle(arguments: &[&str]) -> Ran {
    heddle_in(&[], arguments)
}

/// As [`heddle`], for a terminal of `columns` columns.
pub fn heddle_at(columns: usize, arguments: &[&str]) -> Ran {
    heddle_in(&[("COLUMNS", &columns.to_string())], arguments)
}

/// As [`heddle`], with these environment variables.
pub fn heddle_in(environment: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let mut results = vec!["--results", concat!(env!("CARGO_TARGET_TMPDIR"), "/results")];
    if arguments.first() != Some(&"cosim") || arguments.contains(&"--results") {
        results.clear();
    }
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_heddle"))
        .current_dir(cases())
        .env_remove("COLUMNS")
        .envs(environment.iter().copied())
        .args(arguments)
        .args(results)
        .output()
        .expect("the program starts");
    Ran {
        code: output.status.code().expect("the program is not ended by a signal"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        line: format!("heddle {}", arguments.join(" ")),
    }
}

/// The folder with PTX and launch files of these tests.
pub fn cases() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// A path as an argument.
pub fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("temporary folders have UTF-8 names")
}

/// Waits until a run of the program takes Ctrl-C.
pub fn until_it_listens(child: &mut Child) {
    let status = format!("/proc/{}/status", child.id());
    // Bit 1 of the signals that are caught is that of Ctrl-C.
    let listens = || {
        let status = std::fs::read_to_string(&status).expect("the program runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("its signals");
        u64::from_str_radix(caught.trim(), 16).expect("a number") >> 1 & 1 != 0
    };
    while !listens() {
        assert!(child.try_wait().expect("a child").is_none(), "the program ended");
    }
}

/// Sends Ctrl-C to a run of the program.
pub fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill").success());
}
