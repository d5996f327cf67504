//! Lists and tables of floats.

use super::tokens::Tokens;
use super::{InputError, InputFile};

/// Magnitude of a float at most: sums of products of two stay finite.
const LARGEST: f32 = 1e15;
/// Names of files with raw floats end so.
const RAW: [&str; 3] = ["bin", "f32", "raw"];

fn fits(value: f32) -> bool {
    value.abs() <= LARGEST
}

fn expected() -> String {
    format!("a number, {LARGEST:e} in magnitude at most")
}

/// A list of floats: text with white space between them, or their little-endian bytes where the file's
/// name ends in `.bin`, `.f32` or `.raw`.
///
/// # Errors
/// [`InputError::Word`], [`InputError::Unfit`].
pub fn floats(file: &InputFile) -> Result<Vec<f32>, InputError> {
    let extension = file.path().extension().and_then(|e| e.to_str()).unwrap_or_default();
    if !RAW.contains(&extension) {
        let mut tokens = Tokens::new(file);
        let mut values = Vec::new();
        while let Some(word) = tokens.next() {
            let value = str::from_utf8(word.bytes).ok().and_then(|w| w.parse().ok());
            values.push(value.filter(|&v| fits(v)).ok_or_else(|| tokens.wrong(Some(word), expected()))?);
        }
        return Ok(values);
    }
    let (values, rest) = file.bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return Err(file.unfit("four bytes a float", format!("{} bytes", file.bytes().len())));
    }
    let values: Vec<f32> = values.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    match values.iter().position(|&v| !fits(v)) {
        None => Ok(values),
        Some(index) => Err(file.unfit(expected(), format!("{} as float {index}", values[index]))),
    }
}

/// A table of floats.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Values of a row.
    pub columns: usize,
    /// Row by row.
    pub values: Vec<f32>,
}

impl Table {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }
}

/// A table with a row a line, all of one length. The first word of a line is the row's number or name, as
/// Rodinia's `kmeans` has it, and is left out. Empty lines are.
///
/// # Errors
/// [`InputError::Word`] at a value that is none, and where a row is too long or too short;
/// [`InputError::Unfit`] without rows.
pub fn table(file: &InputFile) -> Result<Table, InputError> {
    let mut tokens = Tokens::new(file);
    let mut table = Table { columns: 0, values: Vec::new() };
    let mut next = tokens.next();
    while let Some(name) = next {
        let mut columns = 0;
        next = tokens.next();
        while let Some(word) = next.filter(|w| w.line == name.line) {
            let value = str::from_utf8(word.bytes).ok().and_then(|w| w.parse().ok());
            let value = value.filter(|&v| fits(v)).ok_or_else(|| tokens.wrong(Some(word), expected()))?;
            table.values.push(value);
            columns += 1;
            next = tokens.next();
        }
        if table.columns == 0 {
            table.columns = columns;
        }
        if columns != table.columns || columns == 0 {
            let expected = format!("a row of {} values after its name", table.columns.max(1));
            return Err(tokens.wrong_at(Some(name), expected, columns.to_string()));
        }
    }
    if table.values.is_empty() {
        return Err(file.unfit("rows of numbers", "none"));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: impl Into<Vec<u8>>) -> InputFile {
        InputFile::new(name, bytes)
    }

    #[test]
    fn lists_are_read_as_text_or_raw() {
        assert_eq!(floats(&file("t", "1.5 -2\n3e2\n")).expect("text"), [1.5, -2.0, 300.0]);
        let raw: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(floats(&file("t.raw", raw)).expect("raw"), [1.5, -2.0]);
        assert_eq!(floats(&file("t", "")).expect("nothing"), [0.0_f32; 0]);
    }

    #[test]
    fn faults_of_lists_are_shown() {
        let error = |f: &InputFile| floats(f).expect_err("a fault").to_string();
        for word in ["x", "inf", "NaN", "1e16"] {
            assert_eq!(
                error(&file("t", format!("1\n {word}"))),
                format!("t:2:2: expected a number, 1e15 in magnitude at most, found '{word}'")
            );
        }
        assert_eq!(error(&file("t.bin", [0; 5])), "t.bin: expected four bytes a float, found 5 bytes");
        assert_eq!(
            error(&file("t.f32", f32::NAN.to_le_bytes())),
            "t.f32: expected a number, 1e15 in magnitude at most, found NaN as float 0"
        );
    }

    #[test]
    fn tables_leave_out_the_first_word_of_a_row() {
        let table = table(&file("k", "1 0.5 2\n\n2 3 4\nx 5 6")).expect("a table");
        assert_eq!(table, Table { columns: 2, values: vec![0.5, 2.0, 3.0, 4.0, 5.0, 6.0] });
        assert_eq!(table.rows(), 3);
    }

    #[test]
    fn faults_of_tables_are_shown() {
        let error = |text: &str| table(&file("k", text)).expect_err("a fault").to_string();
        assert_eq!(error("1 2 3\n2 5\n"), "k:2:1: expected a row of 2 values after its name, found 1");
        assert_eq!(error("1\n"), "k:1:1: expected a row of 1 values after its name, found 0");
        assert_eq!(error("1 2 y"), "k:1:5: expected a number, 1e15 in magnitude at most, found 'y'");
        assert_eq!(error(" \n"), "k: expected rows of numbers, found none");
    }
}
