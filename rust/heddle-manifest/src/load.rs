//! Finding, reading and checking manifests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ManifestError;
use crate::events::{self, Event};
use crate::extends;
use crate::file::{File, held_spaces};
use crate::manifest::{Elaboration, Manifest};
use crate::parameters::{self, Parameter, Rule};
use crate::tables::MappingRule;

/// Folder of the designs that have RTL.
const RTL: &str = "rtl";
/// Folder of the designs that are cycle models alone.
const MODELS: &str = "models";

/// A folder with a manifest.
#[derive(Debug)]
pub struct Found {
    /// The folder's name.
    pub name: String,
    /// The design and its variants, or what is wrong with the manifest.
    pub read: Result<Vec<Manifest>, ManifestError>,
}

impl Manifest {
    /// Names of all designs that have RTL, those below `root/rtl`, without their variants, in alphabetical order.
    ///
    /// # Errors
    /// [`ManifestError::Read`].
    pub fn names(root: &Path) -> Result<Vec<String>, ManifestError> {
        with_manifest(&root.join(RTL))
    }

    /// Names of all designs, those that are cycle models alone (below `root/models`, where that is there) too.
    fn all_names(root: &Path) -> Result<Vec<(&'static str, String)>, ManifestError> {
        let mut all: Vec<_> = Self::names(root)?.into_iter().map(|name| (RTL, name)).collect();
        let models = root.join(MODELS);
        if models.is_dir() {
            for name in with_manifest(&models)? {
                if all.iter().any(|(_, other)| *other == name) {
                    let what =
                        format!("a design of that name has RTL, in {RTL}/{name}: another name is expected");
                    return Err(ManifestError::Invalid {
                        path: models.join(&name).join("design.toml"),
                        what,
                    });
                }
                all.push((MODELS, name));
            }
        }
        all.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(all)
    }

    /// Reads and checks the manifest of `name`, a design or a variant of one, in the repository at `root`.
    ///
    /// # Errors
    /// [`ManifestError::UnknownDesign`], or what is wrong with the manifest and where.
    pub fn load(root: &Path, name: &str) -> Result<Self, ManifestError> {
        if let Some((place, _)) = Self::all_names(root)?.iter().find(|(_, design)| design == name) {
            return Ok(Self::with_variants(root, place, name)?.swap_remove(0));
        }
        let all: Vec<Self> =
            Self::load_each(root)?.into_iter().filter_map(|found| found.read.ok()).flatten().collect();
        if let Some(found) = all.iter().find(|manifest| manifest.called() == name) {
            return Ok(found.clone());
        }
        let known: Vec<String> = all.iter().map(Self::called).collect();
        let help = heddle_suggest::hint_and_list(name, known.iter().map(String::as_str), "known are");
        Err(ManifestError::UnknownDesign { name: name.to_owned(), help })
    }

    /// The manifests of all designs in the repository at `root`, by name, each followed by its variants.
    ///
    /// # Errors
    /// As [`Manifest::load`], for the first that is wrong.
    pub fn load_all(root: &Path) -> Result<Vec<Self>, ManifestError> {
        let mut all = Vec::new();
        for (place, name) in Self::all_names(root)? {
            all.extend(Self::with_variants(root, place, &name)?);
        }
        Ok(all)
    }

    /// The manifests of all designs in the repository at `root`, by name: each with its variants, or what is wrong
    /// with it.
    ///
    /// # Errors
    /// [`ManifestError::Read`]: the folders of designs. [`ManifestError::Invalid`]: two designs of one name.
    pub fn load_each(root: &Path) -> Result<Vec<Found>, ManifestError> {
        let names = Self::all_names(root)?;
        let found =
            |(place, name): (&str, String)| Found { read: Self::with_variants(root, place, &name), name };
        Ok(names.into_iter().map(found).collect())
    }

    /// The design of a folder in `place`, then its variants.
    fn with_variants(root: &Path, place: &str, name: &str) -> Result<Vec<Self>, ManifestError> {
        let inside = Path::new(place).join(name);
        let path = root.join(&inside).join("design.toml");
        let (table, bases) = extends::whole(root, &inside)?;
        let mut file: File = match bases.is_empty() {
            // From the text, so that an error has its line.
            true => toml::from_str(&extends::MANIFEST.text(&path)?),
            false => table.try_into(),
        }
        .map_err(|source| ManifestError::Toml { path: path.clone(), source: Box::new(source) })?;
        let variants = std::mem::take(&mut file.variants);
        for (i, variant) in variants.iter().enumerate() {
            if variants[..i].iter().any(|other| other.name == variant.name) {
                let what = format!("variant '{}' is there twice", variant.name);
                return Err(ManifestError::Invalid { path, what });
            }
        }
        let mut plain =
            Self::checked(file, name, root, &inside).map_err(|what| ManifestError::Invalid { path, what })?;
        plain.extends = bases;
        let mut all = vec![plain.clone()];
        all.extend(variants.into_iter().map(|variant| {
            let mut manifest = plain.clone();
            manifest.variant = Some(variant.name);
            manifest.alias = variant.alias;
            manifest.paper = variant.paper.or(manifest.paper);
            if let Some(preset) = variant.preset {
                manifest.preset = preset;
            }
            manifest.title = variant.title;
            manifest.has_rtl = plain.has_rtl && !variant.model_only;
            manifest.overrides.extend(variant.overrides);
            manifest.ignores.extend(variant.ignores);
            manifest
        }));
        Ok(all)
    }

    fn checked(file: File, name: &str, root: &Path, inside: &Path) -> Result<Self, String> {
        let File {
            design,
            elaborations,
            overrides,
            parameters,
            rules,
            events,
            register_cache,
            integrated_memory,
            mapping,
            bench,
            tests,
            variants: _,
        } = file;
        if design.name != name {
            return Err(format!("design.name is '{}' but the folder is '{name}'", design.name));
        }
        check_port(design.port)?;
        let has_rtl = inside.starts_with(RTL);
        let (top, sources) = match (has_rtl, design.top, design.sources) {
            (true, Some(top), Some(sources)) => (top, sources),
            (true, None, _) => return Err("missing field `design.top`".to_owned()),
            (true, _, None) => return Err("missing field `design.sources`".to_owned()),
            (false, None, None) => Default::default(),
            (false, _, _) => {
                return Err(format!(
                    "a design in {MODELS}/ is a cycle model alone: it has no top and no sources"
                ));
            }
        };
        let sources: Vec<PathBuf> =
            sources.iter().map(|source| root.join(without_parents(&inside.join(source)))).collect();
        if let Some(missing) = sources.iter().find(|s| !s.is_file()) {
            return Err(format!("design.sources names {}, which is not there", missing.display()));
        }
        if elaborations.is_empty() {
            return Err("at least one [[elaborations]] is needed".to_owned());
        }
        let parameters = parameters::with_port(parameters)?;
        check_values(&parameters, &rules, &events, mapping.as_ref(), &elaborations)?;
        let memory_port = held_spaces(&design.memory_port)?;
        if design.spills_registers && design.memory_port.is_empty() {
            return Err("design.spills_registers: there is no memory_port to spill through".to_owned());
        }
        if let Some(cache) = &register_cache {
            for name in cache.hits.iter().chain(&cache.misses) {
                if !events.iter().any(|e| e.name == *name && e.counted) {
                    return Err(format!("register_cache names '{name}', which is no counted event"));
                }
            }
        }
        if let Some(memory) = &integrated_memory
            && (memory.entries.is_empty() || !memory_port.cached || memory_port.shared)
        {
            let what = "integrated_memory: entries of a design with memory_port = [\"global\", \"local\"] are expected";
            return Err(what.to_owned());
        }
        for name in integrated_memory.iter().flat_map(|memory| &memory.entries) {
            if !events.iter().any(|e| e.name == *name && e.counted && e.level) {
                return Err(format!("integrated_memory names '{name}', which is no counted level"));
            }
        }
        if let Some(bench) = bench {
            bench.check()?;
        }
        Ok(Self {
            name: design.name,
            variant: None,
            alias: None,
            has_rtl,
            title: design.title,
            extends: Vec::new(),
            paper: design.paper,
            top,
            sources,
            preset: design.preset,
            needs_intervals: design.needs_intervals,
            memory_port,
            spills_registers: design.spills_registers,
            reads: design.reads,
            ignores: design.ignores,
            elaborations,
            overrides,
            parameters,
            rules,
            events,
            register_cache,
            integrated_memory,
            mapping,
            bench,
            tests,
            folder: root.join(inside),
        })
    }
}

/// Names of the folders in `folder` that have a manifest, in alphabetical order.
fn with_manifest(folder: &Path) -> Result<Vec<String>, ManifestError> {
    let fail = |source| ManifestError::Read { path: folder.to_owned(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        if entry.path().join("design.toml").is_file() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The design is made for the ports as they are.
fn check_port(version: Option<u32>) -> Result<(), String> {
    let here = heddle_port::PORT_VERSION;
    match version {
        Some(version) if version == here => Ok(()),
        Some(version) => Err(format!(
            "design.port is {version}, and the ports here have version {here}: the design is made for another version \
             of rtl/common/heddle_port_pkg.sv"
        )),
        None => Err(format!(
            "design.port, the version of the ports that it is made for, is not there: {here} here"
        )),
    }
}

/// Parameters, rules, elaborations, the places of the events and the sizes of the mapping tables fit each other.
fn check_values(
    parameters: &[Parameter],
    rules: &[Rule],
    events: &[Event],
    mapping: Option<&MappingRule>,
    elaborations: &[Elaboration],
) -> Result<(), String> {
    let known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
    for rule in rules {
        if let Some(name) = rule.holds.names().into_iter().find(|name| !known(name)) {
            return Err(format!("rule '{}': '{name}' is no parameter", rule.holds));
        }
    }
    events::check(events, &known)?;
    let check = |given: &BTreeMap<String, i64>| {
        let values = parameters::with_defaults(parameters, given)?;
        parameters::keep_rules(rules, &values)?;
        events::layout(events, &values)?;
        mapping.map_or(Ok(()), |mapping| mapping.tables(&values).map(drop))
    };
    check(&BTreeMap::new())?;
    for (i, elaboration) in elaborations.iter().enumerate() {
        if elaborations[..i].iter().any(|other| other.name == elaboration.name) {
            return Err(format!("elaboration '{}' is there twice", elaboration.name));
        }
        check(&elaboration.parameters)
            .map_err(|what| format!("elaboration '{}': {what}", elaboration.name))?;
    }
    Ok(())
}

/// The path without `x/..` pairs, without asking the file system.
fn without_parents(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}
