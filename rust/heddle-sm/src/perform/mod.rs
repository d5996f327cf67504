//! The point at which lanes of an access read and write functional memory.

mod memories;

use heddle_isa::texture::sample;
use heddle_isa::{AccessError, AtomicOp, Op, Pc, Type, atomic, load_extend};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, LINE_BYTES, LaneData, LaneMask, Tag, WarpSlot};

pub use self::memories::reads_through_l1;
use self::memories::{Memories, Where, place_of};
use crate::below::{Atomic, AtomicLane};
use crate::error::SmError;
use crate::inflight::InFlight;
use crate::lsu::Access;
use crate::lsu::{kind_of, size_log2};
use crate::observer::{Observer, PerformedEvent};
use crate::sm::Sm;

/// A lane whose access was refused.
type Refused = (usize, AccessError);

fn aligned(access: &Access, lanes: LaneMask, bytes: u32) -> Result<(), Refused> {
    match lanes.lanes().find(|&l| !access.addresses[l].is_multiple_of(u64::from(bytes))) {
        Some(lane) => Err((lane, AccessError::Misaligned { address: access.addresses[lane], bytes })),
        None => Ok(()),
    }
}

/// Loads 32-bit words of lanes that all access shared memory, or global memory within one buffer; false
/// if that is not so, and the lanes must be looked at one by one.
fn load_words(m: &Memories<'_>, access: &Access, lanes: LaneMask, offset: u64, out: &mut LaneData) -> bool {
    let (bytes, base) = if (lanes & !access.spaces.shared).is_empty() {
        (m.spaces.shared(m.cta_slot), offset.wrapping_neg())
    } else if (lanes & !access.spaces.global).is_empty() {
        let addresses = || lanes.lanes().map(|lane| access.addresses[lane]);
        let (Some(first), Some(last)) = (addresses().min(), addresses().max()) else { return false };
        let (Ok(start), Ok(len)) = (u32::try_from(first + offset), u32::try_from(last - first + 4)) else {
            return false;
        };
        let Ok(bytes) = m.global.read_bytes(start, len) else { return false };
        match m.view.as_ref().filter(|_| m.cached).and_then(|view| view.line(first + offset)) {
            Some(line) => (&line[..], (first + offset) / LINE_BYTES as u64 * LINE_BYTES as u64 - offset),
            None => (bytes, first),
        }
    } else {
        return false;
    };
    lanes.lanes().all(|lane| {
        let at = access.addresses[lane].wrapping_sub(base) as usize;
        match bytes.get(at..at.saturating_add(4)) {
            Some(&[a, b, c, d]) => {
                out[lane] = u32::from_le_bytes([a, b, c, d]);
                true
            }
            _ => false,
        }
    })
}

fn load_lanes(
    m: &Memories<'_>,
    access: &Access,
    lanes: LaneMask,
    (ty, vector): (Type, u8),
    entry: &mut InFlight,
) -> Result<(), Refused> {
    let (bytes, words) = (ty.bytes(), ty.words());
    for element in 0..usize::from(vector) {
        let slot = element * words;
        let offset = element as u64 * u64::from(bytes);
        if bytes == 4
            && let Some(value) = entry.out.values.get_mut(slot)
            && load_words(m, access, lanes, offset, value)
        {
            continue;
        }
        for lane in lanes.lanes() {
            let address = access.addresses[lane] + offset;
            let raw = m.load(place_of(access, lane), lane, address, bytes).map_err(|e| (lane, e))?;
            let (low, high) = load_extend(ty, raw);
            if let Some(value) = entry.out.values.get_mut(slot) {
                value[lane] = low;
            }
            if words == 2
                && let Some(value) = entry.out.values.get_mut(slot + 1)
            {
                value[lane] = high;
            }
        }
    }
    Ok(())
}

fn store_lanes(m: &mut Memories<'_>, access: &Access, lanes: LaneMask, ty: Type) -> Result<(), Refused> {
    let bytes = ty.bytes();
    for element in 0..access.elements {
        for lane in lanes.lanes() {
            let address = access.addresses[lane] + element as u64 * u64::from(bytes);
            let value = access.stored[element][lane];
            m.store(place_of(access, lane), lane, address, bytes, value).map_err(|e| (lane, e))?;
        }
    }
    Ok(())
}

/// Lane by lane, lowest first, each indivisibly.
fn atomic_lanes(
    m: &mut Memories<'_>,
    access: &Access,
    lanes: LaneMask,
    (op, ty): (AtomicOp, Type),
    entry: &mut InFlight,
) -> Result<(), Refused> {
    let bytes = ty.bytes();
    for lane in lanes.lanes() {
        let (place, address) = (place_of(access, lane), access.addresses[lane]);
        let old = m.load(place, lane, address, bytes).map_err(|e| (lane, e))?;
        let new = atomic(op, ty, old, access.stored[0][lane], access.stored[1][lane]);
        m.store(place, lane, address, bytes, new).map_err(|e| (lane, e))?;
        let (low, high) = load_extend(ty, old);
        entry.out.values[0][lane] = low;
        entry.out.values[1][lane] = high;
    }
    Ok(())
}

/// Whether an access that is about to be performed changes global or shared memory.
fn changes(m: &Memories<'_>, access: &Access, lanes: LaneMask, op: &Op) -> bool {
    let (ty, elements) = match *op {
        Op::St { ty, vector, .. } => (ty, usize::from(vector)),
        Op::Atom { ty, .. } => (ty, 1),
        _ => return false,
    };
    let bytes = ty.bytes();
    (lanes & !access.spaces.local).lanes().any(|lane| {
        (0..elements).any(|element| {
            let address = access.addresses[lane] + element as u64 * u64::from(bytes);
            let Ok(old) = m.load(place_of(access, lane), lane, address, bytes) else { return false };
            let stored = access.stored[element][lane];
            match *op {
                Op::Atom { op, ty, .. } => atomic(op, ty, old, stored, access.stored[1][lane]) != old,
                _ => stored != old,
            }
        })
    })
}

/// The lanes of an atomic as L2 is to carry them out.
fn atomic_at_l2(access: &Access, lanes: LaneMask, (op, ty): (AtomicOp, Type)) -> Atomic {
    let lane = |lane: usize| AtomicLane {
        lane,
        address: access.addresses[lane] as u32,
        operands: [access.stored[0][lane], access.stored[1][lane]],
    };
    Atomic { tag: access.tag, op, ty, lanes: lanes.lanes().map(lane).collect() }
}

/// The filtered texels of each lane.
fn fetch_lanes(
    m: &Memories<'_>,
    access: &Access,
    lanes: LaneMask,
    entry: &mut InFlight,
) -> Result<(), Refused> {
    let Some(texels) = &access.texels else { return Ok(()) };
    for lane in lanes.lanes() {
        let read = |address, bytes| m.load(Where::Global, lane, address, bytes).map(|raw| raw as u32);
        let result = sample(texels, lane, read).map_err(|e| (lane, e))?;
        for (slot, value) in entry.out.values.iter_mut().zip(result) {
            slot[lane] = value;
        }
    }
    Ok(())
}

impl<P: FirstLevelPort> Sm<P> {
    /// Lanes `mask` of instruction `tag` take their place in the memory order.
    pub(crate) fn perform<O: Observer>(
        &mut self,
        tag: u16,
        mask: u32,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get_mut(tag);
        let Some(index) = entry.access else {
            return Err(self.protocol(tag, format!("memory performed T{tag}, which has no access under way")));
        };
        let access = &mut self.lsu.accesses[usize::from(index)];
        // A wide local access and a texture fetch are several requests and are performed with the first
        // of them, and each request may be performed in parts; any other lane is performed once.
        let several = if access.texels.is_some() { u32::MAX } else { access.spaces.local.0 };
        let again = mask & !access.unperformed & !several;
        if again != 0 {
            return Err(self.protocol(tag, format!("memory performed lanes {again:#010x} of T{tag} twice")));
        }
        if !self.held.shared || mask & access.spaces.shared.0 == 0 {
            let Some(left) = access.to_perform.checked_sub(mask.count_ones() as usize) else {
                return Err(self.protocol(tag, format!("memory performed T{tag} once too often")));
            };
            access.to_perform = left;
        }
        let lanes = LaneMask(mask & access.unperformed);
        access.unperformed &= !mask;
        let (w, pc) = (usize::from(entry.warp), entry.pc);
        let warp = &self.warps[w];
        if !lanes.is_empty() {
            let op = &self.kernel.instr(pc).op;
            let mut memories = Memories {
                global: &mut self.global,
                view: self.l1_view.as_deref_mut(),
                cached: reads_through_l1(op),
                spaces: &mut self.spaces,
                cta_slot: usize::from(warp.cta_slot),
                warp: w,
            };
            if let Some(lane) = memories.not_held(access, lanes, op) {
                let what = format!(
                    "T{tag} is answered {:#x} by Heddle's L1, which does not hold it: not the kernel's fault",
                    access.addresses[lane]
                );
                return Err(self.protocol(tag, what));
            }
            let changes = self.watchdog.is_watching() && changes(&memories, access, lanes, op);
            let result = match *op {
                Op::Ld { ty, vector, .. } => aligned(access, lanes, ty.bytes() * u32::from(vector))
                    .and_then(|()| load_lanes(&memories, access, lanes, (ty, vector), entry)),
                Op::St { ty, vector, .. } => aligned(access, lanes, ty.bytes() * u32::from(vector))
                    .and_then(|()| store_lanes(&mut memories, access, lanes, ty)),
                Op::Atom { op, ty, .. } => atomic_lanes(&mut memories, access, lanes, (op, ty), entry),
                Op::Tex { .. } => fetch_lanes(&memories, access, lanes, entry),
                _ => Ok(()),
            };
            if let Err(refused) = result {
                return Err(self.refused(w, pc, index, refused));
            }
            if changes {
                self.watchdog.changed(self.cycle);
            } else if let Some(lane) = (lanes & !access.spaces.local).lanes().next()
                && !matches!(op, Op::St { .. })
            {
                self.watchdog.reads(w, access.addresses[lane]);
            }
            if self.traffic.is_none()
                && let Some(below) = &mut self.below
                && let Op::Atom { op, ty, .. } = self.kernel.instr(pc).op
            {
                let global = lanes & access.spaces.global;
                if !global.is_empty() {
                    below.atomic(atomic_at_l2(access, global, (op, ty)));
                }
            }
            let op = &self.kernel.instr(pc).op;
            let (kind, bytes) = (kind_of(op), 1 << size_log2(access, op));
            let shared = lanes & access.spaces.shared;
            if !shared.is_empty() {
                let (slot, now) = (warp.cta_slot, self.cycle);
                self.counters.shared_performed(slot, now, (kind, bytes), shared, &access.addresses);
            }
            let stores = matches!(self.kernel.instr(pc).op, Op::St { .. });
            let event = PerformedEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                cta: warp.cta,
                warp_in_cta: warp.warp_in_cta,
                slot: WarpSlot(w as u8),
                pc,
                lanes,
                shared,
                local: lanes & access.spaces.local,
                kind,
                bytes,
                addresses: &access.addresses,
                texels: access.texels.as_deref(),
                stored_elements: if stores { access.elements } else { 0 },
                stored: &access.stored,
                loaded: &entry.out.values,
            };
            let result = observer.performed(&event);
            self.stop(result)?;
            self.expect_traffic(index, pc, lanes);
            if self.lsu.accesses[usize::from(index)].unperformed == 0 {
                self.dependences.performed(w);
            }
        }
        if self.lsu.is_over(index) {
            self.slab.get_mut(tag).access = None;
            self.lsu.release(index);
        }
        self.progress();
        Ok(())
    }

    #[cold]
    fn refused(&self, w: usize, pc: Pc, index: u8, (lane, error): Refused) -> SmError {
        let space = match place_of(&self.lsu.accesses[usize::from(index)], lane) {
            Where::Global => "global",
            Where::Shared => "shared",
            Where::Local => "local",
        };
        let tid = &self.warps[w].context.tid;
        let thread = [tid[0][lane], tid[1][lane], tid[2][lane]];
        SmError::Access { cycle: self.cycle, place: self.place(w, pc), thread, space, error }
    }
}
