//! The whole design: the conventional register file and the cache.

use heddle_port::{
    DesignError, MemIn, MemOut, MemoryPort, MemorySide, PortConfig, PortWidths, RegIn, RegOut, RegisterFile,
};

use super::config::{CacheShape, OsmConfig};
use super::{MOST_SETS, OsmCache, layout};
use crate::baseline::Baseline;

/// OSM or UCM without its data.
#[derive(Debug, Clone)]
pub struct Osm {
    unified: bool,
    registers: Baseline,
    cache: Option<OsmCache>,
    memory_in: MemIn,
    memory_out: MemOut,
}

impl Osm {
    /// A model with the given number of port slots, not yet reset; `unified` holds global and local memory too.
    #[must_use]
    pub fn new(widths: PortWidths, unified: bool) -> Self {
        Self {
            unified,
            registers: Baseline::new(widths),
            cache: None,
            memory_in: MemIn::default(),
            memory_out: MemOut::default(),
        }
    }
}

/// The cache's configuration; a model takes every size and threshold that can be elaborated.
fn cache_of(config: &PortConfig, unified: bool) -> Result<OsmCache, DesignError> {
    let lock = config.reads_to_unlock != 0;
    let shape = CacheShape { sets: MOST_SETS, read_counter: true, unified };
    let config = OsmConfig {
        size_log2: config.cache_size_log2,
        lock,
        reads_to_unlock: config.reads_to_unlock.max(1),
        hit_latency: config.hit_latency,
    };
    OsmCache::new(shape, config)
}

impl RegisterFile for Osm {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let mut cache = cache_of(config, self.unified)?;
        self.memory_out = cache.reset();
        self.cache = Some(cache);
        self.memory_in = MemIn::default();
        self.registers.reset(config)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.registers.step(input, out)?;
        let Some(cache) = &mut self.cache else { return Ok(()) };
        cache.step(&self.memory_in, &mut self.memory_out)?;
        self.memory_in.request.valid = false;
        self.memory_in.flush = false;
        self.memory_in.lower_ready = false;
        self.memory_in.lower_response.valid = false;
        let first = layout::FIRST / 32;
        // The upper half of the last word stays the registers'.
        let [.., last] = out.events;
        out.events[first..].copy_from_slice(cache.events());
        let [.., both] = &mut out.events;
        *both |= last & 0xFFFF_0000;
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        Some(self)
    }
}

impl MemorySide for Osm {
    fn memory_out(&self) -> &MemOut {
        &self.memory_out
    }

    fn drive_memory(&mut self, input: &MemIn) {
        if input.request.valid {
            self.memory_in.request = input.request;
        }
        self.memory_in.flush = input.flush;
        self.memory_in.lower_ready = input.lower_ready;
        self.memory_in.lower_response = input.lower_response;
    }

    fn line_left(&self) -> Option<u32> {
        self.cache.as_ref().and_then(OsmCache::left)
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
    use super::super::{bench, layout};
    use heddle_port::{DesignError, Instance, MemIn, PortConfig, PortWidths, RegIn, RegOut, RegisterFile};

    const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

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
        crate::create(name, &Instance::of_widths(WIDTHS)).expect("the design is there")
    }

    #[test]
    fn events_of_the_cache_take_the_place_of_the_grants() {
        let mut design = model("osm");
        let mut out: RegOut = design.reset(&config()).expect("a good configuration");
        let side = design.memory_side().expect("a memory port");
        side.drive_memory(&MemIn { request: bench::write(7, 0), ..MemIn::default() });
        design.step(&RegIn::default(), &mut out).expect("the contract is kept");
        assert_eq!(out.events[layout::FIRST / 32], 1 << layout::REQUEST);
        design.step(&RegIn::default(), &mut out).expect("the contract is kept");
        assert_ne!(out.events[layout::FIRST / 32] & 1 << layout::WRITE_ALLOCATE, 0);
        assert_eq!(out.events[layout::FIRST / 32] & 1, 0, "the request is gone after its cycle");
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
