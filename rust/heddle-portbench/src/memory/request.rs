//! The requests that the bench drives.

use heddle_port::{MemIn, MemOut, MemRequest, MemSpace, NUM_LANES};

use super::{ATOMIC, FIRST_LINES, Flight, LINE, MOST, MemoryTraffic, READ, SAME_SET, WRITE};

impl MemoryTraffic {
    pub(super) fn drive_request(&mut self, cycle: u64, out: &MemOut, input: &mut MemIn) {
        input.request.valid = false;
        let busy = self.flights.len() - self.free_tags.len();
        if !out.request_ready || busy >= MOST {
            return;
        }
        let last = self.unread.is_some();
        if !last && !self.rng.chance(self.pace.request) {
            return;
        }
        let line = match &mut self.unread {
            Some(lines) => match lines.pop() {
                Some(line) => line,
                None => return,
            },
            None => {
                let first = FIRST_LINES[usize::from(self.rng.chance(64))];
                let number = self.rng.below(self.pace.spread) as u32;
                let set = self.rng.below(self.sets) as u32;
                first + number / 4 * SAME_SET + 4 * set + number % 4
            }
        };
        let at = self.rng.below(self.free_tags.len());
        let tag = self.free_tags.swap_remove(at);
        let request = if last { read_all(line, tag) } else { self.draw(line, tag) };
        if request.kind != READ {
            let rng = &mut self.rng;
            input.request_data.as_flattened_mut().fill_with(|| rng.word());
        }
        input.request = request;
        self.order.push_back(tag);
        self.flights[usize::from(tag)] = Some(Box::new(Flight {
            request,
            data: input.request_data,
            since: cycle,
            performed: false,
            expected: [[0; 4]; NUM_LANES],
        }));
    }

    fn draw(&mut self, line: u32, tag: u16) -> MemRequest {
        let rng = &mut self.rng;
        let size_log2 = rng.below(5) as u8;
        let (kind, operator) = if self.pace.loads_only {
            (READ, 0)
        } else {
            let kinds = [READ, READ, READ, READ, WRITE, WRITE, WRITE, ATOMIC];
            (kinds[rng.below(kinds.len())], [0, 0, 0, 0, 2, 5, 1, 6][rng.below(8)])
        };
        let mask = match rng.below(3) {
            0 => u32::MAX,
            1 => rng.word(),
            _ => 1 << rng.below(NUM_LANES),
        };
        let places = (LINE >> size_log2) as usize;
        let in_order = rng.chance(128);
        let mut address = [0; NUM_LANES];
        for (lane, address) in address.iter_mut().enumerate() {
            let place = if in_order { lane % places } else { rng.below(places) };
            *address = line * LINE + ((place as u32) << size_log2);
        }
        MemRequest {
            valid: true,
            tag,
            space: space_of(line) as u8,
            kind,
            atomic: 0,
            cache_operator: if kind == ATOMIC { 0 } else { operator },
            cta_slot: 0,
            size_log2,
            part: rng.below(8) as u8,
            mask: if mask == 0 { 1 } else { mask },
            address,
        }
    }
}

fn space_of(line: u32) -> MemSpace {
    if line >= FIRST_LINES[1] { MemSpace::Local } else { MemSpace::Global }
}

/// A load of a whole line, a word a lane.
fn read_all(line: u32, tag: u16) -> MemRequest {
    MemRequest {
        valid: true,
        tag,
        space: space_of(line) as u8,
        size_log2: 2,
        mask: u32::MAX,
        address: std::array::from_fn(|lane| line * LINE + 4 * lane as u32),
        ..MemRequest::default()
    }
}
