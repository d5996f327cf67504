//! Addresses, store data, load results, atomics, bank loads, special registers and device memory.

use std::sync::Arc;

use heddle_isa::exec::{Moment, Outputs, WarpContext, execute, store_data};
use heddle_isa::memory::{LOCAL_WINDOW, Region, SHARED_WINDOW};
use heddle_isa::{
    AccessError, Alu, AtomicOp, CacheOp, DeviceMemory, ExecError, Instr, KernelLaunch, Loc, Mods, Op,
    Operand, Space, Special, Type, addresses, atomic, guard_mask, load_extend,
};
use heddle_isa::{Guard, Pred};
use heddle_port::{LaneMask, NUM_LANES, NUM_SOURCES, Reg};

fn context() -> WarpContext {
    WarpContext {
        tid: [[0; NUM_LANES]; 3],
        ntid: [40, 1, 1],
        ctaid: [0; 3],
        nctaid: [1; 3],
        warp_id: 1,
        dynamic_shared_bytes: 0,
        total_shared_bytes: 0,
        grid_workspace: 0,
        moment: Moment::default(),
        params: Arc::from(&[1u8, 0x80, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12][..]),
        constants: Arc::from(&[0xffu8][..]),
        textures: Arc::default(),
    }
}

fn load(space: Space, ty: Type, vector: u8) -> Instr {
    Instr::new(Op::Ld { space, ty, vector, cache: CacheOp::Ca }, Loc::default())
}

#[test]
fn addresses_by_space() {
    let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
    sources[0] = std::array::from_fn(|l| 0xffff_fffcu32.wrapping_add(l as u32));
    sources[1] = [1; NUM_LANES];
    let mut out = [0; NUM_LANES];
    let mut instr = load(Space::Global, Type::U32, 1);
    instr.srcs.push(Operand::Pair(Reg(0)));
    instr.offset = -8;
    let spaces = addresses(&instr, &sources, &context(), LaneMask(0xf), &mut out);
    assert_eq!(spaces.global, LaneMask(0xf));
    assert_eq!(out[0], 0x1_ffff_fff4);
    instr.op = load(Space::Shared, Type::U32, 1).op;
    let spaces = addresses(&instr, &sources, &context(), LaneMask::ALL, &mut out);
    assert_eq!((spaces.shared, out[0]), (LaneMask::ALL, 0xffff_fff4));
    instr.op = load(Space::Generic, Type::U32, 1).op;
    instr.offset = 0;
    let bases = [0x1000_0000, SHARED_WINDOW + 4, LOCAL_WINDOW + 8, 0xdfff_ffff];
    sources[0] = std::array::from_fn(|l| bases[l % 4]);
    sources[1] = [0; NUM_LANES];
    let spaces = addresses(&instr, &sources, &context(), LaneMask(0xff), &mut out);
    assert_eq!(spaces.global, LaneMask(0x99));
    assert_eq!(spaces.shared, LaneMask(0x22));
    assert_eq!(spaces.local, LaneMask(0x44));
    assert_eq!(out[..4], [0x1000_0000, 4, 8, 0xdfff_ffff]);
    assert_eq!(spaces.of_lane(6), Some(Space::Local));
    assert_eq!(spaces.of_lane(8), None);
}

#[test]
fn data_of_stores_and_atomics() {
    let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
    for (slot, lanes) in sources.iter_mut().enumerate() {
        *lanes = std::array::from_fn(|l| (slot as u32) << 16 | l as u32);
    }
    let mut instr = Instr::new(
        Op::St { space: Space::Global, ty: Type::U64, vector: 2, cache: CacheOp::Ca },
        Loc::default(),
    );
    instr.srcs.extend([Operand::Pair(Reg(0)), Operand::Pair(Reg(2)), Operand::Pair(Reg(4))]);
    let mut out = [[0; NUM_LANES]; 4];
    assert_eq!(store_data(&instr, &sources, &context(), &mut out), 2);
    assert_eq!(out[0][7], 0x0003_0007_0002_0007);
    assert_eq!(out[1][1], 0x0005_0001_0004_0001);
    instr.op = Op::St { space: Space::Shared, ty: Type::S8, vector: 1, cache: CacheOp::Ca };
    instr.srcs = [Operand::Reg(Reg(0)), Operand::Imm(0xffff_ff80)].into_iter().collect();
    assert_eq!(store_data(&instr, &sources, &context(), &mut out), 1);
    assert_eq!(out[0][3], 0x80);
    instr.op = Op::Atom { space: Space::Global, op: AtomicOp::Cas, ty: Type::U32 };
    instr.srcs = [Operand::Pair(Reg(0)), Operand::Reg(Reg(2)), Operand::Imm(9)].into_iter().collect();
    assert_eq!(store_data(&instr, &sources, &context(), &mut out), 2);
    assert_eq!((out[0][5], out[1][5]), (0x0002_0005, 9));
}

#[test]
fn loaded_words() {
    assert_eq!(load_extend(Type::S8, 0x80), (0xffff_ff80, 0));
    assert_eq!(load_extend(Type::U8, 0x80), (0x80, 0));
    assert_eq!(load_extend(Type::B16, 0x8000), (0x8000, 0));
    assert_eq!(load_extend(Type::S16, 0x8000), (0xffff_8000, 0));
    assert_eq!(load_extend(Type::F64, 1 << 33 | 5), (5, 2));
}

#[test]
fn atomic_operations() {
    use AtomicOp::{Add, And, Cas, Dec, Exch, Inc, Max, Min, Or, Xor};
    let minus = u64::from(-1i32 as u32);
    let cases = [
        (Add, Type::U32, minus, 2, 0, 1),
        (Add, Type::U64, u64::MAX, 2, 0, 1),
        (Min, Type::S32, 3, minus, 0, minus),
        (Min, Type::U32, 3, minus, 0, 3),
        (Max, Type::S32, 3, minus, 0, 3),
        (Max, Type::U32, 3, minus, 0, minus),
        (Max, Type::S64, 3, u64::MAX, 0, 3),
        (And, Type::B32, 6, 3, 0, 2),
        (Or, Type::B32, 6, 3, 0, 7),
        (Xor, Type::B32, 6, 3, 0, 5),
        (Exch, Type::B32, 6, 3, 0, 3),
        (Cas, Type::B32, 6, 6, 9, 9),
        (Cas, Type::B32, 6, 5, 9, 6),
        (Inc, Type::U32, 4, 5, 0, 5),
        (Inc, Type::U32, 5, 5, 0, 0),
        (Dec, Type::U32, 0, 5, 0, 5),
        (Dec, Type::U32, 6, 5, 0, 5),
        (Dec, Type::U32, 5, 5, 0, 4),
    ];
    for (op, ty, old, operand, new, expected) in cases {
        assert_eq!(atomic(op, ty, old, operand, new), expected, "{op:?} {ty:?}");
    }
    let one = u64::from(1.5f32.to_bits());
    assert_eq!(atomic(Add, Type::F32, one, one, 0), u64::from(3f32.to_bits()));
    let one = 1.5f64.to_bits();
    assert_eq!(atomic(Add, Type::F64, one, one, 0), 3f64.to_bits());
}

#[test]
fn parameters_and_constants() {
    let sources = [[0; NUM_LANES]; NUM_SOURCES];
    let mut out = Outputs::default();
    let mut instr = load(Space::Param, Type::U32, 2);
    instr.srcs.push(Operand::Imm(0));
    instr.offset = 4;
    execute(&instr, &sources, &[], &context(), LaneMask(0x10), &mut out).expect("inside");
    assert_eq!((out.values[0][4], out.values[1][4]), (0x0807_0605, 0x0c0b_0a09));
    instr.offset = 8;
    let error = execute(&instr, &sources, &[], &context(), LaneMask(0x10), &mut out);
    assert!(
        matches!(error, Err(ExecError::Bank { address: 12, bytes: 4, size: 12, lane: 4, .. })),
        "{error:?}"
    );
    let mut instr = load(Space::Const, Type::S8, 1);
    instr.srcs.push(Operand::Reg(Reg(0)));
    execute(&instr, &sources, &[], &context(), LaneMask(2), &mut out).expect("inside");
    assert_eq!(out.values[0][1], u32::MAX);
}

#[test]
fn missing_operands_are_errors() {
    let sources = [[0; NUM_LANES]; NUM_SOURCES];
    let mut out = Outputs::default();
    let add = Op::Alu { op: Alu::Add, ty: Type::U32, mods: Mods::default() };
    let mut instr = Instr::new(add, Loc::default());
    instr.srcs.push(Operand::Imm(1));
    let error = execute(&instr, &sources, &[], &context(), LaneMask::ALL, &mut out);
    assert!(matches!(error, Err(ExecError::Operand { index: 1, .. })), "{error:?}");
    instr.op = Op::Exit;
    let error = execute(&instr, &sources, &[], &context(), LaneMask::ALL, &mut out);
    assert!(matches!(error, Err(ExecError::NotArithmetic { .. })), "{error:?}");
    instr.op = Op::Alu { op: Alu::Sin, ty: Type::F64, mods: Mods::default() };
    instr.srcs.push(Operand::Imm(1));
    let error = execute(&instr, &sources, &[], &context(), LaneMask::ALL, &mut out);
    assert!(matches!(error, Err(ExecError::Unsupported { ty: Type::F64, .. })), "{error:?}");
}

#[test]
fn special_registers_and_guards() {
    let launch = KernelLaunch { grid: [3, 2, 2], block: [5, 4, 2], ..KernelLaunch::default() };
    assert_eq!(launch.cta_coordinates(10), [1, 1, 1]);
    let c = context();
    assert_eq!(c.lanes(), LaneMask(0xff));
    assert_eq!(c.special(Special::LanemaskGt)[31], 0);
    assert_eq!(c.special(Special::LanemaskGe)[31], 1 << 31);
    assert_eq!(c.special(Special::LanemaskLe)[1], 3);
    assert_eq!(c.special(Special::LanemaskLt)[1], 1);
    assert_eq!(c.special(Special::NwarpId)[0], 2);
    let mut instr = Instr::new(Op::Nop, Loc::default());
    assert_eq!(guard_mask(&instr, &[], LaneMask(7)), LaneMask(7));
    instr.guard = Some(Guard { pred: Pred(1), negated: true });
    assert_eq!(guard_mask(&instr, &[0, 5], LaneMask(7)), LaneMask(2));
}

#[test]
fn device_memory_knows_bounds_and_what_was_written() {
    let mut memory = DeviceMemory::new();
    let a = memory.allocate("a", 6000).expect("room");
    let b = memory.allocate("b", 8).expect("room");
    memory.allocate_at("g", 0x0800_0000, 16).expect("free");
    assert!(u64::from(b) >= u64::from(a) + 6000 + 4096);
    assert_eq!(memory.load_checked(a.into(), 8), Ok((0, false)));
    memory.store(u64::from(a) + 5996, 4, 0x1234_5678).expect("inside");
    assert_eq!(memory.load_checked(u64::from(a) + 5996, 2), Ok((0x5678, true)));
    assert_eq!(memory.is_written(u64::from(a) + 5992, 8), Ok(false));
    assert_eq!(memory.load(0x0800_0000 + 8, 8), Ok(0));
    memory.write_bytes(b, &[1, 2, 3]).expect("inside");
    assert_eq!(memory.load_checked(b.into(), 4), Ok((0x03_02_01, false)));
    assert!(matches!(memory.load(u64::from(a) + 6000, 4), Err(AccessError::OutOfBounds { .. })));
    assert!(matches!(memory.load(0, 4), Err(AccessError::OutOfBounds { .. })));
    assert!(matches!(memory.load(u64::from(a) + 2, 4), Err(AccessError::Misaligned { .. })));
    for address in [0x0800_0000, 0x0800_0010, 0x1000] {
        assert!(matches!(memory.allocate_at("h", address, 16), Err(AccessError::Place { .. })));
    }
}

#[test]
fn a_protected_region_is_written_by_the_host_alone() {
    let mut memory = DeviceMemory::new();
    memory.allocate_at("fixed", 0x0700_0000, 16).expect("free");
    memory.protect(0x0700_0000);
    memory.write_bytes(0x0700_0000, &[1; 16]).expect("the host");
    let refused = AccessError::ReadOnly { address: 0x0700_0004, bytes: 4, buffer: "fixed".into() };
    assert_eq!(memory.store(0x0700_0004, 4, 7), Err(refused));
    assert!(matches!(memory.store(0x0700_0010, 4, 7), Err(AccessError::OutOfBounds { .. })));
    let region =
        memory.region_at(0x0700_0000).and_then(|index| memory.region_mut(index)).expect("the region");
    let addresses = std::array::from_fn(|lane| 0x0700_0000 + 4 * (lane as u64 % 4));
    assert_eq!(region.write_words(&addresses, LaneMask::ALL, &[9; NUM_LANES]), None);
    assert_eq!(memory.load(0x0700_0000, 8), Ok(0x0101_0101_0101_0101));
}

#[test]
fn words_of_a_warp_are_those_of_its_lanes() {
    const START: u32 = 0x2000_0000;
    const BYTES: u32 = 410;
    let mut random: u64 = 0x1234_5678_9abc_def1;
    let mut below = |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    let mut whole = Region::new("words", START, BYTES);
    let (mut refused, mut unwritten) = (0, 0);
    for round in 0..4000u64 {
        let lanes = if below(3) == 0 { LaneMask::ALL } else { LaneMask(below(1 << 32) as u32) };
        let wrong = below(4) == 0;
        let mut addresses = [0; NUM_LANES];
        for address in &mut addresses {
            *address = u64::from(START) + 4 * below(u64::from(BYTES) / 4);
        }
        if wrong {
            let lane = below(32) as usize;
            addresses[lane] = [
                addresses[lane] + 1 + below(3),
                u64::from(START) + u64::from(BYTES) - 2,
                u64::from(START) - 4,
                addresses[lane] + (1 << 32),
                below(1 << 31) << 33,
            ][below(5) as usize];
        }
        let inside =
            lanes.lanes().all(|lane| whole.offset(addresses[lane], 4).is_some_and(|offset| offset % 4 == 0));
        if round % 8 == 0 {
            let values = std::array::from_fn(|lane| round << 32 | round << 8 | lane as u64);
            let mut single = whole.clone();
            assert_eq!(whole.write_words(&addresses, lanes, &values).is_some(), inside);
            for lane in lanes.lanes() {
                let written = single.offset(addresses[lane], 4);
                if written.and_then(|offset| single.write(offset, 4, values[lane])).is_none() {
                    break;
                }
            }
            assert_eq!(whole, single);
            continue;
        }
        let mut out = [0; NUM_LANES];
        let read = whole.read_words(&addresses, lanes, &mut out);
        assert_eq!(read.is_some(), inside, "{addresses:x?}");
        refused += u32::from(!inside);
        if let Some(all) = read {
            let single = |lane: usize| whole.read(whole.offset(addresses[lane], 4)?, 4);
            let words: Vec<_> = lanes.lanes().map(|lane| single(lane).expect("inside")).collect();
            assert!(lanes.lanes().zip(&words).all(|(lane, word)| u64::from(out[lane]) == word.0));
            assert_eq!(all, words.iter().all(|word| word.1));
            unwritten += u32::from(!all);
        }
    }
    assert!(refused > 100 && unwritten > 100, "{refused} {unwritten}");
}
