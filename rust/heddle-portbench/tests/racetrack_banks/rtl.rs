//! The verilated banks alone.

use std::path::Path;

use heddle_designs::racetrack::NUM_BANKS;
use heddle_rtl::planted::{self, BugClass, PlantedBug};
use heddle_rtl::{Block, Manifest, PlantedBlock};
use verilated_runtime::{Instance, Library, Options};

/// 32-bit words of a warp register.
pub const LANES: usize = 32;

/// Clock cycles that reset is held.
const RESET_CYCLES: usize = 2;

/// A bug that no shipped kernel activates: none has two results of a register in a write buffer when a read of it comes.
fn forward_oldest() -> PlantedBug {
    PlantedBug {
        id: "forward-oldest".to_owned(),
        class: BugClass::Hazard,
        file: "rtl/racetrack/bank_write_buffer.sv".into(),
        original: "hit[1][lane] ? data_q[1][lane] : data_q[0][lane]".to_owned(),
        replacement: "hit[0][lane] ? data_q[0][lane] : data_q[1][lane]".to_owned(),
        variant: None,
        elaboration: None,
        kernel: None,
        expect: Vec::new(),
        doc: "Of two buffered results of a register, the older one is forwarded.".to_owned(),
        list: file!().into(),
    }
}

/// A bug that only shows where a shifting bank gives its place back, which no shipped variant does.
fn way_ends_early() -> PlantedBug {
    PlantedBug {
        id: "way-ends-early".to_owned(),
        class: BugClass::Arbitration,
        file: "rtl/racetrack/racetrack_bank.sv".into(),
        original: "served_i || on_way_q || timing_i.preshift".to_owned(),
        replacement: "served_i || timing_i.preshift".to_owned(),
        doc: "A bank that gave its place back makes no further step.".to_owned(),
        ..forward_oldest()
    }
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn block(manifest: &Manifest, moving: bool) -> Block {
    let shim = "testbench/racetrack/racetrack_banks_shim.cpp";
    let block = Block::new(root(), manifest, "racetrack_banks", shim).expect("the block");
    block.parameter("MoveData", moving.into())
}

fn manifest() -> Manifest {
    Manifest::load(root(), "racetrack").expect("the manifest")
}

/// As shipped; `moving`: with domains that move past the ports.
pub fn shipped(moving: bool) -> Library {
    block(&manifest(), moving).build().expect("it builds")
}

/// With the bugs of the design's list that lie in the block, and two more, for its default elaboration or for the
/// moving one.
pub fn planted(moving: bool) -> PlantedBlock {
    let manifest = manifest();
    let mut bugs = planted::load(root(), &manifest).expect("the list");
    bugs.extend([forward_oldest(), way_ends_early()]);
    bugs.retain(|bug| bug.elaboration.as_deref() == moving.then_some("moving"));
    block(&manifest, moving).build_planted(bugs).expect("it builds")
}

/// What is driven into one bank in a cycle.
#[derive(Debug, Clone, Copy)]
pub struct BankInput {
    /// Collectors that ask for a read.
    pub requests: u32,
    /// Source slot and place of the request that is granted.
    pub source: u8,
    pub read_place: u8,
    /// Place, lanes and data of the staged result.
    pub write_place: u8,
    pub mask: u32,
    pub data: [u32; LANES],
}

impl Default for BankInput {
    fn default() -> Self {
        Self { requests: 0, source: 0, read_place: 0, write_place: 0, mask: 0, data: [0; LANES] }
    }
}

/// The inputs of a cycle.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// Read, write and shift cycles, a byte each from bit 0 on, then a bit each of preshift and shift release.
    pub config: u32,
    /// Banks with a staged result.
    pub staged: u32,
    pub banks: [BankInput; NUM_BANKS],
}

/// The outputs of a cycle; payloads mean something under their valid.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outputs {
    /// By [`NAMES`].
    pub sets: [u32; 10],
    /// Offset at the ports, four bits a bank.
    pub positions: u64,
    /// By bank: collector granted.
    pub granted: [u32; NUM_BANKS],
    /// By bank: collector and source to which data are delivered.
    pub targets: [[u32; 2]; NUM_BANKS],
}

/// What the sets of banks among the outputs say.
pub const NAMES: [&str; 10] = [
    "grant",
    "unstage",
    "deliver",
    "reads",
    "writes",
    "shifts",
    "preshifts",
    "forward",
    "read_waits",
    "busy",
];

/// The members of [`Outputs::sets`].
pub const GRANT: usize = 0;
pub const UNSTAGE: usize = 1;
pub const DELIVER: usize = 2;
pub const READS: usize = 3;
pub const FORWARD: usize = 7;

/// The data that the banks give.
pub type Data = [[u32; LANES]; NUM_BANKS];

/// One block under test.
pub struct Rtl {
    instance: Instance,
}

impl Rtl {
    /// A block in the random state of `seed`.
    pub fn new(library: &Library, seed: u64) -> Self {
        let options = Options { seed, ..Options::default() };
        Self { instance: library.instance(&options).expect("an instance") }
    }

    /// A block with a planted bug or without.
    pub fn planted(block: &PlantedBlock, seed: u64, bug: Option<&str>) -> Self {
        let place = |id| block.bugs().iter().position(|b| b.id == id).expect("a planted bug");
        Self { instance: block.instance(seed, bug.map(place)).expect("an instance") }
    }

    /// Holds reset.
    pub fn reset(&mut self, config: u32) {
        for _ in 0..RESET_CYCLES {
            self.drive(0, &Inputs { config, ..Inputs::default() });
        }
    }

    /// One cycle.
    pub fn cycle(&mut self, inputs: &Inputs) -> (Outputs, Data) {
        self.drive(1, inputs)
    }

    fn drive(&mut self, reset_n: u32, inputs: &Inputs) -> (Outputs, Data) {
        let mut words = vec![reset_n, inputs.config, inputs.staged];
        let mut bulk = [0; NUM_BANKS * LANES];
        for (bank, data) in inputs.banks.iter().zip(bulk.chunks_exact_mut(LANES)) {
            let request = bank.requests | u32::from(bank.source) << 16 | u32::from(bank.read_place) << 24;
            words.extend([request, bank.write_place.into(), bank.mask]);
            data.copy_from_slice(&bank.data);
        }
        let (mut out, mut bulk_out) = ([0; 12 + NUM_BANKS], [0; NUM_BANKS * LANES]);
        self.instance.cycle(&words, &bulk, &mut out, &mut bulk_out).expect("the model runs");
        let mut outputs = Outputs::default();
        outputs.sets.copy_from_slice(&out[..10]);
        outputs.positions = u64::from(out[10]) | u64::from(out[11]) << 32;
        for (b, &word) in out[12..].iter().enumerate() {
            if outputs.sets[GRANT] >> b & 1 != 0 {
                outputs.granted[b] = word & 0xf;
            }
            if outputs.sets[DELIVER] >> b & 1 != 0 {
                outputs.targets[b] = [word >> 19 & 0xf, word >> 16 & 7];
            }
        }
        let data = std::array::from_fn(|b| std::array::from_fn(|lane| bulk_out[b * LANES + lane]));
        (outputs, data)
    }
}
