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

/// What a file that is compressed by xz begins with.
const XZ: &[u8] = b"\xfd7zXZ\0";
/// What files begin with that are compressed by others, which are refused.
const REFUSED: [(&[u8], &str); 2] = [(b"\x1f\x8b", "gzip"), (b"\x28\xb5\x2f\xfd", "zstd")];

/// What a trace is read from, as often as needed. A name that ends in `.xz`, or a beginning as xz writes it, means compressed
/// bytes.
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
fn text(name: &Path, mut bytes: impl BufRead + Send + 'static) -> Result<Box<dyn Read + Send>, TraceError> {
    // What cannot be read is told where it is read.
    let beginning = bytes.fill_buf().unwrap_or_default();
    let is_xz = beginning.starts_with(XZ) || name.extension().is_some_and(|extension| extension == "xz");
    if is_xz {
        let stream = Stream::new_stream_decoder(XZ_MEMORY, CONCATENATED);
        let stream = stream.map_err(|e| TraceError::file(name, e))?;
        return Ok(Box::new(XzDecoder::new_stream(bytes, stream)));
    }
    if let Some((_, by)) = REFUSED.iter().find(|(magic, _)| beginning.starts_with(magic)) {
        return Err(TraceError::file(name, format!("is compressed by {by}; text and xz are read")));
    }
    Ok(Box::new(bytes))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use liblzma::write::XzEncoder;

    use super::Source;

    fn read(name: &str, bytes: &[u8]) -> Result<String, String> {
        let source = Source::Bytes { name: name.into(), bytes: bytes.into() };
        let mut text = String::new();
        source.open().map_err(|e| e.to_string())?.read_to_string(&mut text).map_err(|e| e.to_string())?;
        Ok(text)
    }

    #[test]
    fn compressed_bytes_are_known_by_name_or_beginning() {
        let mut encoder = XzEncoder::new(Vec::new(), 1);
        encoder.write_all(b"a line\n").expect("in memory");
        let compressed = encoder.finish().expect("in memory");
        for name in ["a.traceg", "a.traceg.xz"] {
            assert_eq!(read(name, &compressed).as_deref(), Ok("a line\n"), "{name}");
        }
        assert_eq!(read("a.traceg", b"a line\n").as_deref(), Ok("a line\n"));
        assert!(read("a.traceg.xz", b"a line\n").is_err());
        assert_eq!(read("a.traceg", b"").as_deref(), Ok(""));
        for (beginning, by) in super::REFUSED {
            let error = read("a.traceg", &[beginning, b" more"].concat()).expect_err("not read");
            assert!(error.starts_with("a.traceg: ") && error.contains(by), "{error}");
        }
    }
}
