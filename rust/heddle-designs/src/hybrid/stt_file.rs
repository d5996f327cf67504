//! What both files of STT-RAM have: two banks of arrays, collectors that are read one after the other, and
//! the queue of accepted results.

use super::bank::{Access, BankTiming, SttBank};
use super::queue::{ResultQueue, Staged};
use super::reader::{Reader, Reads};
use super::{ARRAY_ROWS, ARRAYS_PER_BANK, BANK_REGISTERS, NUM_BANKS, NUM_NUMBERS, bank_of};
use crate::front::{Front, Limit};
use heddle_port::{Issue, PortConfig, ResultWrite};

/// Banks, collectors and result queue.
#[derive(Debug, Clone, Default)]
pub struct SttFile {
    timing: BankTiming,
    /// The collectors.
    pub reader: Reader,
    /// Accepted results that are not yet written.
    pub queue: ResultQueue,
    banks: [SttBank; NUM_BANKS],
    /// In the last cycle an access began or ended, data arrived, or an instruction without sources went on.
    moved: bool,
}

/// Address in its bank of register `register` of the warp in slot `warp`, whose registers begin at `base`.
#[inline]
fn address_in_bank(base: u16, warp: u8, register: u8) -> Result<u16, String> {
    let half = usize::from(base) / BANK_REGISTERS;
    let address = usize::from(base) % BANK_REGISTERS + usize::from(register);
    if half != bank_of(warp) || address >= BANK_REGISTERS || usize::from(register) >= NUM_NUMBERS {
        return Err(format!(
            "register {register} of warp slot {warp}, whose registers begin at {base}: even slots have warp \
             registers 0 to 511, odd ones 512 to 1023, and 64 registers at most"
        ));
    }
    Ok(address as u16)
}

impl SttFile {
    /// What it wants of a configuration.
    #[must_use]
    pub fn limits(config: &PortConfig) -> Vec<Limit> {
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::access("register_file.write_cycles", config.write_cycles),
            Limit::new(
                "register_file.rows_per_bank",
                config.rows_per_bank,
                config.rows_per_bank == ARRAY_ROWS,
                "64 is the only value, each of the 16 arrays has 64 rows",
            ),
        ]
    }

    /// Empty, for `ports` result ports.
    #[must_use]
    pub fn new(config: &PortConfig, ports: usize) -> Self {
        let timing = BankTiming { read: config.bank_cycles, write: config.write_cycles };
        Self { timing, queue: ResultQueue::new(ports), ..Self::default() }
    }

    /// Whether a kernel may have so many registers a thread.
    ///
    /// # Errors
    /// A text, if it may not.
    pub fn check_registers(registers: u16) -> Result<(), String> {
        if usize::from(registers) > NUM_NUMBERS {
            return Err(format!("{registers} registers a thread; the register file has {NUM_NUMBERS}"));
        }
        Ok(())
    }

    /// A bank can take an access in this cycle.
    #[inline]
    #[must_use]
    pub fn is_ready(&self, bank: usize) -> bool {
        self.banks[bank].is_ready()
    }

    /// A write began earlier and still occupies the bank.
    #[inline]
    #[must_use]
    pub fn is_writing(&self, bank: usize) -> bool {
        self.banks[bank].is_writing()
    }

    /// The bank of the instruction that is read.
    #[inline]
    #[must_use]
    pub fn reader_bank(&self) -> usize {
        self.reader.current().map_or(0, |current| bank_of(current.warp))
    }

    /// The arrays of both banks that `reads` reads, those of bank 0 first.
    #[inline]
    #[must_use]
    pub fn arrays(&self, reads: &Reads) -> u64 {
        u64::from(reads.arrays) << (ARRAYS_PER_BANK * self.reader_bank())
    }

    /// The clock edge of reader and banks: `reads` begin, and a write in each bank of `writes`. Returns the
    /// banks that were occupied.
    #[inline]
    pub fn tick(&mut self, reads: &Reads, writes: [bool; NUM_BANKS]) -> u32 {
        let reader_bank = self.reader_bank();
        let arriving = self.banks.map(|bank| bank.read_valid());
        let begins = reads.granted != 0 || writes.contains(&true);
        self.moved = begins || arriving.contains(&true) || !self.reader.waits();
        if self.moved {
            self.reader.tick(arriving, reads.granted);
        }
        let mut busy = 0;
        for (k, bank) in self.banks.iter_mut().enumerate() {
            let access = match (reads.granted != 0 && reader_bank == k, writes[k]) {
                (true, _) => Access::Reads,
                (_, true) => Access::Write,
                _ => Access::None,
            };
            let ready = bank.is_ready();
            busy |= u32::from(bank.tick(access, self.timing)) << k;
            self.moved |= ready != bank.is_ready();
        }
        busy
    }

    /// For how many cycles nothing moves in reader, queue and banks but time. Where nothing moved in the last one, a result that
    /// waits has to wait for a bank.
    #[inline]
    #[must_use]
    pub fn steady(&self) -> u32 {
        if self.moved || !self.reader.waits() {
            return 0;
        }
        self.banks.iter().fold(u32::MAX, |least, bank| least.min(bank.steady()))
    }

    /// So many of these cycles have passed.
    #[inline]
    pub fn pass(&mut self, cycles: u32) {
        self.banks.iter_mut().for_each(|bank| bank.pass(cycles));
    }

    /// Puts an accepted instruction into its collector.
    ///
    /// # Errors
    /// A text: a source lies outside the warp's half.
    #[inline]
    pub fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let array = |base, register| {
            let address = address_in_bank(base, issue.warp, register)?;
            Ok((usize::from(address) % ARRAYS_PER_BANK) as u8)
        };
        let arrays = front.sources(issue, array)?;
        Ok(self.reader.allocate(issue, arrays))
    }

    /// Queues an accepted result.
    ///
    /// # Errors
    /// A text: the register lies outside the warp's half.
    #[inline]
    pub fn take_result(&mut self, front: &Front, result: &ResultWrite) -> Result<(), String> {
        address_in_bank(front.base(result.warp), result.warp, result.register)?;
        self.queue.push(Staged { warp: result.warp, number: result.register });
        Ok(())
    }
}
