//! One event, changed on its way from the SM to the checker.

use heddle_cosim::check::Checker;
use heddle_isa::{Pred, Texels};
use heddle_port::{Cycle, LaneData, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES, Tag};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Stop,
};

/// What a fault did with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// Nothing: it waits for another one.
    Wait,
    Change,
    Drop,
    Repeat,
}

/// Predicates as they are written.
#[derive(Debug, Clone)]
pub struct Written {
    pub exec: u32,
    pub predicates: Vec<Pred>,
    pub values: Vec<u32>,
}

/// The data of a memory access.
#[derive(Debug, Clone)]
pub struct Data {
    pub addresses: [u64; NUM_LANES],
    pub stored: [[u64; NUM_LANES]; 4],
    pub loaded: [LaneData; NUM_DESTINATIONS],
    pub texels: Option<Texels>,
}

/// Changes the first event of its kind that it wants.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    None,
    Started(fn(&mut CtaEvent) -> Deed),
    Issue(fn(&mut IssueEvent) -> Deed),
    Operands(fn(&mut OperandsEvent<'_>, &mut [LaneData; NUM_SOURCES]) -> Deed),
    Predicates(fn(&mut Written) -> Deed),
    Branch(fn(&mut BranchEvent) -> Deed),
    Result(fn(&mut ResultEvent<'_>, &mut LaneData) -> Deed),
    Performed(fn(&mut PerformedEvent<'_>, &mut Data) -> Deed),
    Retired(fn(&mut Tag) -> Deed),
    Finished(fn(&mut CtaEvent) -> Deed),
}

/// A checker whose events pass a fault first.
pub struct Falsifier<'a> {
    pub checker: Checker<'a>,
    fault: Fault,
    struck: Option<u64>,
}

impl<'a> Falsifier<'a> {
    pub fn new(checker: Checker<'a>, fault: Fault) -> Self {
        Self { checker, fault, struck: None }
    }

    /// The cycle in which the fault was put in.
    pub fn struck(&self) -> Option<u64> {
        self.struck
    }

    /// Lets the fault at an event once, then hands the event on as often as it says.
    fn pass<E>(
        &mut self,
        cycle: Cycle,
        event: &mut E,
        fault: impl FnOnce(Fault, &mut E) -> Deed,
        hand: impl Fn(&mut Checker<'a>, &E) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let deed = if self.struck.is_none() { fault(self.fault, event) } else { Deed::Wait };
        if deed != Deed::Wait {
            self.struck = Some(cycle.0);
        }
        if deed == Deed::Drop {
            return Ok(());
        }
        hand(&mut self.checker, event)?;
        if deed == Deed::Repeat { hand(&mut self.checker, event) } else { Ok(()) }
    }
}

impl Observer for Falsifier<'_> {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        let act = |fault, event: &mut CtaEvent| match fault {
            Fault::Started(act) => act(event),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut { *event }, act, |checker, event| checker.cta_started(event))
    }

    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let act = |fault, event: &mut IssueEvent| match fault {
            Fault::Issue(act) => act(event),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut { *event }, act, |checker, event| checker.warp_issued(event))
    }

    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        let mut changed = (*event, *event.sources);
        let act = |fault, (event, sources): &mut (OperandsEvent<'_>, [LaneData; NUM_SOURCES])| match fault {
            Fault::Operands(act) => act(event, sources),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut changed, act, |checker, (event, sources)| {
            checker.operands(&OperandsEvent { sources, ..*event })
        })
    }

    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        let mut written = Written {
            exec: event.exec.0,
            predicates: event.predicates.to_vec(),
            values: event.values.to_vec(),
        };
        let act = |fault, written: &mut Written| match fault {
            Fault::Predicates(act) => act(written),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut written, act, |checker, written| {
            let Written { exec, predicates, values } = written;
            let exec = heddle_port::LaneMask(*exec);
            checker.predicates(&PredicateEvent { exec, predicates, values, ..*event })
        })
    }

    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        let act = |fault, event: &mut BranchEvent| match fault {
            Fault::Branch(act) => act(event),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut { *event }, act, |checker, event| checker.branch(event))
    }

    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        let mut changed = (*event, *event.data);
        let act = |fault, (event, data): &mut (ResultEvent<'_>, LaneData)| match fault {
            Fault::Result(act) => act(event, data),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut changed, act, |checker, (event, data)| {
            checker.results(&ResultEvent { data, ..*event })
        })
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let data = Data {
            addresses: *event.addresses,
            stored: *event.stored,
            loaded: *event.loaded,
            texels: event.texels.cloned(),
        };
        let act = |fault, (event, data): &mut (PerformedEvent<'_>, Data)| match fault {
            Fault::Performed(act) => act(event, data),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut (*event, data), act, |checker, (event, data)| {
            let Data { addresses, stored, loaded, texels } = data;
            let texels = texels.as_ref();
            checker.performed(&PerformedEvent { addresses, stored, loaded, texels, ..*event })
        })
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let act = |fault, tag: &mut Tag| match fault {
            Fault::Retired(act) => act(tag),
            _ => Deed::Wait,
        };
        self.pass(cycle, &mut { tag }, act, |checker, tag| checker.retired(cycle, *tag))
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        let act = |fault, event: &mut CtaEvent| match fault {
            Fault::Finished(act) => act(event),
            _ => Deed::Wait,
        };
        self.pass(event.cycle, &mut { *event }, act, |checker, event| checker.cta_finished(event))
    }
}
