//! What the L1s of many SMs may hold of global memory, and what a load may find there.
//!
//! An L1 is not coherent with the others: a load that finds its line reads what the line was when the L1 took it, with what its
//! own SM has stored since. The machine under test says when its L1s take lines and when lines leave; what those hold is
//! this machine's own memory of that moment. A load of a line that its L1 cannot hold is refused, and so is one after a fence that was to
//! drop all lines and did not.

use heddle_isa::exec::load_extend;
use heddle_isa::{CacheOp, DeviceMemory, FenceLevel, Op};
use heddle_port::{LINE_BYTES, LaneMask, LineBytes};
use rustc_hash::FxHashMap;

use crate::env::Env;
use crate::error::GoldenError;
use crate::expected::Expected;
use crate::site::AccessKind;

/// Bytes of a sector.
const SECTOR: usize = 32;

/// What happened to the lines of an L1. A line is a number, byte address / 128; lines leave before one is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineChanges<'a> {
    /// All lines of global memory left.
    pub emptied: bool,
    /// Lines that left.
    pub left: &'a [u32],
    /// A line of which the L1 takes bytes, one bit each.
    pub taken: Option<(u32, LineBytes)>,
}

/// A line as its L1 took it.
#[derive(Debug, Clone)]
struct Line {
    /// Its bytes that are held.
    held: LineBytes,
    /// By sector: how many fences its SM had passed when the oldest of its bytes was taken.
    taken: [u64; LINE_BYTES / SECTOR],
    bytes: [u8; LINE_BYTES],
}

impl Line {
    const EMPTY: Self = Self { held: 0, taken: [0; LINE_BYTES / SECTOR], bytes: [0; LINE_BYTES] };

    /// Takes bytes of line `number` as `memory` has them, after so many fences of its SM.
    fn take(&mut self, number: u32, bytes: LineBytes, fences: u64, memory: &DeviceMemory) {
        let start = u64::from(number) * LINE_BYTES as u64;
        let sectors = self.bytes.chunks_mut(SECTOR).zip(&mut self.taken);
        for (sector, (line, taken)) in sectors.enumerate() {
            let of_sector = LineBytes::from(u32::MAX) << (SECTOR * sector);
            if of_sector & bytes == 0 {
                continue;
            }
            if of_sector & self.held & !bytes == 0 {
                *taken = fences;
            }
            let first = SECTOR * sector;
            for (byte, at) in line.iter_mut().zip(first..).filter(|(_, at)| bytes >> at & 1 != 0) {
                *byte = memory.load(start + at as u64, 1).map_or(0, |byte| byte as u8);
            }
        }
        self.held |= bytes;
    }
}

/// An L1.
#[derive(Debug, Clone, Default)]
struct L1 {
    lines: FxHashMap<u32, Line>,
    /// Fences that drop all lines, passed by warps of its SM.
    fences: u64,
}

/// The L1s of all SMs.
#[derive(Debug, Clone)]
pub(crate) struct L1Views {
    sms: Vec<L1>,
    /// A fence of GPU or system scope drops all lines of its SM, and a strong load its line.
    fences_drop: bool,
}

/// Whether a load may find its line in the L1.
fn is_cached(op: &Op) -> bool {
    matches!(op, Op::Ld { cache, .. } if !matches!(cache, CacheOp::Cg | CacheOp::Cv | CacheOp::Volatile))
}

/// Whether a load is strong: volatile, relaxed, acquire.
fn is_strong(op: &Op) -> bool {
    matches!(op, Op::Ld { cache: CacheOp::Volatile, .. })
}

/// Line of an access, whose address is a multiple of its size, and its bytes there.
fn place(address: u64, bytes: u32) -> (u32, std::ops::Range<usize>) {
    let first = (address % LINE_BYTES as u64) as usize;
    ((address / LINE_BYTES as u64) as u32, first..first + bytes as usize)
}

impl L1Views {
    pub fn new(sms: usize, fences_drop: bool) -> Self {
        Self { sms: vec![L1::default(); sms], fences_drop }
    }

    /// A warp of SM `sm` passes an instruction: how many fences its SM has passed, where this is one that drops all lines.
    pub fn pass(&mut self, sm: usize, op: &Op) -> Option<u64> {
        let drops = self.fences_drop && matches!(op, Op::Fence { level } if *level != FenceLevel::Cta);
        let l1 = self.sms.get_mut(sm).filter(|_| drops)?;
        l1.fences += 1;
        Some(l1.fences)
    }

    /// Follows the L1 of an SM.
    pub fn change(&mut self, sm: usize, changes: LineChanges<'_>, memory: &DeviceMemory) {
        let Some(L1 { lines, fences }) = self.sms.get_mut(sm) else { return };
        if changes.emptied {
            lines.clear();
        }
        for line in changes.left {
            lines.remove(line);
        }
        let Some((number, bytes)) = changes.taken else { return };
        lines.entry(number).or_insert(Line::EMPTY).take(number, bytes, *fences, memory);
    }

    /// The access of `lanes`, which has been performed on `memory`, at the L1 of SM `sm`: what loads find is what the L1 holds.
    /// `fences`: what was taken before so many fences of the SM the warp may not find.
    pub fn performed(
        &mut self,
        (sm, fences): (usize, u64),
        env: &Env,
        memory: &DeviceMemory,
        e: &mut Expected,
        lanes: LaneMask,
    ) -> Result<(), GoldenError> {
        let Some(L1 { lines, .. }) = self.sms.get_mut(sm) else { return Ok(()) };
        let decoded = &env.decoded[e.pc.index()];
        let op = &env.program.instrs[e.pc.index()].op;
        let (bytes, words) = (decoded.bytes, usize::from(decoded.words));
        let global = e.spaces.global & lanes;
        for lane in global.lanes() {
            for element in 0..usize::from(decoded.elements) {
                let address = e.addresses[lane].wrapping_add(element as u64 * u64::from(bytes));
                match e.kind {
                    AccessKind::Load if is_cached(op) => {
                        let at = || env.site(e.cta, e.warp_in_cta, Some(lane), e.pc);
                        let (found, taken) = load(lines, address, bytes)
                            .ok_or_else(|| GoldenError::NotHeld { at: at(), address })?;
                        if taken < fences {
                            return Err(GoldenError::KeptLines { at: at() });
                        }
                        let Op::Ld { ty, .. } = op else { continue };
                        if memory.load(address, bytes) != Ok(found) {
                            e.stale = e.stale | LaneMask(1 << lane);
                        }
                        let (low, high) = load_extend(*ty, found);
                        e.results.values[element * words][lane] = low;
                        if words == 2 {
                            e.results.values[element * words + 1][lane] = high;
                        }
                    }
                    AccessKind::Store => {
                        let (line, at) = place(address, bytes);
                        if let Some(to) = lines.get_mut(&line).and_then(|line| line.bytes.get_mut(at))
                            && let Ok(value) = memory.load(address, bytes)
                        {
                            to.copy_from_slice(&value.to_le_bytes()[..bytes as usize]);
                        }
                    }
                    AccessKind::Atomic => {
                        lines.remove(&place(address, bytes).0);
                    }
                    AccessKind::Load if self.fences_drop && is_strong(op) => {
                        lines.remove(&place(address, bytes).0);
                    }
                    AccessKind::Load | AccessKind::None => {}
                }
            }
        }
        Ok(())
    }
}

/// What the lines hold of an access, if they hold it, and how many fences its SM had passed when they took it. An access is in one
/// sector.
fn load(lines: &FxHashMap<u32, Line>, address: u64, bytes: u32) -> Option<(u64, u64)> {
    let (line, at) = place(address, bytes);
    let read = ((1 << bytes) - 1) << at.start;
    let line = lines.get(&line).filter(|line| read & !line.held == 0)?;
    let taken = *line.taken.get(at.start / SECTOR)?;
    let value = line.bytes.get(at)?.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    Some((value, taken))
}
