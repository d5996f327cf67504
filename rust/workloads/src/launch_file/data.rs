//! Data files: raw bytes, or arrays of NumPy.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use heddle_files::{Input, ReadError};

use super::MAX_BUFFER_BYTES;
use super::element::ElementType;
use super::error::LaunchFileErrorKind as Kind;
use super::npy;
use super::parse::is_npy;

/// Bytes that a `.npy` file may have in front of its elements.
const MOST_HEADER_BYTES: u64 = 16_384;

/// What a data file should be.
const EXPECTED: &str = "the contents of a buffer";

/// Contents of a data file.
#[derive(Debug, Clone)]
pub(super) struct Data {
    pub(super) element: ElementType,
    /// Elements in each dimension, when the file says.
    pub(super) shape: Option<Vec<u64>>,
    pub(super) bytes: Arc<[u8]>,
}

impl Data {
    pub(super) fn elements(&self) -> u64 {
        self.bytes.len() as u64 / u64::from(self.element.bytes())
    }
}

/// Reads a file whose elements must be `element`, and whose bytes must be `bytes`, where those are known.
pub(super) fn read(path: &Path, element: Option<ElementType>, bytes: Option<u64>) -> Result<Data, Kind> {
    let name = || path.display().to_string();
    let unreadable = |reason: String| Kind::Unreadable { path: name(), reason };
    let refused = |e: ReadError| unreadable(e.fault.to_string());
    let size = |expected, found| Kind::FileSize { path: name(), expected, found };
    let is_npy = is_npy(path);
    let limit = MAX_BUFFER_BYTES + if is_npy { MOST_HEADER_BYTES } else { 0 };
    if let (false, Some(bytes)) = (is_npy, bytes) {
        let file = heddle_files::open(path, EXPECTED).map_err(refused)?;
        let found = file.metadata().map_err(|e| unreadable(e.to_string()))?.len();
        if found != bytes {
            return Err(size(bytes, found));
        }
    }
    let file = Input { expected: EXPECTED, most: limit }.bytes(path).map_err(refused)?;
    let data = if is_npy {
        let array = npy::read(&file).map_err(|source| Kind::Npy { path: name(), source })?;
        if let Some(expected) = element.filter(|e| *e != array.element) {
            return Err(Kind::DataType { path: name(), expected, found: array.element });
        }
        Data { element: array.element, shape: Some(array.shape), bytes: array.bytes.into() }
    } else {
        // Parsing asks for the type of raw files.
        let element = element.unwrap_or(ElementType::U8);
        Data { element, shape: None, bytes: file.into() }
    };
    let found = data.bytes.len() as u64;
    let expected = bytes.unwrap_or(found);
    if found == 0 {
        Err(unreadable("it holds no element".into()))
    } else if found != expected || found != data.elements() * u64::from(data.element.bytes()) {
        Err(size(expected.next_multiple_of(data.element.bytes().into()), found))
    } else {
        Ok(data)
    }
}

/// Whether a file can be written, as far as that is seen without writing it.
pub(super) fn check_writable(path: &Path) -> Result<(), Kind> {
    let unreadable =
        |reason: &str| Err(Kind::Unreadable { path: path.display().to_string(), reason: reason.to_owned() });
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (fs::metadata(folder), fs::metadata(path)) {
        (Err(e), _) => unreadable(&format!("its folder '{}': {e}", folder.display())),
        (Ok(f), _) if !f.is_dir() => unreadable(&format!("'{}' is not a folder", folder.display())),
        (_, Ok(file)) if file.is_dir() => unreadable("it is a folder"),
        (Ok(f), Err(_)) if f.permissions().readonly() => unreadable("its folder is read-only"),
        (_, Ok(file)) if file.permissions().readonly() => unreadable("it is read-only"),
        _ => Ok(()),
    }
}
