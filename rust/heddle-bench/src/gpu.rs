//! Speed of the cycle models of many SMs that share a memory, with full grids.

use std::path::Path;
use std::time::Instant;

use comfy_table::{CellAlignment, Table, presets};
use heddle_cosim::{Engine, Kernel, RunError, RunSpec, Session};
use heddle_workloads::Size;

use crate::memory::Peak;
use crate::timed;

const KERNELS: [&str; 2] = ["sgemm", "vectoradd"];
const DESIGN: &str = "baseline";
const PRESET: &str = "volta";
const SMS: [u32; 3] = [1, 16, 80];
/// Cycles of all SMs together, in a run and in the one that is taken off it: so what comes before the first cycle does not count.
const SM_CYCLES: [u64; 2] = [400_000, 1_600_000];
/// What many SMs are to reach of the rate of one, on one core.
const OF_ONE: f64 = 0.7;
/// What two threads are to reach of the speed of one, by the wall clock.
const OF_TWO_THREADS: f64 = 1.7;
/// Bytes that the largest run may take.
const MEMORY: u64 = 1_000_000_000;

/// What a run of some cycles took.
#[derive(Debug, Clone, Copy)]
struct Took {
    cpu: f64,
    wall: f64,
    bytes: Option<u64>,
}

/// Measures all kernels, prints them, and says whether all rates were reached.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header([
        "kernel",
        "SMs",
        "threads",
        "µs of CPU\nan SM-cycle",
        "rate a core\nby one SM's",
        "wall, one thread\nby this",
        "peak\nMB",
    ]);
    let mut missed = Vec::new();
    let mut untold = false;
    for kernel in KERNELS {
        let mut one_sm = f64::NAN;
        for sms in SMS {
            let mut one_thread = f64::NAN;
            for threads in [1, 2].into_iter().filter(|&threads| threads <= cores.min(sms as usize)) {
                eprintln!("bench: {DESIGN} {kernel} paper, {sms} SMs on {threads} threads");
                let took = measure(root, kernel, sms, threads)?;
                if sms == 1 {
                    one_sm = took.cpu;
                }
                if threads == 1 {
                    one_thread = took.wall;
                }
                let (rate, faster) = (one_sm / took.cpu, one_thread / took.wall);
                let row = format!("{kernel}, {sms} SMs, {threads} threads");
                if !(rate >= OF_ONE || threads > 1) {
                    missed.push(format!("{row}: {rate:.2} of one SM's rate, {OF_ONE} to reach"));
                }
                if !(faster >= OF_TWO_THREADS || threads == 1) {
                    missed
                        .push(format!("{row}: {faster:.2} times as fast as one, {OF_TWO_THREADS} to reach"));
                }
                if took.bytes.is_some_and(|bytes| bytes > MEMORY) {
                    missed.push(format!("{row}: more than {} MB", MEMORY / 1_000_000));
                }
                untold |= took.bytes.is_none();
                table.add_row([
                    kernel.to_owned(),
                    sms.to_string(),
                    threads.to_string(),
                    format!("{:.2}", 1e6 * took.cpu),
                    format!("{rate:.2}"),
                    format!("{faster:.2}"),
                    took.bytes.map_or("-".to_owned(), |bytes| (bytes / 1_000_000).to_string()),
                ]);
            }
        }
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    println!(
        "{DESIGN} on {PRESET}, size paper, the whole grid; SM-cycles {} to {}, in which every SM has warps. To reach: {OF_ONE} \
         of one SM's rate on one thread, {OF_TWO_THREADS} times the speed on two threads of two idle cores, {} MB at most",
        SM_CYCLES[0],
        SM_CYCLES[1],
        MEMORY / 1_000_000
    );
    if cores == 1 {
        eprintln!("heddle-bench: one core: the speed of two threads is not measured");
    }
    if untold {
        eprintln!("heddle-bench: the system does not say how much memory a run takes: that is not measured");
    }
    for line in &missed {
        eprintln!("heddle-bench: {line}");
    }
    Ok(missed.is_empty())
}

/// Seconds of a cycle of one SM, and the most bytes that the process had.
fn measure(root: &Path, kernel: &str, sms: u32, threads: usize) -> Result<Took, RunError> {
    let peak = Peak::begin();
    let until = |cycles| until(root, kernel, (sms, threads), cycles / u64::from(sms));
    // The system gives the process its memory in the first run, which is not counted.
    until(SM_CYCLES[0])?;
    let (short, long) = (until(SM_CYCLES[0])?, until(SM_CYCLES[1])?);
    let sm_cycles = (SM_CYCLES[1] - SM_CYCLES[0]) as f64;
    let cpu = (long.cpu - short.cpu) / sm_cycles;
    Ok(Took { cpu, wall: (long.wall - short.wall) / sm_cycles, bytes: peak.bytes() })
}

/// Runs the first `cycles` cycles.
fn until(root: &Path, kernel: &str, (sms, threads): (u32, usize), cycles: u64) -> Result<Took, RunError> {
    let work = Kernel::Workload { name: kernel.to_owned(), size: Size::Paper };
    let spec = RunSpec {
        preset: Some(PRESET.to_owned()),
        sms,
        threads,
        max_cycles: Some(cycles),
        ..RunSpec::new(root.to_owned(), DESIGN, work, Engine::Sim)
    };
    let start = Instant::now();
    let (cpu, ended) = timed(|| match Session::new(spec)?.run(&mut ()) {
        Err(RunError::OutOfCycles { .. }) => Ok(false),
        Err(error) => Err(error),
        Ok(_) => Ok(true),
    })?;
    if ended {
        return Err(RunError::usage(format!("{kernel} on {sms} SMs ended before cycle {cycles}")));
    }
    Ok(Took { cpu, wall: start.elapsed().as_secs_f64(), bytes: None })
}
