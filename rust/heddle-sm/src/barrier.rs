//! Barriers of a CTA.
//!
//! A barrier opens when as many warps have arrived as it counts, or all live warps of the CTA where it
//! has no count. A warp arrives as a whole. It issues the barrier only when all its earlier memory accesses
//! are performed, so that the accesses before and after are ordered. A barrier whose number or count is in
//! registers first collects its operands; the warp issues nothing until it has arrived.

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::{BarrierFault, BarrierRequest, BarrierTally};
use heddle_port::{LaneMask, NUM_WARPS, members};

/// Warps at one barrier.
#[derive(Debug, Clone, Copy, Default)]
struct Barrier {
    /// Warp slots that have arrived.
    arrived: u64,
    /// Arrivals that it waits for; `None`: all live warps.
    needs: Option<u32>,
    tally: BarrierTally,
}

/// The barriers of the CTA in a CTA slot.
#[derive(Debug, Clone, Default)]
struct OfCta {
    /// Warps with which it started.
    warps: u32,
    barriers: [Barrier; NUM_BARRIERS],
}

/// A barrier that opens.
#[derive(Debug, Clone, Copy)]
pub struct Opened {
    /// Warp slots that waited at it.
    pub warps: u64,
    /// What the warps contributed.
    pub tally: BarrierTally,
}

/// The barriers of an SM, and who waits at them.
#[derive(Debug, Clone)]
pub struct Barriers {
    /// By CTA slot.
    ctas: Vec<OfCta>,
    /// Warp slots that wait, at a barrier or for the operands of one.
    waiting: u64,
    /// By warp slot: the barrier; `None` while the design still collects its operands.
    at: [Option<u8>; NUM_WARPS],
}

impl Barriers {
    /// Of as many CTA slots.
    pub fn new(cta_slots: usize) -> Self {
        Self { ctas: vec![OfCta::default(); cta_slots], waiting: 0, at: [None; NUM_WARPS] }
    }

    /// Warp slots that wait, at a barrier or for the operands of one.
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.waiting
    }

    /// The barrier at which a warp waits; `None` while the design still collects the operands.
    pub fn of(&self, w: usize) -> Option<u8> {
        self.at[w]
    }

    /// A CTA starts with `warps` warps.
    pub fn start_cta(&mut self, slot: usize, warps: u32) {
        self.ctas[slot] = OfCta { warps, barriers: Default::default() };
    }

    /// A warp starts.
    pub fn start_warp(&mut self, w: usize) {
        self.at[w] = None;
        self.waiting &= !(1 << w);
    }

    /// The warp has issued a barrier whose operands the design collects.
    pub fn hold(&mut self, w: usize) {
        self.waiting |= 1 << w;
        self.at[w] = None;
    }

    /// The operands are there.
    pub fn release(&mut self, w: usize) {
        self.waiting &= !(1 << w);
    }

    /// The warp in slot `w` arrives with `lanes` at a barrier of its CTA.
    ///
    /// # Errors
    /// It is there already, or the warps do not agree on their number.
    pub fn arrive(
        &mut self,
        w: usize,
        slot: usize,
        request: &BarrierRequest,
        lanes: LaneMask,
    ) -> Result<(), BarrierFault> {
        let id = request.id;
        let cta = &mut self.ctas[slot];
        let barrier = &mut cta.barriers[usize::from(id)];
        if barrier.arrived == 0 {
            *barrier = Barrier { needs: request.warps, ..Barrier::default() };
        }
        let warps = request.warps.unwrap_or(cta.warps);
        let others = barrier.needs.unwrap_or(cta.warps);
        if barrier.arrived & 1 << w != 0 {
            return Err(BarrierFault::ArrivedTwice { id });
        }
        if warps != others {
            return Err(BarrierFault::CountDiffers { id, warps, others });
        }
        barrier.arrived |= 1 << w;
        barrier.tally.add(lanes, request.holding);
        if request.kind.waits() {
            self.waiting |= 1 << w;
            self.at[w] = Some(id);
        }
        Ok(())
    }

    /// Opens barrier `id` of a CTA whose warps in the slots `live` have not ended, if it is complete.
    pub fn open(&mut self, slot: usize, id: u8, live: u64) -> Option<Opened> {
        let barrier = &mut self.ctas[slot].barriers[usize::from(id)];
        let complete = match barrier.needs {
            Some(warps) => barrier.arrived.count_ones() >= warps,
            None => barrier.arrived & live == live,
        };
        if barrier.arrived == 0 || !complete {
            return None;
        }
        let Barrier { arrived, tally, .. } = std::mem::take(barrier);
        let mut warps = 0;
        for w in members(arrived & self.waiting) {
            warps |= u64::from(self.at[w] == Some(id)) << w;
        }
        self.waiting &= !warps;
        Some(Opened { warps, tally })
    }
}
