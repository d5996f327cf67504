//! Named event counters: what the bits of the event vector add up to over a run.
//!
//! Which bits belong to which event is data in the design's manifest; an event is counted once, by
//! name, from the same vector that is compared with the other machine's in every cycle.

use heddle_port::Events;
use heddle_rtl::Event;

/// A piece of a field inside one 32-bit word.
#[derive(Debug, Clone, Copy)]
struct Piece {
    event: usize,
    word: usize,
    mask: u32,
}

/// Sums of all counted events.
#[derive(Debug, Clone)]
pub struct Counters {
    names: Vec<String>,
    pieces: Vec<Piece>,
    sums: Vec<u64>,
}

impl Counters {
    /// Counters for those of `events` that are counted, all zero.
    #[must_use]
    pub fn new(events: &[Event]) -> Self {
        let counted: Vec<&Event> = events.iter().filter(|e| e.counted).collect();
        let mut pieces = Vec::new();
        for (event, field) in counted.iter().enumerate() {
            let (mut bit, end) = (usize::from(field.lsb), usize::from(field.lsb + field.width));
            while bit < end {
                let (word, shift) = (bit / 32, bit % 32);
                let take = (32 - shift).min(end - bit);
                let mask = if take == 32 { u32::MAX } else { ((1 << take) - 1) << shift };
                pieces.push(Piece { event, word, mask });
                bit += take;
            }
        }
        Self { names: counted.iter().map(|e| e.name.clone()).collect(), pieces, sums: vec![0; counted.len()] }
    }

    /// Adds the events of one cycle.
    #[inline]
    pub fn add(&mut self, events: &Events) {
        for piece in &self.pieces {
            let bits = events[piece.word] & piece.mask;
            if bits != 0 {
                self.sums[piece.event] += u64::from(bits.count_ones());
            }
        }
    }

    /// Names and sums, by rising bit.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().map(String::as_str).zip(self.sums.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(counters: &Counters, name: &str) -> Option<u64> {
        counters.iter().find(|(n, _)| *n == name).map(|(_, sum)| sum)
    }

    fn event(name: &str, lsb: u16, width: u16, counted: bool) -> Event {
        Event { name: name.into(), lsb, width, counted, doc: String::new() }
    }

    #[test]
    fn a_field_across_words_is_summed_whole() {
        let fields =
            [event("read", 0, 16, true), event("grant", 16, 8, false), event("across", 24, 48, true)];
        let mut counters = Counters::new(&fields);
        let mut events: Events = Default::default();
        events[0] = 0xFF01_0003; // two reads, a grant, bits 24..32
        events[1] = u32::MAX;
        events[2] = 0x1FF; // bits 64..72 belong to it, bit 72 does not
        counters.add(&events);
        counters.add(&events);
        assert_eq!(sum(&counters, "read"), Some(4));
        assert_eq!(sum(&counters, "across"), Some(2 * (8 + 32 + 8)));
        assert_eq!(sum(&counters, "grant"), None);
    }
}
