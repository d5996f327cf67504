//! `heddle list presets`.

use serde_json::{Map, Value, json};

use crate::Failure;
use crate::args::Format;
use crate::column::Column;
use crate::table::Rows;

/// One row a preset. Those that say what their register file is made of have its figures, relative to the
/// conventional one.
pub fn rows(format: Format) -> Result<Rows, Failure> {
    let kept = ["preset", "base", "sms", "warps", "registers"].map(Column::kept);
    let ranked = [
        Column::kept("bank_cycles"),
        Column::ranked("l1d_bytes", 4),
        Column::ranked("shared_bytes", 4),
        Column::ranked("scheduler", 3),
        Column::ranked("cell", 1),
        Column::ranked("banks", 2),
        Column::ranked("network", 5),
        Column::ranked("area", 2),
        Column::ranked("power", 2),
        Column::ranked("latency", 1),
    ];
    let mut rows = Rows::new(&kept.into_iter().chain(ranked).collect::<Vec<_>>());
    for name in heddle_config::preset_names() {
        let mut row = row(name).map_err(Failure::usage)?;
        if let (Format::Table, Some(Value::String(network))) = (format, row.get_mut("network")) {
            *network = network.replace(' ', "\n");
        }
        rows.push(row);
    }
    Ok(rows)
}

fn row(name: &str) -> Result<Map<String, Value>, heddle_config::ConfigError> {
    let preset = heddle_config::load(name)?;
    let file = &preset.register_file;
    let made_of = preset.technology.as_ref();
    let times = |times: fn(&heddle_config::Technology) -> heddle_config::Times| {
        made_of.map_or(Value::Null, |technology| number(times(technology).factor()))
    };
    let values = [
        ("preset", json!(preset.name)),
        ("base", json!(heddle_config::base_of(name)?)),
        ("sms", json!(preset.gpu.sms)),
        ("warps", json!(preset.sm.warps)),
        ("registers", json!(preset.sm.registers)),
        ("bank_cycles", number(f64::from(file.bank_cycles) + f64::from(file.bank_eighths) / 8.0)),
        ("l1d_bytes", json!(preset.l1d.bytes)),
        ("shared_bytes", json!(preset.shared_memory.bytes)),
        ("scheduler", json!(preset.scheduler.policy)),
        ("cell", json!(made_of.map(|technology| &technology.cell))),
        ("banks", times(|technology| technology.banks)),
        ("network", json!(made_of.map(|technology| &technology.network))),
        ("area", times(|technology| technology.area)),
        ("power", times(|technology| technology.power)),
        ("latency", times(|technology| technology.latency)),
    ];
    Ok(values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// A number without decimals where it has none.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}
