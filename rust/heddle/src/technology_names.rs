//! What a technology may name: designs, and numbers that rows of results can have.

use std::path::Path;

use heddle_config::{ConfigError, Override};
use heddle_energy::Named;
use heddle_experiments::Catalog;
use heddle_manifest::Manifest;

use crate::Failure;
use crate::sweep::measures;

/// The designs of a repository, and the numbers that rows of their runs can have.
pub struct Nameable {
    designs: Vec<String>,
    catalog: Catalog,
}

impl Nameable {
    /// Those of the repository at `root`.
    ///
    /// # Errors
    /// A manifest that cannot be read.
    pub fn new(root: &Path) -> Result<Self, Failure> {
        let manifests = Manifest::load_all(root).map_err(Failure::usage)?;
        let designs = manifests.iter().map(Manifest::called).collect();
        Ok(Self { designs, catalog: Catalog::new(root, measures()?)? })
    }

    /// Whether it is there.
    ///
    /// # Errors
    /// That it is not, with the nearest name.
    pub fn check(&self, named: &Named) -> Result<(), String> {
        match named {
            Named::Design(name) => self.check_design(name),
            Named::Number(key) => match key.strip_prefix("parameters.") {
                Some(key) => check_setting(key),
                None => self.catalog.check_measure(key).map_err(|what| format!("unknown count: {what}")),
            },
        }
    }

    fn check_design(&self, name: &str) -> Result<(), String> {
        if self.designs.iter().any(|known| known == name) {
            return Ok(());
        }
        let near = heddle_suggest::hint(name, self.designs.iter().map(String::as_str));
        let expected = "; expected one of `heddle list designs`, or of a folder that --design-path names";
        let hint = if near.is_empty() { expected } else { &near };
        Err(format!("unknown design '{name}'{hint}"))
    }
}

/// Whether a preset has a key, as `--set` takes it, or can describe its technology by it.
fn check_setting(key: &str) -> Result<(), String> {
    if key.starts_with("technology.") {
        return Ok(());
    }
    let change = Override { key: key.to_owned(), value: "0".to_owned() };
    // All presets have the same keys.
    let names = heddle_config::preset_names();
    match names.first().map(|preset| heddle_config::load_with(preset, &[change])) {
        Some(Err(ConfigError::UnknownKey { hint, .. })) => {
            Err(format!("unknown key '{key}' of a preset{hint}"))
        }
        _ => Ok(()),
    }
}
