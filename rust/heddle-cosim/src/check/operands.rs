//! Operands that came out of the design, and results that go into it, against the golden machine.

use heddle_functional::AccessKind;
use heddle_port::{Cycle, LaneData, LaneMask, Reg, Tag};
use heddle_sm::{OperandsEvent, ResultEvent, Stop};

use super::history::{Access, At};
use super::owed::Due;
use super::{Checker, HISTORY};
use crate::mismatch::{Check, Mismatch, Place};

/// The lowest lane of `mask` in which the two differ.
#[inline]
pub(super) fn first_difference(expected: &LaneData, actual: &LaneData, mask: u32) -> Option<usize> {
    let mut wrong = 0u32;
    for lane in 0..expected.len() {
        wrong |= u32::from(expected[lane] != actual[lane]) << lane;
    }
    let wrong = wrong & mask;
    (wrong != 0).then(|| wrong.trailing_zeros() as usize)
}

impl Checker<'_> {
    /// Compares every source slot in all executing lanes.
    pub(super) fn check_operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(self.golden_tag(event.tag)) else {
            return self.unknown_tag(event.cycle, event.tag);
        };
        let cycle = self.base_cycle + event.cycle.0;
        let at = At::new(cycle, event.slot, event.tag, event.pc, event.exec);
        let instr = self.program.instrs.get(event.pc.index());
        let registers = instr.map(heddle_isa::Instr::source_regs).unwrap_or_default();
        if (expected.source_valid, expected.pc, expected.exec) != (event.source_valid, event.pc, event.exec) {
            let (slots, pc, exec) = (expected.source_valid, expected.pc, expected.exec);
            let place = self.place(event.cycle, Some(event.slot), Some(event.pc));
            let mismatch = Mismatch::new(Check::Operand, place, format!("{} has other operands", event.tag))
                .side("pc", pc.to_string(), event.pc.to_string())
                .side("executing lanes", exec.to_string(), event.exec.to_string())
                .side("source slots", format!("{slots:#b}"), format!("{:#b}", event.source_valid));
            return self.stop(mismatch);
        }
        for (slot, register) in registers.iter().enumerate() {
            self.compared.operands += u64::from(event.exec.count());
            self.history.register(at, Access::ReadCollected, register.0, Some(&event.sources[slot]));
            if let Some(lane) = first_difference(&expected.sources[slot], &event.sources[slot], event.exec.0)
            {
                let (golden, cta) = (expected.sources[slot], expected.cta);
                let place = Place {
                    cta: Some(cta),
                    register: Some(register.0),
                    lane: u8::try_from(lane).ok(),
                    ..self.place(event.cycle, Some(event.slot), Some(event.pc))
                };
                let what = format!("operand {slot} of {}: {register} came out wrong", event.tag);
                let mut mismatch = Mismatch::new(Check::Operand, place, what);
                for (label, expected, actual) in lanes(&golden, &event.sources[slot], event.exec) {
                    mismatch = mismatch.side(label, expected, actual);
                }
                mismatch.history = self.history.of_register(event.slot.0, register.0, event.tag.0, HISTORY);
                return self.stop(mismatch);
            }
        }
        self.came(event.cycle, event.tag, Due::Operands)
    }

    /// Compares a result as the design accepts it.
    pub(super) fn check_result(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(self.golden_tag(event.tag)) else {
            return self.unknown_tag(event.cycle, event.tag);
        };
        let cycle = self.base_cycle + event.cycle.0;
        let at = At::new(cycle, event.slot, event.tag, event.pc, event.mask);
        self.history.register(at, Access::Write, event.register.0, Some(event.data));
        self.compared.results += u64::from(event.mask.count());
        if let Some(spills) = &mut self.spills {
            spills.result(event.slot.0, event.register.0, event.mask.0, event.data);
        }
        if expected.kind != AccessKind::None && expected.texels.is_none() {
            let cached = (expected.spaces.global | expected.spaces.local) & event.mask;
            self.compared.loaded += u64::from(cached.count());
        }
        let instr = self.program.instrs.get(expected.pc.index());
        let register = instr.and_then(|i| i.dsts.get(event.destination)).copied();
        if register != Some(event.register) || expected.exec != event.mask {
            let exec = expected.exec;
            let place = self.place(event.cycle, Some(event.slot), Some(event.pc));
            let name = |r: Option<Reg>| r.map_or_else(|| "none".to_owned(), |r| r.to_string());
            let what = format!("{} writes another register or other lanes", event.tag);
            let mut mismatch = Mismatch::new(Check::Operand, place, what)
                .side("register", name(register), event.register.to_string())
                .side("lanes", exec.to_string(), event.mask.to_string());
            mismatch.history = self.history.recent(HISTORY);
            return self.stop(mismatch);
        }
        let golden = expected.results.values[event.destination];
        let Some(lane) = first_difference(&golden, event.data, event.mask.0) else {
            return self.came(event.cycle, event.tag, Due::Result(event.destination));
        };
        let place = Place {
            cta: Some(expected.cta),
            register: Some(event.register.0),
            lane: u8::try_from(lane).ok(),
            ..self.place(event.cycle, Some(event.slot), Some(event.pc))
        };
        let what = format!("result of {}: {} is wrong", event.tag, event.register);
        let mut mismatch = Mismatch::new(Check::Operand, place, what);
        for (label, expected, actual) in lanes(&golden, event.data, event.mask) {
            mismatch = mismatch.side(label, expected, actual);
        }
        mismatch.history = self.history.of_register(event.slot.0, event.register.0, event.tag.0, HISTORY);
        self.stop(mismatch)
    }

    /// An event of an instruction that was never issued.
    #[cold]
    pub(super) fn unknown_tag(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let place = Place { signal: Some("tag".to_owned()), ..self.place(cycle, None, None) };
        let mut mismatch = Mismatch::new(Check::Operand, place, format!("{tag} is not in flight"));
        mismatch.history = self.history.recent(HISTORY);
        self.stop(mismatch)
    }
}

/// Expected and actual of each lane of `mask`.
fn lanes(expected: &LaneData, actual: &LaneData, mask: LaneMask) -> Vec<(String, String, String)> {
    mask.lanes()
        .map(|l| (format!("lane {l}"), format!("{:#010x}", expected[l]), format!("{:#010x}", actual[l])))
        .collect()
}
