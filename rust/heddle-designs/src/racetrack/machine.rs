//! One clock edge of the whole register file.

use super::bank::BankTiming;
use super::banks::{Arrivals, Banks, BanksCycle, members};
use super::mapping::MappingTables;
use super::queues::{Read, Write};
use super::{NAME, NUM_BANKS, NUM_ROWS, layout};
use crate::baseline::NUM_COLLECTORS;
use crate::baseline::collectors::Collectors;
use crate::baseline::dispatch::{Dispatch, DispatchCycle};
use crate::baseline::writes::{PLACES_PER_PORT, WriteBuffer};
use crate::common::set_bits;
use heddle_port::{
    CommandOp, DesignError, Done, Events, MAX_PORT_WIDTH, NUM_SOURCES, NUM_WARPS, PortConfig, PortWidths,
    RegIn, RegOut, RegisterFile,
};

/// A result on its way into a bank's write buffer.
#[derive(Debug, Clone, Copy, Default)]
struct Staged {
    row: u16,
    mask: u32,
}

/// The racetrack register file without its data.
#[derive(Debug, Clone)]
pub struct Racetrack {
    widths: PortWidths,
    /// Rows of a bank in use.
    rows: u16,
    timing: BankTiming,
    cycle: u64,
    base: [u16; NUM_WARPS],
    mapping: MappingTables,
    collectors: Collectors,
    /// Row of each source of each collector.
    source_rows: [[u16; NUM_SOURCES]; NUM_COLLECTORS],
    banks: Banks,
    staging: WriteBuffer<Staged>,
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

impl Racetrack {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            widths,
            rows: 0,
            timing: BankTiming { read: 1, write: 1, shift: 1, preshift: false },
            cycle: 0,
            base: [0; NUM_WARPS],
            mapping: MappingTables::default(),
            collectors: Collectors::default(),
            source_rows: [[0; NUM_SOURCES]; NUM_COLLECTORS],
            banks: Banks::default(),
            staging: WriteBuffer::default(),
            dispatch: Dispatch::default(),
            issue_ready: [false; MAX_PORT_WIDTH],
            result_ready: [false; MAX_PORT_WIDTH],
        }
    }

    #[inline]
    fn update_ready(&mut self) {
        let collectors = self.collectors.free().count_ones() as usize;
        let places = PLACES_PER_PORT * self.widths.result - self.staging.len();
        self.issue_ready = std::array::from_fn(|slot| slot < self.widths.issue && slot < collectors);
        self.result_ready = std::array::from_fn(|slot| slot < self.widths.result && slot < places);
    }

    /// Bank and row of a warp's register.
    #[inline]
    fn locate(&self, warp: u8, register: u8) -> Result<(usize, u16), DesignError> {
        let index = self.base[usize::from(warp)].wrapping_add(u16::from(register));
        let row = index / NUM_BANKS as u16;
        if row >= self.rows {
            return Err(self.contract(format!(
                "register {register} of warp slot {warp} is warp register {index}, in row {row} of a \
                 bank; rows 0 to {} are in use",
                self.rows - 1
            )));
        }
        Ok((usize::from(index) % NUM_BANKS, row))
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    /// One cycle of the banks. What enters their queues is looked up with the tables of this cycle.
    #[inline]
    fn step_banks(&mut self) -> BanksCycle {
        let mut arrivals = Arrivals { staged: self.staging.queued(), ..Arrivals::default() };
        for b in members(self.collectors.requested_banks()) {
            if let Some(collector) = self.banks.grant_read(b, self.collectors.requests(b)) {
                let target = self.collectors.take_request(collector as usize, b);
                let row = self.source_rows[collector as usize][usize::from(target.source)];
                arrivals.reads[b] = Some(Read { place: self.mapping.place(b, row), target });
            }
        }
        let mapping = &self.mapping;
        self.staging.grant(!self.banks.write_ready(), |b, staged| {
            arrivals.writes[b] = Some(Write { place: mapping.place(b, staged.row), mask: staged.mask });
        });
        self.banks.step(&arrivals, &self.timing)
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
            let collector = free.trailing_zeros() as usize;
            free &= free - 1;
            let mut banks = [0; NUM_SOURCES];
            for (source, bank) in banks.iter_mut().enumerate() {
                if issue.source_valid >> source & 1 != 0 {
                    let (b, row) = self.locate(issue.warp, issue.source[source])?;
                    *bank = b as u8;
                    self.source_rows[collector][source] = row;
                }
            }
            port.allocated |= 1 << collector;
            self.collectors.allocate(collector, issue, banks);
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
            let (bank, row) = self.locate(result.warp, result.register)?;
            self.staging.push(bank, Staged { row, mask: result.mask });
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
            Some(CommandOp::KernelStart) => self.mapping.clear(),
            Some(CommandOp::WarpBase) => self.base[usize::from(command.warp)] = command.value,
            Some(CommandOp::MapEntry) => self.mapping.load(command),
            // Registers stay in place whatever the state of their warp.
            Some(CommandOp::Activate | CommandOp::Deactivate | CommandOp::Exit | CommandOp::Prefetch) => {}
            None => {
                return Err(self.contract(format!("there is no command number {}", command.op)));
            }
        }
        port.commands = 1 << command.op;
        Ok(Done { valid: true, op: command.op, warp: command.warp, interval: command.interval })
    }
}

#[inline]
fn events(banks: &BanksCycle, dispatch: &DispatchCycle, port: &PortCycle, staged: u32) -> Events {
    let mut events = Events::default();
    set_bits(&mut events, layout::READ, banks.reads);
    set_bits(&mut events, layout::WRITE, banks.writes);
    set_bits(&mut events, layout::SHIFT, banks.shifts);
    set_bits(&mut events, layout::PRESHIFT, banks.preshifts);
    set_bits(&mut events, layout::COLLECTOR_ALLOC, port.allocated);
    set_bits(&mut events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
    set_bits(&mut events, layout::BUFFER_WRITE, banks.buffer_writes);
    set_bits(&mut events, layout::BUFFER_READ, banks.buffer_reads);
    set_bits(&mut events, layout::READ_QUEUED, banks.read_queued);
    set_bits(&mut events, layout::READ_WAITS, banks.read_waits);
    set_bits(&mut events, layout::RESULT_ACCEPT, port.accepted_results);
    set_bits(&mut events, layout::OPERAND_STALL, dispatch.stalled);
    set_bits(&mut events, layout::ISSUE_STALL, port.issue_stalled);
    set_bits(&mut events, layout::RESULT_STALL, port.result_stalled);
    set_bits(&mut events, layout::COMMAND, port.commands);
    set_bits(&mut events, layout::STAGED, staged);
    events
}

impl RegisterFile for Racetrack {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let invalid = |key, value: u64, reason: &str| DesignError::Config {
            design: NAME,
            key,
            value,
            reason: reason.to_owned(),
        };
        for (key, cycles) in [
            ("register_file.bank_cycles", config.bank_cycles),
            ("register_file.write_cycles", config.write_cycles),
        ] {
            if cycles == 0 {
                return Err(invalid(key, 0, "an access takes at least 1 cycle"));
            }
        }
        if !(1..=NUM_ROWS as u16).contains(&config.rows_per_bank) {
            return Err(invalid(
                "register_file.rows_per_bank",
                config.rows_per_bank.into(),
                "a bank has 1 to 128 rows",
            ));
        }
        for (key, width) in [("sm.issue_width", self.widths.issue), ("sm.result_width", self.widths.result)] {
            if !(1..=MAX_PORT_WIDTH).contains(&width) {
                return Err(invalid(key, width as u64, "a port has 1 to 4 slots"));
            }
        }
        *self = Self::new(self.widths);
        self.rows = config.rows_per_bank;
        self.timing = BankTiming {
            read: config.bank_cycles,
            write: config.write_cycles,
            shift: config.shift_cycles,
            preshift: config.preshift,
        };
        self.update_ready();
        Ok(RegOut {
            issue_ready: self.issue_ready,
            result_ready: self.result_ready,
            command_ready: true,
            ..RegOut::default()
        })
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let staged = self.staging.len() as u32;
        let free = self.collectors.free();
        let positions: [u8; NUM_BANKS] = std::array::from_fn(|b| self.banks.position(b));

        // Dispatch sees the operands that were there when the cycle began.
        let collectors = &self.collectors;
        let (complete, ready) = (collectors.complete(), &input.operands_ready);
        let dispatch = self.dispatch.step(complete, |c| collectors.tag(c), ready, self.widths.issue);
        for (_, target) in self.banks.delivered() {
            self.collectors.deliver(target);
        }
        let banks = self.step_banks();

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
        out.status.bank_busy = banks.busy;
        out.events = events(&banks, &dispatch, &port, staged);
        for (b, &position) in positions.iter().enumerate() {
            set_bits(&mut out.events, layout::POSITION + 4 * b, position.into());
        }
        Ok(())
    }
}
