//! `heddle cosim` and `heddle sim`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{
    Ctas, Engine, Fault, Kernel, RunError, RunReport, RunSpec, Session, WaveFormat, WaveWindow,
};
use heddle_workloads::Size;

use crate::args::{CtasArg, Format, KernelArgs, RunArgs, TlpArg, WavesArg};
use crate::input::expect_ptx;
use crate::progress::Terminal;
use crate::root::root;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, print};

/// Columns of the table and of CSV.
pub const COLUMNS: &[&str] = &[
    "design",
    "kernel",
    "size",
    "cycles",
    "warp_instructions",
    "ipc",
    "register_cache_hit_rate",
    "prefetches",
    "operands_compared",
    "controls_compared",
    "memory_words_compared",
    "reference_words_compared",
    "mismatches",
    "ok",
];

/// The kernels that the arguments name.
pub fn kernels(args: &KernelArgs) -> Result<Vec<Kernel>, Failure> {
    if let (Some(ptx), Some(launch)) = (&args.file, &args.launch) {
        expect_ptx(ptx)?;
        return Ok(vec![Kernel::File { ptx: ptx.clone(), launch: launch.clone() }]);
    }
    if let Some(file) = &args.file {
        if heddle_trace::is_trace(file) {
            if args.max_registers.is_some() {
                let what = "is a trace, whose registers are allocated: --max-registers has no meaning";
                return Err(Failure::usage(format!("{} {what}", file.display())));
            }
            return Ok(vec![Kernel::Trace(file.clone())]);
        }
        expect_ptx(file)?;
        let what =
            "needs --launch L.toml (see `heddle launch-template`); traces end in .g, .traceg or .traceg.xz";
        return Err(Failure::usage(format!("{} {what}", file.display())));
    }
    if !args.input.is_empty() {
        let workload = heddle_workloads::find(args.kernel.trim()).map_err(Failure::usage)?;
        let kernel = Kernel::Input { name: workload.name().to_owned(), files: args.input.clone() };
        return Ok(vec![kernel]);
    }
    let size: Size = args.size.parse().map_err(Failure::usage)?;
    if args.kernel == "all" {
        let fitting = heddle_workloads::all().iter().filter(|w| w.sizes().contains(&size));
        return Ok(fitting.map(|w| Kernel::Workload { name: w.name().to_owned(), size }).collect());
    }
    args.kernel
        .split(',')
        .map(|name| {
            let workload = heddle_workloads::find(name.trim()).map_err(Failure::usage)?;
            Ok(Kernel::Workload { name: workload.name().to_owned(), size })
        })
        .collect()
}

/// Runs every kernel on every design, prints the results and returns the worst exit code.
pub fn run(args: &RunArgs, engine: Engine, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.waves.is_some() && engine == Engine::Sim {
        return Err(Failure::usage("--waves needs the RTL: use `heddle cosim`"));
    }
    let root = root()?;
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let mut rows = Rows::new(COLUMNS);
    let mut waves: Vec<String> = Vec::new();
    let mut first_failure: Option<Failure> = None;
    let keep = |failure: Failure, first: &mut Option<Failure>| {
        if first.as_ref().is_none_or(|f| f.code < failure.code) {
            *first = Some(Failure { message: String::new(), code: failure.code });
        }
        complain(&failure.message);
    };
    'all: for design in args.design.split(',').map(str::trim) {
        for kernel in kernels(&args.kernel)? {
            let list = matches!(kernel, Kernel::Trace(_));
            let spec = spec(&root, design, kernel, args, engine);
            let name = format!("{design} {}", spec.kernel_name());
            terminal.name(name.clone());
            let outcome = with_tlp(spec, args.tlp, &mut terminal)
                .and_then(Session::new)
                .and_then(|mut session| session.run(&mut terminal));
            terminal.clear();
            match outcome {
                Ok(report) => {
                    waves.extend(report.waves.iter().cloned());
                    rows.push(row(&report, list && args.kernel.format == Format::Table));
                }
                Err(error) => {
                    let stop = matches!(error, RunError::Usage { .. } | RunError::Interrupted { .. });
                    let code = error.exit_code();
                    keep(Failure { message: format!("{name}: {error}"), code }, &mut first_failure);
                    if stop {
                        break 'all;
                    }
                }
            }
        }
    }
    print(&rows.text(args.kernel.format));
    if args.kernel.format == Format::Table {
        for file in &waves {
            print(&format!("waves: {file}\n"));
        }
        if !waves.is_empty() {
            print(
                "open with `gtkwave FILE.gtkw` or `surfer -c FILE.sucl` in that folder; see docs/waves.md\n",
            );
        }
    }
    first_failure.map_or(Ok(()), Err)
}

/// The run with as many CTAs at once as were asked for.
fn with_tlp(mut spec: RunSpec, tlp: TlpArg, terminal: &mut Terminal) -> Result<RunSpec, RunError> {
    if tlp == TlpArg::Best {
        let choice = heddle_cosim::choose_tlp(&spec, terminal)?;
        spec.overrides.push(choice.setting());
    }
    Ok(spec)
}

/// One SM's share of the CTAs in size `paper`, else all.
pub fn default_ctas(kernel: &Kernel) -> Ctas {
    match kernel {
        Kernel::Workload { size: Size::Paper, .. } => Ctas::Share,
        _ => Ctas::All,
    }
}

fn spec(root: &Path, design: &str, kernel: Kernel, args: &RunArgs, engine: Engine) -> RunSpec {
    let ctas = match args.ctas {
        Some(CtasArg::All) => Ctas::All,
        Some(CtasArg::Share) => Ctas::Share,
        None => default_ctas(&kernel),
    };
    let mut spec = RunSpec::new(PathBuf::from(root), design, kernel, engine);
    spec.preset.clone_from(&args.preset);
    spec.overrides.clone_from(&args.overrides);
    spec.max_registers = args.kernel.max_registers();
    spec.seed = args.kernel.seed;
    spec.max_cycles = args.max_cycles;
    spec.ctas = ctas;
    spec.waves = args.waves.map(|format| WaveWindow {
        format: match format {
            WavesArg::Vcd => WaveFormat::Vcd,
            WavesArg::Fst => WaveFormat::Fst,
        },
        from: args.waves_from,
        cycles: args.waves_cycles,
    });
    spec.fault = args.fault.clone().map(|id| Fault { id });
    spec.results.clone_from(&args.results);
    spec
}

/// A row of the results. That of a list of traces says in the table how many kernels it sums; JSON has
/// `launches`.
fn row(report: &RunReport, list: bool) -> serde_json::Map<String, serde_json::Value> {
    let mut row = match serde_json::to_value(report) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    if list && report.launches > 1 {
        let kernels = format!("{}\n{} kernels", report.kernel, report.launches);
        row.insert("kernel".to_owned(), kernels.into());
    }
    row
}
