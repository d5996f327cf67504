//! What to build, and how.

use std::path::PathBuf;

/// C++ that turns the generated model into an instance; see `verilated_model.h`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shim {
    pub(super) name: String,
    pub(super) text: String,
}

impl Shim {
    /// A shim with a file name (for the compiler's messages) and its text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// Whether waveforms are compiled in. Verilator writes one format per build.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trace {
    /// No waveforms.
    None,
    /// Value change dump; costs about 2 % of the speed while it is off.
    #[default]
    Vcd,
}

/// Whether the model counts what its runs cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coverage {
    /// It does not.
    #[default]
    None,
    /// Lines, branches, both edges of every bit of signals of at most 1,023 bits, and labelled `cover` statements.
    Counted,
}

/// How many cycles a model is built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Use {
    /// Many: the code is optimised for speed.
    #[default]
    LongRuns,
    /// Few: a build in less time counts more than the speed.
    ShortRuns,
}

/// Which warnings of Verilator are errors; a waiver file can except single ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lint {
    /// None of those about style or likely slips: for sources that a program has changed.
    Off,
    /// Those that Verilator has on by default.
    #[default]
    Default,
    /// `-Wall`.
    All,
}

#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) text: Option<String>,
}

/// What to build, and how.
#[derive(Debug, Clone)]
pub struct ModelBuild {
    pub(super) top: String,
    pub(super) shim: Shim,
    pub(super) directory: Option<PathBuf>,
    pub(super) sources: Vec<Source>,
    pub(super) include_dirs: Vec<PathBuf>,
    pub(super) includes: Vec<PathBuf>,
    pub(super) waivers: Vec<PathBuf>,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) defines: Vec<(String, String)>,
    pub(super) trace: Trace,
    pub(super) coverage: Coverage,
    pub(super) lint: Lint,
    pub(super) use_for: Use,
    pub(super) allowed: Vec<String>,
    pub(super) jobs: usize,
    pub(super) most_bytes: Option<u64>,
}

impl ModelBuild {
    /// A build of the top module `top` with VCD waveforms and two compiler jobs.
    #[must_use]
    pub fn new(top: impl Into<String>, shim: Shim) -> Self {
        Self {
            top: top.into(),
            shim,
            directory: None,
            sources: Vec::new(),
            include_dirs: Vec::new(),
            includes: Vec::new(),
            waivers: Vec::new(),
            parameters: Vec::new(),
            defines: Vec::new(),
            trace: Trace::default(),
            coverage: Coverage::default(),
            lint: Lint::default(),
            use_for: Use::default(),
            allowed: Vec::new(),
            jobs: 2,
            most_bytes: None,
        }
    }

    /// Runs Verilator in `directory`; sources below it appear with their path from there in all
    /// messages, and moving the folder as a whole keeps the model's hash.
    #[must_use]
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Adds a SystemVerilog file; the order matters to packages.
    #[must_use]
    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(Source { path: path.into(), text: None });
        self
    }

    /// Adds a SystemVerilog file whose text is given here; `path` is what messages call it.
    #[must_use]
    pub fn source_text(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.sources.push(Source { path: path.into(), text: Some(text.into()) });
        self
    }

    /// Adds a folder of include files.
    #[must_use]
    pub fn include_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(path.into());
        self
    }

    /// Adds one file to be included, found by its folder; of the folder nothing else counts for the model's hash.
    #[must_use]
    pub fn include(mut self, path: impl Into<PathBuf>) -> Self {
        self.includes.push(path.into());
        self
    }

    /// Adds a file of lint waivers (`.vlt`).
    #[must_use]
    pub fn waiver(mut self, path: impl Into<PathBuf>) -> Self {
        self.waivers.push(path.into());
        self
    }

    /// Sets a parameter of the top module.
    #[must_use]
    pub fn parameter(mut self, name: impl Into<String>, value: impl ToString) -> Self {
        self.parameters.push((name.into(), value.to_string()));
        self
    }

    /// Defines a macro.
    #[must_use]
    pub fn define(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.defines.push((name.into(), value.into()));
        self
    }

    /// Chooses the waveforms.
    #[must_use]
    pub fn trace(mut self, trace: Trace) -> Self {
        self.trace = trace;
        self
    }

    /// Whether the model writes waveforms.
    #[must_use]
    pub fn has_waves(&self) -> bool {
        self.trace != Trace::None
    }

    /// Chooses whether the model counts what its runs cover.
    #[must_use]
    pub fn coverage(mut self, coverage: Coverage) -> Self {
        self.coverage = coverage;
        self
    }

    /// Chooses the warnings that are errors.
    #[must_use]
    pub fn lint(mut self, lint: Lint) -> Self {
        self.lint = lint;
        self
    }

    /// Says how many cycles the model will run.
    #[must_use]
    pub fn use_for(mut self, use_for: Use) -> Self {
        self.use_for = use_for;
        self
    }

    /// Switches one rule off everywhere, by Verilator's name for it.
    #[must_use]
    pub fn allow(mut self, rule: impl Into<String>) -> Self {
        self.allowed.push(rule.into());
        self
    }

    /// Compiler processes that run at a time (2 by default).
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.jobs = jobs;
        self
    }

    /// After a build, removes models from the output folder that no process uses, the longest unused ones first,
    /// until their libraries have at most `bytes` together.
    #[must_use]
    pub fn most_bytes(mut self, bytes: u64) -> Self {
        self.most_bytes = Some(bytes);
        self
    }
}
