//! The handshakes of the port, and what is counted of them.

use super::collectors::Collectors;
use super::collectors::NUM_COLLECTORS;
use super::command_port::CommandPort;
use super::dispatch::{Dispatch, DispatchCycle};
use super::limits::Limit;
use super::sub_cores::SubCores;
use heddle_port::{
    DesignError, EventField, EventLayout, Events, Instance, Issue, MAX_PORT_WIDTH, NUM_SOURCES, PortWidths,
    RegIn, RegOut,
};

/// The slots for which `flags` says so, one bit each.
#[inline]
pub(super) fn set_of(flags: [bool; MAX_PORT_WIDTH]) -> u32 {
    flags.iter().rev().fold(0, |set, &flag| set << 1 | u32::from(flag))
}

/// The first `count` slots, which are less than 32, one bit each.
#[inline]
pub(super) fn low(count: usize) -> u32 {
    (1 << count) - 1
}

/// Where an event lies that not every manifest has.
#[derive(Debug, Clone, Copy)]
pub struct Optional(Option<EventField>);

impl Optional {
    /// The event `name`, if there is one.
    #[must_use]
    pub fn new(events: &EventLayout, name: &str) -> Self {
        Self(events.field(name))
    }

    /// Sets the bits of a value from bit `first` of it on, if there is one.
    #[inline]
    pub fn set_from(self, events: &mut Events, first: u16, value: u64) {
        if value != 0
            && let Some(field) = self.0
        {
            field.set_from(events, first, value);
        }
    }

    /// Sets its bits, if there is one.
    #[inline]
    pub fn set(self, events: &mut Events, value: impl Into<u64>) {
        self.set_from(events, 0, value.into());
    }
}

/// Events of the port; a design's manifest may leave some out.
#[derive(Debug, Clone, Copy)]
struct PortFields {
    collector_alloc: Optional,
    collector_dispatch: Optional,
    result_accept: Optional,
    operand_stall: Optional,
    issue_stall: Optional,
    result_stall: Optional,
    command: Optional,
    registers_per_thread: Optional,
}

impl PortFields {
    fn new(events: &EventLayout) -> Self {
        let field = |name| Optional::new(events, name);
        Self {
            collector_alloc: field("collector_alloc"),
            collector_dispatch: field("collector_dispatch"),
            result_accept: field("result_accept"),
            operand_stall: field("operand_stall"),
            issue_stall: field("issue_stall"),
            result_stall: field("result_stall"),
            command: field("command"),
            registers_per_thread: field("registers_per_thread"),
        }
    }
}

/// What happened at the port in one cycle, one bit a slot, collector or command.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PortCycle {
    pub(super) allocated: u32,
    pub(super) issue_stalled: u32,
    pub(super) accepted_results: u32,
    pub(super) result_stalled: u32,
    pub(super) commands: u32,
}

impl PortCycle {
    /// Whether anything was taken or kept waiting.
    #[inline]
    pub(super) fn any(&self) -> bool {
        let Self { allocated, issue_stalled, accepted_results, result_stalled, commands } = self;
        allocated | issue_stalled | accepted_results | result_stalled | commands != 0
    }
}

/// The side of the SM.
#[derive(Debug, Clone)]
pub struct Front {
    design: &'static str,
    widths: PortWidths,
    sub_cores: SubCores,
    pub(super) cycle: u64,
    pub(super) commands: CommandPort,
    dispatch: Dispatch,
    /// Slots that take an instruction, and ports that take a result.
    pub(super) issue_ready: u32,
    pub(super) result_ready: u32,
    fields: PortFields,
}

impl Front {
    pub(super) fn new(design: &'static str, instance: &Instance, sub_cores: SubCores) -> Self {
        Self {
            design,
            widths: instance.widths,
            sub_cores,
            cycle: 0,
            commands: CommandPort::default(),
            dispatch: Dispatch::default(),
            issue_ready: 0,
            result_ready: 0,
            fields: PortFields::new(&instance.events),
        }
    }

    /// Checks the widths and `limits`, and goes into the reset state.
    pub(super) fn reset(&mut self, limits: Vec<Limit>) -> Result<(), DesignError> {
        for limit in Limit::of_widths(self.widths).into_iter().chain(limits) {
            limit.check(self.design)?;
        }
        self.cycle = 0;
        self.commands = CommandPort::default();
        self.dispatch = Dispatch::default();
        Ok(())
    }

    /// Slots of the port.
    #[inline]
    #[must_use]
    pub fn widths(&self) -> PortWidths {
        self.widths
    }

    /// Sub-cores of the register file.
    #[inline]
    #[must_use]
    pub fn sub_cores(&self) -> SubCores {
        self.sub_cores
    }

    /// Number of the current cycle.
    #[inline]
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// First register of a warp.
    #[inline]
    #[must_use]
    pub fn base(&self, warp: u8) -> u16 {
        self.commands.base(warp)
    }

    /// Registers per thread of the kernel.
    #[inline]
    #[must_use]
    pub fn registers_per_thread(&self) -> u8 {
        self.commands.registers_per_thread()
    }

    /// What `place` says of each source of `issue`, from the first register of its warp and the source's
    /// number.
    ///
    /// # Errors
    /// That of `place`.
    #[inline]
    pub fn sources<P: Copy + Default>(
        &self,
        issue: &Issue,
        place: impl Fn(u16, u8) -> Result<P, String>,
    ) -> Result<[P; NUM_SOURCES], String> {
        let mut places = [P::default(); NUM_SOURCES];
        let base = self.base(issue.warp);
        for (source, at) in places.iter_mut().enumerate() {
            if issue.source_valid >> source & 1 != 0 {
                *at = place(base, issue.source[source])?;
            }
        }
        Ok(places)
    }

    #[cold]
    pub(super) fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: self.design, cycle: self.cycle, what }
    }

    /// Dispatch sees the operands that were there when the cycle began.
    #[inline]
    pub(super) fn dispatch(&mut self, collectors: &impl Collectors, input: &RegIn) -> DispatchCycle {
        self.dispatch.step(collectors, &input.operands_ready, self.widths.issue, self.sub_cores)
    }

    /// Levels of the cycle that begins.
    #[inline]
    pub(super) fn put_levels(&self, events: &mut Events) {
        self.fields.registers_per_thread.set(events, self.commands.registers_per_thread());
    }

    /// Events of the cycle that ends.
    #[inline]
    pub(super) fn put_events(&self, events: &mut Events, port: &PortCycle, dispatch: &DispatchCycle) {
        let fields = &self.fields;
        fields.collector_alloc.set(events, port.allocated);
        fields.collector_dispatch.set(events, dispatch.dispatched);
        fields.result_accept.set(events, port.accepted_results);
        fields.operand_stall.set(events, dispatch.stalled);
        fields.issue_stall.set(events, port.issue_stalled);
        fields.result_stall.set(events, port.result_stalled);
        fields.command.set(events, port.commands);
    }

    /// What each slot takes in the next cycle: an instruction for each free collector of its sub-core, and results where
    /// `takes_result` says so of a port.
    #[inline]
    pub(super) fn update_ready(
        &mut self,
        collectors: &impl Collectors,
        takes_result: [bool; MAX_PORT_WIDTH],
    ) {
        let PortWidths { issue, result } = self.widths;
        let share = self.sub_cores.share(issue);
        self.issue_ready = 0;
        for sub_core in 0..self.sub_cores.count() {
            let free = match self.sub_cores.count() {
                1 => collectors.free(),
                _ => collectors.free_in(self.sub_cores.set(sub_core, NUM_COLLECTORS)),
            };
            let first = sub_core * share;
            self.issue_ready |= low(share.min(free)) << first;
        }
        self.result_ready = set_of(takes_result) & low(result);
    }

    /// The outputs that all designs have, without `done`.
    #[inline]
    pub(super) fn put_outputs(&self, out: &mut RegOut) {
        out.issue_ready = std::array::from_fn(|slot| self.issue_ready >> slot & 1 != 0);
        out.operands = *self.dispatch.slots();
        out.result_ready = std::array::from_fn(|port| self.result_ready >> port & 1 != 0);
        out.command_ready = self.commands.ready();
    }
}
