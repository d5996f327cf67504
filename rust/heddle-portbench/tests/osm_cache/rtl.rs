//! The verilated cache: its build, and one cycle of it.

use std::path::{Path, PathBuf};

use heddle_designs::osm::{CacheEvents, CacheShape, OsmConfig, layout};
use heddle_port::memory::{MemLowerRequest, MemLowerResponse, MemPerformed, MemRequest, MemResponse};
use heddle_port::{MemIn, MemOut, PortStruct};
use heddle_portbench::shared_cache::{LaneData, LineData};
use heddle_rtl::{Block, Manifest, PlantedBlock, planted};
use verilated_runtime::{Instance, Library, Options};

/// The cache's assertions and covers; binds last.
const ASSERTIONS: [&str; 20] = [
    "testbench/osm/osm_cache_assertions.sv",
    "testbench/osm/request_buffer_assertions.sv",
    "testbench/osm/line_table_assertions.sv",
    "testbench/osm/recency_order_assertions.sv",
    "testbench/osm/lock_table_assertions.sv",
    "testbench/osm/word_lock_table_assertions.sv",
    "testbench/osm/fill_table_assertions.sv",
    "testbench/osm/data_path_assertions.sv",
    "testbench/osm/response_ring_assertions.sv",
    "testbench/osm/pass_selector_assertions.sv",
    "testbench/common/fifo_places_assertions.sv",
    "testbench/common/number_pool_assertions.sv",
    "testbench/common/lower_queue_assertions.sv",
    "testbench/osm/fill_table_covers.sv",
    "testbench/osm/line_table_covers.sv",
    "testbench/osm/lock_table_covers.sv",
    "testbench/osm/osm_cache_covers.sv",
    "testbench/osm/request_buffer_covers.sv",
    "testbench/osm/word_lock_table_covers.sv",
    "testbench/osm/osm_binds.sv",
];

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Name of a bit of the cache's events in the manifest of the whole design.
pub fn event_name(bit: usize) -> &'static str {
    let below = layout::NAMES.iter().rev().find(|(_, first)| *first <= bit);
    below.map_or("none", |(name, _)| name)
}

fn block(shape: CacheShape) -> Block {
    let manifest = Manifest::load(&root(), "osm").expect("the manifest");
    let block = Block::new(&root(), &manifest, "osm_cache", "testbench/osm/osm_cache_shim.cpp");
    let block = block
        .expect("the block")
        .parameter("Sets", shape.sets as i64)
        .parameter("ReadCounter", shape.read_counter.into())
        .parameter("WordLock", shape.word_lock.into())
        .parameter("Unified", shape.unified.into());
    ASSERTIONS.iter().fold(block, |block, path| block.source(path))
}

/// Builds the cache, or finds it built.
pub fn build(shape: CacheShape) -> Library {
    block(shape).build().expect("a build")
}

/// Builds the cache with those planted bugs of osm, and of the list of ucm, which are in the cache: of locks by word,
/// or all others.
pub fn build_planted(shape: CacheShape, word_lock: bool) -> PlantedBlock {
    let list = |design: &str| {
        let whole = Manifest::load(&root(), design).expect("a manifest");
        planted::load(&root(), &whole).expect("the list of bugs")
    };
    let mut bugs = list("osm");
    bugs.extend(list("ucm").into_iter().filter(|bug| bug.list.ends_with("testbench/ucm/planted_bugs.toml")));
    bugs.retain(|bug| bug.file.ends_with("word_lock_table.sv") == word_lock);
    block(shape).build_planted(bugs).expect("a build")
}

/// One cache.
pub struct RtlCache {
    instance: Instance,
    config: u32,
    input: Vec<u32>,
    bulk_input: Vec<u32>,
    output: Vec<u32>,
    bulk_output: Vec<u32>,
}

/// What a cache drives in one cycle.
pub struct RtlOut {
    pub out: MemOut,
    pub events: CacheEvents,
    pub response_data: LaneData,
    pub lower_data: LineData,
}

const fn words(bits: usize) -> usize {
    bits.div_ceil(32)
}

const REQUEST_AT: usize = 2;
const LOWER_READY_AT: usize = REQUEST_AT + words(MemRequest::BITS);
const LOWER_RESPONSE_AT: usize = LOWER_READY_AT + 1;
const RESPONSE_AT: usize = 1;
const PERFORMED_AT: usize = RESPONSE_AT + words(MemResponse::BITS);
const LOWER_REQUEST_AT: usize = PERFORMED_AT + words(MemPerformed::BITS);
const IDLE_AT: usize = LOWER_REQUEST_AT + words(MemLowerRequest::BITS);
const EVENTS_AT: usize = IDLE_AT + 1;

/// A struct from words of its own; zero where it is not valid.
fn valid_or_default<T: PortStruct + Default>(words: &[u32], at: usize) -> T {
    let top = 32 * at + T::BITS - 1;
    if words[top / 32] >> (top % 32) & 1 != 0 { T::get(words, 32 * at) } else { T::default() }
}

impl RtlCache {
    /// A cache after reset.
    pub fn new(library: &Library, config: &OsmConfig, seed: u64) -> Self {
        Self::of(library.instance(&Options { seed, ..Options::default() }).expect("an instance"), config)
    }

    /// A cache after reset, with the planted bug of the given place or without.
    pub fn planted(block: &PlantedBlock, config: &OsmConfig, seed: u64, bug: Option<usize>) -> Self {
        Self::of(block.instance(seed, bug).expect("an instance"), config)
    }

    fn of(instance: Instance, config: &OsmConfig) -> Self {
        let shape = instance.shape();
        let mut rtl = Self {
            config: u32::from(config.size_log2) << 12
                | u32::from(config.lock) << 11
                | u32::from(config.reads_to_unlock) << 7
                | u32::from(config.hit_latency) << 1
                | u32::from(config.sectors),
            input: vec![0; shape.input],
            bulk_input: vec![0; shape.bulk_input],
            output: vec![0; shape.output],
            bulk_output: vec![0; shape.bulk_output],
            instance,
        };
        for _ in 0..2 {
            rtl.cycle(&MemIn::default(), &[0; 128], &[0; 32], false).expect("reset");
        }
        rtl
    }

    /// How often the planted bug made a difference.
    pub fn activations(&mut self) -> u64 {
        heddle_rtl::activations(&mut self.instance).expect("an instrumented model")
    }

    /// One clock edge; the outputs of the next cycle.
    pub fn step(&mut self, input: &MemIn, data: &LaneData, lower: &LineData) -> Result<RtlOut, String> {
        self.cycle(input, data, lower, true)
    }

    fn cycle(
        &mut self,
        input: &MemIn,
        data: &LaneData,
        lower: &LineData,
        running: bool,
    ) -> Result<RtlOut, String> {
        self.input.fill(0);
        self.input[0] = u32::from(running) | u32::from(input.flush) << 1;
        self.input[1] = self.config;
        input.request.put(&mut self.input, 32 * REQUEST_AT);
        self.input[LOWER_READY_AT] = u32::from(input.lower_ready);
        MemLowerResponse::put(&input.lower_response, &mut self.input, 32 * LOWER_RESPONSE_AT);
        self.bulk_input[..128].copy_from_slice(data);
        self.bulk_input[128..].copy_from_slice(lower);
        self.instance
            .cycle(&self.input, &self.bulk_input, &mut self.output, &mut self.bulk_output)
            .map_err(|error| error.to_string())?;
        let mut out = RtlOut {
            out: MemOut {
                request_ready: self.output[0] != 0,
                response: valid_or_default(&self.output, RESPONSE_AT),
                performed: valid_or_default(&self.output, PERFORMED_AT),
                lower_request: valid_or_default(&self.output, LOWER_REQUEST_AT),
                idle: self.output[IDLE_AT] != 0,
            },
            events: std::array::from_fn(|word| self.output[EVENTS_AT + word]),
            response_data: [0; 128],
            lower_data: [0; 32],
        };
        out.response_data.copy_from_slice(&self.bulk_output[..128]);
        out.lower_data.copy_from_slice(&self.bulk_output[128..]);
        Ok(out)
    }
}
