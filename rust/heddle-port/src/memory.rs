//! The memory port: requests, responses, performed events and the lower side towards L2.
//!
//! Same timing rules as the register port. Data travel beside the structs, as operand data do: of a lane up
//! to 16 bytes from its address on, little-endian from bit 0 of its first word, and lines as 32 words.
//! An implementer of [`MemoryPort`] needs no data; a design that holds them has a [`MemorySide`].

use crate::bits::port_struct;
use crate::lines::LineEvents;
use crate::{CTA_SLOT_BITS, LINE_BYTES, LOWER_ID_BITS, NUM_LANES, TAG_BITS};

port_struct! {
    /// One coalesced access: lanes of one line (global, local) or of one warp's shared access.
    pub struct MemRequest: "mem_request_t" {
        /// A request is offered.
        valid: bool => 1,
        /// Tag of the instruction.
        tag: u16 => TAG_BITS,
        /// A [`MemSpace`] by number.
        space: u8 => 2,
        /// A [`MemKind`] by number.
        kind: u8 => 2,
        /// Atomic operation, meaningful with [`MemKind::Atomic`].
        atomic: u8 => 4,
        /// 0 ca, 1 cg, 2 cs, 3 lu, 4 cv, 5 nc, 6 volatile.
        cache_operator: u8 => 3,
        /// CTA slot of the SM.
        cta_slot: u8 => CTA_SLOT_BITS,
        /// log2 of the bytes a lane accesses.
        size_log2: u8 => 3,
        /// Which word of the lanes' local access, or which texel; comes back in the response.
        part: u8 => 3,
        /// Lanes that take part.
        mask: u32 => 32,
        /// Byte address of each lane.
        address: [u32; NUM_LANES] => 32,
    }
}

port_struct! {
    /// Data or acknowledgement for lanes of a request.
    pub struct MemResponse: "mem_response_t" {
        /// A response is present.
        valid: bool => 1,
        /// Tag of the instruction.
        tag: u16 => TAG_BITS,
        /// Lanes that it answers.
        mask: u32 => 32,
        /// The request's part.
        part: u8 => 3,
        /// A [`MemOutcome`] by number.
        outcome: u8 => 2,
        /// Acknowledges a store.
        store: bool => 1,
    }
}

port_struct! {
    /// The lanes' access takes its place in the memory order in this cycle.
    pub struct MemPerformed: "mem_performed_t" {
        /// An event is present.
        valid: bool => 1,
        /// Tag of the instruction.
        tag: u16 => TAG_BITS,
        /// Lanes performed.
        mask: u32 => 32,
    }
}

port_struct! {
    /// A request to L2.
    pub struct MemLowerRequest: "mem_lower_request_t" {
        /// A request is offered.
        valid: bool => 1,
        /// A [`LowerKind`] by number.
        kind: u8 => 3,
        /// Matches the response to the request.
        id: u16 => LOWER_ID_BITS,
        /// Byte address of the line.
        line: u32 => 32,
        /// Bytes written, or asked for.
        byte_mask: [u32; LINE_BYTES / 32] => 32,
    }
}

impl MemLowerRequest {
    /// The bits of word `word` of the line whose bytes the request names.
    #[must_use]
    pub fn word_mask(&self, word: usize) -> u32 {
        let bytes = self.byte_mask[word / 8] >> (4 * (word % 8));
        (0..4).filter(|byte| bytes >> byte & 1 != 0).fold(0, |mask, byte| mask | 0xFF << (8 * byte))
    }

    /// The answer to a request that reads `line`: bytes that were not asked for are inverted, so that whoever takes
    /// them has a wrong value.
    #[must_use]
    pub fn answer(&self, line: &LineData) -> LineData {
        std::array::from_fn(|word| line[word] ^ !self.word_mask(word))
    }
}

port_struct! {
    /// A fill or read answer from L2.
    pub struct MemLowerResponse: "mem_lower_response_t" {
        /// A response is present.
        valid: bool => 1,
        /// The request's id.
        id: u16 => LOWER_ID_BITS,
        /// Byte address of the line.
        line: u32 => 32,
    }
}

/// The memory space of a [`MemRequest`]. The numbers are `mem_space_e` of the SystemVerilog package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MemSpace {
    /// Global memory.
    Global = 0,
    /// Local memory of a thread.
    Local = 1,
    /// Shared memory of a CTA.
    Shared = 2,
}

/// What a [`MemRequest`] does. The numbers are `mem_kind_e` of the SystemVerilog package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MemKind {
    /// Load.
    Read = 0,
    /// Store.
    Write = 1,
    /// Atomic read-modify-write.
    Atomic = 2,
    /// Fence.
    Fence = 3,
}

/// What a [`MemResponse`] says about its request. The numbers are `mem_outcome_e` of the SystemVerilog package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MemOutcome {
    /// Found in the L1, or shared memory.
    Hit = 0,
    /// Fetched.
    Miss = 1,
    /// Waited for a line that was already on its way.
    Merged = 2,
    /// Went past the L1.
    Bypassed = 3,
}

/// What a [`MemLowerRequest`] asks for. The numbers are `lower_kind_e` of the SystemVerilog package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LowerKind {
    /// A line for the L1; answered.
    Fill = 0,
    /// A dirty line on its way out.
    WriteBack = 1,
    /// A read that leaves no line in the L1; answered.
    BypassRead = 2,
    /// A write that leaves no line in the L1.
    BypassWrite = 3,
    /// An atomic operation, carried out at L2; answered.
    Atomic = 4,
}

impl LowerKind {
    /// All kinds, by number.
    pub const ALL: [Self; 5] =
        [Self::Fill, Self::WriteBack, Self::BypassRead, Self::BypassWrite, Self::Atomic];

    /// The kind with the given number, if there is one.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// Where a design that spills registers keeps them: byte address of the line of warp register 0, above global and
/// local memory. Warp register i, which is warp base plus register, is the i-th line from there.
pub const REGISTER_LINES: u32 = 0xFFFE_0000;
/// Words of a line.
pub const LINE_WORDS: usize = LINE_BYTES / 4;
/// Data of the lanes of a request or response: up to four words a lane, zero above its size.
pub type LaneWords = [[u32; 4]; NUM_LANES];
/// Data of a line.
pub type LineData = [u32; LINE_WORDS];

/// What the SM and L2 drive in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemIn {
    /// Request from the coalescer.
    pub request: MemRequest,
    /// What the lanes of a store write; only for a design that holds data.
    pub request_data: LaneWords,
    /// At the end of a kernel: every dirty line is written back, and no line stays. For one cycle, while idle and
    /// with nothing offered; over when idle again.
    pub flush: bool,
    /// L2 takes a lower request in this cycle.
    pub lower_ready: bool,
    /// Answer from L2; always accepted.
    pub lower_response: MemLowerResponse,
    /// The line of the answer; only for a design that holds data.
    pub lower_response_data: LineData,
}

/// What the memory side drives in one cycle, without data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemOut {
    /// A request offered in this cycle is accepted.
    pub request_ready: bool,
    /// Response; the SM always accepts it.
    pub response: MemResponse,
    /// Performed event.
    pub performed: MemPerformed,
    /// Request to L2.
    pub lower_request: MemLowerRequest,
    /// Nothing is outstanding inside.
    pub idle: bool,
}

/// Which memory spaces a design with the memory port holds. What it does not hold stays beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeldSpaces {
    /// Global and local memory: the L1.
    pub cached: bool,
    /// Shared memory, which then lies off chip.
    pub shared: bool,
}

impl HeldSpaces {
    /// Whether the design has a memory port at all.
    #[must_use]
    pub fn any(self) -> bool {
        self.cached || self.shared
    }
}

/// L1 data cache and shared memory behind the memory port, one clock cycle at a time.
pub trait MemoryPort {
    /// Puts everything into the reset state and returns the outputs of the first cycle.
    fn reset(&mut self) -> MemOut;
    /// One clock edge: takes the inputs of a cycle, whose outputs `out` holds as the step before or the reset left them, and
    /// returns there the outputs of the next.
    ///
    /// # Errors
    /// A contract violation that the implementer noticed.
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), crate::DesignError>;
}

/// Data that the memory side of a design drives in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MemData {
    /// Of the response, in its lanes; meaningful for a load.
    pub response: LaneWords,
    /// Of the lower request, in the bytes of its mask; meaningful for a write.
    pub lower_request: LineData,
}

/// The memory port of a design that has both ports. Both see the same clock edge: the inputs are driven
/// here, and [`crate::RegisterFile::step`] is the edge.
pub trait MemorySide {
    /// Outputs of the current cycle.
    fn memory_out(&self) -> &MemOut;
    /// Drives the inputs of the current cycle; without it they are idle, and L2 takes nothing.
    fn drive_memory(&mut self, input: &MemIn);
    /// Data of the current cycle, of a design that holds them.
    fn memory_data(&self) -> Option<&MemData> {
        None
    }
    /// The number of the line that left for another one in the last clock edge; of the cycle model of a cache of
    /// shared memory.
    fn line_left(&self) -> Option<u32> {
        None
    }
    /// What the last clock edge did to lines of global memory; of the cycle model of a design that holds them.
    fn line_events(&self) -> Option<&LineEvents> {
        None
    }
    /// From now on [`MemorySide::set_live`] says which lines are to stay, until the next reset. False: the design
    /// cannot be told.
    fn know_lifetimes(&mut self) -> bool {
        false
    }
    /// Whether an address of a line lives: it will be read before it is written.
    fn set_live(&mut self, line: u32, live: bool) {
        let _ = (line, live);
    }
}
