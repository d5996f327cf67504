//! What the compiler makes of LTRF's kernels: registers, register-intervals and their bank conflicts.

use heddle_config::Compiler;
use heddle_cosim::RegisterLimits;
use heddle_kernel::{compile, parse};
use heddle_passes::{form_intervals, renumber};
use heddle_workloads::Workload;

use super::code::CodeSizes;
use super::demand::{DEMAND, demand};
use super::prepared::experiment;
use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// LTRF, table 1 and figures 6 and 16.
pub const REGISTERS: Family = Family {
    measures: &[
        (
            "ltrf-demand-fermi-average-kb",
            "register file of an SM for full TLP on Fermi, average of the kernels, in KB",
        ),
        ("ltrf-demand-fermi-most-kb", "the same, the most of a kernel"),
        (
            "ltrf-demand-maxwell-average-kb",
            "register file of an SM for full TLP on Maxwell, average of the kernels, in KB",
        ),
        ("ltrf-demand-maxwell-most-kb", "the same, the most of a kernel"),
        (
            "ltrf-conflict-free-8",
            "register-intervals of at most 8 registers without bank conflict, mean of the kernels",
        ),
        (
            "ltrf-conflict-free-16",
            "register-intervals of at most 16 registers without bank conflict, mean of the kernels",
        ),
        (
            "ltrf-conflict-free-32",
            "register-intervals of at most 32 registers without bank conflict, mean of the kernels",
        ),
        ("ltrf-conflicts-most-8", "most bank conflicts of a register-interval of at most 8 registers"),
        ("ltrf-conflicts-most-16", "most bank conflicts of a register-interval of at most 16 registers"),
        ("ltrf-conflicts-most-32", "most bank conflicts of a register-interval of at most 32 registers"),
        ("ltrf-conf-conflict-free-8", "as ltrf-conflict-free-8, of renumbered programs"),
        ("ltrf-conf-conflict-free-16", "as ltrf-conflict-free-16, of renumbered programs"),
        ("ltrf-conf-conflict-free-32", "as ltrf-conflict-free-32, of renumbered programs"),
        ("ltrf-conf-conflicts-most-8", "as ltrf-conflicts-most-8, of renumbered programs"),
        ("ltrf-conf-conflicts-most-16", "as ltrf-conflicts-most-16, of renumbered programs"),
        ("ltrf-conf-conflicts-most-32", "as ltrf-conflicts-most-32, of renumbered programs"),
        (
            "ltrf-code-vectors",
            "bytes of code that a bit-vector for each register-interval adds, mean of the kernels; instructions of Maxwell",
        ),
        ("ltrf-code-instructions", "the same with a prefetch instruction for each as well"),
    ],
    compute: registers,
    command: None,
};

/// The experiment whose kernels these are.
const KERNELS: &str = "ltrf-latency";
/// Names of the average and the most of each entry of [`DEMAND`].
const DEMANDS: [(&str, &str); 2] = [
    ("ltrf-demand-fermi-average-kb", "ltrf-demand-fermi-most-kb"),
    ("ltrf-demand-maxwell-average-kb", "ltrf-demand-maxwell-most-kb"),
];
/// Registers of an interval, and the names of the conflicts before and after renumbering.
const CONFLICTS: [(u32, [Names; 2]); 3] = [
    (
        8,
        [
            ("ltrf-conflict-free-8", "ltrf-conflicts-most-8"),
            ("ltrf-conf-conflict-free-8", "ltrf-conf-conflicts-most-8"),
        ],
    ),
    (
        16,
        [
            ("ltrf-conflict-free-16", "ltrf-conflicts-most-16"),
            ("ltrf-conf-conflict-free-16", "ltrf-conf-conflicts-most-16"),
        ],
    ),
    (
        32,
        [
            ("ltrf-conflict-free-32", "ltrf-conflicts-most-32"),
            ("ltrf-conf-conflict-free-32", "ltrf-conf-conflicts-most-32"),
        ],
    ),
];
/// Names of the share without conflicts and of the most conflicts.
type Names = (&'static str, &'static str);
/// Registers of an interval in the paper's design.
pub const INTERVAL: u32 = 16;
/// Banks of the main register file.
pub const BANKS: usize = 16;

/// The paper's kernels, also those that a scale leaves out: nothing of them runs here.
pub fn workloads(stock: &Stock) -> Result<Vec<&'static dyn Workload>, ClaimError> {
    let find = |name: &str| heddle_workloads::find(name).map_err(|e| fail("ltrf")(e.to_string()));
    let experiment = experiment("ltrf", stock, KERNELS)?;
    experiment.kernels.iter().chain(&experiment.left_out).map(|chosen| find(&chosen.kernel)).collect()
}

/// The programs of all entries of a kernel in so many registers.
pub fn programs(
    workload: &dyn Workload,
    max_registers: u32,
    compiler: Compiler,
) -> Result<Vec<heddle_isa::Program>, ClaimError> {
    let fault = |e: &dyn std::fmt::Display| fail("ltrf")(format!("{}: {e}", workload.name()));
    let (file, text) = workload.ptx();
    let module = parse(file, text).map_err(|e| fault(&e))?;
    let mut programs = Vec::new();
    for entry in module.entries() {
        let options = RegisterLimits::default().options(compiler, max_registers);
        let compiled = compile(file, text, Some(&entry.name.text), options).map_err(|e| fault(&e))?;
        programs.push(compiled.allocated);
    }
    Ok(programs)
}

fn registers(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let workloads = workloads(stock)?;
    let mut all = Vec::new();
    for ((average, most), (preset, architecture)) in DEMANDS.into_iter().zip(DEMAND) {
        let found = demand(average, stock, preset, architecture, Compiler::default())?;
        all.extend([(average, found.average), (most, found.most)]);
    }
    let keys = heddle_config::load("maxwell").map_err(|e| fail("ltrf-code-vectors")(e.to_string()))?;
    let mut code = CodeSizes::default();
    for (limit, [old, new]) in CONFLICTS {
        let (mut before, mut after) = (Conflicts::default(), Conflicts::default());
        for workload in &workloads {
            let wrong = |e: &dyn std::fmt::Display| fail(old.0)(format!("{}: {e}", workload.name()));
            let (mut kernel_before, mut kernel_after) = (Vec::new(), Vec::new());
            let mut entries = Vec::new();
            for program in programs(*workload, heddle_kernel::alloc::MAX_REGISTERS, Compiler::default())? {
                let (cut, formed) = form_intervals(&program, limit).map_err(|e| wrong(&e))?;
                let renumbered = renumber(&cut, &formed, BANKS).map_err(|e| wrong(&e))?;
                entries.push((cut.instrs.len() as u64, formed.intervals.len() as u64));
                kernel_before.extend(renumbered.before);
                kernel_after.extend(renumbered.after);
            }
            if limit == INTERVAL {
                code.add(&keys.instruction_cache, &entries);
            }
            before.add(&kernel_before);
            after.add(&kernel_after);
        }
        for ((free, most), conflicts) in [(old, before), (new, after)] {
            all.push((free, mean(&conflicts.free)));
            all.push((most, f64::from(conflicts.most)));
        }
    }
    let (vectors, instructions) = code.means();
    all.extend([("ltrf-code-vectors", vectors), ("ltrf-code-instructions", instructions)]);
    Ok(all)
}

/// Conflicts of the kernels' prefetches.
#[derive(Default)]
pub struct Conflicts {
    /// Share of a kernel's intervals without one.
    pub free: Vec<f64>,
    most: u32,
}

impl Conflicts {
    /// Takes the conflicts of each interval of one kernel.
    pub fn add(&mut self, intervals: &[u32]) {
        let without = intervals.iter().filter(|conflicts| **conflicts == 0).count();
        self.free.push(without as f64 / intervals.len().max(1) as f64);
        self.most = intervals.iter().copied().fold(self.most, u32::max);
    }
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}
