//! Shared memory of the blocks that fit at once, whatever the grid has, of the paper's workloads (OSM, figure 1).

use heddle_characters::{EntryCharacter, entries};

use super::compiler::mean;
use super::prepared::{experiment, prepared};
use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// OSM, figure 1.
pub const SHARED: Family = Family {
    measures: &[(
        NAME,
        "shared memory of the blocks that fit at once by that of the SM, mean of the kernels, of each the mean \
         of its entries",
    )],
    compute: shared,
    command: Some("heddle list kernels"),
};

const NAME: &str = "shared-allocation";
/// The experiment of the paper's workloads, and its point with all shared memory on chip.
const SIZES: (&str, &str) = ("osm-sizes", "baseline");

fn shared(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let preset = prepared(NAME, stock, SIZES.0, SIZES.1)?.preset;
    let mut kernels = Vec::new();
    let experiment = experiment(NAME, stock, SIZES.0)?;
    for chosen in experiment.kernels.iter().chain(&experiment.left_out) {
        let wrong = |e: &dyn std::fmt::Display| fail(NAME)(format!("{chosen}: {e}"));
        let workload = heddle_workloads::find(&chosen.kernel).map_err(|e| wrong(&e))?;
        let entries = entries(workload, std::slice::from_ref(&preset)).map_err(|e| wrong(&e))?;
        let share = allocated(&entries, &preset.name);
        let missing = || wrong(&format!("a block of it does not fit '{}'", preset.name));
        kernels.push(share.ok_or_else(missing)? / f64::from(preset.shared_memory.bytes));
    }
    Ok(vec![(NAME, mean(&kernels))])
}

/// Bytes of shared memory of the blocks that fit at once, mean of the entries; `None` where not even one fits.
fn allocated(entries: &[EntryCharacter], preset: &str) -> Option<f64> {
    let bytes = entries.iter().map(|entry| {
        let fits = entry.residency.get(preset)?.as_ref()?;
        Some(f64::from(fits.ctas) * f64::from(entry.shared_bytes))
    });
    Some(mean(&bytes.collect::<Option<Vec<_>>>()?))
}

#[cfg(test)]
mod tests {
    use super::allocated;
    use crate::computed::made::entry;

    #[test]
    fn all_blocks_that_fit_have_their_shared_memory() {
        let two = [entry(3072, &[("volta", Some(4))]), entry(0, &[("volta", Some(32))])];
        assert_eq!(allocated(&two, "volta"), Some(6144.0));
        assert_eq!(allocated(&[entry(1024, &[("volta", None)])], "volta"), None);
        assert_eq!(allocated(&two, "fermi"), None);
    }
}
