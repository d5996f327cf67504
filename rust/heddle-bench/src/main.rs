//! `make bench`: speed of functional runs, of their replay, of traces, of the cycle model, of many SMs, of the
//! co-simulation and of the RTL alone.
//!
//! All times are CPU time of the process, all figures of one run of this program. The RTL alone is
//! stepped through the stimulus that the SM gave it, recorded before; the border between Rust and C++
//! belongs to it.
//!
//! A rate that is not reached makes the exit code 1 and is named. Those of a design stand in its manifest, hold for its
//! variants too, are set for size `small` and not checked at another.

mod exec;
mod gpu;
mod memory;
mod rates;
mod replay;
mod targets;
mod trace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use cpu_time::ProcessTime;
use heddle_allocator as _;
use heddle_cosim::{BareRtl, Engine, Kernel, RunError, RunReport, RunSpec, Session};
use heddle_rtl::{BenchTargets, Manifest};
use heddle_workloads::Size;
use targets::{Rates, Targets};

/// Cycles of stimulus that the RTL alone is stepped through.
const STIMULUS_CYCLES: usize = 20_000;

/// What is measured on kernels and traces of its own, with the name by which it is measured alone.
const PARTS: [(&str, Part); 4] =
    [("gpu", gpu::bench), ("exec", exec::bench), ("replay", replay::bench), ("trace", trace::bench)];

type Part = fn(&Path) -> Result<bool, RunError>;

struct Row {
    design: String,
    targets: Option<BenchTargets>,
    kernel: String,
    model: Rate,
    cosim: Rate,
    bare_cycles_per_second: f64,
}

impl Row {
    /// Microseconds a cycle that the co-simulation spends outside the verilated model.
    fn outside(&self) -> f64 {
        1e6 / self.cosim.cycles - 1e6 / self.bare_cycles_per_second
    }
}

#[derive(Clone, Copy)]
struct Rate {
    cycles: f64,
    instructions: f64,
}

/// Measures how fast things run, in CPU time. The exit code is 1 where a rate is not reached.
#[derive(Parser)]
struct Arguments {
    /// Kernels, comma separated; or one of gpu (many SMs), exec (functional runs), replay (of a functional stream, against
    /// runs in full) and trace (traces), which have kernels and sizes of their own and are then measured alone
    #[arg(default_value = "matrixmul,bfs")]
    kernels: String,
    /// Size of the kernels: smoke, small or paper
    #[arg(default_value = "small")]
    size: Size,
    /// Designs, comma separated; all with RTL, their variants and the four above when left out
    designs: Option<String>,
}

fn main() -> ExitCode {
    match bench(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("heddle-bench: a rate was not reached");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("heddle-bench: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// Whether all rates were reached.
fn bench(arguments: &Arguments) -> Result<bool, RunError> {
    let Arguments { kernels, size, designs: wanted } = arguments;
    let root =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().map_err(RunError::usage)?;
    if let Some((name, part)) = PARTS.iter().find(|(name, _)| kernels == name) {
        return match wanted {
            None => part(&root),
            Some(_) => Err(RunError::usage(format!("{name} has designs of its own"))),
        };
    }
    for kernel in kernels.split(',') {
        heddle_workloads::find(kernel).map_err(RunError::usage)?;
    }
    let designs = match wanted {
        None => Manifest::load_all(&root),
        Some(names) => names.split(',').map(|name| Manifest::load(&root, name)).collect(),
    };
    let designs = designs.map_err(RunError::usage)?;
    let mut reached = true;
    if wanted.is_none() {
        for (_, part) in PARTS {
            reached &= part(&root)?;
        }
    }
    let (mut rows, mut measured) = (Vec::new(), true);
    for manifest in designs.iter().filter(|manifest| manifest.has_rtl) {
        let design = manifest.called();
        for kernel in kernels.split(',') {
            eprintln!("bench: {design} {kernel} {size}");
            match measure(&root, &design, kernel, *size) {
                Ok(row) => rows.push(Row { targets: manifest.bench, ..row }),
                Err(error) => {
                    eprintln!("heddle-bench: {design} {kernel}: {error}");
                    measured = false;
                }
            }
        }
    }
    print(&rows);
    let missed = if *size == Size::Small { check(&rows) } else { Vec::new() };
    for line in &missed {
        eprintln!("heddle-bench: {line}");
    }
    Ok(reached && measured && missed.is_empty())
}

/// Prints the targets of the designs and returns what fell short.
fn check(rows: &[Row]) -> Vec<String> {
    let mut missed = Vec::new();
    let mut before = None;
    for row in rows {
        let Some(rates) = row.targets else { continue };
        let targets = Targets { design: &row.design, rates };
        if before.replace(&row.design) != Some(&row.design) {
            println!("{}", targets.text());
        }
        let (model, cosim, outside) = (row.model.cycles, row.cosim.cycles, row.outside());
        missed.extend(targets.missed(&row.kernel, Rates { model, cosim, outside }));
    }
    missed
}

/// Seconds of CPU time of `work`, and its result.
fn timed<T>(work: impl FnOnce() -> Result<T, RunError>) -> Result<(f64, T), RunError> {
    let start = ProcessTime::now();
    let value = work()?;
    Ok((start.elapsed().as_secs_f64(), value))
}

fn rate(seconds: f64, report: &RunReport) -> Rate {
    Rate { cycles: report.cycles as f64 / seconds, instructions: report.warp_instructions as f64 / seconds }
}

fn measure(root: &Path, design: &str, kernel: &str, size: Size) -> Result<Row, RunError> {
    let spec = |engine| {
        let kernel = Kernel::Workload { name: kernel.to_owned(), size };
        RunSpec::new(root.to_owned(), design, kernel, engine)
    };
    let mut sim = Session::new(spec(Engine::Sim))?;
    sim.profile_mappings(&mut ())?;
    let (model_seconds, model) = timed(|| sim.run(&mut ()))?;
    let stimulus = sim.record(STIMULUS_CYCLES)?;
    let mut bare = BareRtl::new(&spec(Engine::Cosim), &mut ())?;
    // Twice: the first one also brings the model's code and data into the caches.
    bare.replay(&stimulus)?;
    let (bare_seconds, _) = timed(|| bare.replay(&stimulus))?;
    let mut session = Session::new(spec(Engine::Cosim))?;
    session.profile_mappings(&mut ())?;
    let (cosim_seconds, cosim) = timed(|| session.run(&mut ()))?;
    Ok(Row {
        design: design.to_owned(),
        targets: None,
        kernel: kernel.to_owned(),
        model: rate(model_seconds, &model),
        cosim: rate(cosim_seconds, &cosim),
        bare_cycles_per_second: stimulus.cycles() as f64 / bare_seconds,
    })
}

fn print(rows: &[Row]) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header([
        "design",
        "kernel",
        "model\nk cycles/s",
        "model\nk warp instr/s",
        "cosim\nk cycles/s",
        "cosim\nk warp instr/s",
        "RTL alone\nk cycles/s",
        "cosim time /\nRTL time",
        "outside the RTL\nµs a cycle",
    ]);
    for row in rows {
        let kilo = |v: f64| format!("{:.0}", v / 1000.0);
        table.add_row([
            row.design.clone(),
            row.kernel.clone(),
            kilo(row.model.cycles),
            kilo(row.model.instructions),
            kilo(row.cosim.cycles),
            kilo(row.cosim.instructions),
            kilo(row.bare_cycles_per_second),
            format!("{:.2}", row.bare_cycles_per_second / row.cosim.cycles),
            format!("{:.2}", row.outside()),
        ]);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
}
