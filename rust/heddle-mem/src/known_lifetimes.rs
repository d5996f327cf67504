//! Lifetimes of shared-memory addresses that are known beforehand (OSM, section 6.4: the ideal replacement).
//!
//! What is known of a word is how often it is read between its writes, one number for each of its lifetimes in their
//! order, found by a run before. A word lives from a write until it has been read so often. Two runs of a kernel
//! whose threads race for shared memory may read a word a different number of times; then a lifetime is taken to end
//! early or late, and nothing else differs.

use std::collections::HashMap;
use std::sync::Arc;

use heddle_port::LINE_BYTES;

/// Words of a line.
const LINE_WORDS: usize = LINE_BYTES / 4;
/// Words of a CTA that are followed: as many as the largest shared memory of a CTA has.
const MOST_WORDS: usize = 1 << 15;

/// Reads of each lifetime of each word, by number of the CTA.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownReads {
    ctas: HashMap<u64, Vec<Vec<u32>>>,
}

impl KnownReads {
    fn word(&mut self, cta: u64, word: usize) -> &mut Vec<u32> {
        let words = self.ctas.entry(cta).or_default();
        if words.len() <= word {
            words.resize(word + 1, Vec::new());
        }
        &mut words[word]
    }

    /// A lane of a CTA reads `bytes` bytes.
    pub fn read(&mut self, cta: u64, offset: u32, bytes: u32) {
        for word in words(offset, bytes) {
            if let Some(reads) = self.word(cta, word).last_mut() {
                *reads += 1;
            }
        }
    }

    /// A lane of a CTA writes `bytes` bytes.
    pub fn write(&mut self, cta: u64, offset: u32, bytes: u32) {
        for word in words(offset, bytes) {
            let lifetimes = self.word(cta, word);
            if lifetimes.last() != Some(&0) {
                lifetimes.push(0);
            }
        }
    }

    /// Reads of lifetime `number` of a word; 0 of one that is not known.
    fn reads(&self, cta: u64, word: usize, number: usize) -> u32 {
        let lifetimes = self.ctas.get(&cta).and_then(|words| words.get(word));
        lifetimes.and_then(|l| l.get(number)).copied().unwrap_or(0)
    }
}

/// The 4-byte words that `bytes` bytes from `offset` on lie in.
fn words(offset: u32, bytes: u32) -> std::ops::RangeInclusive<usize> {
    let last = offset.saturating_add(bytes.max(1) - 1) / 4;
    (offset / 4) as usize..=(last as usize).min(MOST_WORDS - 1)
}

#[derive(Debug, Clone, Copy, Default)]
struct Word {
    /// Lifetimes begun.
    lifetimes: u32,
    /// Reads of the last one so far, and how many it has.
    reads: u32,
    of: u32,
}

impl Word {
    fn lives(&self) -> bool {
        self.reads < self.of
    }
}

#[derive(Debug, Clone)]
struct Block {
    cta: u64,
    words: Vec<Word>,
    /// Words that live, by line.
    living: Vec<u8>,
}

/// A line begins to live, or all its words are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiveChange {
    /// CTA slot.
    pub slot: u8,
    /// Offset of the line in the CTA's shared memory.
    pub offset: u32,
    /// It lives.
    pub live: bool,
}

/// Follows which lines live, by what is known.
#[derive(Debug, Clone)]
pub struct Liveness {
    known: Arc<KnownReads>,
    blocks: Vec<Option<Block>>,
    changes: Vec<LiveChange>,
}

impl Liveness {
    /// Before the first CTA.
    #[must_use]
    pub fn new(known: Arc<KnownReads>) -> Self {
        Self { known, blocks: Vec::new(), changes: Vec::new() }
    }

    /// CTA number `cta` with `bytes` bytes of shared memory starts in a slot.
    pub fn start(&mut self, slot: u8, cta: u64, bytes: u32) {
        let slot = usize::from(slot);
        if self.blocks.len() <= slot {
            self.blocks.resize(slot + 1, None);
        }
        let words = vec![Word::default(); bytes.div_ceil(4) as usize];
        let living = vec![0; words.len().div_ceil(LINE_WORDS)];
        self.blocks[slot] = Some(Block { cta, words, living });
    }

    /// A lane of the CTA in `slot` reads `bytes` bytes.
    pub fn read(&mut self, slot: u8, offset: u32, bytes: u32) {
        let Some(Some(block)) = self.blocks.get_mut(usize::from(slot)) else { return };
        for index in words(offset, bytes) {
            let Some(word) = block.words.get_mut(index) else { return };
            let lived = word.lives();
            word.reads += 1;
            if lived && !word.lives() {
                let line = index / LINE_WORDS;
                block.living[line] -= 1;
                if block.living[line] == 0 {
                    self.changes.push(change(slot, line, false));
                }
            }
        }
    }

    /// A lane of the CTA in `slot` writes `bytes` bytes.
    pub fn write(&mut self, slot: u8, offset: u32, bytes: u32) {
        let Some(Some(block)) = self.blocks.get_mut(usize::from(slot)) else { return };
        for index in words(offset, bytes) {
            let Some(word) = block.words.get_mut(index) else { return };
            let line = index / LINE_WORDS;
            let lived = word.lives();
            if word.lifetimes == 0 || word.reads > 0 {
                let of = self.known.reads(block.cta, index, word.lifetimes as usize);
                *word = Word { lifetimes: word.lifetimes + 1, reads: 0, of };
            }
            let living = &mut block.living[line];
            *living = *living + u8::from(word.lives()) - u8::from(lived);
            // The cache takes a line that is written to live, and is put right where no word does.
            self.changes.push(change(slot, line, *living > 0));
        }
    }

    /// The CTA in `slot` has ended.
    pub fn end(&mut self, slot: u8) {
        if let Some(block) = self.blocks.get_mut(usize::from(slot)) {
            *block = None;
        }
    }

    /// What has changed since the last call, in order.
    pub fn changes(&mut self) -> std::vec::Drain<'_, LiveChange> {
        self.changes.drain(..)
    }
}

fn change(slot: u8, line: usize, live: bool) -> LiveChange {
    LiveChange { slot, offset: (line * LINE_BYTES) as u32, live }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{KnownReads, LiveChange, Liveness};

    /// Words 0 and 1 of CTA 7: word 0 is read twice and, written again, once; word 1 is never read.
    fn known() -> Arc<KnownReads> {
        let mut known = KnownReads::default();
        known.read(7, 0, 4);
        known.write(7, 0, 8);
        known.read(7, 0, 4);
        known.read(7, 0, 4);
        known.write(7, 0, 4);
        known.write(7, 0, 4);
        known.read(7, 2, 1);
        assert_eq!(known.ctas[&7], [vec![2, 1], vec![0]]);
        Arc::new(known)
    }

    fn changes(liveness: &mut Liveness) -> Vec<(u32, bool)> {
        liveness.changes().map(|LiveChange { offset, live, .. }| (offset, live)).collect()
    }

    #[test]
    fn a_line_lives_until_the_last_read_of_its_last_word() {
        let mut l = Liveness::new(known());
        l.start(3, 7, 256);
        l.write(3, 0, 4);
        assert_eq!(changes(&mut l), [(0, true)]);
        l.write(3, 4, 4);
        assert_eq!(changes(&mut l), [(0, true)], "word 0 lives, word 1 is never read");
        l.read(3, 0, 4);
        assert_eq!(changes(&mut l), []);
        l.read(3, 0, 4);
        assert_eq!(changes(&mut l), [(0, false)]);
        l.write(3, 0, 4);
        assert_eq!(changes(&mut l), [(0, true)]);
        l.read(3, 0, 4);
        assert_eq!(changes(&mut l), [(0, false)]);
        l.read(3, 0, 4);
        assert_eq!(changes(&mut l), [], "once more than was known");
    }

    #[test]
    fn what_is_not_known_is_over_when_it_is_written() {
        let mut l = Liveness::new(known());
        l.start(0, 8, 256);
        l.write(0, 128, 4);
        assert_eq!(changes(&mut l), [(128, false)]);
        l.start(1, 7, 4);
        l.write(1, 4, 4);
        l.write(2, 0, 4);
        l.read(1, u32::MAX, 4);
        l.end(1);
        l.write(1, 0, 4);
        assert_eq!(changes(&mut l), [], "beyond its shared memory, and of no CTA");
    }
}
