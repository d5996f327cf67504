//! Designs that are cycle models without RTL, given to the real program.

use crate::common::heddle;

/// All of them, whatever file names them.
const ALONE: [&str; 4] = ["rfc", "shrf", "ideal-rf", "baseline-272k"];

#[test]
fn they_are_listed_without_rtl() {
    let rows = heddle(&["list", "designs", "--format", "json"]).passes().json();
    for design in ALONE {
        let row = rows.iter().find(|row| row["design"] == design).unwrap_or_else(|| panic!("no {design}"));
        assert_eq!((&row["rtl"], &row["model"]), (&false.into(), &true.into()), "{row}");
    }
}

#[test]
fn sim_runs_them_and_what_needs_rtl_says_why_not() {
    for design in ALONE {
        let row =
            &heddle(&["sim", "-q", "-k", "vectoradd", "-d", design, "--format", "json"]).passes().json()[0];
        assert!(row["ipc"].as_f64().is_some_and(|ipc| ipc > 0.0), "{row}");
        heddle(&["cosim", "-q", "-k", "vectoradd", "-d", design])
            .fails(2, &[&format!("'{design}' is a cycle model without RTL: `sim` runs it, `cosim` cannot")]);
    }
    for design in ALONE {
        let ran = heddle(&["check-design", design])
            .fails(2, &[&format!("'{design}' is a cycle model without RTL, and it is RTL that")]);
        assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{}", ran.stderr);
    }
    let row = &heddle(&["sim", "-q", "-k", "hotspot", "-d", "rfc", "--format", "json"]).passes().json()[0];
    let rate = row["register_cache_hit_rate"].as_f64().expect("a rate");
    assert!(rate > 0.0 && rate < 1.0, "{row}");
}

#[test]
fn a_cache_without_room_for_the_active_warps_is_refused() {
    let sim = |key: &str| heddle(&["sim", "-q", "-k", "vectoradd", "-d", "rfc", "--set", key]);
    sim("design.cache_registers=7").fails(
        2,
        &["each active warp has 0 entries of the cache, 1 to 32 are expected", "scheduler.policy=two-level"],
    );
    sim("design.cache_registers=48").passes();
}

/// Reads and writes of the main register file.
fn main_accesses(row: &serde_json::Value) -> u64 {
    ["main_bank_read", "main_bank_write"].iter().filter_map(|event| row["events"][event].as_u64()).sum()
}

#[test]
fn a_managed_hierarchy_spares_the_main_file() {
    let kernels = "matrixmul,sgemm,hotspot,bfs";
    let rows = |design: &str, set: &str| {
        heddle(&["sim", "-q", "-k", kernels, "-d", design, "--set", set, "--format", "json"]).passes().json()
    };
    let baseline = rows("baseline", "register_file.bank_cycles=4");
    let [one, three] =
        ["design.operand_entries=1", "design.operand_entries=3"].map(|entries| rows("shrf", entries));
    for ((baseline, one), three) in baseline.iter().zip(&one).zip(&three) {
        let [all, one, three] = [baseline, one, three].map(main_accesses);
        println!("{}: {all} accesses of the main file; 1 entry {one}, 3 entries {three}", baseline["kernel"]);
        assert!(three < one && one < all && three > 0, "{}", baseline["kernel"]);
    }
    heddle(&["sim", "-q", "-k", kernels, "-d", "shrf", "--set", "design.operand_entries=9"])
        .fails(2, &["operand_entries", "8"]);
}
