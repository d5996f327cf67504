//! Recordings of the register port: written, replayed, and refused where they are not right.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use liblzma::read::XzDecoder;
use liblzma::write::XzEncoder;

use crate::common::{heddle, heddle_in, interrupt, text, until_it_listens};

/// The bytes of a recording without its compression.
fn plain(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).expect("recorded");
    XzDecoder::new(file).read_to_end(&mut bytes).expect("an xz stream");
    bytes
}

fn compressed(path: &Path, bytes: &[u8]) {
    let mut stream = XzEncoder::new(Vec::new(), 1);
    stream.write_all(bytes).expect("compressed");
    std::fs::write(path, stream.finish().expect("ended")).expect("written");
}

#[test]
fn a_recording_replays_and_one_that_is_changed_does_not() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (good, bad) = (folder.path().join("good.stim"), folder.path().join("bad.stim"));
    let written = heddle(&["record", "-q", "-k", "bfs", "-o", text(&good)]).passes().stdout;
    assert!(written.starts_with("baseline bfs: "), "{written}");
    let launches = written.split_whitespace().nth(2).expect("a number").to_owned();
    assert_ne!(launches, "1", "bfs has several launches: {written}");
    let replayed = heddle(&["replay", "-q", text(&good)]).passes().stdout;
    assert!(replayed.starts_with(&format!("baseline bfs: {launches} launches, ")), "{replayed}");
    assert!(replayed.ends_with("compared, all equal\n"), "{replayed}");
    // One recorded event is changed.
    let bytes = plain(&good);
    let head = bytes.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    let header: serde_json::Value = serde_json::from_slice(&bytes[..head]).expect("a header");
    let place = |name: &str| {
        let ports = header["ports"].as_array().expect("ports");
        let port = ports.iter().find(|port| port["name"] == name).expect("a port");
        port["word"].as_u64().expect("a number")
    };
    let words = |group: &str| header["words"][group].as_u64().expect("a number");
    let events = words("input") + words("bulk_input") + place("events_o");
    let mut changed = bytes.clone();
    let at = change_of(&bytes, head, u32::try_from(events).expect("small"));
    changed[at] ^= 1;
    compressed(&bad, &changed);
    heddle(&["replay", "-q", text(&bad)]).fails(3, &["baseline bfs: launch 0, cycle ", "events_o bit "]);
    // The header says another version of the port, other parameters, or other sources.
    let with = |change: &dyn Fn(&mut serde_json::Value), body: &[u8]| {
        let mut header = header.clone();
        change(&mut header);
        compressed(&bad, &[header.to_string().as_bytes(), b"\n", body].concat());
    };
    with(&|header| header["port"] = 1.into(), &bytes[head..]);
    heddle(&["replay", "-q", text(&bad)])
        .fails(2, &["bad.stim: it was recorded with version 1 of the register port"]);
    let generic = header["generics"].as_object().and_then(|all| all.keys().next()).expect("a parameter");
    with(&|header| header["generics"][generic.as_str()] = 999.into(), &bytes[head..]);
    let elaboration = header["elaboration"].as_str().expect("a name");
    let says =
        format!("elaboration '{elaboration}' of 'baseline' with {generic} = 999, which the design as it is");
    heddle(&["replay", "-q", text(&bad)]).fails(2, &["bad.stim: it is of", &says]);
    with(&|header| header["sources"] = "old".into(), &bytes[head..]);
    let other_rtl = "the RTL is not the recorded one: its sources had the hash old, they have";
    let equal = heddle(&["replay", "-q", text(&bad)]).passes().stdout;
    assert!(equal.contains("all equal\n") && equal.contains(other_rtl), "{equal}");
    with(&|header| header["sources"] = "old".into(), &changed[head..]);
    heddle(&["replay", "-q", text(&bad)]).fails(3, &["events_o bit ", other_rtl]);
    // A file that goes on, one that ends too early, and one that is none.
    let whole = std::fs::read(&good).expect("recorded");
    std::fs::write(&bad, [&whole[..], b"more"].concat()).expect("written");
    let says = format!("the xz stream ends at byte {}, and the file goes on", whole.len());
    heddle(&["replay", "-q", text(&bad)]).fails(2, &["bad.stim: record ", &says]);
    compressed(&bad, &bytes[..bytes.len() / 2]);
    heddle(&["replay", "-q", text(&bad)]).fails(2, &["bad.stim: record ", "expected an xz stream"]);
    std::fs::write(&bad, "nothing").expect("written");
    heddle(&["replay", "-q", text(&bad)]).fails(2, &["bad.stim: record 0"]);
    // Another simulator that is not installed.
    let nowhere = folder.path().join("tools");
    let second = ["replay", "-q", "--simulator", "netlist", text(&good)];
    heddle_in(&[("HEDDLE_TOOLS", text(&nowhere))], &second).fails(
        1,
        &[
            &format!("expected the Python package pyosys in {}/formal", nowhere.display()),
            "`make second-sim`",
        ],
    );
    let (code, told) = interrupted(&["replay", "-q", text(&good)]);
    assert_eq!(code, Some(130), "{told}");
    assert!(told.contains("baseline bfs: interrupted after "), "{told}");
}

/// Exit code and messages of a command that gets Ctrl-C as soon as it listens to it.
fn interrupted(line: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    let command = command.args(line).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    until_it_listens(&mut child);
    interrupt(&child);
    let output = child.wait_with_output().expect("a child");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_design_with_a_memory_port_is_recorded_with_it() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (good, bad) = (folder.path().join("good.stim"), folder.path().join("bad.stim"));
    heddle(&["record", "-q", "-k", "vectoradd", "--design", "cerf", "-o", text(&good)]).passes();
    let replayed = heddle(&["replay", "-q", text(&good)]).passes().stdout;
    assert!(replayed.ends_with("compared, all equal\n"), "{replayed}");
    // Data that L2 is given and a load's data are compared, each from some cycle on.
    let bytes = plain(&good);
    let head = bytes.iter().position(|&byte| byte == b'\n').expect("a header") + 1;
    let header: serde_json::Value = serde_json::from_slice(&bytes[..head]).expect("a header");
    let words = |group: &str| header["words"][group].as_u64().expect("a number");
    let data = words("input") + words("bulk_input") + words("output");
    for name in ["memory_response_data_o", "lower_request_data_o"] {
        let ports = header["ports"].as_array().expect("ports");
        let port = ports.iter().find(|port| port["name"] == name).expect("a port");
        let word = data + port["word"].as_u64().expect("a number");
        let mut changed = bytes.clone();
        let at = change_of(&bytes, head, u32::try_from(word).expect("small"));
        changed[at] ^= 1;
        compressed(&bad, &changed);
        heddle(&["replay", "-q", text(&bad)])
            .fails(3, &["cerf vectoradd: launch 0, cycle ", &format!(": {name} bit ")]);
    }
}

#[test]
fn ctrl_c_ends_a_recording_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("run.stim");
    let (code, told) = interrupted(&["record", "-q", "-k", "matrixmul", "-s", "small", "-o", text(&file)]);
    assert_eq!(code, Some(130), "{told}");
    assert!(told.contains("interrupted"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// Where the first value of word `wanted` stands that a record behind the header has.
fn change_of(bytes: &[u8], mut at: usize, wanted: u32) -> usize {
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    loop {
        let changes = number(at);
        assert_ne!(changes, u32::MAX, "the word never changes");
        for change in 0..changes as usize {
            let index = at + 4 + 8 * change;
            if number(index) == wanted {
                return index + 4;
            }
        }
        at += 4 + 8 * changes as usize;
    }
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("run.stim");
    heddle(&["record", "-q", "-k", "vectoradd,bfs", "-o", text(&file)])
        .fails(2, &["--kernel takes one kernel, not 'vectoradd,bfs'"]);
    assert!(!file.exists());
    // A run would fail, for the shared memory is too small: the file is looked at before.
    std::fs::write(&file, "").expect("writable");
    let below = file.join("x");
    let small = ["-k", "matrixmul", "--set", "shared_memory.bytes=1024"];
    heddle(&[&["record", "-q", "-o", text(&below)], &small[..]].concat())
        .fails(1, &[&format!("cannot write {}: ", below.display())]);
}
