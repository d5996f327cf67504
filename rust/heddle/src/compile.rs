//! `heddle compile` and `heddle launch-template`.

use std::path::Path;
use std::sync::Arc;

use heddle_kernel::{AllocOptions, Compiled, Diagnostic, DiagnosticKind};
use heddle_passes::DesignNeeds;

use crate::args::{CompileArgs, Emit, LaunchTemplateArgs};
use crate::input::expect_ptx;
use crate::{Failure, Outcome, complain, print};

fn front_end(file: &Path, entry: Option<&str>, max_registers: u32) -> Result<Compiled, Failure> {
    expect_ptx(file)?;
    let text = heddle_kernel::PTX_FILE.text(file).map_err(Failure::usage)?;
    let options = AllocOptions { max_registers };
    heddle_kernel::compile(&file.to_string_lossy(), &text, entry, options).map_err(|diagnostics| {
        // The PTX may be right where only the choice of the entry is not.
        let choice = |d: &Diagnostic| d.kind == DiagnosticKind::Entry;
        if diagnostics.list().iter().all(choice) {
            Failure::usage(diagnostics)
        } else {
            Failure::failed(diagnostics)
        }
    })
}

/// Compiles a file and prints what was asked for.
pub fn compile(args: &CompileArgs) -> Outcome {
    let compiled = front_end(&args.file, args.entry.as_deref(), args.max_registers)?;
    if let Some(warnings) = &compiled.warnings {
        complain(&warnings.to_string());
    }
    let program = compiled.allocated;
    let text = match args.emit {
        Emit::Program => heddle_kernel::program_text(&program),
        Emit::Cfg => heddle_kernel::cfg_dot(&program),
        Emit::Liveness => heddle_kernel::liveness_text(&program),
        Emit::Intervals => {
            let needs = DesignNeeds { intervals: Some(args.interval_registers) };
            let executable =
                heddle_passes::build_executable(Arc::new(program), needs).map_err(Failure::failed)?;
            match &executable.intervals {
                Some(intervals) => heddle_passes::interval_report(&executable.program, intervals),
                None => String::new(),
            }
        }
    };
    print(&text)
}

/// Prints a launch file for the entry's parameters.
pub fn launch_template(args: &LaunchTemplateArgs) -> Outcome {
    let compiled = front_end(&args.file, args.entry.as_deref(), 255)?;
    print(&heddle_workloads::launch_file::launch_template(&compiled.parsed))
}
