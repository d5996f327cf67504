//! Signals as text: names of states, members of a set, payloads under their valid, and tracks of events.
//!
//! They are strings of the waveform itself, in a scope of their own beside the design's, so that every viewer shows
//! them. A VCD string has no blanks; underscores stand for them.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use crate::WaveError;
use crate::shows::{NOTHING, Shows, Text};
use heddle_files::temporary;

/// The scope of the texts.
pub const SCOPE: &str = "view";
/// Adds texts to a VCD file, which is replaced whole.
///
/// # Errors
/// The file cannot be read or written, or has no such signal.
pub fn add_texts(path: &Path, texts: &[Text]) -> Result<(), WaveError> {
    let read = |source| WaveError::Read { path: path.to_owned(), source };
    let write = |source| WaveError::Write { path: path.to_owned(), source };
    let mut lines = BufReader::new(File::open(path).map_err(read)?).lines();
    let target = temporary(path).map_err(write)?;
    let mut out = BufWriter::new(target.reopen().map_err(write)?);
    let codes = header(&mut lines, &mut out, texts, path)?;
    let mut state = State::new(texts, &codes, path)?;
    for line in lines {
        let line = line.map_err(read)?;
        match line.strip_prefix('#').and_then(|time| time.trim().parse().ok()) {
            Some(time) => {
                state.settle(&mut out).map_err(write)?;
                state.now = Some(time);
            }
            None => state.note(&line),
        }
        writeln!(out, "{line}").map_err(write)?;
    }
    state.settle(&mut out).map_err(write)?;
    out.flush().map_err(write)?;
    out.get_ref().sync_all().map_err(write)?;
    target.persist(path).map_err(|e| write(e.error))?;
    Ok(())
}

/// The code of text `index`: longer than those that the tracer gives out.
fn code(index: usize) -> String {
    format!("~~~~~~{index}")
}

/// Copies the declarations with those of the texts behind them; the codes of all signals by path.
fn header(
    lines: &mut impl Iterator<Item = std::io::Result<String>>,
    out: &mut impl Write,
    texts: &[Text],
    path: &Path,
) -> Result<HashMap<String, String>, WaveError> {
    let write = |source| WaveError::Write { path: path.to_owned(), source };
    let (mut scopes, mut codes) = (Vec::new(), HashMap::new());
    for line in lines {
        let line = line.map_err(|source| WaveError::Read { path: path.to_owned(), source })?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["$scope", _, name, ..] => scopes.push(name.to_owned()),
            ["$upscope", ..] => {
                scopes.pop();
            }
            ["$var", _, _, code, name, ..] => {
                let own = scopes.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
                codes.insert(own, code.to_owned());
            }
            ["$enddefinitions", ..] => {
                writeln!(out, "$scope module {SCOPE} $end").map_err(write)?;
                for (index, text) in texts.iter().enumerate() {
                    writeln!(out, "$var string 1 {} {} $end", code(index), text.name).map_err(write)?;
                }
                writeln!(out, "$upscope $end\n{line}").map_err(write)?;
                return Ok(codes);
            }
            _ => {}
        }
        writeln!(out, "{line}").map_err(write)?;
    }
    Err(WaveError::Vcd { path: path.to_owned(), message: "it has no $enddefinitions".to_owned() })
}

/// What the signals hold while the file is read.
struct State<'t> {
    texts: &'t [Text],
    /// By code: the texts that are made of the signal.
    users: HashMap<String, Vec<usize>>,
    /// By path of a signal that a text is made of: its code.
    codes: HashMap<&'t str, String>,
    /// By code: bits, the highest first.
    bits: HashMap<String, String>,
    /// What each text shows.
    shown: Vec<Option<String>>,
    /// Texts whose signals have changed.
    changed: BTreeSet<usize>,
    /// The time, once there is one.
    now: Option<u64>,
}

impl<'t> State<'t> {
    fn new(texts: &'t [Text], all: &HashMap<String, String>, path: &Path) -> Result<Self, WaveError> {
        let (mut users, mut codes) = (HashMap::<String, Vec<usize>>::new(), HashMap::new());
        for (index, text) in texts.iter().enumerate() {
            for signal in text.shows.signals() {
                let code = all.get(signal).ok_or_else(|| WaveError::Vcd {
                    path: path.to_owned(),
                    message: format!("it has no signal {signal}, of which '{}' is made", text.name),
                })?;
                users.entry(code.clone()).or_default().push(index);
                codes.insert(signal, code.clone());
            }
        }
        let (bits, shown, changed) = (HashMap::new(), vec![None; texts.len()], BTreeSet::new());
        Ok(Self { texts, users, codes, bits, shown, changed, now: None })
    }

    /// Takes the change of a value.
    fn note(&mut self, line: &str) {
        let change = match line.split_at_checked(1) {
            Some(("b", rest)) => rest.split_once(' ').map(|(bits, code)| (code.trim(), bits)),
            Some((bit @ ("0" | "1" | "x" | "z"), code)) => Some((code.trim(), bit)),
            _ => None,
        };
        let Some((code, bits)) = change else { return };
        if let Some(users) = self.users.get(code) {
            self.bits.insert(code.to_owned(), bits.to_owned());
            self.changed.extend(users);
        }
    }

    /// Writes the texts that the changes of the time that ends have made different.
    fn settle(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        let Some(now) = self.now else { return Ok(()) };
        let is_track = |text: &Text| matches!(text.shows, Shows::Track { .. });
        let tracks = (0..self.texts.len()).filter(|index| is_track(&self.texts[*index]));
        let changed: Vec<usize> = std::mem::take(&mut self.changed).into_iter().chain(tracks).collect();
        for index in changed {
            let text = self.text(index, now).replace(char::is_whitespace, "_");
            if self.shown[index].as_ref() != Some(&text) {
                writeln!(out, "s{text} {}", code(index))?;
                self.shown[index] = Some(text);
            }
        }
        Ok(())
    }

    fn text(&self, index: usize, now: u64) -> String {
        let bits = |signal: &str| {
            let known = self.codes.get(signal).and_then(|code| self.bits.get(code));
            known.cloned().unwrap_or_else(|| "x".to_owned())
        };
        match &self.texts[index].shows {
            Shows::Track { changes } => {
                let passed = changes.partition_point(|(from, _)| *from <= now);
                passed.checked_sub(1).map_or_else(|| NOTHING.to_owned(), |last| changes[last].1.clone())
            }
            other => other.of(bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shows::Valid;

    #[test]
    fn texts_follow_their_signals() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.vcd");
        let text = "$timescale 1ps $end\n$scope module TOP $end\n$var wire 1 ! valid $end\n$var wire 4 \" tag [3:0] $end\n\
                    $var wire 2 # state [1:0] $end\n$var wire 256 % set [255:0] $end\n$upscope $end\n$enddefinitions $end\n\
                    #0\n0!\nb0011 \"\nb00 #\nb0 %\n#1000\n1!\nb1010 \"\nb01 #\nb11 %\n#2000\n0!\nb11 #\n#3000\nb0111 \"\n";
        std::fs::write(&path, text).expect("writable");
        let signal = |name: &str| format!("TOP.{name}");
        let texts = [
            Text {
                name: "state".into(),
                shows: Shows::Names {
                    signal: signal("state"),
                    names: [(0, "idle".to_owned()), (1, "fill".to_owned())].into(),
                    valid: None,
                },
            },
            Text {
                name: "set".into(),
                shows: Shows::Members { signal: signal("set"), letter: "R", valid: None },
            },
            Text {
                name: "tag".into(),
                shows: Shows::Payload {
                    signal: signal("tag"),
                    valid: Valid { signal: signal("valid"), bit: 0 },
                    hex: false,
                },
            },
            Text {
                name: "track".into(),
                shows: Shows::Track { changes: vec![(1000, "12 add".to_owned()), (3000, "-".to_owned())] },
            },
        ];
        add_texts(&path, &texts).expect("readable and writable");
        let mut wave = wellen::simple::read(&path).expect("VCD");
        let hierarchy = wave.hierarchy();
        let of = |name: &str| {
            let var =
                hierarchy.all_vars().find(|v| hierarchy[*v].full_name(hierarchy) == format!("view.{name}"));
            hierarchy[var.unwrap_or_else(|| panic!("no {name}"))].signal_ref()
        };
        let refs = ["state", "set", "tag", "track"].map(of);
        wave.load_signals(&refs);
        let times = wave.time_table().to_vec();
        let changes = refs.map(|r| {
            let signal = wave.get_signal(r).expect("loaded");
            signal.iter_changes().map(|(t, v)| (times[t as usize], v.to_string())).collect::<Vec<_>>()
        });
        let expected = [
            vec![(0, "idle"), (1000, "fill"), (2000, "3")],
            vec![(0, "-"), (1000, "R0-R1")],
            vec![(0, "-"), (1000, "10"), (2000, "-")],
            vec![(0, "-"), (1000, "12_add"), (3000, "-")],
        ];
        for (found, expected) in changes.iter().zip(expected) {
            let found: Vec<(u64, &str)> = found.iter().map(|(t, v)| (*t, v.as_str())).collect();
            assert_eq!(found, expected);
        }
        let gone = Text {
            name: "x".into(),
            shows: Shows::Members { signal: "TOP.gone".into(), letter: "", valid: None },
        };
        let message = add_texts(&path, &[gone]).expect_err("no such signal").to_string();
        assert!(message.contains("it has no signal TOP.gone, of which 'x' is made"), "{message}");
    }
}
