//! `heddle compile FILE.dot`: the intervals of machine code, from the graph that `nvdisasm -cfg` writes.

use std::fmt::Write as _;
use std::path::Path;

use heddle_passes::{
    REPORT_BANKS, check_intervals, check_renumbering, form_intervals, interval_report, renumber,
    renumbering_report,
};
use heddle_sass::Function;

use crate::args::{CompileArgs, Emit};
use crate::{Failure, Outcome, print};

/// Whether a file is a graph by its name.
pub fn is_graph(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dot"))
}

/// Prints the functions of a graph, or their intervals with at most `limit` registers.
pub fn analyse(file: &Path, args: &CompileArgs, limit: u32) -> Outcome {
    if !args.link.is_empty() {
        return Err(Failure::usage("--link is for PTX; a graph is of machine code that is linked"));
    }
    let text = heddle_sass::DOT_FILE.text(file).map_err(Failure::usage)?;
    let functions = heddle_sass::read(&file.to_string_lossy(), &text, args.arch).map_err(Failure::failed)?;
    let mut report = String::new();
    for function in chosen(&functions, args.entry.as_deref())? {
        if !report.is_empty() {
            report.push('\n');
        }
        match args.emit {
            Emit::Program => listing(&mut report, function),
            Emit::Intervals => intervals(&mut report, function, args.renumber, (file, limit))?,
            Emit::Cfg | Emit::Liveness | Emit::Mapping => {
                return Err(Failure::usage(
                    "of a graph of machine code there is --emit program and --emit intervals",
                ));
            }
        }
    }
    print(&report)
}

fn chosen<'a>(functions: &'a [Function], entry: Option<&str>) -> Result<Vec<&'a Function>, Failure> {
    let Some(entry) = entry else { return Ok(functions.iter().collect()) };
    let found: Vec<&Function> = functions.iter().filter(|f| f.program.name == entry).collect();
    if found.is_empty() {
        let names = || functions.iter().map(|f| f.program.name.as_str());
        let hint = heddle_suggest::hint(entry, names());
        let names: Vec<&str> = names().collect();
        return Err(Failure::usage(format!(
            "no function '{entry}'; expected one of {}{hint}",
            names.join(", ")
        )));
    }
    Ok(found)
}

/// One line of what is known of the whole function.
fn heading(report: &mut String, function: &Function) {
    let Function { program, architecture, unreached, .. } = function;
    let _ = write!(
        report,
        "function {}: opcodes of sm_{architecture}, {} instructions, {} registers",
        program.name,
        program.instrs.len(),
        program.num_regs
    );
    let _ = match unreached {
        0 => writeln!(report),
        _ => writeln!(report, "; {unreached} more that no way leads to are left out"),
    };
}

/// The instructions with the registers that they write and read.
fn listing(report: &mut String, function: &Function) {
    heading(report, function);
    for (line, instr) in function.program.source.text.lines().zip(&function.program.instrs) {
        let list = |registers: &[_]| registers.iter().map(|r| format!(" {r}")).collect::<String>();
        let (writes, reads) = (list(&instr.dsts), list(&instr.source_regs()));
        let _ = writeln!(report, "{line}\n    writes{writes}\n    reads{reads}");
    }
}

fn intervals(
    report: &mut String,
    function: &Function,
    spread: bool,
    (file, limit): (&Path, u32),
) -> Result<(), Failure> {
    heading(report, function);
    let formed = form_intervals(&function.program, limit);
    let (program, intervals) = formed.map_err(|e| Failure::failed(format!("{}: {e}", file.display())))?;
    check_intervals(&program, &intervals).map_err(Failure::failed)?;
    if !spread || function.shares_registers {
        report.push_str(&interval_report(&program, &intervals));
        if spread {
            report.push_str(
                "\nregisters keep their numbers: the function calls or returns, and others rely on them\n",
            );
        }
        return Ok(());
    }
    let new = renumber(&program, &intervals, REPORT_BANKS).map_err(Failure::failed)?;
    check_renumbering(&program, &new.program).map_err(Failure::failed)?;
    check_intervals(&new.program, &new.intervals).map_err(Failure::failed)?;
    report.push_str(&interval_report(&new.program, &new.intervals));
    report.push_str(&renumbering_report(&new));
    Ok(())
}
