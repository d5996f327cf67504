//! A model under hand-made inputs.

use heddle_port::{
    Command, CommandOp, Issue, LowerKind, MemIn, MemLowerResponse, MemOut, MemRequest, MemorySide,
    PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

use crate::cerf::{Cerf, layout};

pub const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

pub fn config() -> PortConfig {
    PortConfig { bank_cycles: 1, rows_per_bank: 64, ways: 4, ..PortConfig::default() }
}

/// A model and its outputs of the current cycle.
pub struct Bench {
    pub model: Cerf,
    pub out: RegOut,
    pub memory: MemIn,
    /// How often each event bit was set.
    pub bits: [u32; 256],
}

impl Bench {
    pub fn new(ways: u8) -> Self {
        Self::with(PortConfig { ways, ..config() })
    }

    pub fn with(config: PortConfig) -> Self {
        let mut model = Cerf::new(WIDTHS);
        let out = model.reset(&config).expect("good configuration");
        Self { model, out, memory: MemIn { lower_ready: true, ..MemIn::default() }, bits: [0; 256] }
    }

    pub fn step(&mut self, input: &RegIn) {
        self.model.drive_memory(&self.memory);
        self.memory.request.valid = false;
        self.memory.lower_response.valid = false;
        self.model.step(input, &mut self.out).expect("the contract is kept");
        for (bit, sum) in self.bits.iter_mut().enumerate() {
            *sum += self.out.events[bit / 32] >> (bit % 32) & 1;
        }
    }

    /// How often the event has happened.
    pub fn sum(&self, lsb: usize, width: usize) -> u32 {
        self.bits[lsb..lsb + width].iter().sum()
    }

    /// The registers of warp 0 begin at warp register `value`.
    pub fn base(&mut self, value: u16) {
        let mut input = ready();
        input.command = Command { valid: true, op: CommandOp::WarpBase as u8, value, ..Command::default() };
        self.step(&input);
    }

    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(&ready());
        }
    }

    pub fn mem(&self) -> MemOut {
        *self.model.memory_out()
    }

    pub fn event(&self, lsb: usize, width: usize) -> u32 {
        self.out.events[lsb / 32] >> (lsb % 32) & (u32::MAX >> (32 - width))
    }

    /// Registers and lines held.
    pub fn held(&mut self) -> (u32, u32) {
        self.idle(1);
        (self.event(layout::REGISTERS, 11), self.event(layout::LINES, 11))
    }

    pub fn write(&mut self, register: u8) {
        self.write_lanes(register, u32::MAX);
        self.idle(1);
    }

    /// A result of some lanes; afterwards the events are those of its look-up.
    pub fn write_lanes(&mut self, register: u8, mask: u32) {
        let mut input = ready();
        input.result[0] = ResultWrite { valid: true, register, mask, last: true, ..ResultWrite::default() };
        self.step(&input);
        self.idle(1);
    }

    pub fn read(&mut self, sources: &[u8], dead: u8) {
        let mut input = ready();
        let mut issue = Issue { valid: true, tag: 7, mask: u32::MAX, dead, ..Issue::default() };
        for (slot, &source) in sources.iter().enumerate() {
            issue.source[slot] = source;
            issue.source_valid |= 1 << slot;
        }
        input.issue[0] = issue;
        self.step(&input);
    }

    /// Cycles from the issue handshake of `sources` to the operands.
    pub fn latency(&mut self, sources: &[u8]) -> usize {
        self.read(sources, 0);
        (1..100)
            .find(|_| {
                let there = self.out.operands[0].valid;
                if !there {
                    self.idle(1);
                }
                there
            })
            .expect("the operands come")
    }

    /// Offers a request in this cycle.
    pub fn request(&mut self, kind: u8, line: u32) {
        assert!(self.mem().request_ready);
        self.memory.request = access(kind, line);
        self.idle(1);
    }

    /// L2 answers in this cycle.
    pub fn answer(&mut self, id: u8) {
        self.memory.lower_response = MemLowerResponse { valid: true, id, line: 0 };
        self.idle(1);
    }

    /// Cycles until `done` holds, counted from the current one as 0.
    pub fn until(&mut self, done: fn(&MemOut) -> bool) -> usize {
        let cycles = (0..50).find(|_| {
            let there = done(&self.mem());
            if !there {
                self.idle(1);
            }
            there
        });
        cycles.expect("it happens")
    }

    /// Fetches a line.
    pub fn fetch(&mut self, line: u32) {
        self.request(0, line);
        self.until(|m| m.lower_request.valid);
        let id = self.mem().lower_request.id;
        self.idle(1);
        self.answer(id);
        self.until(|m| m.response.valid);
        self.idle(2);
    }
}

pub fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

pub fn access(kind: u8, line: u32) -> MemRequest {
    MemRequest {
        valid: true,
        tag: 5,
        kind,
        size_log2: 2,
        mask: u32::MAX,
        address: std::array::from_fn(|lane| line * 128 + 4 * lane as u32),
        ..MemRequest::default()
    }
}

pub const READ: u8 = 0;
pub const WRITE: u8 = 1;
pub const ATOMIC: u8 = 2;

/// A fair bench of two ways with lines 0 and 512 of tag bank 0 and set 0, for which register 0 was spilled.
pub fn spilled() -> Bench {
    let mut bench = Bench::with(PortConfig { ways: 2, fair: true, ..config() });
    let mut input = ready();
    input.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 8, ..Command::default() };
    bench.step(&input);
    bench.write(0);
    bench.fetch(0x20_0000);
    bench.request(READ, 0x20_0200);
    bench.until(|m| m.lower_request.valid);
    bench.idle(1);
    bench.answer(0);
    bench.until(|m| m.lower_request.valid);
    let spill = bench.mem().lower_request;
    assert_eq!((spill.kind, spill.line), (LowerKind::WriteBack as u8, 0xFFFE_0000), "its reg-mem address");
    bench.idle(8);
    assert_eq!(bench.held(), (0, 2));
    bench
}
