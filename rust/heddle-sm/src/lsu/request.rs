//! The requests of an access at the memory port.

use heddle_isa::{CacheOp, Op, TracedAccess, TracedKind};
use heddle_mem::space;
use heddle_port::NUM_LANES;
use heddle_port::memory::MemRequest;

use super::{Access, LoadStore, kind_of};
use crate::coalescer::{Transaction, local_address};
use crate::off_chip::atomic_code;

/// Where an access comes from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub op: &'a Op,
    pub w: usize,
    pub cta_slot: u8,
    /// Bytes of local memory that a thread has.
    pub local_bytes: u32,
}

impl LoadStore {
    /// The access whose next request can be sent, and its tag.
    #[inline]
    pub fn to_send(&self) -> Option<(u8, u16)> {
        let &index = self.queue.front()?;
        (!self.waits_for_local(index)).then(|| (index, self.accesses[usize::from(index)].tag))
    }

    /// The next request of the oldest access, the one that can be sent, is.
    pub fn send(&mut self, index: u8, origin: Origin<'_>, request: &mut MemRequest) -> Option<Transaction> {
        let number = self.accesses[usize::from(index)].next;
        let t = self.put(index, number, origin, request)?;
        let access = &mut self.accesses[usize::from(index)];
        access.next += 1;
        if access.next == access.requests.len() {
            self.queue.pop_front();
        }
        Some(t)
    }

    /// Request `number` of the access stands at the memory port, if there are as many.
    pub fn put(
        &self,
        index: u8,
        number: usize,
        origin: Origin<'_>,
        request: &mut MemRequest,
    ) -> Option<Transaction> {
        let Origin { op, w, cta_slot, local_bytes } = origin;
        let access = &self.accesses[usize::from(index)];
        let t = *access.requests.get(number)?;
        fill(request, access, t, op);
        if t.space == space::SHARED
            && self.held.shared
            && let Op::Atom { op, ty, .. } = *op
        {
            request.atomic = atomic_code(op, ty).unwrap_or_default();
        }
        request.cta_slot = cta_slot;
        if t.space == space::LOCAL {
            for lane in 0..NUM_LANES {
                let address = access.lanes.addresses[lane];
                request.address[lane] = local_address(w, local_bytes, address, t.word, lane);
            }
            request.size_log2 = request.size_log2.min(2);
            return Some(t);
        }
        let addresses = match &access.lanes.texels {
            Some(texels) => &texels.addresses[usize::from(t.word)],
            None => &access.lanes.addresses,
        };
        for (to, &from) in request.address.iter_mut().zip(addresses) {
            *to = from as u32;
        }
        Some(t)
    }

    /// Whether the access has to wait for local accesses of its warp. The requests of a wide one may overtake
    /// each other in a unified cache, and its lanes are performed with the first: so nothing else of the
    /// warp's local memory is under way beside it.
    fn waits_for_local(&self, index: u8) -> bool {
        let a = &self.accesses[usize::from(index)];
        if !(self.held.cached && self.held.shared) || a.next > 0 || a.lanes.spaces.local.is_empty() {
            return false;
        }
        self.accesses.iter().any(|other| {
            other.is_under_way()
                && !other.lanes.spaces.local.is_empty()
                && other.warp == a.warp
                && (other.is_wide_local() || a.is_wide_local())
        })
    }
}

fn fill(request: &mut MemRequest, access: &Access, t: Transaction, op: &Op) {
    request.valid = true;
    request.tag = access.tag;
    request.space = t.space;
    request.mask = t.mask;
    request.part = t.word;
    request.size_log2 = access.lanes.size_log2(op);
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
