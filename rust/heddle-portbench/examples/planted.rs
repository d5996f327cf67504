//! Runs the bench on every planted bug of a design: `planted DESIGN [CYCLES [SEEDS [ID]]]`.
//!
//! A bug is found if the bench reports a failure. One that was never active, or was active and not
//! found, makes the program end with exit code 1.

use std::error::Error;
use std::path::Path;

use heddle_port::PortConfig;
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let design = arguments.first().ok_or("which design?")?;
    let number = |at: usize, default: u64| arguments.get(at).map_or(Ok(default), |a| a.parse());
    let (cycles, seeds) = (number(1, 20_000)?, number(2, 3)?);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let manifest = Manifest::load(&root, design)?;
    let elaboration = manifest.elaboration(None)?;
    let library = planted::build(&root, &manifest, elaboration, &mut |stage| println!("{stage}"))?;
    let rows = manifest.instance(elaboration)?.parameters.get("rows_per_bank");
    let active = u8::try_from(manifest.override_number("scheduler.active_warps").unwrap_or(8))?;
    let mut missed = 0;
    let clean = std::iter::once(None);
    let bugs = library.bugs().iter().map(Some);
    for bug in clean.chain(bugs) {
        let id = bug.map(|b| b.id.as_str());
        if id.is_some() && arguments.get(3).is_some_and(|only| Some(only.as_str()) != id) {
            continue;
        }
        let (mut activations, mut found) = (0, None);
        for seed in 1..=seeds {
            let mut rtl = library.instance(seed, id)?;
            let port = PortConfig {
                bank_cycles: u8::try_from(seed)?,
                crossbar_cycles: 4,
                active_warps: active,
                registers_per_interval: 16,
                rows_per_bank: u16::try_from(rows.unwrap_or(128))?,
                write_cycles: u8::try_from(seed)?,
                shift_cycles: 1,
                preshift: seed % 2 == 1,
                wakeup_cycles: u8::try_from(seed)?,
                ways: 4,
                fair: seed % 2 == 0,
                cache_size_log2: u8::try_from(seed % 4)?,
                reads_to_unlock: 1,
                hit_latency: 28,
                own: rtl.made_with().design_words(),
            };
            let config = BenchConfig { patience: 3000, ..BenchConfig::new(&manifest, rtl.made_with(), port) };
            let mut model = heddle_designs::create(design, rtl.made_with())?;
            let result = run(&config, &mut rtl, &mut *model, seed, cycles);
            activations += rtl.activations()?;
            if let Err(failure) = result {
                found = Some(failure);
                break;
            }
        }
        let name = id.unwrap_or("(no bug)");
        match (bug, &found) {
            (None, None) => println!("{name:28} passes"),
            (Some(_), Some(f)) => {
                println!("{name:28} found, active {activations}: cycle {}, {}", f.cycle, f.kind);
            }
            (None, Some(f)) => {
                missed += 1;
                println!("{name:28} FAILS: {f}");
            }
            (Some(_), None) => {
                missed += 1;
                println!("{name:28} NOT FOUND, active {activations}");
            }
        }
    }
    if missed > 0 {
        return Err(format!("{missed} bugs were not found").into());
    }
    Ok(())
}
