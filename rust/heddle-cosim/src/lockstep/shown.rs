//! Kept cycles, shown to the checking side.

use heddle_isa::{Pred, Texels};
use heddle_port::{LaneData, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES, RegIn};
use heddle_sm::{Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent, SmError, Stop};

use super::cycles::{Cycles, Event, sources, valid};
use super::edge::Edge;
use super::rtl::{Halt, Watch};

/// What is left of the data that are kept beside events and edges, and room for those of one event.
struct Data<'c> {
    lanes: std::slice::Iter<'c, LaneData>,
    words: std::slice::Iter<'c, [u64; NUM_LANES]>,
    texels: std::slice::Iter<'c, Texels>,
    predicates: &'c [Pred],
    predicate_values: &'c [u32],
    sources: [LaneData; NUM_SOURCES],
    stored: [[u64; NUM_LANES]; 4],
    loaded: [LaneData; NUM_DESTINATIONS],
}

/// Puts what comes next into its place.
#[inline]
fn put<'c, T: Copy + 'c>(place: &mut T, mut from: impl Iterator<Item = &'c T>) {
    if let Some(data) = from.next() {
        *place = *data;
    }
}

/// The first `count` of a slice, which are taken from it.
fn take<'c, T>(from: &mut &'c [T], count: usize) -> &'c [T] {
    let (first, rest) = from.split_at(count);
    *from = rest;
    first
}

impl Cycles {
    /// Shows everything to `watch`, as the RTL's side would have.
    ///
    /// # Errors
    /// What `watch` says.
    pub fn show<W: Watch>(&self, watch: &mut W) -> Result<(), Halt> {
        let mut data = Data {
            lanes: self.lanes.iter(),
            words: self.words.iter(),
            texels: self.texels.iter(),
            predicates: &self.predicates,
            predicate_values: &self.predicate_values,
            sources: [[0; NUM_LANES]; NUM_SOURCES],
            stored: [[0; NUM_LANES]; 4],
            loaded: [[0; NUM_LANES]; NUM_DESTINATIONS],
        };
        let stopped = |cycle| move |Stop| Halt::Sm(cycle, Box::new(SmError::Stopped { cycle }));
        let (mut memory, mut lower) = (self.memory.iter(), self.lower.iter());
        let (mut seen, mut input) = (0, RegIn::default());
        for edge in &self.edges {
            for event in &self.events[seen..edge.events] {
                data.show(event, watch).map_err(stopped(edge.cycle))?;
            }
            seen = edge.events;
            (input.issue, input.operands_ready) = (edge.issue, edge.operands_ready);
            (input.result, input.command) = (edge.result, edge.command);
            for slot in valid(&edge.result) {
                put(&mut input.result_data[slot], &mut data.lanes);
            }
            watch.edge(&Edge {
                cycle: edge.cycle,
                input: &input,
                memory: edge.memory.then(|| memory.next()).flatten(),
                lower: edge.lower.then(|| lower.next()).flatten(),
                stands: &edge.stands,
                rtl: &edge.rtl,
                rtl_memory: edge.rtl_memory.as_ref(),
            })?;
        }
        let cycle = self.edges.last().map_or(0, |edge| edge.cycle + 1);
        self.events[seen..].iter().try_for_each(|event| data.show(event, watch)).map_err(stopped(cycle))
    }
}

impl Data<'_> {
    #[inline]
    fn show<W: Watch>(&mut self, event: &Event, watch: &mut W) -> Result<(), Stop> {
        match event {
            Event::Recorded(record) => {
                watch.recorded(record.clone());
                Ok(())
            }
            Event::Started(event) => watch.events().cta_started(event),
            Event::Issued(event) => watch.events().warp_issued(event),
            Event::Operands(event) => {
                for slot in sources(event.source_valid) {
                    put(&mut self.sources[slot], &mut self.lanes);
                }
                watch.events().operands(&OperandsEvent { sources: &self.sources, ..*event })
            }
            Event::Predicates { cycle, tag, pc, exec, count } => {
                let predicates = take(&mut self.predicates, count.0);
                let values = take(&mut self.predicate_values, count.1);
                let (cycle, tag, pc, exec) = (*cycle, *tag, *pc, *exec);
                watch.events().predicates(&PredicateEvent { cycle, tag, pc, exec, predicates, values })
            }
            Event::Branch(event) => watch.events().branch(event),
            Event::Result(event) => {
                let mut lanes = [0; NUM_LANES];
                put(&mut lanes, &mut self.lanes);
                watch.events().results(&ResultEvent { data: &lanes, ..*event })
            }
            Event::Performed { event, texels } => {
                let mut addresses = [0; NUM_LANES];
                put(&mut addresses, &mut self.words);
                for element in &mut self.stored[..event.stored_elements] {
                    put(element, &mut self.words);
                }
                for destination in &mut self.loaded {
                    put(destination, &mut self.lanes);
                }
                watch.events().performed(&PerformedEvent {
                    addresses: &addresses,
                    texels: texels.then(|| self.texels.next()).flatten(),
                    stored: &self.stored,
                    loaded: &self.loaded,
                    ..*event
                })
            }
            Event::Retired(cycle, tag) => watch.events().retired(*cycle, *tag),
            Event::Command(cycle, command) => watch.events().command(*cycle, command),
            Event::Done(cycle, done) => watch.events().done(*cycle, done),
            Event::Finished(event) => watch.events().cta_finished(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_isa::{Pc, Pred, RecordedCta};
    use heddle_port::{
        Command, Cycle, Done, LaneMask, MemIn, MemLowerRequest, MemOut, Reg, RegOut, Tag, WarpSlot,
    };
    use heddle_sm::{BranchEvent, CtaEvent, IssueEvent};

    use super::*;
    use crate::check::InWords;
    use crate::check::spills::LowerOffer;
    use crate::lockstep::edge::Stands;

    /// Keeps what it is shown.
    #[derive(Default)]
    struct Keeps(Cycles);

    impl Watch for Keeps {
        type Events = Cycles;

        fn events(&mut self) -> &mut Cycles {
            &mut self.0
        }

        fn expects_spills(&self) -> bool {
            true
        }

        fn instruction(&self, _tag: Tag) -> Option<InWords> {
            None
        }

        fn recorded(&mut self, record: RecordedCta) {
            self.0.recorded(record);
        }

        fn edge(&mut self, edge: &Edge<'_>) -> Result<(), Halt> {
            self.0.edge(edge);
            Ok(())
        }
    }

    fn lanes(first: u32) -> LaneData {
        std::array::from_fn(|lane| first + lane as u32)
    }

    /// All events of a cycle, with numbers of their own.
    fn events(kept: &mut Cycles, number: u32) -> Result<(), Stop> {
        let (cycle, tag, slot, pc) = (Cycle(number.into()), Tag(number as u16), WarpSlot(3), Pc(number));
        let (cta, warp_in_cta, exec) = (u64::from(number) + 9, 1, LaneMask(number));
        kept.recorded(RecordedCta { number: cta, warps: Vec::new() });
        kept.cta_started(&CtaEvent { cycle, cta, cta_slot: 2 })?;
        let active = LaneMask::ALL;
        let through_port = true;
        kept.warp_issued(&IssueEvent { cycle, tag, cta, warp_in_cta, slot, pc, active, exec, through_port })?;
        let sources = std::array::from_fn(|source| lanes(1000 * number + 100 * source as u32));
        for source_valid in [0b10_1001, 0, 0b1] {
            kept.operands(&OperandsEvent { cycle, tag, slot, pc, exec, source_valid, sources: &sources })?;
        }
        let (predicates, values) = (&[Pred(1), Pred(2)][..], &[number, 7][..]);
        kept.predicates(&PredicateEvent { cycle, tag, pc, exec, predicates, values })?;
        kept.branch(&BranchEvent { cycle, tag, pc, active, taken: exec })?;
        let (register, data, mask) = (Reg(4), &lanes(number + 50), exec);
        let (destination, last) = (1, false);
        kept.results(&ResultEvent { cycle, tag, slot, pc, register, destination, mask, data, last })?;
        for stored_elements in [0, 2] {
            kept.performed(&PerformedEvent {
                cycle,
                tag,
                cta,
                warp_in_cta,
                slot,
                pc,
                lanes: exec,
                shared: LaneMask(1),
                local: LaneMask(2),
                kind: 1,
                bytes: 8,
                addresses: &std::array::from_fn(|lane| u64::from(number) << 32 | lane as u64),
                texels: None,
                stored_elements,
                stored: &std::array::from_fn(|i| [u64::from(number) + i as u64; NUM_LANES]),
                loaded: &std::array::from_fn(|i| lanes(number + 10 * i as u32)),
            })?;
        }
        kept.retired(cycle, tag)?;
        kept.command(cycle, &Command { valid: true, warp: number as u8, ..Command::default() })?;
        kept.done(cycle, &Done { valid: true, warp: number as u8, ..Done::default() })?;
        kept.cta_finished(&CtaEvent { cycle, cta, cta_slot: 2 })
    }

    /// Cycles of a design with a memory port in every second one, and events after the last.
    fn cycles() -> Cycles {
        let mut kept = Cycles::default();
        for number in 0..5u32 {
            events(&mut kept, number).expect("it never stops");
            let mut input = RegIn::default();
            input.issue[1].tag = number as u16;
            input.result[2].valid = number != 3;
            input.result_data[2] = lanes(number);
            input.command.value = number as u16;
            let memory = MemIn { flush: true, request_data: [[number; 4]; NUM_LANES], ..MemIn::default() };
            let out = MemOut { idle: number == 2, ..MemOut::default() };
            let request = MemLowerRequest { line: number, ..MemLowerRequest::default() };
            let offer = LowerOffer { request, taken: true, data: lanes(77 * number) };
            let there = number % 2 == 0;
            kept.edge(&Edge {
                cycle: number.into(),
                input: &input,
                memory: there.then_some(&memory),
                lower: (number == 4).then_some(&offer),
                stands: &Stands::default(),
                rtl: &RegOut { command_ready: there, ..RegOut::default() },
                rtl_memory: there.then_some(&out),
            });
        }
        events(&mut kept, 5).expect("it never stops");
        kept
    }

    #[test]
    fn what_is_shown_is_what_was_kept() {
        let cycles = cycles();
        let mut again = Keeps::default();
        cycles.show(&mut again).expect("it never stops");
        assert_eq!(format!("{:?}", again.0), format!("{cycles:?}"));
        // Every kind of event and edge was among it, with its data.
        assert_eq!((cycles.edges.len(), cycles.memory.len(), cycles.lower.len()), (5, 3, 1));
        assert_eq!(cycles.events.len(), 6 * 15);
        // Four sources, a result and twice the loaded words an event; results at four edges.
        assert_eq!(cycles.lanes.len(), 6 * (4 + 1 + 2 * NUM_DESTINATIONS) + 4);
    }
}
