//! One line of a trace: a warp instruction with its addresses.

#[cfg(test)]
mod tests;

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::TraceError;
use crate::header::Header;
use crate::line::{Fields, Line};
use crate::numbers::{decimal, hex, signed};

/// Source registers that a line lists at most.
pub const MAX_SOURCES: usize = 4;
/// Texts of instructions, and lines, that are kept at most, and bytes of each.
const MAX_KNOWN: usize = 1 << 17;
const MAX_LINES: usize = 1 << 16;
const MAX_TEXT: usize = 256;
/// Bytes of an opcode with its modifiers at most.
const MAX_OPCODE: usize = 64;
/// The register that reads as zero and takes no writes.
pub const ZERO_REGISTER: u8 = 255;

/// A warp instruction as it stands in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// Program counter: byte offset in the kernel.
    pub pc: u32,
    /// Lanes that execute it: active, and the guard holds.
    pub mask: u32,
    /// Destination register; 255 is the zero register.
    pub destination: Option<u8>,
    /// Opcode with its modifiers.
    pub opcode: &'a str,
    /// Source registers as listed; of a wide operand the first one.
    pub sources: SmallVec<[u8; MAX_SOURCES]>,
    /// Bytes of a lane as the tracer read them from the opcode; 0 for no memory access.
    pub width: u64,
    /// Address of each executing lane, the lowest first; empty for no memory access.
    pub addresses: Vec<u64>,
    /// The last immediate operand; traces before version 5 do not have it.
    pub immediate: Option<u64>,
    /// Column of the opcode.
    pub column: usize,
    /// A number that its parser has given to this program counter, opcode and registers, and to no others. None where a line
    /// is written otherwise than the first one with this program counter, and for what the parser does not keep.
    pub number: Option<u32>,
}

/// `R0` to `R255`.
fn register(text: &str) -> Option<u8> {
    decimal(text.strip_prefix('R')?)?.try_into().ok()
}

fn immediate(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(_) => hex(text),
        None => decimal(text).or_else(|| signed(text).map(|n| n as u64)),
    }
}

/// Lanes of `mask` are neighbours.
#[must_use]
pub fn contiguous(mask: u32) -> bool {
    let low = mask.trailing_zeros();
    mask == 0 || (mask >> low).wrapping_add(1).is_power_of_two() || mask >> low == u32::MAX
}

/// What stands between the mask and the addresses of a line: the instruction itself.
#[derive(Debug, Clone)]
struct Static {
    destination: Option<u8>,
    /// Bytes of the opcode, from the end of the mask on.
    opcode: Range<usize>,
    sources: SmallVec<[u8; MAX_SOURCES]>,
    width: u64,
}

/// What a line without addresses says.
#[derive(Debug)]
struct Whole {
    pc: u32,
    mask: u32,
    destination: Option<u8>,
    /// Bytes of the opcode in the line.
    opcode: Range<usize>,
    sources: SmallVec<[u8; MAX_SOURCES]>,
    immediate: Option<u64>,
    number: Option<u32>,
}

impl Whole {
    /// What `text`, the same line again, says.
    #[inline]
    fn again<'a>(&self, text: &'a str) -> Instruction<'a> {
        Instruction {
            pc: self.pc,
            mask: self.mask,
            destination: self.destination,
            opcode: &text[self.opcode.clone()],
            sources: SmallVec::from_slice(&self.sources),
            width: 0,
            addresses: Vec::new(),
            immediate: self.immediate,
            column: self.opcode.start + 1,
            number: self.number,
        }
    }
}

/// Reads the lines of one trace. The same instructions come again and again, so the first text at each program counter is
/// read once, and so is, from version 3 on, a line without addresses.
#[derive(Debug, Default)]
pub struct Parser {
    /// By their text.
    lines: FxHashMap<Box<str>, Whole>,
    /// By program counter: its number, the text of the first instruction there, from the end of the mask on, and what it
    /// says.
    known: FxHashMap<u32, (u32, Box<str>, Static)>,
}

impl Parser {
    /// Parses a line of a trace with `header`, of warp `warp` of the block at `block`.
    ///
    /// # Errors
    /// [`TraceError::Expected`] with the field that is wrong.
    #[inline]
    pub fn parse<'a>(
        &mut self,
        line: Line<'a>,
        header: &Header,
        block: [u32; 3],
        warp: u32,
    ) -> Result<Instruction<'a>, TraceError> {
        let is_short = line.text.len() <= MAX_TEXT;
        if is_short && let Some(known) = self.lines.get(line.text) {
            return Ok(known.again(line.text));
        }
        let instruction = self.read(line, header, block, warp)?;
        // Up to version 2 a line names its block and warp, which are looked at each time.
        if is_short && instruction.width == 0 && header.version >= 3 && self.lines.len() < MAX_LINES {
            let Instruction { pc, mask, destination, opcode, ref sources, immediate, column, number, .. } =
                instruction;
            let (opcode, sources) = (column - 1..column - 1 + opcode.len(), sources.clone());
            let whole = Whole { pc, mask, destination, opcode, sources, immediate, number };
            self.lines.insert(line.text.into(), whole);
        }
        Ok(instruction)
    }

    /// Reads a line that is not kept.
    fn read<'a>(
        &mut self,
        line: Line<'a>,
        header: &Header,
        block: [u32; 3],
        warp: u32,
    ) -> Result<Instruction<'a>, TraceError> {
        let mut f = line.fields();
        if header.version < 3 {
            for number in block.into_iter().chain([warp]) {
                let what = || format!("{number}, as in the head of the block and warp");
                f.parsed(what, |t| decimal(t).filter(|n| *n == u64::from(number)))?;
            }
        }
        if header.line_info {
            f.parsed(|| "a source line number", decimal)?;
        }
        let word = |t: &str| hex(t).and_then(|n| u32::try_from(n).ok());
        let pc = f.parsed(|| "a program counter of up to 32 bits, in hexadecimal", word)?;
        let mask = f.parsed(|| "a mask of 32 lanes, in hexadecimal", word)?;
        let begin = f.at();
        let (number, here) = match self.known.get(&pc) {
            Some((number, text, known)) if f.passes(text) => {
                let Static { destination, ref opcode, ref sources, width } = *known;
                let (opcode, sources) = (opcode.clone(), SmallVec::from_slice(sources));
                (Some(*number), Static { destination, opcode, sources, width })
            }
            Some(_) => (None, Static::parse(&mut f, begin)?),
            None => {
                let read = Static::parse(&mut f, begin)?;
                let (number, text) = (self.known.len(), &line.text[begin..f.at()]);
                let number = (number < MAX_KNOWN && text.len() <= MAX_TEXT).then_some(number as u32);
                if let Some(number) = number {
                    self.known.insert(pc, (number, text.into(), read.clone()));
                }
                (number, read)
            }
        };
        let Static { destination, opcode, sources, width } = here;
        let opcode = begin + opcode.start..begin + opcode.end;
        let addresses = if width > 0 { addresses(&mut f, mask)? } else { Vec::new() };
        let immediate = match header.version {
            ..5 => None,
            _ => Some(f.parsed(|| "an immediate", immediate)?),
        };
        f.end()?;
        let (column, opcode) = (opcode.start + 1, &line.text[opcode]);
        Ok(Instruction {
            pc,
            mask,
            destination,
            opcode,
            sources,
            width,
            addresses,
            immediate,
            column,
            number,
        })
    }
}

impl Static {
    /// Reads it; the mask ends at byte `begin` of the line.
    #[inline(never)]
    fn parse(f: &mut Fields<'_>, begin: usize) -> Result<Self, TraceError> {
        let destinations = f.parsed(|| "0 or 1 destination registers", |t| decimal(t).filter(|n| *n <= 1))?;
        let destination = match destinations {
            0 => None,
            _ => Some(f.parsed(|| "a register, R0 to R255", register)?),
        };
        let (column, opcode) = f.field(|| "an opcode")?;
        if !opcode.starts_with(|c: char| c.is_ascii_uppercase()) || opcode.len() > MAX_OPCODE {
            return Err(f.line.expected(column, format!("an opcode of at most {MAX_OPCODE} bytes"), opcode));
        }
        let opcode = column - 1 - begin..f.at() - begin;
        let listed = |t: &str| decimal(t).filter(|n| *n <= MAX_SOURCES as u64);
        let count = f.parsed(|| "0 to 4 source registers", listed)?;
        let mut sources = SmallVec::new();
        for _ in 0..count {
            sources.push(f.parsed(|| "a register, R0 to R255", register)?);
        }
        let width = f.parsed(|| "a memory width of up to 16 bytes", |t| decimal(t).filter(|n| *n <= 16))?;
        Ok(Self { destination, opcode, sources, width })
    }
}

/// The addresses of the lanes of `mask`.
fn addresses(f: &mut Fields<'_>, mask: u32) -> Result<Vec<u64>, TraceError> {
    let count = mask.count_ones() as usize;
    let (column, mode) = f.field(|| "an address mode")?;
    let mut all = Vec::with_capacity(count);
    match mode {
        "0" => {
            for _ in 0..count {
                all.push(f.parsed(|| "an address for each lane, in hexadecimal", hex)?);
            }
        }
        "1" => {
            let base = f.parsed(|| "a base address, in hexadecimal", hex)?;
            let stride = f.parsed(|| "a stride in bytes", signed)?;
            // The tracer writes it of lanes side by side; where there are gaps, each lane has the address of its number.
            let first = mask.trailing_zeros();
            for lane in (0..u32::BITS).filter(|lane| mask >> lane & 1 != 0) {
                let distance = stride.checked_mul(i64::from(lane - first));
                all.push(step(f, column, base, distance.unwrap_or(i64::MIN))?);
            }
        }
        "2" => {
            let mut address = f.parsed(|| "a base address, in hexadecimal", hex)?;
            for index in 0..count {
                if index > 0 {
                    let delta = f.parsed(|| "a distance in bytes for each further lane", signed)?;
                    address = step(f, column, address, delta)?;
                }
                all.push(address);
            }
        }
        _ => return Err(f.line.expected(column, "an address mode: 0, 1 or 2", mode)),
    }
    Ok(all)
}

fn step(f: &Fields<'_>, column: usize, address: u64, delta: i64) -> Result<u64, TraceError> {
    let next = address.checked_add_signed(delta);
    next.ok_or_else(|| TraceError::Address {
        at: f.line.spot(column),
        address,
        reason: format!("the next lane, {delta} bytes away, lies outside 64 bits"),
    })
}
