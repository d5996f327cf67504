//! The banks: who uses each one in a cycle, and for whom the data under way are.

use crate::common::{BankSet, BankTick, BankTimers, MOST_BANKS, Rotating, banks_of};
use crate::front::{CollectorArray, SourceRef, WriteBuffer, WriteGrants};
use heddle_port::{DesignError, Instance};

/// Warp registers that have a number of 16 bits.
pub const MOST_REGISTERS: usize = 1 << 16;

/// The parameter `num_banks` of a design.
///
/// # Errors
/// [`DesignError::Instance`]: it is missing, or none that [`Banks`] can have.
pub fn main_banks(design: &'static str, instance: &Instance) -> Result<usize, DesignError> {
    let num_banks = instance.parameters.size(design, "num_banks")?;
    if !num_banks.is_power_of_two() || !(2..=MOST_BANKS).contains(&num_banks) {
        let what = format!("num_banks is {num_banks}: a power of two, 2 to {MOST_BANKS}, is expected");
        return Err(DesignError::Instance { design, what });
    }
    Ok(num_banks)
}

/// The banks with their arbiters.
///
/// A queued result comes before all reads of its bank; among the collectors the priority rotates.
#[derive(Debug, Clone)]
pub struct Banks {
    timers: BankTimers,
    arbiters: [Rotating; MOST_BANKS],
    /// Source that the last read of each bank was for.
    target: [SourceRef; MOST_BANKS],
}

/// What the banks did in one cycle, as sets of banks.
#[derive(Debug, Clone, Copy, Default)]
pub struct BankCycle {
    /// Reads granted.
    pub reads: BankSet,
    /// Writes granted.
    pub writes: BankSet,
    /// A read waited for the bank or lost to another read.
    pub wait_bank: BankSet,
    /// A read waited behind a queued result.
    pub wait_write: BankSet,
}

impl Banks {
    /// Free banks, whose accesses take `cycles` cycles and `eighths` of one.
    #[must_use]
    pub fn new(cycles: u8, eighths: u8) -> Self {
        Self {
            timers: BankTimers::new(cycles, eighths),
            arbiters: [Rotating::default(); MOST_BANKS],
            target: [SourceRef::default(); MOST_BANKS],
        }
    }

    /// Grants the accesses of one cycle; granted reads leave `collectors`, granted writes `writes`, of which each
    /// has banks of its own. `write` gets the bank of each granted write and what is known of it.
    #[inline]
    pub fn arbitrate<R: Copy, T: Copy + Default>(
        &mut self,
        collectors: &mut CollectorArray<R>,
        writes: &mut [WriteBuffer<T>],
        mut write: impl FnMut(usize, T),
    ) -> BankCycle {
        let occupied = self.timers.occupied();
        let (mut queued, mut granted) = (0, 0);
        for buffer in writes {
            let grants: WriteGrants = buffer.grant(occupied, &mut write);
            queued |= grants.queued;
            granted |= grants.granted;
        }
        let requested = collectors.requested_banks();
        let open = requested & !queued;
        let mut cycle = BankCycle {
            reads: open & !occupied,
            writes: granted,
            wait_bank: open & occupied,
            wait_write: requested & queued,
        };
        for bank in banks_of(cycle.reads) {
            let requests = collectors.requests(bank);
            if requests & (requests - 1) != 0 {
                cycle.wait_bank |= 1 << bank;
            }
            if let Some(collector) = self.arbiters[bank].grant(requests) {
                self.target[bank] = collectors.take_request(collector as usize, bank);
            }
        }
        cycle
    }

    /// Source that the last read of `bank` was for.
    #[inline]
    #[must_use]
    pub fn target(&self, bank: usize) -> SourceRef {
        self.target[bank]
    }

    /// The clock edge that ends `cycle`.
    #[inline]
    pub fn tick(&mut self, cycle: &BankCycle) -> BankTick {
        self.timers.tick(cycle.reads, cycle.writes)
    }
}
