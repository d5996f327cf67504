//! What must stay before what within a stretch of instructions, and which values they exchange.

use std::collections::HashMap;

use bitvec::slice::BitSlice;
use heddle_isa::{CacheOp, Instr, Op, Operand, Space};
use heddle_port::Reg;

use super::schedule::AHEAD;
use crate::liveness::{Liveness, Place, for_each_def, for_each_use};

/// Bytes between two accesses from where on an address of 32 bits may wrap.
const MOST_APART: i64 = 1 << 31;

/// A value that a place holds from where it is written until it is overwritten, by number.
pub(super) type Value = usize;

/// Order and values of a stretch, by instruction.
#[derive(Debug, Default)]
pub(super) struct Dependences {
    /// Those that it must follow, as far as that matters to a load that comes early: not the accesses before a store,
    /// and of the stores before a load the last that it may meet.
    pub(super) follows: Vec<Vec<usize>>,
    /// Values that it reads; a guarded write reads the value before it, which lanes may keep.
    pub(super) reads: Vec<Vec<Value>>,
    /// Values that it writes.
    pub(super) writes: Vec<Vec<Value>>,
    /// Of each value.
    pub(super) values: Vec<ValueFacts>,
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ValueFacts {
    /// 32-bit registers that it takes: 1, or 0 of a predicate.
    pub(super) registers: u32,
    /// Reads in the stretch.
    pub(super) reads: u32,
    /// It may be read behind the stretch.
    pub(super) live_after: bool,
    /// It is there before the stretch, and live.
    pub(super) live_before: bool,
}

/// The state while the stretch is read in the order of the text.
struct Builder<'a> {
    liveness: &'a Liveness,
    before: &'a BitSlice,
    found: Dependences,
    /// The value of each place so far.
    current: HashMap<usize, Value>,
    /// The writer of a value of the stretch.
    writer: HashMap<Value, usize>,
    /// The readers of a value.
    readers: HashMap<Value, Vec<usize>>,
    /// The stores so far.
    stores: Vec<(usize, Access)>,
}

/// A memory access whose place in the order matters.
struct Access {
    space: Space,
    base: Base,
    from: i64,
    to: i64,
}

/// What the address of an access is counted from.
#[derive(PartialEq, Eq)]
enum Base {
    Value(Value, Option<Value>),
    Absolute,
    Unknown,
}

impl Dependences {
    /// Of `instrs`; `before` and `after` are the places that are live before and after them.
    pub(super) fn of(instrs: &[Instr], liveness: &Liveness, before: &BitSlice, after: &BitSlice) -> Self {
        let mut builder = Builder {
            liveness,
            before,
            found: Self::default(),
            current: HashMap::new(),
            writer: HashMap::new(),
            readers: HashMap::new(),
            stores: Vec::new(),
        };
        for (at, instr) in instrs.iter().enumerate() {
            builder.add(at, instr);
        }
        // What is live all through takes its register too.
        for place in before.iter_ones() {
            builder.value(place);
        }
        for (&place, &value) in &builder.current {
            builder.found.values[value].live_after = after[place];
        }
        builder.found
    }
}

impl Builder<'_> {
    fn new_value(&mut self, place: usize, live_before: bool) -> Value {
        let registers = u32::from(matches!(self.liveness.place(place), Place::Reg(_)));
        self.found.values.push(ValueFacts { registers, live_before, ..ValueFacts::default() });
        self.current.insert(place, self.found.values.len() - 1);
        self.found.values.len() - 1
    }

    /// The value that `place` holds.
    fn value(&mut self, place: usize) -> Value {
        match self.current.get(&place) {
            Some(&value) => value,
            None => self.new_value(place, self.before[place]),
        }
    }

    fn add(&mut self, at: usize, instr: &Instr) {
        let mut follows = Vec::new();
        let mut reads = Vec::new();
        for_each_use(instr, |place| reads.push(self.liveness.index(place)));
        let mut written = Vec::new();
        for_each_def(instr, |place| written.push(self.liveness.index(place)));
        if instr.guard.is_some() {
            reads.extend(&written);
        }
        let reads: Vec<Value> = reads.into_iter().map(|place| self.value(place)).collect();
        for &value in &reads {
            let writer = self.writer.get(&value);
            let facts = &mut self.found.values[value];
            facts.reads += 1;
            facts.live_before |= writer.is_none();
            follows.extend(writer);
            self.readers.entry(value).or_default().push(at);
        }
        if let Some(access) = self.access(instr) {
            if matches!(instr.op, Op::St { .. }) {
                self.stores.push((at, access));
            } else {
                // Stores keep the order of the text, so the last one is behind all others.
                let near = self.stores.iter().rev().take_while(|(store, _)| store + AHEAD >= at);
                follows
                    .extend(near.filter(|(_, other)| access.may_meet(other)).map(|(store, _)| *store).next());
            }
        }
        let mut writes = Vec::new();
        for place in written {
            let old = self.value(place);
            follows.extend(self.writer.get(&old));
            follows.extend(self.readers.get(&old).into_iter().flatten().filter(|&&reader| reader != at));
            let new = self.new_value(place, false);
            self.writer.insert(new, at);
            writes.push(new);
        }
        follows.sort_unstable();
        follows.dedup();
        self.found.follows.push(follows);
        self.found.reads.push(reads);
        self.found.writes.push(writes);
    }

    /// The access of `instr`, if it is a store, or a store could change what it loads.
    fn access(&mut self, instr: &Instr) -> Option<Access> {
        let unknown = |space| Access { space, base: Base::Unknown, from: 0, to: 0 };
        let (space, bytes) = match instr.op {
            Op::Ld { space: Space::Param | Space::Const, .. }
            | Op::Ld { space: Space::Global | Space::Generic, cache: CacheOp::Nc, .. } => return None,
            Op::Ld { space, ty, vector, .. } | Op::St { space, ty, vector, .. } => {
                (space, ty.bytes() * u32::from(vector))
            }
            Op::Tex { .. } => return Some(unknown(Space::Global)),
            _ => return None,
        };
        let mut value = |r: Reg| {
            let place = self.liveness.index(Place::Reg(r));
            self.value(place)
        };
        let (base, from) = match instr.srcs.first() {
            Some(&Operand::Reg(r)) => (Base::Value(value(r), None), Some(i64::from(instr.offset))),
            Some(&Operand::Pair(r)) => {
                (Base::Value(value(r), Some(value(Reg(r.0 + 1)))), Some(i64::from(instr.offset)))
            }
            Some(&Operand::Imm(address)) => {
                // Shared and local addresses have 32 bits.
                let address = u32::try_from(address).ok().map(i64::from);
                (Base::Absolute, address.map(|address| address + i64::from(instr.offset)))
            }
            _ => (Base::Unknown, None),
        };
        Some(match from {
            Some(from) => Access { space, base, from, to: from + i64::from(bytes) },
            None => unknown(space),
        })
    }
}

impl Access {
    /// Whether the two may access the same memory, in whatever lanes of a warp: a register has another base in each
    /// lane, which matters where lanes share the space.
    fn may_meet(&self, other: &Self) -> bool {
        let one_base = self.base == other.base
            && match self.base {
                Base::Value(..) => self.space == Space::Local,
                Base::Absolute => true,
                Base::Unknown => false,
            };
        let disjoint = self.to <= other.from || other.to <= self.from;
        let near = (self.from - other.from).abs() < MOST_APART;
        let apart = self.space == other.space && one_base && disjoint && near;
        let spaces = [self.space, other.space];
        (self.space == other.space || spaces.contains(&Space::Generic)) && !apart
    }
}
