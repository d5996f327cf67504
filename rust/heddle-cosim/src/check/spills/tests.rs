//! Spills made by hand: which values may be in a register when L2 takes it.

use super::*;

const WARP: u8 = 3;
const BASE: u16 = 100;

/// The shadow of a launch in which the registers of `WARP` begin at `BASE`, and its cycle.
struct Bench {
    check: SpillCheck,
    cycle: u64,
}

impl Bench {
    fn new() -> Self {
        let mut check = SpillCheck::default();
        let op = CommandOp::WarpBase as u8;
        check.command(&Command { valid: true, op, warp: WARP, value: BASE, ..Command::default() });
        Self { check, cycle: 0 }
    }

    /// A bench whose register 2 holds 5, with nothing on its way.
    fn with_a_five() -> Self {
        let mut bench = Self::new();
        bench.write(2, u32::MAX, 5);
        bench.others();
        bench
    }

    fn write(&mut self, register: u32, mask: u32, value: u32) {
        self.check.result(WARP, register, mask, &[value; 32]);
    }

    /// Results of other registers, as many as a design can hold back.
    fn results(&mut self) {
        for _ in 0..QUEUED_RESULTS {
            self.write(9, u32::MAX, 1);
        }
    }

    /// Cycles in which `request` is offered and not taken.
    fn offer(&mut self, request: MemLowerRequest, cycles: usize) {
        for _ in 0..cycles {
            let offer = LowerOffer { request, taken: false, data: [0; 32] };
            assert_eq!(self.check.lower(self.cycle, &offer), Ok(None));
            self.cycle += 1;
        }
    }

    /// Results of other registers, and cycles in which nothing is on its way to L2.
    fn others(&mut self) {
        self.results();
        self.offer(MemLowerRequest::default(), HIDDEN_CYCLES + 1);
    }

    fn exit(&mut self) {
        let done = Done { valid: true, op: CommandOp::Exit as u8, warp: WARP, ..Done::default() };
        self.check.done(self.cycle, &done);
    }

    fn spill(&mut self, register: u32, data: LineData) -> Result<u64, SpillError> {
        let offer = LowerOffer { request: write_back(register), taken: true, data };
        self.cycle += 1;
        self.check.lower(self.cycle - 1, &offer).map(|lanes| lanes.expect("L2 takes a spill"))
    }
}

fn write_back(register: u32) -> MemLowerRequest {
    let line = REGISTER_LINES + (u32::from(BASE) + register) * LINE_BYTES as u32;
    MemLowerRequest { valid: true, kind: LowerKind::WriteBack as u8, line, ..MemLowerRequest::default() }
}

fn wrong(lane: usize, expected: u32, actual: u32) -> Result<u64, SpillError> {
    Err(SpillError::Value(WrongSpill { warp: WARP, register: 2, lane, expected, actual }))
}

#[test]
fn a_spill_holds_what_was_written_last() {
    let mut bench = Bench::with_a_five();
    assert_eq!(bench.spill(2, [5; 32]), Ok(32));
    let mut data = [5; 32];
    data[7] = 6;
    assert_eq!(bench.spill(2, data), wrong(7, 5, 6));
}

#[test]
fn lanes_that_were_not_written_since_hold_what_they_held() {
    let mut bench = Bench::with_a_five();
    bench.write(2, 0xF0, 6);
    bench.others();
    let data = std::array::from_fn(|lane| if (4..8).contains(&lane) { 6 } else { 5 });
    assert_eq!(bench.spill(2, data), Ok(32));
    assert_eq!(bench.spill(2, [6; 32]), wrong(0, 5, 6));
    assert_eq!(bench.spill(2, [5; 32]), wrong(4, 6, 5));
}

#[test]
fn lanes_that_were_never_written_may_hold_anything() {
    let mut bench = Bench::new();
    bench.write(2, 0xF0, 5);
    let data = std::array::from_fn(|lane| if (4..8).contains(&lane) { 5 } else { 77 });
    assert_eq!(bench.spill(2, data), Ok(4));
    assert_eq!(bench.spill(2, [77; 32]), wrong(4, 5, 77));
}

#[test]
fn a_result_that_may_still_be_queued_may_be_missing_and_no_other() {
    let mut bench = Bench::with_a_five();
    bench.write(2, u32::MAX, 6);
    assert_eq!(bench.spill(2, [5; 32]), Ok(32), "the result may wait in front of the array");
    assert_eq!(bench.spill(2, [6; 32]), Ok(32));
    assert_eq!(bench.spill(2, [4; 32]), wrong(0, 6, 4));
    bench.others();
    assert_eq!(bench.spill(2, [5; 32]), wrong(0, 6, 5), "that many results do not wait");
}

#[test]
fn a_spill_that_waits_for_l2_holds_what_was_written_before() {
    let mut bench = Bench::with_a_five();
    bench.offer(write_back(2), 100);
    bench.write(2, u32::MAX, 6);
    bench.results();
    bench.offer(write_back(2), 100);
    assert_eq!(bench.spill(2, [5; 32]), Ok(32));
    bench.offer(MemLowerRequest::default(), HIDDEN_CYCLES + 1);
    assert_eq!(bench.spill(2, [5; 32]), wrong(0, 6, 5), "this one left the array later");
}

#[test]
fn a_warp_that_ends_leaves_its_registers_without_a_value() {
    let mut bench = Bench::with_a_five();
    bench.offer(write_back(2), 3);
    bench.exit();
    bench.write(2, u32::MAX, 6);
    assert_eq!(bench.spill(2, [5; 32]), Ok(0), "a spill of the old warp waited for L2");
    bench.others();
    assert_eq!(bench.spill(2, [5; 32]), wrong(0, 6, 5));
    bench.exit();
    bench.offer(MemLowerRequest::default(), HIDDEN_CYCLES + 1);
    bench.write(2, 1, 7);
    assert_eq!(bench.spill(2, [5; 32]), wrong(0, 7, 5), "nothing of the old warp can be on its way");
}

#[test]
fn a_register_with_too_many_open_writes_is_judged_by_those_that_are_left() {
    let mut bench = Bench::with_a_five();
    for value in 0..=OPEN_WRITES as u32 {
        bench.offer(write_back(9), 1);
        bench.write(2, 1, 100 + value);
    }
    let mut data = [5; 32];
    data[0] = 8;
    assert_eq!(bench.spill(2, data), Ok(31), "lane 0 is not judged");
    data[1] = 8;
    assert_eq!(bench.spill(2, data), wrong(1, 5, 8));
}

#[test]
fn only_write_backs_of_registers_that_l2_takes_are_judged() {
    let mut bench = Bench::with_a_five();
    let request = write_back(2);
    for request in [
        MemLowerRequest { kind: LowerKind::Fill as u8, ..request },
        MemLowerRequest { line: 0x1000_0000, ..request },
        MemLowerRequest { valid: false, ..request },
    ] {
        let offer = LowerOffer { request, taken: true, data: [9; 32] };
        assert_eq!(bench.check.lower(bench.cycle, &offer), Ok(None));
    }
    let nobody = write_back(3);
    assert_eq!(bench.spill(3, [0; 32]), Err(SpillError::NoRegister(nobody.line)));
}
