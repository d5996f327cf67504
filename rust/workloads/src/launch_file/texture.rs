//! Textures and surfaces of a run: their buffers, handles and references.

use heddle_isa::texture::{Binding, TextureTable};
use heddle_isa::{Program, SymbolWrite};

use super::LaunchFile;
use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::run::RunBuffer;
use super::spec::{Handle, TextureSpec};
use crate::WorkloadError;

/// A texture or surface with the buffer that holds its texels.
#[derive(Debug, Clone)]
pub(super) struct RunTexture {
    buffer: usize,
    binding: Binding,
    /// The module's reference that gets the handle.
    reference: Option<String>,
}

/// The table of a launch, handles by texture, and the writes that give references their handles.
pub(super) type Bound = (TextureTable, Vec<u64>, Vec<SymbolWrite>);

impl LaunchFile {
    /// The textures and surfaces on the named buffers, which are the first of `buffers`.
    pub(super) fn run_textures(
        &self,
        buffers: &[RunBuffer],
        program: Option<&Program>,
    ) -> Result<Vec<RunTexture>, LaunchFileError> {
        self.textures.iter().map(|spec| self.run_texture(spec, buffers, program)).collect()
    }

    fn run_texture(
        &self,
        spec: &TextureSpec,
        buffers: &[RunBuffer],
        program: Option<&Program>,
    ) -> Result<RunTexture, LaunchFileError> {
        let (name, at) = &spec.buffer;
        let error = |at, kind| LaunchFileError::at(&self.name, at, kind);
        let named = &buffers[..self.buffers.len().min(buffers.len())];
        let Some(index) = named.iter().position(|b| b.name == *name) else {
            let help = heddle_suggest::hint_or_list(name, named.iter().map(|b| b.name.as_str()));
            return Err(error(*at, Kind::UnknownBuffer { name: name.clone(), help }));
        };
        let image = spec.binding.image();
        let end = u64::from(image.base) + image.bytes();
        if end > named[index].bytes() {
            let value = format!("an image that ends at byte {end}");
            let expected = format!("at most the {} bytes of '{name}'", named[index].bytes());
            return Err(error(spec.at, Kind::OutOfRange { key: "extent".into(), value, expected }));
        }
        if let Some((reference, at)) = &spec.reference {
            let constants = program.map_or(&[][..], |p| &p.constants.variables);
            let references = || constants.iter().filter(|c| c.reference).map(|c| c.name.as_str());
            if !references().any(|name| name == reference) {
                let known: Vec<&str> = references().collect();
                let help = match known[..] {
                    [] => "; it has none".to_owned(),
                    _ => heddle_suggest::hint_or_list(reference, known),
                };
                return Err(error(*at, Kind::UnknownReference { name: reference.clone(), help }));
            }
        }
        let reference = spec.reference.as_ref().map(|(name, _)| name.clone());
        Ok(RunTexture { buffer: index, binding: spec.binding, reference })
    }

    /// The number of the texture or surface that an argument names.
    pub(super) fn texture(&self, handle: &Handle) -> Result<usize, LaunchFileError> {
        let fits = |t: &TextureSpec| matches!(t.binding, Binding::Surface(_)) == handle.surface;
        let found = self.textures.iter().position(|t| t.name == handle.name && fits(t));
        found.ok_or_else(|| {
            let kind = if handle.surface { "surface" } else { "texture" };
            let names: Vec<&str> =
                self.textures.iter().filter(|t| fits(t)).map(|t| t.name.as_str()).collect();
            let help = match names[..] {
                [] => "; there is none".to_owned(),
                _ => heddle_suggest::hint_or_list(&handle.name, names),
            };
            let name = handle.name.clone();
            LaunchFileError::at(&self.name, handle.at, Kind::UnknownTexture { kind, name, help })
        })
    }
}

/// Binds the textures and surfaces of a run, now that the buffers have addresses.
pub(super) fn bind(
    file: &str,
    textures: &[RunTexture],
    buffers: &[RunBuffer],
    addresses: &[u32],
) -> Result<Bound, WorkloadError> {
    let (mut table, mut handles, mut writes) = Bound::default();
    for texture in textures {
        let address = addresses.get(texture.buffer).copied().unwrap_or(0);
        let handle = table.bind(texture.binding.moved(address)).map_err(|source| {
            let buffer = buffers.get(texture.buffer).map_or(String::new(), |b| b.name.clone());
            WorkloadError::Texture { workload: file.to_owned(), buffer, source }
        })?;
        handles.push(handle);
        if let Some(name) = &texture.reference {
            let bytes = handle.to_le_bytes().to_vec();
            writes.push(SymbolWrite { name: name.clone(), offset: 0, bytes });
        }
    }
    Ok((table, handles, writes))
}
