//! Saved views: which signals a reader wants to see first, in named groups.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::Miss;
use crate::{Signal, WaveError};
use heddle_files::publish;

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Radix {
    /// Hexadecimal.
    #[default]
    Hex,
    /// Unsigned decimal.
    Unsigned,
    /// Binary.
    Binary,
}

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

/// A named group of signals.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// Heading.
    pub name: String,
    /// Signal paths below the top scope; `*` stands for any text, dots included, `{lane}` for a lane's number.
    pub signals: Vec<String>,
    /// How values are shown.
    #[serde(default)]
    pub radix: Radix,
}

/// A design's view, `testbench/<design>/view.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The groups, from top to bottom.
    #[serde(rename = "group")]
    pub groups: Vec<Group>,
    /// Where it came from.
    #[serde(skip)]
    pub path: PathBuf,
}

/// A group with the signals that are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedGroup {
    /// Heading.
    pub name: String,
    /// Signals in the order of the patterns.
    pub signals: Vec<Signal>,
    /// How values are shown.
    pub radix: Radix,
}

impl View {
    /// Reads a view.
    ///
    /// # Errors
    /// The file cannot be read or is not of the documented form.
    pub fn load(path: &Path) -> Result<Self, WaveError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| WaveError::Read { path: path.to_owned(), source })?;
        let mut view: Self = toml::from_str(&text).map_err(|e| WaveError::View {
            path: path.to_owned(),
            message: e.to_string().trim_end().to_owned(),
        })?;
        view.path = path.to_owned();
        Ok(view)
    }

    /// The groups as they are shown: the clock's, those that show signals of the design, and then those that show
    /// its ports alone.
    fn in_order(&self) -> impl Iterator<Item = &Group> {
        let rank = |group: &Group| match () {
            () if group.signals.iter().any(|pattern| pattern == CLOCK) => 0,
            () if group.signals.iter().any(|pattern| inside(pattern).is_some()) => 1,
            () => 2,
        };
        (0..=2).flat_map(move |wanted| self.groups.iter().filter(move |group| rank(group) == wanted))
    }

    /// The signals of each group among `signals`, where lane `lane` is shown.
    ///
    /// # Errors
    /// Patterns that match nothing.
    pub fn resolve(&self, signals: &[Signal], lane: u8) -> Result<Vec<ResolvedGroup>, WaveError> {
        let of_lane = |text: &str| text.replace(LANE, &lane.to_string());
        let (mut groups, mut misses) = (Vec::new(), Vec::new());
        for group in self.in_order() {
            let mut found: Vec<Signal> = Vec::new();
            for pattern in group.signals.iter().map(|pattern| of_lane(pattern)) {
                let before = found.len();
                for signal in signals {
                    let name = below_top(&signal.path);
                    if matches(&pattern, name) && !found.iter().any(|f| f.path == signal.path) {
                        found.push(signal.clone());
                    }
                }
                if found.len() == before {
                    let near = near(&pattern, signals).map(str::to_owned);
                    misses.push(Miss { group: of_lane(&group.name), pattern, near });
                }
            }
            groups.push(ResolvedGroup { name: of_lane(&group.name), signals: found, radix: group.radix });
        }
        if misses.is_empty() {
            return Ok(groups);
        }
        Err(WaveError::NoSuchSignals { path: self.path.clone(), misses })
    }

    /// Writes `<waves>.gtkw` and `<waves>.sucl` beside the waveform and returns their paths. GTKWave opens at
    /// `focus`.
    ///
    /// # Errors
    /// Patterns that match nothing, or a file that cannot be written.
    pub fn save(&self, waves: &Path, signals: &[Signal], focus: Focus) -> Result<[PathBuf; 2], WaveError> {
        let groups = self.resolve(signals, focus.lane)?;
        let file_name = waves.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let gtkw = waves.with_extension("gtkw");
        let sucl = waves.with_extension("sucl");
        for (path, text) in
            [(&gtkw, gtkwave(&file_name, &groups, focus)), (&sucl, surfer(&file_name, &groups))]
        {
            publish(path, text.as_bytes())
                .map_err(|source| WaveError::Write { path: path.clone(), source })?;
        }
        Ok([gtkw, sucl])
    }
}

/// The clock among the ports.
const CLOCK: &str = "clk_i";
/// What stands for a lane's number.
const LANE: &str = "{lane}";

/// What follows the top module in a path below the top scope, where the path is not one of a port.
fn inside(path: &str) -> Option<&str> {
    path.split_once('.').filter(|(scope, _)| scope.ends_with("_top")).map(|(_, rest)| rest)
}

/// The signal whose name is nearest to a pattern: one that is spelt almost the same, or else one of the same name in
/// another place.
fn near<'s>(pattern: &str, signals: &'s [Signal]) -> Option<&'s str> {
    let names = || signals.iter().map(|signal| below_top(&signal.path));
    let last = |path: &'s str| path.rsplit('.').next();
    let wanted = pattern.rsplit('.').next();
    heddle_suggest::closest(pattern, names()).or_else(|| names().find(|name| last(name) == wanted))
}

/// The path without the top scope that the tracer adds (`TOP`).
fn below_top(path: &str) -> &str {
    path.strip_prefix("TOP.").unwrap_or(path)
}

/// What GTKWave shows: the path inside the design. GTKWave cuts names at dots, so slashes stand for them.
fn short_name(path: &str) -> String {
    inside(below_top(path)).unwrap_or(below_top(path)).replace("__SYM__", "").replace('.', "/")
}

/// Whether `pattern`, in which `*` stands for any text, covers all of `text`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, tail)) => text.strip_prefix(head).is_some_and(|rest| {
            (0..=rest.len()).filter(|i| rest.is_char_boundary(*i)).any(|i| matches(tail, &rest[i..]))
        }),
    }
}

fn gtkwave(file_name: &str, groups: &[ResolvedGroup], focus: Focus) -> String {
    let marker = focus.marker.map_or_else(|| "-1".to_owned(), |time| time.to_string());
    let start = focus.start;
    let mut text = String::from("[*] Saved view for GTKWave\n");
    // Zoom: 2^12.5 time units on 200 pixels, so that a cycle of 1000 units is wide enough for small numbers.
    let _ = writeln!(
        text,
        "[dumpfile] \"{file_name}\"\n[timestart] {start}\n[size] 1600 1000\n*-12.500000 {marker} -1\n[sst_width] 120"
    );
    for group in groups {
        let _ = writeln!(text, "@800200\n-{}", group.name);
        for signal in &group.signals {
            let flag = match group.radix {
                _ if signal.width == 1 => "@28",
                Radix::Hex => "@22",
                Radix::Unsigned => "@24",
                Radix::Binary => "@28",
            };
            let _ =
                writeln!(text, "{flag}\n+{{{}}} {}{}", short_name(&signal.path), signal.path, signal.range);
        }
        let _ = writeln!(text, "@1000200\n-{}", group.name);
    }
    text
}

fn surfer(file_name: &str, groups: &[ResolvedGroup]) -> String {
    let mut text = format!("load_file {file_name}\n");
    for group in groups {
        let _ = writeln!(text, "divider_add {}", group.name);
        let mut names: Vec<String> = group.signals.iter().map(surfer_name).collect();
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

    fn signal(path: &str, width: u32) -> Signal {
        let range = if width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
        Signal { path: path.to_owned(), width, range }
    }

    fn view(patterns: &[&str]) -> View {
        let signals = patterns.iter().map(|p| (*p).to_owned()).collect();
        View {
            groups: vec![Group { name: "Banks".into(), signals, radix: Radix::Hex }],
            path: PathBuf::from("view.toml"),
        }
    }

    #[test]
    fn patterns_pick_signals_in_their_order_and_once() {
        let all = [signal("TOP.x.b_q", 8), signal("TOP.x.a_q", 1), signal("TOP.x.c.a_q", 4)];
        let groups = view(&["x.a_q", "x.*_q"]).resolve(&all, 0).expect("all match");
        let names: Vec<&str> = groups[0].signals.iter().map(|s| s.path.as_str()).collect();
        assert_eq!(names, ["TOP.x.a_q", "TOP.x.b_q", "TOP.x.c.a_q"]);
    }

    #[test]
    fn patterns_without_a_signal_are_told_with_what_is_near() {
        let all = [signal("TOP.x.a_q", 1), signal("TOP.x.u_bank.busy", 1)];
        let found = view(&["x.a_d", "x.a_q", "x.u_store.busy", "zebra"]).resolve(&all, 0);
        let message = found.expect_err("three match nothing").to_string();
        for part in [
            "view.toml: group 'Banks': pattern 'x.a_d' matches no signal of the waveform, in which 'x.a_q' is near; ",
            "'x.u_store.busy' matches no signal of the waveform, in which 'x.u_bank.busy' is near; ",
            "pattern 'zebra' matches no signal of the waveform",
        ] {
            assert!(message.contains(part), "no '{part}' in: {message}");
        }
        assert!(message.ends_with("of the waveform"), "{message}");
    }

    #[test]
    fn groups_of_ports_stand_last_and_lanes_are_filled_in() {
        let group = |name: &str, pattern: &str| Group {
            name: name.into(),
            signals: vec![pattern.to_owned()],
            radix: Radix::Hex,
        };
        let groups = vec![
            group("Data of lane {lane}", "data_o[{lane}]"),
            group("Clock", "clk_i"),
            group("Port", "issue_i.valid"),
            group("Banks", "x_top.busy"),
        ];
        let view = View { groups, path: PathBuf::from("view.toml") };
        let all = ["clk_i", "issue_i.valid", "x_top.busy", "data_o[0]", "data_o[7]"];
        let all = all.map(|name| signal(&format!("TOP.{name}"), 1));
        let groups = view.resolve(&all, 7).expect("all match");
        let names: Vec<&str> = groups.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["Clock", "Banks", "Data of lane 7", "Port"]);
        assert_eq!(groups[2].signals[0].path, "TOP.data_o[7]");
    }

    #[test]
    fn save_files_name_every_signal_with_its_range() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let waves = folder.path().join("run.vcd");
        let [gtkw, sucl] = view(&["x.b_q"])
            .save(&waves, &[signal("TOP.x.b_q", 8)], Focus { start: 7, marker: Some(9), lane: 0 })
            .expect("folder is writable");
        let gtkw = std::fs::read_to_string(gtkw).expect("written");
        assert!(gtkw.contains("[dumpfile] \"run.vcd\"") && gtkw.contains("@22\n+{x/b_q} TOP.x.b_q[7:0]\n"));
        assert!(gtkw.contains("[timestart] 7\n") && gtkw.contains("*-12.500000 9 -1\n"), "{gtkw}");
        assert!(gtkw.contains("@800200\n-Banks") && gtkw.contains("@1000200\n-Banks"));
        let sucl = std::fs::read_to_string(sucl).expect("written");
        assert_eq!(sucl, "load_file run.vcd\ndivider_add Banks\nvariable_add TOP.x.b_q\nzoom_fit\n");
    }

    #[test]
    fn names_are_short_and_without_dots() {
        assert_eq!(short_name("TOP.ltrf_top.slots[1].state"), "slots[1]/state");
        assert_eq!(short_name("TOP.result_i[0].__SYM__register"), "result_i[0]/register");
        assert_eq!(short_name("TOP.clk_i"), "clk_i");
    }

    #[test]
    fn a_misspelt_key_of_a_view_is_refused() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("view.toml");
        std::fs::write(&path, "[[group]]\nname = \"x\"\nsignal = []\n").expect("writable");
        let message = View::load(&path).expect_err("misspelt").to_string();
        assert!(message.contains("view.toml") && message.contains("signal"), "{message}");
    }
}
