//! `rtl/<design>/design.toml`: what a design is made of and what its event bits mean.
//!
//! Designs are found by folder; there is no list of them anywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use heddle_port::{EVENT_BITS, EventField, EventLayout, HeldSpaces, Instance, PortWidths};
use serde::Deserialize;

use crate::error::ManifestError;

/// A design's manifest, read and checked.
#[derive(Debug, Clone, PartialEq)]
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
    /// What the bits of `events_o` mean, by rising bit.
    pub events: Vec<Event>,
    /// Which events are register accesses of instructions that a register cache serves, or does not.
    pub register_cache: Option<RegisterCache>,
    /// Tables in the design that say where the rows of its banks lie.
    pub mapping: Option<MappingTables>,
    /// Rates that `make bench` is to find.
    pub bench: Option<BenchTargets>,
    /// The design's folder.
    pub folder: PathBuf,
}

/// Another configuration of a design under a name of its own, `<design>-<variant>`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    /// What follows the design's name and a dash.
    name: String,
    /// The whole name that users type, in place of that.
    alias: Option<String>,
    /// Preset in place of the design's.
    preset: Option<String>,
    /// Publication in place of the design's.
    paper: Option<String>,
    /// One line about the variant.
    title: String,
    /// Only the cycle model can run so.
    #[serde(default)]
    model_only: bool,
    /// Preset keys that the variant does not read, beside those of the design.
    #[serde(default)]
    ignores: Vec<String>,
    /// Preset keys that the variant sets, after those of the design.
    overrides: BTreeMap<String, toml::Value>,
}

/// Events of which the hit rate of a register cache is made: hits / (hits + misses).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterCache {
    /// Counted events that are register accesses served by the cache.
    pub hits: Vec<String>,
    /// Counted events that are register accesses of instructions that it did not serve.
    pub misses: Vec<String>,
}

/// One loadable table for each main bank: 8 bits a row, port x offsets + offset. A map command loads 32 rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MappingTables {
    /// Access ports of a bank.
    pub ports: usize,
    /// Rows that one port reaches.
    pub offsets: usize,
}

impl MappingTables {
    /// Rows that one map command loads.
    pub const ROWS_PER_COMMAND: usize = 32;
    /// Rows of a bank.
    #[must_use]
    pub fn rows(self) -> usize {
        self.ports * self.offsets
    }

    fn check(self) -> Result<(), String> {
        let Self { ports, offsets } = self;
        let rows = ports.saturating_mul(offsets);
        let whole = (1..=256).contains(&rows) && rows.is_multiple_of(Self::ROWS_PER_COMMAND);
        whole.then_some(()).ok_or_else(|| {
            format!(
                "mapping has {ports} ports and {offsets} offsets, {rows} rows: a multiple of {} up to 256 is expected",
                Self::ROWS_PER_COMMAND
            )
        })
    }
}

/// Rates that `make bench` is to find with a design and its variants, at size `small`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BenchTargets {
    /// Cycles of the cycle model per CPU second, at least.
    pub model: Option<f64>,
    /// Cycles of the co-simulation per CPU second, at least.
    pub cosim: Option<f64>,
    /// Microseconds a cycle that the co-simulation spends outside the verilated model, at most.
    pub outside: Option<f64>,
}

impl BenchTargets {
    fn check(self) -> Result<(), String> {
        for (key, rate) in [("model", self.model), ("cosim", self.cosim), ("outside", self.outside)] {
            if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
                return Err(format!("bench.{key} is {rate}: a positive number is expected"));
            }
        }
        Ok(())
    }
}

/// One set of top-level parameters with a name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elaboration {
    /// Name that users type.
    pub name: String,
    /// Parameters of the top module; those not named keep the module's own default.
    #[serde(default)]
    pub parameters: BTreeMap<String, i64>,
}

/// A range of event bits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Name, unique in the design.
    pub name: String,
    /// Lowest bit.
    pub lsb: u16,
    /// Number of bits, often one a bank.
    pub width: u16,
    /// Whether set bits are summed into the statistics; others are only compared (grants, states).
    pub counted: bool,
    /// Bits of a number, where the event is a row of numbers whose sum in the last cycle of each launch is summed as
    /// `NAME_at_end`.
    pub at_end: Option<u16>,
    /// The field is a number, and the number is what is summed.
    #[serde(default)]
    pub level: bool,
    /// What a set bit says.
    pub doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    design: Design,
    elaborations: Vec<Elaboration>,
    #[serde(default)]
    overrides: BTreeMap<String, toml::Value>,
    #[serde(default)]
    events: Vec<Event>,
    register_cache: Option<RegisterCache>,
    mapping: Option<MappingTables>,
    bench: Option<BenchTargets>,
    #[serde(default)]
    variants: Vec<Variant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Design {
    name: String,
    title: String,
    paper: Option<String>,
    top: String,
    sources: Vec<PathBuf>,
    preset: String,
    #[serde(default)]
    needs_intervals: bool,
    #[serde(default)]
    memory_port: Vec<MemorySpace>,
    #[serde(default)]
    spills_registers: bool,
    #[serde(default)]
    reads: Vec<String>,
    #[serde(default)]
    ignores: Vec<String>,
}

/// A space that a design can hold behind its memory port.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MemorySpace {
    Global,
    Local,
    Shared,
}

/// What a list of spaces says; global and local memory share the L1.
fn held_spaces(spaces: &[MemorySpace]) -> Result<HeldSpaces, String> {
    let has = |space| spaces.contains(&space);
    if has(MemorySpace::Global) != has(MemorySpace::Local) {
        return Err(
            "design.memory_port names one of \"global\" and \"local\": both or none are expected".to_owned()
        );
    }
    Ok(HeldSpaces { cached: has(MemorySpace::Global), shared: has(MemorySpace::Shared) })
}

impl Manifest {
    /// Names of all designs below `root/rtl`, without their variants, in alphabetical order.
    ///
    /// # Errors
    /// [`ManifestError::Read`].
    pub fn names(root: &Path) -> Result<Vec<String>, ManifestError> {
        let folder = root.join("rtl");
        let fail = |source| ManifestError::Read { path: folder.clone(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(&folder).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            if entry.path().join("design.toml").is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Reads and checks the manifest of `name`, a design or a variant of one, in the repository at `root`.
    ///
    /// # Errors
    /// [`ManifestError::UnknownDesign`], or what is wrong with the manifest and where.
    pub fn load(root: &Path, name: &str) -> Result<Self, ManifestError> {
        let designs = Self::names(root)?;
        if designs.iter().any(|design| design == name) {
            return Ok(Self::with_variants(root, name)?.swap_remove(0));
        }
        let all = Self::load_all(root)?;
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
        for name in Self::names(root)? {
            all.extend(Self::with_variants(root, &name)?);
        }
        Ok(all)
    }

    /// The name that users type: the design's, or that of the variant.
    #[must_use]
    pub fn called(&self) -> String {
        match (&self.alias, &self.variant) {
            (Some(alias), _) => alias.clone(),
            (None, None) => self.name.clone(),
            (None, Some(variant)) => format!("{}-{variant}", self.name),
        }
    }

    /// The design of a folder, then its variants.
    fn with_variants(root: &Path, name: &str) -> Result<Vec<Self>, ManifestError> {
        let path = root.join("rtl").join(name).join("design.toml");
        let text =
            fs::read_to_string(&path).map_err(|source| ManifestError::Read { path: path.clone(), source })?;
        let mut file: File = toml::from_str(&text)
            .map_err(|source| ManifestError::Toml { path: path.clone(), source: Box::new(source) })?;
        let variants = std::mem::take(&mut file.variants);
        for (i, variant) in variants.iter().enumerate() {
            if variants[..i].iter().any(|other| other.name == variant.name) {
                let what = format!("variant '{}' is there twice", variant.name);
                return Err(ManifestError::Invalid { path, what });
            }
        }
        let plain = Self::checked(file, name, root).map_err(|what| ManifestError::Invalid { path, what })?;
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
            manifest.has_rtl = !variant.model_only;
            manifest.overrides.extend(variant.overrides);
            manifest.ignores.extend(variant.ignores);
            manifest
        }));
        Ok(all)
    }

    fn checked(file: File, name: &str, root: &Path) -> Result<Self, String> {
        let inside = Path::new("rtl").join(name);
        let File { design, elaborations, overrides, mut events, register_cache, mapping, bench, variants: _ } =
            file;
        if design.name != name {
            return Err(format!("design.name is '{}' but the folder is '{name}'", design.name));
        }
        let sources: Vec<PathBuf> =
            design.sources.iter().map(|source| root.join(without_parents(&inside.join(source)))).collect();
        if let Some(missing) = sources.iter().find(|s| !s.is_file()) {
            return Err(format!("design.sources names {}, which is not there", missing.display()));
        }
        if elaborations.is_empty() {
            return Err("at least one [[elaborations]] is needed".to_owned());
        }
        for (i, e) in elaborations.iter().enumerate() {
            if elaborations[..i].iter().any(|o| o.name == e.name) {
                return Err(format!("elaboration '{}' is there twice", e.name));
            }
        }
        check_events(&mut events)?;
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
        if let Some(mapping) = mapping {
            mapping.check()?;
        }
        if let Some(bench) = bench {
            bench.check()?;
        }
        Ok(Self {
            name: design.name,
            variant: None,
            alias: None,
            has_rtl: true,
            title: design.title,
            paper: design.paper,
            top: design.top,
            sources,
            preset: design.preset,
            needs_intervals: design.needs_intervals,
            memory_port,
            spills_registers: design.spills_registers,
            reads: design.reads,
            ignores: design.ignores,
            elaborations,
            overrides,
            events,
            register_cache,
            mapping,
            bench,
            folder: root.join(inside),
        })
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
    #[must_use]
    pub fn instance(&self, widths: PortWidths, elaboration: &Elaboration) -> Instance {
        let field = |e: &Event| (e.name.clone(), EventField { lsb: e.lsb, width: e.width });
        Instance {
            widths,
            parameters: elaboration.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect(),
            events: EventLayout::new(self.events.iter().map(field).collect()),
        }
    }

    /// The event that bit `bit` of the event vector belongs to, and the bit's place in it.
    #[must_use]
    pub fn event_of_bit(&self, bit: usize) -> Option<(&Event, usize)> {
        self.events.iter().find_map(|e| {
            let at = bit.checked_sub(usize::from(e.lsb))?;
            (at < usize::from(e.width)).then_some((e, at))
        })
    }
}

fn check_events(events: &mut [Event]) -> Result<(), String> {
    events.sort_by_key(|e| e.lsb);
    for (i, e) in events.iter().enumerate() {
        let end = usize::from(e.lsb) + usize::from(e.width);
        if e.width == 0 || end > EVENT_BITS {
            return Err(format!(
                "event '{}' has bits {}..{end}: at least one, and all below {EVENT_BITS} are expected",
                e.name, e.lsb
            ));
        }
        if e.at_end.is_some_and(|bits| {
            bits == 0 || bits > 16 || 32 % bits != 0 || e.width % bits != 0 || e.lsb % bits != 0
        }) {
            return Err(format!(
                "event '{}' has at_end = {}: bits of a number, 1, 2, 4, 8 or 16, that divide lsb and width are expected",
                e.name,
                e.at_end.unwrap_or(0)
            ));
        }
        if let Some(other) = events[..i].iter().find(|o| o.name == e.name) {
            return Err(format!("event '{}' is there twice", other.name));
        }
        if let Some(before) = i.checked_sub(1).map(|b| &events[b])
            && before.lsb + before.width > e.lsb
        {
            return Err(format!("events '{}' and '{}' share bit {}", before.name, e.name, e.lsb));
        }
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
