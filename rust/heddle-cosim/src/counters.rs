//! Named event counters: what the bits of the event vector add up to over a run.
//!
//! Which bits belong to which event is data in the design's manifest; an event is counted once, by
//! name, from the same vector that is compared with the other machine's in every cycle.

use heddle_port::Events;

/// One counted event: a field of the event vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventField {
    /// Name of the event.
    pub name: String,
    /// Lowest bit.
    pub lsb: usize,
    /// Number of bits.
    pub width: usize,
}

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
    /// Counters for the given fields, all zero.
    #[must_use]
    pub fn new(fields: &[EventField]) -> Self {
        let mut pieces = Vec::new();
        for (event, field) in fields.iter().enumerate() {
            let (mut bit, end) = (field.lsb, field.lsb + field.width);
            while bit < end {
                let (word, shift) = (bit / 32, bit % 32);
                let take = (32 - shift).min(end - bit);
                let mask = if take == 32 { u32::MAX } else { ((1 << take) - 1) << shift };
                pieces.push(Piece { event, word, mask });
                bit += take;
            }
        }
        Self { names: fields.iter().map(|f| f.name.clone()).collect(), pieces, sums: vec![0; fields.len()] }
    }

    /// Adds the events of one cycle.
    #[inline]
    pub fn add(&mut self, events: &Events) {
        if events.iter().all(|w| *w == 0) {
            return;
        }
        for piece in &self.pieces {
            let bits = events[piece.word] & piece.mask;
            if bits != 0 {
                self.sums[piece.event] += u64::from(bits.count_ones());
            }
        }
    }

    /// Names and sums, in the manifest's order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.names.iter().map(String::as_str).zip(self.sums.iter().copied())
    }

    /// The sum of one event.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<u64> {
        self.names.iter().position(|n| n == name).map(|i| self.sums[i])
    }
}

/// Name and index of the event that bit `bit` belongs to.
#[must_use]
pub fn event_of_bit(fields: &[EventField], bit: usize) -> Option<(&str, usize)> {
    fields
        .iter()
        .find(|f| (f.lsb..f.lsb + f.width).contains(&bit))
        .map(|f| (f.name.as_str(), bit - f.lsb))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Vec<EventField> {
        vec![
            EventField { name: "read".into(), lsb: 0, width: 16 },
            EventField { name: "across".into(), lsb: 24, width: 48 },
        ]
    }

    #[test]
    fn a_field_across_words_is_summed_whole() {
        let mut counters = Counters::new(&fields());
        let mut events: Events = Default::default();
        events[0] = 0xFF01_0003; // two reads, bits 24..32
        events[1] = u32::MAX;
        events[2] = 0x1FF; // bits 64..72 belong to it, bit 72 does not
        counters.add(&events);
        counters.add(&events);
        assert_eq!(counters.get("read"), Some(4));
        assert_eq!(counters.get("across"), Some(2 * (8 + 32 + 8)));
        assert_eq!(counters.get("other"), None);
    }

    #[test]
    fn a_bit_has_the_name_of_its_event() {
        assert_eq!(event_of_bit(&fields(), 3), Some(("read", 3)));
        assert_eq!(event_of_bit(&fields(), 30), Some(("across", 6)));
        assert_eq!(event_of_bit(&fields(), 20), None);
    }
}
