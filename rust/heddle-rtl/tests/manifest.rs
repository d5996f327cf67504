//! Manifests: what is read, and what is refused with which words.

mod common;

use std::fs;
use std::path::Path;

use heddle_rtl::{BenchTargets, Manifest, ManifestError};

#[test]
fn a_manifest_is_read() {
    let root = common::fixture("manifest");
    let flat = Manifest::load(&root, "flat").unwrap();
    assert_eq!(flat.top, "flat_top");
    assert_eq!(flat.preset, "maxwell");
    assert!(!flat.needs_intervals);
    assert_eq!(flat.sources[0], root.join("rtl/common/heddle_port_pkg.sv"));
    assert_eq!(flat.overrides["register_file.bank_cycles"].as_integer(), Some(2));
    assert_eq!(flat.elaboration(None).unwrap().name, "default");
    assert_eq!(flat.elaboration(Some("wide")).unwrap().parameters["issue_width"], 4);
    let all = Manifest::load_all(&root).unwrap();
    assert_eq!(all, std::slice::from_ref(&flat), "found by folder");
    let instance = flat.instance(flat.elaboration(Some("wide")).unwrap()).unwrap();
    assert_eq!((instance.widths.issue, instance.widths.result), (4, 3));
    assert_eq!(instance.events.of_bit(2), Some(("result_write", 2)));
    assert_eq!(instance.events.of_bit(3), None, "one bit a result slot");
}

#[test]
fn unknown_names_are_answered_with_what_there_is() {
    let root = common::fixture("manifest");
    let error = Manifest::load(&root, "flta").unwrap_err();
    assert!(matches!(error, ManifestError::UnknownDesign { .. }));
    let text = error.to_string();
    assert!(text.contains("did you mean 'flat'?"), "{text}");
    let flat = Manifest::load(&root, "flat").unwrap();
    let text = flat.elaboration(Some("narrow")).unwrap_err().to_string();
    assert!(text.contains("its elaborations are: default, wide"), "{text}");
    let nowhere = Manifest::load(Path::new("/nowhere"), "flat").unwrap_err();
    assert!(matches!(nowhere, ManifestError::Read { .. }));
}

/// The struct of the events in the tree is what the manifest says.
#[test]
fn generated_files_are_current() {
    let mut roots = vec![(common::fixture("generated"), Vec::new())];
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    roots.push((repository.clone(), Manifest::load_all(&repository).unwrap()));
    roots[0].1 = Manifest::load_all(&roots[0].0).unwrap();
    for manifest in roots.iter().flat_map(|(_, manifests)| manifests) {
        for file in manifest.generated().unwrap() {
            assert!(file.is_current().unwrap(), "{}: heddle check-design --write", file.path.display());
        }
    }
    let flat = &roots[0].1[0];
    let file = &flat.generated().unwrap()[0];
    assert!(file.text.contains("logic [ResultWidth-1:0] result_write;"), "{}", file.text);
    // A parameter of the port's configuration has a word.
    let path = roots[0].0.join("rtl/flat/design.toml");
    let good = fs::read_to_string(&path).unwrap();
    let word = |n: i32| {
        format!(
            "[[parameters]]\nname = \"limit_{n}\"\nkind = \"configuration\"\nrange = [0, {n}]\ndefault = 0\ndoc = \"\"\n"
        )
    };
    fs::write(&path, good.clone() + &word(1) + &word(2)).unwrap();
    let limited = Manifest::load(&roots[0].0, "flat").unwrap();
    assert!(limited.generated().unwrap()[1].text.contains("localparam int unsigned Limit2Word = 1;"));
    let made = limited.instance(limited.elaboration(None).unwrap()).unwrap().with("limit_2", 2);
    assert_eq!((made.word("flat", "limit_2"), made.design_words()[..2].to_vec()), (Ok(1), vec![0, 2]));
    fs::write(&path, good.clone() + &(0..9).map(word).collect::<String>()).unwrap();
    let many = Manifest::load(&roots[0].0, "flat").unwrap_err().to_string();
    assert!(many.contains("9 parameters are configuration: at most 8"), "{many}");
    fs::write(&path, good).unwrap();
    fs::write(&file.path, file.text.replace("ResultWidth", "IssueWidth")).unwrap();
    assert!(!file.is_current().unwrap());
    file.write().unwrap();
    assert!(file.is_current().unwrap());
}

#[test]
fn a_design_may_be_a_cycle_model_alone() {
    let root = common::fixture("models");
    // What an earlier run of this test left.
    let _ = fs::remove_dir_all(root.join("models"));
    let text =
        fs::read_to_string(root.join("rtl/flat/design.toml")).unwrap().replace("\"flat\"", "\"still\"");
    let sources =
        text.split_once("sources = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0.to_owned();
    let alone = text.replace(&format!("sources = [{sources}]\n"), "");
    let alone: String =
        alone.lines().filter(|line| !line.starts_with("top")).map(|line| format!("{line}\n")).collect();
    let write = |name: &str, text: &str| {
        fs::create_dir_all(root.join("models").join(name)).unwrap();
        fs::write(root.join("models").join(name).join("design.toml"), text).unwrap();
    };
    write("still", &alone);
    let still = Manifest::load(&root, "still").unwrap();
    assert!(!still.has_rtl && still.sources.is_empty() && still.generated().unwrap().is_empty());
    assert_eq!(still.folder, root.join("models/still"));
    assert_eq!(Manifest::names(&root).unwrap(), ["flat"], "those with RTL");
    let all: Vec<String> = Manifest::load_all(&root).unwrap().iter().map(Manifest::called).collect();
    assert_eq!(all, ["flat", "still"]);
    write("still", &text);
    let error = Manifest::load(&root, "still").unwrap_err().to_string();
    assert!(error.contains("it has no top and no sources"), "{error}");
    fs::write(root.join("rtl/flat/design.toml"), alone.replace("\"still\"", "\"flat\"")).unwrap();
    let error = Manifest::load(&root, "flat").unwrap_err().to_string();
    assert!(error.contains("missing field `design.top`"), "{error}");
    write("flat", &alone);
    let error = Manifest::load(&root, "still").unwrap_err().to_string();
    assert!(error.contains("a design of that name has RTL"), "{error}");
}

const VARIANTS: &str = r#"
[bench]
cosim = 25_000

[mapping]
ports = "result_width"
offsets = 32

[[variants]]
name = "slow"
title = "Flat and slow"
overrides = { "register_file.bank_cycles" = 9, "sm.warps" = 4 }

[[variants]]
name = "ideal"
title = "Flat without RTL"
model_only = true
overrides = {}

[[variants]]
name = "even"
alias = "level-rf"
preset = "volta"
paper = "Level files"
title = "Flat under another name"
overrides = {}
"#;

#[test]
fn variants_are_called_by_names_of_their_own() {
    let root = common::fixture("variants");
    let path = root.join("rtl/flat/design.toml");
    let text = fs::read_to_string(&path).unwrap() + VARIANTS;
    fs::write(&path, text).unwrap();
    let all = Manifest::load_all(&root).unwrap();
    let called: Vec<String> = all.iter().map(Manifest::called).collect();
    assert_eq!(called, ["flat", "flat-slow", "flat-ideal", "level-rf"]);
    let even = Manifest::load(&root, "level-rf").unwrap();
    assert_eq!((even.name.as_str(), even.preset.as_str()), ("flat", "volta"));
    assert_eq!(even.paper.as_deref(), Some("Level files"));
    assert!(Manifest::load(&root, "flat-even").is_err(), "it has a name of its own");
    assert_eq!(Manifest::names(&root).unwrap(), ["flat"]);
    let slow = Manifest::load(&root, "flat-slow").unwrap();
    assert_eq!((slow.name.as_str(), slow.title.as_str(), slow.has_rtl), ("flat", "Flat and slow", true));
    assert_eq!(slow.overrides["register_file.bank_cycles"].as_integer(), Some(9));
    assert_eq!(slow.overrides["sm.warps"].as_integer(), Some(4));
    let made = slow.instance(slow.elaboration(None).unwrap()).unwrap();
    let tables = slow.mapping_tables(&made.parameters).unwrap().unwrap();
    assert_eq!((tables.ports, tables.offsets, tables.rows()), (2, 32, 64));
    let bench = BenchTargets { model: None, cosim: Some(25e3), outside: None };
    assert_eq!(slow.bench, Some(bench), "a variant has its design's");
    assert!(!Manifest::load(&root, "flat-ideal").unwrap().has_rtl);
    let plain = Manifest::load(&root, "flat").unwrap();
    assert_eq!(plain.overrides["register_file.bank_cycles"].as_integer(), Some(2));
    let text = Manifest::load(&root, "flat-solw").unwrap_err().to_string();
    assert!(text.contains("did you mean 'flat-slow'?"), "{text}");
}

#[test]
fn wrong_manifests_are_refused_with_the_reason() {
    let root = common::fixture("manifest_errors");
    let path = root.join("rtl/flat/design.toml");
    let good = fs::read_to_string(&path).unwrap();
    let held = good.replace("preset", "memory_port = [\"global\", \"local\"]\npreset");
    let event = |name: &str, width: &str| {
        format!("{good}\n[[events]]\nname = \"{name}\"\nwidth = {width}\ncounted = true\ndoc = \"\"\n")
    };
    let parameter = |text: &str| {
        format!("{good}\n[[parameters]]\nname = \"depth\"\nkind = \"elaborated\"\ndoc = \"\"\n{text}\n")
    };
    let rule = |holds: &str| format!("{good}\n[[rules]]\nholds = \"{holds}\"\nmessage = \"no\"\n");
    for (text, expected) in [
        (good.replace("\"flat\"", "\"round\""), "the folder is 'flat'"),
        (good.replace("\"flat_top.sv\"", "\"gone.sv\""), "rtl/flat/gone.sv, which is not there"),
        (good.replace("preset", "present"), "present"),
        (good.replace("port = 2", "port = 1"), "design.port is 1, and the ports here have version 2"),
        (
            good.replace("port = 2\n", ""),
            "design.port, the version of the ports that it is made for, is not there",
        ),
        (
            good.replace("preset", "spills_registers = true\npreset"),
            "there is no memory_port to spill through",
        ),
        (good.replace("name = \"wide\"", "name = \"default\""), "'default' is there twice"),
        (event("result_write", "1"), "'result_write' is there twice"),
        (event("more", "1\nlsb = 1"), "'more' begins at bit 1, and the event before ends below bit 2"),
        (event("far", "1023"), "'far' has bits 2..1025: all below 1024"),
        (event("far", "1025"), "'far' has 1025 bits: 1 to 1024"),
        (event("none", "0"), "'none' has 0 bits"),
        (event("lost", "\"2 * banks\""), "width of event 'lost': 'banks' is no parameter"),
        (event("cut", "\"2 *\""), "formula '2 *': a number"),
        (event("odd", "\"issue_width - 2\""), "'odd' has 0 bits"),
        (event("wide", "3\nat_end = 2"), "'wide' has at_end = 2: bits of a number"),
        (parameter("default = 4\nrange = [5, 6]"), "'depth' is 4 by default, which is none of 5 to 6"),
        (parameter("default = 4\nvalues = [4]\nrange = [4, 6]"), "a range and values"),
        (parameter("default = 2"), "none of false or true"),
        (
            parameter("default = 4\nvalues = [4, 8]\nmodel_only = [16]"),
            "'depth' has model_only = 16, which is none of 4, 8",
        ),
        (
            parameter("default = 4\nvalues = [4, 8]\nmodel_only = [4]"),
            "'depth' is 4 by default, which is model_only: a value with RTL is expected",
        ),
        (parameter("default = \"a\""), "an integer, true or false is expected"),
        (
            parameter("default = true").replace("\"depth\"", "\"Depth\""),
            "parameter 'Depth': a name of lower-case",
        ),
        (
            good.replace("issue_width = 4", "issue_width = 5"),
            "'wide': issue_width = 5 is out of range: 1 to 4",
        ),
        (good.replace("issue_width = 4", "isue_width = 4"), "did you mean 'issue_width'?"),
        (rule("depth < 4"), "rule 'depth < 4': 'depth' is no parameter"),
        (rule("result_width >= 3"), "design.result_width = 2: no"),
        (good.clone() + &VARIANTS.replace("ideal", "slow"), "variant 'slow' is there twice"),
        (
            good.clone() + "\n[register_cache]\nhits = [\"gone\"]\nmisses = []\n",
            "register_cache names 'gone', which is no counted event",
        ),
        (
            held.clone() + "\n[integrated_memory]\nentries = [\"result_write\"]\n",
            "integrated_memory names 'result_write', which is no counted level",
        ),
        (
            held.clone() + "\n[integrated_memory]\nentries = []\n",
            "integrated_memory: entries of a design with memory_port",
        ),
        (
            good.clone() + "\n[integrated_memory]\nentries = [\"result_write\"]\n",
            "integrated_memory: entries of a design with memory_port",
        ),
        (good.clone() + "\n[bench]\ncosim = 0\n", "bench.cosim is 0: a positive number"),
        (good.clone() + "\n[bench]\nmodel = nan\n", "bench.model is NaN: a positive number"),
        (good.clone() + "\n[bench]\nmodle = 1\n", "modle"),
        (good.clone() + &VARIANTS.replace("offsets = 32", "offsets = 33"), "66 rows: a multiple of 32"),
        (good.clone() + &VARIANTS.replace("\"result_w", "\"5 * result_w"), "320 rows: a multiple of 32"),
        (
            good.clone() + &VARIANTS.replace("offsets = 32", "offsets = 0"),
            "mapping.offsets = 0 is 0: 1 or more",
        ),
        (
            good.clone() + &VARIANTS.replace("result_width", "ports"),
            "mapping.ports: formula 'ports': 'ports' is no known name",
        ),
    ] {
        fs::write(&path, text).unwrap();
        let error = Manifest::load(&root, "flat").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(error.contains("design.toml"), "{error}");
    }
    fs::write(&path, good).unwrap();
}

const ON_TOP: &str = r#"
[design]
name = "round"
title = "On top of flat"
extends = "flat"
port = 2
top = "round_top"
sources = ["round_top.sv"]

[overrides]
"register_file.bank_cycles" = 5

[[parameters]]
name = "entries"
kind = "elaborated"
range = [1, 8]
default = 4
doc = "Entries."

[[elaborations]]
name = "small"
parameters = { entries = 2 }

[[events]]
name = "hit"
width = "entries"
counted = true
doc = "A hit."
"#;

#[test]
fn a_design_says_only_what_it_has_more_than_the_one_it_stands_on() {
    let root = common::fixture("on_top");
    let folder = root.join("rtl/round");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("round_top.sv"), "").unwrap();
    let path = folder.join("design.toml");
    fs::write(&path, ON_TOP).unwrap();
    let round = Manifest::load(&root, "round").unwrap();
    let flat = Manifest::load(&root, "flat").unwrap();
    assert_eq!(round.extends, ["flat"]);
    assert_eq!(round.sources[..2], flat.sources);
    assert_eq!(round.sources[2], folder.join("round_top.sv"));
    assert_eq!(
        (round.preset.as_str(), round.override_number("register_file.bank_cycles")),
        ("maxwell", Some(5))
    );
    let made = round.instance(round.elaboration(None).unwrap()).unwrap();
    assert_eq!((made.parameters.get("entries"), made.parameters.get("regs_per_warp")), (Some(2), Some(64)));
    let events: Vec<_> = made.events.iter().map(|(name, field)| (name, field.lsb, field.width)).collect();
    assert_eq!(events, [("result_write", 0, 2), ("hit", 2, 2)], "those of the base first");
    fs::create_dir_all(root.join("testbench/round")).unwrap();
    fs::write(root.join("testbench/round/planted_bugs.toml"), "bugs = []").unwrap();
    let [own, base] = [&round, &flat].map(|m| heddle_rtl::planted::load(&root, m).unwrap());
    assert_eq!(own, base);
    for (base, expected) in
        [("round", "goes round"), ("cube", "there is no such design"), ("flat\"\nx = \"", "x")]
    {
        fs::write(&path, ON_TOP.replace("\"flat\"", &format!("\"{base}\""))).unwrap();
        let error = Manifest::load(&root, "round").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        // The other design is there as before.
        assert_eq!(Manifest::load(&root, "flat").unwrap(), flat);
        let each = Manifest::load_each(&root).unwrap();
        assert_eq!(each.iter().map(|found| found.read.is_ok()).collect::<Vec<_>>(), [true, false]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The designs of this repository, as they are.
#[test]
fn the_manifests_of_all_designs_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifests = Manifest::load_all(&root).unwrap();
    assert!(manifests.iter().any(|m| m.name == "baseline"));
    for manifest in manifests {
        assert!(manifest.events.iter().any(|e| e.counted), "{}: no counted event", manifest.name);
        let cosim = manifest.bench.as_ref().and_then(|bench| bench.cosim);
        assert!(
            cosim.is_some() || manifest.sources.is_empty(),
            "{}: no rate of the co-simulation to reach",
            manifest.name
        );
        let lists = heddle_rtl::planted::list_path(&root, &manifest);
        if lists.is_file() {
            let bugs = heddle_rtl::planted::load(&root, &manifest).unwrap();
            heddle_rtl::planted::instrument(&root, &manifest, &bugs).unwrap();
        }
    }
}
