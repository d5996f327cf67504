//! The point at which lanes of an access read and write functional memory.

use heddle_isa::texture::sample;
use heddle_isa::{AccessError, AtomicOp, Op, Type, atomic, load_extend};
use heddle_port::{LINE_BYTES, LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES};

use super::Contents;
use super::below::{Atomic, AtomicLane};
use super::memories::{Memories, Owner, Where, place_of, reads_through_l1};
use crate::lsu::LaneAccess;

/// Registers that an instruction writes.
type Values = [LaneData; NUM_DESTINATIONS];

/// A lane whose access was refused.
type RefusedLane = (usize, AccessError);

/// Why lanes cannot be performed.
#[derive(Debug)]
pub enum Refused {
    /// The L1 answers an access to this address, and does not hold it.
    NotHeld(u64),
    /// The access of this lane goes where there is no memory, or is misaligned.
    Access(usize, AccessError),
}

impl From<RefusedLane> for Refused {
    fn from((lane, error): RefusedLane) -> Self {
        Self::Access(lane, error)
    }
}

fn aligned(access: &LaneAccess, lanes: LaneMask, bytes: u32) -> Result<(), RefusedLane> {
    // A size is a power of two, so no lane is misaligned where the bits of all together are not.
    let bits = access.addresses.iter().fold(0, |bits, address| bits | address);
    if bytes > 0 && bits & u64::from(bytes - 1) == 0 {
        return Ok(());
    }
    match lanes.lanes().find(|&l| !access.addresses[l].is_multiple_of(u64::from(bytes))) {
        Some(lane) => Err((lane, AccessError::Misaligned { address: access.addresses[lane], bytes })),
        None => Ok(()),
    }
}

/// Loads 32-bit words of lanes that all access shared memory, or global memory within one buffer; false
/// if that is not so, and the lanes must be looked at one by one.
fn load_words(
    m: &Memories<'_>,
    access: &LaneAccess,
    lanes: LaneMask,
    offset: u64,
    out: &mut LaneData,
) -> bool {
    let (bytes, base) = if (lanes & !access.spaces.shared).is_empty() {
        (m.spaces.shared(m.owner.cta_slot), offset.wrapping_neg())
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
    // Addresses and memories begin at whole words.
    let (words, _) = bytes.as_chunks::<4>();
    let load = |lane: usize| {
        let at = access.addresses[lane].wrapping_sub(base) as usize;
        words.get(at / 4).map(|word| out[lane] = u32::from_le_bytes(*word)).is_some()
    };
    if lanes == LaneMask::ALL { (0..NUM_LANES).all(load) } else { lanes.lanes().all(load) }
}

fn load_lanes(
    m: &Memories<'_>,
    access: &LaneAccess,
    lanes: LaneMask,
    (ty, vector): (Type, u8),
    values: &mut Values,
) -> Result<(), RefusedLane> {
    let (bytes, words) = (ty.bytes(), ty.words());
    for element in 0..usize::from(vector) {
        let slot = element * words;
        let offset = element as u64 * u64::from(bytes);
        if bytes == 4
            && let Some(value) = values.get_mut(slot)
            && load_words(m, access, lanes, offset, value)
        {
            continue;
        }
        for lane in lanes.lanes() {
            let address = access.addresses[lane] + offset;
            let raw = m.load(place_of(access, lane), lane, address, bytes).map_err(|e| (lane, e))?;
            let (low, high) = load_extend(ty, raw);
            if let Some(value) = values.get_mut(slot) {
                value[lane] = low;
            }
            if words == 2
                && let Some(value) = values.get_mut(slot + 1)
            {
                value[lane] = high;
            }
        }
    }
    Ok(())
}

fn store_lanes(
    m: &mut Memories<'_>,
    access: &LaneAccess,
    lanes: LaneMask,
    ty: Type,
) -> Result<(), RefusedLane> {
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
    access: &LaneAccess,
    lanes: LaneMask,
    (op, ty): (AtomicOp, Type),
    values: &mut Values,
) -> Result<(), RefusedLane> {
    let bytes = ty.bytes();
    for lane in lanes.lanes() {
        let (place, address) = (place_of(access, lane), access.addresses[lane]);
        let old = m.load(place, lane, address, bytes).map_err(|e| (lane, e))?;
        let new = atomic(op, ty, old, access.stored[0][lane], access.stored[1][lane]);
        m.store(place, lane, address, bytes, new).map_err(|e| (lane, e))?;
        let (low, high) = load_extend(ty, old);
        values[0][lane] = low;
        values[1][lane] = high;
    }
    Ok(())
}

/// Whether an access that is about to be performed changes global or shared memory.
fn changes(m: &Memories<'_>, access: &LaneAccess, lanes: LaneMask, op: &Op) -> bool {
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
fn atomic_at_l2(tag: u16, access: &LaneAccess, lanes: LaneMask, (op, ty): (AtomicOp, Type)) -> Atomic {
    let lane = |lane: usize| AtomicLane {
        lane,
        address: access.addresses[lane] as u32,
        operands: [access.stored[0][lane], access.stored[1][lane]],
    };
    Atomic { tag, op, ty, lanes: lanes.lanes().map(lane).collect() }
}

/// The filtered texels of each lane.
fn fetch_lanes(
    m: &Memories<'_>,
    access: &LaneAccess,
    lanes: LaneMask,
    values: &mut Values,
) -> Result<(), RefusedLane> {
    let Some(texels) = &access.texels else { return Ok(()) };
    for lane in lanes.lanes() {
        let read = |address, bytes| m.load(Where::Global, lane, address, bytes).map(|raw| raw as u32);
        let result = sample(texels, lane, read).map_err(|e| (lane, e))?;
        for (slot, value) in values.iter_mut().zip(result) {
            slot[lane] = value;
        }
    }
    Ok(())
}

impl Contents {
    /// The lanes `lanes` of an access take their place in the memory order: they read and write. Whether they
    /// change global or shared memory, where it is asked for (`watched`).
    ///
    /// # Errors
    /// A lane whose access is refused.
    pub fn perform(
        &mut self,
        (tag, op): (u16, &Op),
        access: &LaneAccess,
        lanes: LaneMask,
        owner: Owner,
        values: &mut Values,
        watched: bool,
    ) -> Result<bool, Refused> {
        let mut memories = Memories {
            global: &mut self.global,
            view: self.view.as_deref_mut(),
            cached: reads_through_l1(op),
            spaces: &mut self.spaces,
            owner,
        };
        if let Some(lane) = memories.not_held(access, lanes, op) {
            return Err(Refused::NotHeld(access.addresses[lane]));
        }
        let changed = watched && changes(&memories, access, lanes, op);
        match *op {
            Op::Ld { ty, vector, .. } => {
                aligned(access, lanes, ty.bytes() * u32::from(vector))?;
                load_lanes(&memories, access, lanes, (ty, vector), values)?;
            }
            Op::St { ty, vector, .. } => {
                aligned(access, lanes, ty.bytes() * u32::from(vector))?;
                store_lanes(&mut memories, access, lanes, ty)?;
            }
            Op::Atom { op, ty, .. } => {
                atomic_lanes(&mut memories, access, lanes, (op, ty), values)?;
                self.ask_l2(tag, access, lanes, (op, ty));
            }
            Op::Tex { .. } => fetch_lanes(&memories, access, lanes, values)?,
            _ => {}
        }
        Ok(changed)
    }

    /// An atomic of global memory that L2 carries out when its request arrives.
    fn ask_l2(&mut self, tag: u16, access: &LaneAccess, lanes: LaneMask, operation: (AtomicOp, Type)) {
        let global = lanes & access.spaces.global;
        if self.traffic.is_none()
            && !global.is_empty()
            && let Some(below) = &mut self.below
        {
            below.atomic(atomic_at_l2(tag, access, global, operation));
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_isa::AccessError;
    use heddle_port::LaneMask;

    use super::aligned;
    use crate::lsu::LaneAccess;

    #[test]
    fn the_first_misaligned_lane_is_named_and_idle_ones_do_not_count() {
        let mut access = LaneAccess::new();
        access.addresses = std::array::from_fn(|lane| 16 * lane as u64);
        assert_eq!(aligned(&access, LaneMask::ALL, 16), Ok(()));
        (access.addresses[9], access.addresses[20]) = (0x106, 0x204);
        assert_eq!(aligned(&access, LaneMask::ALL, 2), Ok(()));
        for bytes in [4, 8, 16] {
            let error = AccessError::Misaligned { address: 0x106, bytes };
            assert_eq!(aligned(&access, LaneMask::ALL, bytes), Err((9, error)));
            assert_eq!(aligned(&access, LaneMask(0xff), bytes), Ok(()));
        }
        assert_eq!(aligned(&access, LaneMask(1 << 20), 4), Ok(()));
    }
}
