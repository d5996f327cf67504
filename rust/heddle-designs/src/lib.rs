//! The Rust cycle models of the register-file designs.
//!
//! A model carries no data; every output of its register port equals the RTL's in every cycle. Each
//! design is one module that submits one [`Entry`]; [`create`] finds it by name.
//!
//! ```
//! use heddle_port::{PortConfig, RegIn, RegOut};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
//! let manifest = heddle_manifest::Manifest::load(root, "baseline")?;
//! let instance = manifest.instance(manifest.elaboration(None)?)?;
//! let mut design = heddle_designs::create("baseline", &instance)?;
//! let config = PortConfig { bank_cycles: 1, rows_per_bank: 128, ..PortConfig::default() };
//! let mut out: RegOut = design.reset(&config)?;
//! assert!(out.issue_ready[0]);
//! design.step(&RegIn::default(), &mut out)?;
//! # Ok(())
//! # }
//! ```

// Every folder beside this file.
include!(concat!(env!("OUT_DIR"), "/modules.rs"));

#[cfg(test)]
mod testing;

use heddle_port::{DesignError, Instance, RegisterFile};

/// A design's line in the registry, submitted by the design's own module with `inventory::submit!`.
#[derive(Debug)]
pub struct Entry {
    /// Name that users type.
    pub name: &'static str,
    /// Makes a model; it needs a reset before its first step. An error where the instance lacks a parameter
    /// or event that the model needs, or has one that it cannot have.
    pub make: fn(&Instance) -> Result<Box<dyn RegisterFile + Send>, DesignError>,
}

inventory::collect!(Entry);

/// A model that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// No design of that name has a model.
    #[error("design '{name}' has no cycle model")]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The design cannot be made so.
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// The model of design `name`, made with `instance`.
///
/// # Errors
/// [`CreateError`]: there is none, or it cannot be made so.
pub fn create(name: &str, instance: &Instance) -> Result<Box<dyn RegisterFile + Send>, CreateError> {
    let entry = inventory::iter::<Entry>.into_iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| CreateError::Unknown { name: name.to_owned() })?;
    Ok((entry.make)(instance)?)
}

/// The model of design `name` for `design`, which stands on it.
///
/// # Errors
/// [`DesignError::Instance`]: there is none, or it cannot be made so.
pub fn base(
    design: &'static str,
    name: &str,
    instance: &Instance,
) -> Result<Box<dyn RegisterFile + Send>, DesignError> {
    create(name, instance).map_err(|error| match error {
        CreateError::Design(error) => error,
        unknown => DesignError::Instance { design, what: unknown.to_string() },
    })
}

/// Names of all designs that have a model, in alphabetical order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = inventory::iter::<Entry>.into_iter().map(|entry| entry.name).collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::{CreateError, create, names};
    use crate::testing::{WIDTHS, instance};
    use heddle_port::Instance;

    #[test]
    fn every_listed_design_can_be_made_and_the_names_are_unique() {
        let names = names();
        assert!(names.contains(&"baseline"));
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(names.iter().all(|name| create(name, &instance(name, WIDTHS)).is_ok()));
    }

    #[test]
    fn an_unknown_design_is_named() {
        let unknown = create("base-line", &Instance::of_widths(WIDTHS)).err();
        assert_eq!(unknown, Some(CreateError::Unknown { name: "base-line".to_owned() }));
    }
}
