//! Trace events as Perfetto and Chrome read them (Trace Event Format), one a line.

use std::io::{self, Write};

use serde_json::{Value, json};

/// A process of the timeline: its tracks lie together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// The launches, on one track.
    Launches = 1,
    /// A track a warp slot: what its warp does.
    Warps = 2,
    /// A track a warp slot: commands of its warp that the design carries out.
    Commands = 3,
    /// A track a bank of the register file.
    Banks = 4,
}

impl Group {
    const ALL: [Self; 4] = [Self::Launches, Self::Warps, Self::Commands, Self::Banks];

    fn name(self) -> &'static str {
        match self {
            Self::Launches => "launches",
            Self::Warps => "warp slots",
            Self::Commands => "commands of the warp slots",
            Self::Banks => "banks of the register file",
        }
    }
}

/// A time on a track.
#[derive(Debug, Clone, Copy)]
pub struct Slice<'a> {
    pub group: Group,
    /// Number of the track.
    pub track: usize,
    pub name: &'a str,
    /// First cycle, and the one after the last.
    pub from: u64,
    pub to: u64,
}

/// Writes the events of a timeline; a cycle is a microsecond of the viewer.
#[derive(Debug)]
pub struct Events<W: Write> {
    out: W,
}

impl<W: Write> Events<W> {
    /// Begins the file.
    pub fn new(mut out: W) -> io::Result<Self> {
        write!(out, "{{\"traceEvents\":[")?;
        for (number, group) in Group::ALL.into_iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let id = group as u32;
            let name =
                json!({ "ph": "M", "name": "process_name", "pid": id, "args": { "name": group.name() } });
            let place =
                json!({ "ph": "M", "name": "process_sort_index", "pid": id, "args": { "sort_index": id } });
            write!(out, "{comma}\n{name},\n{place}")?;
        }
        Ok(Self { out })
    }

    /// Names a track.
    pub fn track(&mut self, group: Group, track: usize, name: &str) -> io::Result<()> {
        let event = json!({
            "ph": "M", "name": "thread_name", "pid": group as u32, "tid": track, "args": { "name": name }
        });
        write!(self.out, ",\n{event}")
    }

    /// Writes a slice; one without a cycle is left out.
    pub fn slice(&mut self, slice: Slice<'_>, args: &Value) -> io::Result<()> {
        let Slice { group, track, name, from, to } = slice;
        if to <= from {
            return Ok(());
        }
        let event = json!({
            "ph": "X", "name": name, "pid": group as u32, "tid": track, "ts": from, "dur": to - from, "args": args
        });
        write!(self.out, ",\n{event}")
    }

    /// Ends the file, with what it is of.
    pub fn end(mut self, about: &Value) -> io::Result<W> {
        write!(self.out, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{about}}}\n")?;
        Ok(self.out)
    }
}
