//! Launch files: how a user's own PTX is run.
//!
//! A launch file is TOML. It names the entry, the grid and the block, and has one `[[args]]` table for
//! each parameter of the kernel, in order:
//!
//! ```toml
//! entry = "saxpy"                  # may be left out when the PTX has one entry
//! grid = [4]                       # CTAs in x, y, z; what is left out is 1
//! block = [256]                    # threads of a CTA in x, y, z
//! dynamic_shared_bytes = 0         # may be left out
//!
//! [[args]]                         # a scalar
//! name = "saxpy_param_0"           # may be left out; checked when given
//! type = "u32"                     # u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64
//! value = 1000
//!
//! [[args]]                         # a buffer: the kernel gets its address
//! type = "f32"
//! elements = 1000                  # or: bytes = 4000
//! fill = "random"                  # see below
//! low = -1.0                       # random: low <= value < high
//! high = 1.0
//! seed = 7                         # random: the seed of the run when left out
//!
//! [[args]]
//! type = "f32"
//! elements = 1000
//! fill = "file"
//! file = "y.bin"                   # raw, little endian; or y.npy; relative to the launch file
//! output = "y-after.bin"           # written after the run
//! expect = "y-expected.bin"        # compared after the run
//! tolerance = 1e-6                 # largest absolute difference; 0, the default, means equal bits
//!
//! [[args]]                         # a buffer with its contents
//! type = "u32"
//! values = [1, 2, 3]
//!
//! [[args]]                         # an aggregate parameter: 16 bytes
//! type = "f32"
//! value = [0.0, 1.0, 2.0, 3.0]
//! ```
//!
//! Fills: `none` (the default), `zero`, `constant` (`value`), `iota` (`start`, `step`, `modulo`), `linspace`
//! (`low`, `high`), `random` (`low`, `high`, `seed`), `permutation` (`seed`), `file`.
//!
//! A kernel that reads what a buffer with fill `none` does not hold yet is in error. `.npy` files (see
//! [`npy`]) bring their type and size. `[[buffers]]` are buffers by name, for arguments with
//! `type = "ptr"`; `[[textures]]` are textures and surfaces on them, for arguments with `type = "texture"`
//! or `"surface"` and for references of the module; `[[symbols]]` set, write and compare module variables; `[[launch]]` tables in place of
//! `grid`, `block` and `args` make several launches. Unknown keys are rejected, sizes are limited (see
//! [`MAX_BUFFER_BYTES`]), and every error names file, line and column.
//!
//! The way of a file: [`LaunchFile::parse`] reads the text and touches no other file,
//! [`LaunchFile::instance`] checks it against the kernels and reads the data, [`LaunchRun`] is the host code.

mod arguments;
mod contents;
mod data;
mod element;
mod error;
mod fill;
pub mod npy;
mod parse;
mod resolve;
mod run;
mod spec;
mod table;
mod template;
mod texture;

use std::path::{Path, PathBuf};

pub use element::ElementType;
pub use error::{LaunchFileError, LaunchFileErrorKind};
pub use run::LaunchRun;
pub use table::Position;
pub use template::launch_template;

use heddle_files::{Input, same_file};

use spec::{ArgKind, BufferSpec, LaunchSpec, TextureSpec};

/// Largest buffer in bytes.
pub const MAX_BUFFER_BYTES: u64 = 1 << 30;
/// Largest sum of all buffers in bytes.
pub const MAX_TOTAL_BYTES: u64 = 2 << 30;
/// Largest dynamic shared memory in bytes; a preset may allow less.
pub const MAX_DYNAMIC_SHARED_BYTES: u64 = 256 << 10;
/// Numbers that an array in a launch file may have.
pub const MAX_VALUES: usize = 65_536;
/// Fields that an aggregate may have.
pub const MAX_MEMBERS: usize = 1024;
/// Tables of one kind: arguments of a launch, launches, named buffers, module variables.
pub const MAX_TABLES: usize = 1024;
/// PTX modules that it may link.
pub const MAX_LINKS: usize = 64;
/// Times that a launch, or all launches, may be repeated.
pub const MAX_REPEAT: u64 = 1_000_000;
/// Largest launch file in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;
/// CTAs that a grid may have in x, y and z.
pub const MAX_GRID: [u64; 3] = [0x7fff_ffff, 65_535, 65_535];

/// A launch file that was read and is right in itself; [`LaunchFile::instance`] checks it against kernels.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchFile {
    /// Its name, for messages.
    name: String,
    launches: Vec<LaunchSpec>,
    /// Further PTX modules, each with its place.
    links: Vec<(PathBuf, Position)>,
    /// Buffers by name.
    buffers: Vec<BufferSpec>,
    /// Textures and surfaces by name.
    textures: Vec<TextureSpec>,
    /// Module variables.
    symbols: Vec<BufferSpec>,
    /// How often all launches are done.
    repeat: u32,
}

impl LaunchFile {
    /// Reads a launch file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// When it cannot be read or is wrong.
    pub fn read(path: &Path) -> Result<Self, LaunchFileError> {
        let name = path.display().to_string();
        let text = Input { expected: "a launch file", most: MAX_FILE_BYTES }.text(path).map_err(|e| {
            let (path, reason) = (name.clone(), e.fault.to_string());
            LaunchFileError::whole(&name, LaunchFileErrorKind::Unreadable { path, reason })
        })?;
        Self::parse(&name, &text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the text of a launch file `name`; paths in it are relative to `folder`. No file is touched.
    ///
    /// # Errors
    /// When the text is wrong.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, LaunchFileError> {
        parse::parse(name, text, folder)
    }

    /// Names and texts of the PTX modules that the kernel's is linked with, in the order of the file, each read as
    /// `input`.
    ///
    /// # Errors
    /// The first that cannot be read, at its place in `link`.
    pub fn linked(&self, input: Input) -> Result<Vec<(String, String)>, LaunchFileError> {
        let text = |(path, at): &(PathBuf, Position)| {
            let name = path.to_string_lossy().into_owned();
            match input.text(path) {
                Ok(text) => Ok((name, text)),
                Err(e) => {
                    let reason = e.fault.to_string();
                    Err(self.error(*at, LaunchFileErrorKind::Unreadable { path: name, reason }))
                }
            }
        };
        self.links.iter().map(text).collect()
    }

    fn links(&self) -> impl Iterator<Item = &Path> {
        self.links.iter().map(|(path, _)| path.as_path())
    }

    fn buffers(&self) -> impl Iterator<Item = &BufferSpec> {
        let args = self.launches.iter().flat_map(|launch| &launch.args);
        let own = args.filter_map(|arg| match &arg.kind {
            ArgKind::Buffer(spec) => Some(spec.as_ref()),
            ArgKind::Value(_) => None,
        });
        self.buffers.iter().chain(&self.symbols).chain(own)
    }

    /// Whether each output is a file of its own: neither one that the launch file reads or expects, nor another
    /// output, nor one of `others`, which come with what they are.
    ///
    /// # Errors
    /// The first output that would be written over another file.
    pub fn check_outputs(&self, others: &[(&'static str, &Path)]) -> Result<(), LaunchFileError> {
        let mut taken = others.to_vec();
        taken.extend(self.links().map(|path| ("a module of link", path)));
        taken.extend(self.buffers().flat_map(BufferSpec::inputs));
        for (output, at) in self.buffers().filter_map(|spec| spec.output.as_ref()) {
            if let Some((what, other)) = taken.iter().find(|(_, other)| same_file(output, other)) {
                let (path, what, other) = (output.display().to_string(), *what, other.display().to_string());
                return Err(self.error(*at, LaunchFileErrorKind::Overwrites { path, what, other }));
            }
            taken.push(("the output", output));
        }
        Ok(())
    }

    /// Every file that it names: PTX modules, those that fill buffers, those that are expected, those that are written.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.links().chain(self.buffers().flat_map(BufferSpec::files))
    }
}
