//! Runs the bench on a design: `portbench DESIGN [SEED [CYCLES [BANK_CYCLES [WAVES.vcd]]]]`.
//!
//! With `MODEL=none` in the environment only values and waits are checked; `ELABORATION` names another
//! elaboration than the default.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use heddle_port::{PortConfig, RegisterFile};
use heddle_portbench::{BenchConfig, run, run_alone};
use heddle_rtl::{Manifest, build, build_with_waves};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let design = arguments.first().ok_or("which design?")?;
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |a| a.parse());
    let (seed, cycles) = (number(1, 1)?, number(2, 20_000)?);

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let manifest = Manifest::load(&root, design)?;
    let elaboration = manifest.elaboration(std::env::var("ELABORATION").ok().as_deref())?;
    let waves = arguments.get(4);
    let build = if waves.is_some() { build_with_waves } else { build };
    let library = build(&root, &manifest, elaboration, &mut |stage| println!("{stage}"))?;
    let mut rtl = library.instance(seed)?;
    let rows = rtl.made_with().parameters.get("rows_per_bank");
    let port = PortConfig {
        bank_cycles: u8::try_from(number(3, 1)?)?,
        crossbar_cycles: 4,
        active_warps: u8::try_from(manifest.override_number("scheduler.active_warps").unwrap_or(8))?,
        registers_per_interval: 16,
        rows_per_bank: u16::try_from(rows.unwrap_or(128))?,
        write_cycles: 1,
        shift_cycles: 1,
        preshift: true,
        wakeup_cycles: 4,
        ways: u8::try_from(rtl.made_with().parameters.get("ways").unwrap_or(4))?,
        fair: std::env::var("FAIR").is_ok(),
        cache_size_log2: 3,
        reads_to_unlock: 1,
        hit_latency: 28,
        own: rtl.made_with().design_words(),
    };
    if let Some(waves) = waves {
        rtl.trace_open(Path::new(waves))?;
    }
    let config = BenchConfig::new(&manifest, rtl.made_with(), port);
    let start = Instant::now();
    let result = if std::env::var("MODEL").is_ok_and(|m| m == "none") {
        run_alone(&config, &mut rtl, seed, cycles)
    } else {
        let mut model: Box<dyn RegisterFile + Send> = heddle_designs::create(design, rtl.made_with())?;
        run(&config, &mut rtl, &mut *model, seed, cycles)
    };
    rtl.trace_close()?;
    let summary = result?;
    let rate = summary.cycles as f64 / start.elapsed().as_secs_f64();
    println!("{summary}; {rate:.0} cycles a second");
    Ok(())
}
