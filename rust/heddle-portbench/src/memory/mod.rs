//! Random traffic through the memory port of a design that has both ports.
//!
//! Few lines that share few sets, so that they push each other out and registers too, of every size, kind and cache operator; an L2
//! that takes requests and answers when it likes and holds its own copy of the lines. An access takes its
//! place in the memory order when it is performed: there the golden bytes are read or written, and what a load
//! brings later must be what was read. At the end of every other run all lines that were touched are read once more; then the
//! design is flushed, and L2 must hold what the golden bytes are.

mod below;
mod line;
mod request;

use std::collections::{HashMap, VecDeque};

use heddle_port::{
    LaneWords, MemData, MemIn, MemKind, MemOut, MemRequest, NUM_LANES, REGISTER_LINES, TAG_BITS,
};

use self::line::{Line, gather, lanes, line_number, line_of, scatter};
use crate::failure::FailureKind;
use crate::rng::Rng;

const LINE: u32 = heddle_port::LINE_BYTES as u32;
/// First line of global and of local memory that is accessed.
const FIRST_LINES: [u32; 2] = [0x1000_0000 / LINE, 0xF000_0000 / LINE];
/// Lines of each, and the distance between those that share a set in every associativity.
const LINES: usize = 32;
const SAME_SET: u32 = 512;
/// Line number of the first register of a design that spills them.
const FIRST_REGISTER_LINE: u32 = REGISTER_LINES / LINE;
/// Requests that the bench has under way at most.
const MOST: usize = 192;
/// Kinds of request, as the port numbers them.
const READ: u8 = MemKind::Read as u8;
const WRITE: u8 = MemKind::Write as u8;
const ATOMIC: u8 = MemKind::Atomic as u8;

/// A request from its handshake to its response.
struct Flight {
    request: MemRequest,
    data: LaneWords,
    since: u64,
    performed: bool,
    /// What the lanes of a load or atomic must bring.
    expected: LaneWords,
}

/// An answer that L2 owes.
struct Answer {
    due: u64,
    id: u16,
    line: u32,
    data: heddle_port::LineData,
}

/// How dense the traffic is for a while; chances out of 256.
#[derive(Default)]
struct Pace {
    until: u64,
    request: u32,
    l2: u32,
    most_delay: usize,
    spread: usize,
    /// Loads alone, which gather in the MSHRs.
    loads_only: bool,
}

pub(crate) struct MemoryTraffic {
    rng: Rng,
    /// Sets of each tag bank that the lines share.
    sets: usize,
    golden: HashMap<u32, Line>,
    /// What L2 holds.
    below: HashMap<u32, Line>,
    flights: Vec<Option<Box<Flight>>>,
    free_tags: Vec<u16>,
    /// Tags in the order of their handshakes, those performed left out.
    order: VecDeque<u16>,
    /// What atomics leave, in order; L2 has it when their request arrives.
    atomics: VecDeque<(u32, Line, Line)>,
    answers: Vec<Answer>,
    pace: Pace,
    /// Lines that are still to be read at the end.
    unread: Option<Vec<u32>>,
    /// The flush at the end has been asked for.
    flushed: bool,
    /// Requests answered.
    pub requests: u64,
    /// Loaded values compared, a lane each.
    pub loaded: u64,
    pub longest: u64,
    /// Registers written to memory, and fetched from it.
    pub spills: u64,
    pub refills: u64,
}

impl MemoryTraffic {
    pub(crate) fn new(seed: u64, sets: usize) -> Self {
        let tags = 1 << TAG_BITS;
        Self {
            sets: sets.clamp(1, 32),
            rng: Rng::new(seed ^ 0x006D_656D_6F72_7900),
            golden: HashMap::new(),
            below: HashMap::new(),
            flights: (0..tags).map(|_| None).collect(),
            free_tags: (0..tags as u16).collect(),
            order: VecDeque::new(),
            atomics: VecDeque::new(),
            answers: Vec::new(),
            pace: Pace::default(),
            unread: None,
            flushed: false,
            requests: 0,
            loaded: 0,
            longest: 0,
            spills: 0,
            refills: 0,
        }
    }

    /// One cycle: takes the design's outputs and fills the inputs. True when all is done and read back.
    pub(crate) fn cycle(
        &mut self,
        cycle: u64,
        ending: bool,
        out: &MemOut,
        data: Option<&MemData>,
        input: &mut MemIn,
        patience: u64,
    ) -> Result<bool, FailureKind> {
        if cycle >= self.pace.until {
            self.new_pace(cycle);
        }
        if ending && self.unread.is_none() {
            // Reading all back drives dirty lines out, so half of the runs leave them to the flush.
            let read_all = self.rng.below(2) == 0;
            let mut lines: Vec<u32> = self.golden.keys().copied().filter(|_| read_all).collect();
            lines.sort_unstable();
            self.unread = Some(lines);
        }
        if out.performed.valid {
            self.perform(out)?;
        }
        if out.response.valid {
            self.respond(cycle, out, data)?;
        }
        self.drive_l2(cycle, out, data, input)?;
        self.drive_request(cycle, out, input);
        if cycle.is_multiple_of(256)
            && let Some(flight) = self.flights.iter().flatten().find(|f| cycle - f.since > patience)
        {
            let what = format!("memory request T{}", flight.request.tag);
            return Err(FailureKind::Wait { what, limit: patience });
        }
        let read_back = self.unread.as_ref().is_some_and(Vec::is_empty);
        let at_rest = self.free_tags.len() == self.flights.len() && !input.request.valid && out.idle;
        input.flush = read_back && at_rest && !self.flushed;
        if self.flushed && at_rest {
            // The bytes came with the data.
            return if data.is_some() { self.below_is_golden().map(|()| true) } else { Ok(true) };
        }
        self.flushed |= input.flush;
        Ok(false)
    }

    fn new_pace(&mut self, cycle: u64) {
        let rng = &mut self.rng;
        let mut draw = |from: &[u32]| from[rng.below(from.len())];
        self.pace = Pace {
            request: draw(&[256, 192, 96, 16]),
            l2: draw(&[256, 256, 128, 16]),
            most_delay: draw(&[1, 20, 120, 600]) as usize,
            spread: draw(&[8, 16, LINES as u32]) as usize,
            loads_only: draw(&[0, 0, 0, 1]) != 0,
            until: cycle + 200 + u64::from(draw(&[0, 300, 900])),
        };
    }

    fn perform(&mut self, out: &MemOut) -> Result<(), FailureKind> {
        let wrong = |what: String| Err(FailureKind::Protocol(what));
        let tag = out.performed.tag;
        if self.order.pop_front() != Some(tag) {
            return wrong(format!("memory performed T{tag}, which is not the oldest request"));
        }
        let Some(flight) = self.flights[usize::from(tag)].as_mut() else {
            return wrong(format!("memory performed T{tag}, which is not under way"));
        };
        let request = &flight.request;
        if out.performed.mask != request.mask {
            return wrong(format!("memory performed lanes {:#x} of T{tag}", out.performed.mask));
        }
        flight.performed = true;
        let number = line_number(request);
        let old = line_of(&self.golden, number);
        flight.expected = gather(request, &old);
        if request.kind != READ {
            let mut line = old;
            scatter(request, &flight.data, &mut line);
            self.golden.insert(number, line);
            if request.kind == ATOMIC {
                let mut touched = [0; LINE as usize];
                scatter(request, &[[u32::MAX; 4]; NUM_LANES], &mut touched);
                self.atomics.push_back((number, line, touched));
            }
        } else {
            self.golden.insert(number, old);
        }
        Ok(())
    }

    fn respond(&mut self, cycle: u64, out: &MemOut, data: Option<&MemData>) -> Result<(), FailureKind> {
        let wrong = |what: String| Err(FailureKind::Protocol(what));
        let response = &out.response;
        let tag = response.tag;
        let Some(flight) = self.flights[usize::from(tag)].take().filter(|f| f.performed) else {
            return wrong(format!("memory answers T{tag}, which has not been performed"));
        };
        let request = &flight.request;
        if response.mask != request.mask
            || response.part != request.part
            || response.store != (request.kind == WRITE)
        {
            return wrong(format!("memory answers T{tag} with {response:?}"));
        }
        if let Some(data) = data.filter(|_| !response.store) {
            for lane in lanes(request.mask) {
                let (expected, found) = (flight.expected[lane], data.response[lane]);
                if expected != found {
                    return Err(FailureKind::Loaded {
                        tag,
                        lane,
                        address: request.address[lane],
                        expected,
                        found,
                    });
                }
                self.loaded += 1;
            }
        }
        self.requests += 1;
        self.longest = self.longest.max(cycle - flight.since);
        self.free_tags.push(tag);
        Ok(())
    }
}
