//! Words of a text file, with their places.

use std::str::FromStr;

use super::{InputError, InputFile};

/// Bytes of a word that a message shows.
const SHOWN: usize = 40;

/// A word: bytes without white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub bytes: &'a [u8],
    /// Line, from 1.
    pub line: usize,
    /// First byte in its line, from 1.
    pub column: usize,
}

/// Goes through the words of a file.
pub(super) struct Tokens<'a> {
    file: &'a InputFile,
    at: usize,
    line: usize,
    line_start: usize,
    /// Begins a comment that ends with its line.
    comment: Option<u8>,
}

impl<'a> Tokens<'a> {
    pub fn new(file: &'a InputFile) -> Self {
        Self { file, at: 0, line: 1, line_start: 0, comment: None }
    }

    /// Takes `comment` to the end of its line for white space.
    pub fn with_comments(mut self, comment: u8) -> Self {
        self.comment = Some(comment);
        self
    }

    fn skip_space(&mut self) {
        let bytes = self.file.bytes();
        let mut in_comment = false;
        while let Some(&byte) = bytes.get(self.at) {
            in_comment |= Some(byte) == self.comment;
            if !in_comment && !byte.is_ascii_whitespace() {
                break;
            }
            self.at += 1;
            if byte == b'\n' {
                in_comment = false;
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    /// The next word, or `None` at the end of the file.
    pub fn next(&mut self) -> Option<Word<'a>> {
        self.skip_space();
        let rest = self.file.bytes().get(self.at..)?;
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return None;
        }
        let word = Word { bytes: &rest[..length], line: self.line, column: self.at - self.line_start + 1 };
        self.at += length;
        Some(word)
    }

    /// The next word as a number that `fits`.
    ///
    /// # Errors
    /// [`InputError::Word`] when it is another word, or none.
    pub fn number<T: FromStr>(&mut self, expected: &str, fits: impl Fn(&T) -> bool) -> Result<T, InputError> {
        let word = self.next();
        let number = word.and_then(|w| str::from_utf8(w.bytes).ok()?.parse().ok()).filter(fits);
        number.ok_or_else(|| self.wrong(word, expected))
    }

    /// The file has no further words.
    ///
    /// # Errors
    /// [`InputError::Word`] with the next one.
    pub fn end(&mut self) -> Result<(), InputError> {
        match self.next() {
            None => Ok(()),
            word => Err(self.wrong(word, "the end of the file")),
        }
    }

    /// The bytes behind the last word and one byte of white space.
    pub fn rest(&self) -> &'a [u8] {
        self.file.bytes().get(self.at + 1..).unwrap_or_default()
    }

    /// The error that `word`, or the end of the file, is not what is expected.
    pub fn wrong(&self, word: Option<Word<'_>>, expected: impl Into<String>) -> InputError {
        let found = word.map_or_else(
            || "the end of the file".to_owned(),
            |w| format!("'{}'", w.bytes[..w.bytes.len().min(SHOWN)].escape_ascii()),
        );
        self.wrong_at(word, expected, found)
    }

    /// The error that at `word`, or at the end of the file, there is something else than expected.
    pub fn wrong_at(
        &self,
        word: Option<Word<'_>>,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> InputError {
        let (line, column) = word.map_or((self.line, self.at - self.line_start + 1), |w| (w.line, w.column));
        let path = self.file.path().to_owned();
        InputError::Word { path, line, column, expected: expected.into(), found: found.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_places() {
        let file = InputFile::new("f", "12 # 3\n\n  x\n".as_bytes());
        let mut tokens = Tokens::new(&file).with_comments(b'#');
        assert_eq!(tokens.next(), Some(Word { bytes: b"12", line: 1, column: 1 }));
        assert_eq!(tokens.next(), Some(Word { bytes: b"x", line: 3, column: 3 }));
        assert_eq!(tokens.next(), None);
        assert!(tokens.end().is_ok());
    }

    #[test]
    fn numbers_that_do_not_fit_are_shown_with_their_place() {
        let file = InputFile::new("f", "7\n 9 \u{fc}".as_bytes());
        let mut tokens = Tokens::new(&file);
        assert_eq!(tokens.number::<u32>("a number", |_| true).expect("7"), 7);
        let error = tokens.number::<u32>("at most 8", |&n| n <= 8).expect_err("9");
        assert_eq!(error.to_string(), "f:2:2: expected at most 8, found '9'");
        let error = tokens.number::<u32>("a number", |_| true).expect_err("no number");
        assert_eq!(error.to_string(), "f:2:4: expected a number, found '\\xc3\\xbc'");
        let error = tokens.number::<u32>("a number", |_| true).expect_err("no word");
        assert_eq!(error.to_string(), "f:2:6: expected a number, found the end of the file");
    }
}
