//! Register data for runs without RTL.

use heddle_port::{
    LaneData, MAX_PORT_WIDTH, NUM_LANES, NUM_SOURCES, NUM_WARPS, OperandData, RegIn, RegOut, TAG_BITS,
};

/// Where the SM gets the operand data of the current cycle's operand slots.
pub trait OperandSource {
    /// Data of operand slot `slot`, meaningful where the slot is valid, in the instruction's source
    /// slots and active lanes.
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES];
}

/// Data that a machine with data inside puts out.
impl OperandSource for OperandData {
    #[inline]
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES] {
        &self[slot]
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Pending {
    warp: u8,
    source_valid: u8,
    source: [u8; NUM_SOURCES],
}

/// The registers of all warp slots, without any timing: data for a design that carries none.
///
/// Step it with the same inputs as the design and the design's outputs of the next cycle. Operands are
/// read when they come out; by the scoreboard no younger write can come between issue and then.
#[derive(Debug, Clone)]
pub struct ArchitecturalRegisters {
    registers: usize,
    data: Vec<LaneData>,
    pending: Vec<Pending>,
    out: Box<OperandData>,
    /// Tag whose data stands in a slot of `out`.
    shown: [Option<u16>; MAX_PORT_WIDTH],
}

impl ArchitecturalRegisters {
    /// `registers` registers for each of the 64 warp slots, all zero.
    #[must_use]
    pub fn new(registers: u32) -> Self {
        let registers = registers.clamp(1, 256) as usize;
        Self {
            registers,
            data: vec![[0; NUM_LANES]; NUM_WARPS * registers],
            pending: vec![Pending::default(); 1 << TAG_BITS],
            out: Box::new([[[0; NUM_LANES]; NUM_SOURCES]; MAX_PORT_WIDTH]),
            shown: [None; MAX_PORT_WIDTH],
        }
    }

    fn index(&self, warp: u8, register: u8) -> usize {
        usize::from(warp) * self.registers + usize::from(register).min(self.registers - 1)
    }

    /// Value of a register of a warp slot.
    #[inline]
    pub(crate) fn read(&self, warp: u8, register: u8) -> &LaneData {
        &self.data[self.index(warp, register)]
    }

    /// Writes the lanes of `mask` without the port.
    #[inline]
    pub(crate) fn write(&mut self, warp: u8, register: u8, data: &LaneData, mask: u32) {
        let index = self.index(warp, register);
        write(&mut self.data[index], data, mask);
    }

    /// One clock edge: `input` is what the SM drove in the cycle that ends, `next` the design's outputs
    /// of the cycle that begins.
    pub fn step(&mut self, input: &RegIn, next: &RegOut) {
        if input.offers() {
            self.take(input);
        }
        let out = next.operands.iter().fold(false, |any, operands| any | operands.valid);
        if out || input.operands_ready.contains(&true) {
            self.put_out(input, next);
        }
    }

    /// The operands of the cycle that begins.
    fn put_out(&mut self, input: &RegIn, next: &RegOut) {
        for slot in 0..MAX_PORT_WIDTH {
            if input.operands_ready[slot] {
                self.shown[slot] = None;
            }
            let operands = next.operands[slot];
            if operands.valid && self.shown[slot] != Some(operands.tag) {
                self.shown[slot] = Some(operands.tag);
                self.gather(slot, operands.tag);
            }
        }
    }

    /// The instructions and results that the design takes.
    fn take(&mut self, input: &RegIn) {
        for slot in 0..MAX_PORT_WIDTH {
            let issue = &input.issue[slot];
            if issue.valid {
                self.pending[usize::from(issue.tag)] =
                    Pending { warp: issue.warp, source_valid: issue.source_valid, source: issue.source };
            }
            let result = &input.result[slot];
            if result.valid {
                let index = self.index(result.warp, result.register);
                write(&mut self.data[index], &input.result_data[slot], result.mask);
            }
        }
    }

    fn gather(&mut self, slot: usize, tag: u16) {
        let pending = self.pending[usize::from(tag)];
        for k in 0..NUM_SOURCES {
            if pending.source_valid >> k & 1 != 0 {
                let index = self.index(pending.warp, pending.source[k]);
                self.out[slot][k] = self.data[index];
            }
        }
    }
}

#[inline]
fn write(register: &mut LaneData, data: &LaneData, mask: u32) {
    if mask == u32::MAX {
        *register = *data;
        return;
    }
    for (lane, (r, &d)) in register.iter_mut().zip(data).enumerate() {
        if mask >> lane & 1 != 0 {
            *r = d;
        }
    }
}

impl OperandSource for ArchitecturalRegisters {
    #[inline]
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES] {
        &self.out[slot]
    }
}

#[cfg(test)]
mod tests {
    use super::{ArchitecturalRegisters, OperandSource};
    use heddle_port::{Issue, Operands, RegIn, RegOut, ResultWrite};

    #[test]
    fn operands_are_the_last_lanes_written() {
        let mut registers = ArchitecturalRegisters::new(8);
        let mut input = RegIn::default();
        let mut out = RegOut::default();
        input.result[1] =
            ResultWrite { valid: true, tag: 0, warp: 3, register: 5, mask: u32::MAX, last: true };
        input.result_data[1] = [7; 32];
        registers.step(&input, &out);
        input.result[1].mask = 2;
        input.result_data[1] = [9; 32];
        input.issue[0] = Issue {
            valid: true,
            tag: 12,
            warp: 3,
            source_valid: 0b10,
            source: [0, 5, 0, 0, 0, 0],
            ..Issue::default()
        };
        out.operands[1] = Operands { valid: true, tag: 12 };
        registers.step(&input, &out);
        let data = registers.operand(1)[1];
        assert_eq!((data[0], data[1], data[31]), (7, 9, 7));
    }
}
