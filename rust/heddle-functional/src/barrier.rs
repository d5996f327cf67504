//! The barriers of a CTA (PTX ISA, "bar, barrier").
//!
//! A barrier without a count opens when all warps of the CTA that have not ended have arrived; one with a
//! count when that many warps have, and warps that end do not matter to it. A warp arrives with all its
//! lanes that have not ended.

use heddle_isa::Pc;
use heddle_isa::exec::{BarrierFault, BarrierRequest, BarrierTally, NUM_BARRIERS};
use heddle_port::LaneMask;

use crate::cta::Cta;

/// One barrier.
#[derive(Debug, Clone, Default)]
pub(crate) struct Barrier {
    /// Warps that have arrived, one bit a warp.
    arrived: u64,
    /// Each of them, and how many instructions it had stepped.
    arrivals: Vec<(u32, u64)>,
    /// Warps that take part, where the first to arrive gave a count.
    warps: Option<u32>,
    tally: BarrierTally,
}

/// An access that should have been performed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Earlier {
    pub warp: u32,
    pub pc: Pc,
}

impl Cta {
    /// Warps that barrier `id` still waits for, as far as it is known which.
    pub fn missing(&self, id: u8) -> Vec<u32> {
        let missing = self.live() & !self.barriers[usize::from(id)].arrived;
        (0..64).filter(|w| missing >> w & 1 != 0).collect()
    }

    /// Warp `warp` arrives with `lanes`, and waits or not.
    pub fn arrive(
        &mut self,
        warp: usize,
        request: &BarrierRequest,
        lanes: LaneMask,
    ) -> Result<(), BarrierFault> {
        let id = request.id;
        let all = self.warps.len() as u32;
        let barrier = &mut self.barriers[usize::from(id)];
        if barrier.arrived >> warp & 1 != 0 {
            return Err(BarrierFault::ArrivedTwice { id });
        }
        let (warps, others) = (request.warps.unwrap_or(all), barrier.warps.unwrap_or(all));
        if barrier.arrived == 0 {
            barrier.warps = request.warps;
        } else if warps != others {
            return Err(BarrierFault::CountDiffers { id, warps, others });
        }
        barrier.arrived |= 1 << warp;
        barrier.arrivals.push((warp as u32, self.warps[warp].sequence));
        barrier.tally.add(lanes, request.holding);
        if request.kind.waits() {
            self.warps[warp].waiting = Some(id);
        }
        Ok(())
    }

    /// A warp has ended: barriers without a count do not wait for it any more.
    pub fn warp_ended(&mut self) -> Result<(), Earlier> {
        (0..NUM_BARRIERS as u8).try_for_each(|id| self.open_if_complete(id))
    }

    /// Opens barrier `id` if nobody is missing. An access that had to be performed before and is not is an
    /// error.
    pub fn open_if_complete(&mut self, id: u8) -> Result<(), Earlier> {
        let live = self.live();
        let barrier = &mut self.barriers[usize::from(id)];
        let complete = match barrier.warps {
            None => live & !barrier.arrived == 0,
            Some(warps) => barrier.arrived.count_ones() >= warps,
        };
        if barrier.arrived == 0 || !complete {
            return Ok(());
        }
        let before = |access: &&crate::order::OpenAccess| {
            barrier.arrivals.iter().any(|&(warp, at)| access.warp == warp && access.sequence <= at)
        };
        if let Some(access) = self.open.iter().find(before) {
            return Err(Earlier { warp: access.warp, pc: access.pc });
        }
        let opened = std::mem::take(barrier);
        self.phase += 1;
        let arrived = || self.warps.iter().enumerate().filter(|(w, _)| opened.arrived >> w & 1 != 0);
        let fences = arrived().map(|(_, warp)| warp.l1_fences).max().unwrap_or_default();
        for warp in self.warps.iter_mut().filter(|w| w.waiting == Some(id)) {
            warp.l1_fences = warp.l1_fences.max(fences);
            warp.waiting = None;
            warp.context.moment.barrier = opened.tally;
        }
        Ok(())
    }
}
