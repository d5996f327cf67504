//! The way to memory and back: accesses, requests, responses, and what goes to L2.

use heddle_isa::Op;
use heddle_mem::{FirstLevelPort, space};
use heddle_port::memory::MemResponse;
use heddle_port::{Cycle, LINE_BYTES, LaneData, LaneMask, NUM_LANES, NUM_SOURCES, Tag};

use super::Sm;
use crate::data_use::words_of;
use crate::error::SmError;
use crate::inflight::InFlight;
use crate::kernel::Kernel;
use crate::lane_data::{Fetch, loaded, operands, stored};
use crate::lsu::{Impossible, Origin};
use crate::observer::{AnsweredEvent, Observer};
use crate::warp::Warp;

impl<P: FirstLevelPort> Sm<P> {
    /// A memory instruction has its operands.
    pub(super) fn begin_access(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<(), SmError> {
        self.prepare_access(tag, sources)?;
        let w = self.slab.get(tag).warp();
        while let Some(over) = self.lsu.queue_ready(w) {
            self.slab.access_over(over);
            self.dependences.performed(w);
            self.units.execute(over, None, 1, self.cycle);
        }
        Ok(())
    }

    /// Addresses, stored values and requests of a memory instruction.
    pub(super) fn prepare_access(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<u8, SmError> {
        let entry = self.slab.get(tag);
        let (w, pc, exec) = (entry.warp(), entry.pc(), entry.exec());
        let Some(index) = entry.access() else {
            return Err(self.protocol(tag, format!("T{tag} has no place in the load-store unit")));
        };
        let instr = self.kernel.instr(pc);
        let mut asked = match self.lsu.prepare(index, instr, sources, self.warps[w].context(), exec) {
            Ok(asked) => asked,
            Err(Impossible::Execution(error)) => return Err(self.execution(w, pc, error.to_string())),
            Err(Impossible::Unsupported(reason)) => {
                return Err(SmError::Unsupported { cycle: self.cycle, place: self.place(w, pc), reason });
            }
        };
        let lanes = self.lsu.lanes(index);
        if self.contents.has_data()
            && let Some(texels) = &lanes.texels
        {
            asked.fetch = Some(Box::new(Fetch::new((**texels).clone(), lanes.size_log2(&instr.op))));
        }
        self.slab.ask(tag, asked);
        Ok(index)
    }

    /// The response of this cycle.
    pub(super) fn take_response<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let response = self.memory.out().response;
        if !response.valid || self.take_release(response.tag) {
            return Ok(());
        }
        let tag = response.tag;
        if !self.slab.answered(tag) {
            return Err(self.protocol(tag, format!("memory answered T{tag}, which awaits no answer")));
        }
        self.hang.moves(self.cycle);
        let (cycle, path) = (Cycle(self.cycle), self.memory.times());
        let result = observer.answered(&AnsweredEvent { cycle, tag: Tag(tag), path });
        self.stop(result)?;
        if self.contents.has_data() && !response.store {
            self.take_loaded(tag, &response);
        }
        if self.slab.is_answered(tag) { self.complete(tag, observer) } else { Ok(()) }
    }

    /// What was read in memory that the design holds is what the design, or for a global atomic L2, answers.
    fn take_loaded(&mut self, tag: u16, response: &MemResponse) {
        let entry = self.slab.get_mut(tag);
        let (mask, data) = (response.mask, &self.memory.data().response);
        let shared = mask & entry.spaces().shared.0 != 0;
        let held = self.contents.held();
        if if shared { !held.shared } else { !held.cached } {
            return;
        }
        let local = mask & entry.spaces().local.0 != 0;
        match self.kernel.instr(entry.pc()).op {
            Op::Ld { ty, vector, .. } => {
                let word = local.then_some(response.part);
                loaded(&mut entry.out_mut().values, (ty, vector), mask, word, data);
            }
            Op::Tex { .. } => entry.take_texel(response.part, mask, data),
            Op::Atom { ty, .. } if shared => loaded(&mut entry.out_mut().values, (ty, 1), mask, None, data),
            Op::Atom { .. } => {
                let values = &mut entry.out_mut().values;
                for (lane, (low, high)) in self.contents.found(tag, LaneMask(mask)) {
                    values[0][lane] = low;
                    values[1][lane] = high;
                }
            }
            _ => {}
        }
    }

    /// One request of this cycle, if the port takes one: that a CTA has ended, or the next of the oldest
    /// access.
    #[inline]
    pub(super) fn send_request(&mut self) {
        if !self.memory.out().request_ready || self.send_release() {
            return;
        }
        if let Some((index, tag)) = self.lsu.to_send() {
            self.send_next(index, tag);
        }
    }

    /// The next request of the access in place `index`, of instruction `tag`.
    #[inline(never)]
    fn send_next(&mut self, index: u8, tag: u16) {
        let Self { kernel, warps, slab, lsu, memory, .. } = self;
        let entry = slab.get(tag);
        let op = &kernel.instr(entry.pc()).op;
        let origin = origin(kernel, warps, entry);
        let Some(t) = lsu.send(index, origin, memory.request_mut()) else { return };
        let lanes = lsu.lanes(index);
        if self.contents.has_data() {
            match *op {
                Op::St { ty, .. } => stored(lanes, ty, t, memory.request_data_mut()),
                Op::Atom { .. } => operands(lanes, t, memory.request_data_mut()),
                _ => {}
            }
        }
        if t.space != space::SHARED {
            let request = memory.request_mut();
            let lane = (t.mask.trailing_zeros() as usize).min(NUM_LANES - 1);
            let line = request.address[lane] / LINE_BYTES as u32;
            self.counters.requests(self.cycle, line, words_of(&request.address, t.mask, request.size_log2));
        }
        self.hang.moves(self.cycle);
    }

    /// Tells the design that the CTA of a slot has ended, if one has; true if the request of this cycle is
    /// taken.
    #[inline]
    fn send_release(&mut self) -> bool {
        self.releases.any_waits() && self.tell_release()
    }

    /// The same, where a CTA has ended.
    #[inline(never)]
    fn tell_release(&mut self) -> bool {
        let Some(tag) = self.slab.allocate() else { return false };
        self.slab.enter_other(tag);
        self.releases.tell(tag, self.memory.request_mut());
        self.hang.moves(self.cycle);
        true
    }

    /// The design has dropped the lines of a CTA slot, if the answer says so: the slot is free.
    fn take_release(&mut self, tag: u16) -> bool {
        let Some(slot) = self.releases.answered(tag) else { return false };
        self.slab.release(tag);
        self.residency.free_cta(slot);
        self.contents.free_cta(slot);
        self.hang.moves(self.cycle);
        true
    }

    /// L2's side of the memory port, and its clock edge.
    pub(super) fn step_memory(&mut self) -> Result<(), SmError> {
        if self.contents.has_data() {
            let request = self.memory.out().lower_request;
            if request.valid && self.memory.lower_ready() {
                let taken = self.contents.take(&request, &self.memory.data().lower_request);
                taken.map_err(|what| SmError::Traffic { cycle: self.cycle, what })?;
            }
            let response = *self.memory.lower_response();
            if response.valid
                && let Some(line) = self.contents.answer(&response)
            {
                self.memory.set_lower_response_data(line);
            }
        }
        self.memory.step().map_err(|error| SmError::Memory { cycle: self.cycle, error })
    }

    /// After the flush: L2 has all that the SM stored.
    ///
    /// # Errors
    /// [`SmError::Traffic`]: it lacks something.
    pub fn expect_no_traffic(&self) -> Result<(), SmError> {
        self.contents.expect_no_traffic().map_err(|what| SmError::Traffic { cycle: self.cycle, what })
    }
}

/// Where an access of an instruction in flight comes from.
pub(super) fn origin<'a>(kernel: &'a Kernel, warps: &[Warp], entry: &InFlight) -> Origin<'a> {
    Origin {
        op: &kernel.instr(entry.pc()).op,
        w: entry.warp(),
        cta_slot: warps[entry.warp()].cta_slot(),
        local_bytes: kernel.program().local_bytes,
    }
}
