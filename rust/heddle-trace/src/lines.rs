//! Lines and their fields, one line in memory at a time.

use std::io::{BufRead, Read};
use std::sync::Arc;

use crate::error::{Spot, TraceError};
use crate::source::Source;

/// Longest line in bytes. Names of kernels are the longest; an instruction takes less than 1000.
const LINE_LIMIT: u64 = 1 << 16;

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

    /// The next line that is not blank, without its end; `None` at the end of the file.
    ///
    /// # Errors
    /// [`TraceError::Read`], [`TraceError::Limit`] for an overlong line and for blank lines without end,
    /// [`TraceError::Expected`] for a line that is not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, TraceError> {
        let begin = self.number;
        loop {
            self.bytes.clear();
            let mut limited = (&mut self.input).take(LINE_LIMIT + 1);
            let read = limited.read_until(b'\n', &mut self.bytes);
            let read = read.map_err(|e| TraceError::Read { at: self.spot(), reason: e.to_string() })?;
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.number == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
                self.bytes.drain(..BYTE_ORDER_MARK.len());
            }
            if read as u64 > LINE_LIMIT {
                let (what, limit) = ("bytes in a line", LINE_LIMIT);
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
    pub fn optional(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.line.text.as_bytes()[self.at..];
        let begin = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let field = &self.line.text.as_bytes()[begin..];
        let length = field.iter().position(u8::is_ascii_whitespace).unwrap_or(field.len());
        self.at = begin + length;
        Some((begin + 1, &self.line.text[begin..self.at]))
    }

    /// The next field, which must be there.
    ///
    /// # Errors
    /// [`TraceError::Expected`] with `what`.
    pub fn field(&mut self, what: &str) -> Result<(usize, &'a str), TraceError> {
        self.optional().ok_or_else(|| self.line.expected(self.line.text.len() + 1, what, ""))
    }

    /// A field that `parse` understands.
    ///
    /// # Errors
    /// [`TraceError::Expected`] with `what`.
    pub fn parsed<T>(&mut self, what: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, TraceError> {
        let (column, field) = self.field(what)?;
        parse(field).ok_or_else(|| self.line.expected(column, what, field))
    }

    /// Nothing may follow.
    ///
    /// # Errors
    /// [`TraceError::Expected`].
    pub fn end(&mut self) -> Result<(), TraceError> {
        match self.optional() {
            None => Ok(()),
            Some((column, field)) => Err(self.line.expected(column, "the end of the line", field)),
        }
    }
}

/// A hexadecimal number, with or without `0x`; nothing but digits.
#[must_use]
pub fn hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    number::<16>(digits)
}

/// A decimal number without a sign.
#[must_use]
pub fn decimal(text: &str) -> Option<u64> {
    number::<10>(text)
}

/// A number of at least one digit that fits.
fn number<const RADIX: u32>(digits: &str) -> Option<u64> {
    let mut value = 0u64;
    for digit in digits.bytes() {
        let digit = char::from(digit).to_digit(RADIX)?;
        value = value.checked_mul(RADIX.into())?.checked_add(digit.into())?;
    }
    (!digits.is_empty()).then_some(value)
}

/// A decimal number with an optional minus sign.
#[must_use]
pub fn signed(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}
