//! Buffers and module variables: what they hold at the begin, and what becomes of them.

use std::sync::Arc;

use heddle_isa::memory::CONSTANT_WINDOW;
use heddle_isa::{Program, SymbolWrite};

use super::data::{self, Data};
use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::fill::Fill;
use super::parse::is_npy;
use super::run::{Contents, LaunchRun, Place, RunBuffer};
use super::spec::{BufferSpec, Source};
use super::{ElementType, LaunchFile, npy};

impl LaunchFile {
    /// A fill that gives every element its own number needs a type that has as many.
    fn check_fill(
        &self,
        spec: &BufferSpec,
        element: ElementType,
        elements: u64,
    ) -> Result<(), LaunchFileError> {
        let most = element.counts_to();
        if !matches!(spec.source, Source::Fill(Fill::Permutation { .. })) || elements <= most {
            return Ok(());
        }
        let (key, value) = ("elements".into(), elements.to_string());
        let expected =
            format!("at most {most}: {element} has no more whole numbers for fill = \"permutation\"");
        Err(self.error(spec.at, Kind::OutOfRange { key, value, expected }))
    }

    fn load(&self, spec: &BufferSpec) -> Result<Option<Data>, LaunchFileError> {
        let Source::File(path, at) = &spec.source else { return Ok(None) };
        let bytes = spec.elements.and_then(|n| Some(n * u64::from(spec.element?.bytes())));
        data::read(path, spec.element, bytes).map(Some).map_err(|kind| self.error(*at, kind))
    }

    /// A buffer called `name`, with the data of its file.
    pub(super) fn buffer(&self, spec: &BufferSpec, name: String) -> Result<RunBuffer, LaunchFileError> {
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
        self.check_fill(spec, element, elements)?;
        let shape = data.as_ref().and_then(|d| d.shape.clone());
        let contents = match (&spec.source, data) {
            (_, Some(data)) => Contents::Bytes(data.bytes),
            (Source::Fill(fill), None) => Contents::Fill(fill.clone()),
            (Source::File(..) | Source::Addresses(_), None) => Contents::Fill(Fill::None),
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

    /// A module variable: constants become writes of every launch, globals buffers at their address. What is
    /// given must fill it: a variable that is written in part is mostly a list with values left out.
    pub(super) fn symbol(
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
        if given != bytes || !bytes.is_multiple_of(size) {
            return Err(self.error(spec.at, Kind::SymbolSize { name, bytes, found: given }));
        }
        self.check_fill(spec, element, bytes / size)?;
        let contents = match (&spec.source, data) {
            (_, Some(data)) => Contents::Bytes(data.bytes),
            (Source::Fill(fill), None) => Contents::Fill(fill.clone()),
            (Source::File(..), None) => Contents::Fill(Fill::None),
            (Source::Addresses(list), None) => {
                Contents::Addresses(self.targets(list, &run.buffers, run.buffers.len())?)
            }
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
        if let Contents::Addresses(targets) = buffer.contents {
            run.tables.push((name, targets));
            return Ok(());
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

    /// What it holds at the begin, unless it holds nothing, or addresses.
    pub(super) fn contents(&self, seed: u64, stream: u64) -> Option<Arc<[u8]>> {
        match &self.contents {
            Contents::Bytes(bytes) => Some(Arc::clone(bytes)),
            Contents::Fill(fill) => fill.bytes(self.element, self.elements, seed, stream).map(Arc::from),
            Contents::Addresses(_) => None,
        }
    }
}
