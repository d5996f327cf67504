//! `heddle list`.

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
        ListWhat::Kernels => kernels(),
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

fn kernels() -> Rows {
    let mut rows = Rows::new(&["kernel", "suite", "title", "smoke", "small", "paper"]);
    for workload in heddle_workloads::all() {
        let mut row = object(json!({
            "kernel": workload.name(),
            "suite": workload.suite(),
            "title": workload.title(),
        }));
        for size in workload.sizes() {
            row.insert(size.name().to_owned(), Value::String(workload.size_text(*size)));
        }
        rows.push(row);
    }
    rows
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
