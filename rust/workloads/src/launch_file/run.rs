//! A launch file as an instance.

use std::path::PathBuf;
use std::sync::Arc;

use heddle_isa::{AccessError, DeviceMemory, KernelLaunch, SymbolWrite};

use super::ElementType;
use super::fill::Fill;
use super::npy;
use super::parse::is_npy;
use super::texture::{Bound, RunTexture, bind};
use crate::tolerance::Tolerance;
use crate::{CheckFailure, Checked, Instance, Launch, WorkloadError};

/// One run of a launch file.
#[derive(Debug, Clone)]
pub struct LaunchRun {
    file: String,
    pub(super) seed: u64,
    pub(super) buffers: Vec<RunBuffer>,
    pub(super) launches: Vec<RunLaunch>,
    pub(super) constants: Vec<SymbolWrite>,
    /// Constant variables that hold addresses of buffers.
    pub(super) tables: Vec<(String, Vec<Target>)>,
    pub(super) textures: Vec<RunTexture>,
    /// What they are bound to, after set-up.
    bound: Bound,
    /// How often all launches are done.
    repeat: u32,
    /// Addresses of the buffers, after set-up.
    addresses: Option<Vec<u32>>,
    done: Done,
}

/// What has been launched.
#[derive(Debug, Clone, Copy, Default)]
struct Done {
    rounds: u32,
    /// Launches of the round.
    launches: usize,
    /// Times the next launch was done.
    times: u32,
}

/// A launch with everything but the addresses.
#[derive(Debug, Clone)]
pub(super) struct RunLaunch {
    pub(super) entry: String,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) dynamic_shared_bytes: u32,
    pub(super) cooperative: bool,
    pub(super) repeat: u32,
    pub(super) params: Vec<u8>,
    /// Addresses in the parameter block: their place, the buffer, and bytes to add.
    pub(super) addresses: Vec<(u32, usize, u64)>,
    /// Handles in the parameter block: their place, and the texture or surface.
    pub(super) handles: Vec<(u32, usize)>,
}

/// A buffer with what it needs from outside the launch file.
#[derive(Debug, Clone)]
pub(super) struct RunBuffer {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) element: ElementType,
    pub(super) elements: u64,
    /// Elements in each dimension, where a file says.
    pub(super) shape: Option<Vec<u64>>,
    pub(super) contents: Contents,
    pub(super) output: Option<PathBuf>,
    /// Name and contents of the file that is expected, and how near is near enough.
    pub(super) expected: Option<(String, Arc<[u8]>, Option<Tolerance>)>,
}

/// Where a buffer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Where memory has room.
    Allocated,
    /// A module variable at this address.
    Variable(u32),
}

/// What a buffer holds at the begin.
#[derive(Debug, Clone)]
pub(super) enum Contents {
    Bytes(Arc<[u8]>),
    Fill(Fill),
    /// Addresses of buffers of the run.
    Addresses(Vec<Target>),
}

/// A place in a buffer of the run, or null.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The buffer, by its number.
    pub(super) buffer: Option<usize>,
    /// Bytes added.
    pub(super) offset: u64,
}

/// The addresses as 8 bytes each; `addresses` are those of the buffers.
fn address_bytes(targets: &[Target], addresses: &[u32]) -> Vec<u8> {
    let address = |t: &Target| {
        let base = t.buffer.and_then(|b| addresses.get(b)).copied();
        base.map_or(0, |base| u64::from(base) + t.offset)
    };
    targets.iter().flat_map(|t| address(t).to_le_bytes()).collect()
}

impl LaunchRun {
    pub(super) fn new(file: &str, seed: u64, repeat: u32) -> Self {
        Self {
            file: file.to_owned(),
            seed,
            buffers: Vec::new(),
            launches: Vec::new(),
            constants: Vec::new(),
            tables: Vec::new(),
            textures: Vec::new(),
            bound: Bound::default(),
            repeat,
            addresses: None,
            done: Done::default(),
        }
    }

    /// Bytes of all buffers.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(RunBuffer::bytes).fold(0, u64::saturating_add)
    }

    fn memory_error(&self, source: AccessError) -> WorkloadError {
        WorkloadError::Memory { workload: self.file.clone(), source }
    }

    fn placed(&self) -> Option<impl Iterator<Item = (&RunBuffer, u32)>> {
        Some(self.buffers.iter().zip(self.addresses.as_ref()?.iter().copied()))
    }

    /// Writes the buffers that have an `output` to their files and returns the paths.
    ///
    /// # Errors
    /// Before set-up, [`WorkloadError::Memory`] and [`WorkloadError::Output`].
    pub fn write_outputs(&self, memory: &DeviceMemory) -> Result<Vec<PathBuf>, WorkloadError> {
        let not_set_up = || WorkloadError::NotSetUp { workload: self.file.clone() };
        let mut written = Vec::new();
        for (buffer, address) in self.placed().ok_or_else(not_set_up)? {
            let Some(path) = &buffer.output else { continue };
            let bytes = memory.read_bytes(address, len(buffer)).map_err(|e| self.memory_error(e))?;
            let flat = [buffer.elements];
            let shape = buffer.shape.as_deref().unwrap_or(&flat);
            let mut file =
                is_npy(path).then(|| npy::head(buffer.element, shape)).flatten().unwrap_or_default();
            file.extend(bytes);
            heddle_files::publish(path, &file)
                .map_err(|e| WorkloadError::Output { path: path.clone(), reason: e.to_string() })?;
            written.push(path.clone());
        }
        Ok(written)
    }
}

/// Bytes of a buffer; [`super::MAX_BUFFER_BYTES`] limits them.
fn len(buffer: &RunBuffer) -> u32 {
    u32::try_from(buffer.bytes()).unwrap_or(u32::MAX)
}

impl Instance for LaunchRun {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let mut addresses = Vec::new();
        for (stream, buffer) in (0..).zip(&self.buffers) {
            let mut place = || -> Result<u32, AccessError> {
                let address = match buffer.place {
                    Place::Allocated => memory.allocate(&buffer.name, len(buffer))?,
                    Place::Variable(address) => address,
                };
                if let Some(bytes) = buffer.contents(self.seed, stream) {
                    memory.write_bytes(address, &bytes)?;
                }
                Ok(address)
            };
            addresses.push(place().map_err(|e| self.memory_error(e))?);
        }
        for (buffer, &address) in self.buffers.iter().zip(&addresses) {
            if let Contents::Addresses(targets) = &buffer.contents {
                let bytes = address_bytes(targets, &addresses);
                memory.write_bytes(address, &bytes).map_err(|e| self.memory_error(e))?;
            }
        }
        self.bound = bind(&self.file, &self.textures, &self.buffers, &addresses)?;
        self.addresses = Some(addresses);
        self.done = Done::default();
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let Some(addresses) = &self.addresses else {
            return Err(WorkloadError::NotSetUp { workload: self.file.clone() });
        };
        let Some(launch) = self.launches.get(self.done.launches) else { return Ok(None) };
        if self.done.rounds == self.repeat {
            return Ok(None);
        }
        let (table, handles, references) = &self.bound;
        let mut params = launch.params.clone();
        let mut put = |at: u32, value: u64| {
            let at = at as usize;
            if let Some(slot) = params.get_mut(at..at + 8) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
        };
        for &(at, buffer, offset) in &launch.addresses {
            put(at, addresses.get(buffer).map_or(0, |&a| u64::from(a) + offset));
        }
        for &(at, texture) in &launch.handles {
            put(at, handles.get(texture).copied().unwrap_or(0));
        }
        let tables = self.tables.iter().map(|(name, targets)| SymbolWrite {
            name: name.clone(),
            offset: 0,
            bytes: address_bytes(targets, addresses),
        });
        let launch = Launch {
            entry: launch.entry.clone(),
            launch: KernelLaunch {
                grid: launch.grid,
                block: launch.block,
                dynamic_shared_bytes: launch.dynamic_shared_bytes,
                params,
                constants: self.constants.iter().chain(references).cloned().chain(tables).collect(),
                textures: Arc::new(table.clone()),
                cooperative: launch.cooperative,
            },
        };
        self.advance();
        Ok(Some(launch))
    }

    /// Compares the buffers that have an `expect`. Without one nothing is compared.
    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let not_set_up = || CheckFailure::NotSetUp { workload: self.file.clone() };
        let mut words = 0;
        let mut bounds = Vec::new();
        for (buffer, address) in self.placed().ok_or_else(not_set_up)? {
            let Some((path, expected, tolerance)) = &buffer.expected else { continue };
            let actual = memory
                .read_bytes(address, len(buffer))
                .map_err(|source| CheckFailure::Memory { workload: self.file.clone(), source })?;
            words += self.compare((buffer, address), actual, (path, expected, *tolerance))?;
            if let Some(Tolerance { absolute, relative, reason }) = tolerance {
                bounds.push(format!("{absolute:e} + {relative:e} * |expected|, {reason}"));
            }
        }
        Ok(Checked { words, exact: bounds.is_empty(), bound: bounds.pop() })
    }
}

impl LaunchRun {
    fn advance(&mut self) {
        let done = &mut self.done;
        done.times += 1;
        if self.launches.get(done.launches).is_some_and(|l| done.times >= l.repeat) {
            (done.launches, done.times) = (done.launches + 1, 0);
        }
        if done.launches == self.launches.len() && done.rounds + 1 < self.repeat {
            (done.launches, done.rounds) = (0, done.rounds + 1);
        }
    }

    fn compare(
        &self,
        (buffer, address): (&RunBuffer, u32),
        actual: &[u8],
        (path, expected, tolerance): (&str, &[u8], Option<Tolerance>),
    ) -> Result<u64, CheckFailure> {
        let element = buffer.element;
        let size = element.bytes() as usize;
        let bound = tolerance.filter(|_| element.is_float());
        let near =
            |a: &[u8], e: &[u8]| bound.is_some_and(|bound| bound.admits(element.float(a), element.float(e)));
        let differs = |(a, e): &(&[u8], &[u8])| a != e && !near(a, e);
        let pairs = || actual.chunks_exact(size).zip(expected.chunks_exact(size));
        let Some((index, (first, wanted))) = pairs().enumerate().find(|(_, p)| differs(p)) else {
            return Ok(buffer.elements);
        };
        Err(CheckFailure::Differs {
            workload: self.file.clone(),
            buffer: buffer.name.as_str().into(),
            address: address.saturating_add((index * size) as u32),
            with: format!("the expected output '{path}'").into(),
            index,
            actual: element.text(first).into(),
            expected: element.text(wanted).into(),
            wrong: pairs().filter(differs).count() as u64,
            total: buffer.elements,
        })
    }
}
