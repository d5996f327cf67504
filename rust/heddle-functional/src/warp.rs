//! Registers, predicates, local memory and control flow of one warp.

use std::sync::Arc;

use heddle_isa::exec::WarpContext;
use heddle_isa::memory::Region;
use heddle_isa::{Pred, SimtStack};
use heddle_port::{LaneData, LaneMask, NUM_LANES};

use crate::env::Env;

/// Bit of each lane.
const LANE_BIT: LaneData = {
    let mut bits = [0; NUM_LANES];
    let mut lane = 0;
    while lane < NUM_LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Replaces the lanes of `mask`.
#[inline(always)]
pub(crate) fn merge(to: &mut LaneData, from: &LaneData, mask: LaneMask) {
    if mask == LaneMask::ALL {
        *to = *from;
        return;
    }
    for ((to, &from), bit) in to.iter_mut().zip(from).zip(LANE_BIT) {
        *to = if mask.0 & bit != 0 { from } else { *to };
    }
}

/// One warp.
#[derive(Debug, Clone)]
pub(crate) struct Warp {
    pub context: WarpContext,
    pub stack: SimtStack,
    pub regs: Vec<LaneData>,
    /// By register: lanes that must not be read, as pending or without a value.
    pub unreadable: Vec<u32>,
    /// By register: lanes whose newest version is a load that is not performed.
    pub pending: Vec<u32>,
    /// By register: lanes that the compiler declared dead.
    pub killed: Vec<u32>,
    pub preds: Vec<u32>,
    /// Barrier at which the warp waits.
    pub waiting: Option<u8>,
    /// Local memory of all lanes, one after the other.
    pub local: Region,
    /// Bytes from one lane's local memory to the next.
    pub local_stride: u32,
    /// Instructions stepped.
    pub sequence: u64,
    /// Fences passed.
    pub fences: u64,
    /// What its L1 took before so many fences of its SM it may not find: its own fences, and those of others before a barrier.
    pub l1_fences: u64,
}

impl Warp {
    pub fn new(env: &Env, cta: u64, warp: u32) -> Self {
        let context = WarpContext::with_banks(
            &env.program,
            &env.launch,
            cta,
            warp,
            Arc::clone(&env.params),
            Arc::clone(&env.constants),
        );
        let num_regs = env.program.num_regs as usize;
        let undefined = if env.checks.undefined_registers { u32::MAX } else { 0 };
        let local_stride = env.program.local_bytes.next_multiple_of(16);
        Self {
            stack: SimtStack::new(context.lanes()),
            context,
            regs: vec![[0; NUM_LANES]; num_regs],
            unreadable: vec![undefined; num_regs],
            pending: vec![0; num_regs],
            killed: vec![0; num_regs],
            preds: vec![0; usize::from(env.program.num_preds)],
            waiting: None,
            local: Region::new("local", 0, local_stride * NUM_LANES as u32),
            local_stride,
            sequence: 0,
            fences: 0,
            l1_fences: 0,
        }
    }

    /// Makes `value` the newest version of a register in the lanes of `mask`.
    #[inline(always)]
    pub fn write(&mut self, register: u32, value: &LaneData, mask: LaneMask) {
        let r = register as usize;
        merge(&mut self.regs[r], value, mask);
        self.unreadable[r] &= !mask.0;
    }

    /// Writes a predicate in the lanes of `mask`.
    #[inline(always)]
    pub fn write_pred(&mut self, pred: Pred, value: u32, mask: LaneMask) {
        let p = &mut self.preds[usize::from(pred.0)];
        *p = (*p & !mask.0) | (value & mask.0);
    }
}
