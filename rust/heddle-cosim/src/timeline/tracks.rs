//! What is open on each track.

use std::io::{self, Write};

use heddle_port::{Command, CommandOp, MAX_BANKS, NUM_WARPS, members};
use heddle_sm::{CycleEvent, WarpSets};
use serde_json::{Value, json};

use super::writer::{Events, Group, Slice};

/// A command that the design carries out.
#[derive(Debug, Clone)]
struct Moving {
    op: CommandOp,
    from: u64,
    args: Value,
}

/// The tracks of an SM.
#[derive(Debug)]
pub struct Tracks {
    /// Cycles that are shown.
    from: u64,
    to: u64,
    launch: Option<(String, u64)>,
    launches: usize,
    /// The last cycle's sets, and since when each warp slot is in its set.
    sets: [u64; WarpSets::NAMES.len()],
    since: [u64; NUM_WARPS],
    moving: Vec<Option<Moving>>,
    busy: [u32; MAX_BANKS / 32],
    busy_since: [u64; MAX_BANKS],
    /// Tracks that have a name already.
    named: [[bool; MAX_BANKS]; 3],
}

impl Tracks {
    /// Nothing is open; slices are cut to the cycles `from` to `to`.
    pub fn new(from: u64, to: u64) -> Self {
        Self {
            from,
            to,
            launch: None,
            launches: 0,
            sets: [0; WarpSets::NAMES.len()],
            since: [0; NUM_WARPS],
            moving: vec![None; NUM_WARPS],
            busy: [0; MAX_BANKS / 32],
            busy_since: [0; MAX_BANKS],
            named: [[false; MAX_BANKS]; 3],
        }
    }

    fn slice<W: Write>(&mut self, slice: Slice<'_>, args: &Value, events: &mut Events<W>) -> io::Result<()> {
        let shown = Slice { from: slice.from.max(self.from), to: slice.to.min(self.to), ..slice };
        if shown.to <= shown.from {
            return Ok(());
        }
        let (group, track) = (shown.group, shown.track);
        let name = match group {
            Group::Launches => None,
            Group::Warps => Some((0, format!("warp slot {track:02}"))),
            Group::Commands => Some((1, format!("warp slot {track:02}"))),
            Group::Banks => Some((2, format!("bank {track:03}"))),
        };
        if let Some((kind, name)) = name
            && !std::mem::replace(&mut self.named[kind][track], true)
        {
            events.track(group, track, &name)?;
        }
        events.slice(shown, args)
    }

    /// A launch begins.
    pub fn launch(&mut self, name: &str, now: u64) {
        self.launch = Some((name.to_owned(), now));
    }

    /// A cycle: what has changed since the last one.
    pub fn cycle<W: Write>(
        &mut self,
        now: u64,
        event: &CycleEvent<'_>,
        events: &mut Events<W>,
    ) -> io::Result<()> {
        let sets = event.warps.all();
        for (set, warps) in sets.into_iter().enumerate() {
            for warp in members(self.sets[set] & !warps) {
                self.close_warp(warp, set, now, events)?;
            }
        }
        self.sets = sets;
        for (word, &busy) in event.bank_busy.iter().enumerate() {
            for bit in members(self.busy[word] ^ busy) {
                self.bank(32 * word + bit, busy >> bit & 1 != 0, now, events)?;
            }
        }
        Ok(())
    }

    /// A warp slot leaves a set; an empty slot has no slice.
    fn close_warp<W: Write>(
        &mut self,
        warp: usize,
        set: usize,
        now: u64,
        events: &mut Events<W>,
    ) -> io::Result<()> {
        let from = std::mem::replace(&mut self.since[warp], now);
        let name = WarpSets::NAMES[set];
        if name == "empty" {
            return Ok(());
        }
        self.slice(Slice { group: Group::Warps, track: warp, name, from, to: now }, &json!({}), events)
    }

    fn bank<W: Write>(
        &mut self,
        bank: usize,
        busy: bool,
        now: u64,
        events: &mut Events<W>,
    ) -> io::Result<()> {
        self.busy[bank / 32] ^= 1 << (bank % 32);
        if busy {
            self.busy_since[bank] = now;
            return Ok(());
        }
        let from = self.busy_since[bank];
        self.slice(
            Slice { group: Group::Banks, track: bank, name: "busy", from, to: now },
            &json!({}),
            events,
        )
    }

    /// The design takes a command that moves registers.
    pub fn command(&mut self, now: u64, op: CommandOp, command: &Command) {
        let registers: u32 = command.vector.iter().map(|word| word.count_ones()).sum();
        let args = match op {
            CommandOp::Prefetch => json!({ "interval": command.interval, "registers": registers }),
            _ => json!({}),
        };
        self.moving[usize::from(command.warp)] = Some(Moving { op, from: now, args });
    }

    /// The design has carried out the command of a warp.
    pub fn done<W: Write>(&mut self, now: u64, warp: u8, events: &mut Events<W>) -> io::Result<()> {
        let Some(Moving { op, from, args }) = self.moving[usize::from(warp)].take() else { return Ok(()) };
        let name = match op {
            CommandOp::Activate => "activate",
            CommandOp::Deactivate => "deactivate",
            _ => "prefetch",
        };
        let slice = Slice { group: Group::Commands, track: usize::from(warp), name, from, to: now };
        self.slice(slice, &args, events)
    }

    /// Ends what is open: the launch has ended.
    pub fn close<W: Write>(&mut self, now: u64, events: &mut Events<W>) -> io::Result<()> {
        for warp in 0..NUM_WARPS {
            if let Some(set) = self.sets.iter().position(|members| members >> warp & 1 != 0) {
                self.close_warp(warp, set, now, events)?;
            }
            self.done(now, warp as u8, events)?;
        }
        self.sets = [0; WarpSets::NAMES.len()];
        self.since = [now; NUM_WARPS];
        for bank in 0..MAX_BANKS {
            if self.busy[bank / 32] >> (bank % 32) & 1 != 0 {
                self.bank(bank, false, now, events)?;
            }
        }
        if let Some((name, from)) = self.launch.take() {
            let number = self.launches;
            self.launches += 1;
            let slice = Slice { group: Group::Launches, track: 0, name: &name, from, to: now };
            self.slice(slice, &json!({ "launch": number }), events)?;
        }
        Ok(())
    }
}
