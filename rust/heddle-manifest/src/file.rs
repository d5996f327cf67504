//! A manifest as it is written.

use std::collections::BTreeMap;
use std::path::PathBuf;

use heddle_port::HeldSpaces;
use serde::Deserialize;

use crate::events::Event;
use crate::manifest::Elaboration;
use crate::parameters::{Parameter, Rule};
use crate::tables::{BenchTargets, IntegratedMemory, MappingRule, RegisterCache, TestPlan};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) design: Design,
    pub(crate) elaborations: Vec<Elaboration>,
    #[serde(default)]
    pub(crate) overrides: BTreeMap<String, toml::Value>,
    #[serde(default)]
    pub(crate) parameters: Vec<Parameter>,
    #[serde(default)]
    pub(crate) rules: Vec<Rule>,
    #[serde(default)]
    pub(crate) events: Vec<Event>,
    pub(crate) register_cache: Option<RegisterCache>,
    pub(crate) integrated_memory: Option<IntegratedMemory>,
    pub(crate) mapping: Option<MappingRule>,
    pub(crate) bench: Option<BenchTargets>,
    #[serde(default)]
    pub(crate) tests: TestPlan,
    #[serde(default)]
    pub(crate) variants: Vec<Variant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Design {
    pub(crate) name: String,
    pub(crate) title: String,
    #[serde(rename = "extends")]
    _extends: Option<String>,
    pub(crate) paper: Option<String>,
    pub(crate) port: Option<u32>,
    /// Top module and sources, of a design with RTL.
    pub(crate) top: Option<String>,
    pub(crate) sources: Option<Vec<PathBuf>>,
    pub(crate) preset: String,
    #[serde(default)]
    pub(crate) needs_intervals: bool,
    #[serde(default)]
    pub(crate) memory_port: Vec<MemorySpace>,
    #[serde(default)]
    pub(crate) spills_registers: bool,
    #[serde(default)]
    pub(crate) reads: Vec<String>,
    #[serde(default)]
    pub(crate) ignores: Vec<String>,
}

/// A space that a design can hold behind its memory port.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MemorySpace {
    Global,
    Local,
    Shared,
}

/// What a list of spaces says; global and local memory share the L1.
pub(crate) fn held_spaces(spaces: &[MemorySpace]) -> Result<HeldSpaces, String> {
    let has = |space| spaces.contains(&space);
    if has(MemorySpace::Global) != has(MemorySpace::Local) {
        return Err(
            "design.memory_port names one of \"global\" and \"local\": both or none are expected".to_owned()
        );
    }
    Ok(HeldSpaces { cached: has(MemorySpace::Global), shared: has(MemorySpace::Shared) })
}

/// Another configuration of a design under a name of its own, `<design>-<variant>`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Variant {
    /// What follows the design's name and a dash.
    pub(crate) name: String,
    /// The whole name that users type, in place of that.
    pub(crate) alias: Option<String>,
    /// Preset in place of the design's.
    pub(crate) preset: Option<String>,
    /// Publication in place of the design's.
    pub(crate) paper: Option<String>,
    /// One line about the variant.
    pub(crate) title: String,
    /// Only the cycle model can run so.
    #[serde(default)]
    pub(crate) model_only: bool,
    /// Preset keys that the variant does not read, beside those of the design.
    #[serde(default)]
    pub(crate) ignores: Vec<String>,
    /// Preset keys that the variant sets, after those of the design.
    pub(crate) overrides: BTreeMap<String, toml::Value>,
}
