//! The whole register file: the front around a mechanism.

use super::collectors::Collectors;
use super::command_port::{Answer, Present};
use super::limits::Limit;
use super::ports::{Front, PortCycle, low, set_of};
use super::sub_cores::SubCores;
use heddle_port::{
    CommandOp, DesignError, Done, Events, Instance, Issue, MemorySide, PortConfig, RegIn, RegOut,
    RegisterFile, ResultWrite, members,
};

/// What a design adds to the front. A text in place of a result says how the SM broke the contract of the
/// port.
pub trait Mechanism: Sized {
    /// Name of the design in messages.
    const NAME: &'static str;
    /// Its operand collectors.
    type Collectors: Collectors;

    /// The mechanism before its first reset, with the places of its events and its parameters.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: what it needs is not there.
    fn new(instance: &Instance) -> Result<Self, DesignError>;

    /// Sub-cores of the register file.
    fn sub_cores(&self) -> SubCores {
        SubCores::default()
    }

    /// What it wants of a configuration; the widths of the port are checked before.
    fn limits(&self, config: &PortConfig) -> Vec<Limit>;

    /// Goes into the reset state under a configuration that keeps to the limits.
    fn reset(&mut self, config: &PortConfig);

    /// The operand collectors.
    fn collectors(&mut self) -> &mut Self::Collectors;

    /// Whether result port `port` can take a result in the next cycle.
    fn takes_result(&self, port: usize) -> bool;

    /// The cycle of the arrays, from the state when it began.
    ///
    /// # Errors
    /// A text.
    fn access(&mut self, front: &Front, events: &mut Events) -> Result<(), String>;

    /// An accepted instruction; returns its collector.
    ///
    /// # Errors
    /// A text.
    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String>;

    /// An accepted result.
    ///
    /// # Errors
    /// A text.
    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String>;

    /// The command that is there. Registers stay in place whatever the state of their warp, unless the design says
    /// otherwise.
    ///
    /// # Errors
    /// A text.
    #[inline]
    fn command(&mut self, front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let _ = (front, present);
        Ok(Answer::Done)
    }

    /// The clock edge of what waits for the hand-over, and the outputs that are the design's: status, done events of
    /// its own, further events, memory port.
    ///
    /// # Errors
    /// A text.
    fn end(&mut self, front: &Front, out: &mut RegOut) -> Result<(), String>;

    /// For how many cycles without an offer all that the mechanism does and shows stays as in this one, and nothing moves but
    /// time; 0 where it does not say. These cycles have no step: [`Mechanism::access`] and [`Mechanism::end`] are not called,
    /// no collector may become complete or free, and whoever wraps the machine leaves its outputs as they are. Not for a
    /// mechanism with a memory port, whose inputs are no offer.
    #[inline]
    fn steady(&self) -> u32 {
        0
    }

    /// `cycles` of these have passed.
    #[inline]
    fn pass(&mut self, cycles: u32) {
        let _ = cycles;
    }

    /// Of a design that keeps versions: what it read in this cycle that was not the newest value of its register.
    fn stale(&mut self) -> Option<String> {
        None
    }

    /// As [`RegisterFile::follows_every_instruction`].
    fn follows_every_instruction(&self) -> bool {
        false
    }

    /// The memory port, of a design that has one.
    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        None
    }
}

/// A slot carries what belongs to its sub-core only.
#[inline]
fn belongs(front: &Front, what: &str, slot: usize, width: usize, warp: u8) -> Result<(), String> {
    let sub_cores = front.sub_cores();
    if sub_cores.count() == 1 || sub_cores.of_warp(warp) == sub_cores.owner(slot, width) {
        return Ok(());
    }
    Err(format!(
        "{what} {slot} of sub-core {} carries warp slot {warp}, of sub-core {}",
        sub_cores.owner(slot, width),
        sub_cores.of_warp(warp)
    ))
}

/// The cycle model of a register file with mechanism `M`, without its data.
#[derive(Debug, Clone)]
pub struct Machine<M> {
    front: Front,
    mechanism: M,
    /// The outputs stand still.
    still: Still,
}

/// Cycles whose outputs are those of the cycle before, unless something is offered.
#[derive(Debug, Clone, Copy, Default)]
struct Still {
    /// Still to come.
    left: u32,
    /// Over, without the mechanism knowing.
    passed: u32,
}

impl<M: Mechanism> Machine<M> {
    /// A model that needs a reset before its first step.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: what the mechanism needs is not there.
    pub fn new(instance: &Instance) -> Result<Self, DesignError> {
        let mechanism = M::new(instance)?;
        let front = Front::new(M::NAME, instance, mechanism.sub_cores());
        Ok(Self { front, mechanism, still: Still::default() })
    }

    #[inline]
    fn update_ready(&mut self) {
        let Self { front, mechanism, .. } = self;
        let takes_result = std::array::from_fn(|port| mechanism.takes_result(port));
        front.update_ready(mechanism.collectors(), takes_result);
    }

    #[inline]
    fn accept_issues(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), String> {
        let Self { front, mechanism, .. } = self;
        let width = front.widths().issue;
        let offered = set_of(input.issue.each_ref().map(|issue| issue.valid)) & low(width);
        let accepted = offered & front.issue_ready;
        port.issue_stalled = offered & !accepted;
        for slot in members(accepted) {
            let issue = &input.issue[slot];
            belongs(front, "issue slot", slot, width, issue.warp)?;
            port.allocated |= 1 << mechanism.take_issue(front, issue)?;
        }
        Ok(())
    }

    #[inline]
    fn accept_results(&mut self, input: &RegIn, port: &mut PortCycle) -> Result<(), String> {
        let Self { front, mechanism, .. } = self;
        let width = front.widths().result;
        let offered = set_of(input.result.each_ref().map(|result| result.valid)) & low(width);
        port.accepted_results = offered & front.result_ready;
        port.result_stalled = offered & !port.accepted_results;
        for slot in members(port.accepted_results) {
            let result = &input.result[slot];
            belongs(front, "result slot", slot, width, result.warp)?;
            mechanism.take_result(front, slot, result)?;
        }
        Ok(())
    }

    /// The command that waits, or the one that is offered.
    #[inline]
    fn step_command(&mut self, input: &RegIn, port: &mut PortCycle, out: &mut RegOut) -> Result<(), String> {
        let Self { front, mechanism, .. } = self;
        let mut accepted = false;
        if front.commands.ready() {
            out.done = Done::default();
            if !input.command.valid {
                return Ok(());
            }
            let op = CommandOp::from_code(input.command.op)
                .ok_or_else(|| format!("there is no command number {}", input.command.op))?;
            front.commands.accept(op, &input.command);
            port.commands = 1 << input.command.op;
            accepted = true;
        }
        if let Some(&(op, ref command)) = front.commands.waiting() {
            let answer = mechanism.command(front, Present { op, command, accepted })?;
            out.done = front.commands.answer(answer);
        }
        Ok(())
    }

    #[inline]
    fn hand_over(&mut self, input: &RegIn, port: &mut PortCycle, out: &mut RegOut) -> Result<(), String> {
        self.accept_issues(input, port)?;
        self.accept_results(input, port)?;
        self.step_command(input, port, out)
    }
}

impl<M: Mechanism> RegisterFile for Machine<M> {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.front.reset(self.mechanism.limits(config))?;
        self.mechanism.reset(config);
        self.still = Still::default();
        self.update_ready();
        let mut out = RegOut::default();
        self.front.put_outputs(&mut out);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        if self.still.left > 0 && !input.offers() {
            self.still.left -= 1;
            self.still.passed += 1;
            self.front.cycle += 1;
            return Ok(());
        }
        let Still { passed, .. } = std::mem::take(&mut self.still);
        if passed > 0 {
            self.mechanism.pass(passed);
        }
        out.events = Events::default();
        self.front.put_levels(&mut out.events);
        let dispatch = self.front.dispatch(self.mechanism.collectors(), input);
        let mut port = PortCycle::default();
        let done = self
            .mechanism
            .access(&self.front, &mut out.events)
            .and_then(|()| self.hand_over(input, &mut port, out))
            .and_then(|()| {
                self.mechanism.collectors().release(dispatch.dispatched);
                self.mechanism.end(&self.front, out)
            });
        done.map_err(|what| self.front.contract(what))?;
        if let Some(what) = self.mechanism.stale() {
            return Err(DesignError::Stale { design: M::NAME, cycle: self.front.cycle, what });
        }
        self.front.put_events(&mut out.events, &port, &dispatch);
        self.update_ready();
        self.front.cycle += 1;
        self.front.put_outputs(out);
        let changes = port.any() || dispatch.moves() || !out.command_ready || out.done.valid;
        let left = if changes { 0 } else { self.mechanism.steady() };
        self.still = Still { left, passed: 0 };
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        self.mechanism.memory_side()
    }

    fn follows_every_instruction(&self) -> bool {
        self.mechanism.follows_every_instruction()
    }
}

#[cfg(test)]
mod tests;
