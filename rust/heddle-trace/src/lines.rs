//! Lines and their fields, one line in memory at a time.

use std::io::{BufRead, ErrorKind};
use std::sync::Arc;

use memchr::memchr;

use crate::error::{Spot, TraceError};
use crate::source::Source;

/// Longest line in bytes. Names of kernels are the longest; an instruction takes less than 1000.
const LINE_LIMIT: usize = 1 << 16;

/// Blank lines at most between two others. The text behind a compressed file can be thousands of times as long
/// as the file.
const MAX_BLANK_LINES: u64 = 1000;

/// What an editor may begin a UTF-8 text with.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file, line by line.
pub struct Lines {
    file: Arc<str>,
    input: Box<dyn BufRead + Send>,
    bytes: Vec<u8>,
    number: u64,
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines")
            .field("file", &self.file)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl Lines {
    /// Opens a source at its beginning.
    ///
    /// # Errors
    /// As [`Source::open`].
    pub fn open(source: &Source) -> Result<Self, TraceError> {
        let file = source.name().to_string_lossy().into();
        Ok(Self { file, input: source.open()?, bytes: Vec::new(), number: 0 })
    }

    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Where reading stands.
    #[must_use]
    pub fn spot(&self) -> Spot {
        Spot { file: Arc::clone(&self.file), line: self.number.max(1), column: 1 }
    }

    /// Lines so far.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Reads a line with its end, or what is left of the file, or a piece beyond the limit of a line; false at the end of
    /// the file.
    fn fill(&mut self) -> Result<bool, TraceError> {
        self.bytes.clear();
        while self.bytes.len() <= LINE_LIMIT {
            let there = match self.input.fill_buf() {
                Ok(there) => there,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(TraceError::Read { at: self.spot(), reason: error.to_string() });
                }
            };
            let there = &there[..there.len().min(LINE_LIMIT + 1 - self.bytes.len())];
            let end = memchr(b'\n', there);
            let length = end.map_or(there.len(), |end| end + 1);
            self.bytes.extend_from_slice(&there[..length]);
            self.input.consume(length);
            if end.is_some() || length == 0 {
                break;
            }
        }
        Ok(!self.bytes.is_empty())
    }

    /// The next line that is not blank, without its end; `None` at the end of the file.
    ///
    /// # Errors
    /// [`TraceError::Read`], [`TraceError::Limit`] for an overlong line and for blank lines without end,
    /// [`TraceError::Expected`] for a line that is not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, TraceError> {
        let begin = self.number;
        loop {
            if !self.fill()? {
                return Ok(None);
            }
            self.number += 1;
            let is_long = self.bytes.len() > LINE_LIMIT;
            if self.number == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
                self.bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if is_long {
                let (what, limit) = ("bytes in a line", LINE_LIMIT as u64);
                return Err(TraceError::Limit { at: self.spot(), what, limit });
            }
            if !self.bytes.trim_ascii().is_empty() {
                break;
            }
            if self.number - begin > MAX_BLANK_LINES {
                let (what, limit) = ("blank lines in a row", MAX_BLANK_LINES);
                return Err(TraceError::Limit { at: self.spot(), what, limit });
            }
        }
        let has_end = self.bytes.ends_with(b"\n");
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => {
                let text = text.trim_end();
                Ok(Some(Line { file: &self.file, number: self.number, text, has_end }))
            }
            Err(error) => Err(TraceError::Expected {
                at: Spot { column: error.valid_up_to() + 1, ..self.spot() },
                expected: "UTF-8 text".to_owned(),
                found: "other bytes".to_owned(),
            }),
        }
    }
}

/// One line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    file: &'a Arc<str>,
    /// Number, from 1.
    pub number: u64,
    /// Text without the line end.
    pub text: &'a str,
    /// A line end follows; the last line of a file can be without one.
    has_end: bool,
}

impl<'a> Line<'a> {
    /// A place in the line; `column` counts from 1.
    #[must_use]
    pub fn spot(&self, column: usize) -> Spot {
        Spot { file: Arc::clone(self.file), line: self.number, column }
    }

    /// The line, where the file does not end in the middle of it. `last` is the line with which a whole file
    /// ends, which needs no line end.
    ///
    /// # Errors
    /// [`TraceError::Truncated`].
    #[inline]
    pub fn whole(self, last: &'static str) -> Result<Self, TraceError> {
        if self.has_end || self.text == last {
            return Ok(self);
        }
        Err(TraceError::Truncated { at: self.spot(self.text.len() + 1), last })
    }

    /// Something else was expected at a column.
    #[cold]
    pub fn expected(&self, column: usize, expected: impl Into<String>, found: &str) -> TraceError {
        let found = match found {
            "" => "the end of the line".to_owned(),
            text => format!("`{}`", text.chars().take(80).collect::<String>()),
        };
        TraceError::Expected { at: self.spot(column), expected: expected.into(), found }
    }

    /// The text behind `key`, spaces and `=`, and its column.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<(usize, &'a str)> {
        let rest = self.text.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim_start();
        Some((self.text.len() - rest.len() + 1, rest))
    }

    /// Its fields, apart from each other by spaces.
    #[inline]
    #[must_use]
    pub fn fields(self) -> Fields<'a> {
        Fields { line: self, at: 0 }
    }
}

/// Walks through the fields of a line.
#[derive(Debug, Clone)]
pub struct Fields<'a> {
    /// The line.
    pub line: Line<'a>,
    at: usize,
}

impl<'a> Fields<'a> {
    /// The next field and its column.
    #[inline]
    pub fn optional(&mut self) -> Option<(usize, &'a str)> {
        let text = self.line.text;
        let bytes = text.as_bytes();
        let mut begin = self.at;
        while bytes.get(begin)?.is_ascii_whitespace() {
            begin += 1;
        }
        let mut end = begin + 1;
        while bytes.get(end).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            end += 1;
        }
        self.at = end;
        Some((begin + 1, &text[begin..end]))
    }

    /// Bytes of the line that were read.
    #[inline]
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Passes over `text`, whole fields, if it comes next.
    #[inline]
    pub fn passes(&mut self, text: &str) -> bool {
        let bytes = self.line.text.as_bytes();
        let end = self.at + text.len();
        let comes = bytes.get(self.at..end) == Some(text.as_bytes())
            && bytes.get(end).is_none_or(u8::is_ascii_whitespace);
        if comes {
            self.at = end;
        }
        comes
    }

    /// The next field, which must be there.
    ///
    /// # Errors
    /// [`TraceError::Expected`] with `what`.
    #[inline]
    pub fn field<W: Into<String>>(&mut self, what: impl Fn() -> W) -> Result<(usize, &'a str), TraceError> {
        self.optional().ok_or_else(|| self.line.expected(self.line.text.len() + 1, what(), ""))
    }

    /// A field that `parse` understands.
    ///
    /// # Errors
    /// [`TraceError::Expected`] with `what`.
    #[inline]
    pub fn parsed<T, W: Into<String>>(
        &mut self,
        what: impl Fn() -> W,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, TraceError> {
        let (column, field) = self.field(&what)?;
        parse(field).ok_or_else(|| self.line.expected(column, what(), field))
    }

    /// Nothing may follow.
    ///
    /// # Errors
    /// [`TraceError::Expected`].
    #[inline]
    pub fn end(&mut self) -> Result<(), TraceError> {
        match self.optional() {
            None => Ok(()),
            Some((column, field)) => Err(self.line.expected(column, "the end of the line", field)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufRead, Read};

    use super::{LINE_LIMIT, Lines};
    use crate::error::TraceError;
    use crate::source::Source;

    /// Bytes that come a few at a time, with an interruption before each piece.
    struct Pieces {
        bytes: Vec<u8>,
        at: usize,
        interrupted: bool,
    }

    impl Read for Pieces {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    impl BufRead for Pieces {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let rest = &self.bytes[self.at..];
            Ok(&rest[..rest.len().min(3)])
        }

        fn consume(&mut self, bytes: usize) {
            self.at += bytes;
        }
    }

    fn lines(bytes: &[u8]) -> Lines {
        let source = Source::Bytes { name: "some.traceg".into(), bytes: bytes.into() };
        Lines::open(&source).expect("there")
    }

    fn texts(mut lines: Lines) -> Vec<(u64, String)> {
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().expect("text") {
            all.push((line.number, line.text.to_owned()));
        }
        all
    }

    #[test]
    fn a_line_is_the_same_in_whatever_pieces_it_comes() {
        let text = b"\xef\xbb\xbffirst line\r\n\n  \nx\nlast, without an end";
        let expected = [(1, "first line"), (4, "x"), (5, "last, without an end")];
        let expected = expected.map(|(number, text)| (number, text.to_owned()));
        assert_eq!(texts(lines(text)), expected);
        let input = Box::new(Pieces { bytes: text.to_vec(), at: 0, interrupted: false });
        assert_eq!(texts(Lines { input, ..lines(b"") }), expected);
    }

    #[test]
    fn an_overlong_line_is_refused_with_and_without_an_end_or_a_byte_order_mark() {
        let mark = b"\xef\xbb\xbf".as_slice();
        for mark in [b"".as_slice(), mark] {
            let line = |length: usize| [mark, &vec![b'a'; length - mark.len()]].concat();
            for end in [b"".as_slice(), b"\nnext\n"] {
                let ended = usize::from(!end.is_empty());
                let mut fits = lines(&[&line(LINE_LIMIT - ended), end].concat());
                assert_eq!(fits.next_line().expect("it fits").map(|line| line.number), Some(1));
                let mut long = lines(&[&line(LINE_LIMIT + 1 - ended), end].concat());
                let error = long.next_line().expect_err("it does not fit");
                assert!(matches!(error, TraceError::Limit { limit: 65_536, .. }), "{error}");
                let mut longer = lines(&[&line(10 * LINE_LIMIT), end].concat());
                assert!(longer.next_line().is_err() && longer.bytes.len() <= LINE_LIMIT + 1);
            }
        }
    }
}
