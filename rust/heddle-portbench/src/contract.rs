//! Whether the driver of a register port keeps its side of the contract.

use heddle_port::{
    Command, CommandOp, DesignError, Issue, MAX_PORT_WIDTH, MemorySide, NUM_DESTINATIONS, NUM_WARPS,
    OperandData, PortConfig, PortWidths, RegIn, RegOut, RegisterData, RegisterFile, ResultWrite, Tag,
    WarpSlot,
};

use crate::flight::{Flight, WarpState};
use crate::operands::{destinations, sources};

const TAGS: usize = 1 << heddle_port::TAG_BITS;

/// A design between whose inputs and its driver this stands: passes everything on, and ends the run
/// with [`DesignError::Contract`] when the driver (the bench, or an SM) breaks the contract.
#[derive(Debug)]
pub struct ContractMonitor<D> {
    design: D,
    needs_intervals: bool,
    /// Register files, each with slots of its own, and the slots of the port.
    sub_cores: usize,
    widths: PortWidths,
    config: PortConfig,
    cycle: u64,
    out: RegOut,
    /// Registers a thread of the running kernel.
    registers: u16,
    warps: Vec<WarpState>,
    flights: Vec<Option<Flight>>,
    offender: Option<Offender>,
}

/// Whose input broke the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offender {
    /// Hardware warp slot.
    pub warp: u8,
    /// The instruction, where it is one that was issued or whose result it was.
    pub tag: Option<u16>,
}

impl<D: RegisterFile> ContractMonitor<D> {
    /// Watches the driver of `design`; with `needs_intervals`, instructions keep to the working set of the
    /// last prefetch.
    pub fn new(design: D, needs_intervals: bool) -> Self {
        Self {
            design,
            needs_intervals,
            sub_cores: 1,
            widths: PortWidths { issue: MAX_PORT_WIDTH, result: MAX_PORT_WIDTH },
            config: PortConfig::default(),
            cycle: 0,
            out: RegOut::default(),
            registers: 0,
            warps: vec![WarpState::default(); NUM_WARPS],
            flights: vec![None; TAGS],
            offender: None,
        }
    }

    /// Whose input broke the contract last.
    #[must_use]
    pub fn offender(&self) -> Option<Offender> {
        self.offender
    }

    /// The design has `sub_cores` register files: the slots are divided among them, and so are the warps, by their
    /// number modulo `sub_cores`.
    #[must_use]
    pub fn with_sub_cores(mut self, sub_cores: usize, widths: PortWidths) -> Self {
        (self.sub_cores, self.widths) = (sub_cores.max(1), widths);
        self
    }

    /// A slot carries what belongs to its sub-core.
    fn belongs(&self, what: &str, slot: usize, width: usize, warp: u8) -> Result<(), String> {
        let owner = slot * self.sub_cores / width.max(1);
        if usize::from(warp) % self.sub_cores == owner {
            return Ok(());
        }
        Err(format!(
            "{what} slot {slot}, of sub-core {owner} of {}, carries {}",
            self.sub_cores,
            WarpSlot(warp)
        ))
    }

    /// What is judged from now on is the input of this warp, of this instruction.
    fn turn_to(&mut self, warp: u8, tag: Option<u16>) {
        self.offender = Some(Offender { warp, tag });
    }

    fn watch(&mut self, input: &RegIn) -> Result<(), String> {
        self.offender = None;
        let out = self.out;
        if out.done.valid
            && let Some(op) = CommandOp::from_code(out.done.op)
        {
            self.done(usize::from(out.done.warp), op);
        }
        // Operands handed out and results accepted in a cycle are not outstanding for a command of that cycle.
        for slot in 0..input.issue.len() {
            let taken = out.operands[slot].valid && input.operands_ready[slot];
            if taken && let Some(flight) = &mut self.flights[usize::from(out.operands[slot].tag)] {
                flight.collected = true;
                self.warps[usize::from(flight.issue.warp)].reads -= 1;
                if flight.issue.destination_valid == 0 {
                    self.land(out.operands[slot].tag);
                }
            }
        }
        for slot in 0..input.issue.len() {
            if input.issue[slot].valid {
                self.turn_to(input.issue[slot].warp, Some(input.issue[slot].tag));
                self.belongs("issue", slot, self.widths.issue, input.issue[slot].warp)?;
                self.offered(&input.issue[slot])?;
            }
        }
        for slot in 0..input.result.len() {
            if input.result[slot].valid {
                self.turn_to(input.result[slot].warp, Some(input.result[slot].tag));
                self.belongs("result", slot, self.widths.result, input.result[slot].warp)?;
            }
            if input.result[slot].valid && out.result_ready[slot] {
                self.result(&input.result[slot])?;
            }
        }
        if input.command.valid {
            self.turn_to(input.command.warp, None);
            self.command(&input.command, out.command_ready)?;
        }
        for slot in 0..input.issue.len() {
            if input.issue[slot].valid && out.issue_ready[slot] {
                self.turn_to(input.issue[slot].warp, Some(input.issue[slot].tag));
                self.issued(&input.issue[slot])?;
            }
        }
        Ok(())
    }

    fn done(&mut self, warp: usize, op: CommandOp) {
        if matches!(op, CommandOp::KernelStart | CommandOp::MapEntry) {
            return;
        }
        let warp = &mut self.warps[warp];
        warp.busy = None;
        match op {
            CommandOp::Activate => warp.active = true,
            CommandOp::Deactivate => warp.active = false,
            CommandOp::Exit => *warp = WarpState::default(),
            _ => {}
        }
    }

    /// An instruction is no longer in flight.
    fn land(&mut self, tag: u16) {
        if let Some(flight) = self.flights[usize::from(tag)].take() {
            self.warps[usize::from(flight.issue.warp)].tags.retain(|&t| t != tag);
        }
    }

    /// The instructions of a warp in flight, in issue order.
    fn in_flight(&self, warp: u8) -> impl Iterator<Item = &Flight> {
        let tags = &self.warps[usize::from(warp)].tags;
        tags.iter().filter_map(|&tag| self.flights[usize::from(tag)].as_ref())
    }

    fn offered(&self, issue: &Issue) -> Result<(), String> {
        let who = format!("{} of {}", Tag(issue.tag), WarpSlot(issue.warp));
        let warp = &self.warps[usize::from(issue.warp)];
        if issue.source_valid == 0 && issue.destination_valid == 0 {
            return Err(format!("{who} has neither source nor destination"));
        }
        if !warp.active || warp.busy.is_some() {
            return Err(format!("{who} is issued while its warp is not active or has a command under way"));
        }
        let missing = sources(issue)
            .chain(destinations(issue))
            .map(|(_, r)| r)
            .find(|&r| warp.set[usize::from(r) / 32] >> (r % 32) & 1 == 0);
        if self.needs_intervals
            && let Some(register) = missing
        {
            return Err(format!("{who} names R{register}, which is not in the working set"));
        }
        if let Some((_, register)) = sources(issue).find(|&(_, r)| u16::from(r) >= self.registers) {
            return Err(format!("{who} reads R{register} of {} registers", self.registers));
        }
        for older in self.in_flight(issue.warp) {
            let pending = |r: u8| destinations(&older.issue).any(|(s, d)| d == r && older.open[s] != 0);
            if let Some((_, register)) = sources(issue).find(|&(_, r)| pending(r)) {
                return Err(format!("{who} reads R{register} before its result is there"));
            }
            if let Some((_, register)) = destinations(issue).find(|&(_, r)| pending(r)) {
                return Err(format!("{who} writes R{register}, which an older one still writes"));
            }
        }
        Ok(())
    }

    fn issued(&mut self, issue: &Issue) -> Result<(), String> {
        // Once more: another slot of this cycle may have been accepted.
        self.offered(issue)?;
        let flight = &mut self.flights[usize::from(issue.tag)];
        if flight.is_some() {
            return Err(format!("{} is issued a second time", Tag(issue.tag)));
        }
        let mut open = [0; NUM_DESTINATIONS];
        for (slot, _) in destinations(issue) {
            // An instruction that executes in no lane still has one empty result for each destination.
            open[slot] = if issue.mask == 0 { u32::MAX } else { issue.mask };
        }
        *flight = Some(Flight { issue: *issue, collected: false, open });
        let warp = &mut self.warps[usize::from(issue.warp)];
        warp.reads += 1;
        warp.writes += u32::from(issue.destination_valid != 0);
        warp.tags.push(issue.tag);
        Ok(())
    }

    fn result(&mut self, result: &ResultWrite) -> Result<(), String> {
        let who = format!("result R{} of {}", result.register, Tag(result.tag));
        let overtaken = self.in_flight(result.warp).any(|f| {
            let other = f.issue.tag != result.tag && !f.collected;
            other && sources(&f.issue).any(|(_, r)| r == result.register)
        });
        if overtaken {
            return Err(format!("{who} overtakes a read"));
        }
        let flight = self.flights[usize::from(result.tag)].as_mut();
        let Some(flight) = flight.filter(|f| f.collected && f.issue.warp == result.warp) else {
            return Err(format!("{who}: no such instruction has its operands"));
        };
        let slot = destinations(&flight.issue).find(|&(_, r)| r == result.register).map(|(s, _)| s);
        let within = |s: usize| result.mask & !(flight.open[s] & flight.issue.mask) == 0;
        let Some(slot) = slot.filter(|&s| flight.open[s] != 0 && within(s)) else {
            return Err(format!("{who} writes lanes {:#010x} that are not open", result.mask));
        };
        flight.open[slot] &= if flight.issue.mask == 0 { 0 } else { !result.mask };
        let last = flight.open.iter().all(|&lanes| lanes == 0);
        if last != result.last {
            return Err(format!("{who} has last = {}, which is wrong", result.last));
        }
        if last {
            self.land(result.tag);
            self.warps[usize::from(result.warp)].writes -= 1;
        }
        Ok(())
    }

    fn command(&mut self, command: &Command, accepted: bool) -> Result<(), String> {
        let op = CommandOp::from_code(command.op).ok_or_else(|| format!("command {}", command.op))?;
        let number = usize::from(command.warp);
        let warp = &self.warps[number];
        let wrong = |what: &str| Err(format!("{op:?} of {}: {what}", WarpSlot(command.warp)));
        let idle = self.warps.iter().all(|w| w.base.is_none());
        match op {
            CommandOp::KernelStart | CommandOp::MapEntry if !idle => return wrong("warps are there"),
            CommandOp::KernelStart | CommandOp::MapEntry => {}
            _ if warp.busy.is_some() => return wrong("another command is under way"),
            CommandOp::WarpBase => {
                let end = command.value.saturating_add(self.registers);
                let inside = |w: &WarpState| {
                    w.base.is_some_and(|b| b < end && command.value < b.saturating_add(self.registers))
                };
                // Those of its own file.
                let mut others = self.warps.iter().skip(number % self.sub_cores).step_by(self.sub_cores);
                if warp.base.is_some() || others.any(inside) {
                    return wrong("the slot or its registers belong to another warp");
                }
            }
            CommandOp::Activate => {
                let places = self.warps.iter().filter(|w| w.active || w.busy == Some(op)).count();
                if warp.base.is_none() || warp.active || places >= usize::from(self.config.active_warps) {
                    return wrong("no warp that may become active");
                }
            }
            CommandOp::Exit if warp.writes != 0 => return wrong("results are outstanding"),
            CommandOp::Deactivate | CommandOp::Exit | CommandOp::Prefetch => {
                if !warp.active || warp.reads != 0 {
                    return wrong("the warp is not active or operands are outstanding");
                }
                let size: u32 = command.vector.iter().map(|w| w.count_ones()).sum();
                if op == CommandOp::Prefetch && size > u32::from(self.config.registers_per_interval) {
                    return wrong("the working set is too large");
                }
            }
        }
        if accepted {
            match op {
                CommandOp::KernelStart => self.registers = command.value,
                CommandOp::MapEntry => {}
                _ => {
                    let warp = &mut self.warps[number];
                    warp.busy = Some(op);
                    if op == CommandOp::WarpBase {
                        warp.base = Some(command.value);
                    }
                    if op == CommandOp::Prefetch {
                        warp.set = command.vector;
                    }
                }
            }
        }
        Ok(())
    }
}

impl<D: RegisterFile> RegisterFile for ContractMonitor<D> {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        self.config = *config;
        self.cycle = 0;
        self.warps.fill(WarpState::default());
        self.flights.fill(None);
        self.offender = None;
        self.out = self.design.reset(config)?;
        Ok(self.out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        self.watch(input).map_err(|what| DesignError::Contract {
            design: "the driver",
            cycle: self.cycle,
            what,
        })?;
        self.design.step(input, out)?;
        self.out = *out;
        self.cycle += 1;
        Ok(())
    }

    fn memory_side(&mut self) -> Option<&mut dyn MemorySide> {
        self.design.memory_side()
    }
}

impl<D: RegisterData> RegisterData for ContractMonitor<D> {
    fn operand_data(&self) -> &OperandData {
        self.design.operand_data()
    }
}
