//! Main register file, register cache, and what moves registers between them.

use super::collectors::LtrfCollectors;
use super::commands::{CommandCycle, CommandUnit};
use super::control_block::ControlBlocks;
use super::engine::{Decoded, Engine, Grants};
use super::fills::{FillArbiters, Fills};
use super::main_file::{MainCycle, MainFile};
use super::results::{Results, Sent};
use super::vector::RegVector;
use super::{NAME, NUM_BEATS, NUM_CACHE_BANKS, NUM_MAIN_BANKS, NUM_SLOTS};
use crate::common::{event_fields, members};
use crate::front::{Answer, Front, Limit, Locate, Machine, Mechanism, Present};
use heddle_port::{
    CommandOp, DesignError, Done, Events, Instance, Issue, MAX_BANKS, MAX_PORT_WIDTH, PortConfig, RegOut,
    ResultWrite,
};

/// The LTRF register file without its data.
pub type Ltrf = Machine<Cached>;

/// Rows that a main bank has at most.
const MOST_ROWS: u16 = 4096;

event_fields! {
    /// Places of the events.
    struct Fields {
        main_bank_read,
        main_bank_write,
        cache_bank_read,
        cache_bank_write,
        wcb_lookup,
        crossbar_beat_in,
        crossbar_beat_out,
        bank_alloc,
        dead_alloc,
        dead_drop,
        clean_drop,
        wcb_result_lookup,
        result_to_cache,
        result_to_main,
        offset_alloc,
        offset_release,
        prefetch,
        activate,
        deactivate,
        exit,
        write_back,
        transfer_wait,
        cache_read_conflict,
        slot_service,
        wcb_update,
        result_wait,
        command_wait,
    }
}

/// What is elaborated.
#[derive(Debug, Clone, Copy)]
struct Extensions {
    /// LTRF+: dead registers are neither written back nor fetched.
    liveness: bool,
    /// Registers to which no result went are not written back.
    dirty_bits: bool,
    /// Warps that can be active at most.
    slots: usize,
    /// Main banks at each lane.
    lane_banks: usize,
}

/// Words of the design's own configuration.
#[derive(Debug, Clone, Copy)]
struct Words {
    /// Registers decoded a cycle.
    decode_width: usize,
    /// Cycles for which an access occupies its main bank.
    bank_busy_cycles: usize,
    /// Eighths of a cycle that it takes beyond them.
    bank_eighths: usize,
    /// Whether a deactivated warp gives its slot up at once.
    early_release: usize,
}

/// The cache with its tables, the main register file, and the engine between them.
#[derive(Debug, Clone)]
pub struct Cached {
    fields: Fields,
    words: Words,
    extensions: Extensions,
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
    fn configured(
        fields: Fields,
        words: Words,
        extensions: Extensions,
        result_width: usize,
        config: PortConfig,
    ) -> Self {
        let bank_cycles = u32::from(config.bank_cycles);
        let busy_cycles = match config.own[words.bank_busy_cycles] {
            0 => bank_cycles,
            cycles => cycles.min(bank_cycles),
        };
        Self {
            fields,
            words,
            extensions,
            result_width,
            config,
            locate: Locate::new(NUM_MAIN_BANKS * extensions.lane_banks, config.rows_per_bank),
            blocks: ControlBlocks::new(extensions.liveness),
            commands: CommandUnit::default(),
            engine: Engine::new(
                config.registers_per_interval,
                config.active_warps,
                config.own[words.decode_width] as usize,
                extensions.dirty_bits,
                config.own[words.early_release] != 0,
            ),
            collectors: LtrfCollectors::default(),
            results: Results::new(result_width),
            fills: FillArbiters::default(),
            main: MainFile::new(
                extensions.lane_banks,
                config.bank_cycles,
                busy_cycles as u8,
                config.own[words.bank_eighths] as u8,
                config.crossbar_cycles,
            ),
            arrived: [None; MAX_PORT_WIDTH],
            done: Done::default(),
            busy: [0; MAX_BANKS / 32],
        }
    }

    /// The part of the cycle that moves registers between cache and main register file.
    fn transfer(&mut self, fills: &Fills, sent: &Sent, grants: &Grants, decoded: &Decoded) -> MainCycle {
        for lane in members(fills.lanes.into()) {
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

    fn put_command(&self, commands: &CommandCycle, events: &mut Events) {
        let fields = &self.fields;
        if let Some((op, _)) = &commands.carried_out {
            match op {
                CommandOp::Activate => {
                    fields.offset_alloc.set(events, 1);
                    fields.activate.set(events, 1);
                }
                CommandOp::Prefetch => fields.prefetch.set(events, 1),
                CommandOp::Deactivate => fields.deactivate.set(events, 1),
                CommandOp::Exit => fields.exit.set(events, 1),
                CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry => {}
            }
        }
        if commands.reported.is_some() {
            let left = [CommandOp::Deactivate as u8, CommandOp::Exit as u8];
            fields.offset_release.set(events, left.contains(&commands.done.op).into());
        }
        fields.command_wait.set(events, commands.waits.into());
    }

    fn put_transfers(
        &self,
        fills: &Fills,
        grants: &Grants,
        decoded: &Decoded,
        main: &MainCycle,
        events: &mut Events,
    ) {
        let fields = &self.fields;
        fields.main_bank_read.set(events, main.reads.into());
        fields.main_bank_write.set(events, main.writes.into());
        fields.crossbar_beat_in.set(events, main.beats_in.into());
        fields.crossbar_beat_out.set(events, main.beats_out.into());
        fields.bank_alloc.set(events, decoded.cache_banks.into());
        fields.dead_alloc.set(events, decoded.dead_columns.into());
        fields.write_back.set(events, grants.write_backs.into());
        fields.wcb_update.set(events, fills.lanes.into());
    }
}

impl Mechanism for Cached {
    const NAME: &'static str = NAME;
    type Collectors = LtrfCollectors;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let words = Words {
            decode_width: instance.word(NAME, "decode_width")?,
            bank_busy_cycles: instance.word(NAME, "bank_busy_cycles")?,
            bank_eighths: instance.word(NAME, "bank_eighths")?,
            early_release: instance.word(NAME, "early_release")?,
        };
        let extensions = Extensions {
            liveness: instance.parameters.size(NAME, "liveness")? != 0,
            dirty_bits: instance.parameters.size(NAME, "dirty_bits")? != 0,
            slots: instance.parameters.size(NAME, "slots")?,
            lane_banks: (instance.parameters.size(NAME, "num_banks")? / NUM_MAIN_BANKS).max(1),
        };
        let mut config = PortConfig {
            bank_cycles: 1,
            crossbar_cycles: NUM_BEATS as u8,
            active_warps: 1,
            registers_per_interval: NUM_CACHE_BANKS as u8,
            ..PortConfig::default()
        };
        config.own[words.decode_width] = NUM_MAIN_BANKS as u32;
        let fields = Fields::new(NAME, &instance.events)?;
        let result_width = instance.widths.result;
        Ok(Self::configured(fields, words, extensions, result_width, config))
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let PortConfig { crossbar_cycles, active_warps, registers_per_interval, .. } = *config;
        let beats = u16::from(crossbar_cycles) >= NUM_BEATS;
        let warps = (1..=self.extensions.slots.min(NUM_SLOTS)).contains(&usize::from(active_warps));
        let banks = (1..=NUM_CACHE_BANKS as u8).contains(&registers_per_interval);
        let decode_width = config.own[self.words.decode_width];
        let busy_cycles = config.own[self.words.bank_busy_cycles];
        let busy = busy_cycles <= u32::from(config.bank_cycles);
        let eighths = config.own[self.words.bank_eighths];
        let columns = (1..=NUM_MAIN_BANKS as u32).contains(&decode_width);
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(eighths),
            Limit::new(
                "register_file.crossbar_cycles",
                crossbar_cycles,
                beats,
                "a register crosses in 4 beats",
            ),
            Limit::new(
                "scheduler.active_warps",
                active_warps,
                warps,
                format!("1 to {} warps fit", self.extensions.slots),
            ),
            Limit::new(
                "register_file.registers_per_interval",
                registers_per_interval,
                banks,
                "the cache has 1 to 16 banks",
            ),
            Limit::new("design.decode_width", decode_width, columns, "1 to 16 registers are decoded a cycle"),
            Limit::new(
                "design.bank_busy_cycles",
                busy_cycles,
                busy,
                format!("a bank is busy for at most the {} cycles of an access", config.bank_cycles),
            ),
            Limit::new(
                "design.bank_busy_cycles",
                busy_cycles,
                busy_cycles == 0 || eighths == 0,
                "a bank that is busy for a part of its latency has whole cycles",
            ),
            Limit::rows(config.rows_per_bank, MOST_ROWS / self.extensions.lane_banks as u16),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        *self = Self::configured(self.fields, self.words, self.extensions, self.result_width, *config);
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
        let rows = self.config.rows_per_bank * self.extensions.lane_banks as u16;
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
        self.put_command(&commands, events);

        fields.transfer_wait.set(events, self.engine.waits(&grants).into());
        let (engine, main) = (&self.engine, &self.main);
        let coming = |index: u16| {
            let (bank, row) = (usize::from(index) % NUM_MAIN_BANKS, index / NUM_MAIN_BANKS as u16);
            engine.reads(&grants, bank, row) || main.fetching(bank, row)
        };
        let looked_up = self.results.tick(&sent, &self.blocks, engine, &grants, coming);
        fields.wcb_result_lookup.set(events, looked_up.ports.into());
        let main = self.transfer(&fills, &sent, &grants, &decoded);
        self.put_transfers(&fills, &grants, &decoded, &main, events);
        if looked_up.ports != 0 {
            self.engine.located(&looked_up.hits);
        }
        let dropped = self.engine.tick(&grants, &decoded, commands.reported, commands.start);
        fields.dead_drop.set(events, dropped.dead.into());
        fields.clean_drop.set(events, dropped.clean.into());
        self.write_tables(&commands);
        if let Some(start) = &commands.start {
            for bank in members(dropped.clean.into()) {
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
        self.extensions.liveness
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
