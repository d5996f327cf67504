//! All sheets against the programs as they are, and against the published values.

use std::fs;

use heddle_config::Preset;
use heddle_workloads::{Workload, all};

use crate::check::{check, check_entries};
use crate::entries::entries;
use crate::error::CharacterError;
use crate::page::page;
use crate::sheet::{Sheet, fingerprint};
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

/// Whether the sheet shows what `workload` is now.
///
/// # Errors
/// When the workload does not compile.
pub fn is_fresh(
    workload: &'static dyn Workload,
    sheet: &Sheet,
    presets: &[Preset],
) -> Result<bool, CharacterError> {
    Ok(sheet.source == fingerprint(workload) && sheet.entries == entries(workload, presets)?)
}

/// Checks the sheets of all workloads and their page. A workload without a sheet has its entries checked.
///
/// # Errors
/// When a workload does not compile, or a sheet cannot be read.
pub fn audit(store: &Store, presets: &[Preset]) -> Result<Audit, CharacterError> {
    let mut audit = Audit::default();
    let mut sheets = Vec::new();
    for &workload in all() {
        let name = workload.name();
        let findings = match store.read(workload)? {
            None => {
                audit.missing.push(name);
                check_entries(workload, &entries(workload, presets)?)
            }
            Some(sheet) => {
                if !is_fresh(workload, &sheet, presets)? {
                    audit.wrong.push(format!(
                        "{name}: the sheet is of another program or size; `make sheet` measures it anew"
                    ));
                }
                for (preset, run) in sheet.runs.iter().filter(|(_, run)| run.cpu_seconds > LONGEST_RUN) {
                    let seconds = run.cpu_seconds;
                    audit.wrong.push(format!(
                        "{name}: {seconds:.0} CPU seconds on {preset}; at most {LONGEST_RUN:.0}"
                    ));
                }
                let findings = check(workload, &sheet);
                sheets.push((workload, sheet));
                findings
            }
        };
        audit.compared += findings.len();
        audit.wrong.extend(findings.iter().filter(|f| !f.verdict.passes()).map(ToString::to_string));
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
