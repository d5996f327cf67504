//! A launch file as an instance.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_isa::{AccessError, DeviceMemory, KernelLaunch, Program};

use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::{Arg, ArgKind, BufferArg, Fill, LaunchFile};
use crate::random::SplitMix64;
use crate::{CheckFailure, Checked, Instance, Launch, WorkloadError};

/// Bytes of an address in a parameter block.
const POINTER_BYTES: u32 = 8;

/// One run of a launch file.
#[derive(Debug, Clone)]
pub struct LaunchRun {
    file: LaunchFile,
    entry: String,
    seed: u64,
    args: Vec<RunArg>,
    param_bytes: u32,
    /// Addresses of the buffers, after set-up.
    addresses: Option<Vec<u32>>,
    launched: bool,
}

/// An argument with what it needs from outside the launch file.
#[derive(Debug, Clone)]
struct RunArg {
    /// Name of the parameter.
    param: String,
    /// Its place in the parameter block.
    offset: u32,
    kind: ArgKind,
    /// Contents of the file that fills the buffer.
    input: Option<Arc<[u8]>>,
    /// Contents of the file that is expected.
    expected: Option<Arc<[u8]>>,
}

impl LaunchFile {
    /// A run of `program` with the arguments of this file; reads the data files that it names.
    /// Buffers that are filled at random and name no seed take `seed`.
    ///
    /// # Errors
    /// When the arguments are not the parameters of `program`, or a data file is not as its buffer.
    pub fn instance(&self, program: &Program, seed: u64) -> Result<LaunchRun, LaunchFileError> {
        let error = |at, kind| LaunchFileError::at(&self.name, at, kind);
        if let Some(entry) = self.entry.as_ref().filter(|e| **e != program.name) {
            let kind = Kind::OtherEntry { file: entry.clone(), kernel: program.name.clone() };
            return Err(error(self.entry_at, kind));
        }
        if self.args.len() != program.params.len() {
            let last = self.args.last().map_or(self.entry_at, |a| a.at);
            let kind = Kind::ArgCount {
                kernel: program.name.clone(),
                expected: program.params.len(),
                found: self.args.len(),
            };
            return Err(error(last, kind));
        }
        let mut args = Vec::new();
        for (arg, param) in self.args.iter().zip(&program.params) {
            if let Some((name, at)) = arg.name.as_ref().filter(|(n, _)| *n != param.name) {
                let kind = Kind::ArgName { expected: param.name.clone(), found: name.clone() };
                return Err(error(*at, kind));
            }
            let (what, found) = match &arg.kind {
                ArgKind::Scalar(element, values) => {
                    let bytes = element.bytes() * u32::try_from(values.len()).unwrap_or(u32::MAX);
                    let many = if values.len() > 1 { "an aggregate" } else { "a scalar" };
                    (format!("{many} of type {element}"), bytes)
                }
                ArgKind::Buffer(_) => ("the address of a buffer".into(), POINTER_BYTES),
            };
            if found != param.bytes {
                let kind = Kind::ArgSize { param: param.name.clone(), expected: param.bytes, what, found };
                return Err(error(arg.at, kind));
            }
            args.push(self.run_arg(arg, &param.name, param.offset)?);
        }
        Ok(LaunchRun {
            file: self.clone(),
            entry: program.name.clone(),
            seed,
            args,
            param_bytes: program.param_bytes,
            addresses: None,
            launched: false,
        })
    }

    fn run_arg(&self, arg: &Arg, param: &str, offset: u32) -> Result<RunArg, LaunchFileError> {
        let (mut input, mut expected) = (None, None);
        if let ArgKind::Buffer(buffer) = &arg.kind {
            let load = |path: &Path, at| -> Result<Arc<[u8]>, LaunchFileError> {
                read_data(path, buffer.bytes()).map_err(|kind| LaunchFileError::at(&self.name, at, kind))
            };
            if let Fill::File(path, at) = &buffer.fill {
                input = Some(load(path, *at)?);
            }
            if let Some((path, at)) = &buffer.expect {
                expected = Some(load(path, *at)?);
            }
        }
        Ok(RunArg { param: param.to_owned(), offset, kind: arg.kind.clone(), input, expected })
    }
}

/// Reads a data file of exactly `bytes` bytes.
fn read_data(path: &Path, bytes: u64) -> Result<Arc<[u8]>, Kind> {
    let name = path.display().to_string();
    let unreadable = |e: std::io::Error| Kind::Unreadable { path: name.clone(), reason: e.to_string() };
    let found = fs::metadata(path).map_err(unreadable)?.len();
    if found != bytes {
        return Err(Kind::FileSize { path: name, expected: bytes, found });
    }
    Ok(fs::read(path).map_err(unreadable)?.into())
}

impl LaunchRun {
    fn memory_error(&self, source: AccessError) -> WorkloadError {
        WorkloadError::Memory { workload: self.entry.clone(), source }
    }

    /// What the buffer of argument `index` holds at the begin, unless it holds nothing.
    fn contents(&self, index: usize, buffer: &BufferArg) -> Option<Vec<u8>> {
        let element = buffer.element;
        let mut bytes = Vec::new();
        match &buffer.fill {
            Fill::None => return None,
            // The instance read the file when it was made.
            Fill::File(..) => return self.args[index].input.as_ref().map(|b| b.to_vec()),
            Fill::Values(values) => bytes.extend(values.iter().flat_map(|v| v.bytes())),
            Fill::Zero => bytes.resize(buffer.elements as usize * element.bytes() as usize, 0),
            Fill::Iota => (0..buffer.elements).for_each(|i| element.iota(i, &mut bytes)),
            Fill::Random { seed, range } => {
                let mut random = SplitMix64::new(seed.unwrap_or(self.seed), index as u64);
                for _ in 0..buffer.elements {
                    element.random(&mut random, *range, &mut bytes);
                }
            }
        }
        Some(bytes)
    }

    fn buffers(&self) -> impl Iterator<Item = (usize, &RunArg, &BufferArg)> {
        self.args.iter().enumerate().filter_map(|(i, arg)| match &arg.kind {
            ArgKind::Buffer(buffer) => Some((i, arg, buffer)),
            ArgKind::Scalar(..) => None,
        })
    }

    /// Writes the buffers that have an `output` to their files and returns the paths.
    ///
    /// # Errors
    /// Before set-up, or when a file cannot be written.
    pub fn write_outputs(&self, memory: &DeviceMemory) -> Result<Vec<PathBuf>, WorkloadError> {
        let addresses = self
            .addresses
            .as_ref()
            .ok_or_else(|| WorkloadError::NotSetUp { workload: self.entry.clone() })?;
        let mut written = Vec::new();
        for (i, _, buffer) in self.buffers() {
            let Some(path) = &buffer.output else {
                continue;
            };
            let bytes = memory.read_bytes(addresses[i], len(buffer)).map_err(|e| self.memory_error(e))?;
            fs::write(path, bytes).map_err(|e| {
                let path = path.display().to_string();
                let reason = e.to_string();
                LaunchFileError::whole(&self.file.name, Kind::Unreadable { path, reason })
            })?;
            written.push(path.clone());
        }
        Ok(written)
    }

    fn compare(
        &self,
        arg: &RunArg,
        buffer: &BufferArg,
        actual: &[u8],
        expected: &[u8],
    ) -> Result<u64, CheckFailure> {
        let size = buffer.element.bytes() as usize;
        let near = |a: &[u8], e: &[u8]| {
            let (a, e) = (buffer.element.float(a), buffer.element.float(e));
            (a - e).abs() <= buffer.tolerance || a.is_nan() && e.is_nan()
        };
        let differs = |(a, e): &(&[u8], &[u8])| a != e && (buffer.tolerance == 0.0 || !near(a, e));
        let pairs = || actual.chunks_exact(size).zip(expected.chunks_exact(size));
        let Some(index) = pairs().position(|p| differs(&p)) else {
            return Ok(buffer.elements);
        };
        let text = |bytes: &[u8]| buffer.element.text(&bytes[index * size..]);
        Err(CheckFailure::Differs {
            workload: self.entry.clone(),
            buffer: arg.param.clone(),
            with: "the expected output".into(),
            index,
            actual: text(actual).into(),
            expected: text(expected).into(),
            wrong: pairs().filter(differs).count() as u64,
            total: buffer.elements,
        })
    }
}

/// Bytes of a buffer; parsing limits them to [`super::MAX_BUFFER_BYTES`].
fn len(buffer: &BufferArg) -> u32 {
    u32::try_from(buffer.bytes()).unwrap_or(u32::MAX)
}

impl Instance for LaunchRun {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let mut addresses = vec![0; self.args.len()];
        for (i, arg, buffer) in self.buffers() {
            let mut place = || -> Result<u32, AccessError> {
                let address = memory.allocate(&arg.param, len(buffer))?;
                if let Some(bytes) = self.contents(i, buffer) {
                    memory.write_bytes(address, &bytes)?;
                }
                Ok(address)
            };
            addresses[i] = place().map_err(|e| self.memory_error(e))?;
        }
        self.addresses = Some(addresses);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let Some(addresses) = &self.addresses else {
            return Err(WorkloadError::NotSetUp { workload: self.entry.clone() });
        };
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let mut params = vec![0; self.param_bytes as usize];
        for (arg, &address) in self.args.iter().zip(addresses) {
            let bytes = match &arg.kind {
                ArgKind::Scalar(_, values) => values.iter().flat_map(|v| v.bytes()).collect(),
                ArgKind::Buffer(_) => u64::from(address).to_le_bytes().to_vec(),
            };
            let from = arg.offset as usize;
            if params.len() < from + bytes.len() {
                params.resize(from + bytes.len(), 0);
            }
            params[from..from + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(Some(Launch {
            entry: self.entry.clone(),
            launch: KernelLaunch {
                grid: self.file.grid,
                block: self.file.block,
                dynamic_shared_bytes: self.file.dynamic_shared_bytes,
                params,
                ..KernelLaunch::default()
            },
        }))
    }

    /// Compares the buffers that have an `expect`. Without one nothing is compared.
    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let Some(addresses) = &self.addresses else {
            return Err(CheckFailure::NotSetUp { workload: self.entry.clone() });
        };
        let (mut words, mut largest) = (0, 0.0_f64);
        for (i, arg, buffer) in self.buffers() {
            let Some(expected) = &arg.expected else {
                continue;
            };
            let actual = memory
                .read_bytes(addresses[i], len(buffer))
                .map_err(|source| CheckFailure::Memory { workload: self.entry.clone(), source })?;
            words += self.compare(arg, buffer, actual, expected)?;
            largest = largest.max(buffer.tolerance);
        }
        let exact = largest == 0.0;
        Ok(Checked { words, exact, bound: (!exact).then(|| format!("{largest:e}, as the launch file says")) })
    }
}
