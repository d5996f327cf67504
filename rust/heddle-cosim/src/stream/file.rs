//! The file of a stream.
//!
//! It is a line of JSON, the header, and then a record for each launch. A record begins with a byte that tells its kind,
//! 1 for a launch and 2 for the end, and ends with a seal: the SHA-256 of the seal before it, of the first line for the
//! first record, and of all of the record before compression. So nothing can be changed, left out or taken from
//! elsewhere unseen. Numbers are little-endian. A launch has the digest of what the CTAs of the SM left in memory; 1
//! where the others took turns, else 0; how many of them were resident at once, in 32 bits; bytes of the contents that
//! the others left, and of what they are compressed to with Snappy, in 64 bits each; the seal; the compressed contents.
//! The end has the number of elements that were compared with the reference, in 64 bits, and the seal.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use heddle_files::Streamed;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error::StreamError;

/// Goes up with every change of what this module says of the file.
const FORMAT: u32 = 1;
/// Most bytes of the first line.
const MOST_HEADER: u64 = 1 << 10;
/// Snappy makes nothing smaller than by this.
const MOST_RATIO: u64 = 64;
/// Most bytes of the contents that one launch leaves; Snappy counts them in 32 bits.
const MOST_CONTENTS: u64 = 1 << 31;

const LAUNCH: u8 = 1;
const END: u8 = 2;

/// A SHA-256.
pub type Digest = [u8; 32];

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u32,
    key: String,
}

/// What the stream has of a launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchRecord {
    /// Of what the CTAs of the SM left in memory.
    pub left: Digest,
    /// The others took turns, so that their order depends on how many are resident at once.
    pub turns: bool,
    /// As many of them were.
    pub residency: u32,
    /// What they left in memory, as [`super::written::Written::contents`] gives it.
    pub contents: Vec<u8>,
}

impl LaunchRecord {
    fn seal(&self, before: &Digest) -> Digest {
        let mut hash = Sha256::new();
        hash.update(before);
        hash.update([LAUNCH, u8::from(self.turns)]);
        hash.update(self.left);
        hash.update(self.residency.to_le_bytes());
        hash.update(&self.contents);
        hash.finalize().into()
    }
}

fn seal_of_end(words: u64, before: &Digest) -> Digest {
    let mut hash = Sha256::new();
    hash.update(before);
    hash.update([END]);
    hash.update(words.to_le_bytes());
    hash.finalize().into()
}

/// A stream that is being written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: Streamed,
    seal: Digest,
}

impl Writer {
    /// Begins the file, which is there once it is whole.
    ///
    /// # Errors
    /// [`StreamError::Write`].
    pub fn new(path: &Path, key: &str) -> Result<Self, StreamError> {
        let begin = || {
            let mut line = serde_json::to_vec(&Header { format: FORMAT, key: key.to_owned() })?;
            line.push(b'\n');
            let mut file = Streamed::new(path)?;
            file.write_all(&line)?;
            Ok((file, Sha256::digest(&line).into()))
        };
        let (file, seal) = begin().map_err(|source| StreamError::Write { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file, seal })
    }

    /// Adds a launch.
    ///
    /// # Errors
    /// [`StreamError::Write`].
    pub fn launch(&mut self, record: &LaunchRecord) -> Result<(), StreamError> {
        self.seal = record.seal(&self.seal);
        let written = self.write_launch(record);
        written.map_err(|source| StreamError::Write { path: self.path.clone(), source })
    }

    fn write_launch(&mut self, record: &LaunchRecord) -> io::Result<()> {
        let bytes = record.contents.len() as u64;
        if bytes > MOST_CONTENTS {
            let what = format!("a launch leaves {bytes} bytes; at most {MOST_CONTENTS} are kept");
            return Err(io::Error::other(what));
        }
        let compressed = snap::raw::Encoder::new().compress_vec(&record.contents)?;
        let file = &mut self.file;
        file.write_all(&[LAUNCH])?;
        file.write_all(&record.left)?;
        file.write_all(&[u8::from(record.turns)])?;
        file.write_all(&record.residency.to_le_bytes())?;
        file.write_all(&bytes.to_le_bytes())?;
        file.write_all(&(compressed.len() as u64).to_le_bytes())?;
        file.write_all(&self.seal)?;
        file.write_all(&compressed)
    }

    /// Ends and publishes the file; `words` elements were compared with the reference.
    ///
    /// # Errors
    /// [`StreamError::Write`].
    pub fn end(mut self, words: u64) -> Result<(), StreamError> {
        let seal = seal_of_end(words, &self.seal);
        let mut end = || {
            self.file.write_all(&[END])?;
            self.file.write_all(&words.to_le_bytes())?;
            self.file.write_all(&seal)
        };
        let ended = end().and_then(|()| self.file.publish());
        ended.map_err(|source| StreamError::Write { path: self.path, source })
    }
}

/// A stream that is read launch by launch.
#[derive(Debug)]
pub struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    /// Bytes of the file: nothing in it is longer.
    bytes: u64,
    seal: Digest,
    launches: u64,
}

impl Reader {
    /// Opens the stream `key`.
    ///
    /// # Errors
    /// [`StreamError::Open`], [`StreamError::Read`], [`StreamError::Foreign`].
    pub fn open(path: &Path, key: &str) -> Result<Self, StreamError> {
        let file = heddle_files::open(path, "a functional stream")?;
        let read = |source| StreamError::Read { path: path.to_owned(), launch: 0, source };
        let bytes = file.metadata().map_err(read)?.len();
        let mut file = BufReader::new(file);
        let mut line = Vec::new();
        file.by_ref().take(MOST_HEADER).read_until(b'\n', &mut line).map_err(read)?;
        let foreign =
            |what: String| StreamError::Foreign { path: path.to_owned(), key: key.to_owned(), what };
        let header: Header =
            serde_json::from_slice(&line).map_err(|e| foreign(format!("its first line: {e}")))?;
        if header.format != FORMAT {
            return Err(foreign(format!("it is of format {}, this program reads {FORMAT}", header.format)));
        }
        if header.key != key {
            return Err(foreign(format!("it is that of {}", header.key)));
        }
        Ok(Self { path: path.to_owned(), file, bytes, seal: Sha256::digest(&line).into(), launches: 0 })
    }

    /// The next launch.
    ///
    /// # Errors
    /// [`StreamError::Read`], [`StreamError::Damaged`], among others where no launch follows.
    pub fn launch(&mut self) -> Result<LaunchRecord, StreamError> {
        self.expect(LAUNCH, "another launch")?;
        let left = self.take()?;
        let turns = match self.take()? {
            [0] => false,
            [1] => true,
            [other] => return Err(self.damaged(format!("{other} says of turns, expected 0 or 1"))),
        };
        let residency = u32::from_le_bytes(self.take()?);
        let (bytes, compressed) = (u64::from_le_bytes(self.take()?), u64::from_le_bytes(self.take()?));
        let seal: Digest = self.take()?;
        if compressed > self.bytes || bytes > compressed.saturating_mul(MOST_RATIO).min(MOST_CONTENTS) {
            return Err(self.damaged(format!("{bytes} bytes cannot come from {compressed} compressed ones")));
        }
        let mut packed = vec![0; compressed as usize];
        self.file.read_exact(&mut packed).map_err(|source| self.unread(source))?;
        let mut contents = vec![0; bytes as usize];
        let unpacked = snap::raw::Decoder::new().decompress(&packed, &mut contents);
        let unpacked = unpacked.map_err(|e| self.damaged(e.to_string()))?;
        if unpacked != contents.len() {
            return Err(self.damaged(format!("{unpacked} bytes are there, expected {bytes}")));
        }
        let record = LaunchRecord { left, turns, residency, contents };
        self.sealed(record.seal(&self.seal), seal)?;
        self.launches += 1;
        Ok(record)
    }

    /// The end: how many elements were compared with the reference.
    ///
    /// # Errors
    /// [`StreamError::Read`], [`StreamError::Damaged`], among others where it is not the end.
    pub fn end(&mut self) -> Result<u64, StreamError> {
        self.expect(END, "the end")?;
        let words = u64::from_le_bytes(self.take()?);
        let seal: Digest = self.take()?;
        self.sealed(seal_of_end(words, &self.seal), seal)?;
        Ok(words)
    }

    fn expect(&mut self, kind: u8, what: &str) -> Result<(), StreamError> {
        match self.take()? {
            [found] if found == kind => Ok(()),
            [found] => Err(self.damaged(format!("a record of kind {found} follows, expected {what}"))),
        }
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], StreamError> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes).map_err(|source| self.unread(source))?;
        Ok(bytes)
    }

    /// Goes on to the seal of the record that was read, if it is the right one.
    fn sealed(&mut self, computed: Digest, found: Digest) -> Result<(), StreamError> {
        if computed != found {
            return Err(self.damaged("its seal is that of other contents".to_owned()));
        }
        self.seal = computed;
        Ok(())
    }

    fn unread(&self, source: io::Error) -> StreamError {
        StreamError::Read { path: self.path.clone(), launch: self.launches, source }
    }

    fn damaged(&self, what: String) -> StreamError {
        StreamError::Damaged { path: self.path.clone(), launch: self.launches, what }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests;
