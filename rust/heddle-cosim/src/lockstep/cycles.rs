//! Cycles of the RTL's side on their way to the checking side: everything that it is shown of them.

use heddle_isa::{Pc, Pred, RecordedCta, Texels};
use heddle_port::{
    Command, Cycle, Done, Issue, LaneData, LaneMask, MAX_PORT_WIDTH, MemIn, MemOut, NUM_DESTINATIONS,
    NUM_LANES, NUM_SOURCES, RegIn, RegOut, ResultWrite, Tag,
};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Stop,
};

use super::edge::{Edge, Stands};
use crate::check::spills::LowerOffer;

/// In the place of data that are kept beside an event.
static NO_SOURCES: [LaneData; NUM_SOURCES] = [[0; NUM_LANES]; NUM_SOURCES];
static NO_DATA: LaneData = [0; NUM_LANES];
static NO_ADDRESSES: [u64; NUM_LANES] = [0; NUM_LANES];
static NO_STORES: [[u64; NUM_LANES]; 4] = [[0; NUM_LANES]; 4];
static NO_LOADS: [LaneData; NUM_DESTINATIONS] = [[0; NUM_LANES]; NUM_DESTINATIONS];

/// An event; what it borrows is kept beside it, in the order of the events.
#[derive(Debug)]
pub(super) enum Event {
    Recorded(RecordedCta),
    Started(CtaEvent),
    Issued(IssueEvent),
    Operands(OperandsEvent<'static>),
    Predicates { cycle: Cycle, tag: Tag, pc: Pc, exec: LaneMask, count: (usize, usize) },
    Branch(BranchEvent),
    Result(ResultEvent<'static>),
    Performed { event: PerformedEvent<'static>, texels: bool },
    Retired(Cycle, Tag),
    Command(Cycle, Command),
    Done(Cycle, Done),
    Finished(CtaEvent),
}

/// A clock edge, and how many events come before it.
#[derive(Debug)]
pub(super) struct KeptEdge {
    pub events: usize,
    pub cycle: u64,
    pub issue: [Issue; MAX_PORT_WIDTH],
    pub operands_ready: [bool; MAX_PORT_WIDTH],
    pub result: [ResultWrite; MAX_PORT_WIDTH],
    pub command: Command,
    pub stands: Stands,
    pub rtl: RegOut,
    pub memory: bool,
    pub rtl_memory: Option<MemOut>,
    pub lower: bool,
}

/// Some cycles, one after the other.
#[derive(Debug, Default)]
pub(super) struct Cycles {
    pub events: Vec<Event>,
    pub lanes: Vec<LaneData>,
    pub words: Vec<[u64; NUM_LANES]>,
    pub predicates: Vec<Pred>,
    pub predicate_values: Vec<u32>,
    pub texels: Vec<Texels>,
    pub edges: Vec<KeptEdge>,
    pub memory: Vec<MemIn>,
    pub lower: Vec<LowerOffer>,
}

/// Slots of the results that are valid.
pub(super) fn valid(results: &[ResultWrite; MAX_PORT_WIDTH]) -> impl Iterator<Item = usize> {
    (0..MAX_PORT_WIDTH).filter(|slot| results[*slot].valid)
}

impl Cycles {
    /// Whole cycles.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Forgets them; the room stays.
    pub fn clear(&mut self) {
        self.events.clear();
        self.lanes.clear();
        self.words.clear();
        self.predicates.clear();
        self.predicate_values.clear();
        self.texels.clear();
        self.edges.clear();
        self.memory.clear();
        self.lower.clear();
    }

    /// The record of the CTA that starts next.
    pub fn recorded(&mut self, record: RecordedCta) {
        self.events.push(Event::Recorded(record));
    }

    /// A clock edge, with which a cycle ends.
    #[inline]
    pub fn edge(&mut self, edge: &Edge<'_>) {
        let &Edge { cycle, input, memory, lower, stands, rtl, rtl_memory } = edge;
        let &RegIn { issue, operands_ready, result, command, .. } = input;
        // Of the data only what is valid.
        self.lanes.extend(valid(&result).map(|slot| input.result_data[slot]));
        self.memory.extend(memory.cloned());
        self.lower.extend(lower.copied());
        self.edges.push(KeptEdge {
            events: self.events.len(),
            cycle,
            issue,
            operands_ready,
            result,
            command,
            stands: *stands,
            rtl: *rtl,
            memory: memory.is_some(),
            rtl_memory: rtl_memory.copied(),
            lower: lower.is_some(),
        });
    }
}

/// Source slots in use.
pub(super) fn sources(valid: u8) -> impl Iterator<Item = usize> {
    (0..NUM_SOURCES).filter(move |slot| valid >> slot & 1 != 0)
}

/// Keeps the events of the SM; never stops it.
impl Observer for Cycles {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        self.events.push(Event::Started(*event));
        Ok(())
    }

    #[inline]
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        self.events.push(Event::Issued(*event));
        Ok(())
    }

    #[inline]
    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        let &OperandsEvent { cycle, tag, slot, pc, exec, source_valid, sources: data } = event;
        self.lanes.extend(sources(source_valid).map(|slot| data[slot]));
        let kept = OperandsEvent { cycle, tag, slot, pc, exec, source_valid, sources: &NO_SOURCES };
        self.events.push(Event::Operands(kept));
        Ok(())
    }

    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        let &PredicateEvent { cycle, tag, pc, exec, predicates, values } = event;
        self.predicates.extend_from_slice(predicates);
        self.predicate_values.extend_from_slice(values);
        let count = (predicates.len(), values.len());
        self.events.push(Event::Predicates { cycle, tag, pc, exec, count });
        Ok(())
    }

    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        self.events.push(Event::Branch(*event));
        Ok(())
    }

    #[inline]
    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        let &ResultEvent { cycle, tag, slot, pc, register, destination, mask, data, last } = event;
        self.lanes.push(*data);
        let data = &NO_DATA;
        let kept = ResultEvent { cycle, tag, slot, pc, register, destination, mask, data, last };
        self.events.push(Event::Result(kept));
        Ok(())
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let PerformedEvent { addresses, texels, stored_elements, stored, loaded, .. } = *event;
        self.words.push(*addresses);
        self.words.extend_from_slice(&stored[..stored_elements]);
        self.lanes.extend_from_slice(loaded);
        self.texels.extend(texels.cloned());
        let kept = PerformedEvent {
            cycle: event.cycle,
            tag: event.tag,
            cta: event.cta,
            warp_in_cta: event.warp_in_cta,
            slot: event.slot,
            pc: event.pc,
            lanes: event.lanes,
            shared: event.shared,
            local: event.local,
            kind: event.kind,
            bytes: event.bytes,
            addresses: &NO_ADDRESSES,
            texels: None,
            stored_elements,
            stored: &NO_STORES,
            loaded: &NO_LOADS,
        };
        self.events.push(Event::Performed { event: kept, texels: texels.is_some() });
        Ok(())
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        self.events.push(Event::Retired(cycle, tag));
        Ok(())
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        self.events.push(Event::Command(cycle, *command));
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        self.events.push(Event::Done(cycle, *done));
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        self.events.push(Event::Finished(*event));
        Ok(())
    }
}
