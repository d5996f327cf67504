//! The header of a `.npy` file: a Python dictionary.

use super::NpyError;

/// Most dimensions, as in NumPy.
const MOST_DIMENSIONS: usize = 64;

/// What the header says.
pub(super) struct Header {
    /// Order of the bytes, letter and size of the elements.
    pub(super) descr: String,
    /// Columns first.
    pub(super) fortran: bool,
    /// Elements in each dimension.
    pub(super) shape: Vec<u64>,
}

/// Reads the text of a header.
pub(super) fn read(text: &[u8]) -> Result<Header, NpyError> {
    Reader { text, at: 0 }.header()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn header(mut self) -> Result<Header, NpyError> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect(b'{')?;
        while !self.take(b'}') {
            let at = self.at;
            let key = self.string()?;
            self.expect(b':')?;
            match key.as_str() {
                "descr" => descr = Some(self.string()?),
                "fortran_order" => fortran = Some(self.truth()?),
                "shape" => shape = Some(self.tuple()?),
                _ => return Err(Self::error(at, "the key 'descr', 'fortran_order' or 'shape'")),
            }
            if !self.take(b',') {
                self.expect(b'}')?;
                break;
            }
        }
        self.blanks();
        if self.at != self.text.len() {
            return Err(Self::error(self.at, "the end of the header"));
        }
        match (descr, fortran, shape) {
            (Some(descr), Some(fortran), Some(shape)) => Ok(Header { descr, fortran, shape }),
            _ => Err(Self::error(self.at, "the keys 'descr', 'fortran_order' and 'shape'")),
        }
    }

    fn error(at: usize, expected: impl Into<String>) -> NpyError {
        NpyError::Header { at, expected: expected.into() }
    }

    fn blanks(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), NpyError> {
        if self.take(byte) { Ok(()) } else { Err(Self::error(self.at, format!("'{}'", char::from(byte)))) }
    }

    fn run(&mut self, of: impl Fn(&u8) -> bool) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let run = &rest[..rest.iter().position(|b| !of(b)).unwrap_or(rest.len())];
        self.at += run.len();
        run
    }

    fn string(&mut self) -> Result<String, NpyError> {
        self.blanks();
        let at = self.at;
        let Some(&quote @ (b'\'' | b'"')) = self.text.get(at) else {
            return Err(Self::error(at, "a string"));
        };
        self.at += 1;
        let text = self.run(|b| *b != quote);
        if self.text.get(self.at) != Some(&quote) {
            return Err(Self::error(at, "a string that ends"));
        }
        self.at += 1;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn truth(&mut self) -> Result<bool, NpyError> {
        self.blanks();
        let at = self.at;
        match self.run(u8::is_ascii_alphabetic) {
            b"True" => Ok(true),
            b"False" => Ok(false),
            _ => Err(Self::error(at, "True or False")),
        }
    }

    fn tuple(&mut self) -> Result<Vec<u64>, NpyError> {
        self.expect(b'(')?;
        let mut numbers = Vec::new();
        while !self.take(b')') {
            self.blanks();
            let at = self.at;
            let digits = String::from_utf8_lossy(self.run(u8::is_ascii_digit));
            let number = digits.parse().ok().filter(|_| numbers.len() < MOST_DIMENSIONS);
            numbers.push(number.ok_or_else(|| {
                Self::error(at, format!("a number below 2^64, at most {MOST_DIMENSIONS} of them"))
            })?);
            if !self.take(b',') {
                self.expect(b')')?;
                break;
            }
        }
        Ok(numbers)
    }
}
