//! Latencies of loads, by pointer chases through the cycle model (OSM, table 1).

use heddle_config::Override;
use heddle_cosim::{Path, RunError, latencies};

use super::{Family, fail};
use crate::error::ClaimError;
use crate::stock::Stock;

/// Table 1; the whole time of a dependent load.
pub const OSM: Family = Family {
    measures: &[
        ("osm-l1-hit-cycles", "cycles of a load that hits in the L1"),
        ("osm-l2-hit-cycles", "cycles of a load that misses in the L1 and hits in L2"),
        ("osm-memory-cycles", "cycles of a load from memory"),
        ("osm-memory-worst-cycles", "cycles of a load from memory whose TLB has to be asked"),
        ("osm-shared-hit-cycles", "cycles of a load from shared memory that hits in its cache"),
        ("osm-shared-memory-cycles", "cycles of a load from off-chip shared memory"),
    ],
    compute: osm,
    command: Some("heddle latency -d osm --set dram.translation_latency=123"),
};

fn osm(stock: &Stock) -> Result<Vec<(&'static str, f64)>, ClaimError> {
    // The TLB that has to be asked for every read, as docs/designs/osm.md has it.
    let worst: Override = "dram.translation_latency=123".parse().map_err(RunError::usage)?;
    let usual = latencies(stock.root(), "osm", None, &[], &mut ())?;
    let worst = latencies(stock.root(), "osm", None, &[worst], &mut ())?;
    let mut all = Vec::new();
    for (name, measured, path) in [
        ("osm-l1-hit-cycles", &usual, Path::L1Hit),
        ("osm-l2-hit-cycles", &usual, Path::L2Hit),
        ("osm-memory-cycles", &usual, Path::Memory),
        ("osm-memory-worst-cycles", &worst, Path::Memory),
        ("osm-shared-hit-cycles", &usual, Path::SharedHit),
        ("osm-shared-memory-cycles", &usual, Path::SharedMemory),
    ] {
        let found = measured.iter().find(|latency| latency.path == path);
        let missing = || fail("osm-latency")(format!("osm has no path '{path}'"));
        all.push((name, found.ok_or_else(missing)?.cycles));
    }
    Ok(all)
}
