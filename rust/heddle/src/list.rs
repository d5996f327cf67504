//! `heddle list`.

use heddle_characters::EntryCharacter;
use heddle_config::Preset;
use heddle_rtl::Manifest;
use serde_json::{Map, Value, json};

use crate::args::{ListArgs, ListWhat};
use crate::root::root;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Prints the list.
pub fn list(args: &ListArgs) -> Outcome {
    let rows = match args.what {
        ListWhat::Designs => designs()?,
        ListWhat::Kernels => kernels()?,
        ListWhat::Presets => presets()?,
    };
    print(&rows.text(args.format));
    Ok(())
}

fn designs() -> Result<Rows, Failure> {
    let mut rows = Rows::new(&["design", "title", "paper", "preset", "rtl", "model"]);
    let manifests = Manifest::load_all(&root()?).map_err(Failure::usage)?;
    let models = heddle_cosim::model_names();
    for manifest in &manifests {
        rows.push(object(json!({
            "design": manifest.name,
            "title": manifest.title,
            "paper": manifest.paper,
            "preset": manifest.preset,
            "rtl": true,
            "model": models.contains(&manifest.name.as_str()),
        })));
    }
    Ok(rows)
}

fn kernels() -> Result<Rows, Failure> {
    let names = heddle_config::preset_names();
    let presets: Vec<Preset> =
        names.iter().map(|n| heddle_config::load(n)).collect::<Result<_, _>>().map_err(Failure::usage)?;
    let mut keys = vec!["kernel", "suite", "papers", "title", "block", "registers", "shared_bytes"];
    keys.extend(&names);
    keys.extend(["smoke", "small", "paper"]);
    let mut rows = Rows::new(&keys);
    for &workload in heddle_workloads::all() {
        let entries = heddle_characters::entries(workload, &presets).map_err(Failure::failed)?;
        let papers: Vec<&str> = workload.papers().iter().map(|p| p.name()).collect();
        let mut row = object(json!({
            "kernel": workload.name(),
            "suite": workload.suite(),
            "papers": papers.join(" "),
            "title": workload.title(),
            "block": of_each(&entries, |e| e.threads().to_string()),
            "registers": of_each(&entries, |e| e.registers.to_string()),
            "shared_bytes": of_each(&entries, |e| e.shared_bytes.to_string()),
            "entries": entries,
        }));
        for &name in &names {
            row.insert(name.to_owned(), Value::String(of_each(&entries, |e| limit(e, name))));
        }
        for size in workload.sizes() {
            row.insert(size.name().to_owned(), Value::String(workload.size_text(*size)));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A value of each entry, once where all have the same.
fn of_each(entries: &[EntryCharacter], value: impl Fn(&EntryCharacter) -> String) -> String {
    let mut values: Vec<String> = entries.iter().map(value).collect();
    if values.windows(2).all(|pair| pair[0] == pair[1]) {
        values.truncate(1);
    }
    values.join(" / ")
}

/// What limits the occupancy of an entry.
fn limit(entry: &EntryCharacter, preset: &str) -> String {
    let residency = entry.residency.get(preset).and_then(Option::as_ref);
    residency.map_or_else(|| "does not fit".to_owned(), |r| r.limit.clone())
}

fn presets() -> Result<Rows, Failure> {
    let mut rows =
        Rows::new(&["preset", "sms", "warps", "registers", "l1d_bytes", "shared_bytes", "scheduler"]);
    for name in heddle_config::preset_names() {
        let preset = heddle_config::load(name).map_err(Failure::usage)?;
        rows.push(object(json!({
            "preset": preset.name,
            "sms": preset.gpu.sms,
            "warps": preset.sm.warps,
            "registers": preset.sm.registers,
            "l1d_bytes": preset.l1d.bytes,
            "shared_bytes": preset.shared_memory.bytes,
            "scheduler": preset.scheduler.policy,
        })));
    }
    Ok(rows)
}
