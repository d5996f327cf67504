//! The operand collectors.

use super::{NUM_BANKS, NUM_COLLECTORS};
use heddle_port::{Issue, NUM_SOURCES};

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
struct Collector {
    tag: u16,
    /// Sources whose read no bank has granted yet, one bit a source slot.
    pending: u8,
    /// Sources whose data are not there yet.
    missing: u8,
    /// Bank of each source.
    bank: [u8; NUM_SOURCES],
}

/// All collectors; sets of collectors are bit masks.
#[derive(Debug, Clone, Default)]
pub struct Collectors {
    collectors: [Collector; NUM_COLLECTORS],
    in_use: u32,
    /// In use, and all operands there.
    complete: u32,
    /// By bank: collectors with a pending source in it.
    requests: [u32; NUM_BANKS],
    /// Banks with a request.
    requested: u32,
}

/// All collectors as a set.
const ALL: u32 = (1 << NUM_COLLECTORS) - 1;

impl Collectors {
    /// Collectors that hold an instruction.
    #[inline]
    #[must_use]
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Collectors that hold none.
    #[inline]
    #[must_use]
    pub fn free(&self) -> u32 {
        ALL & !self.in_use
    }

    /// Collectors whose operands are all there.
    #[inline]
    #[must_use]
    pub fn complete(&self) -> u32 {
        self.complete
    }

    /// Tag of the instruction in a collector.
    #[inline]
    #[must_use]
    pub fn tag(&self, collector: usize) -> u16 {
        self.collectors[collector].tag
    }

    /// Banks with a read request.
    #[inline]
    #[must_use]
    pub fn requested_banks(&self) -> u32 {
        self.requested
    }

    /// Collectors that request a read of `bank`.
    #[inline]
    #[must_use]
    pub fn requests(&self, bank: usize) -> u32 {
        self.requests[bank]
    }

    /// Puts an instruction into a free collector; source s lies in bank `banks[s]`.
    #[inline]
    pub fn allocate(&mut self, collector: usize, issue: &Issue, banks: [u8; NUM_SOURCES]) {
        let bit = 1 << collector;
        self.in_use |= bit;
        if issue.source_valid == 0 {
            self.complete |= bit;
        }
        for (source, &bank) in banks.iter().enumerate() {
            if issue.source_valid >> source & 1 != 0 {
                self.requests[usize::from(bank)] |= bit;
                self.requested |= 1 << bank;
            }
        }
        self.collectors[collector] = Collector {
            tag: issue.tag,
            pending: issue.source_valid,
            missing: issue.source_valid,
            bank: banks,
        };
    }

    /// Takes the granted request of `collector` at `bank`: its lowest pending source there.
    #[inline]
    pub fn take_request(&mut self, collector: usize, bank: usize) -> SourceRef {
        let entry = &mut self.collectors[collector];
        let mut here = 0;
        for (source, &source_bank) in entry.bank.iter().enumerate() {
            if usize::from(source_bank) == bank {
                here |= 1 << source;
            }
        }
        here &= entry.pending;
        let source = here.trailing_zeros() as u8;
        entry.pending &= !(1 << source);
        if here & (here - 1) == 0 {
            self.requests[bank] &= !(1 << collector);
            if self.requests[bank] == 0 {
                self.requested &= !(1 << bank);
            }
        }
        SourceRef { collector: collector as u8, source }
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

    /// Empties the collectors of a set.
    #[inline]
    pub fn release(&mut self, collectors: u32) {
        self.in_use &= !collectors;
        self.complete &= !collectors;
    }
}
