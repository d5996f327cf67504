//! Where requests leave the network of requests, at a slice of L2 or at the way past it.
//!
//! A packet passes the gate in as many cycles as it has flits, the last of them not before it is there as a whole. Packets that
//! are there in the same cycle pass in the order of their SMs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heddle_port::MemLowerRequest;

/// A request on its way to a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incoming {
    /// The cycle in which it is there as a whole.
    pub arrives: u64,
    /// Who sent it.
    pub sm: u16,
    /// Flits of its packet.
    pub flits: u64,
    /// The request.
    pub request: MemLowerRequest,
    /// Of an atomic: operations that wait for one before them.
    pub serial: u32,
}

/// When a request is there, its SM, and how many the gate has had before: what decides the order.
type Key = Reverse<(u64, u16, u64)>;

/// A gate and what is on its way there.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    order: BinaryHeap<(Key, usize)>,
    places: Vec<Option<Incoming>>,
    empty: Vec<usize>,
    pushed: u64,
    /// The cycle in which the last packet had passed.
    passed: Option<u64>,
}

impl Gate {
    /// Nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// A request is on its way.
    pub fn push(&mut self, incoming: Incoming) {
        let place = self.empty.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() - 1
        });
        self.places[place] = Some(incoming);
        self.order.push((Reverse((incoming.arrives, incoming.sm, self.pushed)), place));
        self.pushed += 1;
    }

    /// The request that has passed in this cycle or before and was not taken.
    pub fn front(&self, cycle: u64) -> Option<&Incoming> {
        let (Reverse((arrives, ..)), place) = self.order.peek()?;
        if *arrives > cycle {
            return None;
        }
        let incoming = self.places[*place].as_ref()?;
        self.passed.is_none_or(|last| last + incoming.flits <= cycle).then_some(incoming)
    }

    /// The next cycle after this one in which a request may pass; none where nothing is on its way.
    pub fn next(&self, cycle: u64) -> Option<u64> {
        let (Reverse((arrives, ..)), _) = self.order.peek()?;
        Some((*arrives).max(cycle + 1))
    }

    /// Takes the request that [`Gate::front`] shows.
    pub fn take(&mut self, cycle: u64) -> Option<Incoming> {
        self.front(cycle)?;
        let (_, place) = self.order.pop()?;
        self.empty.push(place);
        self.passed = Some(cycle);
        self.places[place].take()
    }
}

#[cfg(test)]
mod tests {
    use super::{Gate, Incoming};
    use heddle_port::MemLowerRequest;

    fn incoming(arrives: u64, sm: u16, flits: u64) -> Incoming {
        Incoming { arrives, sm, flits, request: MemLowerRequest::default(), serial: 0 }
    }

    /// Cycle and SM of all that passes before cycle 100.
    fn passing(gate: &mut Gate) -> Vec<(u64, u16)> {
        (0..100).filter_map(|cycle| gate.take(cycle).map(|i| (cycle, i.sm))).collect()
    }

    #[test]
    fn packets_pass_one_after_the_other_in_order_of_cycle_and_sm() {
        let mut gate = Gate::default();
        for i in [incoming(9, 1, 1), incoming(5, 2, 3), incoming(5, 0, 3), incoming(40, 0, 5)] {
            gate.push(i);
        }
        assert_eq!(passing(&mut gate), [(5, 0), (8, 2), (9, 1), (40, 0)]);
        assert!(gate.is_empty());
    }

    #[test]
    fn packets_of_one_link_pass_as_they_come() {
        let mut gate = Gate::default();
        // A link of one flit a cycle: each is there as a whole its flits after the one before.
        for (arrives, flits) in [(10, 4), (11, 1), (14, 3), (30, 2)] {
            gate.push(incoming(arrives, 0, flits));
        }
        assert_eq!(passing(&mut gate).iter().map(|(cycle, _)| *cycle).collect::<Vec<_>>(), [10, 11, 14, 30]);
    }
}
