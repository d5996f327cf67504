//! Occupancy and register utilisation of the racetrack paper's kernels (table 1), with its blocks and registers.

use heddle_characters::entries;

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// Racetrack, table 1.
pub const TABLE: Family = Family {
    measures: &[
        ("racetrack-occupancy-hotspot", "occupancy of hotspot"),
        ("racetrack-utilisation-hotspot", "register utilisation of hotspot"),
        ("racetrack-occupancy-btree", "occupancy of b+tree"),
        ("racetrack-utilisation-btree", "register utilisation of b+tree"),
        ("racetrack-occupancy-histo-final", "occupancy of histo_final"),
        ("racetrack-utilisation-histo-final", "register utilisation of histo_final"),
        ("racetrack-occupancy-histo-main", "occupancy of histo_main"),
        ("racetrack-utilisation-histo-main", "register utilisation of histo_main"),
        ("racetrack-occupancy-mri-gridding", "occupancy of mri-gridding"),
        ("racetrack-utilisation-mri-gridding", "register utilisation of mri-gridding"),
    ],
    compute: table,
    command: Some("heddle list kernels"),
};

/// Names of occupancy and utilisation, the kernel, and the entry with the row's block and registers.
const ROWS: [(&str, &str, &str, &str); 5] = [
    ("racetrack-occupancy-hotspot", "racetrack-utilisation-hotspot", "hotspot-racetrack", "hotspot"),
    ("racetrack-occupancy-btree", "racetrack-utilisation-btree", "btree-racetrack", "btree_find_range"),
    (
        "racetrack-occupancy-histo-final",
        "racetrack-utilisation-histo-final",
        "histo-racetrack",
        "histo_final",
    ),
    ("racetrack-occupancy-histo-main", "racetrack-utilisation-histo-main", "histo-racetrack", "histo_main"),
    (
        "racetrack-occupancy-mri-gridding",
        "racetrack-utilisation-mri-gridding",
        "mri-gridding-racetrack",
        "mri_gridding_split",
    ),
];
/// Lanes of a warp.
const LANES: u32 = 32;

fn table(_: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    let broken = |e: &dyn std::fmt::Display| fail("racetrack-occupancy")(e.to_string());
    let fermi = heddle_config::load("fermi").map_err(|e| broken(&e))?;
    let mut all = Vec::new();
    for (occupancy, utilisation, kernel, entry) in ROWS {
        let workload = heddle_workloads::find(kernel).map_err(|e| broken(&e))?;
        let entries = entries(workload, std::slice::from_ref(&fermi)).map_err(|e| broken(&e))?;
        let found = entries.iter().find(|character| character.entry == entry);
        let fits = found.and_then(|c| Some((c, c.residency.get(&fermi.name)?.as_ref()?)));
        let missing = || broken(&format!("{kernel} has no entry {entry} that fits"));
        let (character, fits) = fits.ok_or_else(missing)?;
        let used = fits.warps * LANES * character.registers;
        all.push((occupancy, f64::from(fits.warps) / f64::from(fits.warp_slots)));
        all.push((utilisation, f64::from(used) / f64::from(fermi.sm.registers)));
    }
    Ok(all)
}
