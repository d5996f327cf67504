//! Reading presets and overrides.

use toml::Table;

use crate::design;
use crate::error::ConfigError;
use crate::keys::{check_keys, check_missing};
use crate::layer::{BASE, lay, take_base};
use crate::overrides::{Override, apply, set_option};
use crate::preset::Preset;
use crate::range::check_integers;
use crate::source::Source;
use crate::technology;
use crate::times::{complete_times, forget_time, settle_times, split_change};

/// The presets that ship with Heddle.
pub(crate) const PRESETS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// The preset whose keys are those that every preset has.
const REFERENCE: &str = "maxwell";

/// Names of the presets that ship with Heddle.
#[must_use]
pub fn preset_names() -> Vec<&'static str> {
    PRESETS.iter().map(|(name, _)| *name).collect()
}

/// Names of those that stand on no other one: the machines that the others change.
#[must_use]
pub fn machine_names() -> Vec<&'static str> {
    let whole = |name: &&str| base_of(name).is_ok_and(|base| base.is_none());
    preset_names().into_iter().filter(whole).collect()
}

/// The preset on which the preset `name` stands.
///
/// # Errors
/// [`ConfigError`].
pub fn base_of(name: &str) -> Result<Option<String>, ConfigError> {
    let source = Source::of(name)?;
    take_base(name, &mut source.table()?).map_err(|error| source.placed(error, &[]))
}

/// A preset by name, or from a TOML file (a name that ends in `.toml`).
///
/// # Errors
/// [`ConfigError`].
pub fn load(name: &str) -> Result<Preset, ConfigError> {
    load_with(name, &[])
}

/// A preset with overrides, applied in order.
///
/// # Errors
/// [`ConfigError`].
pub fn load_with(name: &str, overrides: &[Override]) -> Result<Preset, ConfigError> {
    load_for(name, &[], overrides)
}

/// A preset for a design that sets some keys itself. What the preset says beyond the one on which it stands goes before
/// `of_design`, and `overrides` go before both.
///
/// # Errors
/// [`ConfigError`].
pub fn load_for(name: &str, of_design: &[Override], overrides: &[Override]) -> Result<Preset, ConfigError> {
    let (source, reference) = (Source::of(name)?, reference()?);
    let own = source.table()?;
    check_integers("", &own, &reference).map_err(|error| source.placed(error, &[]))?;
    // What a preset with a base says is above what the design does.
    let above = if own.contains_key(BASE) { overrides.to_vec() } else { [of_design, overrides].concat() };
    merged(name, own, &reference, (of_design, overrides)).map_err(|error| source.placed(error, &above))
}

/// The table whose keys are those that every preset has.
pub(crate) fn reference() -> Result<Table, ConfigError> {
    let mut reference = read(REFERENCE)?;
    complete_times(REFERENCE, &mut reference)?;
    Ok(reference)
}

/// The preset `name`, whose own table is `own`, with what is set.
fn merged(
    name: &str,
    mut own: Table,
    reference: &Table,
    (of_design, overrides): (&[Override], &[Override]),
) -> Result<Preset, ConfigError> {
    let technology = technology::take(name, &mut own)?;
    let mut parameters = design::take(name, &mut own)?;
    let base = take_base(name, &mut own)?;
    let mut table = match &base {
        None => own.clone(),
        Some(base) => whole(name, base)?,
    };
    let origin = base.as_deref().unwrap_or(name);
    complete_times(origin, &mut table)?;
    check_keys(origin, "", &table, reference)?;
    check_missing(origin, "", &table, reference)?;
    // What a whole preset says of the design's parameters stands below what the design says.
    let above = if base.is_some() { std::mem::take(&mut parameters) } else { toml::Table::new() };
    change(&mut table, &mut parameters, of_design)?;
    if base.is_some() {
        lay(name, &mut table, own, reference)?;
        parameters.extend(above);
    }
    change(&mut table, &mut parameters, overrides)?;
    settle_times(&mut table)?;
    design::put(&mut table, parameters);
    let preset: Preset = serde_path_to_error::deserialize(table).map_err(|e| {
        let key = e.path().to_string();
        let all = of_design.iter().chain(overrides);
        let change = all.rev().find(|change| change.key == key);
        let origin = change.map_or_else(|| name.to_owned(), set_option);
        ConfigError::Choice { origin, key, message: e.inner().message().to_owned() }
    })?;
    let mut preset = preset.made_of(technology);
    preset.derive_cycles();
    let checked = preset.validate();
    checked.map_err(|(key, value, allowed)| ConfigError::Range {
        origin: None,
        key: key.to_owned(),
        value: value.to_string(),
        allowed,
    })?;
    Ok(preset)
}

/// Applies overrides in order.
fn change(table: &mut Table, parameters: &mut Table, overrides: &[Override]) -> Result<(), ConfigError> {
    for given in overrides {
        if design::apply(parameters, given) {
            continue;
        }
        for change in split_change(given)? {
            apply(table, &change)?;
            forget_time(table, &change.key);
        }
    }
    Ok(())
}

/// The preset that ships as `base` and on which the preset `name` may stand.
fn whole(name: &str, base: &str) -> Result<Table, ConfigError> {
    let machines = machine_names();
    if !machines.contains(&base) {
        return Err(ConfigError::Base {
            origin: name.to_owned(),
            base: base.to_owned(),
            hint: heddle_suggest::hint_and_list(base, machines, "whole presets"),
        });
    }
    read(base)
}

/// The table of a preset by name or from a file, as it is written.
pub(crate) fn read(name: &str) -> Result<Table, ConfigError> {
    Source::of(name)?.table()
}

#[cfg(test)]
mod layer_tests;
#[cfg(test)]
mod tests;
