//! Main register file, register cache, and what moves registers between them.

use super::collectors::LtrfCollectors;
use super::commands::{CommandCycle, CommandUnit};
use super::control_block::ControlBlocks;
use super::engine::{Decoded, Engine, Grants};
use super::events::Fields;
use super::fills::{FillArbiters, Fills};
use super::main_file::{MainCycle, MainFile};
use super::results::{Results, Sent};
use super::shape::Shape;
use super::vector::RegVector;
use super::{NAME, NUM_MAIN_BANKS};
use crate::front::{Answer, Front, Limit, Locate, Machine, Mechanism, Present};
use heddle_port::{
    CommandOp, DesignError, Done, Events, Instance, Issue, MAX_BANKS, MAX_PORT_WIDTH, PortConfig, RegOut,
    ResultWrite, members,
};

/// The LTRF register file without its data.
pub type Ltrf = Machine<Cached>;

/// The cache with its tables, the main register file, and the engine between them.
#[derive(Debug, Clone)]
pub struct Cached {
    fields: Fields,
    shape: Shape,
    result_width: usize,
    config: PortConfig,
    locate: Locate,
    blocks: ControlBlocks,
    commands: CommandUnit,
    engine: Engine,
    collectors: LtrfCollectors,
    results: Results,
    fills: FillArbiters,
    main: MainFile,
    /// Results of this cycle, with the warp registers that they write.
    arrived: [Option<(ResultWrite, u16)>; MAX_PORT_WIDTH],
    /// Done event of the cycle that comes, and the banks that were occupied in the one that ends.
    done: Done,
    busy: [u32; MAX_BANKS / 32],
}

impl Cached {
    fn configured(fields: Fields, shape: Shape, result_width: usize, config: PortConfig) -> Self {
        Self {
            fields,
            shape,
            result_width,
            config,
            locate: Locate::new(NUM_MAIN_BANKS * shape.lane_banks, config.rows_per_bank),
            blocks: ControlBlocks::new(shape.liveness),
            commands: CommandUnit::default(),
            engine: Engine::new(
                config.registers_per_interval,
                config.active_warps,
                shape.decode_width(&config),
                shape.dirty_bits,
                shape.releases_early(&config),
            ),
            collectors: LtrfCollectors::default(),
            results: Results::new(result_width),
            fills: FillArbiters::default(),
            main: MainFile::new(
                shape.lane_banks,
                config.bank_cycles,
                shape.busy_cycles(&config),
                shape.bank_eighths(&config),
                config.crossbar_cycles,
            ),
            arrived: [None; MAX_PORT_WIDTH],
            done: Done::default(),
            busy: [0; MAX_BANKS / 32],
        }
    }

    /// The part of the cycle that moves registers between cache and main register file.
    fn transfer(&mut self, fills: &Fills, sent: &Sent, grants: &Grants, decoded: &Decoded) -> MainCycle {
        for lane in members(fills.lanes) {
            let meta = self.main.outbound.meta(lane);
            self.blocks.fill(self.engine.slot(meta.slot.into()).warp, meta.register);
            self.engine.filled(meta.slot, meta.cache_bank);
        }
        let cycle = self.main.tick(&grants.reads_by_bank, fills.lanes);
        if sent.main_banks != 0 {
            self.main.start_results(sent);
        }
        if grants.reads | grants.write_backs != 0 {
            self.engine.start_transfers(grants, &mut self.blocks, &mut self.main);
        }
        self.engine.enter(decoded, &mut self.blocks);
        cycle
    }

    /// Writes what a command changes in the tables.
    fn write_tables(&mut self, commands: &CommandCycle) {
        let Some((op, command)) = &commands.carried_out else { return };
        match op {
            CommandOp::Prefetch => {
                let vector = RegVector::from_words(&command.vector);
                self.blocks.drop_dead(command.warp, &vector);
                self.blocks.write_set(command.warp, vector);
            }
            CommandOp::Exit => {
                self.blocks.write_set(command.warp, RegVector::default());
                self.blocks.clear_all(command.warp);
            }
            CommandOp::WarpBase => self.blocks.begin(command.warp),
            CommandOp::Deactivate => self.blocks.drop_dead(command.warp, &RegVector::default()),
            CommandOp::Activate => {
                if let Some(start) = &commands.start {
                    self.blocks.write_offset(command.warp, start.slot as u8);
                }
            }
            CommandOp::KernelStart | CommandOp::MapEntry => {}
        }
    }
}

impl Mechanism for Cached {
    const NAME: &'static str = NAME;
    type Collectors = LtrfCollectors;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let shape = Shape::of(instance)?;
        let fields = Fields::new(NAME, &instance.events)?;
        Ok(Self::configured(fields, shape, instance.widths.result, shape.before_reset()))
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        self.shape.limits(config)
    }

    fn reset(&mut self, config: &PortConfig) {
        *self = Self::configured(self.fields, self.shape, self.result_width, *config);
    }

    fn collectors(&mut self) -> &mut LtrfCollectors {
        &mut self.collectors
    }

    #[inline]
    fn takes_result(&self, port: usize) -> bool {
        self.results.ready(port)
    }

    fn access(&mut self, front: &Front, events: &mut Events) -> Result<(), String> {
        let fills = self.fills.grant(&self.main.outbound);
        let sent = self.results.send(fills.cache_banks, self.main.inbound.busy());
        let lanes_taken = self.main.inbound.busy() | sent.main_banks;
        let grants = self.engine.allocate(lanes_taken, &self.main, &self.results);
        let rows = self.config.rows_per_bank * self.shape.lane_banks as u16;
        let decoded = self.engine.decode(rows);
        let decoded =
            decoded.map_err(|(warp, register)| self.locate.beyond(front.base(warp), warp, register))?;
        let collectors = self.collectors.tick(grants.write_backs, &self.results, &sent, &self.blocks)?;
        let commands = self.commands.tick(
            &self.engine,
            &self.results,
            &self.blocks,
            |warp| front.base(warp),
            self.config.registers_per_interval,
        )?;
        let fields = self.fields;
        fields.cache_bank_read.set(events, (grants.write_backs | collectors.reads).into());
        fields.cache_bank_write.set(events, (fills.cache_banks | sent.cache_banks).into());
        fields.wcb_lookup.set(events, collectors.lookups.into());
        fields.cache_read_conflict.set(events, collectors.conflicts.into());
        fields.result_to_cache.set(events, sent.to_cache.into());
        fields.result_to_main.set(events, sent.to_main.into());
        fields.result_wait.set(events, self.results.waiting(&sent).into());
        fields.slot_service.set(events, self.engine.serving().into());
        fields.put_command(&commands, events);

        fields.transfer_wait.set(events, self.engine.waits(&grants).into());
        let (engine, main) = (&self.engine, &self.main);
        let coming = |index: u16| {
            let (bank, row) = (usize::from(index) % NUM_MAIN_BANKS, index / NUM_MAIN_BANKS as u16);
            engine.reads(&grants, bank, row) || main.fetching(bank, row)
        };
        let looked_up = self.results.tick(&sent, &self.blocks, engine, &grants, coming);
        fields.wcb_result_lookup.set(events, looked_up.ports.into());
        let main = self.transfer(&fills, &sent, &grants, &decoded);
        fields.put_transfers(&fills, &grants, &decoded, &main, events);
        if looked_up.ports != 0 {
            self.engine.located(&looked_up.hits);
        }
        let dropped = self.engine.tick(&grants, &decoded, commands.reported, commands.start);
        fields.dead_drop.set(events, dropped.dead.into());
        fields.clean_drop.set(events, dropped.clean.into());
        self.write_tables(&commands);
        if let Some(start) = &commands.start {
            for bank in members(dropped.clean) {
                self.blocks.clear(start.warp, self.engine.held(start.slot as u8, bank).register);
            }
        }
        (self.done, self.busy) = (commands.done, main.busy);
        Ok(())
    }

    #[inline]
    fn take_issue(&mut self, _front: &Front, issue: &Issue) -> Result<usize, String> {
        self.blocks.issue(issue);
        Ok(self.collectors.allocate(issue))
    }

    #[inline]
    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String> {
        let base = front.base(result.warp);
        self.locate.place(base, result.warp, result.register)?;
        self.arrived[port] = Some((*result, base.wrapping_add(result.register.into())));
        Ok(())
    }

    /// A command waits in the command unit from its handshake on, which gives its done event.
    #[inline]
    fn command(&mut self, _front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let Present { op, command, accepted } = present;
        if accepted {
            self.commands.accept(op, *command);
        }
        Ok(if self.commands.ready() { Answer::Taken } else { Answer::Waits })
    }

    /// Which registers live follows from every instruction, in LTRF+.
    fn follows_every_instruction(&self) -> bool {
        self.shape.liveness
    }

    #[inline]
    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        if self.arrived.iter().any(Option::is_some) {
            self.results.accept(&self.arrived[..self.result_width]);
            self.arrived = [None; MAX_PORT_WIDTH];
        }
        out.done = self.done;
        out.status.bank_busy = self.busy;
        Ok(())
    }
}
