//! Planted bugs, with the fixture design.

mod common;

use std::fs;
use std::path::PathBuf;

use heddle_port::{Issue, PortConfig, RegIn, RegOut, RegisterData, RegisterFile, ResultWrite};
use heddle_rtl::planted::{self, BugClass, PlantedLibrary};
use heddle_rtl::{Manifest, RtlError, RtlRegisterFile};

fn load(name: &str) -> (PathBuf, Manifest) {
    let root = common::fixture(name);
    let manifest = Manifest::load(&root, "flat").unwrap();
    (root, manifest)
}

fn library() -> PlantedLibrary {
    let (root, manifest) = load("planted");
    let elaboration = manifest.elaboration(None).unwrap();
    planted::build(&root, &manifest, elaboration, &mut |_| {}).unwrap()
}

/// Writes 7 into all lanes of R2 of a warp, reads it back, and returns the lanes.
fn write_and_read(registers: &mut RtlRegisterFile, warp: u8) -> [u32; 32] {
    let config = PortConfig { bank_cycles: 1, ..PortConfig::default() };
    let mut out = registers.reset(&config).unwrap();
    let mut input = RegIn::default();
    for value in [5, 7] {
        input.result[0] =
            ResultWrite { valid: true, warp, register: 2, mask: u32::MAX, ..ResultWrite::default() };
        // The first write goes to the warp 32 slots away, for bugs that confuse the two.
        input.result[0].warp ^= if value == 5 { 32 } else { 0 };
        input.result_data[0] = [value; 32];
        registers.step(&input, &mut out).unwrap();
    }
    let mut input = RegIn::default();
    input.issue[0] =
        Issue { valid: true, warp, mask: u32::MAX, source_valid: 1, source: [2; 6], ..Issue::default() };
    registers.step(&input, &mut out).unwrap();
    assert!(out.operands[0].valid);
    registers.operand_data()[0][0]
}

#[test]
fn each_instance_has_its_own_bug_and_counts_its_activation() {
    let library = library();
    let mut clean = library.instance(1, None).unwrap();
    let mut lane = library.instance(1, Some("lane-dropped")).unwrap();
    let mut warp = library.instance(1, Some("wrong-warp")).unwrap();
    let mut asleep = library.instance(1, Some("never-awake")).unwrap();

    assert_eq!(write_and_read(&mut clean, 40), [7; 32]);
    assert_eq!(clean.activations().unwrap(), 0);

    let values = write_and_read(&mut lane, 40);
    assert_ne!(values[3], 7, "lane 3 keeps its random value");
    assert!(values.iter().enumerate().all(|(l, &v)| v == 7 || l == 3));
    assert!(lane.activations().unwrap() > 0);

    // Warp 40 and warp 8 share their registers: harmless one way, wrong the other way round.
    assert_eq!(write_and_read(&mut warp, 40), [7; 32]);
    assert!(warp.activations().unwrap() > 0);

    assert_eq!(write_and_read(&mut asleep, 40), [7; 32]);
    assert_eq!(asleep.activations().unwrap(), 0, "it made no difference");
}

#[test]
fn instances_with_different_bugs_run_in_threads_at_once() {
    let library = library();
    let runs: Vec<_> = [None, Some("lane-dropped"), None, Some("lane-dropped")]
        .into_iter()
        .map(|id| {
            let mut registers = library.instance(9, id).unwrap();
            std::thread::spawn(move || {
                for _ in 0..50 {
                    let values = write_and_read(&mut registers, 3);
                    assert_eq!(values == [7; 32], id.is_none());
                }
                registers.activations().unwrap()
            })
        })
        .collect();
    let counts: Vec<u64> = runs.into_iter().map(|r| r.join().unwrap()).collect();
    assert_eq!(counts[0], 0);
    assert!(counts[1] > 0);
    assert_eq!(counts[1], counts[3]);
}

#[test]
fn the_clean_build_has_no_bugs_to_plant() {
    let (root, manifest) = load("planted");
    let elaboration = manifest.elaboration(None).unwrap();
    let library = heddle_rtl::build(&root, &manifest, elaboration, &mut |_| {}).unwrap();
    let error = library.instance(1).unwrap().activations().unwrap_err();
    assert!(error.to_string().contains("without planted bugs"), "{error}");
}

#[test]
fn unknown_names_are_answered_with_a_hint() {
    let error = library().instance(1, Some("lane-droped")).unwrap_err();
    assert!(error.to_string().contains("did you mean 'lane-dropped'?"), "{error}");
}

#[test]
fn lists_that_cannot_be_planted_are_refused() {
    let (root, manifest) = load("planted_errors");
    let good = planted::load(&root, &manifest).unwrap();
    assert_eq!(good[0].class, BugClass::LaneMask);
    assert_eq!(good[3].class, BugClass::Activation);
    let refused = |change: &dyn Fn(&mut Vec<planted::PlantedBug>)| {
        let mut bugs = good.clone();
        change(&mut bugs);
        let error = planted::instrument(&root, &manifest, &bugs).unwrap_err();
        assert!(matches!(error, RtlError::Planted { .. }), "{error}");
        error.to_string()
    };
    let error = refused(&|b| b[0].original = "no such text".to_owned());
    assert!(error.contains("'lane-dropped'") && error.contains("occurs 0 times"), "{error}");
    let error = refused(&|b| b[0].original = "always_ff".to_owned());
    assert!(error.contains("occurs 7 times"), "{error}");
    let error = refused(&|b| b[0].file = "rtl/flat/other.sv".into());
    assert!(error.contains("no source of design 'flat'"), "{error}");
    let error = refused(&|b| b[1].original = "result_i[r].mask;\n".to_owned());
    assert!(error.contains("overlaps with that of 'lane-dropped'"), "{error}");

    let path = planted::list_path(&root, &manifest);
    let text = fs::read_to_string(&path).unwrap();
    let refused = |text: String, expected: &str| {
        fs::write(&path, text).unwrap();
        let error = planted::load(&root, &manifest).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("planted_bugs.toml"), "{error}");
    };
    refused(text.replace("wrong-warp", "lane-dropped"), "there twice");
    refused(text.replace("full-empty", "whatever"), "whatever");
    refused(text.replace("kernel", "kernal"), "kernal");
    let (same, _) = text.split_once("replacement").unwrap();
    let original = "replacement = \"result_i[r].mask\"\nkernel = \"\"\nexpect = [\"operand\"]\ndoc = \"\"\n";
    refused(format!("{same}{original}"), "another replacement");
    refused(text.replace("expect = [\"status\"]", "expect = []"), "at least one name");
    refused(text.replace("expect = [\"status\"]", "elaboration = \"wied\"\nexpect = [\"status\"]"), "'wied'");
    refused(text.replace("expect = [\"status\"]", "expect = [\"\"]"), "no empty one");
    fs::remove_file(&path).unwrap();
    assert!(matches!(planted::load(&root, &manifest).unwrap_err(), RtlError::File(_)));
}

/// A register file with a bug is still a register file.
#[test]
fn a_bug_in_a_decision_changes_outputs() {
    let library = library();
    let mut registers = library.instance(1, Some("ready-while-full")).unwrap();
    let config = PortConfig { bank_cycles: 1, ..PortConfig::default() };
    registers.reset(&config).unwrap();
    let mut out = RegOut::default();
    let mut input = RegIn::default();
    for tag in [1, 2] {
        input.issue[0] = Issue { valid: true, tag, ..Issue::default() };
        registers.step(&input, &mut out).unwrap();
    }
    assert_eq!(out.operands[0].tag, 2, "the first one was overwritten");
    assert!(registers.activations().unwrap() > 0);
}

const OF_CELLS: &str = r#"
[[bugs]]
id = "never"
class = "hazard"
file = "rtl/cells/gate.sv"
original = "a_i && b_i"
replacement = "1'b0"
expect = ["y"]
doc = "Never."

[[bugs]]
id = "always"
class = "hazard"
file = "rtl/cells/gate.sv"
original = "a_i && b_i"
replacement = "1'b1"
expect = ["y"]
doc = "Always."

[[bugs]]
id = "elsewhere"
class = "hazard"
file = "rtl/cells/other.sv"
original = "a_i"
replacement = "1'b1"
expect = ["y"]
doc = "In a cell that the design does not have."
"#;

/// A design has the bugs of the cells that it is made of, in the lists of their folders.
#[test]
fn bugs_of_cells_are_those_of_every_design_that_has_them() {
    let root = common::fixture("planted_cells");
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "rtl/cells/gate.sv",
        "module gate (input a_i, b_i, output y_o);\nassign y_o = a_i && b_i;\nendmodule\n",
    );
    write("testbench/cells/planted_bugs.toml", OF_CELLS);
    let design = fs::read_to_string(root.join("rtl/flat/design.toml")).unwrap();
    let design = design.replace("\"flat_top.sv\"", "\"../cells/gate.sv\", \"flat_top.sv\"");
    write("rtl/flat/design.toml", &design);
    let manifest = Manifest::load(&root, "flat").unwrap();
    let own = fs::read_to_string(planted::list_path(&root, &manifest)).unwrap();
    let ids = |text: &str| {
        fs::write(planted::list_path(&root, &manifest), text).unwrap();
        let bugs = planted::load(&root, &manifest).map_err(|error| error.to_string())?;
        Ok::<_, String>(bugs.into_iter().map(|bug| bug.id).collect::<Vec<_>>())
    };

    let all = ids(&own).unwrap();
    assert_eq!(all[all.len() - 2..], ["never", "always"], "the cell's own come last");
    let bugs = planted::load(&root, &manifest).unwrap();
    assert!(bugs[all.len() - 1].list.ends_with("testbench/cells/planted_bugs.toml"));
    let texts = planted::instrument(&root, &manifest, &bugs).unwrap();
    let (never, always) = (all.len() - 1, all.len());
    let expected = format!(
        "assign y_o = (heddle_fault_pkg::heddle_fault_pick(16'sd{always}, ((a_i && b_i) !== (1'b1))) ? (1'b1) : \
         ((heddle_fault_pkg::heddle_fault_pick(16'sd{never}, ((a_i && b_i) !== (1'b0))) ? (1'b0) : (a_i && b_i))));"
    );
    let text = &texts[&root.join("rtl/cells/gate.sv")];
    assert!(text.contains(&expected), "no {expected} in {text}");

    // A bug of the design's own in place of the cell's, and one that makes no difference here.
    let (_, never) = OF_CELLS.split_once("[[bugs]]").unwrap();
    let (never, _) = never.split_once("[[bugs]]").unwrap();
    let instead = format!("{own}\n[[bugs]]{never}\n[[without]]\nids = [\"always\"]\ndoc = \"b_i is 1.\"\n");
    let replaced = ids(&instead).unwrap();
    assert_eq!((replaced.len(), replaced.last().unwrap().as_str()), (all.len() - 1, "never"));
    assert!(
        planted::load(&root, &manifest).unwrap().last().unwrap().list.ends_with("flat/planted_bugs.toml")
    );
    let unknown = ids(&instead.replace("[\"always\"]", "[\"allways\"]")).unwrap_err();
    assert!(unknown.contains("no cell of the design has such a bug; did you mean 'always'?"), "{unknown}");
}
