//! A line and its fields.

use std::sync::Arc;

use crate::error::{Spot, TraceError};

/// One line.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    pub(crate) file: &'a Arc<str>,
    /// Number, from 1.
    pub number: u64,
    /// Text without the line end.
    pub text: &'a str,
    /// A line end follows; the last line of a file can be without one.
    pub(crate) has_end: bool,
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
    /// [`TraceError::Truncated`], [`TraceError::LineEnds`].
    #[inline]
    pub fn whole(self, last: &'static str) -> Result<Self, TraceError> {
        if self.has_end || self.text == last {
            return Ok(self);
        }
        if self.text.contains('\r') {
            return Err(TraceError::LineEnds { at: self.spot(1) });
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
