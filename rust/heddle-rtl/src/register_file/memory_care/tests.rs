use heddle_port::{PortStruct, PortWidths};

use super::super::RtlShape;
use super::*;
use crate::slots::put_slot;

/// A design with one slot of each kind, all ready, before whose memory port `care` stands.
struct Bench {
    layout: Layout,
    memory: MemoryLayout,
    care: MemoryCare,
    input: Vec<u32>,
    output: Vec<u32>,
}

impl Bench {
    fn new() -> Self {
        let shape = RtlShape { memory: true, event_words: 1 };
        let layout = Layout::new(PortWidths { issue: 1, result: 1 }, shape);
        let memory = layout.memory.expect("it has a memory port");
        let mut output = vec![0; layout.shape().output];
        output[layout.result_ready] = 1;
        output[layout.command_ready] = 1;
        output[memory.request_ready] = 1;
        let input = vec![0; layout.shape().input];
        Self { care: MemoryCare::new(memory, 1), layout, memory, input, output }
    }

    /// One clock edge; the inputs are idle from then on. Care bits of all outputs, of the response's data and of those
    /// towards L2.
    fn edge(&mut self) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        self.care.taken(&self.layout, &self.input, &self.output.clone());
        self.input.fill(0);
        let (mut care, mut data) = (vec![0; self.output.len()], vec![0; self.layout.shape().bulk_output]);
        self.care.care(&self.layout, &self.output, &mut care, &mut data);
        let line = data.split_off(data.len() - LINE_WORDS);
        let lanes = data.split_off(data.len() - LANE_WORDS);
        assert!(data.iter().all(|&word| word == 0), "operands are not of the memory port");
        (care, lanes, line)
    }

    fn request(&mut self, kind: MemKind, size_log2: u8) {
        let request =
            MemRequest { valid: true, tag: 5, kind: kind as u8, size_log2, part: 2, ..MemRequest::default() };
        put_slot(&request, true, &mut self.input[self.memory.request..], 0);
    }

    fn lanes_of_answer(&mut self) -> Vec<u32> {
        let response = MemResponse { valid: true, tag: 5, mask: 0b101, part: 2, ..MemResponse::default() };
        put_slot(&response, true, &mut self.output[self.memory.response..], 0);
        let (care, lanes, _) = self.edge();
        assert_eq!(bits(&care, self.memory.response, MemResponse::BITS), MemResponse::BITS);
        put_slot(&MemResponse::default(), false, &mut self.output[self.memory.response..], 0);
        lanes
    }

    fn result(&mut self, register: u8, mask: u32) {
        let result = ResultWrite { valid: true, warp: 3, register, mask, ..ResultWrite::default() };
        put_slot(&result, true, &mut self.input[self.layout.result..], 0);
        self.edge();
    }

    fn spilled(&mut self, kind: LowerKind, line: u32) -> Vec<u32> {
        let byte_mask = [u32::MAX, u32::MAX, u32::MAX, 0x7FFF_FFFF];
        let request =
            MemLowerRequest { valid: true, kind: kind as u8, line, byte_mask, ..Default::default() };
        put_slot(&request, true, &mut self.output[self.memory.lower_request..], 0);
        let line = self.edge().2;
        put_slot(&MemLowerRequest::default(), false, &mut self.output[self.memory.lower_request..], 0);
        line
    }
}

fn bits(care: &[u32], word: usize, bits: usize) -> usize {
    (32 * word..32 * word + bits).filter(|&bit| get_bit(care, bit)).count()
}

#[test]
fn of_a_load_the_bytes_of_its_lanes_mean_something_and_of_a_store_none() {
    for (size_log2, words) in [
        (0, [0xFF, 0, 0, 0]),
        (1, [0xFFFF, 0, 0, 0]),
        (2, [u32::MAX, 0, 0, 0]),
        (3, [u32::MAX, u32::MAX, 0, 0]),
        (4, [u32::MAX; 4]),
    ] {
        let mut bench = Bench::new();
        bench.request(MemKind::Read, size_log2);
        bench.edge();
        let wanted = [&words[..], &[0; 4], &words, &[0; 4 * (NUM_LANES - 3)]].concat();
        assert_eq!(bench.lanes_of_answer(), wanted, "{size_log2}");
    }
    let mut bench = Bench::new();
    bench.request(MemKind::Write, 2);
    bench.edge();
    assert_eq!(bench.lanes_of_answer(), [0; LANE_WORDS]);
    // A request that is not accepted changes nothing.
    bench.output[bench.memory.request_ready] = 0;
    bench.request(MemKind::Read, 2);
    bench.edge();
    assert_eq!(bench.lanes_of_answer(), [0; LANE_WORDS]);
}

#[test]
fn what_l2_is_given_means_something_in_the_bytes_that_are_written() {
    let mut wanted = [u32::MAX; LINE_WORDS];
    wanted[LINE_WORDS - 1] = 0x00FF_FFFF;
    let mut bench = Bench::new();
    assert_eq!(bench.spilled(LowerKind::WriteBack, 0x1000), wanted);
    assert_eq!(bench.spilled(LowerKind::BypassWrite, 0x1000), wanted);
    assert_eq!(bench.spilled(LowerKind::Fill, 0x1000), [0; LINE_WORDS]);
}

#[test]
fn a_spilled_register_means_something_in_lanes_that_were_written_long_enough_before() {
    let mut bench = Bench::new();
    let base =
        Command { valid: true, op: CommandOp::WarpBase as u8, warp: 3, value: 8, ..Command::default() };
    put_slot(&base, true, &mut bench.input[bench.layout.command..], 0);
    bench.edge();
    bench.result(2, 0b1001);
    let line = REGISTER_LINES + 10 * LINE_BYTES as u32;
    assert_eq!(bench.spilled(LowerKind::WriteBack, line), [0; LINE_WORDS], "it may wait before the array");
    for _ in 0..QUEUED_RESULTS as usize + HIDDEN_EDGES {
        bench.result(7, 1);
    }
    let mut wanted = [0; LINE_WORDS];
    (wanted[0], wanted[3]) = (u32::MAX, u32::MAX);
    assert_eq!(bench.spilled(LowerKind::WriteBack, line), wanted);
    assert_eq!(bench.spilled(LowerKind::WriteBack, line + LINE_BYTES as u32), [0; LINE_WORDS]);
    // The warp ends: what its registers hold means nothing.
    let done = Done { valid: true, op: CommandOp::Exit as u8, warp: 3, ..Done::default() };
    put_slot(&done, true, &mut bench.output[bench.layout.done..], 0);
    assert_eq!(bench.spilled(LowerKind::WriteBack, line), [0; LINE_WORDS]);
}
