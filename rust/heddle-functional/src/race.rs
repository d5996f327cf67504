//! Races on shared memory.
//!
//! Two accesses of different warps to the same byte between two barriers of the CTA race when at
//! least one writes and not both are atomic. Accesses of one warp by different instructions are
//! ordered by lock-step and are not reported. Lanes of one store that write the same byte race when
//! they write different values; equal values are taken as meant.

use heddle_isa::Pc;
use heddle_port::{LaneMask, NUM_LANES};

use crate::error::AccessKind;

/// Marks a writer as atomic.
const ATOMIC: u8 = 0x80;

/// One access in a cell: warp + 1 (0 for none) and place.
#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    warp: u8,
    lane: u8,
    pc: u32,
}

/// What happened to a cell since the last barrier: up to two writers and readers of different warps,
/// which is enough to find one that is not the accessing warp.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    phase: u64,
    writers: [Mark; 2],
    readers: [Mark; 2],
}

/// The earlier access of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub warp: u32,
    pub lane: usize,
    pub pc: Pc,
    pub kind: AccessKind,
    /// First byte that both access.
    pub address: u64,
}

/// Who accesses, and in which barrier phase (counted from 1).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accessor {
    pub warp: u32,
    pub lane: usize,
    pub pc: Pc,
    pub kind: AccessKind,
    pub phase: u64,
}

/// Who may load a cell without a look at it, and in which phase: a load by that warp is no race and leaves
/// the cell as it is. [`ANYBODY`] stands for every warp, 0 for nobody.
type FreeLoads = u64;

/// Stands for every warp in [`FreeLoads`]; a CTA has fewer.
const ANYBODY: u8 = 0xff;

fn free_loads(phase: u64, warp: u8) -> FreeLoads {
    phase << 8 | u64::from(warp)
}

/// Race detector of one CTA's shared memory.
#[derive(Debug, Clone)]
pub(crate) struct Races {
    cells: Vec<Cell>,
    /// By cell.
    free: Vec<FreeLoads>,
    /// log2 of the bytes of a cell.
    shift: u32,
}

impl Races {
    pub fn new(bytes: u32, granule: u32) -> Self {
        let cells = bytes.div_ceil(granule) as usize;
        Self { cells: vec![Cell::default(); cells], free: vec![0; cells], shift: granule.trailing_zeros() }
    }

    /// Notes an access, and returns the earlier one that it races with.
    #[inline(never)]
    pub fn access(&mut self, address: u64, bytes: u32, by: Accessor) -> Option<Conflict> {
        let first = address >> self.shift;
        let count = (bytes >> self.shift).max(1);
        for index in first..first + u64::from(count) {
            let at = usize::try_from(index).ok()?;
            let cell = self.cells.get_mut(at)?;
            let conflict = cell.access(by);
            self.free[at] = cell.free_loads();
            if let Some((mark, kind)) = conflict {
                return Some(Conflict {
                    warp: u32::from(mark.warp & !ATOMIC) - 1,
                    lane: usize::from(mark.lane),
                    pc: Pc(mark.pc),
                    kind,
                    address: index << self.shift,
                });
            }
        }
        None
    }

    /// Notes the accesses of one word by each of `lanes`; `false` when one of them races, and then those of
    /// the lanes above it are not noted. The lane of `by` does not matter.
    #[inline]
    pub fn access_words(&mut self, addresses: &[u64; NUM_LANES], lanes: LaneMask, by: Accessor) -> bool {
        if lanes == LaneMask::ALL {
            self.access_each(addresses, 0..NUM_LANES, by)
        } else {
            self.access_each(addresses, lanes.lanes(), by)
        }
    }

    #[inline(always)]
    fn access_each(
        &mut self,
        addresses: &[u64; NUM_LANES],
        mut lanes: impl Iterator<Item = usize>,
        by: Accessor,
    ) -> bool {
        let mine = free_loads(by.phase, by.warp as u8 + 1);
        let anybody = free_loads(by.phase, ANYBODY);
        let look = by.kind == AccessKind::Load && self.shift == 2;
        lanes.all(|lane| {
            let address = addresses[lane];
            let cell = usize::try_from(address >> 2).ok().and_then(|at| self.free.get(at));
            let known = look && cell.is_some_and(|&free| free == mine || free == anybody);
            known || self.access(address, 4, Accessor { lane, ..by }).is_none()
        })
    }
}

impl Cell {
    fn free_loads(&self) -> FreeLoads {
        let [writer, _] = self.writers;
        let [reader, other] = self.readers;
        let warp = match (writer.warp, reader.warp, other.warp) {
            (0, reader, 0) => reader,
            (0, _, _) => ANYBODY,
            (writer, ..) if writer & ATOMIC != 0 => 0,
            // Whoever else comes conflicts with the writer, so further readers need no note.
            (writer, ..) => writer,
        };
        free_loads(self.phase, warp)
    }

    fn access(&mut self, by: Accessor) -> Option<(Mark, AccessKind)> {
        let me = by.warp as u8 + 1;
        let mark = Mark { warp: me, lane: by.lane as u8, pc: by.pc.0 };
        if self.phase != by.phase {
            *self = Self { phase: by.phase, ..Self::default() };
            if by.kind == AccessKind::Load {
                self.readers[0] = mark;
                return None;
            }
        }
        for writer in self.writers {
            let both_atomic = by.kind == AccessKind::Atomic && writer.warp & ATOMIC != 0;
            if writer.warp != 0 && writer.warp & !ATOMIC != me && !both_atomic {
                let kind = if writer.warp & ATOMIC != 0 { AccessKind::Atomic } else { AccessKind::Store };
                return Some((writer, kind));
            }
        }
        if by.kind == AccessKind::Load {
            note(&mut self.readers, mark);
            return None;
        }
        let other = self.readers.iter().find(|r| r.warp != 0 && r.warp != me);
        if let Some(&reader) = other {
            return Some((reader, AccessKind::Load));
        }
        if by.kind == AccessKind::Atomic {
            // A plain write of the same warp stays: it does not go with others' atomics.
            if self.writers[0].warp != me {
                note(&mut self.writers, Mark { warp: me | ATOMIC, ..mark });
            }
        } else {
            self.writers[0] = mark;
        }
        None
    }
}

/// Notes an access unless its warp is noted already or two others are.
#[inline]
fn note(marks: &mut [Mark; 2], mark: Mark) {
    for slot in marks {
        if slot.warp == mark.warp {
            return;
        }
        if slot.warp == 0 {
            *slot = mark;
            return;
        }
    }
}
