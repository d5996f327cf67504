//! What the tests of the program share.

use std::path::PathBuf;

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
    #[allow(dead_code, reason = "not every test file has runs that pass")]
    pub fn passes(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.line);
        self
    }

    /// Asserts exit code 0, and that standard error holds every one of `parts`.
    #[allow(dead_code, reason = "not every test file has runs that warn")]
    pub fn warns(self, parts: &[&str]) -> Self {
        self.fails(0, parts)
    }

    /// Asserts the exit code, and that standard error holds every one of `parts`.
    #[allow(dead_code, reason = "not every test file has runs that fail")]
    pub fn fails(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}:\n{}", self.line, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "{}: no '{part}' in:\n{}", self.line, self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}:\n{}", self.line, self.stderr);
        self
    }

    /// The lines of standard output as JSON objects.
    #[allow(dead_code, reason = "not every test file reads JSON")]
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
#[allow(dead_code, reason = "not every test file looks at widths")]
pub fn heddle_at(columns: usize, arguments: &[&str]) -> Ran {
    heddle_in(&[("COLUMNS", &columns.to_string())], arguments)
}

/// As [`heddle`], with these environment variables.
#[allow(dead_code, reason = "not every test file sets any")]
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
#[allow(dead_code, reason = "not every test file writes files")]
pub fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("temporary folders have UTF-8 names")
}
