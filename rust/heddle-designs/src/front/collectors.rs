//! The operand collectors.

use crate::common::{BankSet, MOST_BANKS};
use heddle_port::{Issue, NUM_SOURCES};

/// Operand collectors.
pub const NUM_COLLECTORS: usize = 16;
/// In the place of a bank: a source that no bank is read for.
pub const ELSEWHERE: usize = MOST_BANKS;

/// Collectors of any kind; sets of them are bit masks.
pub trait Collectors {
    /// How many further instructions find a collector.
    fn free(&self) -> usize;
    /// The same, of the collectors of a set; those that know no sub-cores are one set.
    fn free_in(&self, collectors: u32) -> usize {
        let _ = collectors;
        self.free()
    }
    /// Collectors whose instruction may be handed out.
    fn complete(&self) -> u32;
    /// Tag of the instruction in a collector.
    fn tag(&self, collector: usize) -> u16;
    /// Empties the collectors of a set.
    fn release(&mut self, collectors: u32);
}

/// One source of the instruction in one collector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceRef {
    /// Collector number.
    pub collector: u8,
    /// Source slot.
    pub source: u8,
}

/// One collector's instruction.
#[derive(Debug, Clone, Copy, Default)]
struct Collector<R> {
    tag: u16,
    /// Sources whose read no bank has granted yet, one bit a source slot.
    pending: u8,
    /// Sources whose data are not there yet.
    missing: u8,
    /// Bank of each source, a byte each, the first one's lowest.
    banks: u64,
    /// What the design knows of the register of each source.
    register: [R; NUM_SOURCES],
}

impl<R> Collector<R> {
    /// Bank of a source.
    #[inline]
    fn bank(&self, source: u8) -> usize {
        usize::from((self.banks >> (8 * source)) as u8)
    }
}

/// A number in each byte, as a factor of that number.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// The bytes of `bytes` that are zero, one bit each, the lowest byte's lowest.
#[inline]
fn zero_bytes(bytes: u64) -> u8 {
    const LOW: u64 = EACH_BYTE * 0x7f;
    let zero = !(((bytes & LOW) + LOW) | bytes | LOW);
    // The highest bit of each byte goes into the highest byte, none of them where another one goes.
    ((zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Collectors whose sources are read by banks, in any order; of each source a bank and what else the design
/// wants to know of its register.
#[derive(Debug, Clone)]
pub struct CollectorArray<R = ()> {
    collectors: [Collector<R>; NUM_COLLECTORS],
    in_use: u32,
    /// In use, and all operands there.
    complete: u32,
    /// By bank, and [`ELSEWHERE`]: collectors with a pending source in it.
    requests: [u32; MOST_BANKS + 1],
    /// Banks with a request, in words of 64; behind those of the banks the one of [`ELSEWHERE`].
    requested: [u64; MOST_BANKS / 64 + 1],
}

/// Where a bank stands in a set in words: the word, and the bit.
#[inline]
fn place(bank: usize) -> (usize, u64) {
    (bank / 64, 1 << (bank % 64))
}

/// All collectors as a set.
const ALL: u32 = (1 << NUM_COLLECTORS) - 1;

impl<R: Copy + Default> Default for CollectorArray<R> {
    fn default() -> Self {
        Self {
            collectors: [Collector::default(); NUM_COLLECTORS],
            in_use: 0,
            complete: 0,
            requests: [0; MOST_BANKS + 1],
            requested: [0; MOST_BANKS / 64 + 1],
        }
    }
}

impl<R: Copy> CollectorArray<R> {
    /// Collectors that hold an instruction.
    #[inline]
    #[must_use]
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Banks with a read request.
    #[inline]
    #[must_use]
    pub fn requested_banks(&self) -> BankSet {
        let [low, high, _] = self.requested;
        BankSet::from(high) << 64 | BankSet::from(low)
    }

    /// Collectors that request a read of `bank`, or from [`ELSEWHERE`].
    #[inline]
    #[must_use]
    pub fn requests(&self, bank: usize) -> u32 {
        self.requests[bank]
    }

    /// What is known of the register of a source.
    #[inline]
    #[must_use]
    pub fn register(&self, at: SourceRef) -> R {
        self.collectors[usize::from(at.collector)].register[usize::from(at.source)]
    }

    /// Registers of all sources of a collector, and which of them are pending.
    #[inline]
    #[must_use]
    pub fn sources(&self, collector: usize) -> (&[R; NUM_SOURCES], u8) {
        let entry = &self.collectors[collector];
        (&entry.register, entry.pending)
    }

    /// Puts an instruction into the lowest free collector, which it returns; of each source bank and
    /// register. The caller sees to it that one is free.
    #[inline]
    pub fn allocate(&mut self, issue: &Issue, sources: [(u8, R); NUM_SOURCES]) -> usize {
        self.allocate_in(ALL, issue, sources)
    }

    /// [`Self::allocate`] among the collectors of a set.
    #[inline]
    pub fn allocate_in(&mut self, set: u32, issue: &Issue, sources: [(u8, R); NUM_SOURCES]) -> usize {
        let collector = (set & !self.in_use).trailing_zeros() as usize;
        let bit = 1 << collector;
        self.in_use |= bit;
        if issue.source_valid == 0 {
            self.complete |= bit;
        }
        for (source, &(bank, _)) in sources.iter().enumerate() {
            if issue.source_valid >> source & 1 != 0 {
                let (word, here) = place(bank.into());
                self.requests[usize::from(bank)] |= bit;
                self.requested[word] |= here;
            }
        }
        self.collectors[collector] = Collector {
            tag: issue.tag,
            pending: issue.source_valid,
            missing: issue.source_valid,
            banks: sources.iter().rev().fold(0, |banks, &(bank, _)| banks << 8 | u64::from(bank)),
            register: sources.map(|(_, register)| register),
        };
        collector
    }

    /// The pending sources of `collector` in `bank`, one bit each.
    #[inline]
    fn pending_in(&self, collector: usize, bank: usize) -> u8 {
        let entry = &self.collectors[collector];
        zero_bytes(entry.banks ^ (EACH_BYTE * bank as u64)) & entry.pending
    }

    /// The lowest pending source of `collector` in `bank`, which has one.
    #[inline]
    #[must_use]
    pub fn lowest(&self, collector: usize, bank: usize) -> SourceRef {
        let source = self.pending_in(collector, bank).trailing_zeros() as u8 % NUM_SOURCES as u8;
        SourceRef { collector: collector as u8, source }
    }

    /// A pending source is pending no more.
    #[inline]
    pub fn settle(&mut self, at: SourceRef) {
        let collector = usize::from(at.collector);
        let bank = self.collectors[collector].bank(at.source);
        self.collectors[collector].pending &= !(1 << at.source);
        if self.pending_in(collector, bank) == 0 {
            self.requests[bank] &= !(1 << collector);
            if self.requests[bank] == 0 {
                let (word, here) = place(bank);
                self.requested[word] &= !here;
            }
        }
    }

    /// A source without data is pending once more.
    #[inline]
    pub fn pend(&mut self, at: SourceRef) {
        let entry = &mut self.collectors[usize::from(at.collector)];
        let bank = entry.bank(at.source);
        entry.pending |= 1 << at.source;
        let (word, here) = place(bank);
        self.requests[bank] |= 1 << at.collector;
        self.requested[word] |= here;
    }

    /// Takes the granted request of `collector` at `bank`: its lowest pending source there.
    #[inline]
    pub fn take_request(&mut self, collector: usize, bank: usize) -> SourceRef {
        let source = self.lowest(collector, bank);
        self.settle(source);
        source
    }

    /// The data of a source have arrived.
    #[inline]
    pub fn deliver(&mut self, target: SourceRef) {
        let entry = &mut self.collectors[usize::from(target.collector)];
        entry.missing &= !(1 << target.source);
        if entry.missing == 0 {
            self.complete |= 1 << target.collector;
        }
    }
}

impl<R: Copy> Collectors for CollectorArray<R> {
    #[inline]
    fn free(&self) -> usize {
        NUM_COLLECTORS - self.in_use.count_ones() as usize
    }

    #[inline]
    fn free_in(&self, collectors: u32) -> usize {
        (collectors & !self.in_use).count_ones() as usize
    }

    #[inline]
    fn complete(&self) -> u32 {
        self.complete
    }

    #[inline]
    fn tag(&self, collector: usize) -> u16 {
        self.collectors[collector].tag
    }

    #[inline]
    fn release(&mut self, collectors: u32) {
        self.in_use &= !collectors;
        self.complete &= !collectors;
    }
}

#[cfg(test)]
mod tests {
    use super::{CollectorArray, ELSEWHERE, zero_bytes};
    use heddle_port::Issue;

    #[test]
    fn banks_are_requested_until_their_last_source_is_settled() {
        let mut array = CollectorArray::<()>::default();
        let issue = Issue { source_valid: 0b1111, ..Issue::default() };
        let banks = [127, ELSEWHERE as u8, 64, 127, 0, 0].map(|bank| (bank, ()));
        let collector = array.allocate(&issue, banks);
        assert_eq!(array.requested_banks(), 1 << 127 | 1 << 64);
        array.take_request(collector, 127);
        assert_eq!(array.requested_banks(), 1 << 127 | 1 << 64);
        let last = array.take_request(collector, 127);
        array.take_request(collector, ELSEWHERE);
        assert_eq!((array.requested_banks(), array.requests(ELSEWHERE)), (1 << 64, 0));
        array.pend(last);
        assert_eq!(array.requested_banks(), 1 << 127 | 1 << 64);
    }

    #[test]
    fn each_byte_that_is_zero_has_its_bit() {
        for set in 0..=u8::MAX {
            for other in [1, 0x7f, 0x80, 0xff] {
                let bytes = std::array::from_fn(|byte| if set >> byte & 1 != 0 { 0 } else { other });
                assert_eq!(zero_bytes(u64::from_le_bytes(bytes)), set, "{bytes:x?}");
            }
        }
    }
}
