//! What the unit tests of the models share: a model under hand-made inputs.

use std::ops::Range;
use std::path::Path;

use crate::front::{Machine, Mechanism};
use heddle_manifest::Manifest;
use heddle_port::{
    Command, CommandOp, EventField, EventLayout, Instance, Issue, PortConfig, PortWidths, RegIn, RegOut,
    RegisterFile, ResultWrite,
};

/// Slots of the port in most tests.
pub const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

/// What a model of `design` with one register file is made with.
pub fn instance(design: &str, widths: PortWidths) -> Instance {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = Manifest::load(&root, design).expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let made = manifest.instance(elaboration).expect("an instance");
    let made = if made.parameters.get("sub_cores").is_some() { made.with("sub_cores", 1) } else { made };
    Instance { widths, ..made }
}

/// What a model of an elaboration with these parameters is made with.
pub fn elaborated(design: &str, parameters: &[(&str, i64)]) -> Instance {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = Manifest::load(&root, design).expect("the manifest");
    let mut elaboration = manifest.elaboration(None).expect("the default").clone();
    elaboration.parameters.extend(parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)));
    Instance { widths: WIDTHS, ..manifest.instance(&elaboration).expect("an instance") }
}

/// A model before its reset.
pub fn model<M: Mechanism>(widths: PortWidths) -> Machine<M> {
    Machine::new(&instance(M::NAME, widths)).expect("a model")
}

/// A model, its outputs of the current cycle, and how often its event bits were set.
pub struct Bench<M> {
    pub model: Machine<M>,
    pub out: RegOut,
    pub cycles: u32,
    events: EventLayout,
    sums: Vec<u32>,
}

impl<M: Mechanism> Bench<M> {
    pub fn new(config: &PortConfig) -> Self {
        Self::of(instance(M::NAME, WIDTHS), config)
    }

    /// A model that is made with other parameters.
    pub fn of(instance: Instance, config: &PortConfig) -> Self {
        let mut model = Machine::new(&instance).expect("a model");
        let out = model.reset(config).expect("good configuration");
        let sums = vec![0; instance.events.bits()];
        Self { model, out, cycles: 0, events: instance.events, sums }
    }

    pub fn step(&mut self, input: &RegIn) {
        self.model.step(input, &mut self.out).expect("the contract is kept");
        self.cycles += 1;
        for (bit, sum) in self.sums.iter_mut().enumerate() {
            *sum += self.out.events[bit / 32] >> (bit % 32) & 1;
        }
    }

    pub fn idle(&mut self, cycles: u32) {
        for _ in 0..cycles {
            self.step(&ready());
        }
    }

    fn field(&self, event: &str) -> EventField {
        self.events.field(event).unwrap_or_else(|| panic!("{} has no event {event}", M::NAME))
    }

    /// The value of an event in the current cycle.
    pub fn event(&self, event: &str) -> u64 {
        self.event_bits(event, 0..usize::from(self.field(event).width))
    }

    /// Some bits of an event in the current cycle.
    pub fn event_bits(&self, event: &str, bits: Range<usize>) -> u64 {
        let lsb = usize::from(self.field(event).lsb);
        let set = |bit: usize| u64::from(self.out.events[(lsb + bit) / 32] >> ((lsb + bit) % 32) & 1);
        bits.rev().fold(0, |value, bit| value << 1 | set(bit))
    }

    /// How often bits of an event were set.
    pub fn sum(&self, event: &str) -> u32 {
        self.sum_bits(event, 0..usize::from(self.field(event).width))
    }

    /// Each event, and how often its bits were set.
    pub fn expect_sums(&self, counted: &[(&str, u32)]) {
        for &(name, expected) in counted {
            assert_eq!(self.sum(name), expected, "{name}");
        }
    }

    /// How often some bits of an event were set.
    pub fn sum_bits(&self, event: &str, bits: Range<usize>) -> u32 {
        let lsb = usize::from(self.field(event).lsb);
        self.sums[lsb + bits.start..lsb + bits.end].iter().sum()
    }

    /// Cycles from an input until operands are offered.
    pub fn latency(&mut self, input: &RegIn) -> u32 {
        self.step(input);
        let first = self.cycles;
        while !self.out.operands[0].valid {
            self.idle(1);
            assert!(self.cycles - first < 100, "the operands never come");
        }
        self.cycles - first + 1
    }
}

/// Operands are taken, and nothing is offered.
pub fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

pub fn issue(tag: u16, warp: u8, sources: &[u8]) -> Issue {
    let mut issue = Issue { valid: true, tag, warp, mask: u32::MAX, ..Issue::default() };
    for (slot, &source) in sources.iter().enumerate() {
        issue.source[slot] = source;
        issue.source_valid |= 1 << slot;
    }
    issue
}

/// Inputs that offer one instruction.
pub fn issues(issue: Issue) -> RegIn {
    let mut input = ready();
    input.issue[0] = issue;
    input
}

pub fn result(warp: u8, register: u8) -> ResultWrite {
    ResultWrite { valid: true, warp, register, mask: u32::MAX, last: true, ..ResultWrite::default() }
}

/// Inputs that offer a command.
pub fn command(op: CommandOp, warp: u8, value: u16) -> RegIn {
    RegIn { command: Command { valid: true, op: op as u8, warp, value, ..Command::default() }, ..ready() }
}
