//! A design made ready for a run: manifest, preset, elaboration and configuration inputs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use heddle_config::{IntervalFormation, Override, PrefetchCode, Preset, Renumbering, Replacement, Setting};
use heddle_passes::{DesignNeeds, Formation, Hierarchy};
use heddle_port::{DesignError, Instance, Parameters, PortConfig, PortWidths};
use heddle_rtl::{Elaboration, Manifest, Value};
use serde_json::Value as Json;

use crate::error::RunError;
use crate::spec::{Engine, RunSpec};

/// Banks in which a preset counts the rows of the main register file: its capacity is that of 16, whatever a
/// design has.
pub(crate) const MAIN_BANKS: u32 = 16;

/// The key of the eighths of a cycle of an access, which the designs read that can have them.
const EIGHTHS: &str = "register_file.bank_eighths";

/// A design and its configuration.
#[derive(Debug, Clone)]
pub struct PreparedDesign {
    /// The manifest.
    pub manifest: Manifest,
    /// The preset with all overrides; of sub-cores it has as many as the design.
    pub preset: Preset,
    /// What is elaborated.
    pub elaboration: Elaboration,
    /// What the cycle model is made with.
    pub instance: Instance,
    /// Configuration inputs.
    pub config: PortConfig,
}

impl PreparedDesign {
    /// Reads the manifest, applies the design's and the user's overrides and chooses an elaboration.
    ///
    /// # Errors
    /// [`RunError::Usage`]: unknown design, preset or key, or in a co-simulation a size that is not
    /// elaborated; the cycle model alone takes any.
    pub fn new(spec: &RunSpec) -> Result<Self, RunError> {
        Self::of(spec, Manifest::load(&spec.root, &spec.design).map_err(RunError::usage)?)
    }

    /// The same of a design whose manifest was read.
    ///
    /// # Errors
    /// [`RunError::Usage`], as of [`PreparedDesign::new`].
    pub fn of(spec: &RunSpec, manifest: Manifest) -> Result<Self, RunError> {
        if spec.engine == Engine::Cosim && !manifest.has_rtl {
            return Err(RunError::usage(format!(
                "'{}' is a cycle model without RTL: `sim` runs it, `cosim` cannot",
                spec.design
            )));
        }
        let of_design: Vec<Override> = manifest
            .overrides
            .iter()
            .map(|(key, value)| Override { key: key.clone(), value: value.to_string() })
            .collect();
        let name = spec.preset.as_deref().unwrap_or(&manifest.preset);
        let preset = heddle_config::load_for(name, &of_design, &spec.overrides);
        let mut preset = preset.map_err(RunError::usage)?;
        let eighths = preset.register_file.bank_eighths;
        if eighths != 0 && !manifest.reads.iter().any(|key| key == EIGHTHS) {
            let cycles = f64::from(preset.register_file.bank_cycles) + f64::from(eighths) / 8.0;
            return Err(RunError::usage(format!(
                "register_file.bank_cycles = {cycles}: '{}' takes whole cycles",
                spec.design
            )));
        }
        if spec.engine == Engine::Cosim && preset.register_file.shift_cycles == 0 {
            return Err(RunError::usage(
                "register_file.shift_cycles = 0 stands for as many ports as domains, which no RTL has: `sim` runs it",
            ));
        }
        let most = preset.on_chip_shared_bytes();
        if !manifest.memory_port.shared && preset.shared_memory.bytes > most {
            return Err(RunError::usage(format!(
                "shared_memory.bytes = {} of design '{}' lie on chip, where shared_memory.split leaves at most {most}",
                preset.shared_memory.bytes, spec.design
            )));
        }
        let values = values(&manifest, &preset)?;
        if spec.engine == Engine::Cosim {
            has_rtl(&manifest, &preset, &values)?;
        }
        // The SM goes by what the design has.
        let sub_cores = values.get("sub_cores").and_then(|count| u32::try_from(count).ok());
        preset.register_file.sub_cores = sub_cores.unwrap_or(1);
        let elaboration = manifest.serving(&values);
        let instance = manifest.instance_in_run(&elaboration, &values).map_err(RunError::usage)?;
        let config = port_config(&manifest, &preset, &instance, &values)?;
        Ok(Self { manifest, preset, elaboration, instance, config })
    }

    /// Banks of the main register file.
    #[must_use]
    pub fn main_banks(&self) -> usize {
        let banks = self.instance.parameters.get("num_banks");
        banks.and_then(|banks| usize::try_from(banks).ok()).unwrap_or(MAIN_BANKS as usize)
    }

    /// Slots of the register port.
    #[must_use]
    pub fn widths(&self) -> PortWidths {
        self.instance.widths
    }

    /// What the passes make for the design.
    #[must_use]
    pub fn needs(&self) -> DesignNeeds {
        let rf = &self.preset.register_file;
        let intervals = self.manifest.needs_intervals.then_some(rf.registers_per_interval);
        let formation = match rf.formation {
            IntervalFormation::RegisterInterval => Formation::RegisterInterval,
            IntervalFormation::Strand => Formation::Strand,
        };
        let spread = intervals.is_some() && rf.renumbering == Renumbering::BankColour;
        let renumber_banks = spread.then_some(MAIN_BANKS as usize);
        let cache = &self.preset.instruction_cache;
        let in_all_code = cache.prefetch_code == PrefetchCode::All && !cache.is_perfect();
        let code_intervals = in_all_code.then_some(rf.registers_per_interval);
        DesignNeeds { intervals, formation, renumber_banks, code_intervals, hierarchy: self.hierarchy() }
    }

    /// The levels that the program manages, of a design with a parameter `operand_entries`; one with `last_result`,
    /// which is on, has a last result file as well.
    fn hierarchy(&self) -> Option<Hierarchy> {
        let value = |name| self.instance.parameters.get(name);
        let operand_entries = value("operand_entries")?;
        Some(Hierarchy {
            operand_entries: u8::try_from(operand_entries).unwrap_or(u8::MAX),
            last_result: value("last_result").is_some_and(|there| there != 0),
        })
    }

    /// The preset, with as many CTAs at once as `spec` has for an entry.
    pub(crate) fn preset_of(&self, spec: &RunSpec, entry: &str) -> Cow<'_, Preset> {
        match spec.entry_ctas.get(entry) {
            Some(&ctas) if ctas < self.preset.sm.ctas => {
                let mut fewer = self.preset.clone();
                fewer.sm.ctas = ctas;
                Cow::Owned(fewer)
            }
            _ => Cow::Borrowed(&self.preset),
        }
    }

    /// For results: the design's parameters and configuration inputs by name, and all values of the preset, with every
    /// override, by the whole path of their keys.
    ///
    /// # Errors
    /// [`RunError::Report`]: a value of the preset that JSON cannot have.
    pub fn parameters(&self) -> Result<BTreeMap<String, Json>, RunError> {
        let config = &self.config;
        let mut all: BTreeMap<String, Json> =
            self.instance.parameters.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        for (name, value) in [
            ("bank_cycles", u64::from(config.bank_cycles)),
            ("crossbar_cycles", u64::from(config.crossbar_cycles)),
            ("active_warps", u64::from(config.active_warps)),
            ("registers_per_interval", u64::from(config.registers_per_interval)),
            ("rows_per_bank", u64::from(config.rows_per_bank)),
            ("write_cycles", u64::from(config.write_cycles)),
            ("shift_cycles", u64::from(config.shift_cycles)),
            ("preshift", u64::from(config.preshift)),
            ("wakeup_cycles", u64::from(config.wakeup_cycles)),
            ("ways", u64::from(config.ways)),
            ("fair", u64::from(config.fair)),
            ("cache_size_log2", u64::from(config.cache_size_log2)),
            ("reads_to_unlock", u64::from(config.reads_to_unlock)),
            ("hit_latency", u64::from(config.hit_latency)),
        ] {
            all.insert(name.to_owned(), value.into());
        }
        let preset = serde_json::to_value(&self.preset);
        let preset = preset.map_err(|e| RunError::Report { message: format!("the preset: {e}") })?;
        add_values(&mut all, "", preset);
        Ok(all)
    }

    /// The saved view's description.
    #[must_use]
    pub fn view_file(&self, root: &Path) -> std::path::PathBuf {
        root.join("testbench").join(&self.manifest.name).join("view.toml")
    }
}

/// Adds every value below `path` by its whole key.
fn add_values(all: &mut BTreeMap<String, Json>, path: &str, value: Json) {
    match value {
        Json::Object(keys) => {
            for (key, value) in keys {
                let path = if path.is_empty() { key } else { format!("{path}.{key}") };
                add_values(all, &path, value);
            }
        }
        value => {
            all.insert(path.to_owned(), value);
        }
    }
}

/// A configuration that the design refuses, and what to give instead.
pub(crate) fn refused(error: DesignError) -> RunError {
    let DesignError::Config { key, .. } = error else { return RunError::usage(error) };
    RunError::usage(format!("{error}; give another value with --set {key}=N"))
}

/// The design's parameters with a preset.
fn values(manifest: &Manifest, preset: &Preset) -> Result<Parameters, RunError> {
    let settings = preset.settings();
    let value = |setting: &Setting| match setting {
        Setting::Flag(flag) => Value::Number((*flag).into()),
        Setting::Number(number) => Value::Number(*number),
        Setting::Text(text) => Value::Text(text.clone()),
    };
    let given = preset.design.iter().map(|(name, setting)| (name.clone(), value(setting))).collect();
    manifest.values(&given, &|key| settings.get(key).map(value)).map_err(RunError::usage)
}

/// Whether there is RTL with these parameters.
fn has_rtl(manifest: &Manifest, preset: &Preset, values: &Parameters) -> Result<(), RunError> {
    let Some((parameter, value)) = manifest.without_rtl(values) else { return Ok(()) };
    let settings = preset.settings();
    let names = parameter.from.iter().flat_map(heddle_rtl::Formula::names);
    let keys = names.filter_map(|key| Some(format!("{key} = {}, ", settings.get(key)?)));
    Err(RunError::usage(format!(
        "{}design.{} = {value}: there is no RTL of '{}' for it, only the cycle model: `sim` runs it, `cosim` cannot",
        keys.collect::<String>(),
        parameter.name,
        manifest.called()
    )))
}

fn port_config(
    manifest: &Manifest,
    preset: &Preset,
    instance: &Instance,
    values: &Parameters,
) -> Result<PortConfig, RunError> {
    let rf = &preset.register_file;
    let held = u64::from(rf.rows_per_bank) * u64::from(MAIN_BANKS) * 32;
    if u64::from(preset.sm.registers) > held {
        return Err(RunError::usage(format!(
            "sm.registers = {} do not fit the register file: {MAIN_BANKS} banks of register_file.rows_per_bank \
             = {} rows hold {held}",
            preset.sm.registers, rf.rows_per_bank
        )));
    }
    // `Preset::validate` has bounded every value.
    let byte = |v: u32| u8::try_from(v).unwrap_or(u8::MAX);
    // What is elaborated may have more rows than the run.
    let rows = values.get("rows_per_bank").and_then(|rows| u16::try_from(rows).ok()).unwrap_or(u16::MAX);
    Ok(PortConfig {
        bank_cycles: byte(rf.bank_cycles),
        crossbar_cycles: byte(rf.crossbar_cycles),
        active_warps: byte(preset.most_active_warps(manifest.needs_intervals)),
        registers_per_interval: byte(rf.registers_per_interval),
        rows_per_bank: rows,
        write_cycles: byte(rf.write_cycles),
        shift_cycles: byte(rf.shift_cycles),
        preshift: rf.preshift,
        wakeup_cycles: byte(rf.wakeup_cycles),
        ways: byte(rf.ways),
        fair: rf.replacement == Replacement::Fair,
        // A power of two of KB, as `Preset::validate` says.
        cache_size_log2: byte((preset.shared_memory.cache_bytes >> 10).trailing_zeros()),
        reads_to_unlock: byte(preset.shared_memory.reads_to_unlock),
        // The preset counts from the look-up, which follows the handshake.
        hit_latency: byte(preset.shared_memory.latency.saturating_add(1)),
        own: instance.design_words(),
    })
}

#[cfg(test)]
mod tests;
