//! The committed sheets, and what the audit sees.

use std::path::{Path, PathBuf};

use heddle_characters::{PRESETS, Store, audit, fingerprint, measure, sheets};
use heddle_config::Preset;
use heddle_workloads::{Size, all, find};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn presets() -> Vec<Preset> {
    heddle_config::machine_names()
        .into_iter()
        .map(|name| heddle_config::load(name).expect("a preset that ships"))
        .collect()
}

#[test]
fn sheets_are_fresh_and_all_values_are_near_the_published_ones_or_explained() {
    let found = audit(&Store::of(&root()), &presets()).expect("an audit");
    assert!(found.missing.is_empty(), "no sheet: {}", found.missing.join(", "));
    assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
    assert!(found.compared > 2 * all().len(), "only {} values compared", found.compared);
}

/// The kernels whose runs are the shortest.
const CHEAP: [&str; 3] = ["scalarprod", "reduction", "dct8x8"];

#[test]
fn cheap_kernels_measured_anew_give_their_sheets() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (committed, anew) = (Store::of(&root()), Store::of(folder.path()));
    for name in CHEAP {
        let workload = find(name).expect("a kernel");
        let sheet = measure(&root(), workload, Size::Paper, &presets(), &PRESETS, &mut ()).expect("a sheet");
        anew.write(workload, &sheet).expect("written");
        let [committed, anew] = [&committed, &anew].map(|store| {
            let mut sheet = store.read(workload).expect("readable").expect("a sheet");
            sheet.runs.values_mut().for_each(|run| run.cpu_seconds = 0.0);
            sheet
        });
        assert_eq!(committed.runs.len(), PRESETS.len(), "{name}");
        assert_eq!(
            committed, anew,
            "{name}; `make sheet` measures what is stale, `measure {name}` this kernel"
        );
    }
}

#[test]
fn a_sheet_of_another_size_or_with_another_value_is_seen() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let store = Store::of(folder.path());
    let workload = find("hotspot").expect("a kernel");
    let presets = presets();
    let sheet = measure(&root(), workload, Size::Smoke, &presets, &["fermi"], &mut ()).expect("a sheet");
    let run = &sheet.runs["fermi"];
    assert!(
        run.warp_instructions > 500 && run.footprint_bytes > 1000 && run.mix.global_load > 0.0,
        "{run:?}"
    );
    store.write(workload, &sheet).expect("written");
    assert_eq!(sheets(&store).expect("sheets").len(), 1);
    let wrong = |what: &str| {
        let found = audit(&store, &presets).expect("an audit");
        assert_eq!(found.missing.len(), all().len() - 1);
        assert!(found.wrong.iter().any(|w| w.contains(what)), "no '{what}' in {:?}", found.wrong);
    };
    wrong("docs/characters/README.md is not what the sheets give");
    wrong("hotspot: the sheet is of another program or size");
    wrong("hotspot: no run on volta");
    let mut other_code = sheet.clone();
    other_code.source = fingerprint(workload);
    store.write(workload, &other_code).expect("written");
    let found = audit(&store, &presets).expect("an audit");
    assert!(!found.wrong.iter().any(|w| w.contains("another program")), "{:?}", found.wrong);
    other_code.entries[0].code = "0".repeat(16);
    store.write(workload, &other_code).expect("written");
    wrong("hotspot: the sheet is of another program or size");
    let mut slow = sheet.clone();
    slow.runs.get_mut("fermi").expect("a run").cpu_seconds = 1801.0;
    store.write(workload, &slow).expect("written");
    wrong("hotspot: 1801 CPU seconds on fermi");
    let mut off = sheet.clone();
    off.entries[0].registers = 99;
    store.write(workload, &off).expect("written");
    wrong("registers 99, published");
}
