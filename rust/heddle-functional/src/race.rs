//! Races on shared memory.
//!
//! Two accesses of different warps to the same byte between two barriers of the CTA race when at
//! least one writes and not both are atomic. Accesses of one warp by different instructions are
//! ordered by lock-step and are not reported. Lanes of one store that write the same byte race when
//! they write different values; equal values are taken as meant.

use heddle_isa::Pc;

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

/// Race detector of one CTA's shared memory.
#[derive(Debug, Clone)]
pub(crate) struct Races {
    cells: Vec<Cell>,
    /// log2 of the bytes of a cell.
    shift: u32,
}

impl Races {
    pub fn new(bytes: u32, granule: u32) -> Self {
        Self {
            cells: vec![Cell::default(); bytes.div_ceil(granule) as usize],
            shift: granule.trailing_zeros(),
        }
    }

    /// Notes an access, and returns the earlier one that it races with.
    #[inline]
    pub fn access(&mut self, address: u64, bytes: u32, by: Accessor) -> Option<Conflict> {
        let first = address >> self.shift;
        let count = (bytes >> self.shift).max(1);
        for index in first..first + u64::from(count) {
            let cell = self.cells.get_mut(usize::try_from(index).ok()?)?;
            if let Some((mark, kind)) = cell.access(by) {
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
}

impl Cell {
    #[inline]
    fn access(&mut self, by: Accessor) -> Option<(Mark, AccessKind)> {
        let me = by.warp as u8 + 1;
        // What most accesses are: a warp reads again what nobody writes.
        if by.kind == AccessKind::Load
            && self.phase == by.phase
            && self.readers[0].warp == me
            && self.writers[0].warp == 0
        {
            return None;
        }
        self.judge(me, by)
    }

    fn judge(&mut self, me: u8, by: Accessor) -> Option<(Mark, AccessKind)> {
        if self.phase != by.phase {
            *self = Self { phase: by.phase, ..Self::default() };
        }
        for writer in self.writers {
            let both_atomic = by.kind == AccessKind::Atomic && writer.warp & ATOMIC != 0;
            if writer.warp != 0 && writer.warp & !ATOMIC != me && !both_atomic {
                let kind = if writer.warp & ATOMIC != 0 { AccessKind::Atomic } else { AccessKind::Store };
                return Some((writer, kind));
            }
        }
        let mark = Mark { warp: me, lane: by.lane as u8, pc: by.pc.0 };
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
