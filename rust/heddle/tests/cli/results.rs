//! What is printed of runs.

use crate::common::{heddle, text};

#[test]
fn results_have_the_documented_keys_and_are_compared() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut files = Vec::new();
    for cycles in ["1", "8"] {
        let set = format!("register_file.bank_cycles={cycles}");
        let arguments =
            ["sim", "-q", "-k", "vectoradd,reduction", "--seed", "3", "--set", &set, "--format", "json"];
        let ran = heddle(&arguments).passes();
        let rows = ran.json();
        assert_eq!(rows.len(), 2);
        for key in [
            "schema",
            "engine",
            "design",
            "kernel",
            "size",
            "preset",
            "seed",
            "cycles",
            "warp_instructions",
            "ipc",
            "resident_ctas",
            "occupancy",
            "register_utilization",
            "operands_compared",
            "controls_compared",
            "memory_words_compared",
            "loaded_words_compared",
            "mismatches",
            "ok",
            "events",
            "flush_events",
            "statistics",
            "parameters",
            "waves",
        ] {
            assert!(rows.iter().all(|r| r.get(key).is_some()), "no '{key}' in {rows:?}");
        }
        let row = &rows[0];
        assert_eq!((&row["schema"], &row["engine"], &row["seed"]), (&2.into(), &"sim".into(), &3.into()));
        assert_eq!(
            (&row["mismatches"], &row["ok"], &row["preset"]),
            (&0.into(), &true.into(), &"maxwell".into())
        );
        assert_eq!(row["parameters"]["bank_cycles"].to_string(), cycles);
        let path = folder.path().join(format!("{cycles}.jsonl"));
        std::fs::write(&path, ran.stdout).expect("writable");
        files.push((path, row["cycles"].as_u64().expect("a number")));
    }
    let [(fast, few), (slow, many)] = &files[..] else { panic!("two files") };
    assert!(many > few, "eight cycles a bank access: {many}, one: {few}");
    let table = heddle(&["compare", text(fast), text(slow)]).passes().stdout;
    let ratio = format!("{:.3}", *many as f64 / *few as f64);
    assert!(
        table.contains("vectoradd") && table.contains("reduction") && table.contains(&ratio),
        "{ratio}: {table}"
    );
    // Two designs: one in each file.
    let ran =
        heddle(&["sim", "-q", "-d", "ltrf", "-k", "vectoradd", "--seed", "3", "--format", "json"]).passes();
    let cycles = ran.json()[0]["cycles"].clone();
    std::fs::write(slow, ran.stdout).expect("writable");
    let rows = heddle(&["compare", text(fast), text(slow), "--format", "json"]).passes().json();
    let pair = rows.iter().find(|r| r["kernel"] == "vectoradd").expect("a pair");
    assert_eq!((&pair["design_a"], &pair["design_b"]), (&"baseline".into(), &"ltrf".into()));
    let ratio = cycles.as_f64().expect("a number") / *few as f64;
    assert_eq!(pair["cycles_a"], *few);
    // The last bit of a fraction may differ after it was read back.
    assert!(pair["cycles_b_to_a"].as_f64().is_some_and(|r| (r - ratio).abs() < 1e-12), "{pair}");
    // Nothing is a pair: both sides are printed, and it is said.
    let ran = heddle(&["compare", text(fast), text(slow), "--by", "design", "--format", "json"])
        .fails(2, &["no run of", "1.jsonl has one of the same design, kernel, size and seed in", "8.jsonl"]);
    let rows = ran.json();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|r| r["cycles_b_to_a"].is_null()), "{rows:?}");
    let empty = folder.path().join("empty.jsonl");
    std::fs::write(&empty, "").expect("writable");
    heddle(&["compare", text(&empty), text(&empty)]).fails(2, &["empty.jsonl holds no rows"]);
    std::fs::write(fast, "{\"design\": 1}\n").expect("writable");
    heddle(&["compare", text(fast), text(slow)]).fails(2, &["1.jsonl:1", "'design'"]);
}

#[test]
fn results_say_which_sm_ran() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let sim = |designs: &str, format: &str| {
        let arguments = ["sim", "-q", "-k", "vectoradd", "-d", designs, "--format", format];
        heddle(&arguments).passes().stdout
    };
    let results = |design: &str| {
        let path = folder.path().join(design);
        std::fs::write(&path, sim(design, "json")).expect("writable");
        path
    };
    // Each row has its preset.
    let csv = sim("ltrf,racetrack", "csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let at = reader.headers().expect("heads").iter().position(|head| head == "preset").expect("a preset");
    let presets: Vec<String> = reader.records().map(|row| row.expect("a row")[at].to_owned()).collect();
    assert_eq!(presets, ["maxwell", "fermi"]);
    let table = sim("ltrf,racetrack", "table");
    assert!(table.ends_with("\ndifferent SMs, by preset: ltrf maxwell, racetrack fermi\n"), "{table}");
    assert!(!sim("baseline,ltrf", "table").contains("different SMs"));

    // What the design overrides is in the parameters, whatever the preset says.
    let (baseline, racetrack) = (results("baseline"), results("racetrack"));
    let row: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&racetrack).expect("written")).expect("JSON");
    let parameters = &row["parameters"];
    for (key, value) in [
        ("sm.registers", serde_json::json!(65536)),
        ("scheduler.policy", "round-robin".into()),
        ("register_file.preshift", true.into()),
        ("register_file.mapping", "profiled".into()),
    ] {
        assert_eq!(parameters[key], value, "{key}");
    }
    let preset = heddle(&["list", "presets", "--format", "json"]).passes().json();
    let fermi = preset.iter().find(|p| p["preset"] == "fermi").expect("the preset");
    assert_eq!(parameters["sm.warps"], fermi["warps"]);
    assert_ne!(parameters["sm.registers"], fermi["registers"]);

    let compare = |a: &std::path::Path, b: &std::path::Path, format: &str| {
        heddle(&["compare", text(a), text(b), "--format", format]).passes().stdout
    };
    let table = compare(&baseline, &racetrack, "table");
    let line = table.lines().last().unwrap_or_default();
    assert!(
        line.starts_with("the ratios compare different SMs, a and b: preset maxwell and fermi, "),
        "{table}"
    );
    assert!(line.contains("scheduler.policy two-level and round-robin"), "{table}");
    let csv = compare(&baseline, &racetrack, "csv");
    assert!(csv.lines().nth(1).is_some_and(|l| l.ends_with(",maxwell,fermi")), "{csv}");
    let json: serde_json::Value =
        serde_json::from_str(&compare(&baseline, &racetrack, "json")).expect("a pair");
    assert_eq!(json["differ"]["preset"], serde_json::json!(["maxwell", "fermi"]));
    assert!(!compare(&baseline, &baseline, "table").contains("different SMs"));
}

#[test]
fn the_number_of_threads_is_not_seen_in_a_result() {
    let args = ["-q", "-d", "ltrf", "-k", "bfs", "--sms", "3", "--format", "json", "--threads"];
    let sim = |threads| heddle(&[&["sim"], &args[..], &[threads]].concat()).passes().stdout;
    assert_eq!(sim("3"), sim("1"));
    heddle(&[&["cosim"], &args[..], &["2"]].concat()).fails(2, &["--threads is for `sim`"]);
}

/// Each number of CTAs that fits is there once; the equations hold; the best is the highest; `--tlp best` runs with it.
#[test]
fn the_number_of_ctas_is_chosen_from_a_profile() {
    let rows = heddle(&["tlp", "matrixmul", "-q", "--format", "json"]).passes().json();
    let value = |row: &serde_json::Value, key: &str| row[key].as_f64().expect("a number");
    for (row, ctas) in rows.iter().zip(1..) {
        assert_eq!(row["ctas"], ctas);
        let lost = value(row, "ideal_ipc") - value(row, "shifting_ipc");
        assert!((value(row, "expected_ipc") - (value(row, "cache_ipc") - lost)).abs() < 1e-12, "{row}");
        assert!(lost > 0.0 && value(row, "ideal_ipc") >= value(row, "cache_ipc"), "{row}");
    }
    let best: Vec<_> = rows.iter().filter(|row| row["best"] == true).collect();
    let [best] = best[..] else { panic!("one is best: {rows:?}") };
    assert!(rows.iter().all(|row| value(row, "expected_ipc") <= value(best, "expected_ipc")));
    let run = |tlp| {
        let arguments = ["sim", "-q", "-d", "racetrack", "-k", "matrixmul", "--tlp", tlp, "--format", "json"];
        heddle(&arguments).passes().json()
    };
    assert_eq!(run("best")[0]["resident_ctas"], best["ctas"]);
    assert_eq!(run("max")[0]["resident_ctas"], rows.len());
    heddle(&["tlp", "matrixmul", "-q", "-d", "baseline"]).fails(2, &["design 'baseline' has none"]);
}

#[test]
fn csv_and_json_say_the_same() {
    let run = |format| heddle(&["sim", "-q", "-d", "ltrf", "-k", "vectoradd", "--format", format]).passes();
    let csv = run("csv").stdout;
    let json = run("json").json();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().expect("a head line").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 1);
    for (head, cell) in heads.iter().zip(&rows[0]) {
        let inner = || head.split_once('.').map(|(table, key)| &json[0][table][key]);
        let value = json[0].get(head).or_else(inner).unwrap_or_else(|| panic!("{head} is not in JSON"));
        match (value.as_f64(), cell.parse::<f64>()) {
            // The last bit of a fraction may differ after it was read back.
            (Some(a), Ok(b)) => assert!((a - b).abs() <= 1e-12 * a.abs(), "{head}: {a} and {b}"),
            _ if value.is_null() => assert_eq!(cell, "", "{head}"),
            _ => assert_eq!(value.as_str().map_or_else(|| value.to_string(), str::to_owned), cell, "{head}"),
        }
    }
    // Nothing of JSON is missing: events and settings have columns of their own.
    for (key, value) in json[0].as_object().expect("an object") {
        let inner = value.as_object().map(|table| table.keys().map(|k| format!("{key}.{k}")).collect());
        for name in inner.unwrap_or_else(|| vec![key.clone()]) {
            assert!(heads.iter().any(|head| head == name), "no column {name}");
        }
    }
}

#[test]
fn latencies_are_printed_hop_by_hop() {
    let worst = ["--set", "dram.translation_latency=123"];
    let args = ["latency", "-d", "osm", "--format", "json", "-q"];
    let rows = heddle(&[&args[..], &worst[..]].concat()).passes().json();
    assert_eq!(rows.len(), 5 + 6, "ways of loads, and units");
    let memory = rows.iter().find(|r| r["path"] == "memory").expect("a miss in both caches");
    assert_eq!((&memory["cycles"], &memory["translation"]), (&470.0.into(), &123.0.into()));
    let table = heddle(&["latency", "-d", "baseline", "-p", "maxwell", "-q"]).passes().stdout;
    assert!(table.contains("shared-hit") && !table.contains("shared-memory"), "{table}");
    heddle(&["latency", "-d", "osn"]).fails(2, &["osm"]);
}
