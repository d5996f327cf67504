//! All sheets against the programs as they are, and against the published values.

use std::collections::BTreeSet;
use std::fs;

use heddle_config::Preset;
use heddle_workloads::published::{NOT_HELD, rows};
use heddle_workloads::{Workload, all};

use crate::check::{check, check_entries};
use crate::entries::{EntryCharacter, entries};
use crate::error::CharacterError;
use crate::page::page;
use crate::sheet::{PRESETS, Sheet, fingerprint};
use crate::store::Store;

/// CPU seconds that one SM's share of a kernel may take.
const LONGEST_RUN: f64 = 30.0 * 60.0;

/// What an audit found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// Workloads without a sheet.
    pub missing: Vec<&'static str>,
    /// What is stale, too slow, off without a reason, or explained without need.
    pub wrong: Vec<String>,
    /// Published values compared.
    pub compared: usize,
}

/// Whether the sheet shows what `workload`, which has these `entries` now, is: its sources, its allocated
/// programs, and a run on each of [`PRESETS`].
#[must_use]
pub fn is_fresh(workload: &dyn Workload, sheet: &Sheet, entries: &[EntryCharacter]) -> bool {
    sheet.source == fingerprint(workload)
        && sheet.entries == entries
        && PRESETS.iter().all(|&preset| sheet.runs.contains_key(preset))
}

/// What is wrong with a sheet alone.
fn faults(workload: &dyn Workload, sheet: &Sheet, entries: &[EntryCharacter]) -> Vec<String> {
    let name = workload.name();
    let mut faults = Vec::new();
    for preset in PRESETS.iter().filter(|&&preset| !sheet.runs.contains_key(preset)) {
        faults.push(format!("{name}: no run on {preset}; `make sheet` measures it"));
    }
    if sheet.source != fingerprint(workload) || sheet.entries != entries {
        faults
            .push(format!("{name}: the sheet is of another program or size; `make sheet` measures it anew"));
    }
    for (preset, run) in sheet.runs.iter().filter(|(_, run)| run.cpu_seconds > LONGEST_RUN) {
        let seconds = run.cpu_seconds;
        faults.push(format!("{name}: {seconds:.0} CPU seconds on {preset}; at most {LONGEST_RUN:.0}"));
    }
    faults
}

/// Published rows of `given` with values that are neither in `held` nor in `excused`, or in both, or in `excused` twice,
/// or excused though there is no such row.
fn unclear_rows(given: &[&str], held: &BTreeSet<&str>, excused: &[&str]) -> Vec<String> {
    let times = |key: &str| excused.iter().filter(|&&e| e == key).count() + usize::from(held.contains(key));
    let unclear = given.iter().filter_map(|&key| match times(key) {
        0 => Some(format!("published row {key} is held by no kernel, and no reason is given")),
        1 => None,
        _ => Some(format!("published row {key} is held, or given a reason, more than once")),
    });
    let unknown = excused.iter().filter(|key| !given.contains(key));
    unclear.chain(unknown.map(|key| format!("published row {key}, given a reason, has no values"))).collect()
}

/// Checks the sheets of all workloads and their page. A workload without a sheet has its entries checked.
///
/// # Errors
/// When a workload does not compile, or a sheet cannot be read.
pub fn audit(store: &Store, presets: &[Preset]) -> Result<Audit, CharacterError> {
    let mut audit = Audit::default();
    let mut sheets = Vec::new();
    let mut held = BTreeSet::new();
    for &workload in all() {
        let entries = entries(workload, presets)?;
        let findings = match store.read(workload)? {
            None => {
                audit.missing.push(workload.name());
                check_entries(workload, &entries)
            }
            Some(sheet) => {
                audit.wrong.extend(faults(workload, &sheet, &entries));
                let findings = check(workload, &sheet);
                sheets.push((workload, sheet));
                findings
            }
        };
        audit.compared += findings.len();
        held.extend(findings.iter().map(|f| f.row));
        audit.wrong.extend(findings.iter().filter(|f| !f.verdict.passes()).map(ToString::to_string));
    }
    if audit.missing.is_empty() {
        let given: Vec<&str> = rows().iter().filter(|r| r.has_values()).map(|r| r.key.as_str()).collect();
        let excused: Vec<&str> = NOT_HELD.iter().flat_map(|n| n.rows).copied().collect();
        audit.wrong.extend(unclear_rows(&given, &held, &excused));
    }
    let shown = fs::read_to_string(store.page()).ok();
    if !sheets.is_empty() && shown != Some(page(&sheets)) {
        audit
            .wrong
            .push("docs/characters/README.md is not what the sheets give; `make sheet` writes it".into());
    }
    Ok(audit)
}

/// All sheets that there are.
///
/// # Errors
/// When one cannot be read.
pub fn sheets(store: &Store) -> Result<Vec<(&'static dyn Workload, Sheet)>, CharacterError> {
    let mut sheets = Vec::new();
    for &workload in all() {
        sheets.extend(store.read(workload)?.map(|sheet| (workload, sheet)));
    }
    Ok(sheets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_held_or_excused_once() {
        let unclear = |held: &[&'static str], excused: &[&str]| {
            unclear_rows(&["a", "b"], &held.iter().copied().collect(), excused)
        };
        assert!(unclear(&["a"], &["b"]).is_empty());
        assert_eq!(unclear(&["a"], &[]), ["published row b is held by no kernel, and no reason is given"]);
        let twice = ["published row b is held, or given a reason, more than once"];
        assert_eq!(unclear(&["a", "b"], &["b"]), twice);
        assert_eq!(unclear(&["a"], &["b", "b"]), twice);
        assert_eq!(unclear(&["a"], &["b", "c"]), ["published row c, given a reason, has no values"]);
    }
}
