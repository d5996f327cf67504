//! Rows printed as a table, JSON lines or CSV.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Map, Value};

use crate::args::Format;

/// Rows with the same keys in the same order.
pub struct Rows {
    keys: Vec<&'static str>,
    rows: Vec<Map<String, Value>>,
    /// Columns of a terminal into which a table's texts are broken, where it is not narrower itself.
    width: Option<u16>,
}

impl Rows {
    /// No rows yet; tables and CSV show `keys`, JSON shows all that a row holds.
    pub fn new(keys: &[&'static str]) -> Self {
        Self { keys: keys.to_vec(), rows: Vec::new(), width: None }
    }

    /// The same rows; long texts in a table are broken so that it fits `width` columns.
    pub fn broken_at(self, width: u16) -> Self {
        Self { width: Some(width), ..self }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Map<String, Value>) {
        self.rows.push(row);
    }

    /// The whole text in the given format, ending with a newline; without rows only CSV has one.
    pub fn text(&self, format: Format) -> String {
        match format {
            Format::Json => self.rows.iter().map(|r| Value::Object(r.clone()).to_string() + "\n").collect(),
            Format::Csv => self.csv(),
            Format::Table if self.rows.is_empty() => String::new(),
            Format::Table => self.table(),
        }
    }

    fn csv(&self) -> String {
        let mut text = self.keys.join(",") + "\n";
        for row in &self.rows {
            let cells: Vec<String> = self.keys.iter().map(|k| quoted(&plain(row.get(*k)))).collect();
            text.push_str(&(cells.join(",") + "\n"));
        }
        text
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        if let Some(width) = self.width {
            table.set_width(table.width().map_or(width, |terminal| terminal.min(width)));
        }
        table.set_header(self.keys.iter().map(|k| heading(k)));
        for row in &self.rows {
            table.add_row(self.keys.iter().map(|k| shown(row.get(*k))));
        }
        for (index, key) in self.keys.iter().enumerate() {
            if let Some(column) = table.column_mut(index) {
                column.set_padding((0, 0));
            }
            let numeric = self.rows.iter().any(|r| r.get(*key).is_some_and(Value::is_number));
            if let (true, Some(column)) = (numeric, table.column_mut(index)) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        format!("{table}\n")
    }
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(s)) => s.clone(),
        Some(other) => other.to_string(),
    }
}

/// As in [`plain`], with thousands separated and fractions short.
fn shown(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(n)) if n.is_u64() => thousands(n.as_u64().unwrap_or(0)),
        Some(Value::Number(n)) => n.as_f64().map_or_else(String::new, |f| format!("{f:.3}")),
        Some(Value::Bool(b)) => if *b { "yes" } else { "NO" }.to_owned(),
        None | Some(Value::Null) => "–".to_owned(),
        other => plain(other),
    }
}

/// A key as a column heading, narrow enough for a table of results to fit 120 columns.
fn heading(key: &str) -> String {
    match key {
        "warp_instructions" => "warp\ninstr.".to_owned(),
        "thread_instructions" => "thread\ninstr.".to_owned(),
        "warp_instructions_per_second" => "warp\ninstr.\na second".to_owned(),
        "register_cache_hit_rate" => "register\ncache\nhit rate".to_owned(),
        "prefetches" => "pre-\nfetches".to_owned(),
        "reference_words_compared" => "ref.\nwords\ncompared".to_owned(),
        "cycles_b_to_a" => "cycles\nb / a".to_owned(),
        "ipc_b_to_a" => "ipc\nb / a".to_owned(),
        "mismatches" => "mis-\nmatches".to_owned(),
        _ => key.replace('_', "\n"),
    }
}

/// `1234567` as `1,234,567`.
fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let mut rows = Rows::new(&["name", "cycles"]);
        let row = serde_json::json!({ "name": "a,b", "cycles": 1_234_567, "hidden": true });
        rows.push(row.as_object().cloned().unwrap_or_default());
        rows
    }

    #[test]
    fn csv_quotes_and_json_keeps_everything() {
        assert_eq!(rows().text(Format::Csv), "name,cycles\n\"a,b\",1234567\n");
        let json: Value = serde_json::from_str(&rows().text(Format::Json)).expect("one object");
        assert_eq!(json["hidden"], true);
    }

    #[test]
    fn a_table_of_results_fits_a_terminal_of_120_columns() {
        let mut rows = Rows::new(crate::run::COLUMNS);
        let row = serde_json::json!({
            "design": "baseline", "kernel": "mri-gridding", "size": "smoke", "cycles": 149_573,
            "warp_instructions": 144_824, "ipc": 0.3, "register_cache_hit_rate": 0.953, "prefetches": 13_165,
            "operands_compared": 1_574_196, "controls_compared": 15_508_528, "memory_words_compared": 1_591_218,
            "reference_words_compared": 16_000, "mismatches": 0, "ok": true,
        });
        rows.push(row.as_object().cloned().unwrap_or_default());
        let text = rows.text(Format::Table);
        let widest = text.lines().map(|l| l.chars().count()).max();
        assert!(widest <= Some(120), "{widest:?}\n{text}");
        assert!(text.contains("15,508,528"), "{text}");
    }

    #[test]
    fn tables_separate_thousands() {
        assert!(rows().text(Format::Table).contains("1,234,567"));
        assert_eq!(Rows::new(&["name"]).text(Format::Table), "");
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(1000), "1,000");
    }
}
