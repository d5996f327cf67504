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
//! type = "u32"                     # u8 i8 u16 i16 u32 i32 u64 i64 f32 f64
//! value = 1000
//!
//! [[args]]                         # a buffer: the kernel gets its address
//! type = "f32"
//! elements = 1000                  # or: bytes = 4000
//! fill = "random"                  # none (the default), zero, iota, random, file
//! low = -1.0                       # random: low <= value < high
//! high = 1.0
//! seed = 7                         # random: the seed of the run when left out
//!
//! [[args]]
//! type = "f32"
//! elements = 1000
//! fill = "file"
//! file = "y.bin"                   # raw, little endian, exactly the buffer; relative to the launch file
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
//! A kernel that reads what a buffer with fill `none` does not hold yet is in error. Unknown keys are
//! rejected, sizes are limited (see [`MAX_BUFFER_BYTES`]), and every error names file, line and column.

mod element;
mod error;
mod parse;
mod run;
mod table;
mod template;

use std::fs;
use std::path::{Path, PathBuf};

pub use element::ElementType;
pub use error::{LaunchFileError, LaunchFileErrorKind};
pub use run::LaunchRun;
pub use table::Position;
pub use template::launch_template;

use element::Scalar;

/// Largest buffer in bytes.
pub const MAX_BUFFER_BYTES: u64 = 1 << 30;
/// Largest sum of all buffers in bytes.
pub const MAX_TOTAL_BYTES: u64 = 2 << 30;
/// Largest dynamic shared memory in bytes; a preset may allow less.
pub const MAX_DYNAMIC_SHARED_BYTES: u64 = 256 << 10;
/// Numbers that an array in a launch file may have.
pub const MAX_VALUES: usize = 65_536;
/// Largest launch file in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 20;
/// Threads that a CTA may have.
pub const MAX_THREADS: u64 = 1024;
/// CTAs that a grid may have in x, y and z.
pub const MAX_GRID: [u64; 3] = [0x7fff_ffff, 65_535, 65_535];
/// Threads that a CTA may have in x, y and z.
pub const MAX_BLOCK: [u64; 3] = [1024, 1024, 64];

/// A launch file that was read and is right in itself; [`LaunchFile::instance`] checks it against a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct LaunchFile {
    /// Its name, for messages.
    pub name: String,
    /// The entry to run, when the file names one.
    pub entry: Option<String>,
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared_bytes: u32,
    /// Arguments in order.
    args: Vec<Arg>,
    /// Where paths in the file begin.
    folder: PathBuf,
    /// Position of the key `entry`, or of the begin of the file.
    entry_at: Position,
}

#[derive(Debug, Clone, PartialEq)]
struct Arg {
    at: Position,
    name: Option<(String, Position)>,
    kind: ArgKind,
}

#[derive(Debug, Clone, PartialEq)]
enum ArgKind {
    /// One number, or those of an aggregate.
    Scalar(ElementType, Vec<Scalar>),
    Buffer(BufferArg),
}

#[derive(Debug, Clone, PartialEq)]
struct BufferArg {
    element: ElementType,
    elements: u64,
    fill: Fill,
    output: Option<PathBuf>,
    expect: Option<(PathBuf, Position)>,
    tolerance: f64,
}

impl BufferArg {
    fn bytes(&self) -> u64 {
        self.elements * u64::from(self.element.bytes())
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Fill {
    None,
    Zero,
    Iota,
    Random { seed: Option<u64>, range: Option<(Scalar, Scalar)> },
    File(PathBuf, Position),
    Values(Vec<Scalar>),
}

impl LaunchFile {
    /// Reads a launch file; paths in it are relative to its folder.
    ///
    /// # Errors
    /// When it cannot be read or is wrong.
    pub fn read(path: &Path) -> Result<Self, LaunchFileError> {
        let name = path.display().to_string();
        let unreadable = |reason: String| {
            LaunchFileError::whole(&name, LaunchFileErrorKind::Unreadable { path: name.clone(), reason })
        };
        let bytes = fs::metadata(path).map_err(|e| unreadable(e.to_string()))?.len();
        if bytes > MAX_FILE_BYTES {
            return Err(unreadable(format!("{bytes} bytes, a launch file has at most {MAX_FILE_BYTES}")));
        }
        let text = fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))?;
        Self::parse(&name, &text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the text of a launch file `name`; paths in it are relative to `folder`.
    ///
    /// # Errors
    /// When the text is wrong.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, LaunchFileError> {
        parse::parse(name, text, folder)
    }
}
