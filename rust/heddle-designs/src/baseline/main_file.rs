//! The banks of a design that puts small levels before them, with the values that they hold.

use super::banks::{Banks, MOST_REGISTERS, main_banks};
use crate::common::{BankSet, Value, Versions, bank_words, banks_of, event_fields};
use crate::front::{CollectorArray, ELSEWHERE, Front, Limit, Locate, SourceRef, WriteBuffer};
use heddle_port::{DesignError, Events, Instance, PortConfig, RegOut, members};

event_fields! {
    /// Places of the events of the banks.
    struct Fields {
        main_bank_read,
        main_bank_write,
        bank_conflict,
        read_behind_write,
        write_buffer_level,
    }
}

/// What a design knows of a source.
pub trait MainSource: Copy + Default {
    /// Warp register, and the lanes that its bank is read for.
    fn read(&self) -> (u16, u32);
}

/// Where a register of a warp is.
#[derive(Debug, Clone, Copy)]
pub struct MainPlace {
    /// Main bank.
    pub bank: u8,
    /// Warp register.
    pub index: u16,
}

/// A write that waits for its main bank.
#[derive(Debug, Clone, Copy, Default)]
struct Write {
    index: u16,
    value: Value,
}

/// The main register file: its banks, the writes that wait for them, and the collectors that read them.
#[derive(Debug, Clone)]
pub struct MainFile<S> {
    fields: Fields,
    result_width: usize,
    num_banks: usize,
    /// Word of the configuration that says whether registers are interleaved.
    interleaved: usize,
    /// And the one that holds the eighths of a cycle of an access.
    bank_eighths: usize,
    locate: Locate,
    /// The collectors, some of whose sources are elsewhere.
    pub collectors: CollectorArray<S>,
    /// What the registers hold.
    pub versions: Versions,
    banks: Banks,
    writes: [WriteBuffer<Write>; 1],
    /// Main banks whose read data are there in the current cycle.
    delivering: BankSet,
    /// Main banks that were occupied in the cycle that ends.
    busy: BankSet,
    wrong: Option<String>,
}

impl<S: MainSource> MainFile<S> {
    /// Before its first reset.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: the instance of `design` lacks a parameter, an event or a word, or has no number of banks
    /// that can be.
    pub fn new(design: &'static str, instance: &Instance) -> Result<Self, DesignError> {
        let num_banks = main_banks(design, instance)?;
        Ok(Self {
            fields: Fields::new(design, &instance.events)?,
            result_width: instance.widths.result,
            num_banks,
            interleaved: instance.word(design, "interleaved")?,
            bank_eighths: instance.word(design, "bank_eighths")?,
            locate: Locate::new(num_banks, 0),
            collectors: CollectorArray::default(),
            versions: Versions::default(),
            banks: Banks::new(1, 0),
            writes: [WriteBuffer::new(0)],
            delivering: 0,
            busy: 0,
            wrong: None,
        })
    }

    /// What a configuration has to keep to, with the limit `own` of the levels.
    pub fn limits(&self, config: &PortConfig, own: Limit) -> Vec<Limit> {
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(config.own[self.bank_eighths]),
            own,
            Limit::rows(config.rows_per_bank, (MOST_REGISTERS / self.num_banks) as u16),
        ]
    }

    /// As after a reset.
    pub fn reset(&mut self, config: &PortConfig) {
        let interleaved = config.own[self.interleaved] != 0;
        self.locate = Locate::new(self.num_banks, config.rows_per_bank).interleaved(interleaved);
        self.collectors = CollectorArray::default();
        self.versions = Versions::new(self.num_banks * usize::from(config.rows_per_bank));
        self.banks = Banks::new(config.bank_cycles, config.own[self.bank_eighths] as u8);
        self.writes = [WriteBuffer::new(self.result_width)];
        (self.delivering, self.busy, self.wrong) = (0, 0, None);
    }

    /// Where a register of a warp is.
    ///
    /// # Errors
    /// As [`Locate::place`].
    pub fn place(&self, front: &Front, warp: u8, register: u8) -> Result<MainPlace, String> {
        let base = front.base(warp);
        let bank = self.locate.place(base, warp, register)?.bank;
        Ok(MainPlace { bank, index: base.wrapping_add(register.into()) })
    }

    /// Whether a result of `port` can be queued.
    pub fn takes_result(&self, port: usize) -> bool {
        port < self.writes[0].free()
    }

    /// Whether one write more can be queued, and a result of each port.
    pub fn has_room_beside_results(&self) -> bool {
        self.writes[0].free() > self.result_width
    }

    /// Queues a value for its bank.
    pub fn write(&mut self, place: MainPlace, value: Value) {
        self.writes[0].push(place.bank.into(), Write { index: place.index, value });
    }

    /// Main banks whose read data are there in the current cycle.
    pub fn delivering(&self) -> BankSet {
        self.delivering
    }

    /// Source that the last read of `bank` was for.
    pub fn target(&self, bank: usize) -> SourceRef {
        self.banks.target(bank)
    }

    /// Takes the requests for what is elsewhere; their sources come to `asking`.
    pub fn take_elsewhere(&mut self, asking: &mut Vec<SourceRef>) {
        for collector in members(self.collectors.requests(ELSEWHERE)) {
            while self.collectors.requests(ELSEWHERE) >> collector & 1 != 0 {
                asking.push(self.collectors.take_request(collector, ELSEWHERE));
            }
        }
    }

    /// The banks' accesses of a cycle.
    pub fn access(&mut self, events: &mut Events) {
        self.fields.write_buffer_level.set(events, self.writes[0].len() as u64);
        let versions = &mut self.versions;
        let cycle = self.banks.arbitrate(&mut self.collectors, &mut self.writes, |_, write: Write| {
            versions.write_main(write.index, &write.value);
        });
        for bank in banks_of(cycle.reads) {
            let (index, lanes) = self.collectors.register(self.banks.target(bank)).read();
            let stale = self.versions.stale_in_main(index, lanes);
            self.wrong(stale);
        }
        let tick = self.banks.tick(&cycle);
        (self.delivering, self.busy) = (tick.read_valid, tick.busy);
        self.fields.main_bank_read.set_wide(events, cycle.reads);
        self.fields.main_bank_write.set_wide(events, cycle.writes);
        self.fields.bank_conflict.set_wide(events, cycle.wait_bank);
        self.fields.read_behind_write.set_wide(events, cycle.wait_write);
    }

    /// The first read that was wrong ends the run.
    pub fn wrong(&mut self, what: Option<String>) {
        self.wrong = self.wrong.take().or(what);
    }

    /// What was read wrongly since it was last asked.
    pub fn take_wrong(&mut self) -> Option<String> {
        self.wrong.take()
    }

    /// The banks that are occupied, for the status.
    pub fn put_busy(&self, out: &mut RegOut) {
        out.status.bank_busy = bank_words(self.busy);
    }
}
