//! A trace: its grid and what each warp executes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use heddle_trace::{AddressMode, Header, Writer, Written};

use crate::code::{Code, Line};
use crate::error::FidelityError;

/// Generic addresses at which shared and local memory begin.
pub const SHARED_BASE: u64 = 0x7f59_dd00_0000;
const LOCAL_BASE: u64 = 0x7f59_db00_0000;
/// Where the arrays in global memory begin.
pub const GLOBAL: [u64; 3] = [0x7f58_0000_0000, 0x7f58_4000_0000, 0x7f58_8000_0000];
/// The architecture of the opcodes.
const ARCHITECTURE: u32 = 70;
/// The version of the format.
const VERSION: u32 = 5;
/// Threads of a warp.
const WARP: u32 = 32;

/// Which warp executes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// CTA.
    pub cta: u32,
    /// Warp of the CTA.
    pub warp: u32,
    /// Warp of the grid.
    pub global: u32,
}

impl Place {
    /// The warp of the grid, for addresses.
    #[must_use]
    pub fn number(self) -> u64 {
        u64::from(self.global)
    }
}

/// What each warp executes.
type Body = Box<dyn Fn(&mut Code, Place)>;

/// One kernel of a micro-trace.
pub struct Trace {
    /// Its name.
    pub name: &'static str,
    /// What it isolates.
    pub what: &'static str,
    /// Name of the kernel.
    pub kernel: &'static str,
    /// CTAs.
    pub grid: u32,
    /// Threads of a CTA.
    pub block: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of shared memory of a CTA.
    pub shared_bytes: u32,
    body: Body,
}

impl Trace {
    /// `grid` CTAs of `block` threads that execute `body` and end.
    pub fn new(
        name: &'static str,
        what: &'static str,
        [grid, block]: [u32; 2],
        body: impl Fn(&mut Code, Place) + 'static,
    ) -> Self {
        let (registers, shared_bytes) = (40, 0);
        Self { name, what, kernel: name, grid, block, registers, shared_bytes, body: Box::new(body) }
    }

    /// The same with another number of registers a thread.
    #[must_use]
    pub fn with_registers(self, registers: u32) -> Self {
        Self { registers, ..self }
    }

    /// The same with shared memory.
    #[must_use]
    pub fn with_shared(self, shared_bytes: u32) -> Self {
        Self { shared_bytes, ..self }
    }

    /// The same with a kernel of another name than the trace.
    #[must_use]
    pub fn of_kernel(self, kernel: &'static str) -> Self {
        Self { kernel, ..self }
    }

    /// Warps of a CTA.
    #[must_use]
    pub fn warps(&self) -> u32 {
        self.block / WARP
    }

    /// What a warp executes, `EXIT` at the end.
    #[must_use]
    pub fn lines(&self, cta: u32, warp: u32) -> Vec<Line> {
        let mut code = Code::default();
        (self.body)(&mut code, Place { cta, warp, global: cta * self.warps() + warp });
        code.plain("EXIT");
        code.into_lines()
    }

    /// Writes the trace into a folder of its name below `folder`; returns its list of kernels.
    ///
    /// # Errors
    /// [`FidelityError::Write`], [`FidelityError::File`].
    pub fn write(&self, folder: &Path) -> Result<PathBuf, FidelityError> {
        let folder = folder.join(self.name);
        let failed = |path: &Path, error| FidelityError::File { path: path.to_owned(), error };
        std::fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
        let kernel = "kernel-1.traceg";
        self.write_kernel(&folder.join(kernel))
            .map_err(|error| FidelityError::Write { trace: self.name.to_owned(), error })?;
        let list = folder.join("kernelslist.g");
        std::fs::write(&list, format!("{kernel}\n")).map_err(|e| failed(&list, e))?;
        Ok(list)
    }

    fn write_kernel(&self, path: &Path) -> Result<(), heddle_trace::TraceError> {
        let header = Header {
            kernel: self.kernel.to_owned(),
            id: 1,
            grid: [self.grid, 1, 1],
            block: [self.block, 1, 1],
            shared_bytes: self.shared_bytes,
            registers: self.registers,
            architecture: ARCHITECTURE,
            shared_base: SHARED_BASE,
            local_base: LOCAL_BASE,
            version: VERSION,
            line_info: false,
            notes: BTreeMap::new(),
        };
        let mut writer = Writer::create(path, &header, AddressMode::Short)?;
        for cta in 0..self.grid {
            writer.begin_cta()?;
            for warp in 0..self.warps() {
                let lines = self.lines(cta, warp);
                writer.warp(warp, &lines.iter().map(written).collect::<Vec<_>>())?;
            }
            writer.end_cta()?;
        }
        writer.finish()
    }
}

fn written(line: &Line) -> Written<'_> {
    Written {
        pc: line.pc,
        mask: line.mask,
        destination: line.destination,
        opcode: line.opcode,
        sources: &line.sources,
        access: line.access.as_ref().map(|access| (access.bytes, access.addresses.as_slice())),
        immediate: line.immediate,
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Trace({}, {} CTAs of {} threads)", self.name, self.grid, self.block)
    }
}
