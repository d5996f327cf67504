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
