//! From the text of a launch file to a [`LaunchFile`].

mod argument;
mod buffer;
mod texture;

pub(super) use buffer::is_npy;

use std::path::{Path, PathBuf};

use heddle_isa::{MAX_BLOCK, MAX_BLOCK_THREADS, threads_of};
use toml::de::DeTable;

use super::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use super::spec::{Arg, ArgKind, BufferSpec, LaunchSpec};
use super::table::{Position, Table, Text, Value, line_starts};
use super::{
    LaunchFile, MAX_DYNAMIC_SHARED_BYTES, MAX_FILE_BYTES, MAX_GRID, MAX_LINKS, MAX_REPEAT, MAX_TABLES,
    MAX_TOTAL_BYTES,
};

/// Keys of one launch.
const LAUNCH_KEYS: [&str; 6] = ["entry", "grid", "block", "dynamic_shared_bytes", "cooperative", "args"];
/// Keys of the whole file beside those of its only launch.
const FILE_KEYS: [&str; 6] = ["launch", "link", "repeat", "buffers", "textures", "symbols"];

pub(super) fn parse(name: &str, text: &str, folder: &Path) -> Result<LaunchFile, LaunchFileError> {
    let lines = line_starts(text);
    let text = Text { name, text, lines: &lines };
    let start = Position { line: 1, column: 1 };
    if text.text.len() as u64 > MAX_FILE_BYTES {
        let reason = format!("{} bytes, a launch file has at most {MAX_FILE_BYTES}", text.text.len());
        return Err(text.error(start, Kind::Unreadable { path: name.into(), reason }));
    }
    let entries = DeTable::parse(text.text).map_err(|e| {
        let at = e.span().map_or(start, |s| text.position(s.start));
        let message = e.message().to_owned();
        text.error(at, Kind::Syntax { message })
    })?;
    let known: Vec<&str> = LAUNCH_KEYS.into_iter().chain(FILE_KEYS).collect();
    let mut table = Table::new(text, start, entries.into_inner(), &known)?;

    let repeat = repeat(&mut table)?;
    let links = links(&mut table, folder)?;
    let buffers = buffer::named(&mut table, folder)?;
    let symbols = tables(&mut table, "symbols", &buffer::SYMBOL_KEYS)?
        .into_iter()
        .map(|table| buffer::symbol(table, folder))
        .collect::<Result<Vec<_>, _>>()?;
    let textures = tables(&mut table, "textures", &texture::KEYS)?
        .into_iter()
        .map(texture::texture)
        .collect::<Result<Vec<_>, _>>()?;
    let launches = if table.has("launch") {
        table.refuse(&LAUNCH_KEYS, "each [[launch]] has its own")?;
        let known: Vec<&str> = LAUNCH_KEYS.into_iter().chain(["repeat"]).collect();
        let tables = tables(&mut table, "launch", &known)?;
        tables.into_iter().map(|table| launch(table, folder)).collect::<Result<Vec<_>, _>>()?
    } else {
        vec![launch(table, folder)?]
    };
    let file = LaunchFile { name: name.to_owned(), launches, links, buffers, textures, symbols, repeat };
    check_total(text, &file)?;
    Ok(file)
}

/// The tables of the array `key`; none when it is not there.
fn tables<'a>(
    table: &mut Table<'a>,
    key: &'static str,
    known: &[&'static str],
) -> Result<Vec<Table<'a>>, LaunchFileError> {
    let Some(value) = table.take(key) else { return Ok(Vec::new()) };
    let too_many = |n: usize| (format!("{n} tables"), format!("at most {MAX_TABLES}"));
    let at = value.at();
    let text = table.text;
    let values = value.elements("an array of tables")?;
    if values.len() > MAX_TABLES {
        let (value, expected) = too_many(values.len());
        return Err(text.error(at, Kind::OutOfRange { key: key.into(), value, expected }));
    }
    values.into_iter().map(|v| v.table("a table", known)).collect()
}

/// The PTX modules of `link`, each with its place.
fn links(table: &mut Table<'_>, folder: &Path) -> Result<Vec<(PathBuf, Position)>, LaunchFileError> {
    let Some(value) = table.take("link") else { return Ok(Vec::new()) };
    let expected = format!("at most {MAX_LINKS} files");
    let too_many = value.out_of_range("an array of another length".into(), expected);
    let values = value.elements("an array of PTX files")?;
    if values.len() > MAX_LINKS {
        return Err(too_many);
    }
    values.iter().map(|file| Ok((file.path(folder)?, file.at()))).collect()
}

fn repeat(table: &mut Table<'_>) -> Result<u32, LaunchFileError> {
    table.take("repeat").map_or(Ok(1), |v| v.integer_in(1, MAX_REPEAT).map(narrow))
}

/// The sum of what the buffers take, as far as the file says.
fn check_total(text: Text<'_>, file: &LaunchFile) -> Result<(), LaunchFileError> {
    let mut total = 0_u64;
    for buffer in file.all_buffers() {
        total = total.saturating_add(buffer.bytes());
        if total > MAX_TOTAL_BYTES {
            let value = format!("{total} bytes of buffers up to here");
            let expected = format!("at most {MAX_TOTAL_BYTES}");
            return Err(text.error(buffer.at, Kind::OutOfRange { key: "args".into(), value, expected }));
        }
    }
    Ok(())
}

fn launch(mut table: Table<'_>, folder: &Path) -> Result<LaunchSpec, LaunchFileError> {
    let at = table.at;
    let entry = match table.take("entry") {
        Some(value) => Some((value.string()?.to_owned(), value.at())),
        None => None,
    };
    let grid = extent(table.need("grid", "the CTAs of the launch, [x, y, z]")?, MAX_GRID)?;
    let block = table.need("block", "the threads of a CTA, [x, y, z]")?;
    let (text, block_at) = (table.text, block.at());
    let block = extent(block, MAX_BLOCK)?;
    let threads = threads_of(block);
    if threads > MAX_BLOCK_THREADS {
        let value = format!("{threads} threads");
        let expected = format!("at most {MAX_BLOCK_THREADS}");
        return Err(text.error(block_at, Kind::OutOfRange { key: "block".into(), value, expected }));
    }
    let shared = table.take("dynamic_shared_bytes");
    let shared_at = shared.as_ref().map_or(at, Value::at);
    let dynamic_shared_bytes =
        shared.map_or(Ok(0), |v| v.integer_in(0, MAX_DYNAMIC_SHARED_BYTES).map(narrow))?;
    let cooperative = table.take("cooperative").map_or(Ok(false), |v| v.boolean())?;
    let args = tables(&mut table, "args", &argument::KEYS)?
        .into_iter()
        .map(|table| argument::arg(table, folder))
        .collect::<Result<Vec<_>, _>>()?;
    let repeat = repeat(&mut table)?;
    Ok(LaunchSpec {
        at,
        entry,
        grid,
        block,
        block_at,
        dynamic_shared_bytes,
        shared_at,
        cooperative,
        repeat,
        args,
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

impl LaunchFile {
    /// Every buffer that the file describes: the named ones, then those of the arguments in order.
    pub(super) fn all_buffers(&self) -> impl Iterator<Item = &BufferSpec> {
        let of_arg = |arg: &'_ Arg| matches!(arg.kind, ArgKind::Buffer(_));
        let args = self.launches.iter().flat_map(|l| &l.args).filter(move |a| of_arg(a));
        self.buffers.iter().chain(args.filter_map(|arg| match &arg.kind {
            ArgKind::Buffer(buffer) => Some(buffer.as_ref()),
            ArgKind::Value(_) => None,
        }))
    }
}
