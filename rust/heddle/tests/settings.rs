//! Settings and names of values, given to the real program: what is ignored or wrong is said.

use std::path::{Path, PathBuf};

use crate::common::{cases, heddle, text};

/// Results of a model run of vectoradd, in a file of `folder`.
fn results(folder: &Path, design: &str) -> PathBuf {
    let path = folder.join(format!("{design}.jsonl"));
    let ran = heddle(&["sim", "-q", "-k", "vectoradd", "-d", design, "--format", "json"]).passes();
    std::fs::write(&path, ran.stdout).expect("writable");
    path
}

#[test]
fn a_key_that_the_design_does_not_read_is_named() {
    let sim = |design: &str, key: &str| heddle(&["sim", "-q", "-k", "vectoradd", "-d", design, "--set", key]);
    let only = "register_file.ways has no meaning for design 'baseline' and is ignored; it is for cerf";
    sim("baseline", "register_file.ways=8").warns(&[only]);
    sim("cerf", "register_file.ways=8").passes();
    for key in
        ["bytes=32768", "ways=8", "mshrs=16", "mshr_merges=4", "always_hit=true", "unified_bytes=131072"]
    {
        let name = key.split('=').next().unwrap_or_default();
        let line = format!("l1d.{name} has no meaning for design 'cerf-fair' and is ignored");
        sim("cerf-fair", &format!("l1d.{key}")).warns(&[&line]);
        sim("hybrid", &format!("l1d.{key}")).passes();
    }
    sim("unified-rf", "l1d.bytes=32768").warns(&["l1d.bytes has no meaning for design 'unified-rf'"]);
    // Once a design, whatever the kernels, and not for what the design sets itself.
    let ran = heddle(&[
        "sim",
        "-q",
        "-d",
        "racetrack,ltrf",
        "-k",
        "vectoradd,reduction",
        "--set",
        "register_file.shift_cycles=2",
    ]);
    let ran = ran.warns(&["register_file.shift_cycles has no meaning for design 'ltrf'"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn of_a_preset_file_the_keys_that_were_changed_are_named() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let preset = folder.path().join("mine.toml");
    let shipped =
        std::fs::read_to_string(cases().join("../../../../presets/fermi.toml")).expect("the preset");
    let sim = || heddle(&["sim", "-q", "-k", "vectoradd", "-d", "cerf", "-p", text(&preset)]);
    std::fs::write(&preset, &shipped).expect("writable");
    sim().passes();
    let changed = shipped.replace("bytes = 16384", "bytes = 32768");
    assert_ne!(shipped, changed);
    std::fs::write(&preset, changed).expect("writable");
    let ran = sim().warns(&["l1d.bytes has no meaning for design 'cerf' and is ignored"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}

#[test]
fn refused_values_name_the_key_and_what_is_allowed() {
    let sim = |design: &str, key: &str| heddle(&["sim", "-q", "-k", "vectoradd", "-d", design, "--set", key]);
    for design in ["cerf", "hybrid", "sttram"] {
        sim(design, "register_file.rows_per_bank=128").fails(
            2,
            &["register_file.rows_per_bank = 128, which gives design.rows_per_bank, is out of range: "],
        );
    }
    sim("baseline", "scheduler.policy=gtto")
        .fails(2, &["'scheduler.policy': unknown variant `gtto`", "`gto`"]);
    sim("unified-rf", "l1d.unified_bytes=65536")
        .fails(2, &["'l1d.unified_bytes' = 65536", "4 x sm.registers"]);
    heddle(&["compile", "--emit", "mapping"])
        .fails(2, &["--launch L.toml beside FILE.ptx, or --kernel NAME"]);
    heddle(&["compile"]).fails(2, &["a PTX file is needed"]);
}

/// Nothing runs where any of the runs cannot: no row and no progress is printed.
#[test]
fn settings_of_all_runs_are_checked_before_the_first() {
    let refused = |line: &[&str], part: &str| {
        let ran = heddle(line).fails(2, &[part]);
        assert_eq!((ran.stdout.as_str(), ran.stderr.lines().count()), ("", 1), "{line:?}: {}", ran.stderr);
    };
    let sim = ["sim", "-k", "vectoradd"];
    let with = |more: &[&'static str]| [&sim[..], more].concat();
    refused(&with(&["-d", "baseline,nosuch"]), "nosuch: unknown design 'nosuch'");
    refused(&with(&["--set", "sm.warps=32,x"]), "baseline sm.warps=x: --set sm.warps=x: ");
    refused(&with(&["--set", "sm.warps=32,"]), "--set: 'sm.warps' has an empty value");
    refused(&["latency", "-d", "nosuch"], "unknown design 'nosuch'");
    refused(&["latency", "-d", "osm,nosuch"], "unknown design 'nosuch'");
    refused(&["tolerable", "vectoradd", "-d", "ltrf,nosuch"], "unknown design 'nosuch'");
    refused(&["check-design", "baseline", "--set", "foo=1"], "--set foo=1: unknown key 'foo'");
}

#[test]
fn the_option_that_gave_a_setting_is_named() {
    heddle(&["bank-time", "-q", "vectoradd", "--reference", "foo=1"])
        .fails(2, &["--reference foo=1: unknown key 'foo'"]);
    heddle(&["bank-time", "-q", "vectoradd", "--set", "foo=1"]).fails(2, &["--set foo=1: unknown key 'foo'"]);
    heddle(&["tolerable", "-q", "vectoradd", "--key", "sm.warpz"])
        .fails(2, &["--key sm.warpz with 1 of --values: unknown key 'sm.warpz'; did you mean 'warps'?"]);
    for key in ["register_file.bank_cycles", "register_file.read_ps"] {
        let said = format!("--set {key}: --values say what register_file.bank_cycles is");
        heddle(&["tolerable", "-q", "vectoradd", "--set", &format!("{key}=3")]).fails(2, &[&said]);
    }
    let write = ["--key", "register_file.write_cycles", "--set", "register_file.write_ps=300"];
    heddle(&[&["tolerable", "-q", "vectoradd"][..], &write].concat())
        .fails(2, &["--set register_file.write_ps: --values say what register_file.write_cycles is"]);
    heddle(&["bank-time", "-q", "vectoradd", "--values", "1,1.3"])
        .fails(2, &["1.3 of --values, register_file.bank_cycles:"]);
}

#[test]
fn what_is_given_twice_is_refused() {
    let twice = "--design: 'baseline' is there twice";
    heddle(&["sim", "-q", "-k", "vectoradd", "-d", "baseline,baseline"]).fails(2, &[twice]);
    heddle(&["latency", "-q", "-d", "baseline,baseline"]).fails(2, &[twice]);
    heddle(&["tolerable", "-q", "vectoradd", "-d", "baseline,baseline"]).fails(2, &[twice]);
    let kernels = "vectoradd,bfs,vectoradd";
    let twice = "--kernel: 'vectoradd' is there twice";
    for command in [
        &["sim", "-q"][..],
        &["cosim", "-q"],
        &["exec", "-q"],
        &["trace", "-q", "-o", "traces"],
        &["record", "-q", "-o", "recording"],
        &["coverage", "-q", "baseline"],
        &["mutate", "-q", "baseline"],
    ] {
        heddle(&[command, &["-k", kernels]].concat()).fails(2, &[twice]);
    }
    heddle(&["coverage", "-q", "baseline", "--variant-kernel", kernels])
        .fails(2, &["--variant-kernel: 'vectoradd' is there twice"]);
    for command in ["tlp", "tolerable", "bank-time"] {
        heddle(&[command, "-q", kernels]).fails(2, &["KERNEL: 'vectoradd' is there twice"]);
    }
    heddle(&["sim", "-q", "-k", "vectoradd", "--set", "sm.warps=32,32"])
        .fails(2, &["--set: 'sm.warps' has a value twice"]);
    let set = ["--set", "sm.warps=32", "--set", "sm.warps=16"];
    for command in [
        &["sim", "-q", "-k", "vectoradd"][..],
        &["exec", "-q", "-k", "vectoradd"],
        &["tlp", "-q", "vectoradd"],
        &["latency", "-q"],
        &["check-design", "baseline"],
        &["compile", "-q", "-k", "vectoradd", "--emit", "mapping"],
    ] {
        heddle(&[command, &set[..]].concat()).fails(2, &["--set: 'sm.warps' is given twice"]);
    }
    let reference = ["--reference", "sm.warps=32", "--reference", "sm.warps=16"];
    heddle(&[&["bank-time", "-q", "vectoradd"], &reference[..]].concat())
        .fails(2, &["--reference: 'sm.warps' is given twice"]);
}

#[test]
fn designs_with_one_preset_and_different_sms_are_told_apart() {
    let table = heddle(&["sim", "-q", "-k", "vectoradd", "-d", "racetrack,hybrid"]).passes().stdout;
    let line = table.lines().last().unwrap_or_default();
    assert!(line.starts_with("different SMs of preset fermi: "), "{table}");
    assert!(line.contains("scheduler.policy hybrid two-level, racetrack round-robin"), "{line}");
    assert!(!line.contains("register_file."), "{line}");
    let table =
        heddle(&["sim", "-q", "-k", "vectoradd", "-p", "fermi", "-d", "cerf,baseline"]).passes().stdout;
    assert!(!table.contains("different SMs"), "{table}");
}

#[test]
fn the_value_of_a_mean_is_found_by_name() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (a, b) = (results(folder.path(), "cerf"), results(folder.path(), "baseline"));
    let mean = |key: &str| heddle(&["compare", text(&a), text(&b), "--mean", key, "--format", "json"]);
    let short = mean("memory.dram.reads + cycles").passes().json();
    assert_eq!(short[0]["key"], "statistics.memory.dram.reads+cycles");
    let whole = mean("statistics.memory.dram.reads+cycles").passes().json();
    assert_eq!(short, whole);
    mean("cycels").fails(2, &["no run has a number 'cycels'; did you mean 'cycles'?"]);
    mean("events.load_hitt")
        .fails(2, &["no run has a number 'events.load_hitt'; did you mean 'events.load_hit'?"]);
    mean("memory.dram.raeds").fails(2, &["did you mean 'memory.dram.reads'?"]);
    mean("zebra").fails(2, &["no run has a number 'zebra'; such as ipc"]);
    // What the launches counted comes before what their flushes did.
    let lookups = mean("tag_lookup");
    lookups.fails(2, &[&format!("no run of {} has a number 'events.tag_lookup'", text(&b))]);
    let several = "'dram.reads' can be several";
    assert!(!mean("dram.reads").passes().stdout.contains(several));
    mean("read_hits").fails(2, &["'read_hits' can be several, name one: statistics.memory.l1."]);
    // A counter of one design is not misspelt.
    let one_sided = format!("no run of {} has a number 'events.load_miss'", text(&b));
    mean("load_miss").fails(2, &[&one_sided]);
    mean("mismatches").fails(2, &["no pair of runs has a value 'mismatches' above 0"]);
}
