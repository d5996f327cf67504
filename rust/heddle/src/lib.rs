//! The command line of Heddle: it parses, calls, and prints.
//!
//! [`program`] is the whole program. A program that has more models than the repository is one that links them and calls
//! [`with_outside_designs`]. Who links this library has its allocator too, `heddle-allocator`, and no other.

use heddle_allocator as _;

mod args;
mod bank_time;
mod batch;
mod binary;
mod check_design;
mod claims;
mod column;
mod compare;
mod compile;
mod cores;
mod coverage;
mod dictionary;
mod doctor;
mod energy;
mod estimate;
mod exec;
mod fidelity;
mod git;
mod input;
mod keys;
mod latency;
mod layout;
mod list;
mod list_presets;
mod made_by;
mod manual;
mod mapping;
mod mean;
mod mean_key;
mod measure;
mod message;
mod mutate;
mod new_design;
mod outside;
mod points;
mod progress;
mod record;
mod report;
mod result_lines;
mod root;
mod run;
mod sampled;
mod settings;
mod sweep;
mod sweep_progress;
mod table;
mod technology_names;
mod tlp;
mod tolerable;
mod trace;
mod variants;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Parser;

use crate::args::{Cli, Command};
use crate::message::complain;

/// How a command ended: `Ok` is exit code 0.
type Outcome = Result<(), Failure>;

/// A message for standard error and the exit code.
struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    fn usage(error: impl std::fmt::Display) -> Self {
        Self { message: error.to_string(), code: 2 }
    }

    fn failed(error: impl std::fmt::Display) -> Self {
        Self { message: error.to_string(), code: 1 }
    }

    /// The same of a command that was interrupted, where it was: what is told to end says that it failed.
    fn interrupted_by(self, interrupted: &AtomicBool) -> Self {
        if self.code == 130 || !interrupted.load(Ordering::Relaxed) {
            return self;
        }
        Self { message: format!("interrupted; {}", self.message), code: 130 }
    }
}

impl From<heddle_cosim::RunError> for Failure {
    fn from(error: heddle_cosim::RunError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// Runs the program with the arguments of this process. With `--design-path` it is the program with the models of
/// these folders that runs.
#[must_use]
pub fn program() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) if cli.design_path.is_empty() => run_command(cli),
        Ok(cli) => exit(once(&cli).and_then(|()| outside::run(&cli))),
        Err(told) => answer(&told),
    }
}

/// Runs the program with the arguments of this process; the models of the folders that `--design-path` names are
/// there, and so are the folders' designs in the tree that `HEDDLE_ROOT` names.
#[must_use]
pub fn with_outside_designs() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => run_command(cli),
        Err(told) => answer(&told),
    }
}

/// Refuses a key that `--set` gives twice.
fn once(cli: &Cli) -> Outcome {
    settings::each_once("--set", cli.command.overrides())
}

fn run_command(cli: Cli) -> ExitCode {
    if let Err(failure) = once(&cli) {
        return exit(Err(failure));
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    // Without a handler Ctrl-C ends the process at once, which is right where nobody looks at the flag.
    if cli.command.can_be_interrupted() {
        let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    }
    let outcome = match cli.command {
        Command::Cosim(args) => run::run(&args, heddle_cosim::Engine::Cosim, &interrupted),
        Command::Sim(args) => run::run(&args, heddle_cosim::Engine::Sim, &interrupted),
        Command::Energy(args) => energy::run(&args),
        Command::Sweep(args) => sweep::run(&args, &interrupted),
        Command::Claims(args) => claims::claims(&args, &interrupted),
        Command::Report(args) => report::run(&args),
        Command::Exec(args) => exec::exec(&args, &interrupted),
        Command::Tlp(args) => tlp::tlp(&args, &interrupted),
        Command::Tolerable(args) => tolerable::tolerable(&args, &interrupted),
        Command::BankTime(args) => bank_time::bank_time(&args, &interrupted),
        Command::Record(args) => record::record(&args, &interrupted),
        Command::Replay(args) => record::replay(&args, &interrupted),
        Command::Trace(args) => trace::trace(&args, &interrupted),
        Command::Fidelity(args) => fidelity::fidelity(&args, &interrupted),
        Command::Mutate(args) => mutate::mutate(&args, &interrupted),
        Command::Coverage(args) => coverage::coverage(&args, &interrupted),
        Command::Latency(args) => latency::latency(&args, &interrupted),
        Command::Compile(args) => compile::compile(&args, &interrupted),
        Command::List(args) => list::list(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::LaunchTemplate(args) => compile::launch_template(&args),
        Command::CheckDesign(args) => check_design::check_design(&args),
        Command::NewDesign(args) => new_design::new_design(&args),
        Command::Doctor => doctor::doctor(),
        Command::Completions(args) => manual::completions(&args),
        Command::Man(args) => manual::man(&args),
    };
    exit(outcome)
}

fn exit(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { message, code }) => {
            if !message.is_empty() {
                complain(&message);
            }
            ExitCode::from(code)
        }
    }
}

/// Prints what the parser of the command line has to say: help and version to standard output, wrong use to
/// standard error.
fn answer(told: &clap::Error) -> ExitCode {
    use std::io::Write as _;
    let printed = told.print();
    if told.use_stderr() {
        return ExitCode::from(2);
    }
    exit(written(printed.and_then(|()| std::io::stdout().flush())))
}

/// Prints to standard output; a reader that went away (`| head`) is no failure, a full disk is.
fn print(text: &str) -> Outcome {
    use std::io::Write as _;
    let mut output = std::io::stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// How a command ends whose output was written so.
fn written(result: std::io::Result<()>) -> Outcome {
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// How a command ends whose results were printed, and of whose runs, which have been complained about, the worst
/// ended with the exit code `worst`.
fn ended(printed: Outcome, worst: Option<u8>) -> Outcome {
    match (printed, worst) {
        (Ok(()), None) => Ok(()),
        (Ok(()), Some(code)) => Err(Failure { message: String::new(), code }),
        (Err(Failure { message, code }), worst) => {
            Err(Failure { message, code: code.max(worst.unwrap_or(0)) })
        }
    }
}
