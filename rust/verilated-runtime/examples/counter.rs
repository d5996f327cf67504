//! Verilates the counter of the tests, lets it count, writes a waveform of some cycles, and shows how a failing
//! assertion comes back. Needs Verilator 5.006 or later and a C++ compiler.
//!
//! ```text
//! cargo run --example counter
//! ```

use std::error::Error;
use std::path::Path;

use verilated_runtime::build::{ModelBuild, Shim, Verilator};
use verilated_runtime::{Library, Options};

fn main() -> Result<(), Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counter");
    let shim = Shim::new("counter_shim.cpp", std::fs::read_to_string(sources.join("counter_shim.cpp"))?);
    let out = std::env::temp_dir().join("verilated-runtime-example");
    let model = ModelBuild::new("counter", shim)
        .directory(&sources)
        .source(sources.join("counter.sv"))
        .parameter("Limit", 7)
        .build(&Verilator::locate(&[])?, &out, &mut |stage| println!("{stage}"))?;

    // Inputs are reset, enable and which failure is asked for; outputs the count and a register without reset.
    let mut counter = Library::open(&model.library)?.instance(&Options { seed: 1, ..Options::default() })?;
    let (mut outputs, mut wide) = ([0; 2], [0; 4]);
    counter.cycle(&[0, 0, 0], &[0; 4], &mut outputs, &mut wide)?;
    counter.trace_open(&out.join("counter.vcd"))?;
    for _ in 0..3 {
        counter.cycle(&[1, 1, 0], &[0; 4], &mut outputs, &mut wide)?;
        println!("cycle {}: count {}", counter.cycles(), outputs[0]);
    }
    counter.trace_close()?;
    println!("waveform: {}", out.join("counter.vcd").display());

    // A failing assertion does not end the process.
    match counter.cycle(&[1, 1, 1], &[0; 4], &mut outputs, &mut wide) {
        Err(error) => println!("as asked for, the model fails: {error}"),
        Ok(()) => println!("the model did not fail"),
    }
    Ok(())
}
