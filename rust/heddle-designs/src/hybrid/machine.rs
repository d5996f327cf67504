//! One clock edge of the whole register file.

use super::bank::{Access, BankTiming, SttBank};
use super::buffer::{Buffer, Change, Gating, State, Taking, use_class};
use super::commands::{CommandCycle, Commands};
use super::queue::{ResultQueue, Staged, places};
use super::rcm::Rcm;
use super::reader::{Obstacles, Reader, Reads};
use super::write_back::{Demand, Grants, grant};
use super::{
    ARRAYS_PER_BANK, NAME, NUM_BANKS, NUM_BUFFERS, NUM_NUMBERS, address_in_bank, bank_of, check_config,
    layout,
};
use crate::baseline::dispatch::{Dispatch, DispatchCycle};
use crate::common::set_bits;
use heddle_port::{
    CommandOp, DesignError, Events, MAX_PORT_WIDTH, NUM_SOURCES, NUM_WARPS, PortConfig, PortWidths, RegIn,
    RegOut, RegisterFile,
};

/// The hybrid register file without its data.
#[derive(Debug, Clone)]
pub struct Hybrid {
    widths: PortWidths,
    timing: BankTiming,
    gating: Gating,
    cycle: u64,
    base: [u16; NUM_WARPS],
    commands: Commands,
    reader: Reader,
    queue: ResultQueue,
    rcm: Rcm,
    buffers: [Buffer; NUM_BUFFERS],
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

/// What became of the oldest result in one cycle, by buffer.
#[derive(Debug, Clone, Copy, Default)]
struct ResultCycle {
    /// It belongs to this buffer.
    requests: [bool; NUM_BUFFERS],
    taking: [Taking; NUM_BUFFERS],
    /// It has no buffer.
    late: bool,
    /// It was written to a buffer or a bank.
    left: bool,
}

/// A set of buffers or banks as bits.
#[inline]
fn bits(set: [bool; 2]) -> u32 {
    u32::from(set[0]) | u32::from(set[1]) << 1
}

/// Two numbers of eight bits.
#[inline]
fn bytes(numbers: [u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(numbers))
}

impl Hybrid {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            widths,
            timing: BankTiming::default(),
            gating: Gating::default(),
            cycle: 0,
            base: [0; NUM_WARPS],
            commands: Commands::default(),
            reader: Reader::default(),
            queue: ResultQueue::default(),
            rcm: Rcm::default(),
            buffers: [Buffer::default(); NUM_BUFFERS],
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

    /// The reads that begin in this cycle.
    #[inline]
    fn choose_reads(&self) -> (Reads, [Option<u8>; NUM_SOURCES]) {
        let Some(current) = self.reader.current() else { return (Reads::default(), [None; NUM_SOURCES]) };
        let obstacles = Obstacles {
            stop: !self.banks[bank_of(current.warp)].is_ready(),
            pending: self.queue.pending(current.warp, &current.numbers),
            slots: current.numbers.map(|number| self.rcm.find(number)),
        };
        (self.reader.choose(&obstacles), obstacles.slots)
    }

    /// Where the oldest result goes.
    #[inline]
    fn route(&self, oldest: Option<Staged>) -> ResultCycle {
        let mut cycle = ResultCycle::default();
        let Some(staged) = oldest else { return cycle };
        for (b, buffer) in self.buffers.iter().enumerate() {
            if buffer.state != State::Free && buffer.owner == staged.warp {
                cycle.requests[b] = true;
                cycle.taking[b] = buffer.offer(self.rcm.find(staged.number), self.gating);
                cycle.left |= cycle.taking[b].accepted;
            }
        }
        cycle.late = cycle.requests == [false; NUM_BUFFERS];
        cycle
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
            if !self.buffers.iter().any(|b| b.state == State::Fill && b.owner == issue.warp) {
                return Err(self.contract(format!("warp slot {} issues and is not active", issue.warp)));
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

    /// Carries the offered command out, or lets it wait. The queue has the results that were there when the
    /// cycle began, and those that it accepted in this cycle.
    #[inline]
    fn step_commands(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<CommandCycle, DesignError> {
        let command = &input.command;
        let mut accepted = None;
        if command.valid && self.commands.is_ready() {
            let Some(op) = CommandOp::from_code(command.op) else {
                return Err(self.contract(format!("there is no command number {}", command.op)));
            };
            port.commands = 1 << command.op;
            accepted = Some((op, command));
        }
        let queue = &self.queue;
        let cycle = self.commands.step(accepted, &self.buffers, |warp| queue.holds(warp));
        match accepted {
            Some((CommandOp::KernelStart, _)) if usize::from(command.value) > NUM_NUMBERS => {
                return Err(self.contract(format!(
                    "{} registers a thread; the register file has {NUM_NUMBERS}",
                    command.value
                )));
            }
            Some((CommandOp::KernelStart, _)) => self.gating.on = command.gating,
            Some((CommandOp::WarpBase, _)) => self.base[usize::from(command.warp)] = command.value,
            Some((CommandOp::Activate, _)) if self.buffers.iter().any(|b| b.state == State::Fill) => {
                return Err(
                    self.contract(format!("warp slot {} becomes active while another warp is", command.warp))
                );
            }
            _ => {}
        }
        Ok(cycle)
    }

    /// The clock edge of the control module and the write buffers.
    #[inline]
    fn tick_buffers(
        &mut self,
        oldest: Option<Staged>,
        result: &ResultCycle,
        grants: &Grants,
        commands: &CommandCycle,
        gating: Gating,
    ) {
        for (b, buffer) in self.buffers.iter_mut().enumerate() {
            let taking = result.taking[b];
            if let Some(staged) = oldest
                && taking.new_entry
                && buffer.state == State::Fill
            {
                self.rcm.set(staged.number, taking.slot);
            }
            if matches!(commands.changes[b], Change::Open(_)) {
                self.rcm.clear();
            }
            buffer.tick(taking, grants.entries[b], commands.changes[b], gating);
        }
    }
}

/// Events of the reads; `slots` are the entries of the sources that lie in the write buffer.
#[inline]
fn read_events(events: &mut Events, reads: &Reads, slots: &[Option<u8>; NUM_SOURCES], bank: usize) {
    let buffered = slots.iter().enumerate().fold(0, |set, (s, slot)| set | u32::from(slot.is_some()) << s);
    set_bits(events, layout::STT_READ, reads.arrays << (ARRAYS_PER_BANK * bank));
    set_bits(events, layout::BUFFER_READ, buffered & u32::from(reads.granted));
    set_bits(events, layout::RCM_READ, reads.granted.into());
    set_bits(events, layout::READ_BEHIND_RESULT, u32::from(reads.behind_result));
}

/// Events of the writes to the STT-RAM.
#[inline]
fn write_events(events: &mut Events, grants: &Grants, result: &ResultCycle, oldest: Option<Staged>) {
    let late = oldest.filter(|_| grants.late).map_or(0, |staged| 1 << bank_of(staged.warp));
    set_bits(events, layout::STT_WRITE, bits(grants.writes));
    set_bits(events, layout::WRITE_BACK, bits(grants.entries));
    set_bits(events, layout::LATE_WRITE, late);
    set_bits(events, layout::RESULT_WAIT_BANK, u32::from(result.late && !grants.late));
}

/// Events of the buffers and their results, from their state when the cycle began.
#[inline]
fn buffer_events(
    events: &mut Events,
    buffers: &[Buffer; NUM_BUFFERS],
    gating: Gating,
    result: &ResultCycle,
    commands: &CommandCycle,
) {
    let all = |of: &dyn Fn(usize) -> bool| bits(std::array::from_fn(of));
    let taking = &result.taking;
    let state = |b: usize| buffers[b].state;
    set_bits(events, layout::BUFFER_WRITE, all(&|b| taking[b].accepted));
    set_bits(events, layout::BUFFER_MERGE, all(&|b| taking[b].accepted && !taking[b].new_entry));
    set_bits(events, layout::BUFFER_APPEND, all(&|b| taking[b].new_entry && state(b) == State::Drain));
    set_bits(events, layout::BUFFER_DROP, all(&|b| commands.changes[b] == Change::Drop));
    set_bits(events, layout::WAKEUP, all(&|b| buffers[b].wakes(gating, taking[b].waits_power)));
    set_bits(events, layout::UPPER_ON, all(&|b| buffers[b].upper_on(gating)));
    set_bits(events, layout::FILLING, all(&|b| state(b) == State::Fill));
    set_bits(events, layout::DRAINING, all(&|b| state(b) == State::Drain));
    set_bits(events, layout::OWNER, bytes(buffers.map(|b| b.owner)));
    set_bits(events, layout::ENTRIES, bytes(buffers.map(|b| b.count)));
    set_bits(events, layout::DRAINED, bytes(buffers.map(|b| b.drained)));
    let looked_up = (0..NUM_BUFFERS).any(|b| taking[b].accepted && state(b) == State::Fill);
    set_bits(events, layout::RCM_WRITE, u32::from(looked_up));
    let waits_power = taking.iter().any(|t| t.waits_power);
    let waits_full = !result.late && result.requests != [false; 2] && !result.left && !waits_power;
    set_bits(events, layout::RESULT_WAIT_POWER, u32::from(waits_power));
    set_bits(events, layout::RESULT_WAIT_FULL, u32::from(waits_full));
    let ends = |b: &usize| commands.changes[*b] != Change::None && state(*b) == State::Fill;
    if let Some(b) = (0..NUM_BUFFERS).find(ends) {
        let used = buffers[b].count + u8::from(taking[b].new_entry);
        set_bits(events, layout::PERIOD, use_class(used));
    }
}

#[inline]
fn port_events(events: &mut Events, dispatch: &DispatchCycle, port: &PortCycle) {
    set_bits(events, layout::COLLECTOR_ALLOC, port.allocated);
    set_bits(events, layout::COLLECTOR_DISPATCH, dispatch.dispatched);
    set_bits(events, layout::RESULT_ACCEPT, port.accepted_results);
    set_bits(events, layout::OPERAND_STALL, dispatch.stalled);
    set_bits(events, layout::ISSUE_STALL, port.issue_stalled);
    set_bits(events, layout::RESULT_STALL, port.result_stalled);
    set_bits(events, layout::COMMAND, port.commands);
}

impl RegisterFile for Hybrid {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        check_config(NAME, config, self.widths)?;
        let invalid = |key, value: u64, reason: &str| DesignError::Config {
            design: NAME,
            key,
            value,
            reason: reason.to_owned(),
        };
        if config.active_warps != 1 {
            return Err(invalid("active_warps", config.active_warps.into(), "one warp is active at a time"));
        }
        if config.wakeup_cycles == 0 {
            return Err(invalid("wakeup_cycles", 0, "waking up takes at least 1 cycle"));
        }
        *self = Self::new(self.widths);
        self.timing = BankTiming { read: config.bank_cycles, write: config.write_cycles };
        self.gating.wakeup_cycles = config.wakeup_cycles;
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
        let reader = &self.reader;
        let (complete, ready) = (reader.complete(), &input.operands_ready);
        let dispatch = self.dispatch.step(complete, |c| reader.tag(c), ready, self.widths.issue);

        // Everything is decided from the state when the cycle began.
        let (reads, slots) = self.choose_reads();
        let reader_bank = self.reader.current().map_or(0, |c| bank_of(c.warp));
        let oldest = self.queue.oldest();
        let mut result = self.route(oldest);
        let grants = grant(&Demand {
            open: std::array::from_fn(|k| {
                self.banks[k].is_ready() && (reads.granted == 0 || reader_bank != k)
            }),
            late: oldest.filter(|_| result.late).map(|staged| bank_of(staged.warp)),
            entries: self.buffers.map(|b| b.has_entry().then(|| bank_of(b.owner))),
            youngest: self.commands.youngest,
        });
        result.left |= grants.late;
        let behind_write = reads.wanted != 0 && self.banks[reader_bank].is_writing();
        let stop = !self.banks[reader_bank].is_ready();
        let gating = self.gating;

        // What the SM hands over takes part from the next cycle on; registers are found by the bases of
        // this cycle.
        let mut port = PortCycle::default();
        self.reader.tick(self.banks.map(|bank| bank.read_valid()), reads.granted);
        self.reader.release(dispatch.dispatched);
        self.accept_issues(input, &mut port)?;
        self.accept_results(input, &mut port)?;
        let commands = self.step_commands(input, &mut port)?;
        if result.left {
            self.queue.pop();
        }

        let mut events = Events::default();
        read_events(&mut events, &reads, &slots, reader_bank);
        set_bits(&mut events, layout::READ_CONFLICT, u32::from(reads.conflict && !stop));
        set_bits(&mut events, layout::READ_BEHIND_WRITE, u32::from(behind_write));
        write_events(&mut events, &grants, &result, oldest);
        buffer_events(&mut events, &self.buffers, gating, &result, &commands);
        set_bits(&mut events, layout::ACTIVATION_WAIT, u32::from(commands.activation_waits));
        set_bits(&mut events, layout::EXIT_WAIT, u32::from(commands.exit_waits));
        set_bits(&mut events, layout::STAGED, staged);

        // The clock edge of buffers and banks.
        self.tick_buffers(oldest, &result, &grants, &commands, gating);
        let mut busy = [false; NUM_BANKS];
        for (k, bank) in self.banks.iter_mut().enumerate() {
            let access = match (reads.granted != 0 && reader_bank == k, grants.writes[k]) {
                (true, _) => Access::Reads,
                (_, true) => Access::Write,
                _ => Access::None,
            };
            busy[k] = bank.tick(access, self.timing);
        }
        port_events(&mut events, &dispatch, &port);

        self.update_ready();
        self.cycle += 1;
        out.issue_ready = self.issue_ready;
        out.operands = *self.dispatch.slots();
        out.result_ready = self.result_ready;
        out.command_ready = self.commands.is_ready();
        out.done = commands.done;
        out.status.bank_busy = bits(busy);
        out.events = events;
        Ok(())
    }
}
