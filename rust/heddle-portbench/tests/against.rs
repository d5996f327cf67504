//! The RTL of this tree against that of another one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_port::{PortConfig, PortStruct, RegisterFile, Status};
use heddle_portbench::against::{AgainstError, OtherDesign, Pair, Word, corners};
use heddle_rtl::Manifest;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

#[test]
fn all_designs_of_this_tree_are_read_as_another_trees() {
    let root = root();
    for name in Manifest::names(&root).expect("the designs") {
        let manifest = Manifest::load(&root, &name).expect("a manifest");
        let other = OtherDesign::read(&root, &name).expect("the design");
        let bits = |fields: &[(String, u32)]| fields.iter().map(|(_, bits)| *bits as usize).sum::<usize>();
        assert_eq!((bits(&other.config), bits(&other.status)), (PortConfig::BITS, Status::BITS));
        assert_eq!(other.elaborations.len(), manifest.elaborations.len(), "{name}");
        for (elaboration, (called, parameters)) in manifest.elaborations.iter().zip(&other.elaborations) {
            assert_eq!(&elaboration.name, called);
            assert!(
                parameters.contains_key("IssueWidth") && parameters.contains_key("ResultWidth"),
                "{name}"
            );
            let expected = manifest.instance(elaboration).expect("an instance").events;
            assert_eq!(other.events(parameters).expect("the events"), expected, "{name} {called}");
        }
    }
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

fn compare(other: &Path, cycles: u64) -> Result<u64, AgainstError> {
    let (root, name) = (root(), "baseline");
    let here = Manifest::load(&root, name).expect("a manifest");
    let other = OtherDesign::read(other, name)?;
    let parameters: BTreeMap<String, i64> = other.parameters(None)?.clone();
    let pair = Pair::build(&root, &here, &other, &parameters, &mut |_| {})?;
    assert!(pair.new_events.is_empty(), "{:?}", pair.new_events);
    let mut model = heddle_designs::create(name, pair.made_with()).expect("a model");
    let corners =
        corners(&parameters, (None, &Word::all(&here)), (1, 4), &mut |port| model.reset(port).is_ok());
    pair.compare(&corners, 1, cycles).map(|found| found.cycles)
}

#[test]
#[ignore = "builds the RTL of two trees"]
fn a_copy_is_equal_and_one_with_a_fault_is_not() {
    let folder = std::env::temp_dir().join(format!("heddle-against-{}", std::process::id()));
    for part in ["rtl", "testbench", "constraints"] {
        copy(&root().join(part), &folder.join(part));
    }
    let equal = compare(&folder, 20_000);
    let cell = folder.join("rtl/common/read_requests.sv");
    let text = fs::read_to_string(&cell).expect("the cell");
    let own = fs::read_to_string(root().join("rtl/common/read_requests.sv")).expect("the cell");
    assert!(text == own, "the other tree was changed");
    // The bank reads a source that lies in another one.
    let faulty = text.replace("&& bank_i[winner_i[b]][s] == BankBits'(b)", "");
    assert_ne!(text, faulty);
    fs::write(&cell, faulty).expect("the cell");
    let differs = compare(&folder, 20_000);
    fs::remove_dir_all(&folder).expect("the copy goes");
    assert!(matches!(equal, Ok(cycles) if cycles >= 20_000), "{equal:?}");
    assert!(matches!(differs, Err(AgainstError::Differs { .. })), "{differs:?}");
}
