//! `rtl/<design>/design.toml`: what a design is made of and what its event bits mean.
//!
//! Designs are found by folder; there is no list of them anywhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heddle_port::{EventLayout, HeldSpaces, Instance, Parameters, PortWidths};
use serde::Deserialize;

use crate::error::ManifestError;
use crate::events::{self, Event};
use crate::formula::Value;
use crate::parameters::{self, Fit, Kind, Parameter, Rule};
use crate::tables::{BenchTargets, IntegratedMemory, MappingRule, MappingTables, RegisterCache, TestPlan};

/// One set of top-level parameters with a name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elaboration {
    /// Name that users type.
    pub name: String,
    /// Values of elaborated parameters; those not named have their default.
    #[serde(default)]
    pub parameters: BTreeMap<String, i64>,
}

/// A design's manifest, read and checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    /// The folder's name, by which users call the design.
    pub name: String,
    /// The variant that was asked for; what it changes is in `title` and `overrides`.
    pub variant: Option<String>,
    /// The variant's name of its own, where it does not go by that of the design.
    pub alias: Option<String>,
    /// Whether there is RTL for it; a variant may be a cycle model alone.
    pub has_rtl: bool,
    /// One line about the design.
    pub title: String,
    /// Designs that it stands on, the nearest first: what it has beside what it says itself is theirs.
    pub extends: Vec<String>,
    /// The publication, where there is one.
    pub paper: Option<String>,
    /// Top module.
    pub top: String,
    /// SystemVerilog files in order, below the repository's root.
    pub sources: Vec<PathBuf>,
    /// Preset that runs use unless another is named.
    pub preset: String,
    /// Whether programs for it are divided into register-intervals.
    pub needs_intervals: bool,
    /// What its top holds behind a memory port of its own, if it has one.
    pub memory_port: HeldSpaces,
    /// Whether registers may leave its array for memory, through the memory port.
    pub spills_registers: bool,
    /// Preset keys that have a meaning only for the designs that list them here, by whole path.
    pub reads: Vec<String>,
    /// Preset keys that have a meaning for other designs and none for this one, by whole path.
    pub ignores: Vec<String>,
    /// What is elaborated; the first is the default.
    pub elaborations: Vec<Elaboration>,
    /// Preset keys that the design sets, as `--set` does.
    pub overrides: BTreeMap<String, toml::Value>,
    /// Its parameters, those of the port's among them.
    pub parameters: Vec<Parameter>,
    /// What must hold between them.
    pub rules: Vec<Rule>,
    /// What the bits of `events_o` mean, by rising bit.
    pub events: Vec<Event>,
    /// Which events are register accesses of instructions that a register cache serves, or does not.
    pub register_cache: Option<RegisterCache>,
    /// What its array holds, where registers and lines share one.
    pub integrated_memory: Option<IntegratedMemory>,
    /// Tables in the design that say where the rows of its banks lie; [`Manifest::mapping_tables`] has their sizes.
    pub mapping: Option<MappingRule>,
    /// Rates that `make bench` is to find.
    pub bench: Option<BenchTargets>,
    /// What the suites of tests do with it.
    pub tests: TestPlan,
    /// The design's folder.
    pub folder: PathBuf,
}

impl Manifest {
    /// The name that users type: the design's, or that of the variant.
    #[must_use]
    pub fn called(&self) -> String {
        match (&self.alias, &self.variant) {
            (Some(alias), _) => alias.clone(),
            (None, None) => self.name.clone(),
            (None, Some(variant)) => format!("{}-{variant}", self.name),
        }
    }

    /// The name that users type for a variant; `""` is the plain design.
    #[must_use]
    pub fn variant_name(&self, variant: &str) -> String {
        if variant.is_empty() { self.name.clone() } else { format!("{}-{variant}", self.name) }
    }

    /// The file of the top module, which is called after it.
    #[must_use]
    pub fn top_file(&self) -> Option<&Path> {
        let called = |file: &&PathBuf| file.file_stem().is_some_and(|stem| *stem == *self.top);
        self.sources.iter().find(called).map(PathBuf::as_path)
    }

    /// The elaboration of the given name, or the default one.
    ///
    /// # Errors
    /// [`ManifestError::UnknownElaboration`].
    pub fn elaboration(&self, name: Option<&str>) -> Result<&Elaboration, ManifestError> {
        let Some(name) = name else {
            return Ok(&self.elaborations[0]);
        };
        let known = || self.elaborations.iter().map(|e| e.name.as_str());
        self.elaborations.iter().find(|e| e.name == name).ok_or_else(|| ManifestError::UnknownElaboration {
            design: self.name.clone(),
            name: name.to_owned(),
            help: heddle_suggest::hint_and_list(name, known(), "its elaborations are"),
        })
    }

    /// The number that the design sets a preset key to, if it sets it.
    #[must_use]
    pub fn override_number(&self, key: &str) -> Option<u32> {
        self.overrides.get(key)?.as_integer().and_then(|number| u32::try_from(number).ok())
    }

    /// What a cycle model of this elaboration is made with.
    ///
    /// # Errors
    /// [`ManifestError::Parameters`]: the elaboration has an unknown parameter, one that is out of range or against
    /// a rule, or with it the events have no place or the mapping tables no size.
    pub fn instance(&self, elaboration: &Elaboration) -> Result<Instance, ManifestError> {
        let values = parameters::with_defaults(&self.parameters, &elaboration.parameters);
        self.instance_of(values.map_err(|what| self.wrong(what))?)
    }

    /// What a cycle model of this elaboration is made with in a run whose parameters are `values`.
    ///
    /// # Errors
    /// As [`Manifest::instance`].
    pub fn instance_in_run(
        &self,
        elaboration: &Elaboration,
        values: &Parameters,
    ) -> Result<Instance, ManifestError> {
        let of_elaboration = parameters::with_defaults(&self.parameters, &elaboration.parameters);
        let of_elaboration = of_elaboration.map_err(|what| self.wrong(what))?;
        let value = |p: &Parameter| match p.kind {
            Kind::Elaborated => of_elaboration.get(&p.name),
            Kind::Configuration => values.get(&p.name),
        };
        self.instance_of(self.parameters.iter().filter_map(|p| Some((p.name.clone(), value(p)?))).collect())
    }

    fn instance_of(&self, values: Parameters) -> Result<Instance, ManifestError> {
        parameters::keep_rules(&self.rules, &values).map_err(|what| self.wrong(what))?;
        let events = self.layout(&values)?;
        self.mapping_tables(&values)?;
        let width = |name| values.get(name).and_then(|width| usize::try_from(width).ok());
        let missing = || self.wrong("it has no parameters issue_width and result_width".to_owned());
        let widths = PortWidths {
            issue: width("issue_width").ok_or_else(missing)?,
            result: width("result_width").ok_or_else(missing)?,
        };
        let configuration = self.configuration().map(|p| p.name.clone()).collect();
        Ok(Instance { widths, parameters: values, events, configuration })
    }

    /// The parameters of a run: those that it sets in `given`, else what follows from the keys of its preset, else
    /// the defaults.
    ///
    /// # Errors
    /// [`ManifestError::Parameters`]: an unknown parameter, a value out of range or against a rule.
    pub fn values(
        &self,
        given: &BTreeMap<String, Value>,
        preset: &dyn Fn(&str) -> Option<Value>,
    ) -> Result<Parameters, ManifestError> {
        let values = parameters::of_run(&self.parameters, given, preset).map_err(|what| self.wrong(what))?;
        parameters::keep_rules(&self.rules, &values).map_err(|what| self.wrong(what))?;
        Ok(values)
    }

    /// The first parameter whose value only the cycle model can have, and the value.
    #[must_use]
    pub fn without_rtl(&self, values: &Parameters) -> Option<(&Parameter, i64)> {
        let value = |p: &Parameter| values.get(&p.name).filter(|value| p.model_only.contains(value));
        self.parameters.iter().find_map(|p| Some((p, value(p)?)))
    }

    /// The first elaboration that serves a run with these parameters, or one of its own.
    #[must_use]
    pub fn serving(&self, values: &Parameters) -> Elaboration {
        let elaborated = || self.parameters.iter().filter(|p| p.kind == Kind::Elaborated);
        let serves = |e: &&Elaboration| {
            elaborated().all(|p| {
                let there = e.parameters.get(&p.name).copied().unwrap_or(p.default);
                match (values.get(&p.name), p.fit) {
                    (Some(wanted), Fit::Exact) => there == wanted,
                    (Some(wanted), Fit::AtLeast) => there >= wanted,
                    (None, _) => true,
                }
            })
        };
        self.elaborations.iter().find(serves).cloned().unwrap_or_else(|| Elaboration {
            name: "on demand".to_owned(),
            parameters: elaborated()
                .filter_map(|p| {
                    let wanted = values.get(&p.name)?;
                    let enough = if p.fit == Fit::AtLeast { wanted.max(p.default) } else { wanted };
                    Some((p.name.clone(), enough))
                })
                .collect(),
        })
    }

    /// Parameters of the top module in this elaboration, by their names in the RTL.
    ///
    /// # Errors
    /// As [`Manifest::instance`].
    pub fn of_top(&self, elaboration: &Elaboration) -> Result<Vec<(String, i64)>, ManifestError> {
        let values = parameters::with_defaults(&self.parameters, &elaboration.parameters);
        let values = values.map_err(|what| self.wrong(what))?;
        let elaborated = self.parameters.iter().filter(|p| p.kind == Kind::Elaborated);
        Ok(elaborated.filter_map(|p| Some((p.in_rtl(), values.get(&p.name)?))).collect())
    }

    /// The parameters that are words of the port's configuration, by word.
    pub fn configuration(&self) -> impl Iterator<Item = &Parameter> {
        self.parameters.iter().filter(|p| p.kind == Kind::Configuration)
    }

    /// Where the events lie with the given parameters.
    ///
    /// # Errors
    /// [`ManifestError::Parameters`]: with these they have no place.
    pub fn layout(&self, values: &Parameters) -> Result<EventLayout, ManifestError> {
        events::layout(&self.events, values).map_err(|what| self.wrong(what))
    }

    /// The tables that say where the rows of the banks lie, of an instance with the given parameters.
    ///
    /// # Errors
    /// [`ManifestError::Parameters`]: with these the tables have no size.
    pub fn mapping_tables(&self, values: &Parameters) -> Result<Option<MappingTables>, ManifestError> {
        let tables = self.mapping.as_ref().map(|rule| rule.tables(values)).transpose();
        tables.map_err(|what| self.wrong(what))
    }

    fn wrong(&self, what: String) -> ManifestError {
        ManifestError::Parameters { design: self.name.clone(), what }
    }
}
