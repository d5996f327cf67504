//! Kernels that gain warps with more registers, and bank conflicts in register-intervals of these and others.

use heddle_characters::{EntryCharacter, entries};
use heddle_config::{Compiler, Preset};
use heddle_kernel::alloc::MAX_REGISTERS;
use heddle_passes::{bank_conflicts, form_intervals};

use super::compiler::{BANKS, Conflicts, INTERVAL, mean, programs, workloads};
use super::prepared::prepared;
use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// LTRF, section 6 and figure 6.
pub const SHARES: Family = Family {
    measures: &[
        (
            "ltrf-conflicting-unlimited",
            "register-intervals of at most 16 registers with a bank conflict, mean of the kernels of which no more \
             warps fit with 2 MB of registers than with 256 KB",
        ),
        ("ltrf-conflicting-limited", "the same of the kernels of which more fit"),
        (
            "ltrf-sensitive-kernels",
            "kernels of which 1.25 times as many warps fit with 2 MB of registers as with 256 KB, or more",
        ),
        ("ltrf-limited-kernels", "kernels of which more warps fit with 2 MB of registers than with 256 KB"),
    ],
    compute: shares,
    command: None,
};

/// The experiment with the points of the two register files.
const RESIDENCY: &str = "ltrf-residency";
const FILES: [&str; 2] = ["256 KB", "2 MB"];
/// How many times as many warps fit of a kernel that is sensitive to registers, or more (figure 3(a) here).
pub const SENSITIVE: f64 = 1.25;

fn shares(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let files = files(stock)?;
    let mut kernels = Vec::new();
    for workload in workloads(stock)? {
        let wrong = |e: &dyn std::fmt::Display| fail(RESIDENCY)(format!("{}: {e}", workload.name()));
        let growth = growth(&entries(workload, &files).map_err(|e| wrong(&e))?);
        let mut conflicts = Vec::new();
        for program in programs(workload, MAX_REGISTERS, Compiler::default())? {
            let (_, formed) = form_intervals(&program, INTERVAL).map_err(|e| wrong(&e))?;
            conflicts.extend(formed.intervals.iter().map(|i| bank_conflicts(&i.working_set, BANKS)));
        }
        kernels.push((growth, conflicts));
    }
    // The register file limits the warps of the second group, as section 6 has it.
    let mut groups = [Conflicts::default(), Conflicts::default()];
    for (growth, conflicts) in &kernels {
        groups[usize::from(*growth > 1.0)].add(conflicts);
    }
    let sensitive = kernels.iter().filter(|(growth, _)| *growth >= SENSITIVE).count();
    let mut all = vec![
        ("ltrf-sensitive-kernels", sensitive as f64),
        ("ltrf-limited-kernels", groups[1].free.len() as f64),
    ];
    for (name, group) in ["ltrf-conflicting-unlimited", "ltrf-conflicting-limited"].into_iter().zip(groups) {
        if group.free.is_empty() {
            return Err(fail(name)("none of the kernels is of this kind".to_owned()));
        }
        all.push((name, 1.0 - mean(&group.free)));
    }
    Ok(all)
}

/// The presets of the two register files, each under the name of its point.
///
/// # Errors
/// [`ClaimError::Compute`]: the experiment has no such point.
pub fn files(stock: &Stock) -> Result<[Preset; 2], ClaimError> {
    let [small, large] = FILES.map(|point| file(stock, point));
    Ok([small?, large?])
}

/// The preset of a point, under the name of the point.
fn file(stock: &Stock, point: &str) -> Result<Preset, ClaimError> {
    let mut preset = prepared(RESIDENCY, stock, RESIDENCY, point)?.preset;
    point.clone_into(&mut preset.name);
    Ok(preset)
}

/// Warps that fit in the large file by those in the small one, summed over the entries; none of an entry that
/// does not fit.
pub fn growth(entries: &[EntryCharacter]) -> f64 {
    let [small, large] = FILES.map(|file| {
        let warps = entries.iter().map(|entry| entry.residency.get(file)?.as_ref().map(|fits| fits.warps));
        warps.map(|warps| f64::from(warps.unwrap_or(0))).sum::<f64>()
    });
    large / small
}

#[cfg(test)]
mod tests {
    use heddle_characters::EntryCharacter;

    use super::{FILES, growth};
    use crate::computed::made::entry;

    /// An entry of which so many warps fit with few registers, and with many.
    fn fitting(small: u32, large: u32) -> EntryCharacter {
        entry(0, &[(FILES[0], Some(small)), (FILES[1], Some(large))])
    }

    #[test]
    fn growth_is_that_of_the_warps_of_all_entries() {
        assert_eq!(growth(&[fitting(32, 40)]), 1.25);
        assert_eq!(growth(&[fitting(64, 64)]), 1.0);
        assert_eq!(growth(&[fitting(32, 40), fitting(64, 64)]), 104.0 / 96.0);
    }
}
