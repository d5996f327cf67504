//! A point of a sweep in full, and from the functional stream of its kernel.

use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};
use heddle_cosim::{Ctas, Engine, Functional, Kernel, RunError, RunReport, RunSpec, Session, Streams};
use heddle_workloads::Size;

use crate::timed;

/// Kernels in size `paper`, of which the SM runs its share.
const KERNELS: [&str; 2] = ["matrixmul", "hotspot"];
const DESIGN: &str = "baseline";

/// Measures all kernels and prints them; whether every replay was one, and took less time than the run in full.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let folder = tempfile::tempdir().map_err(RunError::usage)?;
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY);
    table.set_header(["design", "kernel", "in full\ns", "recording\ns", "replay\ns", "in full /\nreplay"]);
    let mut reached = true;
    for kernel in KERNELS {
        eprintln!("bench: {DESIGN} {kernel} paper, replay of the functional stream");
        let work = Kernel::Workload { name: kernel.to_owned(), size: Size::Paper };
        let plain = RunSpec { ctas: Ctas::Share, ..RunSpec::new(root.to_owned(), DESIGN, work, Engine::Sim) };
        let streams = Streams { folder: folder.path().to_owned(), made_by: String::new() };
        let streamed = RunSpec { streams: Some(streams), ..plain.clone() };
        let (full, of_full, _) = run(plain)?;
        let (recording, _, recorded) = run(streamed.clone())?;
        let (replay, of_replay, replayed) = run(streamed)?;
        let seconds = |seconds: f64| format!("{seconds:.2}");
        table.add_row([
            DESIGN.to_owned(),
            kernel.to_owned(),
            seconds(full),
            seconds(recording),
            seconds(replay),
            format!("{:.1}", full / replay),
        ]);
        let expected = (&Functional::Recorded, &Functional::Replayed);
        if (&recorded, &replayed) != expected || of_full.cycles != of_replay.cycles || replay >= full {
            eprintln!(
                "heddle-bench: {kernel}: {recorded:?} in {recording:.2} s, {replayed:?} in {replay:.2} s with {} \
                 cycles; in full {full:.2} s with {} cycles",
                of_replay.cycles, of_full.cycles
            );
            reached = false;
        }
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    Ok(reached)
}

/// CPU seconds of a run from start to end, with its report and what it did with the stream.
fn run(spec: RunSpec) -> Result<(f64, RunReport, Functional), RunError> {
    let (seconds, (report, functional)) = timed(|| {
        let mut session = Session::new(spec)?;
        let report = session.run(&mut ())?;
        Ok((report, session.functional().clone()))
    })?;
    Ok((seconds, report, functional))
}
