//! Writes traces: for tests, and for machines that have no tracer.

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
        let mut writer = Self { path, output, header, mode, next_cta: 0, cta: [0; 3] };
        let text = writer.header.text();
        writer.put(&text)?;
        Ok(writer)
    }

    fn put(&mut self, text: &str) -> Result<(), TraceError> {
        let written = match &mut self.output {
            Output::Plain(file) => file.write_all(text.as_bytes()),
            Output::Xz(encoder) => encoder.write_all(text.as_bytes()),
        };
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
        self.put(&format!("\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n"))
    }

    /// Writes all instructions of a warp.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn warp(&mut self, warp: u32, instructions: &[Written<'_>]) -> Result<(), TraceError> {
        self.put(&format!("\nwarp = {warp}\ninsts = {}\n", instructions.len()))?;
        for instruction in instructions {
            let line = self.line(warp, instruction);
            self.put(&line)?;
        }
        Ok(())
    }

    /// Ends the CTA.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn end_cta(&mut self) -> Result<(), TraceError> {
        self.put("\n#END_TB\n")
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

    fn line(&self, warp: u32, i: &Written<'_>) -> String {
        let mut fields: Vec<String> = Vec::new();
        if self.header.version < 3 {
            fields.extend(self.cta.iter().map(ToString::to_string));
            fields.push(warp.to_string());
        }
        if self.header.line_info {
            fields.push("0".to_owned());
        }
        fields.extend([format!("{:04x}", i.pc), format!("{:08x}", i.mask)]);
        fields.push(u8::from(i.destination.is_some()).to_string());
        fields.extend(i.destination.map(|r| format!("R{r}")));
        fields.extend([i.opcode.to_owned(), i.sources.len().to_string()]);
        fields.extend(i.sources.iter().map(|r| format!("R{r}")));
        match i.access {
            None => fields.push("0".to_owned()),
            Some((bytes, addresses)) => {
                fields.push(bytes.to_string());
                self.addresses(i.mask, addresses, &mut fields);
            }
        }
        if self.header.version >= 5 {
            fields.push(i.immediate.to_string());
        }
        fields.join(" ") + " \n"
    }

    fn addresses(&self, mask: u32, addresses: &[u64], fields: &mut Vec<String>) {
        let base = addresses.first().copied().unwrap_or(0);
        let deltas: Vec<i64> = addresses.windows(2).map(|p| p[1].wrapping_sub(p[0]) as i64).collect();
        let even = deltas.windows(2).all(|p| p[0] == p[1]);
        if self.mode == AddressMode::Each {
            fields.push("0".to_owned());
            fields.extend(addresses.iter().map(|a| format!("{a:#018x}")));
        } else if self.mode == AddressMode::Short && even && !deltas.is_empty() && contiguous(mask) {
            fields.extend(["1".to_owned(), format!("{base:#018x}"), deltas[0].to_string()]);
        } else {
            fields.extend(["2".to_owned(), format!("{base:#018x}")]);
            fields.extend(deltas.iter().map(ToString::to_string));
        }
    }
}
