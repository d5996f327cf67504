//! A view on the signals of one waveform: which are shown, in which order, and as what.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::Miss;
use crate::paths::{below_top, inside, short_name};
use crate::shows::{Shows, Text, Valid};
use crate::view::{Group, Names, Radix, View};
use crate::{Signal, WaveError};

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
        let (mut groups, mut misses) = (Vec::<ResolvedGroup>::new(), Vec::new());
        let miss = |path: &Path, group: &str, pattern: &str| {
            let near = near(pattern, signals).map(str::to_owned);
            Miss { path: path.to_owned(), group: of_lane(group), pattern: pattern.to_owned(), near }
        };
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
                    misses.push(miss(&group.path, &group.name, &pattern));
                }
            }
            let name = of_lane(&group.name);
            match groups.iter_mut().find(|other| other.name == name) {
                Some(other) => other.signals.extend(found),
                None => groups.push(ResolvedGroup { name, signals: found, radix: group.radix }),
            }
        }
        let first = self.first.iter().map(|p| (&self.path, "first", p));
        let names = self.names.iter().flat_map(|n| n.signals.iter().map(move |p| (&n.path, "names", p)));
        let when = self
            .when
            .iter()
            .flat_map(|w| w.signals.iter().chain([&w.valid]).map(move |p| (&w.path, "when", p)));
        for (path, group, pattern) in first.chain(names).chain(when) {
            if !signals.iter().any(|signal| matches(pattern, below_top(&signal.path))) {
                misses.push(miss(path, group, pattern));
            }
        }
        if misses.is_empty() {
            return Ok(groups);
        }
        Err(WaveError::NoSuchSignals { misses })
    }

    /// Whether `path` is one of the signals at which the view opens.
    #[must_use]
    pub fn is_first(&self, path: &str) -> bool {
        self.first.iter().any(|pattern| matches(pattern, below_top(path)))
    }

    /// The bit that the view names for a signal.
    fn valid_of(&self, path: &str, signals: &[Signal]) -> Option<Valid> {
        let when = self.when.iter().find(|when| when.signals.iter().any(|p| matches(p, below_top(path))))?;
        let valid = signals.iter().find(|signal| below_top(&signal.path) == when.valid)?;
        let bit = if valid.width == 1 { 0 } else { last_number(path)? };
        Some(Valid { signal: valid.path.clone(), bit })
    }

    /// The texts that stand for signals of the groups, and by path which: signals whose values have names, sets, and
    /// payloads, which mean something only while a bit is 1: the `valid` beside a field of a port, or that of the view.
    #[must_use]
    pub fn texts(&self, groups: &[ResolvedGroup], signals: &[Signal]) -> BTreeMap<String, Text> {
        let is_valid = |path: &str| signals.iter().any(|s| s.width == 1 && s.path == path);
        let mut texts = BTreeMap::new();
        for group in groups {
            for signal in group.signals.iter().filter(|signal| signal.width > 1) {
                let path = signal.path.clone();
                let named = |names: &&Names| names.signals.iter().any(|p| matches(p, below_top(&path)));
                let beside = path.split_once('.').and_then(|(top, rest)| {
                    let (port, _) = rest.split_once('.')?;
                    Some(format!("{top}.{port}.valid")).filter(|valid| is_valid(valid))
                });
                let valid =
                    beside.map(|signal| Valid { signal, bit: 0 }).or_else(|| self.valid_of(&path, signals));
                let shows = if let Some(names) = self.names.iter().find(named) {
                    Shows::Names { signal: path.clone(), names: names.values.clone(), valid }
                } else if let Some(letter) = group.radix.letter() {
                    Shows::Members { signal: path.clone(), letter, valid }
                } else if let Some(valid) = valid {
                    Shows::Payload { signal: path.clone(), valid, hex: group.radix == Radix::Hex }
                } else {
                    continue;
                };
                let name = short_name(&path).replace(['/', '['], "_").replace(']', "");
                texts.entry(path).or_insert(Text { name, shows });
            }
        }
        texts
    }
}

/// The clock among the ports.
const CLOCK: &str = "clk_i";
/// Whether the signal of one bit at `path` says that the SM offers the design an instruction or an access to memory.
#[must_use]
pub fn is_offer(path: &str) -> bool {
    let Some(port) = below_top(path).strip_suffix(".valid") else { return false };
    port == "memory_request_i" || port.strip_prefix("issue_i[").is_some_and(|rest| rest.ends_with(']'))
}

/// What stands for a lane's number.
const LANE: &str = "{lane}";

/// The signal whose name is nearest to a pattern: one that is spelt almost the same, or else one of the same name in
/// another place.
fn near<'s>(pattern: &str, signals: &'s [Signal]) -> Option<&'s str> {
    let names = || signals.iter().map(|signal| below_top(&signal.path));
    let last = |path: &'s str| path.rsplit('.').next();
    let wanted = pattern.rsplit('.').next();
    heddle_suggest::closest(pattern, names()).or_else(|| names().find(|name| last(name) == wanted))
}

/// The number in the last brackets of a path.
fn last_number(path: &str) -> Option<usize> {
    let (_, tail) = path.rsplit_once('[')?;
    tail.split_once(']')?.0.parse().ok()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::When;

    fn signal(path: &str, width: u32) -> Signal {
        let range = if width == 1 { String::new() } else { format!("[{}:0]", width - 1) };
        Signal { path: path.to_owned(), width, range }
    }

    fn view(patterns: &[&str]) -> View {
        let signals = patterns.iter().map(|p| (*p).to_owned()).collect();
        let group = Group { name: "Banks".into(), signals, radix: Radix::Hex, path: "view.toml".into() };
        View { groups: vec![group], ..View::default() }
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
    fn a_view_opens_at_its_own_event_and_knows_when_signals_mean_something() {
        let all =
            [signal("TOP.x_top.tag_q[1]", 8), signal("TOP.x_top.in_use", 4), signal("TOP.x_top.start", 1)];
        let mut view = view(&["x_top.tag_q[1]"]);
        view.first = vec!["x_top.start".into()];
        let when = |valid: &str| When {
            signals: vec!["x_top.*_q[*]".into()],
            valid: valid.into(),
            path: "view.toml".into(),
        };
        view.when = vec![when("x_top.in_use")];
        assert!(view.is_first("TOP.x_top.start") && !view.is_first("TOP.issue_i[0].valid"));
        let groups = view.resolve(&all, 0).expect("all match");
        let valid = Valid { signal: "TOP.x_top.in_use".into(), bit: 1 };
        let tag = Shows::Payload { signal: "TOP.x_top.tag_q[1]".into(), valid, hex: true };
        assert_eq!(view.texts(&groups, &all)["TOP.x_top.tag_q[1]"].shows, tag);
        view.when = vec![when("x_top.in_user")];
        view.first = vec!["x_top.stop".into()];
        let message = view.resolve(&all, 0).expect_err("two match nothing").to_string();
        let parts =
            ["'when': pattern 'x_top.in_user'", "'x_top.in_use' is near", "'first': pattern 'x_top.stop'"];
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }

    #[test]
    fn groups_of_ports_stand_last_and_lanes_are_filled_in() {
        let group = |name: &str, pattern: &str| Group {
            name: name.into(),
            signals: vec![pattern.to_owned()],
            radix: Radix::Hex,
            path: "view.toml".into(),
        };
        let groups = vec![
            group("Data of lane {lane}", "data_o[{lane}]"),
            group("Clock", "clk_i"),
            group("Port", "issue_i.valid"),
            group("Banks", "x_top.busy"),
            group("Port", "x_top.stall"),
        ];
        let view = View { groups, ..View::default() };
        let all = ["clk_i", "issue_i.valid", "x_top.busy", "x_top.stall", "data_o[0]", "data_o[7]"];
        let all = all.map(|name| signal(&format!("TOP.{name}"), 1));
        assert!(is_offer("TOP.issue_i[0].valid") && is_offer("TOP.memory_request_i.valid"));
        assert!(!is_offer("TOP.x_top.issue_i[0].valid") && !is_offer("TOP.done_o.valid"));
        let groups = view.resolve(&all, 7).expect("all match");
        let names: Vec<&str> = groups.iter().map(|g| g.name.as_str()).collect();
        assert_eq!(names, ["Clock", "Banks", "Port", "Data of lane 7"]);
        assert_eq!(groups[3].signals[0].path, "TOP.data_o[7]");
        let port: Vec<&str> = groups[2].signals.iter().map(|s| s.path.as_str()).collect();
        assert_eq!(port, ["TOP.x_top.stall", "TOP.issue_i.valid"], "both groups of the name");
    }

    #[test]
    fn names_sets_and_payloads_become_texts() {
        let folder = tempfile::tempdir().expect("temporary folder");
        std::fs::write(folder.path().join("p.sv"), "typedef enum logic { A, B } e;").expect("writable");
        let path = folder.path().join("view.toml");
        let group = |name: &str, signals: &str, radix: &str| {
            format!("[[group]]\nname = '{name}'\nsignals = [{signals}]\nradix = '{radix}'\n")
        };
        let names = "[[names]]\nsignals = ['*.state']\nenum = 'e'\nfile = 'p.sv'\n";
        let text = names.to_owned()
            + &group("Port", "'req_i.valid', 'req_i.tag', 'other'", "unsigned")
            + &group("Slots", "'x_top.slots[1].state', 'x_top.set_q'", "registers");
        std::fs::write(&path, &text).expect("writable");
        let view = View::load(&path).expect("well formed");
        let all = [
            ("req_i.valid", 1),
            ("req_i.tag", 8),
            ("other", 4),
            ("x_top.slots[1].state", 2),
            ("x_top.set_q", 9),
        ];
        let all = all.map(|(name, width)| signal(&format!("TOP.{name}"), width));
        let groups = view.resolve(&all, 0).expect("all match");
        let texts = view.texts(&groups, &all);
        let names: Vec<(&str, &str)> =
            texts.iter().map(|(path, t)| (path.as_str(), t.name.as_str())).collect();
        let expected = [
            ("TOP.req_i.tag", "req_i_tag"),
            ("TOP.x_top.set_q", "set_q"),
            ("TOP.x_top.slots[1].state", "slots_1_state"),
        ];
        assert_eq!(names, expected);
        let valid = Valid { signal: "TOP.req_i.valid".into(), bit: 0 };
        let tag = Shows::Payload { signal: "TOP.req_i.tag".into(), valid, hex: false };
        assert_eq!(texts["TOP.req_i.tag"].shows, tag);
        std::fs::write(&path, text.replace("'e'", "'f'")).expect("writable");
        let message = View::load(&path).expect_err("no such enumeration").to_string();
        assert!(message.contains("p.sv has no enumeration 'f'"), "{message}");
    }
}
