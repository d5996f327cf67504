//! Integers that no key can have: all of them have 32 bits and no sign.

use toml::{Table, Value};

use crate::error::ConfigError;
use crate::keys::join;
use crate::layer::slot;
use crate::load::reference;
use crate::preset::Preset;
use crate::times::forget_time;

/// What a key takes that has no narrower range of its own.
const ANY: &str = "0 to 4294967295";

/// What a key takes, if it takes an integer: [`Preset::validate`] says it of the greatest one.
pub(crate) fn allowed(key: &str) -> Option<&'static str> {
    let mut table = reference().ok()?;
    *slot(&mut table, key).filter(|value| value.is_integer())? = Value::Integer(u32::MAX.into());
    forget_time(&mut table, key);
    Some(own_range(table, key).unwrap_or(ANY))
}

/// What is allowed for a key whose value in a table is out of its range.
fn own_range(table: Table, key: &str) -> Option<&'static str> {
    let mut preset: Preset = table.try_into().ok()?;
    preset.derive_cycles();
    let (named, _, allowed) = preset.validate().err()?;
    (named == key).then_some(allowed)
}

/// That a key cannot have an integer.
pub(crate) fn out_of_range(key: &str, value: &str) -> ConfigError {
    let allowed = allowed(key).unwrap_or(ANY);
    ConfigError::Range { origin: None, key: key.to_owned(), value: value.to_owned(), allowed }
}

/// Whether the integers of a table have 32 bits and no sign, as far as their keys take integers.
pub(crate) fn check_integers(path: &str, table: &Table, reference: &Table) -> Result<(), ConfigError> {
    for (key, value) in table {
        let whole = join(path, key);
        match (value, reference.get(key)) {
            (Value::Table(inner), Some(Value::Table(known))) => check_integers(&whole, inner, known)?,
            (Value::Integer(number), Some(Value::Integer(_))) if u32::try_from(*number).is_err() => {
                return Err(out_of_range(&whole, &number.to_string()));
            }
            _ => {}
        }
    }
    Ok(())
}
