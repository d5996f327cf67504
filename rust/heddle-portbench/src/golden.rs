//! What each register must hold: the last accepted write of every warp, register and lane.

use heddle_port::{LaneData, NUM_LANES, NUM_REGS, NUM_WARPS, ResultWrite};

/// One warp register.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Register {
    /// Last value written, by lane.
    pub(crate) value: LaneData,
    /// Lanes that were written since the warp began (and since its last dead read).
    pub(crate) known: u32,
    /// Results of issued instructions that are not accepted yet.
    pub(crate) pending_writes: u16,
    /// Reads by issued instructions whose operands are not taken yet.
    pub(crate) pending_reads: u16,
}

/// All registers of all warps.
#[derive(Debug)]
pub(crate) struct Golden(Vec<Register>);

impl Golden {
    pub(crate) fn new() -> Self {
        let empty = Register { value: [0; NUM_LANES], known: 0, pending_writes: 0, pending_reads: 0 };
        Self(vec![empty; NUM_WARPS * NUM_REGS])
    }

    pub(crate) fn get(&self, warp: u8, register: u8) -> &Register {
        &self.0[usize::from(warp) * NUM_REGS + usize::from(register)]
    }

    pub(crate) fn get_mut(&mut self, warp: u8, register: u8) -> &mut Register {
        &mut self.0[usize::from(warp) * NUM_REGS + usize::from(register)]
    }

    /// A result was accepted.
    pub(crate) fn write(&mut self, result: &ResultWrite, data: &LaneData) {
        let register = self.get_mut(result.warp, result.register);
        for (lane, (value, new)) in register.value.iter_mut().zip(data).enumerate() {
            if result.mask >> lane & 1 != 0 {
                *value = *new;
            }
        }
        register.known |= result.mask;
        register.pending_writes -= 1;
    }

    /// The slot is given to another warp: nothing is known of its registers.
    pub(crate) fn forget_warp(&mut self, warp: u8) {
        let first = usize::from(warp) * NUM_REGS;
        for register in &mut self.0[first..first + NUM_REGS] {
            register.known = 0;
        }
    }
}
