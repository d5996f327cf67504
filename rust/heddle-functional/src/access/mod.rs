//! Memory accesses: reads and writes of global, shared and local memory, lane by lane in ascending
//! order. Where lanes of one store write the same byte, the highest lane's value stays.

mod refused;

use heddle_isa::exec::{atomic, load_extend};
use heddle_isa::{AccessError, AtomicOp, DeviceMemory, Op, Space, Type};
use heddle_port::LaneMask;

use crate::cta::Cta;
use crate::decode::Decoded;
use crate::env::Env;
use crate::error::GoldenError;
use crate::expected::Expected;
use crate::fetch;
use crate::race::{Accessor, Conflict};
use crate::site::AccessKind;

/// Why a lane's access fails.
enum Fault {
    OutOfBounds,
    Misaligned,
    /// The name of the region.
    ReadOnly(String),
    Uninitialised,
    Race(Conflict),
}

/// The memories that lanes of one warp access, and what is accessed how.
struct Unit<'a> {
    env: &'a Env,
    cta: &'a mut Cta,
    memory: &'a mut DeviceMemory,
    decoded: &'a Decoded,
    ty: Type,
    operation: Option<AtomicOp>,
}

impl Unit<'_> {
    /// Offset of a lane's local address, if it is inside.
    fn local(&self, warp: usize, lane: usize, address: u64) -> Option<usize> {
        let bytes = u64::from(self.decoded.bytes);
        let inside = address.checked_add(bytes)? <= u64::from(self.env.program.local_bytes);
        let at = address + u64::from(self.cta.warps[warp].local_stride) * lane as u64;
        usize::try_from(at).ok().filter(|_| inside)
    }

    /// Loads one element; whether a byte without value is an error is the space's check.
    #[inline]
    fn load(&self, space: Space, warp: usize, lane: usize, address: u64) -> Result<u64, Fault> {
        let bytes = self.decoded.bytes;
        let checks = &self.env.checks;
        let (read, check) = match space {
            Space::Shared => {
                let region = &self.cta.shared;
                let offset = region.offset(address, bytes);
                (offset.and_then(|o| region.read(o, bytes)), checks.uninitialised_shared)
            }
            Space::Local => (
                self.local(warp, lane, address).and_then(|o| self.cta.warps[warp].local.read(o, bytes)),
                checks.uninitialised_local,
            ),
            _ => (self.memory.load_checked(address, bytes).ok(), checks.uninitialised_global),
        };
        match read {
            Some((_, false)) if check => Err(Fault::Uninitialised),
            Some((value, _)) => Ok(value),
            None => Err(Fault::OutOfBounds),
        }
    }

    #[inline]
    fn store(
        &mut self,
        space: Space,
        warp: usize,
        lane: usize,
        address: u64,
        value: u64,
    ) -> Result<(), Fault> {
        let bytes = self.decoded.bytes;
        let written = match space {
            Space::Shared => {
                let region = &mut self.cta.shared;
                let offset = region.offset(address, bytes);
                offset.and_then(|o| region.write(o, bytes, value))
            }
            Space::Local => self
                .local(warp, lane, address)
                .and_then(|o| self.cta.warps[warp].local.write(o, bytes, value)),
            _ => match self.memory.store(address, bytes, value) {
                Err(AccessError::ReadOnly { buffer, .. }) => return Err(Fault::ReadOnly(buffer)),
                other => other.ok(),
            },
        };
        written.ok_or(Fault::OutOfBounds)
    }

    /// All elements of one lane.
    fn lane(&mut self, e: &mut Expected, space: Space, lane: usize) -> Result<(), (u64, Fault)> {
        let warp = e.warp_in_cta as usize;
        let base = e.addresses[lane];
        let bytes = u64::from(self.decoded.bytes);
        let elements = usize::from(self.decoded.elements);
        if base & (bytes * elements as u64 - 1) != 0 {
            return Err((base, Fault::Misaligned));
        }
        if space == Space::Shared
            && let Some(races) = &mut self.cta.races
        {
            let by = Accessor { warp: e.warp_in_cta, lane, pc: e.pc, kind: e.kind, phase: e.phase };
            let whole = self.decoded.bytes * u32::from(self.decoded.elements);
            let shared = &self.cta.shared.data;
            let same = |at: u64, length: u32| {
                let byte = |at: u64| {
                    let (element, place) = ((at - base) / bytes, (at - base) % bytes);
                    let stored = e.stored.get(element as usize).map(|lanes| lanes[lane] >> (8 * place));
                    stored.zip(shared.get(at as usize)).is_some_and(|(stored, &there)| stored as u8 == there)
                };
                (at..at + u64::from(length)).all(byte)
            };
            if let Some(conflict) = races.access(base, whole, by, same) {
                return Err((base, Fault::Race(conflict)));
            }
        }
        for element in 0..elements {
            let address = base.wrapping_add(element as u64 * bytes);
            let fail = |fault| (address, fault);
            match e.kind {
                AccessKind::None => {}
                AccessKind::Load => {
                    let raw = self.load(space, warp, lane, address).map_err(fail)?;
                    self.result(e, lane, element, raw);
                }
                AccessKind::Store => {
                    let value = e.stored[element][lane];
                    self.store(space, warp, lane, address, value).map_err(fail)?;
                }
                AccessKind::Atomic => {
                    let old = self.load(space, warp, lane, address).map_err(fail)?;
                    if let Some(op) = self.operation {
                        let value = atomic(op, self.ty, old, e.stored[0][lane], e.stored[1][lane]);
                        self.cta.changes += u64::from(value != old);
                        self.store(space, warp, lane, address, value).map_err(fail)?;
                    }
                    self.result(e, lane, element, old);
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn result(&self, e: &mut Expected, lane: usize, element: usize, raw: u64) {
        let words = usize::from(self.decoded.words);
        let (low, high) = load_extend(self.ty, raw);
        e.results.values[element * words][lane] = low;
        if words == 2 {
            e.results.values[element * words + 1][lane] = high;
        }
    }

    /// Loads or stores of one 4-byte element per lane in one region of global memory; `false` when it
    /// is not such an access or a lane of it fails, with nothing done that doing it again lane by lane would not
    /// do.
    fn global_words(&mut self, e: &mut Expected, lanes: LaneMask) -> bool {
        let plain = self.decoded.bytes == 4 && self.decoded.elements == 1;
        let Some(first) = lanes.lanes().next().filter(|_| plain) else {
            return false;
        };
        let Some(index) = self.memory.region_at(e.addresses[first]) else {
            return false;
        };
        let Some(region) = self.memory.region_mut(index) else {
            return false;
        };
        if e.kind == AccessKind::Store {
            return region.write_words(&e.addresses, lanes, &e.stored[0]).is_some();
        }
        region
            .read_words(&e.addresses, lanes, &mut e.results.values[0])
            .is_some_and(|written| written || !self.env.checks.uninitialised_global)
    }

    /// Loads or stores of one 4-byte element per lane, all in shared memory, judged for races; `false`
    /// when it is not such an access or a lane of it fails, with nothing done that doing it again lane
    /// by lane would not do.
    fn shared_words(&mut self, e: &mut Expected, lanes: LaneMask) -> bool {
        if self.decoded.bytes != 4 || self.decoded.elements != 1 {
            return false;
        }
        if let Some(races) = &mut self.cta.races {
            let by = Accessor { warp: e.warp_in_cta, lane: 0, pc: e.pc, kind: e.kind, phase: e.phase };
            let shared = &self.cta.shared.data;
            let same = |lane: usize, at: u64, length: u32| {
                let (at, base, length) = (at as usize, e.addresses[lane] as usize, length as usize);
                let word = e.stored[0][lane].to_le_bytes();
                // Of an address that is not aligned, which fails afterwards, the cell begins before it.
                let new = at.checked_sub(base).and_then(|skip| word.get(skip..skip + length));
                new.is_some() && new == shared.get(at..at + length)
            };
            if !races.access_words(&e.addresses, lanes, by, same) {
                return false;
            }
        }
        let region = &mut self.cta.shared;
        if e.kind == AccessKind::Store {
            return region.write_words(&e.addresses, lanes, &e.stored[0]).is_some();
        }
        region
            .read_words(&e.addresses, lanes, &mut e.results.values[0])
            .is_some_and(|written| written || !self.env.checks.uninitialised_shared)
    }
}

/// Performs the access of `lanes`, which are lanes of `e.exec` not performed before.
pub(crate) fn perform(
    env: &Env,
    cta: &mut Cta,
    memory: &mut DeviceMemory,
    e: &mut Expected,
    lanes: LaneMask,
) -> Result<(), GoldenError> {
    let decoded = &env.decoded[e.pc.index()];
    let (ty, operation) = match env.program.instrs[e.pc.index()].op {
        Op::Ld { ty, .. } | Op::St { ty, .. } => (ty, None),
        Op::Atom { ty, op, .. } => (ty, Some(op)),
        Op::Tex { .. } => return fetch::perform(env, memory, e, lanes),
        _ => return Ok(()),
    };
    let mut unit = Unit { env, cta, memory, decoded, ty, operation };
    let first = e.performed.is_empty();
    e.performed = e.performed | lanes;
    let global = e.spaces.global & lanes;
    if operation.is_none() && global == lanes && unit.global_words(e, lanes) {
        return Ok(());
    }
    if first
        && e.kind == AccessKind::Store
        && unit.cta.races.is_some()
        && let Some((a, b)) = colliding_lanes(e, decoded)
    {
        return Err(GoldenError::Race {
            at: env.site(e.cta, e.warp_in_cta, Some(b), e.pc),
            kind: e.kind,
            other: env.site(e.cta, e.warp_in_cta, Some(a), e.pc),
            other_kind: e.kind,
            address: e.addresses[a].max(e.addresses[b]),
        });
    }
    if operation.is_none() && e.spaces.shared & lanes == lanes && unit.shared_words(e, lanes) {
        return Ok(());
    }
    for lane in lanes.lanes() {
        let Some(space) = e.spaces.of_lane(lane) else {
            continue;
        };
        if let Err((address, fault)) = unit.lane(e, space, lane) {
            return Err(unit.error(e, space, lane, address, fault));
        }
    }
    Ok(())
}

/// Whether `e`, a store that is about to be performed, changes a byte of global or shared memory. One that is
/// refused changes none.
pub(crate) fn store_changes(env: &Env, cta: &Cta, memory: &DeviceMemory, e: &Expected) -> bool {
    let decoded = &env.decoded[e.pc.index()];
    let bytes = decoded.bytes;
    let read = |space: Space, address: u64| match space {
        Space::Shared => cta.shared.offset(address, bytes).and_then(|o| cta.shared.read(o, bytes)),
        _ => memory.load_checked(address, bytes).ok(),
    };
    let lanes = (e.spaces.global | e.spaces.shared) & e.exec;
    lanes.lanes().any(|lane| {
        let Some(space) = e.spaces.of_lane(lane) else { return false };
        (0..usize::from(decoded.elements)).any(|element| {
            let address = e.addresses[lane].wrapping_add(element as u64 * u64::from(bytes));
            read(space, address).is_some_and(|(old, _)| old != e.stored[element][lane])
        })
    })
}

/// Two lanes of a shared store whose bytes overlap and whose values are not the same.
fn colliding_lanes(e: &Expected, decoded: &Decoded) -> Option<(usize, usize)> {
    let lanes = e.spaces.shared;
    let size = u64::from(decoded.bytes) * u64::from(decoded.elements);
    let mut last = None;
    let ascending = lanes.lanes().all(|lane| {
        let above = last.is_none_or(|l: usize| e.addresses[lane] >= e.addresses[l] + size);
        last = Some(lane);
        above
    });
    if ascending {
        return None;
    }
    let elements = usize::from(decoded.elements);
    for b in lanes.lanes() {
        for a in lanes.lanes().take_while(|&a| a < b) {
            let (x, y) = (e.addresses[a], e.addresses[b]);
            let equal = x == y && (0..elements).all(|i| e.stored[i][a] == e.stored[i][b]);
            if x < y + size && y < x + size && !equal {
                return Some((a, b));
            }
        }
    }
    None
}
