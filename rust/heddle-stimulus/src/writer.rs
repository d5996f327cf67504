//! Writing a file of stimulus.

use std::io::Write as _;

use liblzma::write::XzEncoder;

use crate::error::StimulusError;
use crate::header::Header;

/// Effort of the compression, 0 to 9: changes of a few words compress well with little.
const EFFORT: u32 = 1;

/// A file that is being made, in memory.
pub struct Writer {
    stream: XzEncoder<Vec<u8>>,
    last: Vec<u32>,
    record: Vec<u8>,
    records: u64,
}

impl Writer {
    /// Begins a file.
    ///
    /// # Errors
    /// [`StimulusError::Write`].
    pub fn new(header: &Header) -> Result<Self, StimulusError> {
        let mut stream = XzEncoder::new(Vec::new(), EFFORT);
        let mut line = serde_json::to_vec(header).map_err(|e| StimulusError::Write(e.into()))?;
        line.push(b'\n');
        stream.write_all(&line).map_err(StimulusError::Write)?;
        Ok(Self { stream, last: vec![0; header.words.of_record()], record: Vec::new(), records: 0 })
    }

    /// Adds a clock edge. `words` are the words of a record, as many as [`crate::Words::of_record`] says.
    ///
    /// # Errors
    /// [`StimulusError::Write`].
    pub fn push(&mut self, words: impl Iterator<Item = u32>) -> Result<(), StimulusError> {
        self.record.clear();
        self.record.extend([0; 4]);
        let mut changes = 0u32;
        for (index, (last, word)) in (0u32..).zip(self.last.iter_mut().zip(words)) {
            if *last != word {
                *last = word;
                changes += 1;
                self.record.extend(index.to_le_bytes());
                self.record.extend(word.to_le_bytes());
            }
        }
        self.record[..4].copy_from_slice(&changes.to_le_bytes());
        self.records += 1;
        self.stream.write_all(&self.record).map_err(StimulusError::Write)
    }

    /// Ends the file and returns its bytes.
    ///
    /// # Errors
    /// [`StimulusError::Write`].
    pub fn finish(mut self) -> Result<Vec<u8>, StimulusError> {
        let mut end = crate::END.to_le_bytes().to_vec();
        end.extend(self.records.to_le_bytes());
        self.stream.write_all(&end).and_then(|()| self.stream.finish()).map_err(StimulusError::Write)
    }
}
