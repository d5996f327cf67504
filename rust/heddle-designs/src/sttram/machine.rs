//! One clock edge of the whole register file.

use super::{NAME, layout};
use crate::common::set_bits;
use crate::hybrid::bank::{Access, BankTiming, SttBank};
use crate::hybrid::front::{Front, PortCycle};
use crate::hybrid::reader::Obstacles;
use crate::hybrid::{ARRAYS_PER_BANK, NUM_BANKS, NUM_NUMBERS, bank_of, check_config};
use heddle_port::{
    CommandOp, DesignError, Done, Events, PortConfig, PortWidths, RegIn, RegOut, RegisterFile,
};

/// The register file of STT-RAM without its data.
#[derive(Debug, Clone)]
pub struct Sttram {
    timing: BankTiming,
    front: Front,
    registers_per_thread: u8,
    banks: [SttBank; NUM_BANKS],
}

impl Sttram {
    /// A model with the given number of port slots (at most [`heddle_port::MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            timing: BankTiming::default(),
            front: Front::new(NAME, widths),
            registers_per_thread: 0,
            banks: [SttBank::default(); NUM_BANKS],
        }
    }

    /// Carries out the offered command, which is always accepted.
    #[inline]
    fn accept_command(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<Done, DesignError> {
        let command = &input.command;
        if !command.valid {
            return Ok(Done::default());
        }
        match CommandOp::from_code(command.op) {
            Some(CommandOp::KernelStart) if usize::from(command.value) > NUM_NUMBERS => {
                return Err(self.front.contract(format!(
                    "{} registers a thread; the register file has {NUM_NUMBERS}",
                    command.value
                )));
            }
            Some(CommandOp::KernelStart) => self.registers_per_thread = command.value as u8,
            Some(CommandOp::WarpBase) => self.front.base[usize::from(command.warp)] = command.value,
            // Registers stay in place whatever the state of their warp.
            Some(
                CommandOp::MapEntry
                | CommandOp::Activate
                | CommandOp::Deactivate
                | CommandOp::Exit
                | CommandOp::Prefetch,
            ) => {}
            None => {
                return Err(self.front.contract(format!("there is no command number {}", command.op)));
            }
        }
        port.commands = 1 << command.op;
        Ok(Done { valid: true, op: command.op, warp: command.warp, interval: command.interval })
    }
}

impl RegisterFile for Sttram {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        check_config(NAME, config, self.front.widths())?;
        let (front, out) = self.front.reset();
        *self = Self { front, ..Self::new(self.front.widths()) };
        self.timing = BankTiming { read: config.bank_cycles, write: config.write_cycles };
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let staged = self.front.queue.len() as u32;
        let registers_per_thread = self.registers_per_thread;
        let dispatch = self.front.dispatch(input);

        // Everything is decided from the state when the cycle began.
        let writing = self.banks.iter().any(SttBank::is_writing);
        let stalled = staged != 0 || writing;
        let reader_bank = self.front.reader.current().map_or(0, |c| bank_of(c.warp));
        let stop = stalled || !self.banks[reader_bank].is_ready();
        let reads = self.front.reader.choose(&Obstacles { stop, ..Obstacles::default() });
        let oldest = self.front.queue.oldest().map(|staged| bank_of(staged.warp));
        let written = oldest.filter(|&bank| !writing && self.banks[bank].is_ready());

        // What the SM hands over takes part from the next cycle on; registers are found by the bases of
        // this cycle.
        let mut port = PortCycle::default();
        self.front.reader.tick(self.banks.map(|bank| bank.read_valid()), reads.granted);
        self.front.reader.release(dispatch.dispatched);
        self.front.accept_issues(input, &mut port, |_| None)?;
        if written.is_some() {
            self.front.queue.pop();
        }
        self.front.accept_results(input, &mut port)?;
        let done = self.accept_command(input, &mut port)?;

        let mut busy = 0;
        for (k, bank) in self.banks.iter_mut().enumerate() {
            let access = match (reads.granted != 0 && reader_bank == k, written == Some(k)) {
                (true, _) => Access::Reads,
                (_, true) => Access::Write,
                _ => Access::None,
            };
            busy |= u32::from(bank.tick(access, self.timing)) << k;
        }

        let mut events = Events::default();
        set_bits(&mut events, layout::STT_READ, reads.arrays << (ARRAYS_PER_BANK * reader_bank));
        set_bits(&mut events, layout::STT_WRITE, written.map_or(0, |bank| 1 << bank));
        set_bits(&mut events, layout::WRITE_STALL, u32::from(stalled));
        set_bits(&mut events, layout::READ_CONFLICT, u32::from(reads.conflict && !stop));
        set_bits(&mut events, layout::READ_WAIT, u32::from(reads.wanted != 0 && stalled));
        port.events(&mut events, &dispatch);
        set_bits(&mut events, layout::STAGED, staged);
        set_bits(&mut events, layout::REGISTERS_PER_THREAD, registers_per_thread.into());

        self.front.finish(out);
        out.command_ready = true;
        out.done = done;
        out.status.bank_busy = busy;
        out.events = events;
        Ok(())
    }
}
