//! Lifetimes of the addresses of shared memory whose lines leave a cache in front of it, as the cycle model
//! of the cache tells.

use heddle_mem::{LaneOffsets, LifetimeStatistics, Lifetimes, SHARED_BLOCK_BYTES, SHARED_SPACE, shared_slot};
use heddle_port::LINE_BYTES;
use heddle_sm::{CtaEvent, Observer, PerformedEvent, Stop};

/// Follows the CTAs of an SM by its events.
#[derive(Debug, Default)]
pub struct LineLifetimes {
    lifetimes: Lifetimes,
    /// CTA slots of the CTAs under way.
    slots: Vec<(u64, u8)>,
    /// Shared memory of a CTA.
    bytes: u32,
}

impl LineLifetimes {
    /// Of CTAs that have `bytes` bytes of shared memory each.
    #[must_use]
    pub fn new(bytes: u32) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// The line with this number has left in the clock edge before `cycle`.
    pub fn left(&mut self, number: u32, cycle: u64) {
        let address = number.wrapping_mul(LINE_BYTES as u32);
        if let Some(slot) = shared_slot(address) {
            self.lifetimes.line_left(slot as u8, cycle, (address - SHARED_SPACE.start) % SHARED_BLOCK_BYTES);
        }
    }

    /// What the CTAs that have ended tell.
    #[must_use]
    pub fn statistics(&self) -> &LifetimeStatistics {
        self.lifetimes.statistics()
    }
}

impl Observer for LineLifetimes {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        if self.bytes > 0 {
            self.slots.push((event.cta, event.cta_slot));
            self.lifetimes.start(event.cta_slot, event.cycle.0, self.bytes);
        }
        Ok(())
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let Some(&(_, slot)) = self.slots.iter().find(|(cta, _)| *cta == event.cta) else { return Ok(()) };
        let access = LaneOffsets { lanes: event.shared, offsets: event.addresses, bytes: event.bytes };
        self.lifetimes.performed(slot, event.cycle.0, event.kind, access);
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        self.slots.retain(|(cta, _)| *cta != event.cta);
        self.lifetimes.end(event.cta_slot, event.cycle.0);
        Ok(())
    }
}
