//! The requests of an access at the memory port.

use heddle_isa::{CacheOp, Op, TracedAccess, TracedKind};
use heddle_mem::{FirstLevelPort, kind, space};
use heddle_port::memory::MemRequest;
use heddle_port::{LINE_BYTES, NUM_LANES};

use super::Access;
use crate::coalescer::{Transaction, local_address};
use crate::lane_data::{operands, stored};
use crate::off_chip::atomic_code;
use crate::sm::Sm;

impl<P: FirstLevelPort> Sm<P> {
    /// Whether the access has to wait for local accesses of its warp. The requests of a wide one may overtake
    /// each other in a unified cache, and its lanes are performed with the first: so nothing else of the warp's
    /// local memory is under way beside it.
    fn waits_for_local(&self, index: u8) -> bool {
        let a = &self.lsu.accesses[usize::from(index)];
        if !(self.held.cached && self.held.shared) || a.next > 0 || a.spaces.local.is_empty() {
            return false;
        }
        let warp = |access: &Access| self.slab.get(access.tag).warp;
        self.lsu.accesses.iter().any(|other| {
            other.is_under_way()
                && !other.spaces.local.is_empty()
                && warp(other) == warp(a)
                && (other.is_wide_local() || a.is_wide_local())
        })
    }

    /// Offers the next request of the oldest access; the port takes it, for its ready is high.
    pub(super) fn send_request(&mut self) {
        let Some(&index) = self.lsu.queue.front() else { return };
        if self.waits_for_local(index) {
            return;
        }
        let a = &mut self.lsu.accesses[usize::from(index)];
        let t = a.transactions[a.next];
        a.next += 1;
        self.put_request(index, t);
        let a = &self.lsu.accesses[usize::from(index)];
        let entry = self.slab.get(a.tag);
        let op = &self.kernel.instr(entry.pc).op;
        if self.below.is_some() {
            match *op {
                Op::St { ty, .. } => stored(a, ty, t, self.memory.request_data_mut()),
                Op::Atom { .. } => operands(a, t, self.memory.request_data_mut()),
                _ => {}
            }
        }
        if t.space != space::SHARED {
            let lane = (t.mask.trailing_zeros() as usize).min(NUM_LANES - 1);
            let line = self.memory.request_mut().address[lane] / LINE_BYTES as u32;
            self.counters.requests(self.cycle, line);
        }
        if a.next == a.transactions.len() {
            self.lsu.queue.pop_front();
        }
        self.progress();
    }

    /// Request `t` of the access at `index` stands at the memory port.
    pub(crate) fn put_request(&mut self, index: u8, t: Transaction) {
        let a = &self.lsu.accesses[usize::from(index)];
        let entry = self.slab.get(a.tag);
        let w = usize::from(entry.warp);
        let op = &self.kernel.instr(entry.pc).op;
        let request = self.memory.request_mut();
        fill_request(request, a, t, op);
        if t.space == space::SHARED
            && self.held.shared
            && let Op::Atom { op, ty, .. } = *op
        {
            request.atomic = atomic_code(op, ty).unwrap_or_default();
        }
        request.cta_slot = self.warps[w].cta_slot;
        match t.space {
            space::LOCAL => {
                for lane in 0..NUM_LANES {
                    request.address[lane] =
                        local_address(w, self.kernel.program().local_bytes, a.addresses[lane], t.word, lane);
                }
                request.size_log2 = request.size_log2.min(2);
            }
            _ => {
                let addresses = match &a.texels {
                    Some(texels) => &texels.addresses[usize::from(t.word)],
                    None => &a.addresses,
                };
                for (to, &from) in request.address.iter_mut().zip(addresses) {
                    *to = from as u32;
                }
            }
        }
    }
}

fn fill_request(request: &mut MemRequest, a: &Access, t: Transaction, op: &Op) {
    request.valid = true;
    request.tag = a.tag;
    request.space = t.space;
    request.mask = t.mask;
    request.part = t.word;
    request.size_log2 = size_log2(a, op);
    request.kind = kind_of(op);
    (request.atomic, request.cache_operator) = match *op {
        Op::St { cache, .. } | Op::Ld { cache, .. } => (0, cache as u8),
        Op::Atom { op, .. } => (op as u8, 0),
        Op::Tex { .. } => (0, CacheOp::Nc as u8),
        Op::Traced(ref traced) => match traced.kind {
            TracedKind::Memory { access: TracedAccess::Atomic, .. } => (0, 0),
            TracedKind::Memory { cache, .. } => (0, cache as u8),
            _ => (0, 0),
        },
        _ => (0, 0),
    };
}

/// The kind of access of an instruction, as requests have it.
pub(crate) fn kind_of(op: &Op) -> u8 {
    match *op {
        Op::St { .. } => kind::WRITE,
        Op::Atom { .. } => kind::ATOMIC,
        Op::Traced(ref traced) => match traced.kind {
            TracedKind::Memory { access: TracedAccess::Store, .. } => kind::WRITE,
            TracedKind::Memory { access: TracedAccess::Atomic, .. } => kind::ATOMIC,
            _ => kind::READ,
        },
        _ => kind::READ,
    }
}

/// log2 of the bytes that a lane accesses, all elements together; of a texture fetch those of the largest
/// texel.
pub(crate) fn size_log2(a: &Access, op: &Op) -> u8 {
    let bytes = match *op {
        Op::Ld { ty, vector, .. } | Op::St { ty, vector, .. } => ty.bytes() * u32::from(vector),
        Op::Atom { ty, .. } => ty.bytes(),
        Op::Tex { .. } => {
            let lanes = a.spaces.global.lanes();
            a.texels.as_ref().and_then(|t| lanes.map(|l| t.bytes[l].into()).max()).unwrap_or(1)
        }
        Op::Traced(ref traced) => traced.access().map_or(1, |(_, _, bytes)| u32::from(bytes)),
        _ => 1,
    };
    bytes.max(1).ilog2() as u8
}
