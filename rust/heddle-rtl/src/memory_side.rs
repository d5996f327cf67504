//! The memory port of a verilated design that has both ports.

use heddle_port::{
    LINE_WORDS, LaneData, MAX_PORT_WIDTH, MemData, MemIn, MemLowerRequest, MemLowerResponse, MemOut,
    MemPerformed, MemRequest, MemResponse, MemorySide, NUM_LANES, NUM_SOURCES, PortStruct,
};
use verilated_runtime::Shape;

use crate::slots::{get_slot, put_slot, words};

/// Words of all result slots, before which nothing of the memory port stands.
const RESULT_WORDS: usize = MAX_PORT_WIDTH * NUM_LANES;
/// Words of the lanes of a request or response.
pub(crate) const LANE_WORDS: usize = 4 * NUM_LANES;

/// Where each output and input begins in the word buffers, as the shim has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MemoryLayout {
    pub(crate) request: usize,
    pub(crate) flush: usize,
    pub(crate) lower_ready: usize,
    pub(crate) lower_response: usize,
    input: usize,
    pub(crate) request_ready: usize,
    pub(crate) response: usize,
    pub(crate) performed: usize,
    pub(crate) idle: usize,
    pub(crate) lower_request: usize,
    output: usize,
}

impl MemoryLayout {
    /// Behind the `input` and `output` words of the register port.
    pub const fn new(input: usize, output: usize) -> Self {
        let flush = input + words(MemRequest::BITS);
        let lower_ready = flush + 1;
        let lower_response = lower_ready + 1;
        let response = output + 1;
        let performed = response + words(MemResponse::BITS);
        let idle = performed + words(MemPerformed::BITS);
        let lower_request = idle + 1;
        Self {
            request: input,
            flush,
            lower_ready,
            lower_response,
            input: lower_response + words(MemLowerResponse::BITS),
            request_ready: output,
            response,
            performed,
            idle,
            lower_request,
            output: lower_request + words(MemLowerRequest::BITS),
        }
    }

    /// First word and bits of each output that has a valid.
    pub fn payloads(&self) -> [(usize, usize); 3] {
        [
            (self.response, MemResponse::BITS),
            (self.performed, MemPerformed::BITS),
            (self.lower_request, MemLowerRequest::BITS),
        ]
    }

    /// The shape of both ports, from that of the register port.
    pub const fn extend(&self, register: Shape) -> Shape {
        Shape {
            input: self.input,
            bulk_input: register.bulk_input + LANE_WORDS + LINE_WORDS,
            output: self.output,
            bulk_output: register.bulk_output + LANE_WORDS + LINE_WORDS,
        }
    }
}

/// The port's inputs and outputs of the current cycle.
#[derive(Debug)]
pub(crate) struct RtlMemory {
    layout: MemoryLayout,
    input: MemIn,
    bulk_input: Vec<u32>,
    bulk_output: Vec<u32>,
    out: MemOut,
    data: MemData,
}

impl RtlMemory {
    /// Idle inputs.
    pub fn new(layout: MemoryLayout, shape: Shape) -> Self {
        Self {
            layout,
            input: MemIn::default(),
            bulk_input: vec![0; shape.bulk_input],
            bulk_output: vec![0; shape.bulk_output],
            out: MemOut::default(),
            data: MemData::default(),
        }
    }

    /// The data of a result of this cycle.
    #[inline]
    pub fn put_result(&mut self, slot: usize, data: &LaneData) {
        self.bulk_input[slot * NUM_LANES..(slot + 1) * NUM_LANES].copy_from_slice(data);
    }

    /// The operands of each slot; those without valid are of an earlier cycle.
    #[inline]
    pub fn operands(&self) -> impl Iterator<Item = &[u32]> {
        self.bulk_output.chunks_exact(NUM_SOURCES * NUM_LANES).take(MAX_PORT_WIDTH)
    }

    /// The bulk data of a cycle in and out.
    #[inline]
    pub fn bulk(&mut self) -> (&[u32], &mut [u32]) {
        (&self.bulk_input, &mut self.bulk_output)
    }

    /// Writes the inputs, which are idle from then on.
    #[inline]
    pub fn pack(&mut self, words: &mut [u32]) {
        let layout = &self.layout;
        let input = &mut self.input;
        put_slot(&input.request, input.request.valid, &mut words[layout.request..], 0);
        words[layout.flush] = u32::from(input.flush);
        words[layout.lower_ready] = u32::from(input.lower_ready);
        put_slot(&input.lower_response, input.lower_response.valid, &mut words[layout.lower_response..], 0);
        input.request.valid = false;
        input.flush = false;
        input.lower_ready = false;
        input.lower_response.valid = false;
    }

    /// Reads the outputs; payloads without valid are zero.
    #[inline]
    pub fn unpack(&mut self, words: &[u32]) {
        let layout = &self.layout;
        self.out = MemOut {
            request_ready: words[layout.request_ready] & 1 != 0,
            response: get_slot(&words[layout.response..], 0),
            performed: get_slot(&words[layout.performed..], 0),
            lower_request: get_slot(&words[layout.lower_request..], 0),
            idle: words[layout.idle] & 1 != 0,
        };
        let at = self.bulk_output.len() - LANE_WORDS - LINE_WORDS;
        let (lanes, line) = self.bulk_output[at..].split_at(LANE_WORDS);
        if self.out.response.valid {
            self.data.response.as_flattened_mut().copy_from_slice(lanes);
        }
        if self.out.lower_request.valid {
            self.data.lower_request.copy_from_slice(line);
        }
    }
}

impl MemorySide for RtlMemory {
    fn memory_out(&self) -> &MemOut {
        &self.out
    }

    fn drive_memory(&mut self, input: &MemIn) {
        self.input.request.valid = input.request.valid;
        if input.request.valid {
            self.input.request = input.request;
            let lanes = &mut self.bulk_input[RESULT_WORDS..RESULT_WORDS + LANE_WORDS];
            lanes.copy_from_slice(input.request_data.as_flattened());
        }
        self.input.flush = input.flush;
        self.input.lower_ready = input.lower_ready;
        self.input.lower_response = input.lower_response;
        if input.lower_response.valid {
            self.bulk_input[RESULT_WORDS + LANE_WORDS..].copy_from_slice(&input.lower_response_data);
        }
    }

    fn memory_data(&self) -> Option<&MemData> {
        Some(&self.data)
    }
}
