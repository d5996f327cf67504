//! One line of a trace: a warp instruction with its addresses.

use std::ops::Range;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::TraceError;
use crate::header::Header;
use crate::lines::{Fields, Line};
use crate::numbers::{decimal, hex, signed};

/// Source registers that a line lists at most.
pub const MAX_SOURCES: usize = 4;
/// Texts of instructions that are kept at most, and bytes of each.
const MAX_KNOWN: usize = 1 << 17;
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

/// Reads lines. The same instructions come again and again, so the first text at each program counter is read once.
#[derive(Debug, Default)]
pub struct Parser {
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

#[cfg(test)]
mod tests {
    use super::{Instruction, MAX_TEXT, Parser, contiguous};
    use crate::error::TraceError;
    use crate::header::Header;
    use crate::lines::Lines;
    use crate::source::Source;

    const HEAD: &str = "-kernel name = one\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n\
                        -binary version = 75\n-accelsim tracer version = 3\n#\n";

    /// What `see` makes of each line of `text`, all of them read by one parser.
    fn parsed<T>(text: &str, see: impl Fn(Result<Instruction<'_>, TraceError>) -> T) -> Vec<T> {
        let bytes = format!("{HEAD}{text}").into_bytes();
        let source = Source::Bytes { name: "kernel-1.traceg".into(), bytes: bytes.as_slice().into() };
        let mut lines = Lines::open(&source).expect("there");
        let header = Header::read(&mut lines).expect("a header");
        let (mut parser, mut all) = (Parser::default(), Vec::new());
        while let Some(line) = lines.next_line().expect("text") {
            all.push(see(parser.parse(line, &header, [0; 3], 0)));
        }
        all
    }

    #[test]
    fn a_text_that_came_before_says_what_it_said_and_no_other_one_does() {
        let text = "0010 1 1 R4 LDG 1 R2 1 1 0x100 4\n0010 3 1 R4 LDG 1 R2 1 2 0x100 8\n\
                    0010 1 1 R4 LDG 1 R2 16 1 0x100 4\n0010 1 1 R4  LDG 1 R2 1 1 0x100 4\n\
                    0010 1 1 R4 LDG 1 R3 1 1 0x100 4\n0020 1 1 R4 LDG 1 R2 1 1 0x100 4\n";
        let seen = parsed(text, |i| {
            let i = i.expect("well formed");
            (i.number, i.width, i.sources[0], i.addresses.len(), i.opcode.to_owned(), i.column)
        });
        let expected = [
            (Some(0), 1, 2, 1, 13),
            (Some(0), 1, 2, 2, 13),
            (None, 16, 2, 1, 13),
            (None, 1, 2, 1, 14),
            (None, 1, 3, 1, 13),
            (Some(1), 1, 2, 1, 13),
        ];
        let expected = expected.map(|(number, width, source, lanes, column)| {
            (number, width, source, lanes, "LDG".to_owned(), column)
        });
        assert_eq!(seen, expected);
    }

    #[test]
    fn an_error_behind_a_text_that_came_before_stands_in_its_column() {
        let text = "0010 1 1 R4 LDG 1 R2 4 1 0x100 4\n0010 1 1 R4 LDG 1 R2 4 1 0x100 x\n";
        let seen = parsed(text, |i| i.err().map(|error| error.to_string()));
        assert_eq!(seen[0], None);
        let error = seen[1].as_deref().expect("the second line is wrong");
        assert!(error.starts_with("kernel-1.traceg:9:32: "), "{error}");
    }

    #[test]
    fn a_long_text_is_not_kept() {
        let line = format!("0010 1 1 R4{} LDG 1 R2 4 1 0x100 4\n", " ".repeat(MAX_TEXT));
        let seen = parsed(&line.repeat(2), |i| i.expect("well formed").number);
        assert_eq!(seen, [None, None]);
    }

    #[test]
    fn neighbouring_lanes() {
        for mask in [0, 1, 0b110, u32::MAX, 0xFFFF_0000, 0x8000_0000] {
            assert!(contiguous(mask), "{mask:#x}");
        }
        for mask in [0b101, 0x8000_0001, 0xFFFF_FFFD] {
            assert!(!contiguous(mask), "{mask:#x}");
        }
    }
}
