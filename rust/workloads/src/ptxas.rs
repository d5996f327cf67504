//! Registers per thread that ptxas gives the kernels that ship, from `data/ptxas.csv` (`scripts/registers.sh`).

use std::sync::LazyLock;

use serde::Deserialize;

use crate::Workload;

/// A row of the table.
#[derive(Debug, Deserialize)]
struct Row {
    /// Folder and name of the PTX file.
    file: String,
    /// Entry of the PTX.
    entry: String,
    /// At `-O3`.
    o3: u32,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    csv::Reader::from_reader(include_str!("../data/ptxas.csv").as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|e| panic!("data/ptxas.csv: {e}"))
});

/// Registers per thread that ptxas -O3 gives `entry` of `workload`, within the limit that its source names.
///
/// # Panics
/// When the table, which is compiled in, is not CSV of such rows; the tests of this crate read it.
#[must_use]
pub fn ptxas_registers(workload: &dyn Workload, entry: &str) -> Option<u32> {
    let (file, _) = workload.ptx();
    let is_of = |row: &&Row| row.file.ends_with(&format!("/{file}")) && row.entry == entry;
    ROWS.iter().find(is_of).map(|row| row.o3)
}

#[cfg(test)]
mod tests {
    use super::ptxas_registers;
    use crate::{all, find};

    #[test]
    fn every_kernel_is_in_the_table() {
        for workload in all() {
            let entries = workload.ptx().1.lines().filter_map(|line| {
                let (_, name) = line.split_once(".entry ")?;
                name.split('(').next()
            });
            let entries: Vec<&str> = entries.collect();
            assert!(!entries.is_empty(), "{}", workload.name());
            for entry in entries {
                assert!(ptxas_registers(*workload, entry).is_some(), "{} {entry}", workload.name());
            }
        }
    }

    #[test]
    fn a_variant_has_what_the_kernel_has_and_another_entry_nothing() {
        let of = |name| ptxas_registers(find(name).expect("it ships"), "hotspot");
        assert!(of("hotspot").is_some());
        assert_eq!(of("hotspot"), of("hotspot-racetrack"));
        assert_eq!(ptxas_registers(find("bfs").expect("it ships"), "hotspot"), None);
    }
}
