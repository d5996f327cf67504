//! From the text of a launch file to a [`LaunchFile`].

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::element::NAMES;
use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::table::{Position, Table, Text, Value};
use super::{
    Arg, ArgKind, BufferArg, Fill, LaunchFile, MAX_BLOCK, MAX_BUFFER_BYTES, MAX_DYNAMIC_SHARED_BYTES,
    MAX_GRID, MAX_THREADS, MAX_TOTAL_BYTES, MAX_VALUES, Scalar,
};
use crate::launch_file::ElementType;

const MAX_ARGS: usize = 1024;

pub(super) fn parse(name: &str, text: &str, folder: &Path) -> Result<LaunchFile, LaunchFileError> {
    let text = Text { name, text };
    let start = Position { line: 1, column: 1 };
    let entries = DeTable::parse(text.text).map_err(|e| {
        let at = e.span().map_or(start, |s| text.position(s.start));
        let message = e.message().to_owned();
        text.error(at, Kind::Syntax { message })
    })?;
    let mut table = Table::new(text, start, entries.into_inner());

    let (mut entry, mut entry_at) = (None, start);
    if let Some(value) = table.take("entry") {
        entry = Some(value.string()?.to_owned());
        entry_at = value.at;
    }
    let grid = extent(table.need("grid", "the CTAs of the launch, [x, y, z]")?, MAX_GRID)?;
    let block = table.need("block", "the threads of a CTA, [x, y, z]")?;
    let block_at = block.at;
    let block = extent(block, MAX_BLOCK)?;
    let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
    if threads > MAX_THREADS {
        let kind = Kind::OutOfRange {
            key: "block".into(),
            value: format!("{threads} threads"),
            expected: format!("at most {MAX_THREADS}"),
        };
        return Err(text.error(block_at, kind));
    }
    let shared = table.take("dynamic_shared_bytes");
    let dynamic_shared_bytes =
        shared.map_or(Ok(0), |v| v.integer_in(0, MAX_DYNAMIC_SHARED_BYTES).map(narrow))?;
    let args = args(&mut table, folder)?;
    table.finish()?;
    Ok(LaunchFile {
        name: name.to_owned(),
        entry,
        grid,
        block,
        dynamic_shared_bytes,
        args,
        folder: folder.to_owned(),
        entry_at,
    })
}

/// One to three numbers, or one number alone.
fn extent(value: Value<'_>, limits: [u64; 3]) -> Result<[u32; 3], LaunchFileError> {
    const EXPECTED: &str = "an integer or an array of one to three integers";
    if !value.is_array() {
        return Ok([narrow(value.integer_in(1, limits[0])?), 1, 1]);
    }
    let at_array = value.out_of_range("an array of another length".into(), EXPECTED.into());
    let elements = value.elements(EXPECTED)?;
    if elements.is_empty() || elements.len() > 3 {
        return Err(at_array);
    }
    let mut extent = [1; 3];
    for ((slot, limit), value) in extent.iter_mut().zip(limits).zip(elements) {
        *slot = narrow(value.integer_in(1, limit)?);
    }
    Ok(extent)
}

/// A number that was checked against a limit below 2^32.
fn narrow(v: u64) -> u32 {
    u32::try_from(v).unwrap_or(u32::MAX)
}

fn args(table: &mut Table<'_>, folder: &Path) -> Result<Vec<Arg>, LaunchFileError> {
    let text = table.text;
    let Some(value) = table.take("args") else {
        return Ok(Vec::new());
    };
    let at = value.at;
    let values = value.elements("an array of tables, [[args]]")?;
    let too_much = |at, value: String, expected: String| {
        let key = "args".into();
        let kind = Kind::OutOfRange { key, value, expected };
        Err(text.error(at, kind))
    };
    if values.len() > MAX_ARGS {
        return too_much(at, format!("{} tables", values.len()), format!("at most {MAX_ARGS}"));
    }
    let mut args = Vec::new();
    let mut total = 0;
    for value in values {
        let arg = arg(value.table("a table, [[args]]")?, folder)?;
        if let ArgKind::Buffer(buffer) = &arg.kind {
            total += buffer.bytes();
        }
        if total > MAX_TOTAL_BYTES {
            return too_much(
                arg.at,
                format!("{total} bytes of buffers up to here"),
                format!("at most {MAX_TOTAL_BYTES}"),
            );
        }
        args.push(arg);
    }
    Ok(args)
}

/// Keys that say what is in a buffer.
const CONTENT_KEYS: [&str; 8] = ["elements", "bytes", "values", "fill", "low", "high", "seed", "file"];
/// Keys that say what becomes of a buffer.
const RESULT_KEYS: [&str; 3] = ["output", "expect", "tolerance"];

/// One number, or an array of them.
fn numbers(value: Value<'_>, element: ElementType) -> Result<Vec<Scalar>, LaunchFileError> {
    if !value.is_array() {
        return Ok(vec![element.scalar(&value)?]);
    }
    let length =
        value.out_of_range("an array of another length".into(), format!("1 to {MAX_VALUES} numbers"));
    let values = value.elements("a number or an array of numbers")?;
    if values.is_empty() || values.len() > MAX_VALUES {
        return Err(length);
    }
    values.iter().map(|v| element.scalar(v)).collect()
}

fn arg(mut table: Table<'_>, folder: &Path) -> Result<Arg, LaunchFileError> {
    let at = table.at;
    let name = match table.take("name") {
        Some(v) => Some((v.string()?.to_owned(), v.at)),
        None => None,
    };
    let element =
        table.need("type", "the type of the value or of the buffer's elements")?.word("type", &NAMES)?;
    let kind = if let Some(value) = table.take("value") {
        table.refuse(&CONTENT_KEYS, "an argument with a 'value' is a scalar")?;
        table.refuse(&RESULT_KEYS, "an argument with a 'value' is a scalar")?;
        ArgKind::Scalar(element, numbers(value, element)?)
    } else {
        ArgKind::Buffer(buffer(&mut table, element, folder)?)
    };
    table.finish()?;
    Ok(Arg { at, name, kind })
}

fn buffer(table: &mut Table<'_>, element: ElementType, folder: &Path) -> Result<BufferArg, LaunchFileError> {
    let (elements, fill) = if let Some(values) = table.take("values") {
        table.refuse(&CONTENT_KEYS, "'values' gives size and contents")?;
        let numbers = numbers(values, element)?;
        (numbers.len() as u64, Fill::Values(numbers))
    } else {
        (elements(table, element)?, fill(table, element, folder)?)
    };
    let path = |value: &Value<'_>| Ok(folder.join(value.string()?));
    let output = table.take("output").map(|v| path(&v)).transpose()?;
    let expect = match table.take("expect") {
        Some(v) => Some((path(&v)?, v.at)),
        None => None,
    };
    let mut tolerance = 0.0;
    if let Some(value) = table.take("tolerance") {
        tolerance = value.float()?;
        if !element.is_float() || expect.is_none() {
            let kind =
                Kind::Misplaced { key: "tolerance", reason: "it needs 'expect' and a type of f32 or f64" };
            return Err(table.text.error(value.at, kind));
        }
        if !tolerance.is_finite() || tolerance < 0.0 {
            return Err(value.out_of_range(tolerance.to_string(), "0 or more".into()));
        }
    }
    Ok(BufferArg { element, elements, fill, output, expect, tolerance })
}

fn elements(table: &mut Table<'_>, element: ElementType) -> Result<u64, LaunchFileError> {
    let size = u64::from(element.bytes());
    if let Some(value) = table.take("elements") {
        table.refuse(&["bytes"], "'elements' gives the size")?;
        return value.integer_in(1, MAX_BUFFER_BYTES / size);
    }
    let value = table.need("bytes", "give 'value', 'values', 'elements' or 'bytes'")?;
    let bytes = value.integer_in(1, MAX_BUFFER_BYTES)?;
    if bytes.is_multiple_of(size) {
        Ok(bytes / size)
    } else {
        let expected = format!("a multiple of {size}, the size of {element}");
        Err(value.out_of_range(bytes.to_string(), expected))
    }
}

fn fill(table: &mut Table<'_>, element: ElementType, folder: &Path) -> Result<Fill, LaunchFileError> {
    const WORDS: [(&str, &str); 5] =
        [("none", "none"), ("zero", "zero"), ("iota", "iota"), ("random", "random"), ("file", "file")];
    let word = table.take("fill").map_or(Ok("none"), |v| v.word("fill", &WORDS))?;
    if word != "random" {
        table.refuse(&["low", "high", "seed"], "it belongs to a buffer with fill = \"random\"")?;
    }
    if word != "file" {
        table.refuse(&["file"], "it belongs to a buffer with fill = \"file\"")?;
    }
    Ok(match word {
        "zero" => Fill::Zero,
        "iota" => Fill::Iota,
        "random" => {
            let seed = table.take("seed");
            Fill::Random {
                seed: seed.map(|v| v.integer_in(0, u64::MAX)).transpose()?,
                range: range(table, element)?,
            }
        }
        "file" => {
            let value = table.need("file", "the raw contents of the buffer")?;
            let path: PathBuf = folder.join(value.string()?);
            Fill::File(path, value.at)
        }
        _ => Fill::None,
    })
}

type Range = Option<(Scalar, Scalar)>;

fn range(table: &mut Table<'_>, element: ElementType) -> Result<Range, LaunchFileError> {
    let (low, high) = match (table.take("low"), table.take("high")) {
        (None, None) => return Ok(None),
        (Some(low), Some(high)) => (low, high),
        (Some(_), None) => return Err(missing(table, "high")),
        (None, Some(_)) => return Err(missing(table, "low")),
    };
    let (first, last) = (element.scalar(&low)?, element.scalar(&high)?);
    if first.is_below(last) {
        Ok(Some((first, last)))
    } else {
        Err(high.out_of_range("not above 'low'".into(), "a number above 'low'".into()))
    }
}

fn missing(table: &Table<'_>, key: &'static str) -> LaunchFileError {
    let purpose = "'low' and 'high' go together";
    table.text.error(table.at, Kind::MissingKey { key, purpose })
}
