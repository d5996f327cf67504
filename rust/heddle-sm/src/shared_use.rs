//! What the CTAs do with their shared memory, address by address.

use std::sync::Arc;

use heddle_mem::{
    KnownReads, LaneOffsets, LifetimeStatistics, Lifetimes, Liveness, SHARED_BLOCK_BYTES, SHARED_SPACE, kind,
    shared_slot,
};
use heddle_port::LINE_BYTES;

/// Lifetimes of the addresses, and, where they are known beforehand, which lines live.
#[derive(Debug, Clone, Default)]
pub struct SharedUse {
    lifetimes: Lifetimes,
    liveness: Option<Liveness>,
}

impl SharedUse {
    /// The lifetimes are known.
    pub fn know(&mut self, known: Arc<KnownReads>) {
        self.liveness = Some(Liveness::new(known));
    }

    /// What the CTAs that have ended tell.
    pub fn statistics(&self) -> &LifetimeStatistics {
        self.lifetimes.statistics()
    }

    /// A CTA with `bytes` bytes of shared memory starts.
    pub fn start(&mut self, slot: usize, cta: u64, cycle: u64, bytes: u32) {
        if bytes == 0 {
            return;
        }
        self.lifetimes.start(slot as u8, cycle, bytes);
        if let Some(liveness) = &mut self.liveness {
            liveness.start(slot as u8, cta, bytes);
        }
    }

    /// Lanes of an access to the shared memory of a slot's CTA are performed; `kind` as requests have it.
    pub fn performed(&mut self, slot: u8, cycle: u64, kind: u8, access: LaneOffsets<'_>) {
        self.lifetimes.performed(slot, cycle, kind, access);
        let Some(liveness) = &mut self.liveness else { return };
        let LaneOffsets { lanes, offsets, bytes } = access;
        for lane in lanes.lanes() {
            let offset = offsets[lane] as u32;
            if kind != kind::WRITE {
                liveness.read(slot, offset, bytes);
            }
            if kind != kind::READ {
                liveness.write(slot, offset, bytes);
            }
        }
    }

    /// The line with this number leaves the cache of off-chip shared memory, or one of another space.
    pub fn line_left(&mut self, number: u32, cycle: u64) {
        let address = number.wrapping_mul(LINE_BYTES as u32);
        if let Some(slot) = shared_slot(address) {
            self.lifetimes.line_left(slot as u8, cycle, (address - SHARED_SPACE.start) % SHARED_BLOCK_BYTES);
        }
    }

    /// The CTA of a slot has ended.
    pub fn end(&mut self, slot: usize, cycle: u64) {
        self.lifetimes.end(slot as u8, cycle);
        if let Some(liveness) = &mut self.liveness {
            liveness.end(slot as u8);
        }
    }

    /// Numbers of the lines that have begun to live or are over since the last call.
    pub fn live_changes(&mut self) -> impl Iterator<Item = (u32, bool)> {
        let changes = self.liveness.as_mut().map(Liveness::changes).into_iter().flatten();
        changes.map(|change| {
            let address = SHARED_SPACE.start + u32::from(change.slot) * SHARED_BLOCK_BYTES + change.offset;
            (address / LINE_BYTES as u32, change.live)
        })
    }
}
