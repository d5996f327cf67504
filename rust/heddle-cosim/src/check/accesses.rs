//! The last accesses to memory, for reports.

use heddle_isa::Space;
use heddle_mem::kind;
use heddle_port::NUM_LANES;
use heddle_sm::PerformedEvent;

use super::history::Ring;
use crate::mismatch::Transaction;

/// Accesses kept.
const KEPT: usize = 1024;
/// Bytes of the word that a report is about.
const WORD: u64 = 4;

/// A ring of recent accesses.
#[derive(Debug)]
pub struct Accesses {
    entries: Ring<Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    cycle: u64,
    cta: u64,
    warp: u8,
    tag: u16,
    pc: u32,
    kind: u8,
    bytes: u32,
    lanes: u32,
    shared: u32,
    local: u32,
    /// In 32 bits, as the model's address spaces are.
    addresses: [u32; NUM_LANES],
    /// The first word stored or loaded.
    values: [u32; NUM_LANES],
}

/// A word of memory that a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Its memory: global, shared or local.
    pub space: Space,
    /// An address in it.
    pub address: u64,
    /// The CTA that it belongs to, of shared memory.
    pub cta: Option<u64>,
    /// The warp and lane that it belongs to, of local memory.
    pub lane: Option<(u8, u8)>,
}

impl Default for Accesses {
    fn default() -> Self {
        Self { entries: Ring::new(KEPT) }
    }
}

impl Entry {
    fn space(&self, lane: usize) -> Space {
        match (self.shared >> lane & 1, self.local >> lane & 1) {
            (1, _) => Space::Shared,
            (_, 1) => Space::Local,
            _ => Space::Global,
        }
    }

    /// The lowest lane that touches the word.
    fn lane_at(&self, word: Word) -> Option<usize> {
        let begin = word.address / WORD * WORD;
        (0..NUM_LANES).filter(|lane| self.lanes >> lane & 1 != 0 && self.space(*lane) == word.space).find(
            |&lane| {
                let first = u64::from(self.addresses[lane]);
                let overlaps = first < begin + WORD && begin < first + u64::from(self.bytes.max(1));
                let own = match word.space {
                    Space::Shared => word.cta.is_none_or(|cta| cta == self.cta),
                    Space::Local => word.lane.is_none_or(|(w, l)| (w, usize::from(l)) == (self.warp, lane)),
                    _ => true,
                };
                overlaps && own
            },
        )
    }

    fn transaction(&self, lane: usize, failing: Option<u16>) -> Transaction {
        let Self { warp, tag, pc, lanes, bytes, .. } = self;
        let kind = match self.kind {
            kind::WRITE => "store",
            kind::ATOMIC => "atomic",
            _ => "load",
        };
        let space = format!("{:?}", self.space(lane)).to_lowercase();
        let what = format!(
            "warp {warp}: {kind}, T{tag}, pc {pc}, lanes {lanes:#010x}, lane {lane}: {bytes} bytes at {space} {:#x}, {} {:#010x}",
            self.addresses[lane],
            if self.kind == kind::ATOMIC { "before" } else { "first word" },
            self.values[lane]
        );
        Transaction { cycle: self.cycle, what, failing: failing == Some(*tag) }
    }
}

impl Accesses {
    /// An access at cycle `cycle` of the run.
    pub(super) fn note(&mut self, cycle: u64, event: &PerformedEvent<'_>) {
        let stored = event.stored_elements > 0;
        let value = |lane: usize| if stored { event.stored[0][lane] as u32 } else { event.loaded[0][lane] };
        self.entries.push(Entry {
            cycle,
            cta: event.cta,
            warp: event.slot.0,
            tag: event.tag.0,
            pc: event.pc.0,
            kind: event.kind,
            bytes: event.bytes,
            lanes: event.lanes.0,
            shared: event.shared.0,
            local: event.local.0,
            addresses: std::array::from_fn(|lane| event.addresses[lane] as u32),
            values: std::array::from_fn(value),
        });
    }

    /// The last `limit` accesses to a word, the last one of the instruction `failing` marked.
    #[must_use]
    pub fn of_word(&self, word: Word, failing: Option<u16>, limit: usize) -> Vec<Transaction> {
        let touching = self.entries.oldest_first().filter_map(|e| Some((e, e.lane_at(word)?)));
        let mut all: Vec<Transaction> = touching.map(|(e, lane)| e.transaction(lane, None)).collect();
        let last = self.entries.oldest_first().filter(|e| e.lane_at(word).is_some()).last();
        if let (Some(entry), Some(end)) = (last, all.last_mut()) {
            end.failing = failing == Some(entry.tag);
        }
        all.split_off(all.len().saturating_sub(limit))
    }

    /// The last `limit` accesses of a warp; those of the instruction `failing` are marked.
    #[must_use]
    pub fn of_warp(&self, warp: u8, failing: Option<u16>, limit: usize) -> Vec<Transaction> {
        self.last(|entry| entry.warp == warp, failing, limit)
    }

    /// The last `limit` accesses of all warps.
    #[must_use]
    pub fn recent(&self, limit: usize) -> Vec<Transaction> {
        self.last(|_| true, None, limit)
    }

    fn last(&self, is_own: impl Fn(&Entry) -> bool, failing: Option<u16>, limit: usize) -> Vec<Transaction> {
        let own = self.entries.oldest_first().filter(|e| is_own(e) && e.lanes != 0);
        let mut all: Vec<Transaction> =
            own.map(|e| e.transaction(e.lanes.trailing_zeros() as usize, failing)).collect();
        all.split_off(all.len().saturating_sub(limit))
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::{Cycle, LaneMask, Tag, WarpSlot};

    use super::*;

    fn note(accesses: &mut Accesses, cycle: u64, kind: u8, shared: bool, address: u64) {
        let addresses = std::array::from_fn(|lane| address + 8 * lane as u64);
        let stored_elements = usize::from(kind == kind::WRITE);
        accesses.note(
            cycle,
            &PerformedEvent {
                cycle: Cycle(cycle),
                tag: Tag(cycle as u16),
                cta: cycle % 2,
                warp_in_cta: 0,
                slot: WarpSlot(3),
                pc: heddle_isa::Pc(7),
                lanes: LaneMask(0b110),
                shared: if shared { LaneMask::ALL } else { LaneMask::NONE },
                local: LaneMask::NONE,
                kind,
                bytes: 8,
                addresses: &addresses,
                texels: None,
                stored_elements,
                stored: &[[0x55; 32]; 4],
                loaded: &[[0x66; 32]; 4],
            },
        );
    }

    #[test]
    fn a_word_has_the_accesses_that_touch_it() {
        let mut accesses = Accesses::default();
        note(&mut accesses, 10, kind::WRITE, false, 0x100);
        note(&mut accesses, 11, kind::READ, false, 0x108);
        note(&mut accesses, 12, kind::READ, false, 0x200);
        note(&mut accesses, 13, kind::ATOMIC, true, 0x100);
        note(&mut accesses, 15, kind::READ, false, 0x100);
        let word = |space, address, cta| Word { space, address, cta, lane: None };
        let cycles = |list: &[Transaction]| list.iter().map(|t| t.cycle).collect::<Vec<_>>();
        let global = accesses.of_word(word(Space::Global, 0x116, None), Some(15), 9);
        assert_eq!(cycles(&global), [10, 11, 15]);
        assert!(
            global[0]
                .what
                .contains("warp 3: store, T10, pc 7, lanes 0x00000006, lane 2: 8 bytes at global 0x110")
        );
        assert!(
            global[0].what.ends_with("first word 0x00000055") && global[1].what.contains("load"),
            "{global:?}"
        );
        assert_eq!(global.iter().map(|t| t.failing).collect::<Vec<_>>(), [false, false, true]);
        // Lane 0 does not take part, and another CTA's shared memory is another one.
        assert!(accesses.of_word(word(Space::Global, 0x100, None), None, 9).is_empty());
        assert_eq!(cycles(&accesses.of_word(word(Space::Shared, 0x108, Some(1)), None, 9)), [13]);
        assert!(accesses.of_word(word(Space::Shared, 0x108, Some(0)), None, 9).is_empty());
        let own = accesses.of_warp(3, Some(12), 3);
        assert_eq!((cycles(&own), own[0].failing), (vec![12, 13, 15], true));
        assert!(accesses.of_warp(4, None, 3).is_empty());
        assert_eq!(cycles(&accesses.recent(2)), [13, 15]);
    }
}
