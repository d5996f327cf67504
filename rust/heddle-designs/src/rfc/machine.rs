//! The cache before the banks of the main register file.

use super::cache::{Cache, Entry, Kept};
use super::{MOST_ENTRIES, NAME};
use crate::baseline::main_file::{MainFile, MainSource};
use crate::common::{banks_of, event_fields};
use crate::front::{Answer, CollectorArray, ELSEWHERE, Front, Limit, Machine, Mechanism, Present, SourceRef};
use heddle_port::{
    Command, CommandOp, DesignError, Events, Instance, Issue, NUM_SOURCES, PortConfig, RegOut, ResultWrite,
    members,
};

/// The register file with its cache, without data.
pub type Rfc = Machine<CachedByWrite>;

event_fields! {
    /// Places of the events of the cache.
    struct Fields {
        cache_hit,
        cache_miss,
        cache_partial,
        result_to_cache,
        result_to_main,
        evict_write_back,
        evict_dead,
        flush_write_back,
        flush_dead,
    }
}

/// What a source asks of the main register file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    /// Warp register.
    index: u16,
    /// Lanes that the cache does not have.
    lanes: u32,
}

impl MainSource for Wanted {
    fn read(&self) -> (u16, u32) {
        (self.index, self.lanes)
    }
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
    /// Word of the configuration that says how many registers the cache has.
    cache_registers: usize,
    cache: Cache,
    main: MainFile<Wanted>,
    /// Sources that the cache was read for in the last cycle.
    cache_data: Vec<SourceRef>,
    happened: Happened,
}

impl CachedByWrite {
    /// Entries of a warp: the cache is shared evenly by the warps that may be active.
    fn entries(&self, config: &PortConfig) -> usize {
        config.own[self.cache_registers] as usize / usize::from(config.active_warps).max(1)
    }

    /// The cache is read for all sources that are in it.
    fn read_cache(&mut self) {
        for at in std::mem::take(&mut self.cache_data) {
            self.main.collectors.deliver(at);
        }
        self.main.take_elsewhere(&mut self.cache_data);
    }

    /// Writes back what a warp that becomes inactive has in the cache, as long as each result port keeps a place.
    fn flush(&mut self, front: &Front, warp: u8) -> Result<Answer, String> {
        self.cache.leave(warp);
        loop {
            let room = self.main.has_room_beside_results();
            let Some(Entry { register, value, dead }) = self.cache.take_if(warp, |e| e.dead || room) else {
                break;
            };
            let bits = if dead { &mut self.happened.flush_dead } else { &mut self.happened.flush_write_back };
            *bits = *bits << 1 | 1;
            if !dead {
                self.main.write(self.main.place(front, warp, register)?, value);
            }
        }
        Ok(if self.cache.holds(warp) { Answer::Waits } else { Answer::Done })
    }

    fn exit(&mut self, front: &Front, command: &Command) {
        self.cache.drop_warp(command.warp);
        self.main.versions.forget(front.base(command.warp), front.registers_per_thread());
    }
}

impl Mechanism for CachedByWrite {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray<Wanted>;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        Ok(Self {
            main: MainFile::new(NAME, instance)?,
            fields: Fields::new(NAME, &instance.events)?,
            cache_registers: instance.word(NAME, "cache_registers")?,
            cache: Cache::new(0, 0),
            cache_data: Vec::new(),
            happened: Happened::default(),
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let entries = self.entries(config);
        let some = (1..=MOST_ENTRIES).contains(&entries);
        let reason = format!(
            "each active warp has {entries} entries of the cache, 1 to {MOST_ENTRIES} are expected; without \
                 scheduler.policy=two-level all resident warps are active"
        );
        let holds = config.active_warps > 0 && some;
        self.main.limits(config, Limit::new("scheduler.active_warps", config.active_warps, holds, reason))
    }

    fn reset(&mut self, config: &PortConfig) {
        self.main.reset(config);
        self.cache = Cache::new(self.entries(config), config.active_warps);
        self.cache_data.clear();
        self.happened = Happened::default();
    }

    fn collectors(&mut self) -> &mut CollectorArray<Wanted> {
        &mut self.main.collectors
    }

    fn takes_result(&self, port: usize) -> bool {
        self.main.takes_result(port)
    }

    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        self.happened = Happened::default();
        for bank in banks_of(self.main.delivering()) {
            self.main.collectors.deliver(self.main.target(bank));
        }
        self.read_cache();
        self.main.access(events);
        Ok(())
    }

    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let mut sources = [(0, Wanted::default()); NUM_SOURCES];
        let (mut hit, mut miss, mut partial) = (0_u128, 0_u128, 0_u128);
        for source in members(issue.source_valid) {
            let register = issue.source[source];
            let place = self.main.place(front, issue.warp, register)?;
            let held = self.cache.find(issue.warp, register).map(|entry| entry.value);
            let here = held.map_or(0, |value| value.lanes & issue.mask);
            if let Some(value) = held {
                let stale = self.main.versions.stale_copy(place.index, here, &value, "the cache");
                self.main.wrong(stale);
            }
            let lanes = issue.mask & !here;
            let whole = held.is_some() && lanes == 0;
            let bank = if whole { ELSEWHERE as u8 } else { place.bank };
            sources[source] = (bank, Wanted { index: place.index, lanes });
            hit |= u128::from(whole) << source;
            miss |= u128::from(!whole) << source;
            partial |= u128::from(!whole && here != 0) << source;
        }
        for source in members(issue.dead) {
            self.cache.bury(issue.warp, issue.source[source]);
        }
        let collector = self.main.collectors.allocate(issue, sources);
        let first = NUM_SOURCES * collector;
        self.happened.hit |= hit << first;
        self.happened.miss |= miss << first;
        self.happened.partial |= partial << first;
        Ok(collector)
    }

    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String> {
        let (warp, register) = (result.warp, result.register);
        let place = self.main.place(front, warp, register)?;
        let value = self.main.versions.result(place.index, result.mask);
        let bit = 1 << port;
        match self.cache.write(warp, register, &value) {
            Kept::No => {
                self.happened.to_main |= bit;
                self.main.write(place, value);
                return Ok(());
            }
            Kept::InPlace | Kept::Allocated(None) => {}
            Kept::Allocated(Some(victim)) if victim.dead => self.happened.evict_dead |= bit,
            Kept::Allocated(Some(victim)) => {
                self.happened.evict_write_back |= bit;
                self.main.write(self.main.place(front, warp, victim.register)?, victim.value);
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
        self.main.put_busy(out);
        Ok(())
    }

    fn stale(&mut self) -> Option<String> {
        self.main.take_wrong()
    }

    fn follows_every_instruction(&self) -> bool {
        true
    }
}
