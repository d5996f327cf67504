//! Save files of GTKWave and Surfer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::paths::short_name;
use crate::resolve::ResolvedGroup;
use crate::shows::Text;
use crate::texts::SCOPE;
use crate::view::Radix;
use crate::{Signal, WaveError};
use heddle_files::publish;

/// Where a saved view opens, in time units of the waveform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Focus {
    /// Left edge.
    pub start: u64,
    /// Marker.
    pub marker: Option<u64>,
    /// The lane that stands for `{lane}` in patterns and headings.
    pub lane: u8,
}

/// Writes `<waves>.gtkw` and `<waves>.sucl` beside the waveform and returns their paths. GTKWave opens at `focus`. The
/// texts of `tracks` come first; those of `texts` stand for the signals with their paths.
///
/// # Errors
/// A file that cannot be written.
pub fn save_views(
    waves: &Path,
    groups: &[ResolvedGroup],
    texts: &BTreeMap<String, Text>,
    tracks: &[Text],
    focus: Focus,
) -> Result<[PathBuf; 2], WaveError> {
    let file_name = waves.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let gtkw = waves.with_extension("gtkw");
    let sucl = waves.with_extension("sucl");
    for (path, text) in [
        (&gtkw, gtkwave(&file_name, groups, texts, tracks, focus)),
        (&sucl, surfer(&file_name, groups, texts, tracks)),
    ] {
        publish(path, text.as_bytes()).map_err(|source| WaveError::Write { path: path.clone(), source })?;
    }
    Ok([gtkw, sucl])
}

/// Pixels of a letter in GTKWave's list of signals.
const LETTER: usize = 8;
/// Letters of a name that the list has room for.
const MOST_LETTERS: usize = 36;
/// Letters of a value that the list has room for.
const VALUE_LETTERS: usize = 12;
/// The heading of the tracks.
const TRACKS: &str = "Instructions";

fn gtkwave(
    file_name: &str,
    groups: &[ResolvedGroup],
    texts: &BTreeMap<String, Text>,
    tracks: &[Text],
    focus: Focus,
) -> String {
    let marker = focus.marker.map_or_else(|| "-1".to_owned(), |time| time.to_string());
    let start = focus.start;
    let mut text = String::from("[*] Saved view for GTKWave\n");
    let names = groups.iter().flat_map(|g| &g.signals).map(|s| short_name(&s.path).len());
    let names = names.chain(tracks.iter().map(|t| t.name.len())).max().unwrap_or(0);
    let width = LETTER * (names.min(MOST_LETTERS) + VALUE_LETTERS);
    // Zoom: 2^12 time units on 200 pixels, so that a cycle of 1000 units is wide enough for short words. The names of
    // signals and some of each value have room; the tree of all signals is closed.
    let _ = writeln!(
        text,
        "[dumpfile] \"{file_name}\"\n[timestart] {start}\n[size] 1600 1000\n[pos] 0 0\n*-12.000000 {marker} -1\n\
         [sst_width] 40\n[signals_width] {width}\n[sst_expanded] 0"
    );
    if !tracks.is_empty() {
        let _ = writeln!(text, "@800200\n-{TRACKS}");
        for track in tracks {
            let _ = writeln!(text, "@22\n+{{{}}} {SCOPE}.{}", track.name, track.name);
        }
        let _ = writeln!(text, "@1000200\n-{TRACKS}");
    }
    for group in groups {
        let _ = writeln!(text, "@800200\n-{}", group.name);
        for signal in &group.signals {
            let short = short_name(&signal.path);
            if let Some(own) = texts.get(&signal.path) {
                let _ = writeln!(text, "@22\n+{{{short}}} {SCOPE}.{}", own.name);
                continue;
            }
            let flag = match group.radix {
                _ if signal.width == 1 => "@28",
                Radix::Hex | Radix::Registers => "@22",
                Radix::Unsigned => "@24",
                Radix::Binary | Radix::Set => "@28",
            };
            let _ = writeln!(text, "{flag}\n+{{{short}}} {}{}", signal.path, signal.range);
        }
        let _ = writeln!(text, "@1000200\n-{}", group.name);
    }
    text
}

fn surfer(
    file_name: &str,
    groups: &[ResolvedGroup],
    texts: &BTreeMap<String, Text>,
    tracks: &[Text],
) -> String {
    let mut text = format!("load_file {file_name}\n");
    if !tracks.is_empty() {
        let _ = writeln!(text, "divider_add {TRACKS}");
        for track in tracks {
            let _ = writeln!(text, "variable_add {SCOPE}.{}", track.name);
        }
    }
    for group in groups {
        let _ = writeln!(text, "divider_add {}", group.name);
        let own = |signal: &Signal| texts.get(&signal.path).map(|text| format!("{SCOPE}.{}", text.name));
        let name = |signal: &Signal| own(signal).unwrap_or_else(|| surfer_name(signal));
        let mut names: Vec<String> = group.signals.iter().map(name).collect();
        names.dedup();
        for name in names {
            let _ = writeln!(text, "variable_add {name}");
        }
    }
    text.push_str("zoom_fit\n");
    text
}

/// A signal as Surfer's reader names it: an array of signals is a scope of its elements, `a[3]` is
/// `a.[3]`; an array of single bits is one vector.
fn surfer_name(signal: &Signal) -> String {
    let path = match signal.path.rsplit_once('[') {
        Some((array, _)) if signal.width == 1 && signal.path.ends_with(']') => array,
        _ => &signal.path,
    };
    match path.rsplit_once('.') {
        Some((scope, name)) => format!("{scope}.{}", name.replace('[', ".[")),
        None => path.replace('[', ".["),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shows::Shows;

    #[test]
    fn save_files_name_every_signal_with_its_range_or_its_text() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let waves = folder.path().join("run.vcd");
        let signal = |path: &str| Signal { path: path.to_owned(), width: 8, range: "[7:0]".to_owned() };
        let signals = vec![signal("TOP.x.b_q"), signal("TOP.x.state")];
        let groups = [ResolvedGroup { name: "Banks".into(), signals, radix: Radix::Hex }];
        let state = Text {
            name: "state".into(),
            shows: Shows::Members { signal: "TOP.x.state".into(), letter: "", valid: None },
        };
        let texts = [("TOP.x.state".to_owned(), state)].into();
        let track = Text { name: "issue_0".into(), shows: Shows::Track { changes: Vec::new() } };
        let focus = Focus { start: 7, marker: Some(9), lane: 0 };
        let [gtkw, sucl] = save_views(&waves, &groups, &texts, &[track], focus).expect("folder is writable");
        let gtkw = std::fs::read_to_string(gtkw).expect("written");
        assert!(gtkw.contains("[dumpfile] \"run.vcd\"") && gtkw.contains("@22\n+{x/b_q} TOP.x.b_q[7:0]\n"));
        assert!(gtkw.contains("[timestart] 7\n") && gtkw.contains("*-12.000000 9 -1\n"), "{gtkw}");
        assert!(gtkw.contains("@800200\n-Banks") && gtkw.contains("@1000200\n-Banks"));
        assert!(
            gtkw.contains("+{x/state} view.state\n") && gtkw.contains("+{issue_0} view.issue_0\n"),
            "{gtkw}"
        );
        let sucl = std::fs::read_to_string(sucl).expect("written");
        assert_eq!(
            sucl,
            "load_file run.vcd\ndivider_add Instructions\nvariable_add view.issue_0\ndivider_add Banks\n\
             variable_add TOP.x.b_q\nvariable_add view.state\nzoom_fit\n"
        );
    }
}
