//! `heddle energy` on rows that `heddle sim` prints.

use heddle_energy::Technology;

use crate::common::{heddle, text};

/// Every technology has all numbers that it counts in the rows of its designs.
#[test]
fn rows_of_every_design_have_what_its_technologies_count() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("temporary folder");
    let names = Technology::names(&root);
    assert!(!names.is_empty());
    for name in names {
        let technology = Technology::load(&root, &name).unwrap_or_else(|e| panic!("{e}"));
        let designs: Vec<&str> =
            technology.designs.iter().flat_map(|d| &d.names).map(String::as_str).collect();
        let file = folder.path().join(&name);
        let rows: String = designs.iter().map(|design| row_of_its_size(&technology, design)).collect();
        std::fs::write(&file, rows).expect("writable");
        let energy = heddle(&["energy", text(&file), "-t", &name, "--format", "json"]).passes().json();
        assert_eq!(energy.len(), designs.len(), "{name}");
        for row in energy {
            let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{name}: no {key} in {row}"));
            assert!(number("dynamic_pj") > 0.0 && number("leakage_pj") > 0.0, "{name}: {row}");
            assert_eq!(row["area"].is_number(), technology.area_unit.is_some(), "{name}: {row}");
        }
    }
}

/// A run of a design that has the size of the technology's constants, with its own preset or another.
fn row_of_its_size(technology: &Technology, design: &str) -> String {
    let line = ["sim", "-q", "-k", "vectoradd", "--format", "json", "-d", design];
    let presets: [&[&str]; 4] = [&[], &["-p", "fermi"], &["-p", "maxwell"], &["-p", "rf-7"]];
    let all = presets.map(|preset| heddle(&[&line[..], preset].concat()));
    let of = &technology.design(design).expect("it has the design").of;
    let fits =
        |row: &serde_json::Value| of.iter().all(|(key, of)| row["parameters"][key].as_f64() == Some(*of));
    let found = all.into_iter().find(|ran| ran.code == 0 && fits(&ran.json()[0]));
    found.unwrap_or_else(|| panic!("no preset has the size of {design}")).stdout
}

#[test]
fn of_several_bases_the_one_with_the_settings_of_the_run_is_taken() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("runs.jsonl");
    let sim = |more: &[&str]| {
        let line = ["sim", "-q", "-k", "vectoradd", "-p", "fermi", "--format", "json", "-d", "baseline"];
        heddle(&[&line[..], more].concat()).passes().stdout
    };
    let clocks = sim(&["--set", "gpu.core_mhz=700,1400"]);
    let relative = |rows: &str| {
        std::fs::write(&file, rows).expect("writable");
        heddle(&["energy", text(&file), "-t", "hybrid", "--relative-to", "baseline", "--format", "json"])
    };
    let rows = relative(&clocks).passes().json();
    assert!(rows.len() == 2 && rows.iter().all(|row| row["relative"] == 1.0), "{rows:?}");
    relative(&(clocks.clone() + &clocks)).fails(2, &["2 runs of it", "gpu.core_mhz 700", "expected one"]);
    let maxwell = sim(&["--set", "sm.registers=65536", "--set", "register_file.rows_per_bank=128"]);
    relative(&maxwell).fails(2, &["sm.registers = 32768; the run has 65536"]);
}

/// Constants of a run of `baseline` on `fermi`.
const MINE: &str = r#"title = "t"
source = "s"
[constants]
read = { value = 2, unit = "pJ", source = "x" }
leak = { value = 3, unit = "mW", source = "x" }
[[design]]
names = ["baseline", "ltrf"]
of = { "sm.registers" = 32768 }
[[design.component]]
name = "file"
dynamic = [{ count = "events.main_bank_read", energy = ["read"] }]
leakage = [{ power = ["leak"], during = "statistics.cycles" }]
"#;

/// A run of `baseline` on `fermi`.
fn row() -> String {
    let line = ["sim", "-q", "-k", "vectoradd", "-p", "fermi", "--format", "json", "-d", "baseline"];
    heddle(&line).passes().stdout
}

#[test]
fn what_neither_a_design_nor_a_row_has_is_refused_where_the_technology_names_it() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (results, technology) = (folder.path().join("runs.jsonl"), folder.path().join("mine.toml"));
    let row = row();
    let energy = |row: &str, constants: &str| {
        std::fs::write(&results, row).expect("writable");
        std::fs::write(&technology, constants).expect("writable");
        heddle(&["energy", text(&results), "-t", text(&technology)])
    };
    energy(&row, MINE).passes();
    for (from, to, place, hint) in [
        ("main_bank_read", "main_bank_raed", ":11:22: unknown count: ", "'events.main_bank_read'?"),
        ("statistics.cycles", "statistics.cycels", ":12:41: unknown count: ", "'statistics.cycles'?"),
        ("sm.registers", "sm.registerz", ":8:8: unknown key 'sm.registerz' of a preset", "'registers'?"),
        ("ltrf", "ltfr", ":7:22: unknown design 'ltfr'", "'ltrf'?"),
        ("ltrf", "zebra", ":7:22: unknown design 'zebra'; expected one of", "--design-path"),
    ] {
        let place = format!("mine.toml{place}");
        energy(&row, &MINE.replace(from, to)).fails(2, &[&place, to, hint]);
    }
    // What a design counts and the row lacks is wrong in the results.
    let without = row.replace("\"main_bank_read\":", "\"main_bank_raed\":");
    energy(&without, MINE).fails(2, &["runs.jsonl:1: the row has no number 'events.main_bank_read'"]);
    // A design that was made elsewhere is known by its rows.
    let outside = |text: &str| text.replace("baseline", "elsewhere").replace("main_bank_read", "own_read");
    energy(&outside(&row), &outside(MINE)).passes();
}

#[test]
fn runs_that_did_not_pass_and_files_without_runs_have_no_energy() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("runs.jsonl");
    let energy = |rows: &str| {
        std::fs::write(&file, rows).expect("writable");
        heddle(&["energy", text(&file), "-t", "racetrack"])
    };
    let row = row();
    let failed = row.replace("\"ok\":true", "\"ok\":false");
    assert_ne!(failed, row);
    energy(&format!("{row}\n")).passes();
    let what = "runs.jsonl:3: the run of kernel vectoradd on design baseline did not pass (ok = false)";
    energy(&format!("{row}\n{failed}")).fails(2, &[what]);
    energy("\n").fails(2, &["runs.jsonl holds no rows; expected JSON lines of results"]);
}
