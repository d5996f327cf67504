//! A model of the fixture design in which faults can be set, and a design that says wrong things.

use heddle_port::{
    Command, DesignError, Done, Issue, OperandData, Operands, PortConfig, PortWidths, RegIn, RegOut,
    RegisterData, RegisterFile,
};
use heddle_rtl::RtlRegisterFile;

/// Faults and lies begin after this cycle.
const FROM: u64 = 500;

pub fn config() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        active_warps: 8,
        registers_per_interval: 16,
        rows_per_bank: 128,
        ..PortConfig::default()
    }
}

/// What the model does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    ForgetsEvent,
    LateReady,
    WrongTag,
    WrongDone,
}

/// The flat design without data.
pub struct Flat {
    widths: PortWidths,
    fault: Fault,
    cycle: u64,
    held: [Option<u16>; 4],
}

impl Flat {
    pub fn new(widths: PortWidths, fault: Fault) -> Self {
        Self { widths, fault, cycle: 0, held: [None; 4] }
    }
}

impl RegisterFile for Flat {
    fn reset(&mut self, _: &PortConfig) -> Result<RegOut, DesignError> {
        let mut out = RegOut { command_ready: true, ..RegOut::default() };
        out.issue_ready[..self.widths.issue].fill(true);
        out.result_ready[..self.widths.result].fill(true);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.cycle += 1;
        let wrong = |fault| self.fault == fault && self.cycle > FROM;
        for slot in 0..self.widths.issue {
            let Issue { valid, tag, .. } = input.issue[slot];
            match self.held[slot] {
                None if valid => self.held[slot] = Some(tag),
                Some(_) if input.operands_ready[slot] => self.held[slot] = None,
                _ => {}
            }
            out.issue_ready[slot] = self.held[slot].is_none() && !wrong(Fault::LateReady);
            out.operands[slot] = self.held[slot].map_or_else(Operands::default, |tag| Operands {
                valid: true,
                tag: tag ^ u16::from(wrong(Fault::WrongTag)),
            });
        }
        let writes = (0..self.widths.result).filter(|&r| input.result[r].valid);
        out.events[0] = writes.fold(0, |bits, r| bits | 1 << r);
        out.status.bank_busy[0] = u32::from(out.events[0] != 0);
        if wrong(Fault::ForgetsEvent) {
            out.events[0] &= !2;
        }
        let Command { valid, op, warp, interval, .. } = input.command;
        out.done = Done::default();
        if valid {
            out.done = Done { valid, op, warp, interval: interval ^ u16::from(wrong(Fault::WrongDone)) };
        }
        Ok(())
    }
}

/// What a design says wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lie {
    TakesOperandsBack,
    UnknownTag,
    DoneTwice,
    WrongInterval,
    WrongCommand,
    SwallowsDone,
    SwallowsOperands,
    NeverReadyForIssue,
    NeverReadyForResults,
    NeverReadyForCommands,
    FlipsABit,
    Stops,
}

/// The fixture design, between which and the bench something goes wrong.
pub struct Liar {
    rtl: RtlRegisterFile,
    lie: Lie,
    cycle: u64,
    data: OperandData,
    last_done: Done,
    lying: bool,
}

impl Liar {
    pub fn new(rtl: RtlRegisterFile, lie: Lie) -> Self {
        Self { data: *rtl.operand_data(), rtl, lie, cycle: 0, last_done: Done::default(), lying: false }
    }
}

impl RegisterFile for Liar {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.cycle = 0;
        self.rtl.reset(config)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        // What is refused must not arrive.
        let mut passed = input.clone();
        if self.cycle > FROM {
            match self.lie {
                Lie::NeverReadyForIssue => passed.issue = Default::default(),
                Lie::NeverReadyForResults => passed.result = Default::default(),
                Lie::NeverReadyForCommands => passed.command = Command::default(),
                _ => {}
            }
        }
        self.rtl.step(&passed, out)?;
        self.data = *self.rtl.operand_data();
        self.cycle += 1;
        if self.cycle <= FROM {
            return Ok(());
        }
        // Nothing that stalls is taken back, so that the lie itself is found.
        self.lying |= out.operands.iter().all(|o| !o.valid);
        match self.lie {
            Lie::TakesOperandsBack => out.operands[0].valid &= self.cycle.is_multiple_of(2),
            Lie::UnknownTag if self.lying => out.operands[1].tag = 0,
            Lie::SwallowsOperands if self.lying => out.operands = [Operands::default(); 4],
            Lie::UnknownTag | Lie::SwallowsOperands => {}
            Lie::DoneTwice => {
                if !out.done.valid {
                    out.done = self.last_done;
                }
                self.last_done = out.done;
            }
            Lie::WrongInterval => out.done.interval ^= 1,
            Lie::WrongCommand => out.done.op ^= 1,
            Lie::SwallowsDone => out.done = Done::default(),
            Lie::NeverReadyForIssue => out.issue_ready = [false; 4],
            Lie::NeverReadyForResults => out.result_ready = [false; 4],
            Lie::NeverReadyForCommands => out.command_ready = false,
            Lie::FlipsABit => {
                for source in self.data.as_flattened_mut() {
                    source[17] ^= 1 << 30;
                }
            }
            Lie::Stops => {
                return Err(DesignError::Rtl { design: "flat".to_owned(), message: "it stopped".to_owned() });
            }
        }
        Ok(())
    }
}

impl RegisterData for Liar {
    fn operand_data(&self) -> &OperandData {
        &self.data
    }
}
