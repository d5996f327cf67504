//! The levels before the banks of the main register file.

use super::NAME;
use super::events::{Fields, Happened};
use super::placements::Placements;
use super::upper::{Found, Upper};
use crate::baseline::main_file::{MainFile, MainPlace, MainSource};
use crate::common::banks_of;
use crate::front::{Answer, CollectorArray, ELSEWHERE, Front, Limit, Machine, Mechanism, Present, SourceRef};
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

impl MainSource for Wanted {
    fn read(&self) -> (u16, u32) {
        (self.index, self.lanes)
    }
}

/// The register hierarchy that instructions manage.
#[derive(Debug, Clone)]
pub struct Managed {
    fields: Fields,
    upper: Upper,
    placements: Placements,
    main: MainFile<Wanted>,
    /// Sources that an upper level was read for in the last cycle.
    upper_data: Vec<SourceRef>,
    /// Sources that wait until a register has come from the main register file.
    waiting: Vec<SourceRef>,
    happened: Happened,
}

impl Managed {
    /// Looks for a source in its upper level. Whether its data are there.
    fn look(&mut self, wanted: &Wanted) -> bool {
        let Wanted { warp, register, index, lanes, .. } = *wanted;
        let (found, place) = match wanted.level {
            SourceLevel::Last => (self.upper.last(warp, register, lanes), "the last result file"),
            _ => (self.upper.operand(warp, register, lanes), "the operand register file"),
        };
        let wrong = match found {
            Found::Here(value) => self.main.versions.stale_copy(index, lanes, &value, place),
            Found::Coming => return false,
            Found::Without(lane) => Some(format!(
                "lane {lane} of warp register {index} was read in {place}, which does not have it"
            )),
        };
        self.main.wrong(wrong);
        true
    }

    /// The upper levels are read for all sources that are there.
    fn read_upper(&mut self) {
        for at in std::mem::take(&mut self.upper_data) {
            self.main.collectors.deliver(at);
        }
        let mut asking = std::mem::take(&mut self.waiting);
        self.main.take_elsewhere(&mut asking);
        for at in asking {
            let there = self.look(&self.main.collectors.register(at));
            let next = if there { &mut self.upper_data } else { &mut self.waiting };
            next.push(at);
        }
    }

    /// The data of a main bank go to their collector, and to the operand register file where the instruction says so.
    fn deliver(&mut self, bank: usize) {
        let at = self.main.target(bank);
        let Wanted { warp, register, index, lanes, level } = self.main.collectors.register(at);
        if level == SourceLevel::Fill {
            self.upper.write_operand(warp, register, &self.main.versions.in_main(index, lanes));
        }
        self.main.collectors.deliver(at);
    }

    /// What is wrong with an instruction or a result that asks for a place of an inactive warp.
    fn placeless(&self, warp: u8, index: u16) -> Option<String> {
        (!self.upper.is_active(warp)).then(|| {
            format!("warp register {index} was to be written to an upper level, in which inactive warps have no place")
        })
    }
}

impl Mechanism for Managed {
    const NAME: &'static str = NAME;
    type Collectors = CollectorArray<Wanted>;

    fn new(instance: &Instance) -> Result<Self, DesignError> {
        Ok(Self {
            main: MainFile::new(NAME, instance)?,
            fields: Fields::new(NAME, &instance.events)?,
            upper: Upper::new(0),
            placements: Placements::default(),
            upper_data: Vec::new(),
            waiting: Vec::new(),
            happened: Happened::default(),
        })
    }

    fn limits(&self, config: &PortConfig) -> Vec<Limit> {
        let reason = "the upper levels are shared by the warps that may be active; 1 or more are expected";
        let (active, reason) = (config.active_warps, reason.to_owned());
        self.main.limits(config, Limit::new("scheduler.active_warps", active, active > 0, reason))
    }

    fn reset(&mut self, config: &PortConfig) {
        self.main.reset(config);
        self.upper = Upper::new(config.active_warps);
        self.placements = Placements::default();
        self.upper_data.clear();
        self.waiting.clear();
        self.happened = Happened::default();
    }

    fn collectors(&mut self) -> &mut CollectorArray<Wanted> {
        &mut self.main.collectors
    }

    fn takes_result(&self, port: usize) -> bool {
        self.main.takes_result(port)
    }

    fn access(&mut self, _front: &Front, events: &mut Events) -> Result<(), String> {
        self.happened = Happened::default();
        for bank in banks_of(self.main.delivering()) {
            self.deliver(bank);
        }
        self.read_upper();
        self.main.access(events);
        Ok(())
    }

    fn take_issue(&mut self, front: &Front, issue: &Issue) -> Result<usize, String> {
        let mut sources = [(0, Wanted::default()); NUM_SOURCES];
        let (warp, lanes) = (issue.warp, issue.mask);
        let (mut operand, mut last, mut main, mut fill) = (0_u128, 0_u128, 0_u128, 0_u128);
        for source in members(issue.source_valid) {
            let register = issue.source[source];
            let MainPlace { bank, index } = self.main.place(front, warp, register)?;
            let level = SourceLevel::from_code(issue.source_placement[source]);
            let bit = 1 << source;
            let bank = match level {
                SourceLevel::Main | SourceLevel::Fill => bank,
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
            self.main.wrong(self.placeless(warp, wanted.index));
            self.upper.expect_operand(warp, wanted.register, lanes);
        }
        self.placements.issue(issue);
        let collector = self.main.collectors.allocate(issue, sources);
        let first = NUM_SOURCES * collector;
        self.happened.operand |= operand << first;
        self.happened.last |= last << first;
        self.happened.main |= main << first;
        self.happened.fill |= fill << first;
        Ok(collector)
    }

    fn take_result(&mut self, front: &Front, port: usize, result: &ResultWrite) -> Result<(), String> {
        let (warp, register) = (result.warp, result.register);
        let place = self.main.place(front, warp, register)?;
        let level = self.placements.of(result)?;
        let value = self.main.versions.result(place.index, result.mask);
        let bit = 1 << port;
        if level != ResultLevel::Main {
            self.main.wrong(self.placeless(warp, place.index));
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
            self.main.write(place, value);
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
                self.main.versions.forget(front.base(warp), front.registers_per_thread());
            }
            CommandOp::KernelStart | CommandOp::WarpBase | CommandOp::MapEntry | CommandOp::Prefetch => {}
        }
        Ok(Answer::Done)
    }

    fn end(&mut self, _front: &Front, out: &mut RegOut) -> Result<(), String> {
        self.fields.put(&self.happened, &mut out.events);
        self.main.put_busy(out);
        Ok(())
    }

    fn stale(&mut self) -> Option<String> {
        self.main.take_wrong()
    }

    fn follows_every_instruction(&self) -> bool {
        true
    }
}
