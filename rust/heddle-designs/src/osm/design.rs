//! The whole design: the conventional register file and the cache.

use heddle_port::{
    DesignError, EventLayout, Instance, LineEvents, MemIn, MemOut, MemoryPort, MemorySide, PortConfig, RegIn,
    RegOut, RegisterFile, set_bits,
};

use super::config::{CacheShape, OsmConfig};
use super::{MOST_SETS, NAME, OsmCache, layout};
use crate::baseline::Baseline;
use crate::front::MemoryInputs;

/// OSM or UCM without its data.
#[derive(Debug, Clone)]
pub struct Osm {
    unified: bool,
    registers: Baseline,
    /// A lock bit a word.
    word_lock: bool,
    /// Word of the configuration that says whether sectors are fetched.
    sectors: usize,
    cache: Option<OsmCache>,
    /// Bit of the event vector from which on the cache's events lie.
    first_event: usize,
    memory_in: MemoryInputs,
    memory_out: MemOut,
}

impl Osm {
    /// A model that needs a reset before its first step; `unified` holds global and local memory too.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: an event is not where it is expected.
    pub fn new(instance: &Instance, unified: bool) -> Result<Self, DesignError> {
        Ok(Self {
            unified,
            registers: Baseline::new(instance)?,
            word_lock: instance.parameters.size(NAME, "word_lock")? != 0,
            sectors: instance.word(NAME, "sectors")?,
            cache: None,
            first_event: first_event(&instance.events)?,
            memory_in: MemoryInputs::default(),
            memory_out: MemOut::default(),
        })
    }

    /// An empty cache; a model takes every size and threshold that can be elaborated.
    fn cache_of(&self, config: &PortConfig) -> Result<OsmCache, DesignError> {
        let (unified, word_lock) = (self.unified, self.word_lock);
        let shape = CacheShape { sets: MOST_SETS, read_counter: true, word_lock, unified };
        let config = OsmConfig {
            size_log2: config.cache_size_log2,
            lock: config.reads_to_unlock != 0,
            reads_to_unlock: config.reads_to_unlock.max(1),
            hit_latency: config.hit_latency,
            sectors: config.own[self.sectors] != 0,
        };
        OsmCache::new(shape, config)
    }
}

/// Where the cache's events begin. They lie together, in the cache's order.
fn first_event(events: &EventLayout) -> Result<usize, DesignError> {
    let first = usize::from(events.require(NAME, layout::NAMES[0].0)?.lsb);
    for (name, at) in layout::NAMES {
        if let Some(field) = events.field(name).filter(|field| usize::from(field.lsb) != first + at) {
            let what = format!("event '{name}' lies at bit {}, expected {}", field.lsb, first + at);
            return Err(DesignError::Instance { design: NAME, what });
        }
    }
    Ok(first)
}

impl RegisterFile for Osm {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let mut cache = self.cache_of(config)?;
        self.memory_out = cache.reset();
        self.cache = Some(cache);
        self.memory_in = MemoryInputs::default();
        self.registers.reset(config)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.registers.step(input, out)?;
        let Some(cache) = &mut self.cache else { return Ok(()) };
        cache.step(self.memory_in.get(), &mut self.memory_out)?;
        self.memory_in.clear();
        for (word, &events) in cache.events().iter().enumerate() {
            set_bits(&mut out.events, self.first_event + 32 * word, events.into());
        }
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        Some(self)
    }

    fn follows_every_instruction(&self) -> bool {
        self.registers.follows_every_instruction()
    }
}

impl MemorySide for Osm {
    fn memory_out(&self) -> &MemOut {
        &self.memory_out
    }

    fn drive_memory(&mut self, input: &MemIn) {
        self.memory_in.drive(input);
    }

    fn line_left(&self) -> Option<u32> {
        self.cache.as_ref().and_then(OsmCache::left)
    }

    fn line_events(&self) -> Option<&LineEvents> {
        self.cache.as_ref().filter(|_| self.unified).map(OsmCache::line_events)
    }

    fn know_lifetimes(&mut self) -> bool {
        self.cache.as_mut().map(|cache| cache.lines_mut().know_lifetimes()).is_some()
    }

    fn set_live(&mut self, line: u32, live: bool) {
        if let Some(cache) = &mut self.cache {
            cache.lines_mut().set_live(line, live);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench;
    use crate::testing::{WIDTHS, instance};
    use heddle_port::{DesignError, EventLayout, MemIn, PortConfig, RegIn, RegOut, RegisterFile};

    fn config() -> PortConfig {
        PortConfig {
            bank_cycles: 1,
            rows_per_bank: 128,
            cache_size_log2: 3,
            reads_to_unlock: 1,
            hit_latency: 28,
            ..PortConfig::default()
        }
    }

    fn model(name: &str) -> Box<dyn RegisterFile + Send> {
        crate::create(name, &instance(name, WIDTHS)).expect("the design is there")
    }

    #[test]
    fn events_of_the_cache_lie_where_the_manifest_says() {
        let mut design = model("osm");
        let mut out: RegOut = design.reset(&config()).expect("a good configuration");
        let events = instance("osm", WIDTHS).events;
        let event = |out: &RegOut, name: &str| {
            let lsb = usize::from(events.field(name).expect("the event").lsb);
            out.events[lsb / 32] >> (lsb % 32) & 1
        };
        let side = design.memory_side().expect("a memory port");
        side.drive_memory(&MemIn { request: bench::write(7, 0), ..MemIn::default() });
        design.step(&RegIn::default(), &mut out).expect("the contract is kept");
        assert_eq!((event(&out, "shared_request"), event(&out, "write_allocate")), (1, 0));
        design.step(&RegIn::default(), &mut out).expect("the contract is kept");
        assert_eq!((event(&out, "shared_request"), event(&out, "write_allocate")), (0, 1));
    }

    #[test]
    fn an_event_that_lies_elsewhere_is_named() {
        let mut made = instance("osm", WIDTHS);
        let lsb = made.events.field("line_lock").expect("the event").lsb;
        let fields = made.events.iter().map(|(name, mut field)| {
            field.lsb += u16::from(name == "line_lock");
            (name.to_owned(), field)
        });
        made.events = EventLayout::new(fields.collect());
        let error = crate::create("osm", &made).err().expect("it is elsewhere").to_string();
        let text = format!("'line_lock' lies at bit {}, expected {lsb}", lsb + 1);
        assert!(error.contains(&text), "{error}");
    }

    #[test]
    fn only_the_unified_cache_takes_global_accesses() {
        let global = heddle_port::MemRequest { space: 0, ..bench::read(7, 0) };
        for (name, takes) in [("osm", false), ("ucm", true)] {
            let mut design = model(name);
            let mut out: RegOut = design.reset(&config()).expect("a good configuration");
            let side = design.memory_side().expect("a memory port");
            side.drive_memory(&MemIn { request: global, ..MemIn::default() });
            assert_eq!(design.step(&RegIn::default(), &mut out).is_ok(), takes, "{name}");
        }
    }

    #[test]
    fn what_the_cache_cannot_be_is_refused() {
        for bad in [PortConfig { hit_latency: 3, ..config() }, PortConfig { cache_size_log2: 8, ..config() }]
        {
            let error = model("osm").reset(&bad).expect_err("a bad configuration");
            assert!(matches!(error, DesignError::Config { .. }), "{error}");
        }
    }
}
