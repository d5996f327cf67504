//! The levels before the banks of the main register file.

use super::NAME;
use super::events::{Fields, Happened};
use super::placements::Placements;
use super::upper::{Found, Upper};
use crate::baseline::banks::{Banks, MOST_REGISTERS, main_banks};
use crate::common::{BankSet, Value, Versions, bank_words, banks_of};
use crate::front::{
    Answer, CollectorArray, ELSEWHERE, Front, Limit, Locate, Machine, Mechanism, Present, SourceRef,
    WriteBuffer,
};
use heddle_port::{
    CommandOp, DesignError, Events, Instance, Issue, NUM_SOURCES, PortConfig, RegOut, ResultLevel,
    ResultWrite, SourceLevel, members,
};

/// The register hierarchy, without data.
pub type Shrf = Machine<Managed>;

/// What is known of a source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted {
    warp: u8,
    register: u8,
    /// Warp register.
    index: u16,
    /// Lanes that execute.
    lanes: u32,
    level: SourceLevel,
}

/// A write that waits for its main bank.
#[derive(Debug, Clone, Copy, Default)]
struct Write {
    index: u16,
    value: Value,
}

/// The register hierarchy that instructions manage.
#[derive(Debug, Clone)]
pub struct Managed {
    fields: Fields,
    result_width: usize,
    num_banks: usize,
    /// Word of the configuration.
    interleaved: usize,
    /// And the one that holds the eighths of a cycle of an access.
    bank_eighths: usize,
    locate: Locate,
    upper: Upper,
    placements: Placements,
    versions: Versions,
    collectors: CollectorArray<Wanted>,
    banks: Banks,
    writes: [WriteBuffer<Write>; 1],
    /// Main banks whose read data are there in the current cycle.
    delivering: BankSet,
    /// Sources that an upper level was read for in the last cycle.
    upper_data: Vec<SourceRef>,
    /// Sources that wait until a register has come from the main register file.
    waiting: Vec<SourceRef>,
    happened: Happened,
    stale: Option<String>,
    /// Main banks that were occupied in the cycle that ends.
    busy: BankSet,
}

impl Managed {
    /// The first read that was wrong ends the run.
    fn wrong(&mut self, what: Option<String>) {
        self.stale = self.stale.take().or(what);
    }

    /// Looks for a source in its upper level. Whether its data are there.
    fn look(&mut self, wanted: &Wanted) -> bool {
        let Wanted { warp, register, index, lanes, .. } = *wanted;
        let (found, place) = match wanted.level {
            SourceLevel::Last => (self.upper.last(warp, register, lanes), "the last result file"),
            _ => (self.upper.operand(warp, register, lanes), "the operand register file"),
        };
        let wrong = match found {
            Found::Here(value) => self.versions.stale_copy(index, lanes, &value, place),
            Found::Coming => return false,
            Found::Without(lane) => Some(format!(
                "lane {lane} of warp register {index} was read in {place}, which does not have it"
            )),
        };
        self.wrong(wrong);
        true
    }

    /// The upper levels are read for all sources that are there.
    fn read_upper(&mut self) {
        for at in std::mem::take(&mut self.upper_data) {
            self.collectors.deliver(at);
        }
        let mut asking = std::mem::take(&mut self.waiting);
        for collector in members(self.collectors.requests(ELSEWHERE)) {
            while self.collectors.requests(ELSEWHERE) >> collector & 1 != 0 {
                asking.push(self.collectors.take_request(collector, ELSEWHERE));
            }
        }
        for at in asking {
            let there = self.look(&self.collectors.register(at));
            let next = if there { &mut self.upper_data } else { &mut self.waiting };
            next.push(at);
        }
    }

    /// The data of a main bank go to their collector, and to the operand register file where the instruction says so.
    fn deliver(&mut self, bank: usize) {
        let at = self.banks.target(bank);
        let Wanted { warp, register, index, lanes, level } = self.collectors.register(at);
        if level == SourceLevel::Fill {
            self.upper.write_operand(warp, register, &self.versions.in_main(index, lanes));
        }
        self.collectors.deliver(at);
    }

    /// What is wrong with an instruction or a result that asks for a place of an inactive warp.
    fn placeless(&self, warp: u8, index: u16) -> Option<String> {
        (!self.upper.is_active(warp)).then(|| {
            format!("warp register {index} was to be written to an upper level, in which inactive warps have no place")
        })
    }

    /// Queues a result for its main bank.
    fn write_main(&mut self, front: &Front, result: &ResultWrite, value: Value) -> Result<(), String> {
        let base = front.base(result.warp);
        let place = self.locate.place(base, result.warp, result.register)?;
        let index = base.wrapping_add(result.register.into());
        self.writes[0].push(place.bank.into(), Write { index, value });
        Ok(())
    }
}

impl Mechanism for Managed {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray<Wanted>;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        let num_banks = main_banks(NAME, instance)?;
        Ok(Self {
            fields: Fields::new(NAME, &instance.events)?,
            result_width: instance.widths.result,
            interleaved: instance.word(NAME, "interleaved")?,
            bank_eighths: instance.word(NAME, "bank_eighths")?,
            num_banks,
            locate: Locate::new(num_banks, 0),
            upper: Upper::new(0),
            placements: Placements::default(),
            versions: Versions::default(),
            collectors: CollectorArray::default(),
            banks: Banks::new(1, 0),
            writes: [WriteBuffer::new(0)],
            delivering: 0,
            upper_data: Vec::new(),
            waiting: Vec::new(),
            happened: Happened::default(),
            stale: None,
            busy: 0,
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let reason = "the upper levels are shared by the warps that may be active; 1 or more are expected";
        vec![
            Limit::access("register_file.bank_cycles", config.bank_cycles),
            Limit::eighths(config.own[self.bank_eighths]),
            Limit::new(
                "scheduler.active_warps",
                config.active_warps,
                config.active_warps > 0,
                reason.to_owned(),
            ),
            Limit::rows(config.rows_per_bank, (MOST_REGISTERS / self.num_banks) as u16),
        ]
    }

    fn reset(&mut self, config: &PortConfig) {
        let interleaved = config.own[self.interleaved] != 0;
        self.locate = Locate::new(self.num_banks, config.rows_per_bank).interleaved(interleaved);
        self.upper = Upper::new(config.active_warps);
        self.placements = Placements::default();
        self.versions = Versions::new(self.num_banks * usize::from(config.rows_per_bank));
        self.collectors = CollectorArray::default();
        self.banks = Banks::new(config.bank_cycles, config.own[self.bank_eighths] as u8);
        self.writes = [WriteBuffer::new(self.result_width)];
        self.upper_data.clear();
        self.waiting.clear();
        self.happened = Happened::default();
        (self.delivering, self.busy, self.stale) = (0, 0, None);
    }

    fn collectors(&mut self) -> &mut CollectorArray<Wanted> {
        &mut self.collectors
    }

    fn takes_result(&self, port: usize) -> bool {
        port < self.writes[0].free()
    }

    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        self.happened = Happened::default();
        self.fields.write_buffer_level.set(events, self.writes[0].len() as u64);
        for bank in banks_of(self.delivering) {
            self.deliver(bank);
        }
        self.read_upper();
        let versions = &mut self.versions;
        let cycle = self.banks.arbitrate(&mut self.collectors, &mut self.writes, |_, write: Write| {
            versions.write_main(write.index, &write.value);
        });
        for bank in banks_of(cycle.reads) {
            let wanted = self.collectors.register(self.banks.target(bank));
            let stale = self.versions.stale_in_main(wanted.index, wanted.lanes);
            self.wrong(stale);
        }
        let tick = self.banks.tick(&cycle);
        (self.delivering, self.busy) = (tick.read_valid, tick.busy);
        self.fields.main_bank_read.set_wide(events, cycle.reads);
        self.fields.main_bank_write.set_wide(events, cycle.writes);
        self.fields.bank_conflict.set_wide(events, cycle.wait_bank);
        self.fields.read_behind_write.set_wide(events, cycle.wait_write);
        Ok(())
    }

    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let mut sources = [(0, Wanted::default()); NUM_SOURCES];
        let (warp, lanes) = (issue.warp, issue.mask);
        let base = front.base(warp);
        let (mut operand, mut last, mut main, mut fill) = (0_u128, 0_u128, 0_u128, 0_u128);
        for source in members(issue.source_valid) {
            let register = issue.source[source];
            let place = self.locate.place(base, warp, register)?;
            let index = base.wrapping_add(register.into());
            let level = SourceLevel::from_code(issue.source_placement[source]);
            let bit = 1 << source;
            let bank = match level {
                SourceLevel::Main | SourceLevel::Fill => place.bank,
                SourceLevel::Operand | SourceLevel::Last => ELSEWHERE as u8,
            };
            match level {
                SourceLevel::Main => main |= bit,
                SourceLevel::Operand => operand |= bit,
                SourceLevel::Last => last |= bit,
                SourceLevel::Fill => (main, fill) = (main | bit, fill | bit),
            }
            sources[source] = (bank, Wanted { warp, register, index, lanes, level });
        }
        for (_, wanted) in members(fill as u64 as u32).map(|source| sources[source]) {
            let wrong = self.placeless(warp, wanted.index);
            self.wrong(wrong);
            self.upper.expect_operand(warp, wanted.register, lanes);
        }
        self.placements.issue(issue);
        let collector = self.collectors.allocate(issue, sources);
        let first = NUM_SOURCES * collector;
        self.happened.operand |= operand << first;
        self.happened.last |= last << first;
        self.happened.main |= main << first;
        self.happened.fill |= fill << first;
        Ok(collector)
    }

    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String> {
        let (warp, register) = (result.warp, result.register);
        let base = front.base(warp);
        self.locate.place(base, warp, register)?;
        let index = base.wrapping_add(register.into());
        let level = self.placements.of(result)?;
        let value = self.versions.result(index, result.mask);
        let bit = 1 << port;
        if level != ResultLevel::Main {
            let wrong = self.placeless(warp, index);
            self.wrong(wrong);
        }
        if matches!(level, ResultLevel::Operand | ResultLevel::Both) {
            self.happened.to_operand |= bit;
            self.upper.write_operand(warp, register, &value);
        }
        if level == ResultLevel::Last {
            self.happened.to_last |= bit;
            self.upper.write_last(warp, register, &value);
        }
        if matches!(level, ResultLevel::Main | ResultLevel::Both) {
            self.happened.to_main |= bit;
            self.write_main(front, result, value)?;
        }
        Ok(())
    }

    fn command(&mut self, front: &Front, present: Present<'_>) -> Result<Answer, String> {
        let warp = present.command.warp;
        match present.op {
            CommandOp::Activate => self.upper.activate(warp)?,
            CommandOp::Deactivate => self.upper.leave(warp),
            CommandOp::Exit => {
                self.upper.leave(warp);
                self.versions.forget(front.base(warp), front.registers_per_thread());
            }
            CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry | CommandOp::Prefetch => {}
        }
        Ok(Answer::Done)
    }

    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        self.fields.put(&self.happened, &mut out.events);
        out.status.bank_busy = bank_words(self.busy);
        Ok(())
    }

    fn stale(&mut self) -> Option<String> {
        self.stale.take()
    }

    fn follows_every_instruction(&self) -> bool {
        true
    }
}
