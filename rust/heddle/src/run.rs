//! `heddle cosim` and `heddle sim`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, Kernel, RunError, RunReport, RunSpec, Session, TimelineFile};
use heddle_workloads::Size;

use crate::args::{Format, KernelArgs, PerArg, RunArgs, TlpArg};
use crate::batch::{Batch, SETTINGS};
use crate::column::Column;
use crate::input::expect_ptx;
use crate::progress::Terminal;
use crate::settings::{names, several};
use crate::table::Rows;
use crate::{Failure, Outcome, ended, print, sampled};

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
            if args.races.is_some() {
                let what = "is a trace, which has no values that races could change: --races has no meaning";
                return Err(Failure::usage(format!("{} {what}", file.display())));
            }
            return Ok(vec![Kernel::Trace(file.clone())]);
        }
        expect_ptx(file)?;
        let what =
            "needs --launch L.toml (see `heddle launch-template`); traces end in .g, .traceg or .traceg.xz";
        let shipped = file.to_str().and_then(|name| heddle_workloads::find(name).ok());
        let help = shipped.map(|kernel| format!("; the kernel of this name is --kernel {}", kernel.name()));
        return Err(Failure::usage(format!("{} {what}{}", file.display(), help.unwrap_or_default())));
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
    named("--kernel", &args.kernel, &args.size)
}

/// The shipped kernels of the list that `option` gives, names comma separated, or `all` that have the size.
pub fn named(option: &str, list: &str, size: &str) -> Result<Vec<Kernel>, Failure> {
    let size: Size = size.parse().map_err(Failure::usage)?;
    if list == "all" {
        let fitting = heddle_workloads::all().iter().filter(|w| w.sizes().contains(&size));
        return Ok(fitting.map(|w| Kernel::Workload { name: w.name().to_owned(), size }).collect());
    }
    names(option, list)?
        .into_iter()
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
            "--threads is for `sim`: one golden machine checks the SMs of a co-simulation, one after the other",
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
    let batch = Batch::new(args, engine, interrupted)?;
    let mut columns = if args.per == PerArg::Run { COLUMNS } else { PART_COLUMNS }.to_vec();
    if batch.varies() {
        columns.insert(1, SETTINGS);
    }
    if args.kernel.format == Format::Csv {
        columns.push(Column::kept("preset"));
    }
    let mut rows = Rows::new(&columns).whole_in_csv();
    let mut reports: Vec<RunReport> = Vec::new();
    let mut waves: Vec<String> = Vec::new();
    let timeline = timeline(args, engine, batch.runs())?;
    let run = |spec: RunSpec, terminal: &mut Terminal| {
        let list = matches!(spec.kernel, Kernel::Trace(_));
        let mut session = Session::new(with_tlp(spec, args.tlp, terminal)?)?;
        let report = match &timeline {
            Some(file) => session.timeline(terminal, file),
            None => session.run(terminal),
        };
        Ok((report?, list))
    };
    let worst = batch.each(interrupted, run, |_, varied, (report, list)| {
        waves.extend(report.waves.iter().cloned());
        let found = match args.per {
            PerArg::Run => vec![row(&report, list, args.kernel.format == Format::Table)],
            _ => part_rows(&report).collect(),
        };
        for mut row in found {
            row.extend(batch.settings(varied));
            rows.push(row);
        }
        reports.push(report);
    });
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
fn with_tlp(spec: RunSpec, tlp: TlpArg, terminal: &mut Terminal) -> Result<RunSpec, RunError> {
    Ok(match tlp {
        TlpArg::Max => spec,
        TlpArg::Best => {
            let choices = heddle_cosim::choose_tlp(&spec, terminal)?;
            heddle_cosim::with_choices(spec, &choices)
        }
    })
}

/// A line on writes of shared memory that found the value of another warp's write, where there were any.
pub fn equal_writes(name: &str, count: u64) -> String {
    let what = "writes of shared memory found the value that another warp had written";
    let advice = "`--races strict` refuses them";
    if count == 0 { String::new() } else { format!("{name}: {count} {what}; {advice}\n") }
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
        for key in
            ["schema", "engine", "design", "kernel", "size", "preset", "parameters", "seed", "sms", "made_by"]
        {
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
