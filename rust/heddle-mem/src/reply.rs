//! What goes back to the SMs.

use std::collections::VecDeque;

use heddle_port::{LINE_BYTES, MemLowerResponse};

use crate::network::Network;
use crate::sectors::Sectors;

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// Who asked.
    pub sm: u16,
    /// What the SM is told.
    pub response: MemLowerResponse,
    /// Sectors that it carries.
    pub sectors: u32,
}

impl Reply {
    /// To the request `id` of an SM, with sectors of line number `line`.
    pub fn new(sm: u16, id: u16, line: u32, sectors: Sectors) -> Self {
        let line = line.wrapping_mul(LINE_BYTES as u32);
        Self { sm, response: MemLowerResponse { valid: true, id, line }, sectors: sectors.count() }
    }
}

/// The port of one slice, or of a way past L2, in the network of replies: a packet takes it for as many cycles as it has
/// flits, together with the port of its SM.
#[derive(Debug, Clone, Default)]
pub struct ReplyPort {
    free: u64,
}

impl ReplyPort {
    /// Sends the first of `replies` if both ports are free; true if it went.
    pub fn send(&mut self, replies: &mut VecDeque<Reply>, networks: &mut [Network], cycle: u64) -> bool {
        let Some(&Reply { sm, response, sectors }) = replies.front() else { return false };
        let network = &mut networks[usize::from(sm)];
        if self.free > cycle || !network.can_reply(cycle) {
            return false;
        }
        replies.pop_front();
        self.free = cycle + network.reply(response, sectors, cycle);
        true
    }
}
