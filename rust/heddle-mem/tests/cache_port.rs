//! The port of a design that holds shared memory, with the L1 beside it.

use heddle_mem::{CachePort, SHARED_SPACE, kind, outcome, space};
use heddle_port::memory::{MemLowerRequest, MemLowerResponse, MemPerformed, MemRequest, MemResponse};
use heddle_port::{HeldSpaces, LowerKind, MemData, MemIn, MemOut, MemoryPort};

const GLOBAL: u32 = 0x1000_0000;

/// The port, and what the design would show in the next cycle.
struct Bench {
    port: CachePort,
    out: MemOut,
    data: MemData,
    input: MemIn,
    design: MemOut,
    design_data: MemData,
}

impl Bench {
    fn new(cached: bool) -> Self {
        let preset = heddle_config::load("volta").expect("the preset ships");
        let mut port = CachePort::new(&preset.l1d, &preset, HeldSpaces { cached, shared: true });
        let out = port.reset();
        Self {
            port,
            out,
            data: MemData::default(),
            input: MemIn { lower_ready: true, ..MemIn::default() },
            design: MemOut { request_ready: true, idle: true, ..MemOut::default() },
            design_data: MemData::default(),
        }
    }

    fn step(&mut self) {
        self.port.step(&self.input, &mut self.out).expect("the contract is kept");
        let (design, data) = (&self.design, Some(&self.design_data));
        self.port.from_design(design, data, &mut self.out, &mut self.data);
        self.input.request.valid = false;
        self.input.lower_response.valid = false;
        self.design.performed.valid = false;
        self.design.response.valid = false;
    }
}

fn load(space: u8, tag: u16, address: u32) -> MemRequest {
    MemRequest {
        valid: true,
        tag,
        space,
        kind: kind::READ,
        size_log2: 2,
        mask: 1,
        address: [address; 32],
        ..MemRequest::default()
    }
}

fn response(tag: u16) -> MemResponse {
    MemResponse { valid: true, tag, mask: 1, outcome: outcome::HIT, ..MemResponse::default() }
}

fn fetch(line: u32) -> MemLowerRequest {
    MemLowerRequest { valid: true, kind: LowerKind::Fill as u8, id: 1, line, byte_mask: [u32::MAX; 4] }
}

#[test]
fn requests_go_to_whoever_holds_their_space() {
    let mut bench = Bench::new(false);
    bench.input.request = load(space::SHARED, 1, 0);
    bench.step();
    assert!(bench.port.to_design().request.valid);
    bench.input.request = load(space::GLOBAL, 2, GLOBAL);
    bench.step();
    assert!(!bench.port.to_design().request.valid);
    assert_eq!((bench.out.performed.tag, bench.out.performed.valid), (2, true), "the L1 performs it");
    assert_eq!((bench.out.lower_request.valid, bench.out.lower_request.line), (true, GLOBAL));

    let mut unified = Bench::new(true);
    unified.input.request = load(space::GLOBAL, 2, GLOBAL);
    unified.step();
    assert!(unified.port.to_design().request.valid);
    unified.design.response = response(2);
    unified.step();
    assert_eq!(unified.port.statistics().read_hits, 1);
}

#[test]
fn each_answer_to_a_generic_load_counts_for_the_space_of_its_lanes() {
    let mut bench = Bench::new(true);
    let of = |tag, mask| MemResponse { mask, ..response(tag) };
    let ask = |space, tag, mask| MemRequest { mask, ..load(space, tag, 0) };
    let store = MemRequest { kind: kind::WRITE, ..ask(space::GLOBAL, 4, 1) };
    for (request, answer) in [
        (Some(ask(space::SHARED, 3, 0b0011)), None),
        (Some(ask(space::GLOBAL, 3, 0b0100)), None),
        (Some(ask(space::LOCAL, 3, 0b1000)), Some(of(3, 0b0100))),
        (None, Some(of(3, 0b0001))),
        (None, Some(of(3, 0b0010))),
        (None, Some(of(3, 0b1000))),
        // The tag's next instruction has the lanes elsewhere, then none that loads.
        (Some(ask(space::LOCAL, 3, 0b0011)), None),
        (None, Some(of(3, 0b0011))),
        (Some(MemRequest { tag: 3, ..store }), None),
        (None, Some(of(3, 0b0001))),
    ] {
        if let Some(request) = request {
            bench.input.request = request;
        }
        if let Some(answer) = answer {
            bench.design.response = answer;
        }
        bench.step();
    }
    let s = bench.port.statistics();
    assert_eq!([s.shared, s.global, s.local].map(|of| of.read_hits), [2, 1, 2]);
    assert_eq!(s.read_hits, 3, "of the L1D");
}

#[test]
fn the_l1_waits_where_both_would_perform() {
    let mut bench = Bench::new(false);
    bench.input.request = load(space::GLOBAL, 2, GLOBAL);
    bench.design.performed = MemPerformed { valid: true, tag: 1, mask: 1 };
    bench.step();
    assert_eq!(bench.out.performed.tag, 1);
    assert!(!bench.out.request_ready, "the L1's input register is taken");
    bench.step();
    assert_eq!((bench.out.performed.valid, bench.out.performed.tag), (true, 2));
}

#[test]
fn both_take_turns_towards_l2() {
    let mut bench = Bench::new(false);
    bench.design.lower_request = fetch(SHARED_SPACE.start);
    for tag in 0..3 {
        bench.input.request = load(space::GLOBAL, tag, GLOBAL + 128 * u32::from(tag));
        bench.step();
    }
    let mut lines = Vec::new();
    for _ in 0..4 {
        lines.push(bench.out.lower_request.line);
        let of_design = bench.out.lower_request.line == SHARED_SPACE.start;
        bench.step();
        assert_eq!(bench.port.to_design().lower_ready, of_design);
    }
    let shared = SHARED_SPACE.start;
    assert_eq!(lines.iter().filter(|l| **l == shared).count(), 2, "{lines:x?}");
}

#[test]
fn neither_starves_where_l2_is_ready_every_other_cycle() {
    let mut bench = Bench::new(false);
    bench.design.lower_request = fetch(SHARED_SPACE.start);
    let (mut of_design, mut of_l1) = (0, 0);
    for cycle in 0..40u16 {
        if bench.out.request_ready {
            bench.input.request = load(space::GLOBAL, cycle, GLOBAL + 128 * u32::from(cycle));
        }
        bench.input.lower_ready = cycle % 2 == 0;
        if bench.out.lower_request.valid && bench.input.lower_ready {
            let shared = bench.out.lower_request.line == SHARED_SPACE.start;
            *if shared { &mut of_design } else { &mut of_l1 } += 1;
        }
        bench.step();
    }
    assert!(of_design >= 9 && of_l1 >= 9, "{of_design} of the design, {of_l1} of the L1");
}

#[test]
fn answers_find_their_way_by_address() {
    let mut bench = Bench::new(false);
    bench.input.request = load(space::GLOBAL, 5, GLOBAL);
    bench.step();
    bench.step();
    bench.input.lower_response = MemLowerResponse { valid: true, id: 0, line: GLOBAL };
    bench.design.response = response(9);
    bench.step();
    assert!(!bench.port.to_design().lower_response.valid);
    assert_eq!(bench.out.response.tag, 9, "the design's response leaves first");
    bench.step();
    assert_eq!((bench.out.response.valid, bench.out.response.tag), (true, 5));
    assert!(!bench.out.idle);
    bench.input.lower_response = MemLowerResponse { valid: true, id: 7, line: SHARED_SPACE.start };
    bench.step();
    assert!(bench.port.to_design().lower_response.valid);
    bench.step();
    assert!(bench.out.idle);
}
