//! Files that a person names: opened and read by one rule for all of Heddle.
//!
//! Only regular files are opened: a pipe could block for ever, a device could give bytes without end. A file that
//! is read whole has a limit, and no more than that is ever in memory. [`Input`] says what was expected and how
//! large it may be; each error names both.
//!
//! Files are written whole or not at all ([`publish()`], [`Streamed`]), never over one that the same run reads ([`same_file`]), and
//! runs that write to one folder at once keep apart ([`Claim`]).

mod claim;
mod identity;
mod place;
mod publish;
mod streamed;

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

pub use claim::Claim;
pub use identity::same_file;
pub use place::line_and_column;
pub use publish::{publish, publish_new, temporary};
pub use streamed::Streamed;
/// A file that is removed when it is dropped, unless it gets a name.
pub use tempfile::NamedTempFile as Temporary;

/// What a text may begin with to say that it is UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file that cannot be taken.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {fault}", path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The system does not open or read it.
    #[error("{0}")]
    System(io::Error),
    /// A folder, a pipe, a socket or a device.
    #[error("it is not a regular file; expected {expected}")]
    NotRegular {
        /// What it should be.
        expected: &'static str,
    },
    /// More bytes than are read.
    #[error("it has more than {most} bytes; expected {expected}, with at most as many")]
    TooLarge {
        /// Bytes at most.
        most: u64,
        /// What it should be.
        expected: &'static str,
    },
    /// Text was wanted.
    #[error("byte {at} is no UTF-8; expected {expected}")]
    NotText {
        /// The first byte that is not, from 0.
        at: usize,
        /// What it should be.
        expected: &'static str,
    },
}

/// Opens a regular file, whatever its size.
///
/// # Errors
/// [`Fault::System`], [`Fault::NotRegular`].
pub fn open(path: &Path, expected: &'static str) -> Result<File, ReadError> {
    let fail = |fault| ReadError { path: path.to_owned(), fault };
    // Asked before it is opened: opening a pipe waits for who writes it.
    let metadata = std::fs::metadata(path).map_err(|e| fail(Fault::System(e)))?;
    if !metadata.is_file() {
        return Err(fail(Fault::NotRegular { expected }));
    }
    File::open(path).map_err(|e| fail(Fault::System(e)))
}

/// A kind of file that is read whole.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// What it should be, with an article: "a launch file".
    pub expected: &'static str,
    /// Bytes at most.
    pub most: u64,
}

impl Input {
    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// [`Fault::System`], [`Fault::NotRegular`], [`Fault::TooLarge`].
    pub fn bytes(self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let Self { expected, most } = self;
        let fail = |fault| ReadError { path: path.to_owned(), fault };
        let file = open(path, expected)?;
        let system = |e| fail(Fault::System(e));
        let too_large = || fail(Fault::TooLarge { most, expected });
        if file.metadata().map_err(system)?.len() > most {
            return Err(too_large());
        }
        // One byte more than is allowed shows that the file grew, or that its length was not told.
        let mut bytes = Vec::new();
        file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
    }

    /// Reads the text of a file, without the byte-order mark that some editors begin one with.
    ///
    /// # Errors
    /// As [`Input::bytes`], and [`Fault::NotText`].
    pub fn text(self, path: &Path) -> Result<String, ReadError> {
        let mut text = String::from_utf8(self.bytes(path)?).map_err(|e| {
            let at = e.utf8_error().valid_up_to();
            ReadError { path: path.to_owned(), fault: Fault::NotText { at, expected: self.expected } }
        })?;
        if text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len_utf8());
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Input = Input { expected: "a small text", most: 4 };

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("text");
        let missing = SMALL.text(&path).expect_err("not there").to_string();
        assert!(missing.starts_with(&format!("cannot read {}: ", path.display())), "{missing}");
        std::fs::write(&path, "four").expect("written");
        assert_eq!(SMALL.text(&path).expect("as long as allowed"), "four");
        std::fs::write(&path, "five!").expect("written");
        let long = SMALL.bytes(&path).expect_err("too long").to_string();
        assert!(
            long.ends_with("it has more than 4 bytes; expected a small text, with at most as many"),
            "{long}"
        );
        std::fs::write(&path, b"ab\xff").expect("written");
        let bytes = SMALL.text(&path).expect_err("no text").to_string();
        assert!(bytes.ends_with("byte 2 is no UTF-8; expected a small text"), "{bytes}");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_text() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("text");
        std::fs::write(&path, "\u{feff}a").expect("written");
        assert_eq!(SMALL.text(&path).expect("text"), "a");
        // Only one, and only at the begin.
        std::fs::write(&path, "a\u{feff}").expect("written");
        assert_eq!(SMALL.text(&path).expect("text"), "a\u{feff}");
    }

    /// The length of a file under `/proc` is told as 0.
    #[test]
    fn a_length_that_is_not_told_does_not_lift_the_limit() {
        let error = SMALL.bytes(Path::new("/proc/self/status")).expect_err("longer than 4 bytes");
        assert!(matches!(error.fault, Fault::TooLarge { most: 4, .. }), "{error}");
    }

    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
        for path in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
            let error = SMALL.bytes(path).expect_err("no regular file");
            assert!(matches!(error.fault, Fault::NotRegular { .. }), "{error}");
            assert!(
                error.to_string().ends_with("it is not a regular file; expected a small text"),
                "{error}"
            );
        }
    }
}
