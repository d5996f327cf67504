//! Prints the PTX of the kernel of a seed: `cargo run -p heddle-kernelgen --example emit -- 7`.

use std::process::ExitCode;

use heddle_kernelgen::{GenOptions, generate};

fn main() -> ExitCode {
    let seed = std::env::args().nth(1).and_then(|s| s.parse().ok());
    let Some(seed) = seed else {
        eprintln!("usage: emit SEED");
        return ExitCode::from(2);
    };
    print!("{}", generate(seed, &GenOptions::varied(seed)).ptx());
    ExitCode::SUCCESS
}
