//! A launch file meets the kernels that it launches.

use std::sync::Arc;

use heddle_isa::memory::CONSTANT_WINDOW;
use heddle_isa::{Program, SymbolWrite};

use super::data::{self, Data};
use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::fill::Fill;
use super::parse::is_npy;
use super::run::{Contents, LaunchRun, Place, RunBuffer, RunLaunch};
use super::spec::{Arg, ArgKind, BufferSpec, LaunchSpec, Member, Pointer, Source};
use super::table::Position;
use super::{ElementType, LaunchFile, MAX_TOTAL_BYTES, npy};

/// Bytes of an address in a parameter block.
const POINTER_BYTES: u32 = 8;
/// Dynamic shared memory begins at a multiple of this.
const SHARED_ALIGNMENT: u32 = 16;

impl LaunchFile {
    /// For each launch the index of its entry in `known`, the entries of the PTX.
    ///
    /// # Errors
    /// When an entry is not there, or none is named and there are several.
    pub fn entries(&self, known: &[&str]) -> Result<Vec<usize>, LaunchFileError> {
        self.launches.iter().map(|launch| self.entry(launch, known)).collect()
    }

    fn entry(&self, launch: &LaunchSpec, known: &[&str]) -> Result<usize, LaunchFileError> {
        match (&launch.entry, known) {
            (Some((name, at)), _) => known.iter().position(|k| k == name).ok_or_else(|| {
                let near = heddle_suggest::hint(name, known.iter().copied());
                let help = match known {
                    [] => "; it has none".to_owned(),
                    _ => format!("{near}; it has: {}", known.join(", ")),
                };
                self.error(*at, Kind::UnknownEntry { name: name.clone(), help })
            }),
            (None, [_]) => Ok(0),
            (None, _) => {
                let known = known.iter().map(|&k| k.to_owned()).collect();
                Err(self.error(launch.at, Kind::NoEntry { known }))
            }
        }
    }

    /// Whether every launch fits the shared memory of an SM, `available` bytes.
    ///
    /// # Errors
    /// The launch that does not.
    pub fn check_shared_memory(&self, programs: &[&Program], available: u32) -> Result<(), LaunchFileError> {
        let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        for launch in &self.launches {
            let program = programs[self.entry(launch, &names)?];
            let fixed = program.shared_bytes.next_multiple_of(SHARED_ALIGNMENT);
            if launch.dynamic_shared_bytes > available.saturating_sub(fixed) {
                let key = "dynamic_shared_bytes".into();
                let value = launch.dynamic_shared_bytes.to_string();
                let expected = format!(
                    "at most {}: the SM has {available} bytes of shared memory, '{}' declares {}",
                    available.saturating_sub(fixed),
                    program.name,
                    program.shared_bytes
                );
                return Err(self.error(launch.shared_at, Kind::OutOfRange { key, value, expected }));
            }
        }
        Ok(())
    }

    /// A run of this file on `programs`, one for each entry that it launches; reads the data files that it
    /// names. Buffers that are filled at random and name no seed take `seed`.
    ///
    /// # Errors
    /// When the arguments are not the parameters of the kernels, a data file is not as its buffer, or an
    /// output cannot be written.
    pub fn instance(&self, programs: &[&Program], seed: u64) -> Result<LaunchRun, LaunchFileError> {
        let names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        let mut run = LaunchRun::new(&self.name, seed, self.repeat);
        for spec in &self.buffers {
            let buffer = self.buffer(spec, spec.name.clone().unwrap_or_default())?;
            run.buffers.push(buffer);
        }
        for spec in &self.symbols {
            self.symbol(spec, programs.first().copied(), &mut run)?;
        }
        run.textures = self.run_textures(&run.buffers, programs.first().copied())?;
        for launch in &self.launches {
            let program = programs[self.entry(launch, &names)?];
            let launch = self.launch(launch, program, &mut run.buffers)?;
            run.launches.push(launch);
        }
        let total = run.bytes();
        if total > MAX_TOTAL_BYTES {
            let (key, value) = ("buffers".into(), format!("{total} bytes together"));
            let kind = Kind::OutOfRange { key, value, expected: format!("at most {MAX_TOTAL_BYTES}") };
            return Err(LaunchFileError::whole(&self.name, kind));
        }
        Ok(run)
    }

    fn error(&self, at: Position, kind: Kind) -> LaunchFileError {
        LaunchFileError::at(&self.name, at, kind)
    }

    fn launch(
        &self,
        launch: &LaunchSpec,
        program: &Program,
        buffers: &mut Vec<RunBuffer>,
    ) -> Result<RunLaunch, LaunchFileError> {
        if launch.args.len() != program.params.len() {
            let at = launch.args.last().map_or(launch.at, |a| a.at);
            let kernel = program.name.clone();
            let (expected, found) = (program.params.len(), launch.args.len());
            return Err(self.error(at, Kind::ArgCount { kernel, expected, found }));
        }
        let mut run = RunLaunch {
            entry: program.name.clone(),
            grid: launch.grid,
            block: launch.block,
            dynamic_shared_bytes: launch.dynamic_shared_bytes,
            repeat: launch.repeat,
            params: vec![0; program.param_bytes as usize],
            addresses: Vec::new(),
            handles: Vec::new(),
        };
        // Addresses may name a buffer of a later argument.
        let first = buffers.len();
        for (arg, param) in launch.args.iter().zip(&program.params) {
            if let Some((name, at)) = arg.name.as_ref().filter(|(n, _)| *n != param.name) {
                let kind = Kind::ArgName { expected: param.name.clone(), found: name.clone() };
                return Err(self.error(*at, kind));
            }
            if let ArgKind::Buffer(spec) = &arg.kind {
                buffers.push(self.buffer(spec, param.name.clone())?);
            }
        }
        let mut next = first;
        for (arg, param) in launch.args.iter().zip(&program.params) {
            let (what, bytes) = self.argument(arg, buffers, first, &mut next, param.offset, &mut run)?;
            let found = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            if found != param.bytes {
                let kind = Kind::ArgSize { param: param.name.clone(), expected: param.bytes, what, found };
                return Err(self.error(arg.at, kind));
            }
            let from = param.offset as usize;
            if let Some(slot) = run.params.get_mut(from..from + bytes.len()) {
                slot.copy_from_slice(&bytes);
            }
        }
        Ok(run)
    }

    /// What an argument is, and its bytes; addresses are filled in at the launch.
    fn argument(
        &self,
        arg: &Arg,
        buffers: &[RunBuffer],
        first: usize,
        next: &mut usize,
        at: u32,
        run: &mut RunLaunch,
    ) -> Result<(String, Vec<u8>), LaunchFileError> {
        let members = match &arg.kind {
            ArgKind::Buffer(_) => {
                run.addresses.push((at, *next, 0));
                *next += 1;
                return Ok(("the address of a buffer".into(), vec![0; POINTER_BYTES as usize]));
            }
            ArgKind::Value(members) => members,
        };
        let mut bytes = Vec::new();
        let mut align = 1;
        for member in members {
            let size = match member {
                Member::Numbers(element, _) => element.bytes(),
                Member::Pointer(_) | Member::Handle(_) => POINTER_BYTES,
            } as usize;
            align = align.max(size);
            bytes.resize(bytes.len().next_multiple_of(size), 0);
            match member {
                Member::Numbers(_, values) => bytes.extend(values.iter().flat_map(|v| v.bytes())),
                Member::Pointer(pointer) => {
                    if let Some(index) = self.target(pointer, buffers, first)? {
                        let place = at.saturating_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
                        run.addresses.push((place, index, pointer.offset));
                    }
                    bytes.resize(bytes.len() + size, 0);
                }
                Member::Handle(handle) => {
                    let place = at.saturating_add(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
                    run.handles.push((place, self.texture(handle)?));
                    bytes.resize(bytes.len() + size, 0);
                }
            }
        }
        let what = match &members[..] {
            [Member::Numbers(element, values)] if values.len() == 1 => format!("a scalar of type {element}"),
            [Member::Numbers(element, _)] => format!("an aggregate of type {element}"),
            [Member::Pointer(_)] => "an address".into(),
            [Member::Handle(_)] => "a handle".into(),
            _ => {
                bytes.resize(bytes.len().next_multiple_of(align), 0);
                "an aggregate of these fields".into()
            }
        };
        Ok((what, bytes))
    }

    /// The buffer that an address names: one of the same launch, else one of `[[buffers]]`.
    fn target(
        &self,
        pointer: &Pointer,
        buffers: &[RunBuffer],
        first: usize,
    ) -> Result<Option<usize>, LaunchFileError> {
        let Some(name) = &pointer.buffer else { return Ok(None) };
        let shared = self.buffers.len();
        let candidates =
            || (first..buffers.len()).chain(0..shared).filter_map(|i| Some((i, buffers.get(i)?)));
        let Some((index, buffer)) = candidates().find(|(_, b)| b.name == *name) else {
            let names: Vec<&str> = candidates().map(|(_, b)| b.name.as_str()).collect();
            let help = match names[..] {
                [] => "; there is none".to_owned(),
                _ => heddle_suggest::hint_or_list(name, names),
            };
            return Err(self.error(pointer.at, Kind::UnknownBuffer { name: name.clone(), help }));
        };
        if pointer.offset > buffer.bytes() {
            let (key, value) = ("value".into(), format!("{} bytes into '{name}'", pointer.offset));
            let expected = format!("at most {}, its size", buffer.bytes());
            return Err(self.error(pointer.at, Kind::OutOfRange { key, value, expected }));
        }
        Ok(Some(index))
    }

    fn load(&self, spec: &BufferSpec) -> Result<Option<Data>, LaunchFileError> {
        let Source::File(path, at) = &spec.source else { return Ok(None) };
        let bytes = spec.elements.and_then(|n| Some(n * u64::from(spec.element?.bytes())));
        data::read(path, spec.element, bytes).map(Some).map_err(|kind| self.error(*at, kind))
    }

    fn buffer(&self, spec: &BufferSpec, name: String) -> Result<RunBuffer, LaunchFileError> {
        let data = self.load(spec)?;
        let element = data.as_ref().map_or(spec.element, |d| Some(d.element)).unwrap_or(ElementType::U8);
        let elements = data.as_ref().map(Data::elements).or(spec.elements).unwrap_or(0);
        if let Some(found) = data.as_ref().map(Data::elements)
            && let Some(expected) = spec.elements.filter(|e| *e != found)
        {
            let (key, value) = ("elements".into(), expected.to_string());
            let kind = Kind::OutOfRange { key, value, expected: format!("{found}, as in the file") };
            return Err(self.error(spec.at, kind));
        }
        let shape = data.as_ref().and_then(|d| d.shape.clone());
        let contents = match (&spec.source, data) {
            (_, Some(data)) => Contents::Bytes(data.bytes),
            (Source::Fill(fill), None) => Contents::Fill(fill.clone()),
            (Source::File(..), None) => Contents::Fill(Fill::None),
        };
        let buffer = RunBuffer {
            name,
            place: Place::Allocated,
            element,
            elements,
            shape,
            contents,
            output: None,
            expected: None,
        };
        self.results(spec, buffer)
    }

    /// The buffer with what is compared and written after the run.
    fn results(&self, spec: &BufferSpec, mut buffer: RunBuffer) -> Result<RunBuffer, LaunchFileError> {
        if let Some(expect) = &spec.expect {
            let data = data::read(&expect.path, Some(buffer.element), Some(buffer.bytes()))
                .map_err(|kind| self.error(expect.at, kind))?;
            buffer.shape = buffer.shape.or(data.shape);
            buffer.expected = Some((expect.path.display().to_string(), data.bytes, expect.tolerance));
        }
        if let Some((path, at)) = &spec.output {
            data::check_writable(path).map_err(|kind| self.error(*at, kind))?;
            if is_npy(path) && npy::head(buffer.element, &[]).is_none() {
                let (path, element) = (path.display().to_string(), buffer.element);
                return Err(self.error(*at, Kind::NotInNumpy { path, element }));
            }
            buffer.output = Some(path.clone());
        }
        Ok(buffer)
    }

    /// A module variable: constants become writes of every launch, globals buffers at their address.
    fn symbol(
        &self,
        spec: &BufferSpec,
        program: Option<&Program>,
        run: &mut LaunchRun,
    ) -> Result<(), LaunchFileError> {
        let name = spec.name.clone().unwrap_or_default();
        // Neither the copy of constant memory nor the handles of references are the host's to write.
        let globals = program.iter().flat_map(|p| &p.globals).filter(|g| g.address != CONSTANT_WINDOW);
        let constants = program.iter().flat_map(|p| &p.constants.variables).filter(|c| !c.reference);
        let global = globals.clone().find(|g| g.name == name).map(|g| (g.address, g.bytes.len() as u64));
        let constant = constants.clone().find(|c| c.name == name).map(|c| u64::from(c.bytes));
        let Some(bytes) = global.map(|(_, bytes)| bytes).or(constant) else {
            let known = globals.map(|g| g.name.as_str());
            let known: Vec<&str> = known.chain(constants.map(|c| c.name.as_str())).collect();
            let help = match known[..] {
                [] => "; it has none".to_owned(),
                _ => heddle_suggest::hint_or_list(&name, known),
            };
            return Err(self.error(spec.at, Kind::UnknownSymbol { name, help }));
        };
        let data = self.load(spec)?;
        let element = data.as_ref().map_or(spec.element, |d| Some(d.element)).unwrap_or(ElementType::U8);
        let size = u64::from(element.bytes());
        let given = data.as_ref().map(Data::elements).or(spec.elements).map_or(bytes, |n| n * size);
        if given > bytes || !bytes.is_multiple_of(size) {
            return Err(self.error(spec.at, Kind::SymbolSize { name, bytes, found: given }));
        }
        let contents = match (&spec.source, data) {
            (_, Some(data)) => Contents::Bytes(data.bytes),
            (Source::Fill(fill), None) => Contents::Fill(fill.clone()),
            (Source::File(..), None) => Contents::Fill(Fill::None),
        };
        let address = global.map_or(0, |(address, _)| address);
        let buffer = RunBuffer {
            name: name.clone(),
            place: Place::Variable(address),
            element,
            elements: bytes / size,
            shape: None,
            contents,
            output: None,
            expected: None,
        };
        if global.is_some() {
            run.buffers.push(self.results(spec, buffer)?);
            return Ok(());
        }
        if let Some(at) = spec.output.as_ref().map(|o| o.1).or(spec.expect.as_ref().map(|e| e.at)) {
            let key = if spec.output.is_some() { "output" } else { "expect" };
            let reason = format!("'{name}' is in .const, which no kernel changes");
            return Err(self.error(at, Kind::Misplaced { key, reason }));
        }
        let stream = run.buffers.len() + run.constants.len();
        if let Some(bytes) = buffer.contents(run.seed, stream as u64) {
            run.constants.push(SymbolWrite { name, offset: 0, bytes: bytes.to_vec() });
        }
        Ok(())
    }
}

impl RunBuffer {
    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.elements.saturating_mul(self.element.bytes().into())
    }

    /// What it holds at the begin, unless it holds nothing.
    pub(super) fn contents(&self, seed: u64, stream: u64) -> Option<Arc<[u8]>> {
        match &self.contents {
            Contents::Bytes(bytes) => Some(Arc::clone(bytes)),
            Contents::Fill(fill) => fill.bytes(self.element, self.elements, seed, stream).map(Arc::from),
        }
    }
}
