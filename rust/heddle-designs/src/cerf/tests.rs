//! The timing of each path, as docs/designs/cerf.md states it.

use super::{Cerf, layout};
use heddle_port::{
    Command, CommandOp, DesignError, Issue, LowerKind, MemIn, MemLowerResponse, MemOut, MemRequest,
    MemorySide, PortConfig, PortWidths, RegIn, RegOut, RegisterFile, ResultWrite,
};

const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

fn config() -> PortConfig {
    PortConfig { bank_cycles: 1, rows_per_bank: 64, ways: 4, ..PortConfig::default() }
}

/// A model and its outputs of the current cycle.
struct Bench {
    model: Cerf,
    out: RegOut,
    memory: MemIn,
    /// How often each event bit was set.
    bits: [u32; 256],
}

impl Bench {
    fn new(ways: u8) -> Self {
        Self::with(PortConfig { ways, ..config() })
    }

    fn with(config: PortConfig) -> Self {
        let mut model = Cerf::new(WIDTHS);
        let out = model.reset(&config).expect("good configuration");
        Self { model, out, memory: MemIn { lower_ready: true, ..MemIn::default() }, bits: [0; 256] }
    }

    fn step(&mut self, input: &RegIn) {
        self.model.drive_memory(&self.memory);
        self.memory.request.valid = false;
        self.memory.lower_response.valid = false;
        self.model.step(input, &mut self.out).expect("the contract is kept");
        for (bit, sum) in self.bits.iter_mut().enumerate() {
            *sum += self.out.events[bit / 32] >> (bit % 32) & 1;
        }
    }

    /// How often the event has happened.
    fn sum(&self, lsb: usize, width: usize) -> u32 {
        self.bits[lsb..lsb + width].iter().sum()
    }

    /// The registers of warp 0 begin at warp register `value`.
    fn base(&mut self, value: u16) {
        let mut input = ready();
        input.command = Command { valid: true, op: CommandOp::WarpBase as u8, value, ..Command::default() };
        self.step(&input);
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step(&ready());
        }
    }

    fn mem(&self) -> MemOut {
        *self.model.memory_out()
    }

    fn event(&self, lsb: usize, width: usize) -> u32 {
        self.out.events[lsb / 32] >> (lsb % 32) & (u32::MAX >> (32 - width))
    }

    /// Registers and lines held.
    fn held(&mut self) -> (u32, u32) {
        self.idle(1);
        (self.event(layout::REGISTERS, 11), self.event(layout::LINES, 11))
    }

    fn write(&mut self, register: u8) {
        self.write_lanes(register, u32::MAX);
        self.idle(1);
    }

    /// A result of some lanes; afterwards the events are those of its look-up.
    fn write_lanes(&mut self, register: u8, mask: u32) {
        let mut input = ready();
        input.result[0] = ResultWrite { valid: true, register, mask, last: true, ..ResultWrite::default() };
        self.step(&input);
        self.idle(1);
    }

    fn read(&mut self, sources: &[u8], dead: u8) {
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
    fn latency(&mut self, sources: &[u8]) -> usize {
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
    fn request(&mut self, kind: u8, line: u32) {
        assert!(self.mem().request_ready);
        self.memory.request = access(kind, line);
        self.idle(1);
    }

    /// L2 answers in this cycle.
    fn answer(&mut self, id: u8) {
        self.memory.lower_response = MemLowerResponse { valid: true, id, line: 0 };
        self.idle(1);
    }

    /// Cycles until `done` holds, counted from the current one as 0.
    fn until(&mut self, done: fn(&MemOut) -> bool) -> usize {
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
    fn fetch(&mut self, line: u32) {
        self.request(0, line);
        self.until(|m| m.lower_request.valid);
        let id = self.mem().lower_request.id;
        self.idle(1);
        self.answer(id);
        self.until(|m| m.response.valid);
        self.idle(2);
    }
}

fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

fn access(kind: u8, line: u32) -> MemRequest {
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

const READ: u8 = 0;
const WRITE: u8 = 1;
const ATOMIC: u8 = 2;

#[test]
fn the_tagging_stage_costs_one_cycle_more_than_the_baseline() {
    let mut bench = Bench::new(4);
    for register in 0..8 {
        bench.write(register);
    }
    assert_eq!(bench.latency(&[0]), 5);
    bench.idle(3);
    assert_eq!(bench.latency(&[0, 1, 2, 3]), 5, "different tag banks");
    bench.idle(3);
    assert_eq!(bench.latency(&[0, 4]), 6, "the same tag bank");
    bench.idle(3);
    assert_eq!(bench.latency(&[]), 2);
}

#[test]
fn a_dead_read_frees_its_entry_and_an_exit_the_rest() {
    let mut bench = Bench::new(4);
    let mut input = ready();
    input.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 3, ..Command::default() };
    bench.step(&input);
    for register in 0..3 {
        bench.write(register);
    }
    assert_eq!(bench.held(), (3, 0));
    bench.read(&[1, 1], 0b11);
    bench.idle(6);
    assert_eq!(bench.held(), (2, 0));
    input.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&input);
    let mut cycles = 1;
    while !bench.out.done.valid {
        assert!(!bench.out.command_ready, "no command is taken on the way");
        bench.idle(1);
        cycles += 1;
    }
    assert_eq!((cycles, bench.out.done.op), (4, CommandOp::Exit as u8));
    assert_eq!(bench.held(), (0, 0));
}

#[test]
fn a_load_fetches_its_line_once_and_then_hits() {
    let mut bench = Bench::new(4);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.performed.valid), 1);
    assert!(bench.mem().lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::Fill as u8);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.performed.valid), 1, "the second load joins");
    assert!(!bench.mem().lower_request.valid);
    bench.answer(0);
    assert_eq!(bench.until(|m| m.response.valid), 3, "start, place, answer");
    assert_eq!(bench.mem().response.outcome, 1);
    bench.idle(1);
    assert_eq!((bench.mem().response.valid, bench.mem().response.outcome), (true, 2));
    bench.idle(1);
    assert!(bench.mem().idle);
    bench.request(READ, 0x20_0000);
    assert_eq!(bench.until(|m| m.response.valid), 3);
    assert_eq!(bench.mem().response.outcome, 0);
    assert_eq!(bench.held(), (0, 1));
}

#[test]
fn a_store_makes_a_line_dirty_and_the_line_leaves_before_its_place_is_taken() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    bench.fetch(set(0));
    bench.fetch(set(1));
    for n in [0, 1] {
        bench.request(WRITE, set(n));
        bench.until(|m| m.response.valid && m.response.store);
        assert!(!bench.mem().lower_request.valid, "it stays");
        bench.idle(1);
    }
    bench.request(READ, set(2));
    bench.until(|m| m.lower_request.valid);
    let id = bench.mem().lower_request.id;
    bench.idle(1);
    bench.answer(id);
    bench.until(|m| m.lower_request.valid);
    let written = bench.mem().lower_request;
    assert_eq!((written.kind, written.line), (LowerKind::WriteBack as u8, set(0) * 128));
    bench.idle(10);
    assert_eq!(bench.held(), (0, 2));
}

#[test]
fn a_store_without_its_line_goes_through_and_an_atomic_drops_it() {
    let mut bench = Bench::new(4);
    bench.request(WRITE, 0x20_0000);
    bench.until(|m| m.lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::BypassWrite as u8);
    bench.idle(4);
    bench.fetch(0x20_0000);
    assert_eq!(bench.held(), (0, 1));
    bench.request(ATOMIC, 0x20_0000);
    bench.until(|m| m.lower_request.valid);
    assert_eq!(bench.mem().lower_request.kind, LowerKind::Atomic as u8);
    assert_eq!(bench.held(), (0, 0));
}

/// A fair bench of two ways with lines 0 and 512 of tag bank 0 and set 0, for which register 0 was spilled.
fn spilled() -> Bench {
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

#[test]
fn a_read_waits_for_its_spilled_register_and_other_reads_go_on() {
    let mut bench = spilled();
    bench.write(4);
    bench.read(&[0], 0);
    assert_eq!(bench.until(|m| m.lower_request.valid), 1);
    let refill = bench.mem().lower_request;
    assert_eq!((refill.kind, refill.line), (LowerKind::Fill as u8, 0xFFFE_0000));
    assert_eq!(bench.event(layout::REFILL_STARTED, 1), 1);
    assert_eq!(bench.event(layout::REGISTER_AWAY, 4), 1);
    bench.idle(1);
    assert_eq!(bench.latency(&[4]), 5, "a read of the same tag bank");
    bench.idle(20);
    assert!(!bench.out.operands[0].valid, "the register is not there");
    bench.answer(refill.id);
    bench.idle(2);
    assert_eq!(bench.event(layout::REGISTER_REFILLED, 1), 1, "start, place");
    let waited = (0..20).find(|_| {
        bench.idle(1);
        bench.out.operands[0].valid
    });
    assert_eq!(waited, Some(3), "look-up, data banks, collector, dispatch");
    assert!(bench.mem().idle);
    assert_eq!(bench.held(), (2, 1));
}

#[test]
fn a_masked_write_to_a_spilled_register_fetches_it_and_a_full_one_does_not() {
    let mut bench = spilled();
    bench.write_lanes(0, 0xFF);
    assert_eq!(bench.event(layout::WRITE_MERGED, 1), 1);
    assert_eq!(bench.event(layout::REFILL_STARTED, 1), 1);
    assert_eq!(bench.held(), (0, 2), "it has no entry yet");
    bench.write_lanes(0, 0xFF00);
    assert_eq!(bench.event(layout::WRITE_MERGED, 1), 1);
    assert_eq!(bench.event(layout::REFILL_STARTED, 1), 0, "it is on its way");
    assert_eq!(bench.event(layout::MSHRS_IN_USE, 6), 1);
    bench.answer(0);
    bench.idle(4);
    assert_eq!(bench.held(), (1, 1));
    let mut bench = spilled();
    bench.write(0);
    assert!(!bench.mem().lower_request.valid);
    assert_eq!(bench.held(), (1, 1));
}

#[test]
fn a_warp_that_ends_waits_for_a_register_on_its_way_and_forgets_a_spilled_one() {
    let exit = || {
        let mut input = ready();
        input.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
        input
    };
    let mut bench = spilled();
    bench.step(&exit());
    bench.idle(20);
    assert!(bench.out.command_ready);
    assert_eq!(bench.latency(&[0]), 5, "nothing is fetched");
    assert!(bench.mem().idle);
    let mut bench = spilled();
    bench.write_lanes(0, 1);
    bench.step(&exit());
    bench.idle(20);
    assert!(!bench.out.command_ready, "the register is on its way");
    bench.answer(0);
    bench.idle(20);
    assert!(bench.out.command_ready);
    assert_eq!(bench.held(), (0, 1));
}

#[test]
fn a_fair_bench_ignores_dead_bits() {
    let mut bench = Bench::with(PortConfig { fair: true, ..config() });
    bench.write(1);
    bench.read(&[1], 1);
    bench.idle(6);
    assert_eq!(bench.held(), (1, 0));
}

/// Of a run in one set of two ways, by hand: every look-up, row, transition and reason.
#[test]
fn the_counters_of_a_run_made_by_hand() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    bench.write(0); // takes way 0
    bench.fetch(set(0)); // takes way 1
    bench.request(READ, set(0)); // hits
    bench.idle(5);
    bench.request(WRITE, set(0)); // makes it dirty
    bench.idle(5);
    bench.base(512);
    bench.write(0); // writes the line back and takes way 1
    bench.idle(5);
    bench.fetch(set(1)); // is not kept
    bench.read(&[0], 1); // frees way 1
    bench.idle(5);
    bench.fetch(set(2)); // takes way 1
    bench.fetch(set(3)); // takes it again
    bench.write(0); // and again
    bench.idle(5);
    bench.request(WRITE, set(4)); // finds nothing
    bench.request(ATOMIC, set(4));
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(9);
    let counted = [
        ("inactive_to_reg", layout::INACTIVE_TO_REG, 4, 2),
        ("cache_to_reg", layout::CACHE_TO_REG, 4, 1),
        ("reg_dead", layout::REG_DEAD, 4, 1),
        ("inactive_to_cache", layout::INACTIVE_TO_CACHE, 4, 2),
        ("cache_to_cache", layout::CACHE_TO_CACHE, 4, 1),
        ("cache_to_dirty", layout::CACHE_TO_DIRTY, 4, 1),
        ("evict_for_register", layout::EVICT_FOR_REGISTER, 4, 1),
        ("evict_for_line", layout::EVICT_FOR_LINE, 4, 0),
        ("fill_refused", layout::FILL_REFUSED, 1, 1),
        ("load_hit", layout::LOAD_HIT, 1, 1),
        ("load_miss", layout::LOAD_MISS, 1, 4),
        ("load_merged", layout::LOAD_MERGED, 1, 0),
        ("store_hit", layout::STORE_HIT, 1, 1),
        ("store_through", layout::STORE_THROUGH, 1, 1),
        ("bypassed", layout::BYPASSED, 1, 1),
        // Results: 3 and the one that came again. Lines: 4 loads, 4 fills, a hit, 2 stores, an atomic. A read.
        ("tag_lookup", layout::LOOKUP, 4, 4 + 12 + 1),
        // The line on its way out, the hit, the operand.
        ("row_read", layout::ROW_READ, 4, 3),
        // Three results, three lines that were kept, the store.
        ("row_write", layout::ROW_WRITE, 4, 7),
    ];
    for (name, lsb, width, expected) in counted {
        assert_eq!(bench.sum(lsb, width), expected, "{name}");
    }
}

/// What the run above leaves out: lines that lose their place or are dropped, waits, an exit, a flush, the levels.
#[test]
fn the_counters_of_evictions_and_waits_made_by_hand() {
    let mut bench = Bench::new(2);
    let set = |n: u32| 0x20_0000 + 512 * n;
    let mut start = ready();
    start.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 2, ..Command::default() };
    bench.step(&start);
    // Two loads of a line, one of which joins; then the line and another one are dirty.
    bench.request(READ, set(0));
    bench.request(READ, set(0));
    bench.until(|m| m.lower_request.valid);
    let id = bench.mem().lower_request.id;
    bench.idle(2);
    bench.answer(id);
    bench.idle(6);
    bench.fetch(set(1));
    for n in [0, 1] {
        bench.request(WRITE, set(n));
        bench.idle(4);
    }
    bench.fetch(set(2)); // writes line 0 back and takes its place
    bench.idle(4);
    bench.request(ATOMIC, set(1)); // writes line 1 back and, looked up again, finds nothing
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(6);
    bench.request(ATOMIC, set(2)); // drops a clean line
    bench.until(|m| m.lower_request.kind == LowerKind::Atomic as u8 && m.lower_request.valid);
    bench.answer(0);
    bench.idle(6);
    assert_eq!(bench.held(), (0, 0));
    bench.read(&[1], 0); // never written
    bench.idle(6);
    // Registers 0 and 1 of banks 0 and 1.
    bench.write(0);
    bench.write(1);
    // Two instructions read the same register in the same cycle: the second waits.
    let mut input = ready();
    for slot in 0..2 {
        input.issue[slot] =
            Issue { valid: true, tag: 7 + slot as u16, mask: u32::MAX, source_valid: 1, ..Issue::default() };
    }
    bench.step(&input);
    bench.idle(8);
    // A result of the register is accepted as it is read: the read waits behind it.
    let mut input = ready();
    input.issue[0] = Issue { valid: true, tag: 9, mask: u32::MAX, source_valid: 1, ..Issue::default() };
    input.result[0] = ResultWrite { valid: true, mask: u32::MAX, last: true, ..ResultWrite::default() };
    bench.step(&input);
    bench.idle(8);
    let mut exit = ready();
    exit.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&exit);
    bench.idle(8);
    // A flush finds one dirty line.
    bench.fetch(set(5));
    bench.request(WRITE, set(5));
    bench.idle(6);
    bench.memory.flush = true;
    bench.idle(1);
    bench.memory.flush = false;
    bench.idle(1_040);
    assert!(bench.mem().idle);
    let counted = [
        ("load_merged", layout::LOAD_MERGED, 1, 1),
        ("evict_for_line", layout::EVICT_FOR_LINE, 4, 1),
        ("evict_for_bypass", layout::EVICT_FOR_BYPASS, 4, 1),
        ("cache_dropped", layout::CACHE_DROPPED, 4, 1),
        ("register_miss", layout::REGISTER_MISS, 4, 1),
        ("bank_conflict", layout::WAIT_BANK, 4, 1),
        ("read_behind_write", layout::WAIT_WRITE, 4, 1),
        ("reg_ended", layout::REG_ENDED, 4, 2),
        ("flushed_line", layout::FLUSHED_LINE, 1, 1),
        // The cycle in which the atomic's dirty line leaves.
        ("memory_stall", layout::MEMORY_STALL, 1, 1),
    ];
    for (name, lsb, width, expected) in counted {
        assert_eq!(bench.sum(lsb, width), expected, "{name}");
    }
}

/// The levels are those of the start of a cycle: a register from the cycle after its look-up to that of its end.
#[test]
fn levels_count_an_entry_in_every_cycle_that_it_is_held() {
    let mut bench = Bench::new(4);
    let mut start = ready();
    start.command = Command { valid: true, op: CommandOp::KernelStart as u8, value: 2, ..Command::default() };
    bench.step(&start);
    bench.write(0);
    bench.write(1);
    let mut registers = 0;
    for _ in 0..10 {
        bench.idle(1);
        registers += bench.event(layout::REGISTERS, 11);
    }
    assert_eq!(registers, 20);
    let mut exit = ready();
    exit.command = Command { valid: true, op: CommandOp::Exit as u8, ..Command::default() };
    bench.step(&exit);
    let mut after = Vec::new();
    for _ in 0..4 {
        bench.idle(1);
        after.push(bench.event(layout::REGISTERS, 11));
    }
    assert_eq!(after, [2, 1, 0, 0], "one register a cycle");
    bench.fetch(0x20_0000);
    bench.fetch(0x20_0001);
    bench.idle(1);
    assert_eq!((bench.event(layout::REGISTERS, 11), bench.event(layout::LINES, 11)), (0, 2));
}

/// Of LRU-fair: a spill for a line, a refill that spills a register, results that merge.
#[test]
fn the_counters_of_spills_made_by_hand() {
    let mut bench = spilled();
    bench.base(512);
    bench.write(0); // takes the place of a clean line
    bench.base(0);
    bench.write_lanes(0, 1); // fetches its register and waits beside it
    bench.read(&[0, 0], 0); // both reads wait; the refill takes the other line's place
    bench.idle(6);
    bench.answer(0);
    bench.idle(9);
    bench.base(1024 - 512);
    bench.read(&[0], 0);
    bench.idle(9);
    let counted = [
        ("spill_for_line", layout::SPILL_FOR_LINE, 1, 1),
        ("spill_for_register", layout::SPILL_FOR_REGISTER, 1, 0),
        ("refill_started", layout::REFILL_STARTED, 1, 1),
        ("register_refilled", layout::REGISTER_REFILLED, 1, 1),
        ("write_merged", layout::WRITE_MERGED, 1, 1),
        ("register_away", layout::REGISTER_AWAY, 4, 2),
        ("cache_to_reg", layout::CACHE_TO_REG, 4, 2),
        ("register_miss", layout::REGISTER_MISS, 4, 0),
    ];
    for (name, lsb, width, expected) in counted {
        assert_eq!(bench.sum(lsb, width), expected, "{name}");
    }
    // A line takes the place of the register that was used longer ago, and then the other register that of the line.
    bench.fetch(0x20_0400);
    bench.idle(5);
    assert_eq!(bench.sum(layout::SPILL_FOR_LINE, 1), 2);
    bench.request(READ, 0x20_0400);
    bench.idle(5);
    bench.base(0);
    bench.read(&[0], 0);
    bench.idle(4);
    bench.answer(0);
    bench.idle(9);
    assert_eq!(bench.sum(layout::SPILL_FOR_REGISTER, 1), 1);
    assert_eq!(bench.sum(layout::REGISTER_REFILLED, 1), 2);
}

#[test]
fn what_the_port_forbids_is_an_error() {
    let mut model = Cerf::new(WIDTHS);
    assert!(matches!(
        model.reset(&PortConfig { bank_cycles: 2, ..config() }),
        Err(DesignError::Config { key: "register_file.bank_cycles", .. })
    ));
    assert!(matches!(
        model.reset(&PortConfig { ways: 3, ..config() }),
        Err(DesignError::Config { key: "register_file.ways", .. })
    ));
    assert!(matches!(
        model.reset(&PortConfig { rows_per_bank: 128, ..config() }),
        Err(DesignError::Config { key: "register_file.rows_per_bank", .. })
    ));
    let mut out = model.reset(&config()).expect("good configuration");
    let mut input = ready();
    input.command = Command { valid: true, op: CommandOp::WarpBase as u8, value: 1020, ..Command::default() };
    model.step(&input, &mut out).expect("the contract is kept");
    let mut input = ready();
    input.result[0] = ResultWrite { valid: true, register: 4, mask: 1, ..ResultWrite::default() };
    let error = model.step(&input, &mut out).expect_err("there are 1,024 registers");
    assert!(error.to_string().contains("warp register 1024"), "{error}");
}
