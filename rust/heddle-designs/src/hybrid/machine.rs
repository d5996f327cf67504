//! One clock edge of the whole register file.

use super::bank::{Access, BankTiming, SttBank};
use super::buffer::{Gating, State};
use super::commands::{CommandCycle, Commands};
use super::front::{Front, PortCycle};
use super::reader::{Obstacles, Reads};
use super::write_buffers::{WriteBuffers, bits};
use super::{ARRAYS_PER_BANK, NAME, NUM_BANKS, NUM_NUMBERS, bank_of, check_config, layout};
use crate::common::set_bits;
use heddle_port::{
    CommandOp, DesignError, Events, Issue, NUM_SOURCES, PortConfig, PortWidths, RegIn, RegOut, RegisterFile,
};

/// The hybrid register file without its data.
#[derive(Debug, Clone)]
pub struct Hybrid {
    timing: BankTiming,
    front: Front,
    commands: Commands,
    buffers: WriteBuffers,
    banks: [SttBank; NUM_BANKS],
}

impl Hybrid {
    /// A model with the given number of port slots (at most [`heddle_port::MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        Self {
            timing: BankTiming::default(),
            front: Front::new(NAME, widths),
            commands: Commands::default(),
            buffers: WriteBuffers::default(),
            banks: [SttBank::default(); NUM_BANKS],
        }
    }

    /// The reads that begin in this cycle, and the entries of the sources that lie in the write buffer.
    #[inline]
    fn choose_reads(&self) -> (Reads, [Option<u8>; NUM_SOURCES]) {
        let reader = &self.front.reader;
        let Some(current) = reader.current() else { return (Reads::default(), [None; NUM_SOURCES]) };
        let obstacles = Obstacles {
            stop: !self.banks[bank_of(current.warp)].is_ready(),
            pending: self.front.queue.pending(current.warp, &current.numbers),
            slots: current.numbers.map(|number| self.buffers.find(number)),
        };
        (reader.choose(&obstacles), obstacles.slots)
    }

    #[inline]
    fn accept_issues(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), DesignError> {
        let buffers = self.buffers.buffers();
        let inactive = |issue: &Issue| {
            let active = buffers.iter().any(|b| b.state == State::Fill && b.owner == issue.warp);
            (!active).then(|| format!("warp slot {} issues and is not active", issue.warp))
        };
        self.front.accept_issues(input, port, inactive)
    }

    /// Carries the offered command out, or lets it wait. The queue has the results that were there when the
    /// cycle began, and those that it accepted in this cycle.
    #[inline]
    fn step_commands(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<CommandCycle, DesignError> {
        let command = &input.command;
        let mut accepted = None;
        if command.valid && self.commands.is_ready() {
            let Some(op) = CommandOp::from_code(command.op) else {
                return Err(self.front.contract(format!("there is no command number {}", command.op)));
            };
            port.commands = 1 << command.op;
            accepted = Some((op, command));
        }
        let queue = &self.front.queue;
        let cycle = self.commands.step(accepted, self.buffers.buffers(), |warp| queue.holds(warp));
        match accepted {
            Some((CommandOp::KernelStart, _)) if usize::from(command.value) > NUM_NUMBERS => {
                return Err(self.front.contract(format!(
                    "{} registers a thread; the register file has {NUM_NUMBERS}",
                    command.value
                )));
            }
            Some((CommandOp::WarpBase, _)) => self.front.base[usize::from(command.warp)] = command.value,
            Some((CommandOp::Activate, _))
                if self.buffers.buffers().iter().any(|b| b.state == State::Fill) =>
            {
                return Err(self
                    .front
                    .contract(format!("warp slot {} becomes active while another warp is", command.warp)));
            }
            _ => {}
        }
        Ok(cycle)
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

impl RegisterFile for Hybrid {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        check_config(NAME, config, self.front.widths())?;
        let invalid = |key, value: u64, reason: &str| DesignError::Config {
            design: NAME,
            key,
            value,
            reason: reason.to_owned(),
        };
        if config.active_warps != 1 {
            return Err(invalid(
                "scheduler.active_warps",
                config.active_warps.into(),
                "one warp is active at a time",
            ));
        }
        if config.wakeup_cycles == 0 {
            return Err(invalid("register_file.wakeup_cycles", 0, "waking up takes at least 1 cycle"));
        }
        let (front, out) = self.front.reset();
        *self = Self { front, ..Self::new(self.front.widths()) };
        self.timing = BankTiming { read: config.bank_cycles, write: config.write_cycles };
        self.buffers = WriteBuffers::new(Gating { on: false, wakeup_cycles: config.wakeup_cycles });
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let staged = self.front.queue.len() as u32;
        let dispatch = self.front.dispatch(input);

        // Everything is decided from the state when the cycle began.
        let (reads, slots) = self.choose_reads();
        let reader_bank = self.front.reader.current().map_or(0, |c| bank_of(c.warp));
        let open =
            std::array::from_fn(|k| self.banks[k].is_ready() && (reads.granted == 0 || reader_bank != k));
        let cycle = self.buffers.decide(self.front.queue.oldest(), open, self.commands.youngest);
        let behind_write = reads.wanted != 0 && self.banks[reader_bank].is_writing();
        let stop = !self.banks[reader_bank].is_ready();

        // What the SM hands over takes part from the next cycle on; registers are found by the bases of
        // this cycle.
        let mut port = PortCycle::default();
        self.front.reader.tick(self.banks.map(|bank| bank.read_valid()), reads.granted);
        self.front.reader.release(dispatch.dispatched);
        self.accept_issues(input, &mut port)?;
        self.front.accept_results(input, &mut port)?;
        let commands = self.step_commands(input, &mut port)?;
        if cycle.left {
            self.front.queue.pop();
        }

        let mut events = Events::default();
        read_events(&mut events, &reads, &slots, reader_bank);
        set_bits(&mut events, layout::READ_CONFLICT, u32::from(reads.conflict && !stop));
        set_bits(&mut events, layout::READ_BEHIND_WRITE, u32::from(behind_write));
        self.buffers.events(&mut events, &cycle, &commands.changes);
        set_bits(&mut events, layout::ACTIVATION_WAIT, u32::from(commands.activation_waits));
        set_bits(&mut events, layout::EXIT_WAIT, u32::from(commands.exit_waits));
        set_bits(&mut events, layout::STAGED, staged);
        port.events(&mut events, &dispatch);

        // The clock edge of buffers and banks.
        self.buffers.tick(&cycle, &commands.changes);
        if port.commands >> CommandOp::KernelStart as u32 & 1 != 0 {
            self.buffers.gating.on = input.command.gating;
        }
        let mut busy = [false; NUM_BANKS];
        for (k, bank) in self.banks.iter_mut().enumerate() {
            let access = match (reads.granted != 0 && reader_bank == k, cycle.grants.writes[k]) {
                (true, _) => Access::Reads,
                (_, true) => Access::Write,
                _ => Access::None,
            };
            busy[k] = bank.tick(access, self.timing);
        }
        self.front.finish(out);
        out.command_ready = self.commands.is_ready();
        out.done = commands.done;
        out.status.bank_busy = bits(busy);
        out.events = events;
        Ok(())
    }
}
