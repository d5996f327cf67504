//! Barriers of a CTA.
//!
//! A barrier opens when as many warps have arrived as it counts, or all live warps of the CTA where it
//! has no count. A warp arrives as a whole. It issues the barrier only when all its earlier memory accesses
//! are performed, so that the accesses before and after are ordered. A barrier whose number or count is in
//! registers first collects its operands; the warp issues nothing until it has arrived.

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::{
    BarrierFault, BarrierKind, BarrierRequest, BarrierTally, ExecError, Op, Pc, TracedKind, barrier_request,
};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, LaneData, LaneMask, NUM_SOURCES};

use crate::error::SmError;
use crate::observer::{BarrierEvent, Observer};
use crate::sm::Sm;
use crate::warp::State;

/// Warps at one barrier.
#[derive(Debug, Clone, Copy, Default)]
struct Barrier {
    /// Warp slots that have arrived.
    arrived: u64,
    /// Arrivals that it waits for; `None`: all live warps.
    needs: Option<u32>,
    tally: BarrierTally,
}

/// The CTA in a CTA slot.
#[derive(Debug, Clone, Default)]
pub struct Cta {
    pub number: u64,
    /// The slot is in use.
    pub resident: bool,
    /// Warp slots whose warps have not ended.
    pub live: u64,
    /// Warps that have not left the design.
    pub warps_left: u32,
    /// Warps with which it started.
    warps: u32,
    barriers: [Barrier; NUM_BARRIERS],
}

impl Cta {
    /// CTA `number` with `warps` warps in the slots `live`.
    pub fn new(number: u64, live: u64, warps: u32) -> Self {
        Self { number, resident: true, live, warps_left: warps, warps, barriers: Default::default() }
    }

    /// Notes the arrival of warp slot `w` with `lanes`.
    fn arrive(&mut self, w: usize, request: &BarrierRequest, lanes: LaneMask) -> Result<(), BarrierFault> {
        let id = request.id;
        let barrier = &mut self.barriers[usize::from(id)];
        if barrier.arrived == 0 {
            *barrier = Barrier { needs: request.warps, ..Barrier::default() };
        }
        let warps = request.warps.unwrap_or(self.warps);
        let others = barrier.needs.unwrap_or(self.warps);
        if barrier.arrived & 1 << w != 0 {
            return Err(BarrierFault::ArrivedTwice { id });
        }
        if warps != others {
            return Err(BarrierFault::CountDiffers { id, warps, others });
        }
        barrier.arrived |= 1 << w;
        barrier.tally.add(lanes, request.holding);
        Ok(())
    }

    /// Empties barrier `id` if it is complete: the slots that had arrived, and what they contributed.
    fn open(&mut self, id: u8) -> Option<(u64, BarrierTally)> {
        let barrier = &mut self.barriers[usize::from(id)];
        let complete = match barrier.needs {
            Some(warps) => barrier.arrived.count_ones() >= warps,
            None => barrier.arrived & self.live == self.live,
        };
        if barrier.arrived == 0 || !complete {
            return None;
        }
        let Barrier { arrived, tally, .. } = std::mem::take(barrier);
        Some((arrived, tally))
    }
}

impl<P: FirstLevelPort> Sm<P> {
    /// The warp in slot `w` has issued a barrier whose operands the design collects.
    pub(crate) fn hold_for_operands(&mut self, w: usize) {
        self.at_barrier |= 1 << w;
        self.warps[w].barrier = None;
    }

    /// The barrier instruction `tag` is carried out: its warp arrives, and the instruction retires.
    pub(crate) fn arrive<O: Observer>(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let (w, pc, exec) = (usize::from(entry.warp), entry.pc, LaneMask(entry.exec));
        self.at_barrier &= !(1 << w);
        self.retire(tag, observer)?;
        if exec.is_empty() {
            return Ok(());
        }
        let request =
            self.request(w, pc, exec, sources).map_err(|error| self.barrier_error(w, pc, &error))?;
        let slot = usize::from(self.warps[w].cta_slot);
        if request.kind.waits() {
            self.at_barrier |= 1 << w;
            self.warps[w].barrier = Some(request.id);
        }
        if let Err(fault) = self.ctas[slot].arrive(w, &request, exec) {
            return Err(self.barrier_error(w, pc, &fault.into()));
        }
        let event = BarrierEvent {
            cycle: Cycle(self.cycle),
            cta: self.warps[w].cta,
            id: request.id,
            arrived: Some(self.warps[w].warp_in_cta),
        };
        let result = observer.barrier(&event);
        self.stop(result)?;
        self.open_if_complete(slot, request.id, observer)
    }

    /// What the barrier at `pc` asks for.
    fn request(
        &self,
        w: usize,
        pc: Pc,
        exec: LaneMask,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<BarrierRequest, ExecError> {
        let warp = &self.warps[w];
        let instr = self.kernel.instr(pc);
        if let Op::Traced(traced) = &instr.op
            && let TracedKind::Barrier { id } = traced.kind
        {
            if usize::from(id) >= NUM_BARRIERS {
                return Err(BarrierFault::Number { number: id.into() }.into());
            }
            let kind = BarrierKind::Sync;
            return Ok(BarrierRequest { kind, id, warps: None, holding: LaneMask::NONE });
        }
        let missing = warp.flow.live() & !exec;
        if !missing.is_empty() {
            return Err(BarrierFault::Divergent { arrived: exec, missing }.into());
        }
        barrier_request(instr, sources, &warp.preds, &warp.context, exec)
    }

    #[cold]
    fn barrier_error(&self, w: usize, pc: Pc, error: &ExecError) -> SmError {
        SmError::Execution { cycle: self.cycle, place: self.place(w, pc), reason: error.to_string() }
    }

    fn open_if_complete<O: Observer>(
        &mut self,
        slot: usize,
        id: u8,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let Some((arrived, tally)) = self.ctas[slot].open(id) else { return Ok(()) };
        let mut waiting = arrived & self.at_barrier;
        while waiting != 0 {
            let w = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            if self.warps[w].barrier == Some(id) {
                self.at_barrier &= !(1 << w);
                self.warps[w].moment.barrier = tally;
            }
        }
        self.counters.barrier_opens();
        self.progress();
        self.watchdog.moved(self.cycle);
        let event = BarrierEvent { cycle: Cycle(self.cycle), cta: self.ctas[slot].number, id, arrived: None };
        let result = observer.barrier(&event);
        self.stop(result)
    }

    /// All lanes of the warp in slot `w` have ended.
    pub(crate) fn end_warp<O: Observer>(&mut self, w: usize, observer: &mut O) -> Result<(), SmError> {
        self.states.set(w, State::Exiting);
        self.residency.want_command(w);
        self.fetch.ends(w);
        self.watchdog.moved(self.cycle);
        let slot = usize::from(self.warps[w].cta_slot);
        self.ctas[slot].live &= !(1 << w);
        for id in 0..NUM_BARRIERS as u8 {
            self.open_if_complete(slot, id, observer)?;
        }
        Ok(())
    }
}
