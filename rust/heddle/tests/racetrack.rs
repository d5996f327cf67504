//! What the command line has for racetracks: the emitted mapping, cycles from times, means over kernels.

use std::collections::BTreeMap;

use crate::common::{heddle, text};

/// The numbers of a line of a mapping, by the keyword before them.
fn numbers(line: &str) -> BTreeMap<&str, u64> {
    let words: Vec<&str> = line.split(' ').collect();
    words.windows(2).filter_map(|pair| Some((pair[0], pair[1].parse().ok()?))).collect()
}

/// One bank of a mapping: the line that begins it, and its other lines.
fn banks(mapping: &str) -> Vec<(BTreeMap<&str, u64>, Vec<&str>)> {
    let mut banks: Vec<(BTreeMap<&str, u64>, Vec<&str>)> = Vec::new();
    for line in mapping.lines() {
        match banks.last_mut() {
            _ if line.starts_with("bank ") => banks.push((numbers(line), Vec::new())),
            Some((_, lines)) => lines.push(line),
            None => {}
        }
    }
    banks
}

/// The printed shifts follow from the printed moves and places, in ascending order (row r at offset r / 8), with the
/// groups and as chosen; every entry is taken once.
#[test]
fn an_emitted_mapping_has_the_shifts_that_it_predicts() {
    let emitted = heddle(&["compile", "--kernel", "reduction", "--emit", "mapping", "-q"]).passes().stdout;
    assert!(emitted.starts_with("mapping "), "{emitted}");
    let mut gained = 0;
    for mapping in emitted.split("mapping ").skip(1) {
        let banks = banks(mapping);
        assert_eq!(banks.len(), 16);
        let mut sums = [0; 4];
        for (head, lines) in &banks {
            let mut chosen = vec![None; 128];
            let mut grouped = vec![None; 128];
            let (mut taken, mut moves, mut shifts) = ([false; 128], 0, [0; 3]);
            for line in lines.iter().filter(|line| line.starts_with("group ")) {
                let offset = numbers(line)["group"];
                let rows = line.split_once(" rows ").expect("rows").1;
                for row in rows.split(' ').map(|row| row.parse::<usize>().expect("a row")) {
                    assert_eq!(grouped[row].replace(offset), None, "{line}");
                }
            }
            for line in lines.iter().filter(|line| line.starts_with("row ")) {
                let line = numbers(line);
                let (row, entry) = (line["row"] as usize, line["entry"] as usize);
                assert_eq!(line["port"] * 16 + line["offset"], entry as u64, "{line:?}");
                assert!(!std::mem::replace(&mut taken[entry], true), "{line:?}");
                chosen[row] = Some(line["offset"]);
            }
            for line in lines.iter().filter(|line| line.starts_with("move ")) {
                let [_, from, to, _, count] = line.split(' ').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                let [from, to]: [usize; 2] = [from, to].map(|row| row.parse().expect("a row"));
                let count: u64 = count.parse().expect("a count");
                let way = |a: Option<u64>, b: Option<u64>| a.expect("a place").abs_diff(b.expect("a place"));
                moves += count;
                shifts[0] += count * (from as u64 / 8).abs_diff(to as u64 / 8);
                shifts[1] += count * way(grouped[from], grouped[to]);
                shifts[2] += count * way(chosen[from], chosen[to]);
            }
            let printed = [head["moves"], head["ascending"], head["grouped"], head["chosen"]];
            assert_eq!(printed, [moves, shifts[0], shifts[1], shifts[2]], "{head:?}");
            assert_eq!(head["chosen"], head["ascending"].min(head["grouped"]));
            sums = std::array::from_fn(|i| sums[i] + printed[i]);
        }
        let total = numbers(mapping.lines().nth(1).expect("the sums"));
        assert_eq!([total["moves"], total["ascending"], total["grouped"], total["chosen"]], sums);
        gained += total["ascending"] - total["chosen"];
    }
    assert!(gained > 0, "{emitted}");
    // The same again, and of another variant the same profile.
    let again =
        heddle(&["compile", "-k", "reduction", "--emit", "mapping", "-q", "-d", "racetrack-plain"]).passes();
    assert_eq!(banks(&again.stdout).len() % 16, 0);
    assert_eq!(heddle(&["compile", "-k", "reduction", "--emit", "mapping", "-q"]).passes().stdout, emitted);
}

#[test]
fn a_mapping_is_emitted_for_a_file_with_its_launch() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let launch = folder.path().join("saxpy.toml");
    std::fs::write(&launch, heddle(&["launch-template", "saxpy.ptx"]).passes().stdout).expect("writable");
    let emit = |more: &[&str]| {
        let arguments = ["compile", "saxpy.ptx", "--launch", text(&launch), "--emit", "mapping", "-q"];
        heddle(&[&arguments[..], more].concat())
    };
    let mapping = emit(&[]).passes().stdout;
    assert!(
        mapping.starts_with("mapping saxpy banks 16 rows 128 ports 8 offsets 16 registers 9\n"),
        "{mapping}"
    );
    assert_eq!(emit(&["--entry", "saxpy"]).passes().stdout, mapping);
    emit(&["--entry", "sax"]).fails(2, &["launches no entry 'sax'; it launches saxpy"]);
    emit(&["--design", "baseline"]).fails(2, &["design 'baseline' has no mapping tables"]);
    emit(&["--set", "register_file.rows_per_bank=200"]).fails(
        2,
        &[
            "design 'racetrack'",
            "(register_file.rows_per_bank * 16 + num_banks - 1) / num_banks = 200",
            "2 to 128",
        ],
    );
    for value in ["banana", "ascending", "1,2"] {
        let set = format!("register_file.mapping={value}");
        emit(&["--set", &set]).fails(2, &[&format!("--set {set}: with --emit mapping it is profiled")]);
    }
    emit(&["--set", "register_file.mapping=profiled"]).passes();
    emit(&["--constant-operands", "--set", "compiler.constant_operands=false"])
        .fails(2, &["--set compiler.constant_operands=false: with --constant-operands it is true"]);
    emit(&["--set", "register_file.row_per_bank=64"]).fails(2, &["did you mean 'rows_per_bank'?"]);
    heddle(&["compile", "saxpy.ptx", "--emit", "mapping"]).fails(2, &["needs --launch L.toml", "--kernel"]);
    heddle(&["sim", "vectoradd"]).fails(2, &["needs --launch L.toml", "of this name is --kernel vectoradd"]);
    heddle(&["compile", "--emit", "mapping"]).fails(2, &["FILE.ptx, or --kernel NAME"]);
    heddle(&["compile", "-k", "saxpi", "--emit", "mapping"]).fails(2, &["saxpi"]);
    heddle(&["compile", "saxpy.ptx", "--launch", text(&launch)])
        .fails(2, &["--launch has a meaning with --emit mapping only"]);
    heddle(&["compile", "-k", "reduction"]).fails(2, &["--kernel has a meaning with --emit mapping only"]);
}

/// Table 3 at the clock of the preset; `--set` of the cycles comes before the time.
#[test]
fn racetrack_cycles_follow_from_the_clock() {
    let cycles = |design: &str, settings: &[&str]| {
        let mut arguments = vec!["sim", "-q", "-d", design, "-k", "vectoradd", "--format", "json"];
        settings.iter().for_each(|setting| arguments.extend(["--set", setting]));
        let rows = heddle(&arguments).passes().json();
        ["bank_cycles", "write_cycles", "shift_cycles"].map(|key| {
            assert_eq!(rows[0]["parameters"][key], rows[0]["parameters"][format!("register_file.{key}")]);
            rows[0]["parameters"][key].as_u64().expect("a number")
        })
    };
    assert_eq!(cycles("racetrack", &[]), [1, 1, 1]);
    assert_eq!(cycles("racetrack", &["gpu.core_mhz=2000"]), [1, 3, 2]);
    assert_eq!(cycles("racetrack", &["register_file.shift_cycles=4", "gpu.core_mhz=4000"]), [2, 5, 4]);
    assert_eq!(cycles("racetrack-ideal", &["gpu.core_mhz=2000"]), [1, 3, 0]);
}

#[test]
fn a_mean_is_that_of_the_ratios_of_all_kernels() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let results = |name: &str, lines: &[(&str, &str, f64, u64)]| {
        let path = folder.path().join(name);
        let line = |(design, kernel, ipc, shift): &(&str, &str, f64, u64)| {
            format!(
                "{{\"design\":\"{design}\",\"kernel\":\"{kernel}\",\"size\":\"smoke\",\"seed\":1,\"ipc\":{ipc},\
                 \"events\":{{\"shift\":{shift}}}}}\n"
            )
        };
        std::fs::write(&path, lines.iter().map(line).collect::<String>()).expect("writable");
        path
    };
    let a = results("a.jsonl", &[("plain", "x", 1.0, 10), ("plain", "y", 0.5, 40), ("plain", "z", 1.0, 7)]);
    let b = results(
        "b.jsonl",
        &[("one", "x", 2.0, 5), ("one", "y", 4.0, 0), ("two", "x", 0.25, 5), ("two", "y", 0.5, 5)],
    );
    let rows = heddle(&["compare", text(&a), text(&b), "--mean", "ipc", "--format", "json"]).passes().json();
    let [one, two] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        (&one["design_a"], &one["design_b"], &one["pairs"]),
        (&"plain".into(), &"one".into(), &2.into())
    );
    assert!((one["mean_b_to_a"].as_f64().expect("a mean") - 4.0).abs() < 1e-12, "{one}");
    assert!((two["mean_b_to_a"].as_f64().expect("a mean") - 0.5).abs() < 1e-12, "{two}");
    assert_eq!((&one["most_kernel"], &one["least_kernel"]), (&"y".into(), &"x".into()));
    assert_eq!(one["left_out"], 1);
    assert_eq!(one["runs_left_out"], serde_json::json!(["z smoke 1"]));
    let table = heddle(&["compare", text(&a), text(&b), "--mean", "events.shift"]).passes().stdout;
    assert!(table.contains("one, left out: y smoke 1, z smoke 1\n"), "{table}");
    assert!(table.contains("0.250"), "two: sqrt(5 / 10 x 5 / 40): {table}");
    let sum =
        heddle(&["compare", text(&a), text(&b), "--mean", "events.shift + ipc", "--format", "json"]).passes();
    let expected = (7.0_f64 / 11.0 * 4.0 / 40.5).sqrt();
    assert!(
        (sum.json()[0]["mean_b_to_a"].as_f64().expect("a mean") - expected).abs() < 1e-12,
        "{}",
        sum.stdout
    );
    heddle(&["compare", text(&b), text(&a), "--mean", "ipc"])
        .fails(2, &["one design in", "there are: one, two"]);
    heddle(&["compare", text(&a), text(&b), "--mean", "ipd"])
        .fails(2, &["no run has a number 'ipd'; did you mean 'ipc'?"]);
}
