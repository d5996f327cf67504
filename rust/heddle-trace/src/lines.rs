//! The lines of a file, a few of which are in memory at a time.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use crate::error::{Spot, TraceError};
use crate::line::Line;
use crate::source::Source;

/// Longest line in bytes. Names of kernels are the longest; an instruction takes less than 1000.
const LINE_LIMIT: usize = 1 << 16;

/// Bytes that are read at once.
const CHUNK: u64 = 1 << 16;

/// Blank lines at most between two others. The text behind a compressed file can be thousands of times as long
/// as the file.
const MAX_BLANK_LINES: u64 = 1000;

/// What an editor may begin a UTF-8 text with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A file, line by line.
pub struct Lines {
    file: Arc<str>,
    input: Box<dyn Read + Send>,
    /// What was read and is text.
    text: String,
    /// What was read behind it: the beginning of a character, or what is no text.
    beyond: Vec<u8>,
    /// Why nothing follows the text, where it is so.
    end: Option<End>,
    /// The current line in the text, with its end.
    line: Range<usize>,
    number: u64,
}

/// What ends a text.
#[derive(Debug)]
enum End {
    /// The end of the file.
    File,
    /// Bytes that are no UTF-8.
    OtherBytes,
    /// The rest cannot be read, for this reason.
    Fault(String),
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
        Ok(Self::of(file, source.open()?))
    }

    fn of(file: Arc<str>, input: Box<dyn Read + Send>) -> Self {
        Self { file, input, text: String::new(), beyond: Vec::new(), end: None, line: 0..0, number: 0 }
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

    /// Reads on.
    fn read(&mut self) {
        let read = self.input.by_ref().take(CHUNK).read_to_end(&mut self.beyond);
        let mut is_text = true;
        match std::str::from_utf8(&self.beyond) {
            Ok(text) => {
                self.text.push_str(text);
                self.beyond.clear();
            }
            Err(error) => {
                let valid = self.beyond.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                self.text.push_str(valid);
                self.beyond.drain(..error.valid_up_to());
                is_text = error.error_len().is_none();
            }
        }
        self.end = match read {
            _ if !is_text => Some(End::OtherBytes),
            Err(error) => Some(End::Fault(error.to_string())),
            Ok(0) if self.beyond.is_empty() => Some(End::File),
            Ok(0) => Some(End::OtherBytes),
            Ok(_) => None,
        };
    }

    /// Goes on to the next line with its end, or to what is left of the text, or to more than a line may have.
    fn advance(&mut self) {
        let (mut begin, mut searched) = (self.line.end, self.line.end);
        loop {
            let end = memchr(b'\n', &self.text.as_bytes()[searched..]);
            searched = end.map_or(self.text.len(), |end| searched + end + 1);
            self.line = begin..searched;
            if end.is_some() || self.line.len() > LINE_LIMIT || self.end.is_some() {
                return;
            }
            self.text.drain(..begin);
            self.line = 0..0;
            (begin, searched) = (0, searched - begin);
            self.read();
        }
    }

    /// The next line that is not blank, without its end; `None` at the end of the file.
    ///
    /// # Errors
    /// [`TraceError::Read`], [`TraceError::Limit`] for an overlong line and for blank lines without end,
    /// [`TraceError::LineEnds`], [`TraceError::Expected`] for a line that is not UTF-8.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, TraceError> {
        let begin = self.number;
        loop {
            self.advance();
            if self.line.len() > LINE_LIMIT {
                self.number += 1;
                let line = &self.text[self.line.clone()];
                if line.contains('\r') && !line.ends_with('\n') {
                    return Err(TraceError::LineEnds { at: self.spot() });
                }
                let (what, limit) = ("bytes in a line", LINE_LIMIT as u64);
                return Err(TraceError::Limit { at: self.spot(), what, limit });
            }
            match &self.end {
                Some(end) if !self.text[self.line.clone()].ends_with('\n') => match end {
                    End::File if self.line.is_empty() => return Ok(None),
                    End::File => {}
                    End::Fault(reason) => {
                        return Err(TraceError::Read { at: self.spot(), reason: reason.clone() });
                    }
                    End::OtherBytes => {
                        self.number += 1;
                        return Err(TraceError::Expected {
                            at: Spot { column: self.content().len() + 1, ..self.spot() },
                            expected: "UTF-8 text".to_owned(),
                            found: "other bytes".to_owned(),
                        });
                    }
                },
                _ => {}
            }
            self.number += 1;
            if !self.content().as_bytes().trim_ascii_start().is_empty() {
                break;
            }
            if self.number - begin > MAX_BLANK_LINES {
                let (what, limit) = ("blank lines in a row", MAX_BLANK_LINES);
                return Err(TraceError::Limit { at: self.spot(), what, limit });
            }
        }
        let text = self.content();
        let whole = text.strip_suffix('\n');
        let text = whole.unwrap_or(text).trim_ascii_end();
        // White space that is none of ASCII ends hardly any line.
        let is_trimmed = text.as_bytes().last().is_some_and(u8::is_ascii_graphic);
        let text = if is_trimmed { text } else { text.trim_end() };
        Ok(Some(Line { file: &self.file, number: self.number, text, has_end: whole.is_some() }))
    }

    /// The current line with its end, without a byte-order mark.
    #[inline]
    fn content(&self) -> &str {
        let line = &self.text[self.line.clone()];
        if self.number == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{CHUNK, LINE_LIMIT, Lines};
    use crate::error::TraceError;
    use crate::source::Source;

    /// Bytes that come a few at a time, with an interruption before each piece.
    struct Pieces {
        bytes: Vec<u8>,
        at: usize,
        interrupted: bool,
    }

    impl Read for Pieces {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let most = to.len().min(3);
            let length = (&self.bytes[self.at..]).read(&mut to[..most])?;
            self.at += length;
            Ok(length)
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
        assert_eq!(texts(Lines::of("some.traceg".into(), input)), expected);
    }

    #[test]
    fn lines_that_end_with_cr_alone_are_told_from_others() {
        let long = |piece: &str| piece.repeat(LINE_LIMIT / piece.len() + 1);
        for (text, of_ends) in [
            (long("a line\r"), true),
            (long("a line "), false),
            (long("a line ") + "\r\n", false),
            ("a line\rand another\r".to_owned(), true),
            ("a line".to_owned(), false),
        ] {
            let mut lines = lines(text.as_bytes());
            let line = lines.next_line().and_then(|line| line.expect("there").whole("the last").map(|_| ()));
            let error = line.expect_err("no whole line");
            assert_eq!(matches!(error, TraceError::LineEnds { .. }), of_ends, "{error}");
        }
    }

    #[test]
    fn a_character_may_lie_across_what_is_read_at_once_and_other_bytes_are_an_error_at_their_place() {
        for ahead in CHUNK as usize - 10..CHUNK as usize {
            let first = "x".repeat(ahead / 2) + "\n";
            let second = "y".repeat(ahead - first.len()) + "\u{e4}\u{20ac}\u{1f9f6} end";
            let text = format!("{first}{second}\u{2003}\nok\u{e4}");
            let expected = [(1, first.trim_end()), (2, &second), (3, "ok\u{e4}")];
            let expected = expected.map(|(number, text)| (number, text.to_owned()));
            assert_eq!(texts(lines(text.as_bytes())), expected);
            for wrong in [b"\xff".as_slice(), b"\xe2\x82", b"\x80 more\n"] {
                let mut lines = lines(&[text.as_bytes(), wrong].concat());
                for number in [1, 2] {
                    assert_eq!(lines.next_line().expect("text").map(|line| line.number), Some(number));
                }
                let error = lines.next_line().expect_err("no text").to_string();
                assert!(error.contains("UTF-8 text") && error.starts_with("some.traceg:3:5: "), "{error}");
                assert!(lines.next_line().is_err());
            }
        }
    }

    /// Bytes, and then a fault.
    struct Fault(&'static [u8]);

    impl Read for Fault {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            match self.0.read(to)? {
                0 => Err(io::Error::other("it is gone")),
                length => Ok(length),
            }
        }
    }

    #[test]
    fn what_was_read_before_a_fault_is_there() {
        for (bytes, whole) in
            [(b"one\ntwo\nthr".as_slice(), 2), (b"one\ntwo\n", 2), (b"", 0), (b"one\n\xe2", 1)]
        {
            let mut lines = Lines::of("some.traceg".into(), Box::new(Fault(bytes)));
            for number in 1..=whole {
                assert_eq!(lines.next_line().expect("it was read").map(|line| line.number), Some(number));
            }
            for _again in 0..2 {
                let error = lines.next_line().expect_err("it was not").to_string();
                let at = format!("some.traceg:{}:1: ", whole.max(1));
                assert!(error.starts_with(&at) && error.contains("it is gone"), "{error}");
            }
        }
    }

    #[test]
    fn a_file_longer_than_the_buffer_has_the_lines_that_it_has() {
        let text: String =
            (0..3 * CHUNK as usize / 100).map(|n| "x".repeat(1 + n * n % 199) + "\n").collect();
        let expected: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
        assert!(text.len() > 2 * CHUNK as usize && texts(lines(text.as_bytes())) == expected);
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
                assert!(longer.next_line().is_err());
                assert!(longer.text.len() + longer.beyond.len() <= LINE_LIMIT + CHUNK as usize);
            }
        }
    }
}
