//! Banks behind a write buffer, read by the collectors.

use super::NAME;
use super::banks::{Banks, MOST_REGISTERS, main_banks};
use crate::common::{BankSet, bank_words, banks_of, event_fields};
use crate::front::{
    CollectorArray, Front, Limit, Locate, Machine, Mechanism, NUM_COLLECTORS, Optional, SubCores, WriteBuffer,
};
use heddle_port::{
    DesignError, Events, Instance, Issue, MAX_PORT_WIDTH, PortConfig, RegOut, ResultWrite, members,
};

/// Banks whose grants, as numbers of three or four bits, fit 64 bits.
const PART: u16 = 16;
/// So many such parts, from the first bank on, are told by events.
const TOLD_PARTS: u16 = 2;

/// The baseline register file without its data.
pub type Baseline = Machine<Conventional>;

event_fields! {
    /// Places of the events.
    struct Fields {
        main_bank_read,
        main_bank_write,
        bank_conflict,
        read_behind_write,
        write_buffer_level,
        collectors_in_use,
    }
}

/// The banks with their arbiters, and the results that wait for them.
#[derive(Debug, Clone)]
pub struct Conventional {
    fields: Fields,
    granted_collector: Optional,
    granted_source: Optional,
    result_width: usize,
    num_banks: usize,
    sub_cores: SubCores,
    /// Word of the configuration that says whether registers are interleaved.
    interleaved: usize,
    /// And the one that holds the eighths of a cycle of an access.
    bank_eighths: usize,
    /// Within the file of a sub-core.
    locate: Locate,
    collectors: CollectorArray,
    banks: Banks,
    /// One for each sub-core.
    writes: [WriteBuffer; MAX_PORT_WIDTH],
    /// Banks whose read data are there in the current cycle.
    delivering: BankSet,
    /// Banks that were occupied in the cycle that ends.
    busy: BankSet,
}

impl Conventional {
    /// The read grants of a cycle as numbers, from the banks' notes.
    #[inline]
    fn put_grants(&self, events: &mut Events, reads: BankSet) {
        for first in (0..TOLD_PARTS).map(|part| PART * part) {
            let (mut collectors, mut sources) = (0, 0);
            for bank in members((reads >> first) as u16) {
                let target = self.banks.target(usize::from(first) + bank);
                collectors |= u64::from(target.collector) << (4 * bank);
                sources |= u64::from(target.source) << (3 * bank);
            }
            self.granted_collector.set_from(events, 4 * first, collectors);
            self.granted_source.set_from(events, 3 * first, sources);
        }
    }
}

impl Mechanism for Conventional {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let num_banks = main_banks(NAME, instance)?;
        let sub_cores = SubCores::new(NAME, instance)?;
        if num_banks < 2 * sub_cores.count() {
            let what = format!(
                "num_banks is {num_banks}: two for each of {} sub-cores are expected",
                sub_cores.count()
            );
            return Err(DesignError::Instance { design: NAME, what });
        }
        Ok(Self {
            fields: Fields::new(NAME, &instance.events)?,
            granted_collector: Optional::new(&instance.events, "granted_collector"),
            granted_source: Optional::new(&instance.events, "granted_source"),
            result_width: instance.widths.result,
            num_banks,
            sub_cores,
            interleaved: instance.word(NAME, "interleaved")?,
            bank_eighths: instance.word(NAME, "bank_eighths")?,
            locate: Locate::new(sub_cores.share(num_banks), 0),
            collectors: CollectorArray::default(),
            banks: Banks::new(1, 0),
            writes: std::array::from_fn(|_| WriteBuffer::new(0)),
            delivering: 0,
            busy: 0,
        })
    }

    fn sub_cores(&self) -> SubCores {
        self.sub_cores
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(config.own[self.bank_eighths]),
            Limit::rows(config.rows_per_bank, (MOST_REGISTERS / self.num_banks) as u16),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        let (banks, results) =
            (self.sub_cores.share(self.num_banks), self.sub_cores.share(self.result_width));
        self.locate = Locate::new(banks, config.rows_per_bank).interleaved(config.own[self.interleaved] != 0);
        self.collectors = CollectorArray::default();
        self.banks = Banks::new(config.bank_cycles, config.own[self.bank_eighths] as u8);
        self.writes = std::array::from_fn(|_| WriteBuffer::new(results));
        (self.delivering, self.busy) = (0, 0);
    }

    fn collectors(&mut self) -> &mut CollectorArray {
        &mut self.collectors
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        let sub_core = self.sub_cores.owner(port, self.result_width);
        let first = sub_core * self.sub_cores.share(self.result_width);
        self.writes.get(sub_core).is_some_and(|writes| port - first < writes.free())
    }

    #[inline]
    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        let fields = self.fields;
        let writes = &mut self.writes[..self.sub_cores.count()];
        fields.write_buffer_level.set(events, writes.iter().map(|writes| writes.len() as u64).sum());
        fields.collectors_in_use.set(events, self.collectors.in_use().count_ones().into());
        for bank in banks_of(self.delivering) {
            self.collectors.deliver(self.banks.target(bank));
        }
        let cycle = self.banks.arbitrate(&mut self.collectors, writes, |_, ()| {});
        let tick = self.banks.tick(&cycle);
        (self.delivering, self.busy) = (tick.read_valid, tick.busy);
        fields.main_bank_read.set_wide(events, cycle.reads);
        fields.main_bank_write.set_wide(events, cycle.writes);
        fields.bank_conflict.set_wide(events, cycle.wait_bank);
        fields.read_behind_write.set_wide(events, cycle.wait_write);
        if cycle.reads != 0 {
            self.put_grants(events, cycle.reads);
        }
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let sub_core = self.sub_cores.of_warp(issue.warp);
        let first = (sub_core * self.sub_cores.share(self.num_banks)) as u8;
        let bank = |base, register| Ok(first + self.locate.place(base, issue.warp, register)?.bank);
        let banks = front.sources(issue, bank)?;
        let set = self.sub_cores.set(sub_core, NUM_COLLECTORS);
        Ok(self.collectors.allocate_in(set, issue, banks.map(|bank| (bank, ()))))
    }

    #[inline]
    fn take_result(&mut self, front: &Front, _port: usize, result: &ResultWrite) -> Result<(), String> {
        let place = self.locate.place(front.base(result.warp), result.warp, result.register)?;
        let sub_core = self.sub_cores.of_warp(result.warp);
        let bank = sub_core * self.sub_cores.share(self.num_banks) + usize::from(place.bank);
        self.writes[sub_core].push(bank, ());
        Ok(())
    }

    #[inline]
    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        out.status.bank_busy = bank_words(self.busy);
        Ok(())
    }
}
