//! LTRF's kernels with the registers that machine code has: loads early, parameters and constants as operands, and no
//! fewer registers than ptxas -O3 gives.

use heddle_characters::entries_with;
use heddle_config::{Compiler, RegisterCount};

use super::compiler::workloads;
use super::demand::{DEMAND, demand};
use super::sensitivity::{SENSITIVE, files, growth};
use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// LTRF, table 1 and section 6.
pub const REGISTERS: Family = Family {
    measures: &[
        (
            "ltrf-demand-fermi-average-kb-o3",
            "as ltrf-demand-fermi-average-kb, with the registers of machine code",
        ),
        ("ltrf-demand-fermi-most-kb-o3", "the same, the most of a kernel"),
        (
            "ltrf-demand-maxwell-average-kb-o3",
            "as ltrf-demand-maxwell-average-kb, with the registers of machine code",
        ),
        ("ltrf-demand-maxwell-most-kb-o3", "the same, the most of a kernel"),
        ("ltrf-sensitive-kernels-o3", "as ltrf-sensitive-kernels, with the registers of machine code"),
        ("ltrf-limited-kernels-o3", "as ltrf-limited-kernels, with the registers of machine code"),
    ],
    compute: registers,
    command: None,
};

/// What ptxas does at -O3; the largest counts of the table are at 64, but for kernels that need more.
const COMPILER: Compiler =
    Compiler { constant_operands: true, early_loads: 64, registers: RegisterCount::PtxasO3 };
/// Names of average and most, of each entry of [`DEMAND`].
const NAMES: [(&str, &str); 2] = [
    ("ltrf-demand-fermi-average-kb-o3", "ltrf-demand-fermi-most-kb-o3"),
    ("ltrf-demand-maxwell-average-kb-o3", "ltrf-demand-maxwell-most-kb-o3"),
];

fn registers(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let mut all = Vec::new();
    for ((average, most), (preset, architecture)) in NAMES.into_iter().zip(DEMAND) {
        let found = demand(average, stock, preset, architecture, COMPILER)?;
        all.extend([(average, found.average), (most, found.most)]);
    }
    let files = files(stock)?;
    let mut growths = Vec::new();
    for workload in workloads(stock)? {
        let wrong = |e: &dyn std::fmt::Display| fail("ltrf-sensitive-kernels-o3")(e.to_string());
        growths.push(growth(&entries_with(workload, COMPILER, &files).map_err(|e| wrong(&e))?));
    }
    let count = |least: &dyn Fn(f64) -> bool| growths.iter().filter(|growth| least(**growth)).count() as f64;
    all.push(("ltrf-sensitive-kernels-o3", count(&|growth| growth >= SENSITIVE)));
    all.push(("ltrf-limited-kernels-o3", count(&|growth| growth > 1.0)));
    Ok(all)
}
