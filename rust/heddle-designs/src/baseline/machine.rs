//! One clock edge of the whole register file.

use super::banks::{BankCycle, Banks};
use super::collectors::{Collectors, SourceRef};
use super::dispatch::{Dispatch, DispatchCycle};
use super::writes::{PLACES_PER_PORT, WriteBuffer};
use super::{NAME, NUM_BANKS, layout};
use crate::common::set_bits;
use heddle_port::{
    CommandOp, DesignError, Done, Events, MAX_PORT_WIDTH, NUM_SOURCES, NUM_WARPS, PortConfig, PortWidths,
    RegIn, RegOut, RegisterFile,
};

/// The baseline register file without its data.
#[derive(Debug, Clone)]
pub struct Baseline {
    widths: PortWidths,
    /// Rows of a bank in use.
    rows: u16,
    cycle: u64,
    base: [u16; NUM_WARPS],
    registers_per_thread: u8,
    collectors: Collectors,
    banks: Banks,
    writes: WriteBuffer,
    dispatch: Dispatch,
    /// Banks whose read data are there in the current cycle.
    delivering: u32,
    /// Ready of the issue and result slots in the current cycle.
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

impl Baseline {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            widths,
            rows: 0,
            cycle: 0,
            base: [0; NUM_WARPS],
            registers_per_thread: 0,
            collectors: Collectors::default(),
            banks: Banks::new(1),
            writes: WriteBuffer::default(),
            dispatch: Dispatch::default(),
            delivering: 0,
            issue_ready: [false; MAX_PORT_WIDTH],
            result_ready: [false; MAX_PORT_WIDTH],
        }
    }

    /// Ready of a port that takes as many new items as there are free places.
    #[inline]
    fn ready(places: usize, width: usize) -> [bool; MAX_PORT_WIDTH] {
        std::array::from_fn(|slot| slot < width && slot < places)
    }

    #[inline]
    fn update_ready(&mut self) {
        let collectors = self.collectors.free().count_ones() as usize;
        let places = PLACES_PER_PORT * self.widths.result - self.writes.len();
        self.issue_ready = Self::ready(collectors, self.widths.issue);
        self.result_ready = Self::ready(places, self.widths.result);
    }

    /// Bank of a warp's register.
    #[inline]
    fn bank(&self, warp: u8, register: u8) -> Result<u8, DesignError> {
        let index = self.base[usize::from(warp)].wrapping_add(u16::from(register));
        let row = index / NUM_BANKS as u16;
        if row >= self.rows {
            return Err(self.contract(format!(
                "register {register} of warp slot {warp} is warp register {index}, in row {row} of a \
                 bank; rows 0 to {} are in use",
                self.rows - 1
            )));
        }
        Ok((index % NUM_BANKS as u16) as u8)
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    /// Puts the accepted instructions into the collectors of `free`, lowest first.
    #[inline]
    fn accept_issues(
        &mut self,
        input: &RegIn,
        mut free: u32,
        port: &mut PortCycle,
    ) -> Result<(), DesignError> {
        for (slot, issue) in input.issue.iter().enumerate().take(self.widths.issue) {
            if !issue.valid {
                continue;
            }
            if !self.issue_ready[slot] {
                port.issue_stalled |= 1 << slot;
                continue;
            }
            let mut banks = [0; NUM_SOURCES];
            for (source, bank) in banks.iter_mut().enumerate() {
                if issue.source_valid >> source & 1 != 0 {
                    *bank = self.bank(issue.warp, issue.source[source])?;
                }
            }
            let collector = free.trailing_zeros();
            free &= free - 1;
            port.allocated |= 1 << collector;
            self.collectors.allocate(collector as usize, issue, banks);
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
            let bank = self.bank(result.warp, result.register)?;
            self.writes.push(usize::from(bank), ());
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

    /// The read grants of a cycle as numbers, from the banks' notes.
    #[inline]
    fn put_grants(&self, events: &mut Events, reads: u32) {
        let (mut collectors, mut sources) = (0_u64, 0_u64);
        let mut rest = reads;
        while rest != 0 {
            let bank = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let SourceRef { collector, source } = self.banks.target(bank);
            collectors |= u64::from(collector) << (4 * bank);
            sources |= u64::from(source) << (3 * bank);
        }
        set_wide(events, layout::GRANTED_COLLECTOR, collectors);
        set_wide(events, layout::GRANTED_SOURCE, sources);
    }
}

/// Sets the bits of `value` from bit `lsb`, the first of a word.
#[inline]
fn set_wide(events: &mut Events, lsb: usize, value: u64) {
    set_bits(events, lsb, value as u32);
    set_bits(events, lsb + 32, (value >> 32) as u32);
}

/// The numbers of a cycle's start that are reported as events.
#[derive(Debug, Clone, Copy)]
struct Levels {
    writes: u32,
    collectors: u32,
    registers_per_thread: u32,
}

#[inline]
fn events(bank: &BankCycle, dispatch: &DispatchCycle, port: &PortCycle, levels: Levels) -> Events {
    let mut events = Events::default();
    set_bits(&mut events, layout::BANK_READ, bank.reads);
    set_bits(&mut events, layout::BANK_WRITE, bank.writes);
    set_bits(&mut events, layout::COLLECTOR_ALLOC, port.allocated);
    set_bits(&mut events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
    set_bits(&mut events, layout::READ_WAIT_BANK, bank.wait_bank);
    set_bits(&mut events, layout::READ_WAIT_WRITE, bank.wait_write);
    set_bits(&mut events, layout::RESULT_ACCEPT, port.accepted_results);
    set_bits(&mut events, layout::OPERAND_STALL, dispatch.stalled);
    set_bits(&mut events, layout::ISSUE_STALL, port.issue_stalled);
    set_bits(&mut events, layout::RESULT_STALL, port.result_stalled);
    set_bits(&mut events, layout::COMMAND, port.commands);
    set_bits(&mut events, layout::WRITE_LEVEL, levels.writes);
    set_bits(&mut events, layout::REGISTERS_PER_THREAD, levels.registers_per_thread);
    set_bits(&mut events, layout::COLLECTORS_IN_USE, levels.collectors);
    events
}

impl RegisterFile for Baseline {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let invalid = |key, value: u64, reason: &str| DesignError::Config {
            design: NAME,
            key,
            value,
            reason: reason.to_owned(),
        };
        if config.bank_cycles == 0 {
            return Err(invalid("register_file.bank_cycles", 0, "an access takes at least 1 cycle"));
        }
        if !(1..=4096).contains(&config.rows_per_bank) {
            return Err(invalid(
                "register_file.rows_per_bank",
                config.rows_per_bank.into(),
                "a bank has 1 to 4096 rows",
            ));
        }
        for (key, width) in [("sm.issue_width", self.widths.issue), ("sm.result_width", self.widths.result)] {
            if !(1..=MAX_PORT_WIDTH).contains(&width) {
                return Err(invalid(key, width as u64, "a port has 1 to 4 slots"));
            }
        }
        *self = Self::new(self.widths);
        self.rows = config.rows_per_bank;
        self.banks = Banks::new(config.bank_cycles);
        self.update_ready();
        Ok(RegOut {
            issue_ready: self.issue_ready,
            result_ready: self.result_ready,
            command_ready: true,
            ..RegOut::default()
        })
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let levels = Levels {
            writes: self.writes.len() as u32,
            collectors: self.collectors.in_use().count_ones(),
            registers_per_thread: self.registers_per_thread.into(),
        };
        let free = self.collectors.free();

        // Dispatch sees the operands that were there when the cycle began.
        let collectors = &self.collectors;
        let (complete, ready) = (collectors.complete(), &input.operands_ready);
        let dispatch = self.dispatch.step(complete, |c| collectors.tag(c), ready, self.widths.issue);
        let mut arriving = self.delivering;
        while arriving != 0 {
            let bank = arriving.trailing_zeros() as usize;
            arriving &= arriving - 1;
            self.collectors.deliver(self.banks.target(bank));
        }
        let bank = self.banks.arbitrate(&mut self.collectors, &mut self.writes);
        let tick = self.banks.tick(&bank);
        self.delivering = tick.read_valid;

        // What the SM hands over takes part from the next cycle on. A collector that is emptied now
        // is free from the next cycle on, and registers are found by the bases of this cycle.
        let mut port = PortCycle::default();
        self.collectors.release(dispatch.dispatched);
        self.accept_issues(input, free, &mut port)?;
        self.accept_results(input, &mut port)?;
        let done = self.accept_command(input, &mut port)?;

        self.update_ready();
        self.cycle += 1;
        out.issue_ready = self.issue_ready;
        out.operands = *self.dispatch.slots();
        out.result_ready = self.result_ready;
        out.command_ready = true;
        out.done = done;
        out.status.bank_busy = tick.busy;
        out.events = events(&bank, &dispatch, &port, levels);
        self.put_grants(&mut out.events, bank.reads);
        Ok(())
    }
}
