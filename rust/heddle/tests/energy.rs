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
        let line = ["sim", "-q", "-k", "vectoradd", "--format", "json", "-d"];
        let rows = heddle(&[&line[..], &[&designs.join(",")]].concat()).passes();
        let file = folder.path().join(&name);
        std::fs::write(&file, &rows.stdout).expect("writable");
        let energy = heddle(&["energy", text(&file), "-t", &name, "--format", "json"]).passes().json();
        assert_eq!(energy.len(), designs.len(), "{name}");
        for row in energy {
            let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{name}: no {key} in {row}"));
            assert!(number("dynamic_pj") > 0.0 && number("leakage_pj") > 0.0, "{name}: {row}");
            assert_eq!(row["area"].is_number(), technology.area_unit.is_some(), "{name}: {row}");
        }
    }
}
