//! Speed of traces on the cycle model.

use std::path::Path;

use heddle_cosim::{Engine, Kernel, RunError, RunSpec, Session};
use heddle_fidelity::{Folder, all, chosen};

use crate::rates::rates;
use crate::timed;

/// Micro-traces, with the warp instructions per CPU second that are to be reached where a number is set.
const TRACES: [(&str, Option<f64>); 2] = [("ffma_ind_w64", Some(2e6)), ("program_sgemm", None)];
const DESIGN: &str = "baseline";
const PRESET: &str = "volta";

/// Measures all traces, prints them, and says whether all rates were reached.
pub fn bench(root: &Path) -> Result<bool, RunError> {
    let folder = Folder::new(None).map_err(RunError::usage)?;
    let traces = all();
    let run = |name: &str| {
        let list = chosen(&traces, name).and_then(|chosen| chosen[0].write(folder.path()));
        let work = Kernel::Trace(list.map_err(RunError::usage)?);
        let mut session = Session::new(RunSpec {
            preset: Some(PRESET.to_owned()),
            ..RunSpec::new(root.to_owned(), DESIGN, work, Engine::Sim)
        })?;
        let (seconds, report) = timed(|| session.run(&mut ()))?;
        Ok((report.warp_instructions, report.warp_instructions as f64 / seconds))
    };
    let told = format!("traces of `heddle fidelity` on {DESIGN}, {PRESET}, read and run");
    rates(["trace", "M warp instr/s"], &TRACES, run, &told)
}
