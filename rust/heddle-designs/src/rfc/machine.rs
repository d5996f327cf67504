//! The cache before the banks of the main register file.

use super::cache::{Cache, Entry, Kept};
use super::{MOST_ENTRIES, NAME};
use crate::baseline::banks::{Banks, MOST_REGISTERS, main_banks};
use crate::common::{BankSet, Value, Versions, bank_words, banks_of, event_fields};
use crate::front::{
    Answer, CollectorArray, ELSEWHERE, Front, Limit, Locate, Machine, Mechanism, Present, SourceRef,
    WriteBuffer,
};
use heddle_port::{
    Command, CommandOp, DesignError, Events, Instance, Issue, NUM_SOURCES, PortConfig, RegOut, ResultWrite,
    members,
};

/// The register file with its cache, without data.
pub type Rfc = Machine<CachedByWrite>;

event_fields! {
    /// Places of the events.
    struct Fields {
        main_bank_read,
        main_bank_write,
        bank_conflict,
        read_behind_write,
        cache_hit,
        cache_miss,
        cache_partial,
        result_to_cache,
        result_to_main,
        evict_write_back,
        evict_dead,
        flush_write_back,
        flush_dead,
        write_buffer_level,
    }
}

/// What a source asks of the main register file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Warp register.
    pub index: u16,
    /// Lanes that the cache does not have.
    pub lanes: u32,
}

/// A write that waits for its main bank.
#[derive(Debug, Clone, Copy, Default)]
struct Write {
    index: u16,
    value: Value,
}

/// What happened since the cycle began, one bit each as the manifest says.
#[derive(Debug, Clone, Copy, Default)]
struct Happened {
    hit: u128,
    miss: u128,
    partial: u128,
    to_cache: u64,
    to_main: u64,
    evict_write_back: u64,
    evict_dead: u64,
    flush_write_back: u64,
    flush_dead: u64,
}

/// The cache that results fill, and the main register file.
#[derive(Debug, Clone)]
pub struct CachedByWrite {
    fields: Fields,
    result_width: usize,
    num_banks: usize,
    /// Words of the configuration.
    cache_registers: usize,
    interleaved: usize,
    /// And the one that holds the eighths of a cycle of an access.
    bank_eighths: usize,
    locate: Locate,
    cache: Cache,
    versions: Versions,
    collectors: CollectorArray<Wanted>,
    banks: Banks,
    writes: [WriteBuffer<Write>; 1],
    /// Main banks whose read data are there in the current cycle.
    delivering: BankSet,
    /// Sources that the cache was read for in the last cycle.
    cache_data: Vec<SourceRef>,
    happened: Happened,
    stale: Option<String>,
    /// Main banks that were occupied in the cycle that ends.
    busy: BankSet,
}

impl CachedByWrite {
    /// Entries of a warp: the cache is shared evenly by the warps that may be active.
    fn entries(&self, config: &PortConfig) -> usize {
        config.own[self.cache_registers] as usize / usize::from(config.active_warps).max(1)
    }

    /// Queues a register for its main bank.
    fn write_main(&mut self, front: &Front, warp: u8, register: u8, value: Value) -> Result<(), String> {
        let base = front.base(warp);
        let place = self.locate.place(base, warp, register)?;
        let index = base.wrapping_add(register.into());
        self.writes[0].push(place.bank.into(), Write { index, value });
        Ok(())
    }

    /// The cache is read for all sources that are in it.
    fn read_cache(&mut self) {
        for at in std::mem::take(&mut self.cache_data) {
            self.collectors.deliver(at);
        }
        for collector in members(self.collectors.requests(ELSEWHERE)) {
            while self.collectors.requests(ELSEWHERE) >> collector & 1 != 0 {
                self.cache_data.push(self.collectors.take_request(collector, ELSEWHERE));
            }
        }
    }

    /// Writes back what a warp that becomes inactive has in the cache, as long as each result port keeps a place.
    fn flush(&mut self, front: &Front, warp: u8) -> Result<Answer, String> {
        self.cache.leave(warp);
        loop {
            let room = self.writes[0].free() > self.result_width;
            let Some(Entry { register, value, dead }) = self.cache.take_if(warp, |e| e.dead || room) else {
                break;
            };
            let bits = if dead { &mut self.happened.flush_dead } else { &mut self.happened.flush_write_back };
            *bits = *bits << 1 | 1;
            if !dead {
                self.write_main(front, warp, register, value)?;
            }
        }
        Ok(if self.cache.holds(warp) { Answer::Waits } else { Answer::Done })
    }

    fn exit(&mut self, front: &Front, command: &Command) {
        self.cache.drop_warp(command.warp);
        self.versions.forget(front.base(command.warp), front.registers_per_thread());
    }
}

impl Mechanism for CachedByWrite {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray<Wanted>;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let num_banks = main_banks(NAME, instance)?;
        Ok(Self {
            fields: Fields::new(NAME, &instance.events)?,
            result_width: instance.widths.result,
            cache_registers: instance.word(NAME, "cache_registers")?,
            interleaved: instance.word(NAME, "interleaved")?,
            bank_eighths: instance.word(NAME, "bank_eighths")?,
            num_banks,
            locate: Locate::new(num_banks, 0),
            cache: Cache::new(0, 0),
            versions: Versions::default(),
            collectors: CollectorArray::default(),
            banks: Banks::new(1, 0),
            writes: [WriteBuffer::new(0)],
            delivering: 0,
            cache_data: Vec::new(),
            happened: Happened::default(),
            stale: None,
            busy: 0,
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let entries = self.entries(config);
        let some = (1..=MOST_ENTRIES).contains(&entries);
        let reason = format!(
            "each active warp has {entries} entries of the cache, 1 to {MOST_ENTRIES} are expected; without \
                 scheduler.policy=two-level all resident warps are active"
        );
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(config.own[self.bank_eighths]),
            Limit::new(
                "scheduler.active_warps",
                config.active_warps,
                config.active_warps > 0 && some,
                reason,
            ),
            Limit::rows(config.rows_per_bank, (MOST_REGISTERS / self.num_banks) as u16),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        let interleaved = config.own[self.interleaved] != 0;
        self.locate = Locate::new(self.num_banks, config.rows_per_bank).interleaved(interleaved);
        self.cache = Cache::new(self.entries(config), config.active_warps);
        self.versions = Versions::new(self.num_banks * usize::from(config.rows_per_bank));
        self.collectors = CollectorArray::default();
        self.banks = Banks::new(config.bank_cycles, config.own[self.bank_eighths] as u8);
        self.writes = [WriteBuffer::new(self.result_width)];
        self.cache_data.clear();
        self.happened = Happened::default();
        (self.delivering, self.busy, self.stale) = (0, 0, None);
    }

    fn collectors(&mut self) -> &mut CollectorArray<Wanted> {
        &mut self.collectors
    }

    fn takes_result(&self, port: usize) -> bool {
        port < self.writes[0].free()
    }

    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        self.happened = Happened::default();
        self.fields.write_buffer_level.set(events, self.writes[0].len() as u64);
        for bank in banks_of(self.delivering) {
            self.collectors.deliver(self.banks.target(bank));
        }
        self.read_cache();
        let versions = &mut self.versions;
        let cycle = self.banks.arbitrate(&mut self.collectors, &mut self.writes, |_, write: Write| {
            versions.write_main(write.index, &write.value);
        });
        for bank in banks_of(cycle.reads) {
            let wanted = self.collectors.register(self.banks.target(bank));
            let stale = self.versions.stale_in_main(wanted.index, wanted.lanes);
            self.stale = self.stale.take().or(stale);
        }
        let tick = self.banks.tick(&cycle);
        (self.delivering, self.busy) = (tick.read_valid, tick.busy);
        self.fields.main_bank_read.set_wide(events, cycle.reads);
        self.fields.main_bank_write.set_wide(events, cycle.writes);
        self.fields.bank_conflict.set_wide(events, cycle.wait_bank);
        self.fields.read_behind_write.set_wide(events, cycle.wait_write);
        Ok(())
    }

    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let mut sources = [(0, Wanted::default()); NUM_SOURCES];
        let (mut hit, mut miss, mut partial) = (0_u128, 0_u128, 0_u128);
        let base = front.base(issue.warp);
        for source in members(issue.source_valid) {
            let register = issue.source[source];
            let place = self.locate.place(base, issue.warp, register)?;
            let index = base.wrapping_add(register.into());
            let held = self.cache.find(issue.warp, register).map(|entry| entry.value);
            let here = held.map_or(0, |value| value.lanes & issue.mask);
            if let Some(value) = held {
                let stale = self.versions.stale_copy(index, here, &value, "the cache");
                self.stale = self.stale.take().or(stale);
            }
            let lanes = issue.mask & !here;
            let whole = held.is_some() && lanes == 0;
            let bank = if whole { ELSEWHERE as u8 } else { place.bank };
            sources[source] = (bank, Wanted { index, lanes });
            hit |= u128::from(whole) << source;
            miss |= u128::from(!whole) << source;
            partial |= u128::from(!whole && here != 0) << source;
        }
        for source in members(issue.dead) {
            self.cache.bury(issue.warp, issue.source[source]);
        }
        let collector = self.collectors.allocate(issue, sources);
        let first = NUM_SOURCES * collector;
        self.happened.hit |= hit << first;
        self.happened.miss |= miss << first;
        self.happened.partial |= partial << first;
        Ok(collector)
    }

    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String> {
        let (warp, register) = (result.warp, result.register);
        let base = front.base(warp);
        self.locate.place(base, warp, register)?;
        let value = self.versions.result(base.wrapping_add(register.into()), result.mask);
        let bit = 1 << port;
        match self.cache.write(warp, register, &value) {
            Kept::No => {
                self.happened.to_main |= bit;
                return self.write_main(front, warp, register, value);
            }
            Kept::InPlace | Kept::Allocated(None) => {}
            Kept::Allocated(Some(victim)) if victim.dead => self.happened.evict_dead |= bit,
            Kept::Allocated(Some(victim)) => {
                self.happened.evict_write_back |= bit;
                self.write_main(front, warp, victim.register, victim.value)?;
            }
        }
        self.happened.to_cache |= bit;
        Ok(())
    }

    fn command(&mut self, front: &Front, present: Present<'_>) -> Result<Answer, String> {
        match present.op {
            CommandOp::Activate => self.cache.activate(present.command.warp)?,
            CommandOp::Deactivate => return self.flush(front, present.command.warp),
            CommandOp::Exit => self.exit(front, present.command),
            CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry | CommandOp::Prefetch => {}
        }
        Ok(Answer::Done)
    }

    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        let (fields, now) = (&self.fields, &self.happened);
        let events = &mut out.events;
        fields.cache_hit.set_wide(events, now.hit);
        fields.cache_miss.set_wide(events, now.miss);
        fields.cache_partial.set_wide(events, now.partial);
        fields.result_to_cache.set(events, now.to_cache);
        fields.result_to_main.set(events, now.to_main);
        fields.evict_write_back.set(events, now.evict_write_back);
        fields.evict_dead.set(events, now.evict_dead);
        fields.flush_write_back.set(events, now.flush_write_back);
        fields.flush_dead.set(events, now.flush_dead);
        out.status.bank_busy = bank_words(self.busy);
        Ok(())
    }

    fn stale(&mut self) -> Option<String> {
        self.stale.take()
    }

    fn follows_every_instruction(&self) -> bool {
        true
    }
}
