//! What the tests of the designs share: RTL and cycle model of one design under random traffic.

use std::path::Path;

use heddle_port::{DesignError, MemorySide, PortConfig, RegIn, RegOut, RegisterFile};
use heddle_portbench::{BenchConfig, FailureKind, run};
use heddle_rtl::{Manifest, ModelLibrary, RtlRegisterFile, build};

/// Root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The port of the usual elaboration, one cycle a bank.
pub fn port() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        crossbar_cycles: 4,
        active_warps: 8,
        registers_per_interval: 16,
        rows_per_bank: 128,
        write_cycles: 1,
        shift_cycles: 1,
        preshift: false,
        wakeup_cycles: 1,
        ways: 4,
        fair: false,
        cache_size_log2: 3,
        reads_to_unlock: 1,
        hit_latency: 28,
        own: [0; 8],
    }
}

/// A design on the bench.
pub struct Bench {
    manifest: Manifest,
    pub library: ModelLibrary,
}

impl Bench {
    /// An elaboration of a design, the default one unless named, with `width` slots a port where given.
    pub fn new(name: &str, elaboration: Option<&str>, width: Option<i64>) -> Self {
        let manifest = Manifest::load(root(), name).expect("the manifest");
        let mut elaboration = manifest.elaboration(elaboration).expect("the elaboration").clone();
        if let Some(width) = width {
            for name in ["issue_width", "result_width"] {
                elaboration.parameters.insert(name.to_owned(), width);
            }
        }
        let library = build(root(), &manifest, &elaboration, &mut |s| println!("{s}")).expect("a model");
        Self { manifest, library }
    }

    /// What the bench drives into an instance.
    pub fn config(&self, rtl: &RtlRegisterFile, port: PortConfig) -> BenchConfig {
        BenchConfig::new(&self.manifest, rtl.made_with(), port)
    }

    /// One run that must find nothing.
    pub fn clean(&self, port: PortConfig, seed: u64, cycles: u64) {
        let mut rtl = self.library.instance(seed).expect("an instance");
        let config = self.config(&rtl, port);
        let mut model = heddle_designs::create(&self.manifest.name, rtl.made_with()).expect("the model");
        let summary = run(&config, &mut rtl, &mut *model, seed, cycles)
            .unwrap_or_else(|failure| panic!("{port:?}: {failure}"));
        println!("{port:?}: {summary}");
        assert!(summary.operands > cycles / 50, "too little compared: {summary}");
    }

    /// As [`Self::names`], with the given bit of an event falsified.
    pub fn names_event(&self, port: PortConfig, event: &str, bit: usize) {
        let rtl = self.library.instance(9).expect("an instance");
        let field = rtl.made_with().events.field(event).expect("the event");
        assert!(bit < usize::from(field.width), "{event} has {} bits", field.width);
        let bit = usize::from(field.lsb) + bit;
        self.names(port, move |out| out.events[bit / 32] ^= 1 << (bit % 32), event);
    }

    /// The model with an output falsified from cycle 500 on is found in that cycle, by the output's name.
    pub fn names(&self, port: PortConfig, falsify: impl Fn(&mut RegOut) + Send + 'static, name: &str) {
        let mut rtl = self.library.instance(9).expect("an instance");
        let config = self.config(&rtl, port);
        let inner = heddle_designs::create(&self.manifest.name, rtl.made_with()).expect("the model");
        let mut model = Falsified { inner, cycle: 0, falsify: Box::new(falsify) };
        let failure = run(&config, &mut rtl, &mut model, 9, 2_000).expect_err("the fault is found");
        assert_eq!(failure.cycle, FALSE_FROM, "{failure}");
        assert!(
            matches!(&failure.kind, FailureKind::Output { field, .. } if field.contains(name)),
            "{name}: {failure}"
        );
    }
}

/// Falsifies one output field.
#[allow(dead_code, reason = "not every bench falsifies fields that are no events")]
pub type Falsify = fn(&mut RegOut);

/// First cycle with a falsified output.
const FALSE_FROM: u64 = 500;

/// A cycle model with one output field falsified.
struct Falsified {
    inner: Box<dyn RegisterFile + Send>,
    cycle: u64,
    falsify: Box<dyn Fn(&mut RegOut) + Send>,
}

impl RegisterFile for Falsified {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.inner.reset(config)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.inner.step(input, out)?;
        self.cycle += 1;
        if self.cycle >= FALSE_FROM {
            (self.falsify)(out);
        }
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        self.inner.memory_side()
    }
}
