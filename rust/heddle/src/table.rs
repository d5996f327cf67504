//! Rows printed as a table, JSON lines or CSV.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::args::Format;
use crate::column::{Column, plain};
use crate::layout::Table;

/// Characters that a table with texts takes where there is room.
const TEXTS: usize = 120;

/// Rows with the same keys in the same order.
pub struct Rows {
    columns: Vec<Column>,
    rows: Vec<Map<String, Value>>,
    /// Characters that a table with texts takes where there is room.
    texts: usize,
    /// CSV has every key of the rows, those of tables with the table before a point.
    whole: bool,
}

impl Rows {
    /// No rows yet; tables and CSV show `columns`, JSON shows all that a row holds.
    pub fn new(columns: &[Column]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new(), texts: TEXTS, whole: false }
    }

    /// The same rows; long texts in a table go on in further lines so that it fits `texts` characters.
    pub fn broken_at(self, texts: usize) -> Self {
        Self { texts, ..self }
    }

    /// The same rows; CSV has, after the columns, every other key that a row has, those of tables such as the events
    /// as `events.NAME`.
    pub fn whole_in_csv(self) -> Self {
        Self { whole: true, ..self }
    }

    /// There is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a row.
    pub fn push(&mut self, row: Map<String, Value>) {
        self.rows.push(row);
    }

    /// The whole text in the given format, ending with a newline; without rows only CSV has one. A table fits
    /// the terminal.
    pub fn text(&self, format: Format) -> String {
        match format {
            Format::Json => self.rows.iter().map(|r| Value::Object(r.clone()).to_string() + "\n").collect(),
            Format::Csv => self.csv(),
            Format::Table if self.rows.is_empty() => String::new(),
            Format::Table => self.table(terminal_width()),
        }
    }

    fn csv(&self) -> String {
        let rows: Vec<Map<String, Value>> = match self.whole {
            true => self.rows.iter().map(flat).collect(),
            false => self.rows.clone(),
        };
        let mut keys: Vec<&str> = self.columns.iter().map(|c| c.key).collect();
        if self.whole {
            let all: BTreeSet<&str> = rows.iter().flat_map(Map::keys).map(String::as_str).collect();
            let others: Vec<&str> = all.into_iter().filter(|key| !keys.contains(key)).collect();
            keys.extend(others);
        }
        let mut text = keys.join(",") + "\n";
        for row in &rows {
            let cells: Vec<String> = keys.iter().map(|k| quoted(&plain(row.get(*k)))).collect();
            text.push_str(&(cells.join(",") + "\n"));
        }
        text
    }

    /// The table, in at most `width` characters a line.
    fn table(&self, width: Option<usize>) -> String {
        let is_there = |value: Option<&Value>| value.is_some_and(|v| !v.is_null());
        let has = |column: &Column| self.rows.iter().any(|row| is_there(row.get(column.key)));
        let columns: Vec<Column> = self.columns.iter().filter(|c| !c.optional || has(c)).copied().collect();
        let numeric = |c: &Column| self.rows.iter().any(|r| r.get(c.key).is_some_and(Value::is_number));
        let cells = |row: &Map<String, Value>| columns.iter().map(|c| c.shown(row.get(c.key))).collect();
        let table = Table {
            numeric: columns.iter().map(numeric).collect(),
            rows: self.rows.iter().map(cells).collect(),
            columns,
        };
        table.text(width, self.texts)
    }
}

/// Columns of the terminal that standard output goes to, or that `COLUMNS` claims; none in a pipe without it.
pub fn terminal_width() -> Option<usize> {
    let claimed = std::env::var("COLUMNS").ok().and_then(|text| text.trim().parse().ok());
    let terminal = || {
        let terminal = console::Term::stdout();
        terminal.is_term().then(|| terminal.size_checked()).flatten().map(|(_, columns)| usize::from(columns))
    };
    claimed.filter(|&columns| columns > 0).or_else(terminal)
}

/// A row with the keys of its tables in it, each with the table's name before a point.
fn flat(row: &Map<String, Value>) -> Map<String, Value> {
    let mut whole = Map::new();
    for (key, value) in row {
        match value {
            Value::Object(table) => {
                whole.extend(table.iter().map(|(inner, value)| (format!("{key}.{inner}"), value.clone())));
            }
            other => {
                whole.insert(key.clone(), other.clone());
            }
        }
    }
    whole
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        let mut rows = Rows::new(&[Column::kept("name"), Column::kept("cycles")]);
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
        let text = rows.table(Some(120));
        let widest = text.lines().map(|l| l.chars().count()).max();
        assert!(widest <= Some(120), "{widest:?}\n{text}");
        assert!(text.contains("15,508,528") && !text.contains("left out"), "{text}");
    }

    #[test]
    fn a_column_without_a_value_is_no_column() {
        let mut rows = Rows::new(&[Column::kept("name"), Column::kept("rate").optional()]);
        let mut push = |row: Value| rows.push(row.as_object().cloned().unwrap_or_default());
        push(serde_json::json!({ "name": "a", "rate": null }));
        assert!(!rows.table(None).contains("rate"));
        rows.push(serde_json::json!({ "name": "b", "rate": 0.5 }).as_object().cloned().unwrap_or_default());
        assert!(rows.table(None).contains("rate"));
        assert_eq!(Rows::new(&[Column::kept("name")]).text(Format::Table), "");
    }
}
