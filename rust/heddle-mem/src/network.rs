//! The networks between an SM and L2, as the SM has them: one for requests, one for replies.
//!
//! A packet takes the port of its network for as many cycles as it has flits, and then the network's least delay. The SM
//! sends while it has credits. A credit goes with the request and comes back with the delay of the replies after the
//! request has left its queue at L2, so that nothing crosses between the two sides in less than the least delay. The SM takes
//! replies in any cycle: they need no credits.

use std::collections::VecDeque;

use heddle_config::Preset;
use heddle_port::{LowerKind, MemLowerRequest, MemLowerResponse};

use crate::sectors::SECTOR_BYTES;

/// Bytes of a packet beside its data: address, kind and id.
const HEADER_BYTES: u64 = 8;

/// One direction.
#[derive(Debug, Clone)]
struct Link {
    delay: u64,
    flit_bytes: u64,
    free: u64,
}

impl Link {
    /// Flits of a packet with the data of some sectors.
    fn flits(&self, sectors: u32) -> u64 {
        (HEADER_BYTES + u64::from(sectors * SECTOR_BYTES)).div_ceil(self.flit_bytes)
    }

    /// Sends a packet; returns the cycle in which it is there as a whole.
    fn send(&mut self, cycle: u64, flits: u64) -> u64 {
        self.free = cycle + flits;
        cycle + flits - 1 + self.delay
    }
}

/// Both networks as one SM has them.
#[derive(Debug, Clone)]
pub struct Network {
    requests: Link,
    replies: Link,
    all_credits: usize,
    /// Credits of requests that are on their way or wait at L2.
    away: usize,
    /// When credits come back, in order, and whether they are of stores.
    back: VecDeque<(u64, bool)>,
    /// Credits of stores that have come back.
    stored: u64,
    /// Replies on their way and when they are there, in order.
    arriving: VecDeque<(u64, MemLowerResponse)>,
}

impl Network {
    /// The networks of `preset`.
    pub fn new(preset: &Preset) -> Self {
        let net = &preset.interconnect;
        let link = |delay: u32| Link {
            delay: u64::from(delay.max(1)),
            flit_bytes: u64::from(net.flit_bytes.max(1)),
            free: 0,
        };
        let credits = net.credits.max(1) as usize;
        Self {
            requests: link(net.request_delay),
            replies: link(net.reply_delay),
            all_credits: credits,
            away: 0,
            back: VecDeque::with_capacity(credits),
            stored: 0,
            arriving: VecDeque::with_capacity(credits),
        }
    }

    /// Whether the SM can send a request in this cycle.
    pub fn can_send(&self, cycle: u64) -> bool {
        self.away < self.all_credits && self.requests.free <= cycle
    }

    /// Sends a request; returns the cycle in which it is at L2 and its flits. A write carries the sectors in which its
    /// bytes lie.
    pub fn send(&mut self, request: &MemLowerRequest, cycle: u64) -> (u64, u64) {
        self.away += 1;
        let data = [LowerKind::WriteBack, LowerKind::BypassWrite, LowerKind::Atomic];
        let carries = data.iter().any(|kind| *kind as u8 == request.kind);
        let sectors = request.byte_mask.iter().filter(|bytes| **bytes != 0).count() as u32;
        let flits = self.requests.flits(if carries { sectors } else { 0 });
        (self.requests.send(cycle, flits), flits)
    }

    /// A request, a store or not, left its queue at L2.
    pub fn give_credit(&mut self, cycle: u64, store: bool) {
        self.back.push_back((cycle + self.replies.delay, store));
    }

    /// Stores that the SM knows to be at L2.
    pub fn stored(&self) -> u64 {
        self.stored
    }

    /// Whether the port of the replies is free.
    pub fn can_reply(&self, cycle: u64) -> bool {
        self.replies.free <= cycle
    }

    /// Sends a reply with the data of some sectors; returns its flits.
    pub fn reply(&mut self, response: MemLowerResponse, sectors: u32, cycle: u64) -> u64 {
        let flits = self.replies.flits(sectors);
        self.arriving.push_back((self.replies.send(cycle, flits), response));
        flits
    }

    /// What arrives at the SM in this cycle: credits, and a reply if there is one.
    pub fn arrive(&mut self, cycle: u64) -> Option<MemLowerResponse> {
        while let Some(&(at, store)) = self.back.front()
            && at <= cycle
        {
            self.back.pop_front();
            self.away -= 1;
            self.stored += u64::from(store);
        }
        if self.arriving.front()?.0 > cycle {
            return None;
        }
        self.arriving.pop_front().map(|(_, response)| response)
    }

    /// The next cycle after this one in which something arrives at the SM; none where nothing is on its way there.
    pub fn next(&self, cycle: u64) -> Option<u64> {
        let credit = self.back.front().map(|(at, _)| *at);
        let reply = self.arriving.front().map(|(at, _)| *at);
        credit.into_iter().chain(reply).min().map(|at| at.max(cycle + 1))
    }

    /// Nothing is on its way, and all requests have been taken by L2.
    pub fn is_idle(&self) -> bool {
        self.away == 0 && self.arriving.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::{LowerKind, MemLowerRequest, MemLowerResponse};

    use super::Network;
    use crate::testing::preset;

    fn network(credits: u32) -> Network {
        let mut preset = preset();
        let net = &mut preset.interconnect;
        (net.request_delay, net.reply_delay, net.flit_bytes, net.credits) = (5, 7, 40, credits);
        Network::new(&preset)
    }

    fn request(kind: LowerKind, byte_mask: [u32; 4]) -> MemLowerRequest {
        MemLowerRequest { valid: true, kind: kind as u8, id: 1, line: 0, byte_mask }
    }

    #[test]
    fn a_packet_takes_a_flit_a_cycle_and_then_the_delay() {
        let mut net = network(4);
        assert_eq!(net.send(&request(LowerKind::Fill, [1; 4]), 10), (15, 1), "a read carries no data");
        assert!(!net.can_send(10) && net.can_send(11));
        // 8 + 3 x 32 bytes are three flits.
        assert_eq!(net.send(&request(LowerKind::BypassWrite, [1, 0, 1, 1]), 11), (13 + 5, 3));
        assert!(!net.can_send(13) && net.can_send(14));
        let response = MemLowerResponse { valid: true, id: 3, line: 128 };
        net.reply(response, 4, 20);
        assert!(!net.can_reply(23) && net.can_reply(24), "8 + 128 bytes are four flits");
        assert_eq!((net.arrive(29), net.arrive(30)), (None, Some(response)));
    }

    #[test]
    fn credits_come_back_with_the_delay_of_replies() {
        let mut net = network(2);
        let read = request(LowerKind::Fill, [1; 4]);
        net.send(&read, 0);
        net.send(&read, 1);
        assert!(!net.can_send(2));
        net.give_credit(10, false);
        net.arrive(16);
        assert!(!net.can_send(16));
        net.arrive(17);
        assert!(net.can_send(17) && !net.is_idle());
        net.give_credit(20, true);
        net.arrive(26);
        assert_eq!(net.stored(), 0);
        net.arrive(27);
        assert!(net.is_idle());
        assert_eq!(net.stored(), 1);
    }
}
