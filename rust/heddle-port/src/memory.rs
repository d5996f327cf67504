//! The memory port: requests, responses, performed events and the lower side towards L2.
//!
//! Same timing rules as the register port.

use crate::bits::port_struct;
use crate::{CTA_SLOT_BITS, LINE_BYTES, NUM_LANES, TAG_BITS};

port_struct! {
    /// One coalesced access: lanes of one line (global, local) or of one warp's shared access.
    pub struct MemRequest: "mem_request_t" {
        /// A request is offered.
        valid: bool => 1,
        /// Tag of the instruction.
        tag: u16 => TAG_BITS,
        /// 0 global, 1 local, 2 shared.
        space: u8 => 2,
        /// 0 read, 1 write, 2 atomic, 3 fence.
        kind: u8 => 2,
        /// Atomic operation, meaningful with kind 2.
        atomic: u8 => 4,
        /// 0 ca, 1 cg, 2 cs, 3 lu, 4 cv, 5 nc, 6 volatile.
        cache_operator: u8 => 3,
        /// CTA slot of the SM.
        cta_slot: u8 => CTA_SLOT_BITS,
        /// log2 of the bytes a lane accesses.
        size_log2: u8 => 3,
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
        /// 0 hit, 1 miss, 2 merged, 3 bypassed.
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
        /// 0 fill, 1 write-back, 2 bypass read, 3 bypass write.
        kind: u8 => 2,
        /// Matches the response to the request.
        id: u8 => 8,
        /// Byte address of the line.
        line: u32 => 32,
        /// Bytes written.
        byte_mask: [u32; LINE_BYTES / 32] => 32,
    }
}

port_struct! {
    /// A fill or read answer from L2.
    pub struct MemLowerResponse: "mem_lower_response_t" {
        /// A response is present.
        valid: bool => 1,
        /// The request's id.
        id: u8 => 8,
        /// Byte address of the line.
        line: u32 => 32,
    }
}

/// What the SM and L2 drive in one cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemIn {
    /// Request from the coalescer.
    pub request: MemRequest,
    /// L2 takes a lower request in this cycle.
    pub lower_ready: bool,
    /// Answer from L2; always accepted.
    pub lower_response: MemLowerResponse,
}

/// What the memory side drives in one cycle.
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

/// L1 data cache and shared memory behind the memory port, one clock cycle at a time.
pub trait MemoryPort {
    /// Puts everything into the reset state and returns the outputs of the first cycle.
    fn reset(&mut self) -> MemOut;
    /// One clock edge.
    ///
    /// # Errors
    /// A contract violation that the implementer noticed.
    fn step(&mut self, input: &MemIn, out: &mut MemOut) -> Result<(), crate::DesignError>;
}
