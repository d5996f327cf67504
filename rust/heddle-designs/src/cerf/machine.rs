//! One clock edge of the whole integrated memory.

use heddle_port::{
    DesignError, Done, Events, MAX_PORT_WIDTH, MemIn, MemLowerResponse, MemOut, MemRequest, MemorySide,
    NUM_SOURCES, PortConfig, PortWidths, RegIn, RegOut, RegisterFile,
};

use super::collectors::{Collectors, Dispatch, SourceRef};
use super::commands::Commands;
use super::fills::{FillUnit, Responses};
use super::lower::LowerQueue;
use super::memory::MemoryUnit;
use super::mshrs::{Mshrs, NUM_MSHRS};
use super::tags::TagBank;
use super::writes::{PLACES_PER_PORT, WriteBuffer};
use super::{NAME, NUM_REGISTERS, NUM_TAG_BANKS, layout};
use crate::common::{Rotating, set_bits};

/// The cache-emulated register file without its data.
#[derive(Debug, Clone)]
pub struct Cerf {
    widths: PortWidths,
    /// Registers give way as lines do.
    fair: bool,
    pub(super) cycle: u64,
    pub(super) banks: [TagBank; NUM_TAG_BANKS],
    pub(super) arbiters: [Rotating; NUM_TAG_BANKS],
    pub(super) collectors: Collectors,
    pub(super) dispatch: Dispatch,
    pub(super) writes: WriteBuffer,
    pub(super) commands: Commands,
    pub(super) memory: MemoryUnit,
    pub(super) mshrs: Mshrs,
    pub(super) fills: FillUnit,
    pub(super) responses: Responses,
    pub(super) lower: LowerQueue,
    /// The entry, {way, set, tag bank}, that the walk at the end of a kernel visits next.
    pub(super) flush: Option<u16>,
    /// Operand reads whose row is being accessed, and those whose data are there, by tag bank.
    reading: [Option<SourceRef>; NUM_TAG_BANKS],
    read: [Option<SourceRef>; NUM_TAG_BANKS],
    /// Tag banks whose data banks are accessed in the current cycle.
    accessing: u32,
    issue_ready: [bool; MAX_PORT_WIDTH],
    result_ready: [bool; MAX_PORT_WIDTH],
    pub(super) memory_in: Inputs,
    memory_out: MemOut,
}

/// What of the memory port's inputs a model without data looks at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inputs {
    request: MemRequest,
    flush: bool,
    lower_ready: bool,
    pub(super) lower_response: MemLowerResponse,
}

impl Cerf {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self::configured(widths, 4, false)
    }

    fn configured(widths: PortWidths, ways: usize, fair: bool) -> Self {
        Self {
            widths,
            fair,
            cycle: 0,
            banks: std::array::from_fn(|_| TagBank::new(ways, fair)),
            arbiters: [Rotating::default(); NUM_TAG_BANKS],
            collectors: Collectors::default(),
            dispatch: Dispatch::default(),
            writes: WriteBuffer::default(),
            commands: Commands::new(),
            memory: MemoryUnit::new(),
            mshrs: Mshrs::new(),
            fills: FillUnit::new(),
            responses: Responses::default(),
            lower: LowerQueue::new(),
            flush: None,
            reading: [None; NUM_TAG_BANKS],
            read: [None; NUM_TAG_BANKS],
            accessing: 0,
            issue_ready: [false; MAX_PORT_WIDTH],
            result_ready: [false; MAX_PORT_WIDTH],
            memory_in: Inputs::default(),
            memory_out: MemOut::default(),
        }
    }

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

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    /// Warp register of a warp's register.
    #[inline]
    fn index(&self, warp: u8, register: u8) -> Result<u16, DesignError> {
        let index = self.commands.index(warp, register);
        if index >= NUM_REGISTERS {
            return Err(self.contract(format!(
                "register {register} of warp slot {warp} is warp register {index}; there are {NUM_REGISTERS}"
            )));
        }
        Ok(index)
    }

    // ---- the ports ----

    #[inline]
    fn accept_issues(
        &mut self,
        input: &RegIn,
        mut free: u32,
        events: &mut Events,
    ) -> Result<(), DesignError> {
        for (slot, issue) in input.issue.iter().enumerate().take(self.widths.issue) {
            if !issue.valid {
                continue;
            }
            if !self.issue_ready[slot] {
                set_bits(events, layout::ISSUE_STALL, 1 << slot);
                continue;
            }
            let mut registers = [0; NUM_SOURCES];
            for (source, register) in registers.iter_mut().enumerate() {
                if issue.source_valid >> source & 1 != 0 {
                    *register = self.index(issue.warp, issue.source[source])?;
                }
            }
            let collector = free.trailing_zeros();
            free &= free - 1;
            set_bits(events, layout::COLLECTOR_ALLOC, 1 << collector);
            // Only LRU-prioritized looks at dead bits (section III-D).
            let dead = if self.fair { 0 } else { issue.dead };
            self.collectors.allocate(collector as usize, issue, dead, registers);
        }
        Ok(())
    }

    #[inline]
    fn accept_results(&mut self, input: &RegIn, events: &mut Events) -> Result<(), DesignError> {
        for (slot, result) in input.result.iter().enumerate().take(self.widths.result) {
            if !result.valid {
                continue;
            }
            if !self.result_ready[slot] {
                set_bits(events, layout::RESULT_STALL, 1 << slot);
                continue;
            }
            let register = self.index(result.warp, result.register)?;
            self.writes.push(register, result.mask == u32::MAX);
            set_bits(events, layout::RESULT_ACCEPT, 1 << slot);
        }
        Ok(())
    }

    /// Accepts an offered command, if the unit is ready; it is not while it walks.
    #[inline]
    fn accept_command(
        &mut self,
        input: &RegIn,
        ready: bool,
        events: &mut Events,
    ) -> Result<Done, DesignError> {
        let command = &input.command;
        if !command.valid || !ready {
            return Ok(Done::default());
        }
        let Some(done) = self.commands.accept(command) else {
            return Err(self.contract(format!("there is no command number {}", command.op)));
        };
        set_bits(events, layout::COMMAND, 1 << command.op);
        Ok(done)
    }

    /// What the SM's coalescer and L2 drive.
    #[inline]
    fn accept_memory(&mut self) -> Result<(), DesignError> {
        let Inputs { request, flush, lower_response, .. } = self.memory_in;
        if flush && (!self.memory_out.idle || request.valid) {
            return Err(self.contract("a flush is asked for while loads or stores are under way".to_owned()));
        }
        if flush {
            self.flush = Some(0);
        }
        if request.valid && self.memory_out.request_ready {
            self.memory.push(&request).map_err(|what| self.contract(what))?;
        }
        if lower_response.valid {
            let id = lower_response.id;
            if usize::from(id) >= NUM_MSHRS {
                return Err(self.contract(format!("L2 answers request {id}, which was never sent")));
            }
            self.fills.arrive(id);
        }
        self.memory_in.request.valid = false;
        self.memory_in.flush = false;
        self.memory_in.lower_response.valid = false;
        self.memory_in.lower_ready = false;
        Ok(())
    }

    /// The numbers of the start of a cycle that are reported as events.
    #[inline]
    fn levels(&self, events: &mut Events) {
        let sum = |of: fn(&TagBank) -> u16| self.banks.iter().map(|b| u32::from(of(b))).sum::<u32>();
        set_bits(events, layout::WRITE_LEVEL, self.writes.len() as u32);
        set_bits(events, layout::LOWER_LEVEL, self.lower.len() as u32);
        set_bits(events, layout::COLLECTORS_IN_USE, self.collectors.in_use().count_ones());
        set_bits(events, layout::REGISTERS_PER_THREAD, self.commands.registers_per_thread().into());
        set_bits(events, layout::MSHRS_IN_USE, self.mshrs.used());
        set_bits(events, layout::REGISTERS, sum(TagBank::registers));
        set_bits(events, layout::LINES, sum(TagBank::lines));
    }
}

impl MemorySide for Cerf {
    fn memory_out(&self) -> &MemOut {
        &self.memory_out
    }

    fn drive_memory(&mut self, input: &MemIn) {
        if input.request.valid {
            self.memory_in.request = input.request;
        }
        self.memory_in.flush = input.flush;
        self.memory_in.lower_ready = input.lower_ready;
        self.memory_in.lower_response = input.lower_response;
    }
}

impl RegisterFile for Cerf {
    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        Some(self)
    }

    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let invalid = |key, value: u64, reason: &str| DesignError::Config {
            design: NAME,
            key,
            value,
            reason: reason.to_owned(),
        };
        if config.bank_cycles != 1 {
            return Err(invalid(
                "register_file.bank_cycles",
                config.bank_cycles.into(),
                "a data bank takes 1 cycle",
            ));
        }
        if config.rows_per_bank != NUM_REGISTERS / 16 {
            return Err(invalid(
                "register_file.rows_per_bank",
                config.rows_per_bank.into(),
                "64 is the only value, there are 16 x 64 registers",
            ));
        }
        if ![2, 4, 8].contains(&config.ways) {
            return Err(invalid("register_file.ways", config.ways.into(), "a set has 2, 4 or 8 ways"));
        }
        for (key, width) in [("sm.issue_width", self.widths.issue), ("sm.result_width", self.widths.result)] {
            if !(1..=MAX_PORT_WIDTH).contains(&width) {
                return Err(invalid(key, width as u64, "a port has 1 to 4 slots"));
            }
        }
        *self = Self::configured(self.widths, config.ways.into(), config.fair);
        self.update_ready();
        self.memory_out = MemOut { request_ready: true, idle: true, ..MemOut::default() };
        Ok(RegOut {
            issue_ready: self.issue_ready,
            result_ready: self.result_ready,
            command_ready: true,
            ..RegOut::default()
        })
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let mut events = Events::default();
        self.levels(&mut events);
        let free = self.collectors.free();
        let command_ready = self.commands.ready();

        // Dispatch sees the operands that were there when the cycle began.
        let dispatch = self.dispatch.step(&self.collectors, &input.operands_ready, self.widths.issue);
        set_bits(&mut events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
        set_bits(&mut events, layout::OPERAND_STALL, dispatch.stalled);
        for target in self.read.into_iter().flatten() {
            self.collectors.deliver(target);
        }

        let popped = self.memory_in.lower_ready && self.memory_out.lower_request.valid;
        let waits = !self.memory.is_empty();
        let tagging = self.tagging(&mut events);
        let performed = tagging.performed;
        let (answer, released) = self.fills.step(tagging.filled, self.responses.free(), &mut self.mshrs);
        let hit = self.responses.step(tagging.hit);
        self.writes.written(tagging.written);
        self.memory.park(tagging.lacks, released || popped);
        if performed.valid {
            self.memory.take();
        }
        set_bits(&mut events, layout::MEMORY_STALL, u32::from(waits && !performed.valid));
        if popped {
            self.lower.pop();
        }
        let busy = self.accessing;
        self.accessing = tagging.rows;
        self.read = self.reading;
        self.reading = tagging.reading;

        // What the SM hands over takes part from the next cycle on.
        self.collectors.release(dispatch.dispatched);
        self.accept_issues(input, free, &mut events)?;
        self.accept_results(input, &mut events)?;
        let done = self.accept_command(input, command_ready, &mut events)?;
        self.accept_memory()?;

        self.update_ready();
        self.cycle += 1;
        let response = if hit.valid { hit } else { answer };
        let idle = self.memory.is_empty()
            && self.mshrs.used() == 0
            && self.fills.is_idle()
            && self.responses.is_idle()
            && !response.valid
            && self.lower.is_empty()
            && !performed.valid
            && self.flush.is_none();
        self.memory_out = MemOut {
            request_ready: self.memory.ready(),
            response,
            performed,
            lower_request: self.lower.offered(self.cycle),
            idle,
        };
        out.issue_ready = self.issue_ready;
        out.operands = *self.dispatch.slots();
        out.result_ready = self.result_ready;
        out.command_ready = self.commands.ready();
        out.done = if tagging.done.valid { tagging.done } else { done };
        out.status.bank_busy = busy;
        out.events = events;
        Ok(())
    }
}
