//! Where the bytes of a trace come from.

use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};

use crate::error::TraceError;

/// Memory that the decompressor may take; the highest preset of xz needs 65 MiB.
const XZ_MEMORY: u64 = 128 << 20;
/// Bytes read from a file at once.
const BUFFER: usize = 1 << 16;

/// What a trace is read from, as often as needed. A name that ends in `.xz` means compressed bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, streamed.
    File(PathBuf),
    /// Bytes that are in memory.
    Bytes {
        /// What the errors call them.
        name: PathBuf,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Source {
    fn from(path: &P) -> Self {
        Self::File(path.as_ref().to_owned())
    }
}

impl Source {
    /// Its name: the file as the user named it.
    #[must_use]
    pub fn name(&self) -> &Path {
        match self {
            Self::File(name) | Self::Bytes { name, .. } => name,
        }
    }

    /// Opens it at its beginning. The text comes out, decompressed.
    ///
    /// # Errors
    /// [`TraceError::File`].
    pub fn open(&self) -> Result<Box<dyn Read + Send>, TraceError> {
        match self {
            Self::File(path) => {
                let file = heddle_files::open(path, "a trace");
                let file = file.map_err(|e| TraceError::file(path, format!("cannot open: {}", e.fault)))?;
                text(path, BufReader::with_capacity(BUFFER, file))
            }
            Self::Bytes { name, bytes } => text(name, Cursor::new(Arc::clone(bytes))),
        }
    }
}

/// The text behind the bytes of a file with this name.
fn text(name: &Path, bytes: impl BufRead + Send + 'static) -> Result<Box<dyn Read + Send>, TraceError> {
    if name.extension().is_none_or(|extension| extension != "xz") {
        return Ok(Box::new(bytes));
    }
    let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED);
    let stream = stream.map_err(|e| TraceError::file(name, e))?;
    Ok(Box::new(XzDecoder::new_stream(bytes, stream)))
}
