//! Loads, stores, atomics, spaces.

use heddle_isa::memory::{LOCAL_WINDOW, SHARED_WINDOW};
use heddle_isa::{Alu, CacheOp, Op, Space, Type};
use heddle_port::LaneMask;
use heddle_sm::{Observer, PerformedEvent, Stop};

use crate::program::{Asm, TID, buffer, imm, launch, prologue, r, run, words};

/// Sees that every lane is performed once.
#[derive(Default)]
struct Once {
    lanes: u64,
    events: u64,
    seen: Vec<(u16, LaneMask)>,
}

impl Observer for Once {
    fn performed(&mut self, e: &PerformedEvent<'_>) -> Result<(), Stop> {
        assert!(!e.lanes.is_empty());
        let others = self.seen.iter().filter(|(t, _)| *t == e.tag.0);
        assert!(others.into_iter().all(|(_, m)| (*m & e.lanes).is_empty()), "a lane is performed twice");
        self.seen.push((e.tag.0, e.lanes));
        self.lanes += u64::from(e.lanes.count());
        self.events += 1;
        Ok(())
    }

    fn retired(&mut self, _: heddle_port::Cycle, tag: heddle_port::Tag) -> Result<(), Stop> {
        self.seen.retain(|(t, _)| *t != tag.0);
        Ok(())
    }
}

#[test]
fn loads_bring_what_was_stored_and_each_lane_is_performed_once() {
    // out[i] = out[(i * 33) % 64] + 1 on a buffer of squares.
    let (mut memory, out) = buffer(128);
    for i in 0..64u32 {
        memory.store(u64::from(out + 4 * i), 4, u64::from(i * i)).expect("inside");
    }
    let mut asm = Asm::default();
    prologue(&mut asm, 64, out);
    asm.alu(Alu::Mul, 4, &[r(0), imm(33)]);
    asm.alu(Alu::And, 4, &[r(4), imm(63)]);
    asm.alu(Alu::Mad, 4, &[r(4), imm(4), imm(out)]);
    asm.load(Space::Global, 5, r(4), 0);
    asm.alu(Alu::Add, 5, &[r(5), imm(1)]);
    asm.store(Space::Global, r(1), 256, r(5));
    asm.exit();
    let launch = launch(1, 64);
    let mut once = Once::default();
    let ran = run(asm.executable(), &launch, memory).go(&mut once).expect("runs");
    let expected: Vec<u32> = (0..64).map(|i: u32| (i * 33 % 64).pow(2) + 1).collect();
    assert_eq!(words(&ran.memory, out + 256, 64), expected);
    assert_eq!(once.lanes, 2 * 64);
    // Each warp's load touches both lines of the buffer, its store one.
    assert_eq!(ran.statistics.memory_transactions, 2 * (2 + 1));
    let l1 = ran.statistics.memory.l1;
    assert_eq!(l1.read_hits + l1.read_misses + l1.read_merged, 4);
    assert_eq!(l1.read_misses, 2);
    assert_eq!(l1.write_through, 2);
    assert_eq!(ran.statistics.memory.dram.reads, 2);
}

#[test]
fn vectors_and_narrow_types() {
    let (mut memory, out) = buffer(64 * 4);
    memory.store(u64::from(out), 1, 0x80).expect("inside");
    let mut asm = Asm::default();
    asm.alu(Alu::Mov, 0, &[TID]);
    asm.alu(Alu::Mad, 1, &[r(0), imm(16), imm(out)]);
    // Sign-extended byte of word 0, in all lanes.
    let byte = asm.push(Op::Ld { space: Space::Global, ty: Type::S8, vector: 1, cache: CacheOp::Ca });
    byte.dsts.push(heddle_port::Reg(4));
    byte.srcs.push(imm(out));
    for n in 5..8 {
        asm.alu(Alu::Add, n, &[r(0), imm(n)]);
    }
    let store = asm.push(Op::St { space: Space::Global, ty: Type::U32, vector: 4, cache: CacheOp::Ca });
    store.srcs.extend_from_slice(&[r(1), r(4), r(5), r(6), r(7)]);
    let load = asm.push(Op::Ld { space: Space::Global, ty: Type::B64, vector: 2, cache: CacheOp::Ca });
    load.dsts.extend((8..12).map(heddle_port::Reg));
    load.srcs.push(r(1));
    asm.alu(Alu::Add, 8, &[r(8), r(11)]);
    asm.store(Space::Global, r(1), 0, r(8));
    asm.exit();
    let launch = launch(1, 32);
    let mut once = Once::default();
    let ran = run(asm.executable(), &launch, memory).go(&mut once).expect("runs");
    let expected: Vec<u32> =
        (0..32u32).flat_map(|i| [0xFFFF_FF80u32.wrapping_add(i + 7), i + 5, i + 6, i + 7]).collect();
    assert_eq!(words(&ran.memory, out, 128), expected);
    assert_eq!(once.lanes, 4 * 32);
}

#[test]
fn local_memory_is_private_and_coalesces() {
    let (memory, out) = buffer(64);
    let mut asm = Asm { local_bytes: 32, ..Asm::default() };
    prologue(&mut asm, 64, out);
    asm.store(Space::Local, imm(8), 0, r(0));
    let wide = asm.push(Op::St { space: Space::Local, ty: Type::B64, vector: 1, cache: CacheOp::Ca });
    wide.srcs.extend_from_slice(&[imm(16), heddle_isa::Operand::Pair(heddle_port::Reg(0))]);
    asm.load(Space::Local, 6, imm(16), 0);
    asm.load(Space::Local, 7, imm(8), 0);
    asm.alu(Alu::Add, 6, &[r(6), r(7)]);
    asm.store(Space::Global, r(1), 0, r(6));
    asm.exit();
    let launch = launch(1, 64);
    let mut once = Once::default();
    let ran = run(asm.executable(), &launch, memory).go(&mut once).expect("runs");
    assert_eq!(words(&ran.memory, out, 64), (0..64).map(|i| 2 * i).collect::<Vec<u32>>());
    // Two warps, each: one line for the word, two for the 64-bit value, two loads, one global store.
    assert_eq!(ran.statistics.memory_transactions, 2 * (1 + 2 + 2 + 1));
    assert_eq!(once.lanes, 5 * 64);
    assert_eq!(ran.statistics.memory.l1.arrays.map(|a| a.write_hits), Some(6));
    assert_eq!(ran.statistics.memory.l1.read_hits, 4);
}

#[test]
fn generic_addresses_are_resolved_lane_by_lane() {
    // Lanes 0..8 store to global, 8..16 to shared, the rest to local memory; then all load again.
    let (memory, out) = buffer(64);
    let mut asm = Asm { shared_bytes: 128, local_bytes: 8, ..Asm::default() };
    prologue(&mut asm, 32, out);
    asm.alu(Alu::Mad, 4, &[r(0), imm(4), imm(out + 128)]);
    asm.setp(heddle_isa::Cmp::Ge, 0, r(0), imm(8));
    let shared = asm.alu(Alu::Mad, 4, &[r(0), imm(4), imm(SHARED_WINDOW)]);
    shared.guard = Some(heddle_isa::Guard { pred: heddle_isa::Pred(0), negated: false });
    asm.setp(heddle_isa::Cmp::Ge, 0, r(0), imm(16));
    let local = asm.alu(Alu::Mov, 4, &[imm(LOCAL_WINDOW + 4)]);
    local.guard = Some(heddle_isa::Guard { pred: heddle_isa::Pred(0), negated: false });
    asm.store(Space::Generic, r(4), 0, r(0));
    asm.load(Space::Generic, 5, r(4), 0);
    asm.store(Space::Global, r(1), 0, r(5));
    asm.exit();
    let launch = launch(1, 32);
    let mut once = Once::default();
    let ran = run(asm.executable(), &launch, memory).go(&mut once).expect("runs");
    assert_eq!(words(&ran.memory, out, 32), (0..32).collect::<Vec<u32>>());
    assert_eq!(words(&ran.memory, out + 128, 9), [0, 1, 2, 3, 4, 5, 6, 7, 0]);
    assert_eq!((once.lanes, once.events), (3 * 32, 3 + 3 + 1));
}

#[test]
fn atomics_add_up_and_return_every_old_value_once() {
    let (memory, out) = buffer(1 + 256);
    let mut asm = Asm { shared_bytes: 4, ..Asm::default() };
    prologue(&mut asm, 128, out + 4);
    asm.atomic(Space::Global, Some(4), imm(out), imm(3));
    asm.store(Space::Global, r(1), 0, r(4));
    asm.atomic(Space::Shared, None, imm(0), imm(1));
    asm.exit();
    let launch = launch(2, 128);
    let ran = run(asm.executable(), &launch, memory).go(&mut ()).expect("runs");
    assert_eq!(words(&ran.memory, out, 1), [3 * 256]);
    let mut old = words(&ran.memory, out + 4, 256);
    old.sort_unstable();
    assert_eq!(old, (0..256).map(|i| 3 * i).collect::<Vec<u32>>());
    // 8 warps, 32 lanes on one word of shared memory: 31 cycles more than one.
    assert_eq!(ran.statistics.memory.l1.shared_conflict_cycles, 8 * 31);
    assert_eq!(ran.statistics.memory.l1.atomics, 8);
}

#[test]
fn a_load_never_overtakes_an_older_store_of_its_warp() {
    // The store has three operands to collect, the load none; the register file collects by that count.
    let (memory, out) = buffer(32);
    let mut asm = Asm { local_bytes: 8, ..Asm::default() };
    prologue(&mut asm, 32, out);
    asm.alu(Alu::Mov, 5, &[imm(0)]);
    let store = asm.push(Op::St { space: Space::Local, ty: Type::B64, vector: 1, cache: CacheOp::Ca });
    store.srcs.extend_from_slice(&[r(5), heddle_isa::Operand::Pair(heddle_port::Reg(0))]);
    asm.load(Space::Local, 6, imm(0), 0);
    asm.store(Space::Global, r(1), 0, r(6));
    asm.exit();
    let launch = launch(1, 32);
    let mut run = run(asm.executable(), &launch, memory);
    run.design.collect_by_sources = 10;
    let ran = run.go(&mut ()).expect("runs");
    assert_eq!(words(&ran.memory, out, 32), (0..32).collect::<Vec<u32>>());
}
