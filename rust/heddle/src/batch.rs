//! Every kernel on every design with each choice of settings: what `cosim` and `sim` run one after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use heddle_cosim::{
    CheckQueue, Ctas, Engine, Fault, Kernel, Per, PreparedDesign, RtlSms, RunError, RunSpec, WaveFormat,
    WaveWindow,
};
use heddle_manifest::Manifest;
use serde_json::Value;

use crate::args::{CtasArg, Format, PerArg, RunArgs, WavesArg};
use crate::column::Column;
use crate::cores::cores;
use crate::made_by::made_by;
use crate::points::{Point, points};
use crate::progress::Terminal;
use crate::root::root;
use crate::run::kernels;
use crate::settings::{designs, unkernelled, warn_of_unread};
use crate::{Failure, Outcome, complain};

/// In tables and CSV where keys have several values: those of the run.
pub const SETTINGS: Column = Column::kept("settings").text();

/// The runs that the arguments name.
pub struct Batch<'a> {
    args: &'a RunArgs,
    engine: Engine,
    root: PathBuf,
    designs: Vec<&'a str>,
    points: Vec<Point>,
    kernels: Vec<Kernel>,
}

impl<'a> Batch<'a> {
    /// Those of `args`.
    ///
    /// # Errors
    /// Kernels that are not there, more points than run, or a design or setting that no run can have; and an interrupt
    /// while the settings are checked.
    pub fn new(args: &'a RunArgs, engine: Engine, interrupted: &AtomicBool) -> Result<Self, Failure> {
        let designs = designs(&args.design)?;
        let (points, kernels) = (points(&args.overrides)?, kernels(&args.kernel)?);
        let batch = Self { args, engine, root: root()?, designs, points, kernels };
        batch.check(interrupted)?;
        Ok(batch)
    }

    /// Checks the designs and settings of all runs before the first.
    fn check(&self, interrupted: &AtomicBool) -> Outcome {
        let preset = self.args.preset.as_deref();
        for design in &self.designs {
            let manifest = Manifest::load(&self.root, design)
                .map_err(|error| Failure::usage(format!("{design}: {error}")))?;
            for Point { overrides, varied, .. } in &self.points {
                if interrupted.load(Ordering::Relaxed) {
                    return Err(Failure {
                        message: "interrupted before the first run".to_owned(),
                        code: 130,
                    });
                }
                let spec = unkernelled(&self.root, design, preset, overrides, self.engine);
                PreparedDesign::of(&spec, manifest.clone()).map_err(|error| {
                    let name = format!("{design} {varied}");
                    Failure { code: error.exit_code(), message: format!("{}: {error}", name.trim_end()) }
                })?;
            }
        }
        Ok(())
    }

    /// How many there are.
    pub fn runs(&self) -> usize {
        self.designs.len() * self.points.len() * self.kernels.len()
    }

    /// Whether keys have several values.
    pub fn varies(&self) -> bool {
        self.points.len() > 1
    }

    /// What a row says of the settings that vary: JSON has them all.
    pub fn settings(&self, varied: &str) -> Option<(String, Value)> {
        let told = self.varies() && self.args.kernel.format != Format::Json;
        told.then(|| (SETTINGS.key.to_owned(), varied.into()))
    }

    /// Does each with `run` and gives what comes of it to `keep`, with a name and the settings that vary. Says what
    /// failed, ends where going on has no sense, and returns the worst exit code.
    pub fn each<R>(
        &self,
        interrupted: &Arc<AtomicBool>,
        run: impl Fn(RunSpec, &mut Terminal) -> Result<R, RunError>,
        mut keep: impl FnMut(&str, &str, R),
    ) -> Option<u8> {
        let mut terminal = Terminal::new(self.args.kernel.quiet, Arc::clone(interrupted));
        let made_by = made_by(&self.root);
        let mut worst: Option<u8> = None;
        terminal.batch(self.runs());
        let all =
            self.designs.iter().flat_map(|design| self.points.iter().map(move |point| (*design, point)));
        for (design, point) in all {
            if self.points.first() == Some(point) {
                warn_of_unread(&self.root, design, self.args.preset.as_deref(), &point.overrides);
            }
            for kernel in self.kernels.iter().cloned() {
                let mut spec = spec(&self.root, design, kernel, self.args, self.engine);
                spec.overrides.clone_from(&point.overrides);
                if self.varies() {
                    spec.results.push(point.folder());
                }
                spec.made_by = made_by.clone();
                let name = format!("{design} {} {}", spec.kernel_name(), point.varied).trim_end().to_owned();
                terminal.next(name.clone());
                let outcome = run(spec, &mut terminal);
                terminal.clear();
                match outcome {
                    Ok(report) => keep(&name, &point.varied, report),
                    Err(error) => {
                        complain(&format!("{name}: {error}"));
                        worst = worst.max(Some(error.exit_code()));
                        if error.ends_all() {
                            return worst;
                        }
                    }
                }
            }
        }
        worst
    }
}

/// What a run is of.
fn spec(root: &Path, design: &str, kernel: Kernel, args: &RunArgs, engine: Engine) -> RunSpec {
    let ctas = match args.ctas {
        Some(CtasArg::All) => Ctas::All,
        Some(CtasArg::Share) => Ctas::Share,
        None => Ctas::usual(&kernel),
    };
    let mut spec = RunSpec::new(PathBuf::from(root), design, kernel, engine);
    spec.preset.clone_from(&args.preset);
    spec.overrides.clone_from(&args.overrides);
    spec.max_registers = args.kernel.max_registers();
    spec.seed = args.kernel.seed;
    spec.max_cycles = args.max_cycles;
    spec.ctas = ctas;
    spec.sms = args.sms;
    spec.threads = args.threads.map_or_else(cores, usize::from);
    let usual = || if cores() > 1 { CheckQueue::USUAL_CYCLES } else { 0 };
    spec.check_queue = CheckQueue::new(args.check_queue.map_or_else(usual, |cycles| cycles as usize));
    spec.races = args.kernel.race_rule();
    spec.per = match args.per {
        PerArg::Run => Per::Run,
        PerArg::Launch => Per::Launch,
        PerArg::Entry => Per::Entry,
    };
    spec.waves = args.waves.map(|format| WaveWindow {
        format: match format {
            WavesArg::Vcd => WaveFormat::Vcd,
            WavesArg::Fst => WaveFormat::Fst,
        },
        from: args.waves_from,
        cycles: args.waves_cycles,
    });
    spec.rtl_sms = args.rtl_sm.clone().unwrap_or(RtlSms::All);
    spec.fault = args.fault.clone().map(|id| Fault { id, sm: args.fault_sm });
    spec.results.clone_from(&args.results);
    spec
}
