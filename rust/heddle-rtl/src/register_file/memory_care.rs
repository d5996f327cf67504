//! Which data at the memory port of a recorded design mean something.

use std::collections::VecDeque;

use heddle_port::{
    Command, CommandOp, Done, LINE_BYTES, LINE_WORDS, LowerKind, MAX_PORT_WIDTH, MemKind, MemLowerRequest,
    MemRequest, MemResponse, NUM_LANES, NUM_WARPS, REGISTER_LINES, ResultWrite, TAG_BITS,
};

use super::Layout;
use crate::memory_side::{LANE_WORDS, MemoryLayout};
use crate::slots::{get_slot, set};

/// Words that a lane of a request or response has.
const WORDS_OF_LANE: usize = LANE_WORDS / NUM_LANES;
/// Parts of a request that have numbers of their own.
const PARTS: usize = 1 << 3;
/// Most results that a design has accepted and not yet written into its array.
const QUEUED_RESULTS: u64 = 32;
/// Most clock edges for which a design offers L2 no request although it has one.
const HIDDEN_EDGES: usize = 8;

/// A result that a spill of its register need not hold yet.
#[derive(Debug)]
struct Open {
    /// Results of the launch up to it.
    number: u64,
    line: usize,
    lanes: u32,
}

/// What was asked of the design and given to it, as far as its data at the memory port follow from that.
#[derive(Debug)]
pub(super) struct MemoryCare {
    layout: MemoryLayout,
    result_slots: usize,
    /// log2 of the bytes that a lane loads, by tag and part; none for what is no load.
    loads: Vec<Option<u8>>,
    bases: [u16; NUM_WARPS],
    /// Of each warp register the warp that it was written for, and the lanes that were and that every spill has.
    registers: Vec<(u8, u32)>,
    open: VecDeque<Open>,
    /// Results accepted, all of them and up to each of the last edges, the oldest first.
    results: u64,
    recent: VecDeque<u64>,
    /// Results accepted before the oldest request was made that L2 has not taken.
    drained: u64,
}

impl MemoryCare {
    pub(super) fn new(layout: MemoryLayout, result_slots: usize) -> Self {
        Self {
            layout,
            result_slots,
            loads: vec![None; PARTS << TAG_BITS],
            bases: [0; NUM_WARPS],
            registers: vec![(0, 0); (u32::MAX - REGISTER_LINES) as usize / LINE_BYTES + 1],
            open: VecDeque::new(),
            results: 0,
            recent: VecDeque::with_capacity(HIDDEN_EDGES + 1),
            drained: 0,
        }
    }

    /// The design is in reset: no register has a value.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.layout, self.result_slots);
    }

    /// The design has taken the inputs at a clock edge before which its outputs were `before`.
    pub(super) fn taken(&mut self, layout: &Layout, input: &[u32], before: &[u32]) {
        let request: MemRequest = get_slot(&input[self.layout.request..], 0);
        if request.valid && before[self.layout.request_ready] & 1 != 0 {
            let load = request.kind == MemKind::Read as u8;
            self.loads[place(request.tag, request.part)] = load.then_some(request.size_log2);
        }
        let command: Command = get_slot(&input[layout.command..], 0);
        if command.valid && before[layout.command_ready] & 1 != 0 && command.op == CommandOp::WarpBase as u8 {
            self.bases[usize::from(command.warp)] = command.value;
        }
        for slot in (0..self.result_slots).filter(|slot| before[layout.result_ready] >> slot & 1 != 0) {
            let result: ResultWrite = get_slot(&input[layout.result..], slot);
            if result.valid {
                self.results += 1;
                let line = usize::from(self.bases[usize::from(result.warp)]) + usize::from(result.register);
                if let Some((owner, _)) = self.registers.get_mut(line) {
                    *owner = result.warp;
                    self.open.push_back(Open { number: self.results, line, lanes: result.mask });
                }
            }
        }
    }

    /// Sets the care bits of the outputs after the edge and of the data beside them.
    pub(super) fn care(&mut self, layout: &Layout, output: &[u32], care: &mut [u32], data: &mut [u32]) {
        let done: Done = get_slot(&output[layout.done..], 0);
        if done.valid && done.op == CommandOp::Exit as u8 {
            let registers = &mut self.registers;
            self.open.retain(|open| registers[open.line].0 != done.warp);
            registers.iter_mut().filter(|(owner, _)| *owner == done.warp).for_each(|(_, lanes)| *lanes = 0);
        }
        for (word, bits) in self.layout.payloads() {
            if get_bit(output, 32 * word + bits - 1) {
                set(care, 32 * word, bits, true);
            }
        }
        let at = data.len() - LANE_WORDS - LINE_WORDS;
        let (lanes, line) = data[at..].split_at_mut(LANE_WORDS);
        let response: MemResponse = get_slot(&output[self.layout.response..], 0);
        if response.valid {
            self.want_lanes(&response, lanes);
        }
        let request: MemLowerRequest = get_slot(&output[self.layout.lower_request..], 0);
        self.drain(request.valid);
        if request.valid {
            self.want_line(&request, line);
        }
    }

    /// The words of a load's lanes that it has loaded.
    fn want_lanes(&self, response: &MemResponse, care: &mut [u32]) {
        let Some(size) = self.loads[place(response.tag, response.part)] else { return };
        let bits = 8_usize << size;
        for (_, words) in care
            .chunks_exact_mut(WORDS_OF_LANE)
            .enumerate()
            .filter(|(lane, _)| response.mask >> lane & 1 != 0)
        {
            set(words, 0, bits.min(32 * WORDS_OF_LANE), true);
        }
    }

    /// The bytes that a request writes; of a register those of lanes that have a value.
    fn want_line(&self, request: &MemLowerRequest, care: &mut [u32]) {
        let writes = [LowerKind::WriteBack, LowerKind::BypassWrite].map(|kind| kind as u8);
        if !writes.contains(&request.kind) {
            return;
        }
        let register = request.line.checked_sub(REGISTER_LINES).map(|bytes| bytes as usize / LINE_BYTES);
        let lanes = register.map_or(u32::MAX, |register| self.registers[register].1);
        for (word, care) in care.iter_mut().enumerate().filter(|(word, _)| lanes >> word & 1 != 0) {
            *care = request.word_mask(word);
        }
    }

    /// The results that were accepted long enough before the oldest request on its way to L2 are in the array.
    fn drain(&mut self, offered: bool) {
        self.recent.push_back(self.results);
        if self.recent.len() > HIDDEN_EDGES {
            let results = self.recent.pop_front().unwrap_or(0);
            if !offered {
                self.drained = results;
            }
        }
        while self.open.front().is_some_and(|open| open.number + QUEUED_RESULTS <= self.drained) {
            if let Some(open) = self.open.pop_front() {
                self.registers[open.line].1 |= open.lanes;
            }
        }
    }
}

fn place(tag: u16, part: u8) -> usize {
    usize::from(tag) * PARTS + usize::from(part)
}

fn get_bit(words: &[u32], bit: usize) -> bool {
    heddle_port::bits::get_bits(words, bit, 1) != 0
}

const _: () =
    assert!(MAX_PORT_WIDTH <= 32 && LINE_WORDS == NUM_LANES, "a lane of a register is a word of its line");

#[cfg(test)]
mod tests;
