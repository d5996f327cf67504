//! Racetrack banks with their queues, read by the collectors.

use super::bank::BankTiming;
use super::banks::{Arrivals, Banks};
use super::mapping::{MappingTables, Regions};
use super::queues::{Read, Write};
use super::{NAME, NUM_BANKS, NUM_ROWS};
use crate::common::{banks_of, event_fields};
use crate::front::{Answer, CollectorArray, Front, Limit, Locate, Machine, Mechanism, Present, WriteBuffer};
use heddle_port::{CommandOp, DesignError, Events, Instance, Issue, PortConfig, RegOut, ResultWrite};

/// The racetrack register file without its data.
pub type Racetrack<const N: usize = NUM_BANKS> = Machine<Racetracks<N>>;

event_fields! {
    /// Places of the events.
    struct Fields {
        main_bank_read,
        main_bank_write,
        shift,
        preshift,
        write_buffer_write,
        write_buffer_read,
        read_queued,
        read_wait,
        staged_results,
        position,
    }
}

/// A result on its way into a bank's write buffer.
#[derive(Debug, Clone, Copy, Default)]
struct Staged {
    row: u16,
    mask: u32,
}

/// The banks, the tables that say where their rows lie, and the results before their write buffers.
#[derive(Debug, Clone)]
pub struct Racetracks<const N: usize = NUM_BANKS> {
    fields: Fields,
    result_width: usize,
    locate: Locate,
    /// Word of the configuration that says whether registers are interleaved.
    interleaved: usize,
    /// Word of the configuration that says whether a shifting bank gives its place back.
    release: usize,
    timing: BankTiming,
    mapping: MappingTables<N>,
    /// With the row of each source.
    collectors: CollectorArray<u16>,
    banks: Banks<N>,
    staging: WriteBuffer<Staged>,
    /// Banks in which something was under way in the cycle that ends.
    busy: u32,
}

impl<const N: usize> Racetracks<N> {
    /// What enters the queues of the banks, looked up with the tables of this cycle.
    #[inline]
    fn arrivals(&mut self) -> Arrivals<N> {
        let mut arrivals = Arrivals { staged: self.staging.queued() as u32, ..Arrivals::default() };
        for b in banks_of(self.collectors.requested_banks()) {
            if let Some(collector) = self.banks.grant_read(b, self.collectors.requests(b)) {
                let target = self.collectors.take_request(collector as usize, b);
                let place = self.mapping.place(b, self.collectors.register(target));
                arrivals.reads[b] = Some(Read { place, target });
            }
        }
        let mapping = &self.mapping;
        self.staging.grant((!self.banks.write_ready()).into(), |b, staged| {
            arrivals.writes[b] = Some(Write { place: mapping.place(b, staged.row), mask: staged.mask });
        });
        arrivals
    }
}

impl<const N: usize> Mechanism for Racetracks<N> {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray<u16>;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        Ok(Self {
            fields: Fields::new(NAME, &instance.events)?,
            result_width: instance.widths.result,
            locate: Locate::new(N, 0),
            interleaved: instance.word(NAME, "interleaved")?,
            release: instance.word(NAME, "shift_release")?,
            timing: BankTiming { read: 1, write: 1, shift: 1, preshift: false, release: false },
            mapping: MappingTables::new(Regions::of(instance)?),
            collectors: CollectorArray::default(),
            banks: Banks::default(),
            staging: WriteBuffer::new(0),
            busy: 0,
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::access("register_file.write_cycles", config.write_cycles),
            Limit::rows(config.rows_per_bank, NUM_ROWS as u16),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        self.locate = Locate::new(N, config.rows_per_bank).interleaved(config.own[self.interleaved] != 0);
        self.timing = BankTiming {
            read: config.bank_cycles,
            write: config.write_cycles,
            shift: config.shift_cycles,
            preshift: config.preshift,
            release: config.own[self.release] != 0,
        };
        self.mapping.clear();
        self.collectors = CollectorArray::default();
        self.banks = Banks::default();
        self.staging = WriteBuffer::new(self.result_width);
        self.busy = 0;
    }

    fn collectors(&mut self) -> &mut CollectorArray<u16> {
        &mut self.collectors
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        port < self.staging.free()
    }

    #[inline]
    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        let fields = self.fields;
        fields.staged_results.set(events, self.staging.len() as u64);
        fields.position.set_wide(events, self.banks.positions());
        for (_, target) in self.banks.delivered() {
            self.collectors.deliver(target);
        }
        let arrivals = self.arrivals();
        let cycle = self.banks.step(&arrivals, &self.timing);
        self.busy = cycle.busy;
        fields.main_bank_read.set(events, cycle.reads.into());
        fields.main_bank_write.set(events, cycle.writes.into());
        fields.shift.set(events, cycle.shifts.into());
        fields.preshift.set(events, cycle.preshifts.into());
        fields.write_buffer_write.set(events, cycle.buffer_writes.into());
        fields.write_buffer_read.set(events, cycle.buffer_reads.into());
        fields.read_queued.set(events, cycle.read_queued.into());
        fields.read_wait.set(events, cycle.read_waits.into());
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let place = |base, register| self.locate.place(base, issue.warp, register);
        let places = front.sources(issue, place)?;
        Ok(self.collectors.allocate(issue, places.map(|place| (place.bank, place.row))))
    }

    #[inline]
    fn take_result(&mut self, front: &Front, _port: usize, result: &ResultWrite) -> Result<(), String> {
        let place = self.locate.place(front.base(result.warp), result.warp, result.register)?;
        self.staging.push(place.bank.into(), Staged { row: place.row, mask: result.mask });
        Ok(())
    }

    #[inline]
    fn command(&mut self, _front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let Present { op, command, .. } = present;
        match op {
            CommandOp::KernelStart => self.mapping.clear(),
            CommandOp::MapEntry => self.mapping.load(command),
            _ => {}
        }
        Ok(Answer::Done)
    }

    #[inline]
    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        out.status.bank_busy[0] = self.busy;
        Ok(())
    }
}
