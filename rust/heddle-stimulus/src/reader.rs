//! Reading a file of stimulus.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use liblzma::bufread::XzDecoder;

use crate::error::StimulusError;
use crate::header::{Group, Header};

/// Most bytes of the first line.
const MOST_HEADER: u64 = 1 << 16;

/// A file that is read record by record.
pub struct Reader {
    path: PathBuf,
    stream: BufReader<XzDecoder<BufReader<File>>>,
    header: Header,
    words: Vec<u32>,
    records: u64,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`StimulusError::Open`], [`StimulusError::Read`], [`StimulusError::Header`].
    pub fn open(path: &Path) -> Result<Self, StimulusError> {
        let file = heddle_files::open(path, "a stimulus file, as `heddle record` writes it")?;
        let mut stream = BufReader::new(XzDecoder::new(BufReader::new(file)));
        let mut line = Vec::new();
        let read = stream.by_ref().take(MOST_HEADER).read_until(b'\n', &mut line);
        read.map_err(|source| StimulusError::Read { path: path.to_owned(), record: 0, source })?;
        let wrong = |what| StimulusError::Header { path: path.to_owned(), what };
        let header = Header::parse(&line).map_err(wrong)?;
        if let Some(what) = header.fault() {
            return Err(wrong(what));
        }
        let words = vec![0; header.words.of_record()];
        Ok(Self { path: path.to_owned(), stream, header, words, records: 0 })
    }

    /// What the file is of.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Records that were read.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Reads the next clock edge; `false` after the last one.
    ///
    /// # Errors
    /// [`StimulusError::Read`], also where the file ends without its end mark; [`StimulusError::Record`].
    pub fn next_record(&mut self) -> Result<bool, StimulusError> {
        let changes = self.number()?;
        if changes == crate::END {
            return self.end().map(|()| false);
        }
        for _ in 0..changes {
            let (index, value) = (self.number()?, self.number()?);
            let most = self.words.len();
            let Some(word) = self.words.get_mut(index as usize) else {
                return Err(self.wrong(format!("word {index} changes; expected one below {most}")));
            };
            *word = value;
        }
        self.records += 1;
        Ok(true)
    }

    /// The words of a group in the record that was read last.
    #[must_use]
    pub fn words(&self, group: Group) -> &[u32] {
        let words = self.header.words;
        let begin = match group {
            Group::Input => 0,
            Group::BulkInput => words.input,
            Group::Output => words.input + words.bulk_input,
            Group::BulkOutput => words.input + words.bulk_input + words.output,
        };
        &self.words[begin..begin + words.of(group)]
    }

    /// The care bits of the outputs, or of the bulk outputs, in the record that was read last; none of the inputs.
    #[must_use]
    pub fn care(&self, group: Group) -> &[u32] {
        let words = self.header.words;
        let begin = words.input + words.bulk_input + words.output + words.bulk_output;
        match group {
            Group::Input | Group::BulkInput => &[],
            Group::Output => &self.words[begin..begin + words.output],
            Group::BulkOutput => &self.words[begin + words.output..],
        }
    }

    /// Checks what stands behind the end mark.
    fn end(&mut self) -> Result<(), StimulusError> {
        let (low, high) = (u64::from(self.number()?), u64::from(self.number()?));
        let told = high << 32 | low;
        if told != self.records {
            return Err(self.wrong(format!("the file ends here, and says that it has {told} records")));
        }
        let mut behind = [0];
        if self.stream.read(&mut behind).map_err(|e| self.broken(e))? > 0 {
            return Err(self.wrong("more follows behind the end mark; expected nothing".to_owned()));
        }
        let stream = self.stream.get_mut();
        let end = stream.total_in();
        let more = stream.get_mut().fill_buf().map(|bytes| !bytes.is_empty());
        if more.map_err(|e| self.broken(e))? {
            let what =
                format!("the xz stream ends at byte {end}, and the file goes on; expected its end there");
            return Err(self.wrong(what));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, StimulusError> {
        let mut bytes = [0; 4];
        self.stream.read_exact(&mut bytes).map_err(|e| self.broken(e))?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn broken(&self, source: io::Error) -> StimulusError {
        StimulusError::Read { path: self.path.clone(), record: self.records, source }
    }

    fn wrong(&self, what: String) -> StimulusError {
        StimulusError::Record { path: self.path.clone(), record: self.records, what }
    }
}
