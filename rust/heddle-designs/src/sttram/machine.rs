//! One clock edge of the whole register file.

use super::{NAME, layout};
use crate::baseline::dispatch::Dispatch;
use crate::common::set_bits;
use crate::hybrid::bank::{Access, BankTiming, SttBank};
use crate::hybrid::queue::{ResultQueue, Staged, places};
use crate::hybrid::reader::{Obstacles, Reader};
use crate::hybrid::{ARRAYS_PER_BANK, NUM_BANKS, NUM_NUMBERS, address_in_bank, bank_of, check_config};
use heddle_port::{
    CommandOp, DesignError, Done, Events, MAX_PORT_WIDTH, NUM_SOURCES, NUM_WARPS, PortConfig, PortWidths,
    RegIn, RegOut, RegisterFile,
};

/// The register file of STT-RAM without its data.
#[derive(Debug, Clone)]
pub struct Sttram {
    widths: PortWidths,
    timing: BankTiming,
    cycle: u64,
    base: [u16; NUM_WARPS],
    registers_per_thread: u8,
    reader: Reader,
    queue: ResultQueue,
    banks: [SttBank; NUM_BANKS],
    dispatch: Dispatch,
    issue_ready: [bool; MAX_PORT_WIDTH],
    result_ready: [bool; MAX_PORT_WIDTH],
}

/// What the SM's side of the ports did in one cycle, one bit a slot.
#[derive(Debug, Clone, Copy, Default)]
struct PortCycle {
    allocated: u32,
    issue_stalled: u32,
    accepted_results: u32,
    result_stalled: u32,
    commands: u32,
}

impl Sttram {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            widths,
            timing: BankTiming::default(),
            cycle: 0,
            base: [0; NUM_WARPS],
            registers_per_thread: 0,
            reader: Reader::default(),
            queue: ResultQueue::default(),
            banks: [SttBank::default(); NUM_BANKS],
            dispatch: Dispatch::default(),
            issue_ready: [false; MAX_PORT_WIDTH],
            result_ready: [false; MAX_PORT_WIDTH],
        }
    }

    #[inline]
    fn update_ready(&mut self) {
        let collectors = self.reader.free();
        let places = places(self.widths.result) - self.queue.len();
        self.issue_ready = std::array::from_fn(|slot| slot < self.widths.issue && slot < collectors);
        self.result_ready = std::array::from_fn(|slot| slot < self.widths.result && slot < places);
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    #[inline]
    fn address(&self, warp: u8, register: u8) -> Result<u16, DesignError> {
        address_in_bank(self.base[usize::from(warp)], warp, register).map_err(|what| self.contract(what))
    }

    /// Puts the accepted instructions into the collectors.
    #[inline]
    fn accept_issues(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), DesignError> {
        for (slot, issue) in input.issue.iter().enumerate().take(self.widths.issue) {
            if !issue.valid {
                continue;
            }
            if !self.issue_ready[slot] {
                port.issue_stalled |= 1 << slot;
                continue;
            }
            let mut arrays = [0; NUM_SOURCES];
            for (source, array) in arrays.iter_mut().enumerate() {
                if issue.source_valid >> source & 1 != 0 {
                    let address = self.address(issue.warp, issue.source[source])?;
                    *array = (usize::from(address) % ARRAYS_PER_BANK) as u8;
                }
            }
            port.allocated |= 1 << self.reader.allocate(issue, arrays);
        }
        Ok(())
    }

    #[inline]
    fn accept_results(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), DesignError> {
        for (slot, result) in input.result.iter().enumerate().take(self.widths.result) {
            if !result.valid {
                continue;
            }
            if !self.result_ready[slot] {
                port.result_stalled |= 1 << slot;
                continue;
            }
            self.address(result.warp, result.register)?;
            self.queue.push(Staged { warp: result.warp, number: result.register });
            port.accepted_results |= 1 << slot;
        }
        Ok(())
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
                return Err(self.contract(format!(
                    "{} registers a thread; the register file has {NUM_NUMBERS}",
                    command.value
                )));
            }
            Some(CommandOp::KernelStart) => self.registers_per_thread = command.value as u8,
            Some(CommandOp::WarpBase) => self.base[usize::from(command.warp)] = command.value,
            // Registers stay in place whatever the state of their warp.
            Some(
                CommandOp::MapEntry
                | CommandOp::Activate
                | CommandOp::Deactivate
                | CommandOp::Exit
                | CommandOp::Prefetch,
            ) => {}
            None => {
                return Err(self.contract(format!("there is no command number {}", command.op)));
            }
        }
        port.commands = 1 << command.op;
        Ok(Done { valid: true, op: command.op, warp: command.warp, interval: command.interval })
    }
}

impl RegisterFile for Sttram {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        check_config(NAME, config, self.widths)?;
        *self = Self::new(self.widths);
        self.timing = BankTiming { read: config.bank_cycles, write: config.write_cycles };
        self.update_ready();
        Ok(RegOut {
            issue_ready: self.issue_ready,
            result_ready: self.result_ready,
            command_ready: true,
            ..RegOut::default()
        })
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let staged = self.queue.len() as u32;
        let registers_per_thread = self.registers_per_thread;
        let reader = &self.reader;
        let (complete, ready) = (reader.complete(), &input.operands_ready);
        let dispatch = self.dispatch.step(complete, |c| reader.tag(c), ready, self.widths.issue);

        // Everything is decided from the state when the cycle began.
        let writing = self.banks.iter().any(SttBank::is_writing);
        let stalled = staged != 0 || writing;
        let reader_bank = self.reader.current().map_or(0, |c| bank_of(c.warp));
        let stop = stalled || !self.banks[reader_bank].is_ready();
        let reads = self.reader.choose(&Obstacles { stop, ..Obstacles::default() });
        let oldest = self.queue.oldest().map(|staged| bank_of(staged.warp));
        let written = oldest.filter(|&bank| !writing && self.banks[bank].is_ready());

        // What the SM hands over takes part from the next cycle on; registers are found by the bases of
        // this cycle.
        let mut port = PortCycle::default();
        self.reader.tick(self.banks.map(|bank| bank.read_valid()), reads.granted);
        self.reader.release(dispatch.dispatched);
        self.accept_issues(input, &mut port)?;
        if written.is_some() {
            self.queue.pop();
        }
        self.accept_results(input, &mut port)?;
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
        set_bits(&mut events, layout::COLLECTOR_ALLOC, port.allocated);
        set_bits(&mut events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
        set_bits(&mut events, layout::RESULT_ACCEPT, port.accepted_results);
        set_bits(&mut events, layout::OPERAND_STALL, dispatch.stalled);
        set_bits(&mut events, layout::ISSUE_STALL, port.issue_stalled);
        set_bits(&mut events, layout::RESULT_STALL, port.result_stalled);
        set_bits(&mut events, layout::COMMAND, port.commands);
        set_bits(&mut events, layout::STAGED, staged);
        set_bits(&mut events, layout::REGISTERS_PER_THREAD, registers_per_thread.into());

        self.update_ready();
        self.cycle += 1;
        out.issue_ready = self.issue_ready;
        out.operands = *self.dispatch.slots();
        out.result_ready = self.result_ready;
        out.command_ready = true;
        out.done = done;
        out.status.bank_busy = busy;
        out.events = events;
        Ok(())
    }
}
