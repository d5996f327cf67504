//! What a launch file says, before it meets a kernel.

use std::path::{Path, PathBuf};

use heddle_isa::texture::Binding;

use super::element::{ElementType, Scalar};
use super::fill::Fill;
use super::table::Position;
use crate::tolerance::Tolerance;

/// One launch, or several of the same kind one after the other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LaunchSpec {
    /// Where its table begins.
    pub(super) at: Position,
    pub(super) entry: Option<(String, Position)>,
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) block_at: Position,
    pub(super) dynamic_shared_bytes: u32,
    /// Place of `dynamic_shared_bytes`, or of the table.
    pub(super) shared_at: Position,
    /// All CTAs are resident at once.
    pub(super) cooperative: bool,
    pub(super) repeat: u32,
    pub(super) args: Vec<Arg>,
}

/// An argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arg {
    pub(super) at: Position,
    pub(super) name: Option<(String, Position)>,
    pub(super) kind: ArgKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ArgKind {
    /// A scalar, or the members of an aggregate, each at its natural alignment as in C.
    Value(Vec<Member>),
    /// The address of a buffer that the argument describes.
    Buffer(Box<BufferSpec>),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Member {
    /// A number, or an array of numbers.
    Numbers(ElementType, Vec<Scalar>),
    /// An address.
    Pointer(Pointer),
    /// The handle of a texture or surface.
    Handle(Handle),
}

/// The handle of a texture or surface, by its name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Handle {
    pub(super) at: Position,
    pub(super) name: String,
    pub(super) surface: bool,
}

/// A texture or surface.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextureSpec {
    pub(super) at: Position,
    pub(super) name: String,
    /// The named buffer with the texels, and the place of its name.
    pub(super) buffer: (String, Position),
    /// The module's texture or surface reference that gets the handle.
    pub(super) reference: Option<(String, Position)>,
    /// Its image counts addresses from the begin of the buffer.
    pub(super) binding: Binding,
}

/// The address of a buffer, or null.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pointer {
    pub(super) at: Position,
    /// Name of the buffer; none for null.
    pub(super) buffer: Option<String>,
    /// Bytes added.
    pub(super) offset: u64,
}

/// A buffer, or what is done with a module variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BufferSpec {
    pub(super) at: Position,
    pub(super) name: Option<String>,
    /// None when the `.npy` file that fills it says the type.
    pub(super) element: Option<ElementType>,
    /// None when the file that fills it, or the module variable, says the size.
    pub(super) elements: Option<u64>,
    pub(super) source: Source,
    pub(super) output: Option<(PathBuf, Position)>,
    pub(super) expect: Option<Expect>,
}

impl BufferSpec {
    /// Size in bytes, as far as the launch file says.
    pub(super) fn bytes(&self) -> u64 {
        self.elements.unwrap_or(0).saturating_mul(self.element.map_or(0, |e| e.bytes().into()))
    }

    /// The files that it reads, with what they are.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let source = match &self.source {
            Source::File(path, _) => Some(("the contents", path.as_path())),
            Source::Fill(_) | Source::Addresses(_) => None,
        };
        let expect = self.expect.as_ref().map(|expect| ("the expected output", expect.path.as_path()));
        source.into_iter().chain(expect)
    }

    /// The files that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let output = self.output.as_ref().map(|(path, _)| path.as_path());
        self.inputs().map(|(_, path)| path).chain(output)
    }
}

/// Where a buffer's contents come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    Fill(Fill),
    File(PathBuf, Position),
    /// Addresses of buffers, one an element.
    Addresses(Vec<Pointer>),
}

/// A file that a buffer is compared with after the run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expect {
    pub(super) path: PathBuf,
    pub(super) at: Position,
    /// None means equal bits.
    pub(super) tolerance: Option<Tolerance>,
}
