//! Buffers: size, contents, what becomes of them.

use std::ffi::OsStr;
use std::path::Path;

use super::argument::{POINTER, pointer};
use super::tables;
use crate::launch_file::element::{ElementType, NAMES, Scalar};
use crate::launch_file::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use crate::launch_file::fill::Fill;
use crate::launch_file::spec::{BufferSpec, Expect, Pointer, Source};
use crate::launch_file::table::{Table, Value};
use crate::launch_file::{MAX_BUFFER_BYTES, MAX_VALUES};
use crate::tolerance::Tolerance;

/// Keys of a module variable: it has its own size.
pub(super) const SYMBOL_KEYS: [&str; 16] = [
    "name",
    "type",
    "value",
    "values",
    "fill",
    "start",
    "step",
    "modulo",
    "low",
    "high",
    "seed",
    "file",
    "output",
    "expect",
    "tolerance",
    "relative_tolerance",
];
/// Keys of a named buffer.
pub(super) const KEYS: [&str; 18] = joined(&["elements", "bytes"], &SYMBOL_KEYS);
/// Fills and the keys that belong to each.
static FILLS: [(&str, &[&str]); 8] = [
    ("none", &[]),
    ("zero", &[]),
    ("constant", &["value"]),
    ("iota", &["start", "step", "modulo"]),
    ("linspace", &["low", "high"]),
    ("random", &["low", "high", "seed"]),
    ("permutation", &["seed"]),
    ("file", &["file"]),
];
/// The keys of all fills, each once.
fn fill_keys() -> impl Iterator<Item = &'static str> {
    let all = || FILLS.iter().flat_map(|(_, keys)| keys.iter().copied());
    all().enumerate().filter(move |&(at, key)| !all().take(at).any(|k| k == key)).map(|(_, key)| key)
}

/// Two lists of keys as one, of `N` keys.
pub(super) const fn joined<const N: usize>(
    some: &[&'static str],
    others: &[&'static str],
) -> [&'static str; N] {
    assert!(some.len() + others.len() == N);
    let mut all = [""; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < some.len() { some[at] } else { others[at - some.len()] };
        at += 1;
    }
    all
}

/// The `[[buffers]]` of a file.
pub(super) fn named(table: &mut Table<'_>, folder: &Path) -> Result<Vec<BufferSpec>, LaunchFileError> {
    let mut buffers: Vec<BufferSpec> = Vec::new();
    for mut table in tables(table, "buffers", &KEYS)? {
        let name = table.need("name", "by which arguments refer to the buffer")?;
        let text = name.string()?.to_owned();
        if text == "null" || text.is_empty() || text.contains('+') || text.trim() != text {
            return Err(
                name.out_of_range(format!("'{text}'"), "a name without '+' that is not 'null'".into())
            );
        }
        if buffers.iter().any(|b| b.name.as_ref() == Some(&text)) {
            return Err(name.error(Kind::Duplicate { name: text }));
        }
        buffers.push(buffer(&mut table, Some(text), folder)?);
    }
    Ok(buffers)
}

/// A buffer that the keys of `table` describe.
pub(super) fn buffer(
    table: &mut Table<'_>,
    name: Option<String>,
    folder: &Path,
) -> Result<BufferSpec, LaunchFileError> {
    if table.says("type", POINTER) {
        return addresses(table, name, true);
    }
    let mut spec = contents(table, name, folder)?;
    if spec.elements.is_none() {
        let size = (table.take("elements"), table.take("bytes"));
        spec.elements = match size {
            (Some(elements), None) => {
                let size = spec.element.map_or(1, |e| u64::from(e.bytes()));
                Some(elements.integer_in(1, MAX_BUFFER_BYTES / size)?)
            }
            (None, Some(bytes)) => Some(from_bytes(&bytes, spec.element)?),
            (Some(_), Some(bytes)) => return Err(bytes.misplaced("bytes", "'elements' gives the size")),
            (None, None) if matches!(spec.source, Source::File(..)) => None,
            (None, None) => {
                let (key, purpose) = ("elements", "give 'value', 'values', 'elements' or 'bytes'");
                return Err(table.text.error(table.at, Kind::MissingKey { key, purpose }));
            }
        };
    }
    Ok(spec)
}

/// What a file does with a module variable.
pub(super) fn symbol(mut table: Table<'_>, folder: &Path) -> Result<BufferSpec, LaunchFileError> {
    let name = table.need("name", "the variable's name in the PTX")?.string()?.to_owned();
    if table.says("type", POINTER) {
        return addresses(&mut table, Some(name), false);
    }
    contents(&mut table, Some(name), folder)
}

/// All of a buffer but its size, unless its values give that.
fn contents(
    table: &mut Table<'_>,
    name: Option<String>,
    folder: &Path,
) -> Result<BufferSpec, LaunchFileError> {
    let at = table.at;
    let element = table.take("type").map(|v| v.word("type", &NAMES)).transpose()?;
    let path = |value: &Value<'_>| value.path(folder).map(|path| (path, value.at()));
    let known = |table: &Table<'_>| {
        element.ok_or_else(|| {
            let purpose = "the type of the value or of the buffer's elements";
            table.text.error(at, Kind::MissingKey { key: "type", purpose })
        })
    };
    let (elements, source) = if let Some(values) = table.take("values") {
        let others = ["elements", "bytes", "fill"].into_iter().chain(fill_keys()).collect::<Vec<_>>();
        table.refuse(&others, "'values' gives size and contents")?;
        let numbers = numbers(values, known(table)?)?;
        (Some(numbers.len() as u64), Source::Fill(Fill::Values(numbers)))
    } else {
        let fill = fill_word(table)?;
        if fill == "file" {
            let value = table.need("file", "the contents of the buffer, raw or .npy")?;
            let (path, at) = path(&value)?;
            if !is_npy(&path) {
                known(table)?;
            }
            (None, Source::File(path, at))
        } else {
            (None, Source::Fill(pattern(table, fill, known(table)?)?))
        }
    };
    let output = table.take("output").map(|v| path(&v)).transpose()?;
    let expect = table.take("expect").map(|v| path(&v)).transpose()?;
    let tolerance = tolerance(table, element, expect.is_some())?;
    let expect = expect.map(|(path, at)| Expect { path, at, tolerance });
    Ok(BufferSpec { at, name, element, elements, source, output, expect })
}

/// A buffer of addresses: each in `values`, or, where it can have any size, `elements` of them, `step` bytes
/// apart from `start` on.
fn addresses(
    table: &mut Table<'_>,
    name: Option<String>,
    any_size: bool,
) -> Result<BufferSpec, LaunchFileError> {
    let at = table.at;
    table.need("type", "the type of the elements")?;
    let list = if table.has("values") || !any_size {
        let values = table.need("values", "the addresses, which fill the variable")?;
        let expected = format!("1 to {MAX_VALUES} addresses");
        let length = values.out_of_range("an array of another length".into(), expected);
        let values = values.elements("an array of addresses, each NAME, NAME+BYTES or null")?;
        if values.is_empty() || values.len() > MAX_VALUES {
            return Err(length);
        }
        values.iter().map(pointer).collect::<Result<Vec<_>, _>>()?
    } else {
        table.need("fill", "'iota', or give 'values'")?.word("fill", &[("iota", ())])?;
        let start = pointer(&table.need("start", "the first address")?)?;
        let step = table.need("step", "the distance of the addresses in bytes")?;
        let step = step.integer_in(0, MAX_BUFFER_BYTES)?;
        let elements = table.need("elements", "the number of addresses")?;
        let elements = elements.integer_in(1, MAX_VALUES as u64)?;
        (0..elements).map(|i| Pointer { offset: start.offset + i * step, ..start.clone() }).collect()
    };
    table.refuse(&KEYS, "a buffer of addresses has 'values', or 'start', 'step' and 'elements'")?;
    let (elements, element) = (Some(list.len() as u64), Some(ElementType::U64));
    let source = Source::Addresses(list);
    Ok(BufferSpec { at, name, element, elements, source, output: None, expect: None })
}

/// Whether a file is an array of NumPy, by its name.
pub(in crate::launch_file) fn is_npy(path: &Path) -> bool {
    path.extension().and_then(OsStr::to_str).is_some_and(|e| e.eq_ignore_ascii_case("npy"))
}

fn from_bytes(bytes: &Value<'_>, element: Option<ElementType>) -> Result<u64, LaunchFileError> {
    let size = element.map_or(1, |e| u64::from(e.bytes()));
    let number = bytes.integer_in(1, MAX_BUFFER_BYTES)?;
    match element {
        None => Err(bytes.misplaced("bytes", "without 'type' give 'elements', or let the file say it")),
        Some(element) if !number.is_multiple_of(size) => {
            let expected = format!("a multiple of {size}, the size of {element}");
            Err(bytes.out_of_range(number.to_string(), expected))
        }
        Some(_) => Ok(number / size),
    }
}

fn tolerance(
    table: &mut Table<'_>,
    element: Option<ElementType>,
    expects: bool,
) -> Result<Option<Tolerance>, LaunchFileError> {
    let mut number = |key: &'static str| {
        let Some(value) = table.take(key) else { return Ok(0.0) };
        let number = value.float()?;
        if !element.is_none_or(ElementType::is_float) || !expects {
            return Err(value.misplaced(key, "it needs 'expect' and a type of floats"));
        }
        if !number.is_finite() || number < 0.0 {
            return Err(value.out_of_range(number.to_string(), "0 or more".into()));
        }
        Ok(number)
    };
    let (absolute, relative) = (number("tolerance")?, number("relative_tolerance")?);
    let reason = "as the launch file says";
    Ok((absolute > 0.0 || relative > 0.0).then_some(Tolerance { absolute, relative, reason }))
}

/// The word of `fill`; keys of other fills are refused.
fn fill_word(table: &mut Table<'_>) -> Result<&'static str, LaunchFileError> {
    let words = FILLS.map(|(word, _)| (word, word));
    let word = table.take("fill").map_or(Ok("none"), |v| v.word("fill", &words))?;
    let own = FILLS.iter().find(|(w, _)| *w == word).map_or(&[][..], |(_, keys)| keys);
    for key in fill_keys().filter(|k| !own.contains(k)) {
        let of: Vec<&str> = FILLS.iter().filter(|(_, keys)| keys.contains(&key)).map(|(w, _)| *w).collect();
        table.refuse(&[key], &format!("it belongs to fill = \"{}\"", of.join("\" or \"")))?;
    }
    Ok(word)
}

fn pattern(table: &mut Table<'_>, word: &str, element: ElementType) -> Result<Fill, LaunchFileError> {
    let seed = |table: &mut Table<'_>| table.take("seed").map(|v| v.integer_in(0, u64::MAX)).transpose();
    Ok(match word {
        "zero" => Fill::Constant(element.small(0)),
        "constant" => Fill::Constant(element.scalar(&table.need("value", "the number to fill with")?)?),
        "iota" => {
            let mut number = |key, otherwise| {
                table.take(key).map_or(Ok(element.small(otherwise)), |value| element.scalar(&value))
            };
            let (start, step) = (number("start", 0)?, number("step", 1)?);
            let modulo = table.take("modulo").map(|v| v.integer_in(1, MAX_BUFFER_BYTES)).transpose()?;
            Fill::Iota { start, step, modulo }
        }
        "linspace" => {
            let mut number =
                |key| table.need(key, "the first or last element")?.float().map(|f| element.exactly(f));
            Fill::Linspace { low: number("low")?, high: number("high")? }
        }
        "random" => Fill::Random { seed: seed(table)?, range: range(table, element)? },
        "permutation" => Fill::Permutation { seed: seed(table)? },
        _ => Fill::None,
    })
}

type Range = Option<(Scalar, Scalar)>;

fn range(table: &mut Table<'_>, element: ElementType) -> Result<Range, LaunchFileError> {
    let missing = |table: &Table<'_>, key| {
        let purpose = "'low' and 'high' go together";
        table.text.error(table.at, Kind::MissingKey { key, purpose })
    };
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

/// One number, or an array of them.
pub(super) fn numbers(value: Value<'_>, element: ElementType) -> Result<Vec<Scalar>, LaunchFileError> {
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
