//! `heddle compile` and `heddle launch-template`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_kernel::{AllocOptions, CompileOptions, Compiled, Diagnostic, DiagnosticKind};
use heddle_passes::{
    PassError, REPORT_BANKS, check_intervals, check_renumbering, form_intervals, interval_report, renumber,
    renumbering_report,
};

use crate::args::{CompileArgs, Emit, LaunchTemplateArgs, ProfileArgs};
use crate::binary::{analyse, is_graph};
use crate::input::expect_ptx;
use crate::mapping::emit_mapping;
use crate::{Failure, Outcome, complain, print};

fn front_end(
    file: &PathBuf,
    link: &[PathBuf],
    entry: Option<&str>,
    options: CompileOptions,
) -> Result<Compiled, Failure> {
    let read = |file: &PathBuf| {
        expect_ptx(file)?;
        let text = heddle_kernel::PTX_FILE.text(file).map_err(Failure::usage)?;
        Ok((file.to_string_lossy().into_owned(), text))
    };
    let files = [file].into_iter().chain(link).map(read).collect::<Result<Vec<_>, Failure>>()?;
    let compiled =
        heddle_kernel::link(&files).and_then(|module| heddle_kernel::compile_module(&module, entry, options));
    compiled.map_err(|diagnostics| {
        // The PTX may be right where only the choice of the entry is not.
        let choice = |d: &Diagnostic| d.kind == DiagnosticKind::Entry;
        if diagnostics.list().iter().all(choice) {
            Failure::usage(diagnostics)
        } else {
            Failure::failed(diagnostics)
        }
    })
}

/// Registers of a register-interval where none are named: LTRF's default.
const INTERVAL_REGISTERS: u32 = 16;

/// What `--emit` prints of a program.
type Report = fn(Compiled, &CompileArgs) -> Result<String, Failure>;

/// Compiles a file and prints what was asked for.
pub fn compile(args: &CompileArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.interval_registers.is_some() && args.emit != Emit::Intervals {
        return Err(Failure::usage("--interval-registers has a meaning with --emit intervals only"));
    }
    if args.renumber && args.emit != Emit::Intervals {
        return Err(Failure::usage("--renumber has a meaning with --emit intervals only"));
    }
    if args.profile.size.is_some() && args.profile.kernel.is_none() {
        return Err(Failure::usage("--size has a meaning with --kernel only"));
    }
    let graph = args.file.as_deref().is_some_and(is_graph);
    if args.arch.is_some() && !graph {
        return Err(Failure::usage("--arch has a meaning with FILE.dot only"));
    }
    let report: Report = match args.emit {
        Emit::Program => |compiled, _| Ok(heddle_kernel::program_text(&compiled.allocated)),
        Emit::Cfg => |compiled, _| Ok(heddle_kernel::cfg_dot(&compiled.allocated)),
        Emit::Liveness => |compiled, _| Ok(heddle_kernel::liveness_text(&compiled.allocated)),
        Emit::Intervals => intervals,
        Emit::Mapping => return emit_mapping(args, interrupted),
    };
    refuse_profile(&args.profile)?;
    let Some(file) = &args.file else { return Err(Failure::usage("a PTX file is needed: FILE.ptx")) };
    if graph {
        refuse_options_of_ptx(args)?;
        return analyse(file, args, args.interval_registers.unwrap_or(INTERVAL_REGISTERS));
    }
    let alloc = AllocOptions { max_registers: args.max_registers() };
    let (constant_operands, early_loads) = (args.constant_operands, args.early_loads);
    let options = CompileOptions { alloc, constant_operands, early_loads };
    let compiled = front_end(file, &args.link, args.entry.as_deref(), options)?;
    if let Some(warnings) = &compiled.warnings {
        complain(&warnings.to_string());
    }
    print(&report(compiled, args)?)
}

fn intervals(compiled: Compiled, args: &CompileArgs) -> Result<String, Failure> {
    let limit = args.interval_registers.unwrap_or(INTERVAL_REGISTERS);
    let (program, intervals) =
        form_intervals(&compiled.allocated, limit).map_err(|error| at_its_place(&error, &compiled))?;
    check_intervals(&program, &intervals).map_err(Failure::failed)?;
    if !args.renumber {
        return Ok(interval_report(&program, &intervals));
    }
    let new = renumber(&program, &intervals, REPORT_BANKS).map_err(Failure::failed)?;
    check_renumbering(&program, &new.program).map_err(Failure::failed)?;
    check_intervals(&new.program, &new.intervals).map_err(Failure::failed)?;
    Ok(interval_report(&new.program, &new.intervals) + &renumbering_report(&new))
}

/// An error of the intervals with the file in which it is.
fn at_its_place(error: &PassError, compiled: &Compiled) -> Failure {
    let source = &compiled.allocated.source;
    let place = match error {
        PassError::InstructionTooLarge { loc, .. } => source.spelt(*loc),
        _ => source.name.clone(),
    };
    Failure::failed(format!("{place}: {error}"))
}

/// What is done with PTX has no meaning for machine code.
fn refuse_options_of_ptx(args: &CompileArgs) -> Result<(), Failure> {
    let given = [
        ("--max-registers", args.max_registers.is_some()),
        ("--early-loads", args.early_loads > 0),
        ("--constant-operands", args.constant_operands),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(Failure::usage(format!("{name} has a meaning with FILE.ptx only"))),
        None => Ok(()),
    }
}

/// What names a run has no meaning where none is profiled.
fn refuse_profile(profile: &ProfileArgs) -> Result<(), Failure> {
    let given = [
        ("--kernel", profile.kernel.is_some()),
        ("--launch", profile.launch.is_some()),
        ("--design", profile.design.is_some()),
        ("--preset", profile.preset.is_some()),
        ("--set", !profile.overrides.is_empty()),
        ("--seed", profile.seed.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((name, _)) => Err(Failure::usage(format!("{name} has a meaning with --emit mapping only"))),
        None => Ok(()),
    }
}

/// Prints a launch file for the entry's parameters.
pub fn launch_template(args: &LaunchTemplateArgs) -> Outcome {
    let compiled = front_end(&args.file, &args.link, args.entry.as_deref(), CompileOptions::default())?;
    print(&heddle_workloads::launch_file::launch_template(&compiled.parsed))
}
