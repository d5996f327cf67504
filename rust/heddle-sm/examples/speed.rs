//! Simulated cycles per second of the SM with a design's cycle model.
//!
//! `cargo run --release -p heddle-sm --example speed -- [workload] [design] [size] [every-nth] [bank-cycles]`

#[path = "../tests/workloads/simulate.rs"]
mod simulate;

use std::time::Instant;

use heddle_sm::CtaChoice;
use heddle_workloads::Size;

use simulate::{Failure, Job, simulate};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |n: usize, default: &'static str| arguments.get(n).map_or(default, String::as_str);
    let every: u64 = argument(3, "1").parse()?;
    let job = Job {
        workload: argument(0, "matrixmul"),
        size: argument(2, "small").parse::<Size>()?,
        design: argument(1, "baseline"),
        max_registers: 255,
        ctas: if every == 1 { CtaChoice::All } else { CtaChoice::EveryNth { n: every, first: 0 } },
        stretch: 0,
    };
    let mut preset = heddle_config::load("maxwell")?;
    preset.register_file.bank_cycles = argument(4, "1").parse()?;
    let start = Instant::now();
    let total = simulate(&job, &preset)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} on {}: {} cycles, {} warp instructions (IPC {:.2}) in {seconds:.3} s: {:.0} cycles/s, {:.0} \
         instructions/s",
        job.workload,
        job.design,
        total.cycles,
        total.warp_instructions,
        total.warp_instructions as f64 / total.cycles as f64,
        total.cycles as f64 / seconds,
        total.warp_instructions as f64 / seconds,
    );
    println!("{:#?}", total.last);
    Ok(())
}
