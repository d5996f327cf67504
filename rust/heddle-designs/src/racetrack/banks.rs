//! All banks and the request arbitrator that says which of them are served.

use super::NUM_BANKS;
use super::bank::{Action, Bank, BankTiming, Wish};
use super::queues::{Read, Write};
use super::service::Service;
use crate::common::Rotating;
use crate::front::SourceRef;
use heddle_port::members;

/// What enters the queues of the banks at the end of a cycle.
#[derive(Debug, Clone, Copy)]
pub struct Arrivals<const N: usize = NUM_BANKS> {
    /// Banks with a result that is not yet in their write buffer.
    pub staged: u32,
    /// By bank: the request that [`Banks::grant_read`] let in.
    pub reads: [Option<Read>; N],
    /// By bank: the result that enters the write buffer, only where [`Banks::write_ready`] says so.
    pub writes: [Option<Write>; N],
}

impl<const N: usize> Default for Arrivals<N> {
    fn default() -> Self {
        Self { staged: 0, reads: [None; N], writes: [None; N] }
    }
}

/// What the banks did in one cycle, as sets of banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BanksCycle {
    /// Banks that began a read.
    pub reads: u32,
    /// Banks that began a write.
    pub writes: u32,
    /// Banks that began a shift step while they were served, or had been for an earlier step of their way.
    pub shifts: u32,
    /// Other banks that began a shift step.
    pub preshifts: u32,
    /// Banks whose write buffer took a result.
    pub buffer_writes: u32,
    /// Banks whose write buffer served a read.
    pub buffer_reads: u32,
    /// Banks whose request queue took a read.
    pub read_queued: u32,
    /// Banks whose oldest read request waited.
    pub read_waits: u32,
    /// Banks in which something was under way.
    pub busy: u32,
}

/// The banks with their queues and positions, and the arbiters.
#[derive(Debug, Clone)]
pub struct Banks<const N: usize = NUM_BANKS> {
    banks: [Bank; N],
    /// Among the collectors, for the request queue of each bank.
    queue_arbiters: [Rotating; N],
    service: Service,
    /// Banks whose read data are there in the current cycle, from the racetracks or forwarded.
    delivering: u32,
}

impl<const N: usize> Default for Banks<N> {
    fn default() -> Self {
        Self {
            banks: std::array::from_fn(|_| Bank::default()),
            queue_arbiters: [Rotating::default(); N],
            service: Service::default(),
            delivering: 0,
        }
    }
}

impl<const N: usize> Banks<N> {
    /// Read data that are there in the current cycle: bank and whose they are.
    #[inline]
    pub fn delivered(&self) -> impl Iterator<Item = (usize, SourceRef)> + '_ {
        members(self.delivering).map(|b| (b, self.banks[b].target))
    }

    /// Offset that lies at the ports of each bank, 4 bits a bank.
    #[inline]
    #[must_use]
    pub fn positions(&self) -> u128 {
        // 16 banks a word, as wider shifts cost more.
        let of = |banks: &[Bank]| banks.iter().rev().fold(0, |all, bank| all << 4 | u64::from(bank.position));
        let words = self.banks.chunks(16).enumerate();
        words.fold(0, |all, (at, banks)| all | u128::from(of(banks)) << (64 * at))
    }

    /// Banks whose write buffer takes a result in this cycle.
    #[inline]
    #[must_use]
    pub fn write_ready(&self) -> u32 {
        let ready = |set, (b, bank): (usize, &Bank)| set | u32::from(!bank.writes.is_full()) << b;
        self.banks.iter().enumerate().fold(0, ready)
    }

    /// Which of the collectors of `requests` puts its request into the queue of `bank` in this cycle; to
    /// be asked once a cycle.
    #[inline]
    pub fn grant_read(&mut self, bank: usize, requests: u32) -> Option<u32> {
        if self.banks[bank].reads.is_full() {
            return None;
        }
        self.queue_arbiters[bank].grant(requests)
    }

    /// One cycle, from the state when it began; what arrives takes part from the next one on.
    #[inline]
    pub fn step(&mut self, arrivals: &Arrivals<N>, timing: &BankTiming) -> BanksCycle {
        let (mut wishes, mut requests, mut active) = ([Wish::default(); N], 0, 0_u32);
        for (b, bank) in self.banks.iter().enumerate() {
            if !bank.is_idle() {
                active |= 1 << b;
                wishes[b] = bank.wish(arrivals.staged >> b & 1 != 0);
                requests |= u32::from(wishes[b].request) << b;
            }
        }
        let served = self.service.choose(requests);

        let mut cycle = BanksCycle::default();
        let mut done = 0;
        self.delivering = 0;
        for b in members(active) {
            let bit = 1 << b;
            let did = self.banks[b].step(wishes[b], served & bit != 0, timing);
            match did.starts {
                Action::Idle => {}
                Action::Read => cycle.reads |= bit,
                Action::Write => cycle.writes |= bit,
                Action::Shift if did.demand => cycle.shifts |= bit,
                Action::Shift => cycle.preshifts |= bit,
            }
            if wishes[b].forward {
                cycle.buffer_reads |= bit;
            }
            if did.read_valid || wishes[b].forward {
                self.delivering |= bit;
            }
            done |= u32::from(did.done) << b;
            cycle.read_waits |= u32::from(did.read_waits) << b;
            cycle.busy |= u32::from(did.busy) << b;
        }
        self.service.tick(served, done);

        for (b, bank) in self.banks.iter_mut().enumerate() {
            if let Some(read) = arrivals.reads[b] {
                bank.reads.push(read);
                cycle.read_queued |= 1 << b;
            }
            if let Some(write) = arrivals.writes[b] {
                bank.writes.push(write);
                cycle.buffer_writes |= 1 << b;
            }
        }
        cycle
    }
}
