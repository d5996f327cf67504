//! The request arbitrator: which banks are served in a cycle, four at most (section 2.3).

use super::BANKS_SERVED;
use crate::common::Rotating;

/// Banks stay served until their access is done; free places go to further banks in turn.
#[derive(Debug, Clone, Copy, Default)]
pub struct Service {
    serving: u32,
    arbiter: Rotating,
}

impl Service {
    /// The banks served in this cycle.
    #[inline]
    pub fn choose(&mut self, requests: u32) -> u32 {
        let mut served = self.serving & requests;
        for _ in served.count_ones()..BANKS_SERVED {
            match self.arbiter.grant(requests & !served) {
                Some(bank) => served |= 1 << bank,
                None => break,
            }
        }
        served
    }

    /// The clock edge: `served` is what [`Service::choose`] gave, `done` the banks whose access ended.
    #[inline]
    pub fn tick(&mut self, served: u32, done: u32) {
        self.serving = served & !done;
    }
}

#[cfg(test)]
mod tests {
    use super::Service;

    #[test]
    fn four_banks_are_served_until_they_are_done() {
        let mut service = Service::default();
        let served = service.choose(0b1111_1100);
        assert_eq!(served, 0b0011_1100);
        service.tick(served, 0b1000);
        let served = service.choose(0b1111_0111);
        assert_eq!(served, 0b0111_0100, "three stay, the next in turn comes in");
        service.tick(served, served);
        assert_eq!(service.choose(0b1000_0011), 0b1000_0011, "no more than there are");
    }
}
