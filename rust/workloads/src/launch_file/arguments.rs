//! The arguments of a launch become the parameter block of its kernel.

use heddle_isa::{Program, Type};

use super::LaunchFile;
use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::run::{Contents, RunBuffer, RunLaunch, Target};
use super::spec::{Arg, ArgKind, BufferSpec, LaunchSpec, Member, Pointer, Source};

/// Bytes of an address in a parameter block.
const POINTER_BYTES: u32 = 8;

/// Whether an argument can be given for a parameter of type `ty` of the same size.
fn fits(arg: &Arg, ty: Type) -> bool {
    let ArgKind::Value(members) = &arg.kind else { return !ty.is_float() };
    match &members[..] {
        [Member::Numbers(element, _)] => element.fits(ty),
        [Member::Pointer(_) | Member::Handle(_)] => !ty.is_float(),
        // Fields say themselves what is where.
        _ => true,
    }
}

impl LaunchFile {
    /// A launch of `program`, checked against its parameters; buffers of its arguments are added.
    pub(super) fn launch(
        &self,
        launch: &LaunchSpec,
        program: &Program,
        buffers: &mut Vec<RunBuffer>,
    ) -> Result<RunLaunch, LaunchFileError> {
        if let Some(expected) = program.declared.expected_block(launch.block) {
            let value = format!("{:?}", launch.block);
            return Err(
                self.error(launch.block_at, Kind::OutOfRange { key: "block".into(), value, expected })
            );
        }
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
            cooperative: launch.cooperative,
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
        let own = launch.args.iter().filter_map(|arg| match &arg.kind {
            ArgKind::Buffer(spec) => Some(spec.as_ref()),
            ArgKind::Value(_) => None,
        });
        self.resolve_addresses(own, buffers, first, first)?;
        let mut next = first;
        for (arg, param) in launch.args.iter().zip(&program.params) {
            let (what, bytes) = self.argument(arg, buffers, first, &mut next, param.offset, &mut run)?;
            let found = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            if found != param.bytes {
                let kind = Kind::ArgSize { param: param.name.clone(), expected: param.bytes, what, found };
                return Err(self.error(arg.at, kind));
            }
            if let Some(ty) = param.ty.filter(|&ty| !fits(arg, ty)) {
                let expected = if ty.is_float() { "a float of its type" } else { "an integer" };
                let kind = Kind::ArgType { param: param.name.clone(), ty: ty.name(), what, expected };
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

    /// Gives the buffers from number `at` on, which `specs` describe, the addresses that they hold. They may
    /// name the buffers from number `first` on, and those of `[[buffers]]`.
    pub(super) fn resolve_addresses<'a>(
        &self,
        specs: impl Iterator<Item = &'a BufferSpec>,
        buffers: &mut [RunBuffer],
        at: usize,
        first: usize,
    ) -> Result<(), LaunchFileError> {
        for (index, spec) in (at..).zip(specs) {
            if let Source::Addresses(list) = &spec.source {
                buffers[index].contents = Contents::Addresses(self.targets(list, buffers, first)?);
            }
        }
        Ok(())
    }

    /// What a list of addresses means.
    pub(super) fn targets(
        &self,
        list: &[Pointer],
        buffers: &[RunBuffer],
        first: usize,
    ) -> Result<Vec<Target>, LaunchFileError> {
        let target = |p: &Pointer| Ok(Target { buffer: self.target(p, buffers, first)?, offset: p.offset });
        list.iter().map(target).collect()
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
}
