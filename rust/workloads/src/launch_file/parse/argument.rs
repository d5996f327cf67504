//! Arguments: scalars, aggregates, addresses.

use std::path::Path;

use super::buffer;
use crate::launch_file::element::NAMES;
use crate::launch_file::error::LaunchFileError;
use crate::launch_file::spec::{Arg, ArgKind, Handle, Member, Pointer};
use crate::launch_file::table::{Position, Table, Value};
use crate::launch_file::{ElementType, MAX_BUFFER_BYTES, MAX_MEMBERS};

/// Keys of an argument: those of a buffer, and these.
pub(super) const KEYS: [&str; 19] = buffer::joined(&["fields"], &buffer::KEYS);
const FIELD_KEYS: [&str; 2] = ["type", "value"];
/// The type of an address.
pub(super) const POINTER: &str = "ptr";
/// The types of handles.
const TEXTURE: &str = "texture";
const SURFACE: &str = "surface";

pub(super) fn arg(mut table: Table<'_>, folder: &Path) -> Result<Arg, LaunchFileError> {
    let at = table.at;
    let name = match table.take("name") {
        Some(v) => Some((v.string()?.to_owned(), v.at())),
        None => None,
    };
    let of_addresses = table.says("type", POINTER) && (table.has("values") || table.has("fill"));
    let scalar = table.has("value") && !table.says("fill", "constant");
    let kind = if let Some(fields) = table.take("fields") {
        let others: Vec<&str> = KEYS.into_iter().filter(|k| *k != "fields").collect();
        table.refuse(&others, "'fields' gives types and values")?;
        ArgKind::Value(members(fields)?)
    } else if of_addresses {
        ArgKind::Buffer(Box::new(buffer::buffer(&mut table, buffer_name(&name), folder)?))
    } else if scalar || [POINTER, TEXTURE, SURFACE].iter().any(|word| table.says("type", word)) {
        let member = member(&mut table)?;
        let others: Vec<&str> = KEYS.into_iter().filter(|k| !FIELD_KEYS.contains(k)).collect();
        table.refuse(&others, "an argument with a 'value' is a scalar")?;
        ArgKind::Value(vec![member])
    } else {
        ArgKind::Buffer(Box::new(buffer::buffer(&mut table, buffer_name(&name), folder)?))
    };
    Ok(Arg { at, name, kind })
}

fn buffer_name(name: &Option<(String, Position)>) -> Option<String> {
    name.as_ref().map(|(name, _)| name.clone())
}

fn members(fields: Value<'_>) -> Result<Vec<Member>, LaunchFileError> {
    let length =
        fields.out_of_range("an array of another length".into(), format!("1 to {MAX_MEMBERS} tables"));
    let fields = fields.elements("an array of tables, each with 'type' and 'value'")?;
    if fields.is_empty() || fields.len() > MAX_MEMBERS {
        return Err(length);
    }
    let member = |field: Value<'_>| member(&mut field.table("a table with 'type' and 'value'", &FIELD_KEYS)?);
    fields.into_iter().map(member).collect()
}

fn member(table: &mut Table<'_>) -> Result<Member, LaunchFileError> {
    let numbers = NAMES.into_iter().map(|(name, element)| (name, MemberType::Number(element)));
    let words: Vec<_> = numbers
        .chain([
            (POINTER, MemberType::Pointer),
            (TEXTURE, MemberType::Handle { surface: false }),
            (SURFACE, MemberType::Handle { surface: true }),
        ])
        .collect();
    let ty = table.need("type", "the type of the value")?.word("type", &words)?;
    let value = table.need("value", "a number, or the name of a buffer, texture or surface")?;
    Ok(match ty {
        MemberType::Number(element) => Member::Numbers(element, buffer::numbers(value, element)?),
        MemberType::Pointer => Member::Pointer(pointer(&value)?),
        MemberType::Handle { surface } => {
            Member::Handle(Handle { at: value.at(), name: value.string()?.to_owned(), surface })
        }
    })
}

/// What the word after `type` says.
#[derive(Clone, Copy)]
enum MemberType {
    Number(ElementType),
    Pointer,
    Handle { surface: bool },
}

/// `name`, `name+bytes` or `null`.
pub(super) fn pointer(value: &Value<'_>) -> Result<Pointer, LaunchFileError> {
    let at = value.at();
    let text = value.string()?;
    if text == "null" {
        return Ok(Pointer { at, buffer: None, offset: 0 });
    }
    let (name, offset) = text.split_once('+').unwrap_or((text, "0"));
    let offset = offset.trim();
    let number = match offset.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => offset.parse(),
    };
    let offset = number
        .ok()
        .filter(|&n| n <= MAX_BUFFER_BYTES)
        .ok_or_else(|| value.out_of_range(format!("'{text}'"), "NAME, NAME+BYTES or null".into()))?;
    Ok(Pointer { at, buffer: Some(name.trim().to_owned()), offset })
}
