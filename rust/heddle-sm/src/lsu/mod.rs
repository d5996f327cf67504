//! The load-store unit: addresses, coalescing and the way to the memory port.
//!
//! A memory instruction takes its place in the unit when it issues. Designs may collect operands out of
//! order; the unit sends the accesses of a warp in program order all the same, and those of different
//! warps in the order in which they could be sent.

mod lower;
mod request;

use std::collections::VecDeque;

use heddle_isa::{AccessSpaces, Op, Texels, addresses, plan_texels, store_data};
use heddle_mem::{FirstLevelPort, space};
use heddle_port::memory::MemResponse;
use heddle_port::{Cycle, LaneData, LaneMask, NUM_LANES, NUM_SOURCES, Tag};

pub(crate) use self::request::{kind_of, size_log2};
use crate::coalescer::{Transaction, coalesce, coalesce_texels};
use crate::error::SmError;
use crate::lane_data::{Fetch, loaded};
use crate::observer::{AnsweredEvent, Observer};
use crate::off_chip::atomic_code;
use crate::sm::Sm;

/// A memory instruction from its issue until all its lanes are performed.
#[derive(Debug, Clone)]
pub struct Access {
    pub tag: u16,
    /// Its operands are there.
    pub ready: bool,
    pub spaces: AccessSpaces,
    pub addresses: [u64; NUM_LANES],
    /// The texels of a texture fetch.
    pub texels: Option<Box<Texels>>,
    pub stored: [[u64; NUM_LANES]; 4],
    pub elements: usize,
    pub transactions: Vec<Transaction>,
    /// Next request to send.
    pub next: usize,
    /// Lanes not yet performed.
    pub unperformed: u32,
    /// Lanes of the requests not yet performed: a lane counts in each request that it is in.
    pub to_perform: usize,
}

impl Access {
    /// Everything of it has been sent and performed.
    fn is_over(&self) -> bool {
        self.to_perform == 0 && self.unperformed == 0 && self.next == self.transactions.len()
    }

    /// Some of it has been sent, and not all of it is performed.
    fn is_under_way(&self) -> bool {
        self.next > 0 && !self.is_over()
    }

    /// Its lanes access local memory in several requests each.
    fn is_wide_local(&self) -> bool {
        self.transactions.iter().any(|t| t.space == space::LOCAL && t.word > 0)
    }
}

/// The accesses under way.
#[derive(Debug, Clone)]
pub struct LoadStore {
    pub accesses: Vec<Access>,
    free: Vec<u8>,
    queue: VecDeque<u8>,
}

impl LoadStore {
    /// With `places` places, 1 to 255.
    pub fn new(places: u32) -> Self {
        let empty = || Access {
            tag: 0,
            ready: false,
            spaces: AccessSpaces::default(),
            addresses: [0; NUM_LANES],
            texels: None,
            stored: [[0; NUM_LANES]; 4],
            elements: 0,
            transactions: Vec::with_capacity(128),
            next: 0,
            unperformed: 0,
            to_perform: 0,
        };
        Self {
            accesses: (0..places).map(|_| empty()).collect(),
            free: (0..places as u8).rev().collect(),
            queue: VecDeque::with_capacity(places as usize),
        }
    }

    /// Whether another memory instruction can issue.
    #[inline]
    pub fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    /// Takes a place for an instruction that issues.
    pub fn reserve(&mut self, tag: u16) -> Option<u8> {
        let index = self.free.pop()?;
        let access = &mut self.accesses[usize::from(index)];
        access.tag = tag;
        access.ready = false;
        Some(index)
    }

    /// Everything of the access has been sent and performed.
    pub fn is_over(&self, index: u8) -> bool {
        self.accesses[usize::from(index)].is_over()
    }

    pub fn release(&mut self, index: u8) {
        self.free.push(index);
    }
}

impl<P: FirstLevelPort> Sm<P> {
    /// A memory instruction has its operands.
    pub(crate) fn begin_access(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<(), SmError> {
        self.prepare_access(tag, sources)?;
        self.queue_accesses(usize::from(self.slab.get(tag).warp));
        Ok(())
    }

    /// Addresses, stored values and requests of a memory instruction.
    pub(crate) fn prepare_access(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let (w, pc, exec) = (usize::from(entry.warp), entry.pc, LaneMask(entry.exec));
        let instr = self.kernel.instr(pc);
        let context = &self.warps[w].context;
        let Some(index) = entry.access else {
            return Err(self.protocol(tag, format!("T{tag} has no place in the load-store unit")));
        };
        let a = &mut self.lsu.accesses[usize::from(index)];
        a.ready = true;
        a.next = 0;
        a.transactions.clear();
        a.texels = None;
        if matches!(instr.op, Op::Tex { .. }) {
            let mut texels = Box::<Texels>::default();
            if let Err(error) = plan_texels(instr, sources, context, exec, &mut texels) {
                let place = self.place(w, pc);
                return Err(SmError::Execution { cycle: self.cycle, place, reason: error.to_string() });
            }
            a.spaces = AccessSpaces { global: exec, ..AccessSpaces::default() };
            a.addresses = texels.addresses[0];
            a.elements = 0;
            coalesce_texels(&texels, exec, &mut a.transactions);
            a.texels = Some(texels);
        } else {
            if !matches!(instr.op, Op::Traced(_)) {
                a.spaces = addresses(instr, sources, context, exec, &mut a.addresses);
                a.elements = store_data(instr, sources, context, &mut a.stored);
            }
            coalesce(&a.spaces, &a.addresses, 1 << size_log2(a, &instr.op), &mut a.transactions);
        }
        if self.held.shared
            && !a.spaces.shared.is_empty()
            && let Op::Atom { op, ty, .. } = instr.op
            && atomic_code(op, ty).is_none()
        {
            let reason = format!(
                "off-chip shared memory has no atomic {op:?} of type {ty:?}; designs with shared memory on chip, such as \
                 baseline, have it"
            );
            return Err(SmError::Unsupported { cycle: self.cycle, place: self.place(w, pc), reason });
        }
        let a = &mut self.lsu.accesses[usize::from(index)];
        a.unperformed = (a.spaces.global | a.spaces.shared | a.spaces.local).0;
        // What a design holds of shared memory is performed lane by lane.
        let held = self.held.shared;
        let apart = a.transactions.iter().filter(|t| !held || t.space != space::SHARED);
        a.to_perform = apart.map(|t| t.mask.count_ones() as usize).sum();
        let entry = self.slab.get_mut(tag);
        entry.responses_left = a.transactions.len() as u16;
        entry.spaces = a.spaces;
        if self.below.is_some()
            && let Some(texels) = &a.texels
        {
            entry.fetch = Some(Box::new(Fetch::new((**texels).clone(), size_log2(a, &instr.op))));
        }
        Ok(())
    }

    /// Queues the oldest accesses of a warp, up to the first that still lacks its operands.
    fn queue_accesses(&mut self, w: usize) {
        while let Some(&index) = self.warps[w].memory_order.front() {
            let access = &self.lsu.accesses[usize::from(index)];
            if !access.ready {
                return;
            }
            self.warps[w].memory_order.pop_front();
            if access.transactions.is_empty() {
                let tag = access.tag;
                self.slab.get_mut(tag).access = None;
                self.lsu.release(index);
                self.dependences.performed(w);
                self.units.execute(tag, None, 1, self.cycle);
            } else {
                self.lsu.queue.push_back(index);
            }
        }
    }

    /// Memory: lanes that are performed in this cycle. Here alone an SM uses global memory.
    pub(crate) fn access_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        self.follow_lines(observer)?;
        let performed = self.memory.out().performed;
        if performed.valid { self.perform(performed.tag, performed.mask, observer) } else { Ok(()) }
    }

    /// Memory: responses of this cycle, then one request.
    pub(crate) fn memory_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let out = *self.memory.out();
        if out.response.valid && !self.take_release(out.response.tag) {
            let tag = out.response.tag;
            let entry = self.slab.get_mut(tag);
            if entry.responses_left == 0 {
                return Err(self.protocol(tag, format!("memory answered T{tag}, which awaits no answer")));
            }
            entry.responses_left -= 1;
            self.progress();
            let (cycle, path) = (Cycle(self.cycle), self.memory.times());
            let result = observer.answered(&AnsweredEvent { cycle, tag: Tag(tag), path });
            self.stop(result)?;
            if self.below.is_some() && !out.response.store {
                self.take_loaded(tag, &out.response);
            }
            if self.slab.get(tag).responses_left == 0 {
                self.complete(tag, observer)?;
            }
        }
        if out.request_ready && !self.send_release() && !self.lsu.queue.is_empty() {
            self.send_request();
        }
        self.lower_stage()
    }

    /// What was read in memory that the design holds is what the design, or for a global atomic L2, answers.
    fn take_loaded(&mut self, tag: u16, response: &MemResponse) {
        let entry = self.slab.get_mut(tag);
        let (mask, data) = (response.mask, &self.memory.data().response);
        let shared = mask & entry.spaces.shared.0 != 0;
        if if shared { !self.held.shared } else { !self.held.cached } {
            return;
        }
        match self.kernel.instr(entry.pc).op {
            Op::Ld { ty, vector, .. } => {
                let word = (mask & entry.spaces.local.0 != 0).then_some(response.part);
                loaded(entry, (ty, vector), mask, word, data);
            }
            Op::Tex { .. } => {
                let Some(fetch) = &mut entry.fetch else { return };
                fetch.take(response.part, mask, data);
                if entry.responses_left == 0 {
                    fetch.finish(entry.exec, &mut entry.out.values);
                    entry.fetch = None;
                }
            }
            Op::Atom { ty, .. } if shared => loaded(entry, (ty, 1), mask, None, data),
            Op::Atom { .. } => {
                let found = self.below.as_mut().map(|below| below.found(tag, mask)).unwrap_or_default();
                for (lane, (low, high)) in found {
                    entry.out.values[0][lane] = low;
                    entry.out.values[1][lane] = high;
                }
            }
            _ => {}
        }
    }
}
