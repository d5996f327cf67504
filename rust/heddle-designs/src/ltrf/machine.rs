//! One clock edge of the whole register file.

use super::collectors::{CollectorCycle, Collectors};
use super::commands::{CommandCycle, CommandUnit};
use super::control_block::ControlBlocks;
use super::engine::{Engine, Grants};
use super::fills::{FillArbiters, Fills};
use super::main_file::{MainCycle, MainFile};
use super::results::{Results, Sent};
use super::vector::RegVector;
use super::{NAME, NUM_BEATS, NUM_CACHE_BANKS, NUM_SLOTS, layout};
use crate::common::set_bits;
use heddle_port::{
    CommandOp, DesignError, Events, MAX_PORT_WIDTH, NUM_WARPS, PortConfig, PortWidths, RegIn, RegOut,
    RegisterFile, ResultWrite,
};

/// The LTRF register file without its data.
#[derive(Debug, Clone)]
pub struct Ltrf {
    widths: PortWidths,
    config: PortConfig,
    cycle: u64,
    base: [u16; NUM_WARPS],
    blocks: ControlBlocks,
    commands: CommandUnit,
    engine: Engine,
    collectors: Collectors,
    results: Results,
    fills: FillArbiters,
    main: MainFile,
}

/// Everything that happened in one cycle.
struct Cycle {
    fills: Fills,
    sent: Sent,
    grants: Grants,
    collectors: CollectorCycle,
    commands: CommandCycle,
    looked_up: u32,
    serving: u32,
    waiting_results: u32,
    main: MainCycle,
}

impl Ltrf {
    /// A model with the given number of port slots (at most [`MAX_PORT_WIDTH`]), not yet reset.
    #[must_use]
    pub fn new(widths: PortWidths) -> Self {
        let config = PortConfig {
            bank_cycles: 1,
            crossbar_cycles: NUM_BEATS as u8,
            active_warps: NUM_SLOTS as u8,
            registers_per_interval: NUM_CACHE_BANKS as u8,
            rows_per_bank: 128,
            ..PortConfig::default()
        };
        Self::configured(widths, config)
    }

    fn configured(widths: PortWidths, config: PortConfig) -> Self {
        Self {
            widths,
            config,
            cycle: 0,
            base: [0; NUM_WARPS],
            blocks: ControlBlocks::default(),
            commands: CommandUnit::default(),
            engine: Engine::new(config.registers_per_interval, config.active_warps),
            collectors: Collectors::new(widths.issue),
            results: Results::new(widths.result),
            fills: FillArbiters::default(),
            main: MainFile::new(config.bank_cycles, config.crossbar_cycles),
        }
    }

    #[cold]
    fn contract(&self, what: String) -> DesignError {
        DesignError::Contract { design: NAME, cycle: self.cycle, what }
    }

    #[cold]
    fn beyond(&self, warp: u8, register: u8) -> DesignError {
        self.contract(format!(
            "register {register} of warp slot {warp}, whose first warp register is {}, lies beyond the {} \
             rows of a bank",
            self.base[usize::from(warp)],
            self.config.rows_per_bank
        ))
    }

    /// Warp register of a result.
    #[inline]
    fn index(&self, result: &ResultWrite) -> Result<u16, DesignError> {
        let index = self.base[usize::from(result.warp)].wrapping_add(result.register.into());
        if index / 16 >= self.config.rows_per_bank {
            return Err(self.beyond(result.warp, result.register));
        }
        Ok(index)
    }

    fn set_ready(&self, out: &mut RegOut) {
        for slot in 0..MAX_PORT_WIDTH {
            out.issue_ready[slot] = self.collectors.ready(slot);
            out.result_ready[slot] = slot < self.widths.result && self.results.ready(slot);
        }
        out.command_ready = self.commands.ready();
    }

    /// The part of the cycle that moves registers between cache and main register file.
    fn transfer(&mut self, fills: &Fills, sent: &Sent, grants: &Grants) -> MainCycle {
        let mut rest = fills.lanes;
        while rest != 0 {
            let meta = self.main.outbound.meta(rest.trailing_zeros() as usize);
            rest &= rest - 1;
            self.blocks.fill(self.engine.slot(meta.slot.into()).warp, meta.register);
            self.engine.filled(meta.slot);
        }
        let engine = &mut self.engine;
        let cycle = self.main.tick(grants.reads, fills.lanes, |slot| engine.written(slot));
        if sent.main_banks != 0 {
            self.main.start_results(sent);
        }
        if grants.releases | grants.fetches != 0 {
            self.engine.start_transfers(grants, &mut self.blocks, &mut self.main);
        }
        cycle
    }

    /// Writes what a command changes in the tables.
    fn write_tables(&mut self, commands: &CommandCycle) {
        let Some((op, command)) = &commands.carried_out else { return };
        match op {
            CommandOp::WarpBase => self.base[usize::from(command.warp)] = command.value,
            CommandOp::Prefetch => {
                self.blocks.write_set(command.warp, RegVector::from_words(&command.vector));
            }
            CommandOp::Exit => self.blocks.write_set(command.warp, RegVector::default()),
            CommandOp::Activate => {
                if let Some(start) = &commands.start {
                    self.blocks.write_offset(command.warp, start.slot as u8);
                }
            }
            CommandOp::KernelStart | CommandOp::MapEntry | CommandOp::Deactivate => {}
        }
    }

    fn clock(&mut self, input: &RegIn) -> Result<Cycle, DesignError> {
        let mut results = [None; MAX_PORT_WIDTH];
        let mut any_result = false;
        for (port, result) in input.result.iter().enumerate().take(self.widths.result) {
            if result.valid && self.results.ready(port) {
                results[port] = Some((result, self.index(result)?));
                any_result = true;
            }
        }
        let accepted = std::array::from_fn::<_, MAX_PORT_WIDTH, _>(|slot| {
            input.issue[slot].valid && self.collectors.ready(slot)
        });
        let command = (input.command.valid && self.commands.ready()).then_some(input.command);

        let fills = self.fills.grant(&self.main.outbound);
        let sent = self.results.send(fills.cache_banks, self.main.inbound.busy());
        let grants = self.engine.allocate(
            self.main.inbound.busy() | sent.main_banks,
            self.main.read_ready(),
            &self.main.inbound,
            &self.results,
        );
        let issues = input.issue.iter().zip(accepted).filter_map(|(i, taken)| taken.then_some(i));
        let collectors = self.collectors.tick(
            issues,
            &input.operands_ready,
            grants.cache_reads,
            &self.results,
            &sent,
            &self.blocks,
        );
        let collectors = collectors.map_err(|(warp, register)| {
            self.contract(format!(
                "an instruction of warp slot {warp} reads register {register}, which is not in the \
                 register cache; expected a prefetch of its working set first"
            ))
        })?;
        let base = &self.base;
        let commands = self.commands.tick(
            &self.engine,
            &self.results,
            &self.blocks,
            |warp| base[usize::from(warp)],
            self.config.registers_per_interval,
        );
        let commands = commands.map_err(|what| self.contract(what))?;
        let waiting_results = self.results.waiting(&sent);
        let (engine, main) = (&self.engine, &self.main);
        let looked_up = self
            .results
            .tick(&sent, &self.blocks, |index| engine.moves(&grants, index) || main.fetching(index));
        let serving = self.engine.serving();
        let main = self.transfer(&fills, &sent, &grants);
        let ticked = self.engine.tick(
            &grants,
            commands.reported,
            commands.start,
            &self.blocks,
            self.config.rows_per_bank,
        );
        ticked.map_err(|(warp, register)| self.beyond(warp, register))?;
        self.write_tables(&commands);
        if any_result {
            self.results.accept(&results[..self.widths.result]);
        }
        if let Some(command) = command {
            let op = CommandOp::from_code(command.op)
                .ok_or_else(|| self.contract(format!("command number {}, expected 0 to 6", command.op)))?;
            self.commands.accept(op, command);
        }
        Ok(Cycle { fills, sent, grants, collectors, commands, looked_up, serving, waiting_results, main })
    }
}

/// The event vector of a cycle.
fn events(cycle: &Cycle) -> Events {
    let mut events = Events::default();
    let mut set = |lsb, value: u32| set_bits(&mut events, lsb, value);
    let (grants, sent) = (&cycle.grants, &cycle.sent);
    set(layout::MAIN_BANK_READ, grants.reads.into());
    set(layout::MAIN_BANK_WRITE, cycle.main.writes.into());
    set(layout::CACHE_BANK_READ, (grants.cache_reads | cycle.collectors.reads).into());
    set(layout::CACHE_BANK_WRITE, (cycle.fills.cache_banks | sent.cache_banks).into());
    set(layout::COLLECTOR_ALLOC, cycle.collectors.allocated.into());
    set(layout::COLLECTOR_DISPATCH, cycle.collectors.dispatched.into());
    set(layout::WCB_LOOKUP, cycle.collectors.lookups);
    set(layout::CROSSBAR_BEAT_IN, cycle.main.beats_in.into());
    set(layout::CROSSBAR_BEAT_OUT, cycle.main.beats_out.into());
    set(layout::BANK_ALLOC, grants.fetches);
    set(layout::BANK_RELEASE, grants.releases);
    set(layout::RESULT_LOOKUP, cycle.looked_up);
    set(layout::RESULT_TO_CACHE, sent.to_cache);
    set(layout::RESULT_TO_MAIN, sent.to_main);
    if let Some((op, _)) = &cycle.commands.carried_out {
        match op {
            CommandOp::Activate => {
                set(layout::OFFSET_ALLOC, 1);
                set(layout::ACTIVATE, 1);
            }
            CommandOp::Prefetch => set(layout::PREFETCH, 1),
            CommandOp::Deactivate => set(layout::DEACTIVATE, 1),
            CommandOp::Exit => set(layout::EXIT, 1),
            CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry => {}
        }
    }
    if cycle.commands.reported.is_some() {
        let left = [CommandOp::Deactivate as u8, CommandOp::Exit as u8];
        set(layout::OFFSET_RELEASE, left.contains(&cycle.commands.done.op).into());
    }
    set(layout::WRITE_BACK, grants.write_backs & 0x3f);
    set(layout::WRITE_BACK + 6, grants.write_backs >> 6);
    set(layout::TRANSFER_WAIT, grants.waiting);
    set(layout::CACHE_READ_CONFLICT, (cycle.collectors.conflicts & 0x3fff).into());
    set(layout::CACHE_READ_CONFLICT + 14, (cycle.collectors.conflicts >> 14).into());
    set(layout::SLOT_SERVICE, cycle.serving);
    set(layout::WCB_UPDATE, cycle.fills.lanes.into());
    set(layout::RESULT_WAIT, cycle.waiting_results);
    set(layout::COMMAND_WAIT, cycle.commands.waits.into());
    events
}

impl RegisterFile for Ltrf {
    fn reset(&mut self, config: &PortConfig) -> Result<RegOut, DesignError> {
        let checks = [
            ("register_file.bank_cycles", config.bank_cycles, 1..=255, "an access takes 1 to 255 cycles"),
            (
                "register_file.crossbar_cycles",
                config.crossbar_cycles,
                NUM_BEATS as u8..=255,
                "a register crosses in 4 beats",
            ),
            ("scheduler.active_warps", config.active_warps, 1..=NUM_SLOTS as u8, "1 to 8 warps fit"),
            (
                "register_file.registers_per_interval",
                config.registers_per_interval,
                1..=NUM_CACHE_BANKS as u8,
                "the cache has 1 to 16 banks",
            ),
        ];
        let invalid = |key, value: u64, reason: &str| {
            Err(DesignError::Config { design: NAME, key, value, reason: reason.to_owned() })
        };
        for (key, value, range, reason) in checks {
            if !range.contains(&value) {
                return invalid(key, value.into(), reason);
            }
        }
        if !(1..=4096).contains(&config.rows_per_bank) {
            return invalid(
                "register_file.rows_per_bank",
                config.rows_per_bank.into(),
                "a bank has 1 to 4096 rows",
            );
        }
        for (key, width) in [("sm.issue_width", self.widths.issue), ("sm.result_width", self.widths.result)] {
            if !(1..=MAX_PORT_WIDTH).contains(&width) {
                return invalid(key, width as u64, "a port has 1 to 4 slots");
            }
        }
        *self = Self::configured(self.widths, *config);
        let mut out = RegOut::default();
        self.set_ready(&mut out);
        Ok(out)
    }

    fn step(&mut self, input: &RegIn, out: &mut RegOut) -> Result<(), DesignError> {
        let cycle = self.clock(input)?;
        self.cycle += 1;
        out.operands = *self.collectors.outputs();
        out.done = cycle.commands.done;
        out.status.bank_busy = cycle.main.busy.into();
        out.events = events(&cycle);
        self.set_ready(out);
        Ok(())
    }
}
