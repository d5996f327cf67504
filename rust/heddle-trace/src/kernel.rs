//! The first pass: from a kernel's trace to a program that passes and the SM can take.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use heddle_isa::program::SourceFile;
use heddle_isa::{
    Block, ConstantBank, Instr, KernelLaunch, Loc, Op, Operand, Pc, Program, Traced, TracedKind,
};

use crate::address_map::AddressMap;
use crate::error::TraceError;
use crate::header::Header;
use crate::instruction::Instruction;
use crate::lines::Line;
use crate::operands::{Operands, restore};
use crate::reader::Reader;
use crate::replay::Replay;
use crate::source::Source;

/// Distinct program counters at most.
const MAX_INSTRUCTIONS: usize = 1 << 17;

/// A kernel as its trace shows it.
#[derive(Debug, Clone)]
pub struct TracedKernel {
    /// The header.
    pub header: Header,
    /// The instructions that were executed, by rising program counter.
    pub program: Arc<Program>,
    /// Grid, block and shared memory.
    pub launch: KernelLaunch,
    /// Warp instructions in the trace.
    pub instructions: u64,
    pub(crate) source: Source,
    /// By program counter of the trace: instruction of the program.
    pub(crate) index: Arc<HashMap<u32, Pc>>,
    pub(crate) addresses: Arc<AddressMap>,
}

/// An instruction at one program counter.
struct Static {
    pc: u32,
    line: u64,
    opcode: String,
    destination: Option<u8>,
    sources: Vec<u8>,
    operands: Operands,
    partial: bool,
    /// Places in the order of first execution that followed.
    next: Vec<usize>,
}

impl Static {
    fn text(&self) -> String {
        text(&self.opcode, self.destination, &self.sources)
    }
}

fn text(opcode: &str, destination: Option<u8>, sources: &[u8]) -> String {
    let registers = destination.into_iter().chain(sources.iter().copied());
    let list: Vec<String> = registers.map(|r| format!("R{r}")).collect();
    format!("{opcode} {}", list.join(", ")).trim_end().to_owned()
}

/// What has been seen so far.
struct Collector<'a> {
    header: &'a Header,
    addresses: &'a mut AddressMap,
    found: Vec<Static>,
    /// By program counter: place in `found`.
    places: HashMap<u32, usize>,
    instructions: u64,
    /// The warp and the place of the instruction before.
    last: Option<(u32, usize)>,
}

impl TracedKernel {
    /// Reads a whole trace once. Memory is needed for the distinct instructions and for the pages touched,
    /// not for the trace. `goes_on` is asked after each CTA whether to read on.
    ///
    /// # Errors
    /// Everything that is wrong with the trace, with its place.
    pub fn read(
        source: impl Into<Source>,
        addresses: &mut Arc<AddressMap>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Self, TraceError> {
        let source = source.into();
        let mut reader = Reader::open(&source)?;
        let header = reader.header.clone();
        let map = Arc::make_mut(addresses);
        map.begin_kernel();
        let mut collector = Collector {
            header: &header,
            addresses: map,
            found: Vec::new(),
            places: HashMap::new(),
            instructions: 0,
            last: None,
        };
        loop {
            collector.last = None;
            let cta = reader.next_cta(|warp, line, instruction| collector.take(warp, line, instruction))?;
            collector.end_warp(|| reader.spot())?;
            if cta.is_none() {
                break;
            }
            if !goes_on() {
                return Err(TraceError::Stopped { file: reader.spot().file });
            }
        }
        let instructions = collector.instructions;
        let (program, index) = program(&header, source.name(), collector.found, addresses.local_bytes());
        let launch = KernelLaunch {
            grid: header.grid,
            block: header.block,
            dynamic_shared_bytes: 0,
            params: Vec::new(),
            constants: Vec::new(),
            textures: Arc::default(),
        };
        Ok(Self {
            launch,
            program: Arc::new(program),
            instructions,
            source,
            index: Arc::new(index),
            addresses: Arc::clone(addresses),
            header,
        })
    }

    /// Opens the trace again, to replay it.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn replay(&self) -> Result<Replay, TraceError> {
        Replay::new(self.clone())
    }
}

impl Collector<'_> {
    fn take(&mut self, warp: u32, line: Line<'_>, instruction: &Instruction<'_>) -> Result<(), TraceError> {
        self.instructions += 1;
        if self.last.is_some_and(|(before, _)| before != warp) {
            self.end_warp(|| line.spot(1))?;
            self.last = None;
        }
        let place = match self.places.get(&instruction.pc) {
            Some(&place) => place,
            None => self.add(line, instruction)?,
        };
        let found = &mut self.found[place];
        let same = found.opcode == instruction.opcode
            && found.destination == instruction.destination
            && found.sources == instruction.sources;
        if !same {
            return Err(TraceError::Changed {
                at: line.spot(instruction.column),
                pc: instruction.pc,
                first: found.text(),
                first_line: found.line,
                now: text(instruction.opcode, instruction.destination, &instruction.sources),
            });
        }
        found.partial |= instruction.mask != self.header.lanes(warp);
        if let TracedKind::Memory { space, .. } = found.operands.kind {
            for &address in &instruction.addresses {
                let at = || line.spot(instruction.column);
                let touched = self.addresses.touch(self.header, space, address);
                touched.map_err(|reason| TraceError::Address { at: at(), address, reason })?;
            }
        }
        match self.last {
            Some((_, before)) => {
                let next = &mut self.found[before].next;
                if !next.contains(&place) {
                    next.push(place);
                }
            }
            None if place != 0 => {
                let first = self.found[0].pc;
                let found = format!("{:04x}", instruction.pc);
                return Err(line.expected(1, format!("pc {first:04x}, at which every warp begins"), &found));
            }
            None => {}
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
        if let Some(first) = self.found.first()
            && instruction.pc < first.pc
        {
            let expected = format!("pc {:04x}, at which every warp begins, or a higher one", first.pc);
            return Err(line.expected(1, expected, &format!("{:04x}", instruction.pc)));
        }
        self.found.push(Static {
            pc: instruction.pc,
            line: line.number,
            opcode: instruction.opcode.to_owned(),
            destination: instruction.destination,
            sources: instruction.sources.clone(),
            operands: restore(self.header, line, instruction)?,
            partial: false,
            next: Vec::new(),
        });
        self.places.insert(instruction.pc, place);
        Ok(place)
    }

    /// The instruction before was the warp's last.
    fn end_warp(&self, at: impl Fn() -> crate::error::Spot) -> Result<(), TraceError> {
        let Some((warp, place)) = self.last else { return Ok(()) };
        let last = &self.found[place];
        if last.operands.exits {
            return Ok(());
        }
        let (expected, found) = (format!("EXIT as the last instruction of warp {warp}"), last.text());
        Err(TraceError::Expected { at: at(), expected, found })
    }
}

/// The program of the instructions found, and the place of each program counter.
fn program(
    header: &Header,
    path: &Path,
    mut found: Vec<Static>,
    local_bytes: u32,
) -> (Program, HashMap<u32, Pc>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&place| found[place].pc);
    let mut place_of = vec![0u32; found.len()];
    for (index, &place) in order.iter().enumerate() {
        place_of[place] = index as u32;
    }
    for instruction in &mut found {
        for next in &mut instruction.next {
            *next = place_of[*next] as usize;
        }
        instruction.next.sort_unstable();
    }
    found.sort_by_key(|instruction| instruction.pc);
    let mut listing = String::new();
    let mut instrs = Vec::with_capacity(found.len());
    for (number, instruction) in (1u32..).zip(&found) {
        let words = format!("{:04x} {}, line {}\n", instruction.pc, instruction.text(), instruction.line);
        listing.push_str(&words);
        let traced = Traced {
            kind: instruction.operands.kind,
            next: instruction.next.iter().map(|&index| Pc(index as u32)).collect(),
            partial: instruction.partial,
        };
        let mut instr = Instr::new(Op::Traced(Box::new(traced)), Loc { line: number, column: 1 });
        instr.dsts.extend(instruction.operands.destinations.iter().copied());
        instr.srcs.extend(instruction.operands.sources.iter().map(|&r| Operand::Reg(r)));
        instrs.push(instr);
    }
    let index = (0..).map(Pc).zip(&found).map(|(pc, instruction)| (instruction.pc, pc)).collect();
    let program = Program {
        name: header.kernel.clone(),
        source: Arc::new(SourceFile { name: format!("{} (instructions)", path.display()), text: listing }),
        blocks: blocks(&found),
        instrs,
        num_regs: header.registers,
        num_preds: 0,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: header.shared_bytes,
        local_bytes,
        constants: ConstantBank::default(),
        globals: Vec::new(),
    };
    (program, index)
}

/// Blocks: an instruction begins one unless it follows only the one before, and that goes on only to it.
fn blocks(found: &[Static]) -> Vec<Block> {
    let mut leader = vec![false; found.len()];
    if let Some(first) = leader.first_mut() {
        *first = true;
    }
    for (index, instruction) in found.iter().enumerate() {
        let sequential = instruction.next == [index + 1];
        if !sequential {
            for &next in &instruction.next {
                leader[next] = true;
            }
            if let Some(follower) = leader.get_mut(index + 1) {
                *follower = true;
            }
        }
    }
    let starts: Vec<usize> = (0..found.len()).filter(|&index| leader[index]).collect();
    let block_of = |index: usize| starts.partition_point(|&start| start <= index) - 1;
    let mut blocks: Vec<Block> = Vec::with_capacity(starts.len());
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(found.len());
        let successors = found[end - 1].next.iter().map(|&next| block_of(next)).collect();
        let (first, len) = (Pc(start as u32), (end - start) as u32);
        blocks.push(Block { first, len, successors, predecessors: Vec::new() });
    }
    for number in 0..blocks.len() {
        for successor in blocks[number].successors.clone() {
            blocks[successor].predecessors.push(number);
        }
    }
    blocks
}
