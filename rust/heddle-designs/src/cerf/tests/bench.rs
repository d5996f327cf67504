//! A model under hand-made inputs.

use std::ops::{Deref, DerefMut};

use heddle_port::{
    CommandOp, LowerKind, MemIn, MemLowerResponse, MemOut, MemRequest, MemorySide, PortConfig, RegIn,
    RegisterFile, ResultWrite,
};

use crate::cerf::Integrated;
pub use crate::testing::ready;
use crate::testing::{self, command};

pub fn config() -> PortConfig {
    PortConfig { bank_cycles: 1, rows_per_bank: 64, ways: 4, ..PortConfig::default() }
}

/// A model with the inputs of its memory port.
pub struct Bench {
    bench: testing::Bench<Integrated>,
    pub memory: MemIn,
}

impl Deref for Bench {
    type Target = testing::Bench<Integrated>;

    fn deref(&self) -> &Self::Target {
        &self.bench
    }
}

impl DerefMut for Bench {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.bench
    }
}

impl Bench {
    pub fn new(ways: u8) -> Self {
        Self::with(PortConfig { ways, ..config() })
    }

    pub fn with(config: PortConfig) -> Self {
        let memory = MemIn { lower_ready: true, ..MemIn::default() };
        Self { bench: testing::Bench::new(&config), memory }
    }

    fn side(&mut self) -> &mut dyn MemorySide {
        self.bench.model.memory_side().expect("the memory port")
    }

    pub fn step(&mut self, input: &RegIn) {
        let memory = std::mem::take(&mut self.memory);
        self.side().drive_memory(&memory);
        self.memory = MemIn { lower_ready: memory.lower_ready, flush: memory.flush, ..MemIn::default() };
        self.bench.step(input);
    }

    /// The registers of warp 0 begin at warp register `value`.
    pub fn base(&mut self, value: u16) {
        self.step(&command(CommandOp::WarpBase, 0, value));
    }

    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(&ready());
        }
    }

    pub fn mem(&mut self) -> MemOut {
        *self.side().memory_out()
    }

    /// Registers and lines held.
    pub fn held(&mut self) -> (u64, u64) {
        self.idle(1);
        (self.event("register_entries"), self.event("line_entries"))
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
        let issue = heddle_port::Issue { dead, ..testing::issue(7, 0, sources) };
        self.step(&testing::issues(issue));
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
    pub fn answer(&mut self, id: u16) {
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
    bench.step(&command(CommandOp::KernelStart, 0, 8));
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
