//! What every read must give: the newest result of its place. Follows the RTL's own outputs alone, so it judges
//! values whatever the cycle model says.

use std::collections::VecDeque;

use heddle_designs::racetrack::{NUM_BANKS, NUM_ROWS};

use crate::rtl::{DELIVER, Data, FORWARD, GRANT, Inputs, LANES, Outputs, READS, UNSTAGE};

/// A register and the lanes of it that were written.
#[derive(Debug, Clone, Copy)]
struct Register {
    lanes: u32,
    data: [u32; LANES],
}

const UNWRITTEN: Register = Register { lanes: 0, data: [0; LANES] };

struct Bank {
    registers: Vec<Register>,
    /// Places of the queued reads.
    queued: VecDeque<u8>,
    /// Place and value of the read under way.
    reading: Option<(u8, Register)>,
}

/// The registers of all banks.
pub struct Values {
    banks: Vec<Bank>,
    /// Lanes compared.
    pub compared: u64,
}

impl Values {
    /// After a reset: nothing is known.
    pub fn new() -> Self {
        let bank = || Bank { registers: vec![UNWRITTEN; NUM_ROWS], queued: VecDeque::new(), reading: None };
        Self { banks: (0..NUM_BANKS).map(|_| bank()).collect(), compared: 0 }
    }

    /// Compares what is delivered in a cycle, then notes what was read, asked for and written in it.
    pub fn check(&mut self, inputs: &Inputs, outputs: &Outputs, data: &Data) -> Result<(), String> {
        for (b, bank) in self.banks.iter_mut().enumerate() {
            let has = |set: usize| outputs.sets[set] >> b & 1 != 0;
            if has(DELIVER) {
                let (place, register) =
                    bank.reading.take().ok_or(format!("bank {b} delivers without a read"))?;
                for lane in (0..LANES).filter(|lane| register.lanes >> lane & 1 != 0) {
                    let (expected, found) = (register.data[lane], data[b][lane]);
                    if found != expected {
                        return Err(format!(
                            "value of bank {b} place {place} lane {lane}: {found:#x} instead of {expected:#x}"
                        ));
                    }
                    self.compared += 1;
                }
            }
            if has(READS) || has(FORWARD) {
                let place = bank.queued.pop_front().ok_or(format!("bank {b} reads without a request"))?;
                bank.reading = Some((place, bank.registers[usize::from(place)]));
            }
            if has(GRANT) {
                bank.queued.push_back(inputs.banks[b].read_place);
            }
            if has(UNSTAGE) {
                let input = &inputs.banks[b];
                let register = &mut bank.registers[usize::from(input.write_place)];
                for lane in (0..LANES).filter(|lane| input.mask >> lane & 1 != 0) {
                    register.data[lane] = input.data[lane];
                }
                register.lanes |= input.mask;
            }
        }
        Ok(())
    }
}
