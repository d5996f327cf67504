//! A section for each kernel: its issue slots and its counted events, design by design.

use std::collections::{BTreeMap, BTreeSet};

use heddle_experiments::ResultRow;
use serde::Serialize;

use crate::chart::{Cell, Chart, Row, Table};
use crate::measured::{Measured, slots};
use crate::stack::{Stack, stacked};

/// A kernel on the page.
#[derive(Debug, Clone, Serialize)]
pub struct KernelSection {
    pub name: String,
    pub stack: Option<Chart>,
    /// Cycles, instructions a cycle and events, with a column for each design.
    pub events: Table,
}

/// Numbers that stand above the events.
const FIRST: [&str; 3] = ["cycles", "warp_instructions", "ipc"];

/// Kernels in alphabetical order; of each design the first result, in the order of the experiments.
pub fn kernels(all: &[Measured]) -> Vec<KernelSection> {
    let mut found: BTreeMap<String, Vec<(String, &ResultRow)>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for measured in all {
        for row in &measured.results.rows {
            let kernel = row.kernel.to_string();
            if seen.insert((kernel.clone(), row.point.design.clone())) {
                let label =
                    format!("{} ({}: {})", row.point.design, measured.experiment.id, row.point.label());
                found.entry(kernel).or_default().push((label, row));
            }
        }
    }
    found.into_iter().map(|(name, runs)| section(name, &runs)).collect()
}

fn section(name: String, runs: &[(String, &ResultRow)]) -> KernelSection {
    let of = |(_, row): &(String, &ResultRow)| Stack::mean(row.point.design.clone(), &[slots(row)?]);
    let stacks: Vec<Stack> = runs.iter().filter_map(of).collect();
    let stack = (!stacks.is_empty()).then(|| Chart {
        id: format!("kernel-{}", name.replace(':', "-")),
        title: format!("Issue slots of {name}"),
        told: "A bar for each design. All numbers are in the table that follows.".to_owned(),
        ..stacked(&stacks)
    });
    let events: BTreeSet<&String> = runs
        .iter()
        .filter_map(|(_, row)| row.row.get("events")?.as_object())
        .flat_map(|e| e.keys())
        .collect();
    let line = |key: &str, shown: &str| {
        let cells = runs.iter().map(|(_, row)| Cell::from(row.number(key))).collect();
        Row { name: shown.to_owned(), mean: false, cells }
    };
    let first = FIRST.iter().map(|key| line(key, key));
    let rows = first.chain(events.into_iter().map(|event| line(&format!("events.{event}"), event)));
    let columns = runs.iter().map(|(label, _)| label.clone()).collect();
    KernelSection {
        name,
        stack,
        events: Table { corner: "counted".to_owned(), columns, rows: rows.collect() },
    }
}
