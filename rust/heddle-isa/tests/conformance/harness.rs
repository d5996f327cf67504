//! Runs an instruction on 32 cases at once and compares every lane with an oracle.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use heddle_isa::exec::{Moment, Outputs, WarpContext, execute, execute_portable};
use heddle_isa::{Alu, Instr, Loc, Mods, Op, Operand, Pred, PredOperand, Type, VideoForm};
use heddle_port::{LaneMask, NUM_LANES, NUM_SOURCES, Reg};

/// Deterministic random numbers (xorshift).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// Bits of a type: corners, small numbers, and random ones; floats with close exponents often.
    pub fn bits(&mut self, ty: Type) -> u64 {
        let mask = if ty.bits() == 64 { u64::MAX } else { (1 << ty.bits()) - 1 };
        let value = match ty {
            Type::F32 => self.float(23, 8),
            Type::F64 => self.float(52, 11),
            Type::F16 => self.float(10, 5),
            Type::Bf16 => self.float(7, 8),
            Type::Bf16x2 => self.float(7, 8) | self.float(7, 8) << 16,
            Type::F16x2 => self.float(10, 5) | self.float(10, 5) << 16,
            _ => match self.below(8) {
                0 => [0, 1, 2, u64::MAX, u64::MAX - 1, 31, 32, 33][self.below(8) as usize],
                1 => 1 << (ty.bits() - 1),
                2 => (1 << (ty.bits() - 1)) - 1,
                3 => self.below(70),
                4 => 1 << self.below(ty.bits().into()),
                5 => self.next() >> self.below(63),
                _ => self.next(),
            },
        };
        value & mask
    }

    fn float(&mut self, mantissa: u32, exponent: u32) -> u64 {
        let top = (1 << exponent) - 1;
        let bias = top / 2;
        let sign = self.below(2) << (mantissa + exponent);
        let fraction_mask = (1 << mantissa) - 1;
        let fraction = match self.below(4) {
            0 => [0, 1, fraction_mask, 1 << (mantissa - 1)][self.below(4) as usize],
            1 => self.next() & fraction_mask & (u64::MAX << self.below(mantissa.into())),
            _ => self.next() & fraction_mask,
        };
        let biased = match self.below(10) {
            0 => 0,
            1 => top,
            2 => [1, 2, top - 1, top - 2][self.below(4) as usize],
            3..=6 => bias - 3 + self.below(7),
            7 => bias - 26.min(bias) + self.below(52.min(2 * bias)),
            _ => self.below(top),
        };
        sign | biased << mantissa | fraction
    }
}

/// One batch: sources by operand and lane, as bits of their types.
pub struct Batch {
    pub operands: Vec<[u64; NUM_LANES]>,
    pub carry: u32,
    pub outputs: Outputs,
}

impl Batch {
    /// The 64-bit result of a lane.
    pub fn wide(&self, lane: usize) -> u64 {
        u64::from(self.outputs.values[0][lane]) | u64::from(self.outputs.values[1][lane]) << 32
    }
}

pub fn context() -> WarpContext {
    WarpContext {
        tid: [[0; NUM_LANES]; 3],
        ntid: [32, 1, 1],
        ctaid: [0; 3],
        nctaid: [1; 3],
        warp_id: 0,
        dynamic_shared_bytes: 0,
        total_shared_bytes: 0,
        grid_workspace: 0,
        moment: Moment::default(),
        params: Arc::from(&[][..]),
        constants: Arc::from(&[][..]),
        textures: Arc::default(),
    }
}

pub fn alu(op: Alu, ty: Type, mods: Mods) -> Op {
    Op::Alu { op, ty, mods }
}

thread_local! {
    /// Lanes compared so far, by operation and type.
    static CASES: RefCell<BTreeMap<String, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The cases of this thread, by operation and type, and no more of them afterwards.
pub fn take_cases() -> BTreeMap<String, u64> {
    CASES.take()
}

fn count(op: &Op) {
    let name = match op {
        Op::Alu { op: Alu::Video(video), ty, .. } => {
            let form = if matches!(video.form, VideoForm::Simd { .. }) { "SIMD" } else { "scalar" };
            format!("Video {form} {:?} {}", video.op, ty.name())
        }
        Op::Alu { op, ty, .. } => format!("{op:?} {}", ty.name()),
        Op::Cvt { to, from, .. } => format!("Cvt {} {}", to.name(), from.name()),
        Op::Setp { ty, .. } => format!("Setp {}", ty.name()),
        Op::Set { ty, to, .. } => format!("Set {} {}", to.name(), ty.name()),
        Op::Testp { test, ty } => format!("Testp {test:?} {}", ty.name()),
        Op::Selp { ty } => format!("Selp {}", ty.name()),
        other => format!("{other:?}"),
    };
    CASES.with_borrow_mut(|cases| *cases.entry(name).or_default() += NUM_LANES as u64);
}

/// Executes `op` with fresh random operands of `types`; sometimes an operand is an immediate. The
/// unused upper bits of narrow registers are random.
pub fn batch(random: &mut Random, op: &Op, types: &[Type]) -> Batch {
    batch_with(random, op, types, &[])
}

/// As [`batch`], with more operands that are immediates.
fn batch_with(random: &mut Random, op: &Op, types: &[Type], immediates: &[u64]) -> Batch {
    count(op);
    let mut instr = Instr::new(op.clone(), Loc::default());
    let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
    let mut slot = 0;
    let mut operands = Vec::new();
    for (index, &ty) in types.iter().enumerate() {
        let immediate = random.below(8) == 0 && index > 0;
        let same = random.bits(ty);
        let mut lanes = [0; NUM_LANES];
        for lane in &mut lanes {
            *lane = if immediate { same } else { random.bits(ty) };
        }
        // Equal and close operands meet corner cases that independent ones do not.
        if index > 0 && !immediate && types[0] == ty {
            let first: [u64; NUM_LANES] = operands[0];
            for (lane, first) in lanes.iter_mut().zip(first) {
                match random.below(12) {
                    0 => *lane = first,
                    1 => *lane = first ^ 1 << (ty.bits() - 1),
                    _ => {}
                }
            }
        }
        operands.push(lanes);
        if immediate {
            instr.srcs.push(Operand::Imm(same));
        } else if ty.words() == 2 {
            instr.srcs.push(Operand::Pair(Reg(2 * index as u32)));
            sources[slot] = lanes.map(|l| l as u32);
            sources[slot + 1] = lanes.map(|l| (l >> 32) as u32);
            slot += 2;
        } else {
            instr.srcs.push(Operand::Reg(Reg(2 * index as u32)));
            let unused = if ty.bits() < 32 { u32::MAX << ty.bits() } else { 0 };
            sources[slot] = lanes.map(|l| l as u32 | (random.next() as u32 & unused));
            slot += 1;
        }
    }
    instr.srcs.extend(immediates.iter().map(|&value| Operand::Imm(value)));
    instr.pred_srcs.push(PredOperand::Reg { pred: Pred(0), negated: false });
    instr.pred_dsts.push(Pred(1));
    let carry = random.next() as u32;
    let mut outputs = Outputs::default();
    execute(&instr, &sources, &[carry, 0], &context(), LaneMask::ALL, &mut outputs)
        .unwrap_or_else(|e| panic!("{op:?}: {e}"));
    let mut portable = Outputs::default();
    execute_portable(&instr, &sources, &[carry, 0], &context(), LaneMask::ALL, &mut portable)
        .unwrap_or_else(|e| panic!("{op:?}: {e}"));
    assert_eq!(outputs, portable, "{op:?} with and without vector instructions, of {operands:#x?}");
    Batch { operands, carry, outputs }
}

/// Checks `batches` batches; the oracle gets the operands' bits of one lane and gives the result's
/// bits, which are compared on `words` words. Returns the number of cases.
pub fn check(
    random: &mut Random,
    op: &Op,
    types: &[Type],
    words: usize,
    batches: usize,
    oracle: impl Fn(&[u64]) -> u64,
) -> u64 {
    for _ in 0..batches {
        let batch = batch(random, op, types);
        for lane in 0..NUM_LANES {
            let operands: Vec<u64> = batch.operands.iter().map(|o| o[lane]).collect();
            let expected = oracle(&operands);
            let actual = if words == 2 { batch.wide(lane) } else { u64::from(batch.outputs.values[0][lane]) };
            assert!(actual == expected, "{op:?} of {operands:#x?}: {actual:#x}, expected {expected:#x}");
        }
    }
    (batches * NUM_LANES) as u64
}

/// As [`check`] on one word, with more operands that are immediates.
pub fn check_with(
    random: &mut Random,
    op: &Op,
    types: &[Type],
    immediates: &[u64],
    batches: usize,
    oracle: impl Fn(&[u64]) -> u64,
) {
    for _ in 0..batches {
        let batch = batch_with(random, op, types, immediates);
        for lane in 0..NUM_LANES {
            let operands: Vec<u64> = batch.operands.iter().map(|o| o[lane]).collect();
            let (expected, actual) = (oracle(&operands), u64::from(batch.outputs.values[0][lane]));
            assert!(
                actual == expected,
                "{op:?} {immediates:x?} of {operands:#x?}: {actual:#x}, expected {expected:#x}"
            );
        }
    }
}
