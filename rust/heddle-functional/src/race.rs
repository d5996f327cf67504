//! Races on shared memory.
//!
//! Two accesses of different warps to the same byte between two barriers of the CTA race when at
//! least one writes and not both are atomic. Accesses of one warp by different instructions are
//! ordered by lock-step and are not reported. Lanes of one store that write the same byte race when
//! they write different values; equal values are taken as meant.
//!
//! Under [`RaceRule::Values`] two plain writes do not race when the later one finds its own value: whatever
//! their order, the same bytes stay. Such writes are counted. A read of the phase, an atomic, or another value
//! races with either of them.

use heddle_isa::Pc;
use heddle_port::{LaneMask, NUM_LANES};

use crate::site::AccessKind;

/// What two writes of different warps to the same bytes of shared memory are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RaceRule {
    /// Nothing is judged.
    Off,
    /// A race, unless both are plain and the later one writes what is there already.
    #[default]
    Values,
    /// A race, whatever they write.
    Strict,
}

/// Marks a writer as atomic.
const ATOMIC: u8 = 0x80;

/// One access in a cell: warp + 1 (0 for none) and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Mark {
    warp: u8,
    lane: u8,
    /// A plain writer whose warp has also changed the cell by an atomic.
    mixed: bool,
    pc: u32,
}

/// What happened to a cell since the last barrier: up to two writers and readers of different warps,
/// which is enough to find one that is not the accessing warp. Two plain writers have written equal bytes.
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
    rule: RaceRule,
    /// Writes that found the value of another warp's write, a lane and cell each.
    pub equal_writes: u64,
}

impl Races {
    pub fn new(bytes: u32, granule: u32, rule: RaceRule) -> Self {
        let cells = bytes.div_ceil(granule) as usize;
        Self {
            cells: vec![Cell::default(); cells],
            free: vec![0; cells],
            shift: granule.trailing_zeros(),
            rule,
            equal_writes: 0,
        }
    }

    /// Notes an access, and returns the earlier one that it races with. `same` tells of a range of bytes of a
    /// store, by address and length, whether memory holds there what the store writes.
    #[inline(never)]
    pub fn access(
        &mut self,
        address: u64,
        bytes: u32,
        by: Accessor,
        same: impl Fn(u64, u32) -> bool,
    ) -> Option<Conflict> {
        let first = address >> self.shift;
        let count = (bytes >> self.shift).max(1);
        for index in first..first + u64::from(count) {
            let at = usize::try_from(index).ok()?;
            let cell = self.cells.get_mut(at)?;
            let keeps = || {
                let plain = by.kind == AccessKind::Store && self.rule == RaceRule::Values;
                plain && same(index << self.shift, 1 << self.shift)
            };
            let judged = cell.access(by, keeps);
            self.free[at] = cell.free_loads(self.rule);
            self.equal_writes += u64::from(judged == Judged::Equal);
            if let Judged::Race(mark, kind) = judged {
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
    /// the lanes above it are not noted. The lane of `by` does not matter. `same` tells of a lane's store
    /// whether memory holds what it writes.
    #[inline]
    pub fn access_words(
        &mut self,
        addresses: &[u64; NUM_LANES],
        lanes: LaneMask,
        by: Accessor,
        same: impl Fn(usize, u64, u32) -> bool,
    ) -> bool {
        if lanes == LaneMask::ALL {
            self.access_each(addresses, 0..NUM_LANES, by, same)
        } else {
            self.access_each(addresses, lanes.lanes(), by, same)
        }
    }

    #[inline(always)]
    fn access_each(
        &mut self,
        addresses: &[u64; NUM_LANES],
        mut lanes: impl Iterator<Item = usize>,
        by: Accessor,
        same: impl Fn(usize, u64, u32) -> bool,
    ) -> bool {
        let mine = free_loads(by.phase, by.warp as u8 + 1);
        let anybody = free_loads(by.phase, ANYBODY);
        let look = by.kind == AccessKind::Load && self.shift == 2;
        lanes.all(|lane| {
            let address = addresses[lane];
            let cell = usize::try_from(address >> 2).ok().and_then(|at| self.free.get(at));
            let known = look && cell.is_some_and(|&free| free == mine || free == anybody);
            let same = |at, bytes| same(lane, at, bytes);
            known || self.access(address, 4, Accessor { lane, ..by }, same).is_none()
        })
    }
}

/// What an access of a cell is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judged {
    Fine,
    /// It wrote what another warp had written.
    Equal,
    /// It races with this access.
    Race(Mark, AccessKind),
}

impl Cell {
    fn free_loads(&self, rule: RaceRule) -> FreeLoads {
        let [writer, second] = self.writers;
        if second.warp != 0 {
            return free_loads(self.phase, 0);
        }
        let [reader, other] = self.readers;
        let warp = match (writer.warp, reader.warp, other.warp) {
            (0, reader, 0) => reader,
            (0, _, _) => ANYBODY,
            (writer, ..) if writer & ATOMIC != 0 => 0,
            // Whoever else reads conflicts with the writer, so further readers need no note. Who writes the same
            // value conflicts only with a reader, which must be noted then.
            (writer, a, b) if rule == RaceRule::Strict || a == writer || b == writer => writer,
            _ => 0,
        };
        free_loads(self.phase, warp)
    }

    /// Notes an access. `keeps` tells whether it writes what is there, and may.
    fn access(&mut self, by: Accessor, keeps: impl Fn() -> bool) -> Judged {
        let me = by.warp as u8 + 1;
        let mark = Mark { warp: me, lane: by.lane as u8, mixed: false, pc: by.pc.0 };
        if self.phase != by.phase {
            *self = Self { phase: by.phase, ..Self::default() };
            if by.kind == AccessKind::Load {
                self.readers[0] = mark;
                return Judged::Fine;
            }
        }
        let mut equal = false;
        for writer in self.writers {
            let both_atomic = by.kind == AccessKind::Atomic && writer.warp & ATOMIC != 0;
            if writer.warp != 0 && writer.warp & !ATOMIC != me && !both_atomic {
                let atomic = writer.warp & ATOMIC != 0;
                equal = !atomic && !writer.mixed && keeps();
                if !equal {
                    let kind = if atomic { AccessKind::Atomic } else { AccessKind::Store };
                    return Judged::Race(writer, kind);
                }
            }
        }
        if by.kind == AccessKind::Load {
            note(&mut self.readers, mark);
            return Judged::Fine;
        }
        let other = self.readers.iter().find(|r| r.warp != 0 && r.warp != me);
        if let Some(&reader) = other {
            return Judged::Race(reader, AccessKind::Load);
        }
        let [first, second] = &mut self.writers;
        if by.kind == AccessKind::Atomic {
            // A plain write of the same warp stays: it does not go with others' atomics.
            if first.warp == me {
                first.mixed = true;
            } else {
                note(&mut self.writers, Mark { warp: me | ATOMIC, ..mark });
            }
            Judged::Fine
        } else if equal {
            if first.warp != me && second.warp == 0 {
                *second = mark;
            }
            Judged::Equal
        } else {
            let mixed = first.warp == me && first.mixed || first.warp == me | ATOMIC;
            *first = Mark { mixed, ..mark };
            Judged::Fine
        }
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
