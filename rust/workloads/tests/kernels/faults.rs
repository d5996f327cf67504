//! Kernels with one fault each: the check of the workload, or the golden machine, must see it.

use std::fs;
use std::path::Path;

use heddle_workloads::{Size, Workload};
use serde::Deserialize;

use crate::run::{Form, TestResult, run};

/// Fewest faults of a workload.
const FEWEST: usize = 2;

/// `kernels/<application>/faults.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<Fault>,
}

/// Occurrence `nth` of `from` in the PTX becomes `to`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    nth: usize,
    from: String,
    to: String,
    /// Part of the message that tells the fault.
    seen_as: String,
}

fn replace_nth(text: &str, fault: &Fault) -> Option<String> {
    let (at, _) = text.match_indices(&fault.from).nth(fault.nth)?;
    Some(format!("{}{}{}", &text[..at], fault.to, &text[at + fault.from.len()..]))
}

pub(crate) fn planted_faults_are_seen(workload: &'static dyn Workload) -> TestResult {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels").join(workload.application());
    let file = file.join("faults.toml");
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let faults: Faults = toml::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
    if faults.fault.len() < FEWEST {
        return Err(format!("{}: at least {FEWEST} faults", file.display()).into());
    }
    let mut survived = Vec::new();
    for fault in &faults.fault {
        let (name, text) = workload.ptx();
        let text = replace_nth(text, fault).ok_or_else(|| format!("{name} has no {fault:?}"))?;
        let form = Form::Allocated { max_registers: 255 };
        let message = match run((name, &text), workload.instance(Size::Smoke, 1)?, form) {
            Err(error) => error.to_string(),
            Ok(outcome) => outcome.checked.err().map_or("nothing".into(), |f| f.to_string()),
        };
        if !message.contains(&fault.seen_as) {
            survived.push(format!("{fault:?}: {message}"));
        }
    }
    if survived.is_empty() {
        return Ok(());
    }
    Err(format!("{} not seen:\n{}", survived.len(), survived.join("\n")).into())
}
