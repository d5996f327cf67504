//! Named event counters: what the bits of the event vector add up to over a run.
//!
//! Which bits belong to which event is data in the design's manifest; an event is counted once, by
//! name, from the same vector that is compared with the other machine's in every cycle.

mod ones;

use std::collections::BTreeMap;

use heddle_port::bits::get_bits;
use heddle_port::{EventField, EventLayout, Events};
use heddle_rtl::Event;

use ones::Ones;

/// A piece of a field inside one 32-bit word.
#[derive(Debug, Clone, Copy)]
struct Piece {
    event: usize,
    mask: u32,
    /// Of a number: where the piece lies in the word, and in the number.
    level: Option<(usize, usize)>,
}

impl Piece {
    /// What the piece adds to the sum of its event in a cycle with this word.
    #[inline]
    fn value(&self, word: u32) -> u64 {
        let bits = word & self.mask;
        match self.level {
            None => bits.count_ones().into(),
            Some((shift, place)) => u64::from(bits >> shift) << place,
        }
    }
}

/// A row of numbers in the event vector whose sum at the end of each launch is summed.
#[derive(Debug, Clone)]
struct AtEnd {
    name: String,
    field: EventField,
    /// Bits of a number.
    bits: usize,
    sum: u64,
}

/// Adds to the sum of each event what the counts of its bits add up to.
fn add_ones(words: &[(usize, Vec<Piece>)], ones: &Ones, sums: &mut [u64]) {
    for (word, pieces) in words {
        for (weight, digit) in ones.digits(*word).filter(|(_, digit)| *digit != 0) {
            for piece in pieces {
                sums[piece.event] += weight * piece.value(digit);
            }
        }
    }
}

/// Sums of all counted events.
#[derive(Debug, Clone)]
pub struct Counters {
    names: Vec<String>,
    /// The pieces in each word of the event vector that has some.
    words: Vec<(usize, Vec<Piece>)>,
    /// Without the cycles that `ones` holds.
    sums: Vec<u64>,
    ones: Ones,
    /// What the flushes after the launches add up to; nothing for levels.
    flush_sums: Vec<u64>,
    at_end: Vec<AtEnd>,
    /// Events of the last cycle added, where something is summed at the end.
    last: Events,
    /// The sums at the end of the launch before the last, as far as they were asked for.
    told: BTreeMap<String, u64>,
}

impl Counters {
    /// Counters for those of `events` that are counted, all zero; `layout` says where they lie.
    #[must_use]
    pub fn new(events: &[Event], layout: &EventLayout) -> Self {
        let field = |event: &Event| layout.field(&event.name).unwrap_or_default();
        let counted: Vec<&Event> = events.iter().filter(|e| e.counted).collect();
        let mut words: BTreeMap<usize, Vec<Piece>> = BTreeMap::new();
        for (event, of) in counted.iter().enumerate() {
            let EventField { lsb, .. } = field(of);
            let (mut bit, end) = (usize::from(lsb), field(of).end());
            while bit < end {
                let (word, shift) = (bit / 32, bit % 32);
                let take = (32 - shift).min(end - bit);
                let mask = if take == 32 { u32::MAX } else { ((1 << take) - 1) << shift };
                let level = of.level.then_some((shift, bit - usize::from(lsb)));
                words.entry(word).or_default().push(Piece { event, mask, level });
                bit += take;
            }
        }
        let ones = Ones::new(words.keys().next_back().copied().unwrap_or(0));
        let at_end = events.iter().filter_map(|e| {
            let name = format!("{}_at_end", e.name);
            Some(AtEnd { name, field: field(e), bits: usize::from(e.at_end?), sum: 0 })
        });
        Self {
            names: counted.iter().map(|e| e.name.clone()).collect(),
            words: words.into_iter().collect(),
            sums: vec![0; counted.len()],
            ones,
            flush_sums: vec![0; counted.len()],
            at_end: at_end.collect(),
            last: Events::default(),
            told: BTreeMap::new(),
        }
    }

    /// Adds the events of one cycle.
    #[inline]
    pub fn add(&mut self, events: &Events) {
        if !self.at_end.is_empty() {
            self.last = *events;
        }
        if self.ones.is_full() {
            add_ones(&self.words, &self.ones, &mut self.sums);
            self.ones = self.ones.fresh();
        }
        self.ones.add(events);
    }

    /// The sums of all cycles.
    fn all_sums(&self) -> Vec<u64> {
        let mut sums = self.sums.clone();
        add_ones(&self.words, &self.ones, &mut sums);
        sums
    }

    /// Adds the events of one cycle of the flush after a launch. A level is none of a launch's cycles and is left out.
    pub fn add_flush(&mut self, events: &Events) {
        if !self.at_end.is_empty() {
            self.last = *events;
        }
        for (word, pieces) in &self.words {
            for piece in pieces.iter().filter(|p| p.level.is_none()) {
                self.flush_sums[piece.event] += piece.value(events[*word]);
            }
        }
    }

    /// Counters for the same events, all zero.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Self {
            sums: vec![0; self.sums.len()],
            ones: self.ones.fresh(),
            flush_sums: vec![0; self.flush_sums.len()],
            at_end: self.at_end.iter().map(|row| AtEnd { sum: 0, ..row.clone() }).collect(),
            last: Events::default(),
            told: BTreeMap::new(),
            ..self.clone()
        }
    }

    /// Adds what `one`, one of several SMs, counted in the launch that has ended with the last cycle added to it.
    pub fn add_launch(&mut self, one: &Self) {
        for (sums, of_one) in [(&mut self.sums, &one.all_sums()), (&mut self.flush_sums, &one.flush_sums)] {
            sums.iter_mut().zip(of_one).for_each(|(sum, of_one)| *sum += of_one);
        }
        self.add_levels(&one.last);
    }

    /// A launch has ended with the last cycle added.
    pub fn launch_ended(&mut self) {
        let last = std::mem::take(&mut self.last);
        self.add_levels(&last);
    }

    /// Adds the numbers of the last cycle of a launch.
    fn add_levels(&mut self, last: &Events) {
        for row in &mut self.at_end {
            for bit in (usize::from(row.field.lsb)..row.field.end()).step_by(row.bits.max(1)) {
                row.sum += u64::from(get_bits(last, bit, row.bits));
            }
        }
    }

    /// Names and sums, by rising bit; then the sums at the ends of the launches.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let at_end = self.at_end.iter().map(|row| (row.name.as_str(), row.sum));
        self.names.iter().map(String::as_str).zip(self.all_sums()).chain(at_end)
    }

    /// Names and sums since this was asked the last time: of one launch, when it is asked after each.
    pub fn since_last_launch(&mut self) -> BTreeMap<String, u64> {
        let all: BTreeMap<String, u64> = self.iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
        let before = |name: &String| self.told.get(name).copied().unwrap_or(0);
        let new = all.iter().map(|(name, sum)| (name.clone(), sum - before(name))).collect();
        self.told = all;
        new
    }

    /// Names and sums of what happened in the flushes, without those that never did.
    pub fn flush_iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let all = self.names.iter().map(String::as_str).zip(self.flush_sums.iter().copied());
        all.filter(|(_, sum)| *sum > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_port::Parameters;
    use heddle_rtl::{Formula, Manifest};

    fn sum(counters: &Counters, name: &str) -> Option<u64> {
        counters.iter().find(|(n, _)| *n == name).map(|(_, sum)| sum)
    }

    fn event(name: &str, lsb: u16, width: i64, counted: bool) -> Event {
        let (lsb, width) = (Some(lsb), Formula::number(width));
        Event { name: name.into(), lsb, width, counted, at_end: None, level: false, doc: String::new() }
    }

    fn counters(events: &[Event]) -> Counters {
        let manifest = Manifest { events: events.to_vec(), ..Manifest::default() };
        Counters::new(events, &manifest.layout(&Parameters::default()).expect("places"))
    }

    #[test]
    fn a_level_adds_its_number_in_every_cycle() {
        let level = Event { level: true, ..event("entries", 28, 11, true) };
        let mut counters = counters(&[level]);
        let mut events: Events = Default::default();
        events[0] = 5 << 28 | 0x0FFF_FFFF;
        events[1] = 0b1000_0011;
        counters.add(&events);
        counters.add(&events);
        assert_eq!(sum(&counters, "entries"), Some(2 * (5 + (3 << 4))));
    }

    #[test]
    fn sums_go_on_over_cycles_that_are_counted_at_once() {
        let level = Event { level: true, ..event("entries", 30, 4, true) };
        let mut counters = counters(&[event("read", 0, 3, true), level]);
        let mut all = counters.fresh();
        let mut expected = (0, 0);
        for cycle in 0..40u32 {
            let mut events: Events = Default::default();
            events[0] = (cycle % 8) | ((cycle % 16) << 30);
            events[1] = (cycle % 16) >> 2;
            counters.add(&events);
            expected.0 += u64::from((cycle % 8).count_ones());
            expected.1 += u64::from(cycle % 16);
            let sums = (sum(&counters, "read"), sum(&counters, "entries"));
            assert_eq!(sums, (Some(expected.0), Some(expected.1)), "after cycle {cycle}");
        }
        all.add_launch(&counters);
        all.add_launch(&counters);
        assert_eq!(sum(&all, "entries"), Some(2 * expected.1));
        assert_eq!(sum(&counters.fresh(), "read"), Some(0));
    }

    #[test]
    fn a_flush_is_counted_apart_and_adds_no_level() {
        let level = Event { level: true, ..event("entries", 8, 4, true) };
        let mut counters = counters(&[event("lookup", 0, 4, true), event("never", 4, 4, true), level]);
        let mut events: Events = Default::default();
        events[0] = 0x503;
        counters.add(&events);
        counters.add_flush(&events);
        counters.add_flush(&events);
        assert_eq!((sum(&counters, "lookup"), sum(&counters, "entries")), (Some(2), Some(5)));
        assert_eq!(counters.flush_iter().collect::<Vec<_>>(), [("lookup", 4)]);
    }

    #[test]
    fn a_field_across_words_is_summed_whole() {
        let fields =
            [event("read", 0, 16, true), event("grant", 16, 8, false), event("across", 24, 48, true)];
        let mut counters = counters(&fields);
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

    #[test]
    fn what_several_sms_counted_in_a_launch_adds_up() {
        let fields =
            [event("read", 0, 4, true), Event { at_end: Some(4), ..event("position", 16, 8, false) }];
        let mut all = counters(&fields);
        let mut events: Events = Default::default();
        events[0] = 0x0021_0003;
        all.add(&events);
        all.launch_ended();
        for position in [0x0040_0001, 0x0052_000F] {
            let mut one = all.fresh();
            events[0] = position;
            one.add(&events);
            one.add_flush(&events);
            all.add_launch(&one);
        }
        all.launch_ended();
        assert_eq!(sum(&all, "read"), Some(2 + 1 + 4));
        assert_eq!(sum(&all, "position_at_end"), Some(2 + 1 + 4 + 5 + 2));
        assert_eq!(all.flush_iter().collect::<Vec<_>>(), [("read", 5)]);
    }

    #[test]
    fn numbers_are_summed_at_the_end_of_each_launch() {
        let fields = [Event { at_end: Some(4), ..event("position", 16, 24, false) }];
        let mut counters = counters(&fields);
        let mut events: Events = Default::default();
        events[0] = u32::MAX;
        counters.add(&events);
        events[0] = 0x321F_FFFF;
        events[1] = 0xF5; // bits 32..40
        counters.add(&events);
        counters.launch_ended();
        assert_eq!(sum(&counters, "position_at_end"), Some(0xF + 1 + 2 + 3 + 5 + 0xF));
        assert_eq!(counters.since_last_launch()["position_at_end"], 41);
        // A launch without a cycle adds nothing.
        counters.launch_ended();
        assert_eq!(counters.since_last_launch()["position_at_end"], 0);
        assert_eq!(sum(&counters, "position_at_end"), Some(41));
        assert_eq!(sum(&counters, "position"), None);
    }
}
