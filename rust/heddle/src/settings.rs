//! Presets and parameters of results: whether runs had the same SM.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, PreparedDesign, RunError, RunReport, RunSpec};
use serde_json::{Map, Value};

use crate::{Failure, Outcome, complain};

/// The names of the list that `option` gives, comma separated; each is there once.
pub fn names<'a>(option: &str, list: &'a str) -> Result<Vec<&'a str>, Failure> {
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    let mut seen = BTreeSet::new();
    for name in &names {
        if !seen.insert(*name) {
            return Err(Failure::usage(format!("{option}: '{name}' is there twice")));
        }
    }
    Ok(names)
}

/// The designs of a list of names, comma separated; each is there once.
pub fn designs(list: &str) -> Result<Vec<&str>, Failure> {
    names("--design", list)
}

/// Refuses a key that `option` gives twice: one of its values would be ignored.
pub fn each_once(option: &str, overrides: &[Override]) -> Outcome {
    let mut seen = BTreeSet::new();
    for change in overrides {
        if !seen.insert(&change.key) {
            return Err(Failure::usage(format!("{option}: '{}' is given twice", change.key)));
        }
    }
    Ok(())
}

/// Whether a run can have this design, preset and settings.
///
/// # Errors
/// [`RunError::Usage`], as the run would say it.
pub fn usable(
    root: &Path,
    design: &str,
    preset: Option<&str>,
    overrides: &[Override],
    engine: Engine,
) -> Result<(), RunError> {
    PreparedDesign::new(&unkernelled(root, design, preset, overrides, engine)).map(drop)
}

/// A run of which nothing is asked but its settings.
pub fn unkernelled(
    root: &Path,
    design: &str,
    preset: Option<&str>,
    overrides: &[Override],
    engine: Engine,
) -> RunSpec {
    let mut spec = RunSpec::new(root.to_owned(), design, Kernel::Trace(PathBuf::new()), engine);
    spec.preset = preset.map(str::to_owned);
    spec.overrides = overrides.to_vec();
    spec
}

/// What a run says, where another option than `--set` gave the settings `given`: it is named in place of that.
pub fn blame(error: &RunError, given: &[Override], option: impl Fn(&Override) -> String) -> Failure {
    let mut message = error.to_string();
    for change in given {
        let set = format!("--set {}={}:", change.key, change.value);
        message = message.replace(&set, &format!("{}:", option(change)));
    }
    Failure { message, code: error.exit_code() }
}

/// Says of each setting that a run of `design` ignores that it does. What is wrong with the settings the run says.
pub fn warn_of_unread(root: &Path, design: &str, preset: Option<&str>, overrides: &[Override]) {
    for line in heddle_cosim::unread_settings(root, design, preset, overrides).unwrap_or_default() {
        complain(&line);
    }
}

/// A line that names the preset of each design, where the runs had several, and one for each preset whose SM
/// differs between designs, with the keys in which it does; else nothing.
pub fn several(reports: &[RunReport]) -> String {
    let runs = reports.iter().map(|r| (r.design.as_str(), r.preset.as_str(), &r.parameters));
    different_sms(&runs.collect::<Vec<_>>())
}

/// Designs, presets and parameters of runs.
type Settings<'a> = (&'a str, &'a str, &'a BTreeMap<String, Value>);

fn different_sms(runs: &[Settings<'_>]) -> String {
    let mut text = String::new();
    let presets: BTreeSet<&str> = runs.iter().map(|(_, preset, _)| *preset).collect();
    if presets.len() > 1 {
        let pairs: BTreeSet<String> = runs.iter().map(|(d, preset, _)| format!("{d} {preset}")).collect();
        let pairs: Vec<String> = pairs.into_iter().collect();
        text.push_str(&format!("different SMs, by preset: {}\n", pairs.join(", ")));
    }
    for preset in presets {
        let runs: Vec<_> = runs.iter().filter(|(_, p, _)| *p == preset).collect();
        let keys: BTreeSet<&str> = runs.iter().flat_map(|(_, _, p)| p.keys().map(String::as_str)).collect();
        // Keys of presets have a point; those of the register file are what the designs differ in.
        let keys = keys.into_iter().filter(|key| key.contains('.') && !key.starts_with("register_file."));
        let found: Vec<String> = keys.filter_map(|key| by_design(key, &runs)).collect();
        if !found.is_empty() {
            text.push_str(&format!("different SMs of preset {preset}: {}\n", found.join("; ")));
        }
    }
    text
}

/// A key with the values that each design has of it, where designs differ.
fn by_design(key: &str, runs: &[&Settings<'_>]) -> Option<String> {
    let mut values: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (design, _, parameters) in runs {
        if let Some(value) = parameters.get(key) {
            values.entry(design).or_default().insert(plain(value));
        }
    }
    let different: BTreeSet<&BTreeSet<String>> = values.values().collect();
    let each = |(design, values): (&&str, &BTreeSet<String>)| {
        format!("{design} {}", values.iter().map(String::as_str).collect::<Vec<_>>().join("/"))
    };
    let named = || values.iter().map(each).collect::<Vec<_>>().join(", ");
    (different.len() > 1).then(|| format!("{key} {}", named()))
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The keys of a preset in which two runs differ, `preset` and `sms` first, each with both values. Results that do not
/// state a key do not differ in it.
pub fn differences(a: &Map<String, Value>, b: &Map<String, Value>) -> Vec<(String, Value, Value)> {
    let mut found: Vec<(String, Value, Value)> = Vec::new();
    let mut hold = |key: &str, a: Option<&Value>, b: Option<&Value>| {
        if let (Some(a), Some(b)) = (a, b)
            && a != b
        {
            found.push((key.to_owned(), a.clone(), b.clone()));
        }
    };
    for key in ["preset", "sms"] {
        hold(key, a.get(key), b.get(key));
    }
    let all = |run: &Map<String, Value>| run.get("parameters").and_then(Value::as_object).cloned();
    let (a, b) = (all(a).unwrap_or_default(), all(b).unwrap_or_default());
    // Keys of presets have a point; RTL parameters follow from them and from the design.
    for (key, value) in a.iter().filter(|(key, _)| key.contains('.')) {
        hold(key, Some(value), b.get(key));
    }
    found
}

/// Differences as one line.
pub fn line(differences: &[(String, Value, Value)]) -> String {
    let each = |(key, a, b): &(String, Value, Value)| format!("{key} {} and {}", plain(a), plain(b));
    differences.iter().map(each).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn designs_with_one_preset_can_have_different_sms() {
        let of = |policy: &str, ways: u32| {
            let all = [
                ("scheduler.policy", json!(policy)),
                ("sm.warps", json!(48)),
                ("register_file.ways", json!(ways)),
            ];
            all.map(|(key, value)| (key.to_owned(), value)).into_iter().collect::<BTreeMap<_, _>>()
        };
        let (gto, wide, rr) = (of("gto", 4), of("gto", 8), of("round-robin", 4));
        assert_eq!(different_sms(&[("cerf", "fermi", &gto), ("baseline", "fermi", &wide)]), "");
        let text = different_sms(&[
            ("racetrack", "fermi", &rr),
            ("cerf", "fermi", &gto),
            ("racetrack", "fermi", &rr),
        ]);
        assert_eq!(text, "different SMs of preset fermi: scheduler.policy cerf gto, racetrack round-robin\n");
        let text = different_sms(&[("racetrack", "fermi", &rr), ("cerf", "maxwell", &gto)]);
        assert_eq!(text, "different SMs, by preset: cerf maxwell, racetrack fermi\n");
    }

    #[test]
    fn keys_of_presets_are_compared_and_rtl_parameters_are_not() {
        let run = |preset: &str, registers: u32, rows: u32| {
            let run = json!({
                "preset": preset,
                "parameters": { "RowsPerBank": rows, "sm.registers": registers, "sm.warps": 64 },
            });
            run.as_object().cloned().unwrap_or_default()
        };
        assert!(differences(&run("maxwell", 1, 1), &run("maxwell", 1, 2)).is_empty());
        let found = differences(&run("maxwell", 1, 1), &run("fermi", 2, 2));
        assert_eq!(line(&found), "preset maxwell and fermi, sm.registers 1 and 2");
        // Results that state nothing.
        assert!(differences(&run("maxwell", 1, 1), &Map::new()).is_empty());
    }
}
