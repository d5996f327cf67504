//! Every row of results says what made it.

use std::path::Path;
use std::process::Command;

use crate::common::heddle;

fn git(arguments: &[&str]) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn is_hash(value: &serde_json::Value, digits: usize) -> bool {
    value.as_str().is_some_and(|text| text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[test]
fn rows_of_all_engines_name_program_and_tree() {
    let run = ["--kernel", "vectoradd", "--format", "json", "--quiet"];
    for engine in ["cosim", "sim", "exec"] {
        let rows = heddle(&[&[engine][..], &run].concat()).passes().json();
        let by = &rows[0]["made_by"];
        assert_eq!(by["program"]["version"], env!("CARGO_PKG_VERSION"), "{engine}");
        let Some(head) = git(&["rev-parse", "HEAD"]) else {
            assert!(by["tree"]["commit"].is_null() && by["tree"]["clean"].is_null(), "{engine}: {by}");
            continue;
        };
        assert_eq!(by["tree"]["commit"], head, "{engine}");
        let read = ["rtl", "models", "testbench", "constraints", "presets"];
        let changed = git(&[&["status", "--porcelain", "--"][..], &read].concat());
        assert_eq!(by["tree"]["clean"], changed.as_deref() == Some(""), "{engine}");
        assert!(is_hash(&by["program"]["commit"], 40) && by["program"]["clean"].is_boolean(), "{by}");
    }
}

#[test]
fn rows_with_rtl_name_it_and_the_tools() {
    let of = |engine: &str, design: &str| {
        let arguments = ["--kernel", "vectoradd", "--format", "json", "--quiet", "--design", design];
        heddle(&[&[engine][..], &arguments].concat()).passes().json()[0]["made_by"]["rtl"].clone()
    };
    assert!(of("sim", "baseline").is_null());
    let (baseline, racetrack) = (of("cosim", "baseline"), of("cosim", "racetrack"));
    for rtl in [&baseline, &racetrack] {
        assert!(is_hash(&rtl["sources"], 16) && is_hash(&rtl["model"], 16), "{rtl}");
        assert!(rtl["elaboration"].as_str().is_some_and(|name| !name.is_empty()), "{rtl}");
        for tool in ["verilator", "compiler"] {
            assert!(rtl[tool].as_str().is_some_and(|version| version.contains('.')), "{rtl}");
        }
    }
    assert_ne!(baseline["sources"], racetrack["sources"]);
    assert_ne!(baseline["model"], racetrack["model"]);
}
