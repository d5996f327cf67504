//! The dictionary of results against the rows that every command prints.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::common::{heddle, text};

/// Rows of every command that prints results, with what makes each kind of key appear.
fn rows() -> Vec<Value> {
    let mut rows = Vec::new();
    let mut run = |line: &[&str]| {
        let found = heddle(&[line, &["-q", "--format", "json"]].concat()).passes().json();
        assert!(!found.is_empty(), "{line:?}");
        rows.extend(found);
    };
    let folder = tempfile::tempdir().expect("temporary folder");
    let results = text(folder.path());
    run(&["cosim", "-k", "vectoradd", "--waves", "vcd", "--waves-cycles", "50", "--results", results]);
    run(&["sim", "-k", "matrixmul", "-d", "ltrf,osm,unified-l1"]);
    run(&["sim", "-k", "bfs", "-d", "cerf,racetrack"]);
    run(&["sim", "-k", "bfs", "--per", "launch"]);
    run(&["sim", "-k", "vectoradd", "--set", "instruction_cache.bytes=1024"]);
    run(&["sim", "-k", "bfs", "-d", "ltrf", "--per", "entry"]);
    run(&["sim", "-k", "vectoradd", "-d", "ltrf,ucm", "--sample"]);
    run(&["sim", "-k", "divergence", "-d", "baseline,unified-l1", "--sample=window=50,warm-up=50,every=400"]);
    run(&["exec", "-k", "vectoradd"]);
    run(&["tlp", "matrixmul"]);
    run(&["tolerable", "vectoradd,gaussian", "--values", "1,8"]);
    run(&["bank-time", "vectoradd", "--values", "1,8", "--ratios", "2"]);
    run(&["latency", "-d", "osm"]);
    run(&["fidelity", "iadd3_ind_w32"]);
    run(&["mutate", "baseline", "-n", "1", "--seed", "1", "-k", "vectoradd", "--results", results]);
    let covered = ["coverage", "baseline", "-k", "vectoradd", "--bench-cycles", "0", "--results", results];
    run(&covered);
    run(&[&covered[..], &["--holes"]].concat());
    run(&["trace", "-k", "vectoradd", "-o", text(&folder.path().join("trace"))]);
    let experiment = "id = \"one\"\ntitle = \"\"\nsource = \"\"\n\
        scales.smoke = { size = \"smoke\" }\nscales.claims = { size = \"paper\" }\n\
        scales.paper = { size = \"paper\" }\nkernels = [\"vectoradd\"]\n\
        measure = \"ipc\"\n[[series]]\nname = \"baseline\"\ndesign = \"baseline\"\n";
    let file = folder.path().join("one.toml");
    std::fs::write(&file, experiment).expect("writable");
    let estimate =
        heddle(&["sweep", text(&file), "--results", results, "--estimate", "-q", "--format", "json"]);
    run(&["sweep", text(&file), "--results", results]);
    rows.extend(estimate.warns(&["1 of 1 runs are missing"]).json());
    rows.extend(heddle(&["claims", "--only", "ltrf-wcb", "--format", "json"]).passes().json());
    let file = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let line = [&["sim", "-q", "-k", "vectoradd", "--format", "json"], more].concat();
        std::fs::write(&path, heddle(&line).passes().stdout).expect("writable");
        path
    };
    let a = file("a", &["-p", "fermi"]);
    let line = ["energy", text(&a), "-t", "racetrack", "--relative-to", "baseline", "--format", "json"];
    rows.extend(heddle(&line).passes().json());
    let b = file("b", &["-p", "volta"]);
    for more in [&[][..], &["--mean", "cycles"], &["--mean", "ipc"]] {
        let line = ["compare", text(&a), text(&b), text(&a), "--format", "json"];
        rows.extend(heddle(&[&line[..], more].concat()).passes().json());
    }
    let both = folder.path().join("both");
    let all = [&a, &b].map(|file| std::fs::read_to_string(file).expect("there")).concat();
    std::fs::write(&both, all).expect("writable");
    rows.extend(heddle(&["compare", text(&both), text(&both), "--format", "json"]).passes().json());
    rows
}

/// The names of all keys of a row as the dictionary writes them.
fn names(row: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (key, value) in row.as_object().expect("a row") {
        match value {
            Value::Object(table) => names.extend(table.keys().map(|inner| format!("{key}.{inner}"))),
            Value::Array(list) if list.iter().any(Value::is_object) => {
                let inner = list.iter().filter_map(Value::as_object).flat_map(Map::keys);
                names.extend(inner.map(|inner| format!("{key}[].{inner}")));
            }
            _ => {
                names.insert(key.clone());
            }
        }
    }
    names
}

/// Whether a value is as a schema of the dictionary says, which uses no more of the language than this knows.
fn valid(value: &Value, schema: &Value) -> bool {
    let is = |kind: &str| match kind {
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("unknown type {other}"),
    };
    let keywords = schema.as_object().expect("a schema");
    keywords.iter().all(|(keyword, rule)| match keyword.as_str() {
        "type" => match rule {
            Value::String(kind) => is(kind),
            list => list.as_array().expect("types").iter().any(|kind| is(kind.as_str().expect("a type"))),
        },
        "oneOf" => rule.as_array().expect("schemas").iter().filter(|one| valid(value, one)).count() == 1,
        "items" => value.as_array().is_none_or(|list| list.iter().all(|item| valid(item, rule))),
        "required" => {
            let keys = rule.as_array().expect("keys");
            value.as_object().is_none_or(|o| keys.iter().all(|k| o.contains_key(k.as_str().expect("a key"))))
        }
        "properties" => value
            .as_object()
            .is_none_or(|o| o.iter().all(|(key, v)| rule.get(key).is_none_or(|rule| valid(v, rule)))),
        "additionalProperties" => value.as_object().is_none_or(|o| {
            let known = keywords.get("properties").and_then(Value::as_object);
            let mut others = o.iter().filter(|(key, _)| known.is_none_or(|known| !known.contains_key(*key)));
            match rule {
                Value::Bool(false) => others.next().is_none(),
                rule => others.all(|(_, v)| valid(v, rule)),
            }
        }),
        "title" | "description" | "$schema" => true,
        other => panic!("unknown keyword {other}"),
    })
}

#[test]
fn every_key_has_an_entry_and_every_entry_a_key() {
    let rows = rows();
    let dictionary = heddle(&["list", "keys", "--format", "json"]).passes().json();
    let schema: Value = serde_json::from_str(&heddle(&["list", "schema"]).passes().stdout).expect("JSON");
    let kinds = schema["oneOf"].as_array().expect("kinds of rows");
    let mut emitted: BTreeSet<(String, String)> = BTreeSet::new();
    for row in &rows {
        let kind: Vec<&Value> = kinds.iter().filter(|kind| valid(row, kind)).collect();
        let near = || {
            let missing = |kind: &Value| {
                let known = kind["properties"].as_object().expect("properties");
                let own = row.as_object().expect("a row");
                let unknown: Vec<&String> = own.keys().filter(|k| !known.contains_key(*k)).collect();
                let lacking: Vec<&String> = known.keys().filter(|k| !own.contains_key(*k)).collect();
                format!("{}: unknown {unknown:?}, lacking {lacking:?}", kind["title"])
            };
            kinds.iter().map(missing).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(kind.len(), 1, "{row}\n{}", near());
        let of = kind[0]["title"].as_str().expect("a title");
        emitted.extend(names(row).into_iter().map(|name| (of.to_owned(), name)));
    }
    let entries: Vec<(&str, &str)> = dictionary
        .iter()
        .filter(|key| key["design"].is_null())
        .map(|key| (key["of"].as_str().expect("text"), key["key"].as_str().expect("text")))
        .collect();
    let covers = |entry: &str, name: &str| match entry.strip_suffix('*') {
        Some(head) => name.starts_with(head),
        None => entry == name,
    };
    for (of, name) in &emitted {
        assert!(entries.iter().any(|(o, entry)| o == of && covers(entry, name)), "{of}: no entry for {name}");
    }
    for (of, entry) in &entries {
        // Where a table can be null, and where a list or a table has nothing in it, the name itself appears.
        let found = emitted.iter().any(|(o, name)| o == of && covers(entry, name));
        assert!(found, "{of}: no row has {entry}");
    }
    // What a preset's key means is said on its page.
    let page = include_str!("../../../docs/presets.md");
    for (_, name) in emitted.iter().filter(|(_, name)| name.starts_with("parameters.")) {
        let key = &name["parameters.".len()..];
        assert!(!key.contains('.') || page.contains(key), "docs/presets.md says nothing of {key}");
    }
}

#[test]
fn a_schema_that_is_broken_is_noticed() {
    let schema: Value = serde_json::from_str(&heddle(&["list", "schema"]).passes().stdout).expect("JSON");
    let row = heddle(&["exec", "-q", "-k", "vectoradd", "--format", "json"]).passes().json().remove(0);
    assert!(valid(&row, &schema));
    let mut other = row.clone();
    other["launches"] = "one".into();
    assert!(!valid(&other, &schema), "a wrong type");
    other = row.clone();
    other["new"] = 1.into();
    assert!(!valid(&other, &schema), "a key without an entry");
    other = row;
    other.as_object_mut().expect("a row").remove("seed");
    assert!(!valid(&other, &schema), "a key that is missing");
}

#[test]
fn keys_and_events_can_be_looked_up() {
    let table = heddle(&["list", "keys", "occupancy"]).passes().stdout;
    assert!(table.contains("warps that fit at once") && !table.contains("ipc"), "{table}");
    heddle(&["list", "keys", "nothing_is_called_so"])
        .fails(2, &["no key of results has 'nothing_is_called_so'"]);
    heddle(&["list", "claims", "ltrf-wbc"])
        .fails(2, &["no claim has 'ltrf-wbc'", "did you mean 'ltrf-wcb'?"]);
    heddle(&["check-design", "baselin"]).fails(2, &["did you mean 'baseline'?"]);
    let rows = heddle(&["list", "keys", "line_lock", "--format", "json"]).passes().json();
    assert!(rows.iter().any(|r| r["design"] == "osm" && r["key"] == "events.line_lock"), "{rows:?}");
    heddle(&["list", "schema", "x"]).fails(2, &["has a meaning only with 'kernels', 'keys' and 'claims'"]);
}

/// Launches and entries add up to the run.
#[test]
fn parts_of_a_run_add_up_to_it() {
    let run = |per: &str| {
        let line = ["sim", "-q", "-k", "bfs", "-d", "ltrf", "--per", per, "--format", "json"];
        heddle(&line).passes().json()
    };
    let (whole, launches, entries) = (run("run").remove(0), run("launch"), run("entry"));
    assert_eq!(launches.len() as u64, whole["launches"].as_u64().expect("launches"));
    assert_eq!(entries.len(), 2, "{entries:?}");
    for (number, row) in (0..).zip(&launches) {
        assert_eq!(row["launch"], number);
        assert!(row["occupancy"].as_f64().is_some_and(|o| o > 0.0 && o <= 1.0), "{row}");
    }
    let sum = |rows: &[Value], value: &dyn Fn(&Value) -> &Value| -> u64 {
        rows.iter().map(|row| value(row).as_u64().expect("a number")).sum()
    };
    for parts in [&launches, &entries] {
        for key in ["cycles", "warp_instructions", "ctas", "launches"] {
            assert_eq!(sum(parts, &|row| &row[key]), whole[key].as_u64().expect("a number"), "{key}");
        }
        for (table, inner) in [("events", "prefetch"), ("statistics", "memory.l1.read_hits")] {
            let found = sum(parts, &|row| &row[table][inner]);
            assert_eq!(found, whole[table][inner].as_u64().expect("a number"), "{table}.{inner}");
        }
    }
    let of = |name: &str| launches.iter().filter(|row| row["entry"] == name).cloned().collect::<Vec<_>>();
    for entry in &entries {
        let own = of(entry["entry"].as_str().expect("a name"));
        assert_eq!(sum(&own, &|row| &row["cycles"]), entry["cycles"].as_u64().expect("a number"));
        assert!(entry["launch"].is_null());
    }
    let table = heddle(&["sim", "-q", "-k", "bfs", "--per", "entry"]).passes().stdout;
    assert!(table.contains("bfs_expand") && table.contains("bfs_advance"), "{table}");
}
