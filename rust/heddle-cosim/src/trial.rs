//! One planted bug, tried: whether it is found, and found as it should be.

use std::path::Path;

use heddle_rtl::Manifest;
use heddle_rtl::planted::PlantedBug;

use crate::{Check, Fault, RunError, RunSpec, Session};

/// Runs `spec`, a co-simulation of the kernel that finds `bug`, with the bug in the RTL; what found it.
///
/// # Errors
/// What is wrong, in words: it was not found, never changed a value, stopped the run by a timeout alone, what was found
/// ([`crate::Mismatch::finding`]) names nothing that the list expects, or the report names no register or signal, or has no
/// waveform window.
pub fn try_bug(mut spec: RunSpec, bug: &PlantedBug) -> Result<String, String> {
    if let Some(variant) = &bug.variant {
        spec.design = called(&spec.root, &spec.design, variant)?;
    }
    spec.fault = Some(Fault::new(&bug.id));
    let mut session = Session::new(spec).map_err(|e| e.to_string())?;
    let outcome = session.run(&mut ());
    let activations = session.fault_activations().unwrap_or(0);
    let mismatch = match outcome {
        Ok(_) => return Err(format!("not found; it changed a value {activations} times")),
        Err(RunError::Mismatch(mismatch)) => mismatch,
        Err(other) => return Err(format!("exit code {} instead of 3: {other}", other.exit_code())),
    };
    let text = mismatch.to_string();
    if activations == 0 {
        return Err(format!("found without being activated: {text}"));
    }
    if mismatch.check == Check::Hang {
        return Err(format!("found by a timeout alone: {text}"));
    }
    let finding = mismatch.finding();
    if !bug.expect.iter().any(|name| finding.contains(name)) {
        return Err(format!("what was found names none of {:?}: {finding}", bug.expect));
    }
    if !mismatch.notes.iter().any(|n| n.starts_with("waves: ") && n.ends_with(".vcd")) {
        return Err(format!("no waveform window:\n{text}"));
    }
    if mismatch.place.signal.is_none() && mismatch.place.register.is_none() {
        return Err(format!("the report names neither register nor signal:\n{text}"));
    }
    Ok(format!("{} at cycle {}: {}", mismatch.check, mismatch.place.cycle, mismatch.what))
}

/// The name that users type for `variant` of `design`.
fn called(root: &Path, design: &str, variant: &str) -> Result<String, String> {
    let all = Manifest::load_all(root).map_err(|e| e.to_string())?;
    let found = all.iter().find(|m| m.name == design && m.variant.as_deref() == Some(variant));
    found.map(Manifest::called).ok_or_else(|| format!("design '{design}' has no variant '{variant}'"))
}
