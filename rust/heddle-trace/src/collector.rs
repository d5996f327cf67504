//! Collects the distinct instructions of a trace while it is streamed.

use heddle_isa::{Lanes, Step, TracedKind};

use crate::address_map::AddressMap;
use crate::barriers::{AssumedBarriers, Barriers};
use crate::error::{Spot, TraceError};
use crate::header::Header;
use crate::instruction::Instruction;
use crate::line::Line;
use crate::more_registers::MoreRegisters;
use crate::operands::{Operands, restore};
use crate::places::{Numbered, Places, Text};
use crate::twins::Twins;

/// Distinct instructions at most.
const MAX_INSTRUCTIONS: usize = 1 << 17;
/// Places at most at which warps go on after one instruction.
const MAX_SUCCESSORS: usize = 1 << 12;
/// The same, of all instructions together.
const MAX_ALL_SUCCESSORS: usize = 1 << 20;
/// Bytes of the record of one CTA at most.
const MAX_CTA_BYTES: u64 = 2 << 30;

/// A distinct instruction.
pub struct Static {
    pub pc: u32,
    pub line: u64,
    pub text: Text,
    pub operands: Operands,
    pub partial: bool,
    /// A warp began with it.
    pub begins: bool,
    /// Places in the order of first execution that followed.
    pub next: Vec<usize>,
}

impl Static {
    pub fn text(&self) -> String {
        let Text { opcode, destination, sources } = &self.text;
        let registers = destination.iter().chain(sources);
        let list: Vec<String> = registers.map(|r| format!("R{r}")).collect();
        format!("{opcode} {}", list.join(", ")).trim_end().to_owned()
    }
}

/// What has been seen so far.
pub struct Collector<'a> {
    header: &'a Header,
    addresses: &'a mut AddressMap,
    pub found: Vec<Static>,
    /// Places in `found`.
    places: Places<usize>,
    /// The same, by the number of the reader's parser.
    numbered: Numbered<usize>,
    /// The first instruction at a program counter that another one has, with that one's line.
    twin: Option<(Spot, u64)>,
    /// Warp instructions.
    pub instructions: u64,
    /// The warp and the place of the instruction before.
    last: Option<(u32, usize)>,
    /// Pairs of an instruction and one that followed it.
    successors: usize,
    /// Bytes that the record of the CTA takes at most.
    cta_bytes: u64,
    barriers: Barriers,
    /// Registers that a thread must have.
    pub registers: u32,
    /// The first instruction that names one beyond those of the header.
    beyond: Option<(Spot, String)>,
}

impl<'a> Collector<'a> {
    /// Nothing has been seen.
    pub fn new(header: &'a Header, addresses: &'a mut AddressMap) -> Self {
        Self {
            header,
            addresses,
            found: Vec::new(),
            places: Places::default(),
            numbered: Numbered::default(),
            twin: None,
            instructions: 0,
            last: None,
            successors: 0,
            cta_bytes: 0,
            barriers: Barriers::default(),
            registers: header.registers,
            beyond: None,
        }
    }

    /// A CTA begins.
    pub fn begin_cta(&mut self) {
        self.last = None;
        self.cta_bytes = 0;
        self.barriers.begin_cta();
    }

    /// The barriers that were taken to be barrier 0, where there are such.
    pub fn assumed_barriers(&self) -> Option<AssumedBarriers> {
        self.barriers.assumed(self.header)
    }

    /// The registers beyond those of the header, where there are such.
    pub fn more_registers(&self) -> Option<MoreRegisters> {
        let (first, opcode) = self.beyond.clone()?;
        let (kernel, declared) = (self.header.kernel.clone(), self.header.registers);
        Some(MoreRegisters { kernel, declared, used: self.registers, opcode, first })
    }

    /// That instructions stand at the program counters of others, where it is so.
    pub fn twins(&self) -> Option<Twins> {
        let (at, first_line) = self.twin.clone()?;
        Some(Twins { kernel: self.header.kernel.clone(), at, first_line })
    }

    /// Takes the next instruction of the CTA, of warp `warp`.
    ///
    /// # Errors
    /// An instruction, lanes or addresses that are not possible there.
    pub fn take(
        &mut self,
        warp: u32,
        line: Line<'_>,
        instruction: &Instruction<'_>,
    ) -> Result<(), TraceError> {
        self.instructions += 1;
        if self.last.is_some_and(|(before, _)| before != warp) {
            self.end_warp(|| line.spot(1))?;
            self.last = None;
            self.barriers.begin_warp();
        }
        let mut numbered = std::mem::take(&mut self.numbered);
        let place = numbered.get(instruction, || match self.places.get(instruction) {
            Some(place) => Ok(place),
            None => self.add(line, instruction),
        });
        self.numbered = numbered;
        let place = place?;
        self.count_bytes(line, instruction, self.found[place].operands.count())?;
        let found = &mut self.found[place];
        found.partial |= instruction.mask != self.header.lanes(warp);
        if let TracedKind::Memory { space, bytes, .. } = found.operands.kind {
            let touched = self.addresses.touch(self.header, space, &instruction.addresses, bytes);
            touched.map_err(|(address, reason)| {
                let at = line.spot(instruction.column);
                TraceError::Address { at, address, reason }
            })?;
        }
        if matches!(found.operands.kind, TracedKind::Barrier { .. }) && instruction.immediate.is_none() {
            self.barriers.take(line, instruction);
        }
        match self.last {
            Some((_, before)) => self.follow(line, before, place)?,
            None => self.found[place].begins = true,
        }
        self.last = Some((warp, place));
        Ok(())
    }

    fn add(&mut self, line: Line<'_>, instruction: &Instruction<'_>) -> Result<usize, TraceError> {
        let place = self.found.len();
        if place == MAX_INSTRUCTIONS {
            let limit = MAX_INSTRUCTIONS as u64;
            return Err(TraceError::Limit { at: line.spot(1), what: "distinct instructions", limit });
        }
        if self.twin.is_none() && self.places.has(instruction.pc) {
            let first =
                self.found.iter().find(|found| found.pc == instruction.pc).map_or(0, |found| found.line);
            self.twin = Some((line.spot(instruction.column), first));
        }
        let operands = restore(self.header, line, instruction)?;
        self.registers = self.registers.max(operands.registers());
        if operands.registers() > self.header.registers && self.beyond.is_none() {
            self.beyond = Some((line.spot(instruction.column), instruction.opcode.to_owned()));
        }
        self.found.push(Static {
            pc: instruction.pc,
            line: line.number,
            text: Text::new(instruction),
            operands,
            partial: false,
            begins: false,
            next: Vec::new(),
        });
        self.places.insert(instruction.pc, Text::new(instruction), place);
        Ok(place)
    }

    /// The instruction at `place` follows the one at `before`.
    fn follow(&mut self, line: Line<'_>, before: usize, place: usize) -> Result<(), TraceError> {
        let next = &mut self.found[before].next;
        if next.contains(&place) {
            return Ok(());
        }
        let over = |what, limit| Err(TraceError::Limit { at: line.spot(1), what, limit: limit as u64 });
        if next.len() == MAX_SUCCESSORS {
            return over("successors of one instruction", MAX_SUCCESSORS);
        }
        if self.successors == MAX_ALL_SUCCESSORS {
            return over("successors of all instructions together", MAX_ALL_SUCCESSORS);
        }
        next.push(place);
        self.successors += 1;
        Ok(())
    }

    /// The record of the CTA grows by an instruction of `parts`.
    fn count_bytes(
        &mut self,
        line: Line<'_>,
        instruction: &Instruction<'_>,
        parts: usize,
    ) -> Result<(), TraceError> {
        self.cta_bytes += (parts * size_of::<Step>()) as u64;
        if instruction.width > 0 {
            self.cta_bytes += (size_of::<Lanes>() + size_of_val(&*instruction.addresses)) as u64;
        }
        if self.cta_bytes > MAX_CTA_BYTES {
            let (what, limit) = ("bytes in the record of a block", MAX_CTA_BYTES);
            return Err(TraceError::Limit { at: line.spot(1), what, limit });
        }
        Ok(())
    }

    /// The instruction before, if there is one, was the last of its warp.
    ///
    /// # Errors
    /// [`TraceError::Expected`] where it is no exit; `at` is the place.
    pub fn end_warp(&self, at: impl Fn() -> Spot) -> Result<(), TraceError> {
        let Some((warp, place)) = self.last else { return Ok(()) };
        let last = &self.found[place];
        if last.operands.exits {
            return Ok(());
        }
        let (expected, found) = (format!("EXIT as the last instruction of warp {warp}"), last.text());
        Err(TraceError::Expected { at: at(), expected, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instruction::Parser;
    use crate::lines::Lines;
    use crate::reader::Reader;
    use crate::source::Source;

    #[test]
    fn records_and_successors_have_limits() {
        let text = "-kernel name = one\n-grid dim = (1,1,1)\n-block dim = (2,1,1)\n-nregs = 8\n\
                    -binary version = 75\n-accelsim tracer version = 3\n#\n0000 3 1 R4 LDG 1 R2 4 1 0x100 4\n";
        let source = Source::Bytes { name: "kernel-1.traceg".into(), bytes: text.as_bytes().into() };
        let header = Reader::open(&source).expect("a header").header;
        let mut lines = Lines::open(&source).expect("there");
        for _ in 0..7 {
            lines.next_line().expect("text");
        }
        let line = lines.next_line().expect("text").expect("an instruction");
        let mut parser = Parser::default();
        let instruction = parser.parse(line, &header, [0; 3], 0).expect("well formed");
        let mut map = AddressMap::default();
        let mut collector = Collector::new(&header, &mut map);
        // A step, its addresses, and 8 bytes for each of the two lanes.
        let bytes = (size_of::<Step>() + size_of::<Lanes>() + 16) as u64;
        collector.cta_bytes = MAX_CTA_BYTES - bytes;
        collector.count_bytes(line, &instruction, 1).expect("it just fits");
        let error = collector.count_bytes(line, &instruction, 1).expect_err("it does not fit");
        assert!(matches!(error, TraceError::Limit { limit: MAX_CTA_BYTES, .. }), "{error}");
        collector.begin_cta();
        collector.count_bytes(line, &instruction, 1).expect("another CTA");
        // The successors of all instructions together: the same pair again is no further one.
        collector.add(line, &instruction).expect("well formed");
        collector.successors = MAX_ALL_SUCCESSORS - 1;
        collector.follow(line, 0, 0).expect("the last one");
        collector.follow(line, 0, 0).expect("the same one");
        let error = collector.follow(line, 0, 1).expect_err("one more");
        let text = "kernel-1.traceg:8:1: more than 1048576 successors of all instructions together";
        assert_eq!(error.to_string(), text);
    }
}
