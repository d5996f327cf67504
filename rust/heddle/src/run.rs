//! `heddle cosim` and `heddle sim`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{
    CheckQueue, Ctas, Engine, Fault, Kernel, Per, RtlSms, RunError, RunReport, RunSpec, Session,
    TimelineFile, WaveFormat, WaveWindow,
};
use heddle_workloads::Size;

use crate::args::{CtasArg, Format, KernelArgs, PerArg, RunArgs, TlpArg, WavesArg};
use crate::column::Column;
use crate::cores::cores;
use crate::input::expect_ptx;
use crate::made_by::made_by;
use crate::points::points;
use crate::progress::Terminal;
use crate::root::root;
use crate::settings::{several, warn_of_unread};
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print, sampled};

/// Columns of the table; CSV has `preset` too.
pub const COLUMNS: &[Column] = &[
    Column::kept("design"),
    Column::kept("kernel"),
    Column::ranked("size", 4),
    Column::kept("cycles"),
    Column::ranked("warp_instructions", 3),
    Column::ranked("ipc", 1).fraction(),
    Column::ranked("register_cache_hit_rate", 2).fraction().optional(),
    Column::ranked("prefetches", 3).optional(),
    Column::ranked("shared_cache_hit_rate", 2).fraction().optional(),
    Column::ranked("shared_fetches", 3).optional(),
    Column::ranked("shared_write_backs", 3).optional(),
    Column::ranked("operands_compared", 5),
    Column::ranked("controls_compared", 7),
    Column::ranked("memory_words_compared", 8),
    Column::ranked("reference_words_compared", 9),
    Column::ranked("mismatches", 10),
    Column::ranked("ok", 6),
];

/// Columns of the table of launches or entries.
const PART_COLUMNS: &[Column] = &[
    Column::kept("design"),
    Column::kept("kernel"),
    Column::ranked("size", 6),
    Column::kept("launch").optional(),
    Column::kept("entry"),
    Column::ranked("launches", 5),
    Column::ranked("ctas", 4),
    Column::kept("cycles"),
    Column::ranked("warp_instructions", 3),
    Column::ranked("ipc", 1).fraction(),
    Column::ranked("occupancy", 2).fraction(),
    Column::ranked("resident_ctas", 7),
    Column::ranked("residency_limit", 7),
    Column::ranked("register_cache_hit_rate", 4).fraction().optional(),
];

/// In tables and CSV where keys have several values: those of the run.
pub const SETTINGS: Column = Column::kept("settings").text();

/// The kernels that the arguments name.
pub fn kernels(args: &KernelArgs) -> Result<Vec<Kernel>, Failure> {
    if let (Some(ptx), Some(launch)) = (&args.file, &args.launch) {
        [ptx].into_iter().chain(&args.link).try_for_each(|file| expect_ptx(file))?;
        let (ptx, link, launch) = (ptx.clone(), args.link.clone(), launch.clone());
        return Ok(vec![Kernel::File { ptx, link, launch }]);
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
        let name = args.kernel.trim();
        if name == "all" || name.contains(',') {
            let what = "--input takes one kernel, named with --kernel; not";
            return Err(Failure::usage(format!("{what} '{name}'")));
        }
        let workload = heddle_workloads::find(name).map_err(Failure::usage)?;
        let kernel = Kernel::Input { name: workload.name().to_owned(), files: args.input.clone() };
        return Ok(vec![kernel]);
    }
    named(&args.kernel, &args.size)
}

/// The shipped kernels of a list of names, comma separated, or `all` that have the size.
pub fn named(names: &str, size: &str) -> Result<Vec<Kernel>, Failure> {
    let size: Size = size.parse().map_err(Failure::usage)?;
    if names == "all" {
        let fitting = heddle_workloads::all().iter().filter(|w| w.sizes().contains(&size));
        return Ok(fitting.map(|w| Kernel::Workload { name: w.name().to_owned(), size }).collect());
    }
    let mut seen = BTreeSet::new();
    let names = names.split(',').map(str::trim).filter(|name| seen.insert(*name));
    names
        .map(|name| {
            let workload = heddle_workloads::find(name).map_err(Failure::usage)?;
            Ok(Kernel::Workload { name: workload.name().to_owned(), size })
        })
        .collect()
}

/// Runs every kernel on every design, prints the results and returns the worst exit code.
pub fn run(args: &RunArgs, engine: Engine, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.waves.is_some() && engine == Engine::Sim {
        return Err(Failure::usage("--waves needs the RTL: use `heddle cosim`"));
    }
    if args.rtl_sm.is_some() && engine == Engine::Sim {
        return Err(Failure::usage(
            "--rtl-sm says which SMs are RTL, which `sim` does not run: use `heddle cosim`",
        ));
    }
    if args.threads.is_some() && engine == Engine::Cosim {
        return Err(Failure::usage(
            "--threads is for `sim`: one golden machine checks a co-simulation, on one thread",
        ));
    }
    if args.check_queue.is_some() && engine == Engine::Sim {
        return Err(Failure::usage("--check-queue is for what `sim` does not check: use `heddle cosim`"));
    }
    if args.fault.is_some() && engine == Engine::Sim {
        return Err(Failure::usage("--fault switches on a bug planted into the RTL: use `heddle cosim`"));
    }
    if args.kernel.races.is_some() && engine == Engine::Sim {
        return Err(Failure::usage(
            "--races judges values, which the cycle model has none of: use `heddle cosim`",
        ));
    }
    if let Some(plan) = args.sample {
        return sampled::run(args, engine, plan, interrupted);
    }
    let root = root()?;
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let made_by = made_by(&root);
    let mut columns = if args.per == PerArg::Run { COLUMNS } else { PART_COLUMNS }.to_vec();
    if args.kernel.format == Format::Csv {
        columns.push(Column::kept("preset"));
    }
    let mut rows = Rows::new(&columns).whole_in_csv();
    let mut reports: Vec<RunReport> = Vec::new();
    let mut waves: Vec<String> = Vec::new();
    let mut worst: Option<u8> = None;
    let kernels = kernels(&args.kernel)?;
    let designs: Vec<&str> = args.design.split(',').map(str::trim).collect();
    let points = points(&args.overrides);
    let timeline = timeline(args, engine, kernels.len() * designs.len() * points.len())?;
    if points.len() > 1 {
        rows = Rows::new(&[&columns[..1], &[SETTINGS], &columns[1..]].concat()).whole_in_csv();
    }
    terminal.batch(designs.len() * points.len() * kernels.len());
    'all: for (design, point) in designs.iter().flat_map(|design| points.iter().map(move |p| (*design, p))) {
        if points.first() == Some(point) {
            warn_of_unread(&root, design, args.preset.as_deref(), &point.overrides);
        }
        for kernel in kernels.iter().cloned() {
            let list = matches!(kernel, Kernel::Trace(_));
            let mut spec = spec(&root, design, kernel, args, engine);
            spec.overrides.clone_from(&point.overrides);
            spec.made_by = made_by.clone();
            let name = format!("{design} {} {}", spec.kernel_name(), point.varied).trim_end().to_owned();
            terminal.next(name.clone());
            let outcome =
                with_tlp(spec, args.tlp, &mut terminal).and_then(Session::new).and_then(|mut session| {
                    match &timeline {
                        Some(file) => session.timeline(&mut terminal, file),
                        None => session.run(&mut terminal),
                    }
                });
            terminal.clear();
            match outcome {
                Ok(report) => {
                    waves.extend(report.waves.iter().cloned());
                    let found = match args.per {
                        PerArg::Run => vec![row(&report, list, args.kernel.format == Format::Table)],
                        _ => part_rows(&report).collect(),
                    };
                    for mut row in found {
                        if points.len() > 1 && args.kernel.format != Format::Json {
                            row.insert(SETTINGS.key.to_owned(), point.varied.clone().into());
                        }
                        rows.push(row);
                    }
                    reports.push(report);
                }
                Err(error) => {
                    let stop = matches!(error, RunError::Usage { .. } | RunError::Interrupted { .. });
                    complain(&format!("{name}: {error}"));
                    worst = worst.max(Some(error.exit_code()));
                    if stop {
                        break 'all;
                    }
                }
            }
        }
    }
    let mut text = rows.text(args.kernel.format);
    if args.kernel.format == Format::Table {
        for report in &reports {
            let name = format!("{} {}", report.design, report.kernel);
            text.push_str(&equal_writes(&name, report.equal_shared_writes.unwrap_or(0)));
        }
        text.push_str(&several(&reports));
        if let (Some(file), [report]) = (&timeline, &reports[..]) {
            let (path, shown) = (file.path.display(), file.from.saturating_add(file.cycles));
            let cut = if shown < report.cycles {
                format!(", up to cycle {shown} of {}", report.cycles)
            } else {
                String::new()
            };
            text.push_str(&format!("timeline: {path}{cut}; open it in Perfetto, see docs/timeline.md\n"));
        }
        for file in &waves {
            text.push_str(&format!("waves: {file}\n"));
        }
        if !waves.is_empty() {
            text.push_str(
                "open with `gtkwave FILE.gtkw` or `surfer -c FILE.sucl` in that folder; see docs/waves.md\n",
            );
        }
    }
    ended(print(&text), worst)
}

/// The timeline that is asked for, of the one of `runs` runs.
fn timeline(args: &RunArgs, engine: Engine, runs: usize) -> Result<Option<TimelineFile>, Failure> {
    let Some(path) = &args.timeline else { return Ok(None) };
    if engine != Engine::Sim {
        let what =
            "--timeline is made by the cycle model, whose every cycle is that of the RTL: use `heddle sim`";
        return Err(Failure::usage(what));
    }
    if runs != 1 {
        return Err(Failure::usage(format!("--timeline is of one run; these are {runs}")));
    }
    let (from, cycles) = (args.timeline_from, args.timeline_cycles);
    Ok(Some(TimelineFile { path: path.clone(), from, cycles }))
}

/// The run with as many CTAs at once as were asked for.
fn with_tlp(mut spec: RunSpec, tlp: TlpArg, terminal: &mut Terminal) -> Result<RunSpec, RunError> {
    if tlp == TlpArg::Best {
        let choice = heddle_cosim::choose_tlp(&spec, terminal)?;
        spec.overrides.push(choice.setting());
    }
    Ok(spec)
}

/// A line on writes of shared memory that found the value of another warp's write, where there were any.
pub fn equal_writes(name: &str, count: u64) -> String {
    let what = "writes of shared memory found the value that another warp had written";
    let advice = "`--races strict` refuses them";
    if count == 0 { String::new() } else { format!("{name}: {count} {what}; {advice}\n") }
}

pub fn spec(root: &Path, design: &str, kernel: Kernel, args: &RunArgs, engine: Engine) -> RunSpec {
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

/// A row of the results; a table does not show prefetches that never were. That of a list of traces says in the table how many kernels it sums; JSON has
/// `launches`.
fn row(report: &RunReport, list: bool, table: bool) -> serde_json::Map<String, serde_json::Value> {
    let mut row = object(report);
    if table && report.prefetches == 0 {
        row.remove("prefetches");
    }
    if table && list && report.launches > 1 {
        let kernels = format!("{}\n{} kernels", report.kernel, report.launches);
        row.insert("kernel".to_owned(), kernels.into());
    }
    row
}

/// A row for each part of a run, with what says which run it is.
fn part_rows(report: &RunReport) -> impl Iterator<Item = serde_json::Map<String, serde_json::Value>> + '_ {
    let whole = object(report);
    report.parts.iter().map(move |part| {
        let mut row = object(part);
        for key in ["schema", "engine", "design", "kernel", "size", "preset", "seed", "made_by"] {
            row.extend(whole.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        row
    })
}

pub fn object(value: &impl serde::Serialize) -> serde_json::Map<String, serde_json::Value> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    }
}
