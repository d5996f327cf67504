//! Writes traces: for tests, and for machines that have no tracer.

use std::fmt::{Arguments, Write as _};
use std::io::Write;
use std::path::{Path, PathBuf};

use heddle_files::Streamed;
use liblzma::write::XzEncoder;

use crate::error::TraceError;
use crate::header::Header;
use crate::instruction::contiguous;

/// How addresses are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMode {
    /// One address for each lane.
    Each,
    /// Base and stride where the lanes allow it, else base and distances, as the tracer does.
    Short,
    /// Base and distances.
    Distances,
}

/// One instruction to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written<'a> {
    /// Program counter.
    pub pc: u32,
    /// Lanes.
    pub mask: u32,
    /// First register of the destination.
    pub destination: Option<u8>,
    /// Opcode with modifiers.
    pub opcode: &'a str,
    /// First register of each source.
    pub sources: &'a [u8],
    /// Bytes of a lane and an address for each lane of the mask, of a memory access.
    pub access: Option<(u32, &'a [u64])>,
    /// Immediate, written from version 5 on.
    pub immediate: u64,
}

/// A file that is plain or compressed.
enum Output {
    Plain(Streamed),
    Xz(Box<XzEncoder<Streamed>>),
}

/// A trace being written, CTA by CTA, x fastest. It has its name once it is finished.
pub struct Writer {
    path: PathBuf,
    output: Output,
    header: Header,
    mode: AddressMode,
    next_cta: u64,
    cta: [u64; 3],
    /// Ready to be written.
    text: String,
}

impl Writer {
    /// Begins a trace; a name that ends in `.xz` is compressed.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn create(path: &Path, header: &Header, mode: AddressMode) -> Result<Self, TraceError> {
        let file = Streamed::new(path).map_err(|e| TraceError::file(path, e))?;
        let output = if path.extension().is_some_and(|e| e == "xz") {
            Output::Xz(Box::new(XzEncoder::new(file, 1)))
        } else {
            Output::Plain(file)
        };
        let (path, header) = (path.to_owned(), header.clone());
        let text = header.text();
        let mut writer = Self { path, output, header, mode, next_cta: 0, cta: [0; 3], text };
        writer.put()?;
        Ok(writer)
    }

    /// Writes the text that is ready.
    fn put(&mut self) -> Result<(), TraceError> {
        let written = match &mut self.output {
            Output::Plain(file) => file.write_all(self.text.as_bytes()),
            Output::Xz(encoder) => encoder.write_all(self.text.as_bytes()),
        };
        self.text.clear();
        written.map_err(|e| TraceError::file(&self.path, e))
    }

    /// Begins the next CTA.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn begin_cta(&mut self) -> Result<(), TraceError> {
        let [gx, gy, _] = self.header.grid.map(u64::from);
        let n = self.next_cta;
        self.cta = [n % gx.max(1), n / gx.max(1) % gy.max(1), n / (gx * gy).max(1)];
        self.next_cta += 1;
        let [x, y, z] = self.cta;
        self.add(format_args!("\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n"));
        self.put()
    }

    /// Writes all instructions of a warp.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn warp(&mut self, warp: u32, instructions: &[Written<'_>]) -> Result<(), TraceError> {
        self.add(format_args!("\nwarp = {warp}\ninsts = {}\n", instructions.len()));
        self.put()?;
        for instruction in instructions {
            self.line(warp, instruction);
            self.put()?;
        }
        Ok(())
    }

    /// Ends the CTA.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn end_cta(&mut self) -> Result<(), TraceError> {
        self.add(format_args!("\n#END_TB\n"));
        self.put()
    }

    /// Writes out everything and gives the file its name.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn finish(self) -> Result<(), TraceError> {
        let finished = match self.output {
            Output::Plain(file) => file.publish(),
            Output::Xz(encoder) => encoder.finish().and_then(Streamed::publish),
        };
        finished.map_err(|e| TraceError::file(&self.path, e))
    }

    fn add(&mut self, text: Arguments<'_>) {
        // A string takes all that it is given.
        let _ = self.text.write_fmt(text);
    }

    fn line(&mut self, warp: u32, i: &Written<'_>) {
        if self.header.version < 3 {
            let [x, y, z] = self.cta;
            self.add(format_args!("{x} {y} {z} {warp} "));
        }
        if self.header.line_info {
            self.text.push_str("0 ");
        }
        self.add(format_args!("{:04x} {:08x} ", i.pc, i.mask));
        match i.destination {
            None => self.text.push_str("0 "),
            Some(register) => self.add(format_args!("1 R{register} ")),
        }
        self.add(format_args!("{} {} ", i.opcode, i.sources.len()));
        for register in i.sources {
            self.add(format_args!("R{register} "));
        }
        match i.access {
            None => self.text.push_str("0 "),
            Some((bytes, addresses)) => {
                self.add(format_args!("{bytes} "));
                self.addresses(i.mask, addresses);
            }
        }
        if self.header.version >= 5 {
            self.add(format_args!("{} ", i.immediate));
        }
        self.text.push('\n');
    }

    fn addresses(&mut self, mask: u32, addresses: &[u64]) {
        let base = addresses.first().copied().unwrap_or(0);
        let deltas = addresses.windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) as i64);
        if self.mode == AddressMode::Each {
            self.text.push_str("0 ");
            for address in addresses {
                self.add(format_args!("{address:#018x} "));
            }
            return;
        }
        let stride = deltas.clone().next().filter(|first| deltas.clone().all(|delta| delta == *first));
        match stride.filter(|_| self.mode == AddressMode::Short && contiguous(mask)) {
            Some(stride) => self.add(format_args!("1 {base:#018x} {stride} ")),
            None => {
                self.add(format_args!("2 {base:#018x} "));
                deltas.for_each(|delta| self.add(format_args!("{delta} ")));
            }
        }
    }
}
