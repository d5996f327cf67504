//! What a trace says must happen, kept apart from the SM: which instruction comes next, and which write of a
//! register each lane must see.

use std::collections::HashMap;
use std::sync::Arc;

use heddle_isa::{AccessSpaces, Pc};
use heddle_isa::{Op, Program, RecordedCta, RecordedWarp, Step, resolve_spaces, tag_value};
use heddle_port::{LaneData, LaneMask, NUM_DESTINATIONS, NUM_LANES, NUM_SOURCES, Tag};

/// What is expected of an instruction in flight.
#[derive(Debug, Clone)]
pub struct Expected {
    pub cta: u64,
    pub pc: Pc,
    pub mask: LaneMask,
    /// By source slot.
    pub sources: [LaneData; NUM_SOURCES],
    /// By source slot: lanes that were written before; what the others hold the trace does not say.
    pub known: [u32; NUM_SOURCES],
    /// By destination slot.
    pub results: [LaneData; NUM_DESTINATIONS],
    /// Of a memory access: lanes not yet performed.
    pub unperformed: LaneMask,
    pub spaces: AccessSpaces,
    pub addresses: [u64; NUM_LANES],
}

/// Contents of one register of a warp.
#[derive(Debug, Clone)]
struct Register {
    value: LaneData,
    known: u32,
    /// Lanes whose value a dead bit gave up.
    dead: u32,
    writes: u32,
}

#[derive(Debug)]
struct Warp {
    record: Arc<RecordedWarp>,
    next: usize,
    registers: Vec<Register>,
}

/// The expectation of one launch.
#[derive(Debug)]
pub struct TraceGolden {
    program: Arc<Program>,
    dead_sources: Vec<u8>,
    /// The record of the CTA that starts next. The SM has the same; nobody changes it.
    next: Option<RecordedCta>,
    ctas: HashMap<u64, Vec<Warp>>,
    in_flight: HashMap<u16, Expected>,
}

impl TraceGolden {
    /// Nothing has started.
    pub fn new(program: Arc<Program>, dead_sources: Vec<u8>) -> Self {
        Self { program, dead_sources, next: None, ctas: HashMap::new(), in_flight: HashMap::new() }
    }

    /// The record of the CTA that starts next.
    pub fn recorded(&mut self, record: RecordedCta) {
        self.next = Some(record);
    }

    /// CTA `number` starts.
    pub fn start(&mut self, number: u64) -> Result<(), String> {
        let record = self.next.take().filter(|record| record.number == number);
        let record = record.ok_or_else(|| format!("CTA {number} starts, which is not the next one"))?;
        let register = Register { value: [0; NUM_LANES], known: 0, dead: 0, writes: 0 };
        let registers = vec![register; self.program.num_regs as usize];
        let warp = |record| Warp { record, next: 0, registers: registers.clone() };
        self.ctas.insert(number, record.warps.into_iter().map(warp).collect());
        Ok(())
    }

    /// The next instruction of a warp issues under `tag`.
    pub fn issue(&mut self, cta: u64, warp_in_cta: u32, tag: Tag) -> Result<&Expected, String> {
        let warp = self.ctas.get_mut(&cta).and_then(|c| c.get_mut(warp_in_cta as usize));
        let warp = warp.ok_or_else(|| format!("warp {warp_in_cta} of CTA {cta} is not running"))?;
        let Some(&Step { pc, mask, .. }) = warp.record.steps.get(warp.next) else {
            return Err(format!("warp {warp_in_cta} of CTA {cta} has ended"));
        };
        if self.in_flight.contains_key(&tag.0) {
            return Err(format!("{tag} is in flight already"));
        }
        let Some(instr) = self.program.instrs.get(pc.index()) else {
            return Err(format!("pc {pc} is not in the program"));
        };
        let mut expected = Expected {
            cta,
            pc,
            mask,
            sources: [[0; NUM_LANES]; NUM_SOURCES],
            known: [0; NUM_SOURCES],
            results: [[0; NUM_LANES]; NUM_DESTINATIONS],
            unperformed: LaneMask::NONE,
            spaces: AccessSpaces::default(),
            addresses: [0; NUM_LANES],
        };
        let sources = instr.source_regs();
        for (slot, source) in sources.iter().enumerate() {
            let register = &warp.registers[source.index()];
            let dead = LaneMask(register.dead) & mask;
            if !dead.is_empty() {
                return Err(format!("lanes {dead} of {source} are read after they were declared dead"));
            }
            expected.sources[slot] = register.value;
            expected.known[slot] = register.known;
        }
        let dead = self.dead_sources.get(pc.index()).copied().unwrap_or(0);
        for (slot, source) in sources.iter().enumerate() {
            if dead >> slot & 1 != 0 {
                warp.registers[source.index()].dead = u32::MAX;
            }
        }
        for (slot, &destination) in instr.dsts.iter().enumerate() {
            let register = &mut warp.registers[destination.index()];
            register.writes = register.writes.wrapping_add(1);
            for lane in 0..NUM_LANES {
                expected.results[slot][lane] =
                    tag_value(cta, warp_in_cta, destination.0, register.writes, lane);
            }
            for lane in mask.lanes() {
                register.value[lane] = expected.results[slot][lane];
            }
            register.known |= mask.0;
            register.dead &= !mask.0;
        }
        if let (Op::Traced(traced), Some(addresses)) = (&instr.op, warp.record.addresses(warp.next))
            && let Some((_, space, _)) = traced.access()
        {
            addresses.expand(mask, &mut expected.addresses);
            expected.spaces = resolve_spaces(space, mask, &mut expected.addresses);
            expected.unperformed = mask;
        }
        warp.next += 1;
        Ok(self.in_flight.entry(tag.0).insert_entry(expected).into_mut())
    }

    /// What is expected of the instruction in flight under `tag`.
    pub fn expected(&self, tag: Tag) -> Option<&Expected> {
        self.in_flight.get(&tag.0)
    }

    /// Lanes of a memory access are performed, each once.
    pub fn performed(&mut self, tag: Tag, lanes: LaneMask) -> Result<&Expected, String> {
        let expected = self.in_flight.get_mut(&tag.0).ok_or_else(|| format!("{tag} is not in flight"))?;
        let again = lanes & !expected.unperformed;
        if !again.is_empty() {
            return Err(format!("{tag} performs lanes {again}, which it does not have or has performed"));
        }
        expected.unperformed = expected.unperformed & !lanes;
        Ok(expected)
    }

    /// The instruction under `tag` has ended.
    pub fn retire(&mut self, tag: Tag) -> Result<(), String> {
        match self.in_flight.remove(&tag.0) {
            None => Err(format!("{tag} is not in flight")),
            Some(e) if !e.unperformed.is_empty() => {
                Err(format!("{tag} retires before lanes {} were performed", e.unperformed))
            }
            Some(_) => Ok(()),
        }
    }

    /// CTA `number` has ended.
    pub fn finish(&mut self, number: u64) -> Result<(), String> {
        let warps = self.ctas.remove(&number).ok_or_else(|| format!("CTA {number} is not running"))?;
        match warps.iter().position(|w| w.next < w.record.steps.len()) {
            None => Ok(()),
            Some(warp) => {
                let left = warps[warp].record.steps.len() - warps[warp].next;
                Err(format!("warp {warp} of CTA {number} has {left} instructions left"))
            }
        }
    }

    /// Nothing runs and nothing is in flight.
    pub fn is_idle(&self) -> bool {
        self.ctas.is_empty() && self.in_flight.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use heddle_trace::{AddressMap, Source, TracedKernel};

    use super::*;

    #[test]
    fn a_record_is_held_once_with_the_sm_and_belongs_to_the_cta_that_starts() {
        let text = "-kernel name = one\n-grid dim = (2,1,1)\n-block dim = (1,1,1)\n-nregs = 8\n\
                    -binary version = 75\n-accelsim tracer version = 3\n#\n";
        let block = |n| {
            format!("#BEGIN_TB\nthread block = {n},0,0\nwarp = 0\ninsts = 1\n0000 1 0 EXIT 0 0\n#END_TB\n")
        };
        let text = format!("{text}{}{}", block(0), block(1));
        let source = Source::Bytes { name: "kernel-1.traceg".into(), bytes: text.as_bytes().into() };
        let kernel = TracedKernel::read(source, &mut Arc::new(AddressMap::default()), &mut || true);
        let kernel = kernel.expect("well formed");
        let mut replay = kernel.replay().expect("there");
        let mut golden = TraceGolden::new(Arc::clone(&kernel.program), Vec::new());
        assert!(golden.start(0).is_err(), "nothing was recorded");
        let record = replay.cta(0).expect("there");
        golden.recorded(record.clone());
        golden.start(0).expect("the next one");
        assert_eq!(Arc::strong_count(&record.warps[0]), 2);
        golden.issue(0, 0, Tag(0)).expect("an instruction");
        golden.retire(Tag(0)).expect("issued");
        golden.finish(0).expect("nothing is left");
        assert_eq!(Arc::strong_count(&record.warps[0]), 1);
        golden.recorded(replay.cta(1).expect("there"));
        assert!(golden.start(0).is_err_and(|what| what.contains("CTA 0 starts, which is not the next one")));
    }
}
