//! The header of a kernel's trace.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::error::TraceError;
use crate::line::Line;
use crate::lines::Lines;
use crate::notes::{self, Note};
use crate::numbers::{decimal, hex};
use crate::reader::LAST_LINE;

/// Architectures whose opcodes the tables have.
pub const ARCHITECTURES: [u32; 15] = [35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89];
/// Trace format versions that are read.
pub const VERSIONS: std::ops::RangeInclusive<u32> = 1..=5;
/// Threads of a block at most (CUDA C++ Programming Guide, technical specifications).
const MAX_THREADS: u64 = 1024;
/// Blocks of a grid at most by dimension (the same table).
const MAX_GRID: [u64; 3] = [(1 << 31) - 1, 65535, 65535];

/// The first architecture with shared memory that is reserved for the system, and its bytes (CUDA C++
/// Programming Guide, compute capability 8.x).
const FIRST_WITH_RESERVED: u32 = 80;
const RESERVED_SHARED_BYTES: u32 = 1024;

/// Lines of a header at most, those with unknown keys among them; tracers write 13.
const MAX_LINES: u64 = 1000;

/// What the header says of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Kernel name, as the driver has it.
    pub kernel: String,
    /// Number of the launch, from 1.
    pub id: u64,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z; at most 1024.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared_bytes: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Architecture, such as 70.
    pub architecture: u32,
    /// Generic address at which shared memory begins; 0 where unknown.
    pub shared_base: u64,
    /// Generic address at which local memory begins; 0 where unknown.
    pub local_base: u64,
    /// Version of the format.
    pub version: u32,
    /// Whether each instruction begins with the number of its source line.
    pub line_info: bool,
    /// By program counter: what lines do not say, where the trace has it.
    pub notes: BTreeMap<u32, Note>,
}

/// Keys of lines that stand once.
const ONCE: [&str; 11] = [
    "-kernel name",
    "-kernel id",
    "-grid dim",
    "-block dim",
    "-shmem base_addr",
    "-local mem base_addr",
    "-shmem",
    "-nregs",
    "-binary version",
    "-accelsim tracer version",
    "-enable lineinfo",
];

/// The values of a header that is being read.
#[derive(Default)]
struct Partial {
    /// Keys that were read.
    seen: BTreeSet<&'static str>,
    kernel: Option<String>,
    id: u64,
    grid: Option<[u32; 3]>,
    block: Option<[u32; 3]>,
    shared_bytes: u32,
    registers: Option<u32>,
    architecture: Option<u32>,
    shared_base: u64,
    local_base: u64,
    version: Option<u32>,
    line_info: bool,
    notes: BTreeMap<u32, Note>,
}

impl Header {
    /// Reads a header up to and including the first line that begins with `#`. Lines with unknown keys are
    /// passed over: newer tracers add some.
    ///
    /// # Errors
    /// [`TraceError::MissingHeader`], [`TraceError::Expected`], and [`TraceError::Limit`] for one without end.
    pub fn read(lines: &mut Lines) -> Result<Self, TraceError> {
        let mut partial = Partial::default();
        while let Some(line) = lines.next_line()? {
            if line.text.starts_with('#') {
                break;
            }
            if !line.text.starts_with('-') {
                return Err(line.expected(1, "a header line that begins with `-`, or `#`", line.text));
            }
            if line.number > MAX_LINES {
                let (what, limit) = ("lines in the header", MAX_LINES);
                return Err(TraceError::Limit { at: line.spot(1), what, limit });
            }
            partial.take(&line.whole(LAST_LINE)?)?;
        }
        let at = || lines.spot();
        let missing = |line| TraceError::MissingHeader { at: at(), line };
        Ok(Self {
            kernel: partial.kernel.ok_or_else(|| missing("-kernel name"))?,
            id: partial.id,
            grid: partial.grid.ok_or_else(|| missing("-grid dim"))?,
            block: partial.block.ok_or_else(|| missing("-block dim"))?,
            shared_bytes: partial.shared_bytes,
            registers: partial.registers.ok_or_else(|| missing("-nregs"))?,
            architecture: partial.architecture.ok_or_else(|| missing("-binary version"))?,
            shared_base: partial.shared_base,
            local_base: partial.local_base,
            version: partial.version.ok_or_else(|| missing("-accelsim tracer version"))?,
            line_info: partial.line_info,
            notes: partial.notes,
        })
    }

    /// Bytes of shared memory of a block before those of the kernel, which `-shmem` does not count.
    #[must_use]
    pub fn reserved_shared_bytes(&self) -> u32 {
        if self.architecture >= FIRST_WITH_RESERVED { RESERVED_SHARED_BYTES } else { 0 }
    }

    /// Threads of a block.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a block.
    #[must_use]
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// The lanes of warp `warp` of a block that hold a thread.
    #[must_use]
    pub fn lanes(&self, warp: u32) -> u32 {
        let threads = self.threads().saturating_sub(warp.saturating_mul(32));
        if threads >= 32 { u32::MAX } else { (1 << threads) - 1 }
    }

    /// Blocks of the grid.
    #[must_use]
    pub fn ctas(&self) -> u64 {
        self.grid.iter().map(|&d| u64::from(d)).product()
    }

    /// The header as a tracer writes it, with the line that ends it.
    #[must_use]
    pub fn text(&self) -> String {
        let ([gx, gy, gz], [bx, by, bz]) = (self.grid, self.block);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "-kernel name = {}\n-kernel id = {}\n-grid dim = ({gx},{gy},{gz})\n-block dim = ({bx},{by},{bz})\n\
             -shmem = {}\n-nregs = {}\n-binary version = {}\n-cuda stream id = 0\n\
             -shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n-nvbit version = 1.7\n\
             -accelsim tracer version = {}\n-enable lineinfo = {}\n",
            self.kernel,
            self.id,
            self.shared_bytes,
            self.registers,
            self.architecture,
            self.shared_base,
            self.local_base,
            self.version,
            u8::from(self.line_info)
        );
        text.push_str(&notes::text(&self.notes));
        text.push('\n');
        text.push_str(
            "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width ",
        );
        text.push_str("[adrrescompress?] [mem_addresses] immediate\n");
        text
    }
}

impl Partial {
    fn take(&mut self, line: &Line<'_>) -> Result<(), TraceError> {
        if let Some(key) = ONCE.into_iter().find(|key| line.value(key).is_some())
            && !self.seen.insert(key)
        {
            return Err(line.expected(1, format!("one line `{key}`, which is above already"), line.text));
        }
        if let Some((_, name)) = line.value("-kernel name") {
            self.kernel = Some(name.to_owned());
        } else if let Some(id) = number(line, "-kernel id", 0..=u64::MAX)? {
            self.id = id;
        } else if let Some(grid) = dimensions(line, "-grid dim", MAX_GRID)? {
            self.grid = Some(grid);
        } else if let Some(block) = dimensions(line, "-block dim", [MAX_THREADS; 3])? {
            let threads: u64 = block.iter().map(|&d| u64::from(d)).product();
            if threads > MAX_THREADS {
                let expected = format!("a block of at most {MAX_THREADS} threads");
                return Err(line.expected(1, expected, line.text));
            }
            self.block = Some(block);
        } else if let Some((column, text)) = line.value("-shmem base_addr") {
            self.shared_base =
                hex(text).ok_or_else(|| line.expected(column, "a hexadecimal address", text))?;
        } else if let Some((column, text)) = line.value("-local mem base_addr") {
            self.local_base =
                hex(text).ok_or_else(|| line.expected(column, "a hexadecimal address", text))?;
        } else if let Some(bytes) = number(line, "-shmem", 0..=1 << 24)? {
            self.shared_bytes = bytes as u32;
        } else if let Some(registers) = number(line, "-nregs", 1..=255)? {
            self.registers = Some(registers as u32);
        } else if let Some((column, text)) = line.value("-binary version") {
            let known = |v: &u64| ARCHITECTURES.iter().any(|a| u64::from(*a) == *v);
            let version = decimal(text).filter(known);
            let expected = || format!("one of the architectures {ARCHITECTURES:?}");
            self.architecture = Some(version.ok_or_else(|| line.expected(column, expected(), text))? as u32);
        } else if let Some(version) = number(
            line,
            "-accelsim tracer version",
            u64::from(*VERSIONS.start())..=u64::from(*VERSIONS.end()),
        )? {
            self.version = Some(version as u32);
        } else if let Some((column, text)) = line.value(notes::KEY) {
            let wrong = notes::take(text, &mut self.notes);
            wrong.map_err(|f| {
                line.expected(column, "program counters with operands, such as `00c0:g0r1w2d3s4`", f)
            })?;
        } else if let Some(flag) = number(line, "-enable lineinfo", 0..=1)? {
            self.line_info = flag == 1;
        }
        Ok(())
    }
}

/// The number behind `key`, where the line has it.
fn number(
    line: &Line<'_>,
    key: &str,
    range: std::ops::RangeInclusive<u64>,
) -> Result<Option<u64>, TraceError> {
    let Some((column, text)) = line.value(key) else { return Ok(None) };
    match decimal(text).filter(|n| range.contains(n)) {
        Some(number) => Ok(Some(number)),
        None => {
            Err(line.expected(column, format!("a number from {} to {}", range.start(), range.end()), text))
        }
    }
}

/// Three positive numbers behind `key`, `(x,y,z)`, each at most its limit.
fn dimensions(line: &Line<'_>, key: &str, limits: [u64; 3]) -> Result<Option<[u32; 3]>, TraceError> {
    let Some((column, text)) = line.value(key) else { return Ok(None) };
    let parse = || {
        let inner = text.strip_prefix('(')?.strip_suffix(')')?;
        triple(inner, |n, axis| n >= 1 && n <= limits[axis])
    };
    match parse() {
        Some(dimensions) => Ok(Some(dimensions)),
        None => Err(line.expected(column, format!("(x,y,z), from 1 to {limits:?}"), text)),
    }
}

/// Three numbers with commas that `fits` accepts by axis.
pub(crate) fn triple(text: &str, fits: impl Fn(u64, usize) -> bool) -> Option<[u32; 3]> {
    let mut parts = text.split(',');
    let mut all = [0; 3];
    for (axis, value) in all.iter_mut().enumerate() {
        let number = decimal(parts.next()?.trim())?;
        *value = u32::try_from(number).ok().filter(|_| fits(number, axis))?;
    }
    parts.next().is_none().then_some(all)
}
