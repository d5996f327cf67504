//! What a file says, held against what there is.

use std::collections::BTreeSet;
use std::ops::Range;

use heddle_config::Override;
use heddle_cosim::{Engine, PreparedDesign};
use heddle_workloads::{Size, Workload};
use toml::{Spanned, Value};

use crate::catalog::{Catalog, is_counted};
use crate::error::ExperimentError;
use crate::experiment::{Chosen, Experiment, Series, countable};
use crate::file::{ExperimentFile, SeriesFile, Text, setting};
use crate::scale::Scale;
use crate::tlp::{CTAS, Tlp};

/// A file that is being checked.
pub struct Check<'a> {
    pub text: Text<'a>,
    pub catalog: &'a Catalog,
}

impl Check<'_> {
    /// The experiment that the file says, at a scale; what it says of the others is checked too.
    pub fn experiment(&self, file: &ExperimentFile, scale: Scale) -> Result<Experiment, ExperimentError> {
        let stem = self.text.path.file_stem().unwrap_or_default().to_string_lossy();
        if *file.id.get_ref() != *stem {
            let what = format!("id is '{}'; expected the name of the file, '{stem}'", file.id.get_ref());
            return Err(self.text.wrong(file.id.span(), what));
        }
        for other in Scale::ALL {
            self.scaled(file, other)?;
        }
        let (size, kernels, left_out) = self.scaled(file, scale)?;
        let measure = file.measure.get_ref().clone();
        self.catalog.check_measure(&measure).map_err(|e| self.text.wrong(file.measure.span(), e))?;
        if file.series.get_ref().is_empty() {
            return Err(self.text.wrong(file.series.span(), "no series; expected at least one [[series]]"));
        }
        let mut names = BTreeSet::new();
        let mut series = Vec::new();
        for one in file.series.get_ref() {
            self.name(&one.name)?;
            if !names.insert(one.name.get_ref().as_str()) {
                let what = format!("series '{}' is there twice; expected other names", one.name.get_ref());
                return Err(self.text.wrong(one.name.span(), what));
            }
            series.push(self.series(one)?);
        }
        let experiment = Experiment {
            id: file.id.get_ref().clone(),
            title: file.title.clone(),
            source: file.source.clone(),
            scale,
            size,
            seed: file.seed.unwrap_or(1),
            engine: self.engine(file.engine.as_ref())?,
            max_cycles: file.max_cycles.map(std::num::NonZero::get),
            sms: self.sms(file.sms.as_ref())?,
            kernels,
            left_out,
            measure,
            normalise_to: file.normalise_to.as_ref().map(|name| name.get_ref().clone()),
            series,
        };
        if let Some(base) = &file.normalise_to {
            self.base(&experiment, base)?;
        }
        self.points(&experiment, file)?;
        Ok(experiment)
    }

    /// The name of a series, which tables and figures show as it is.
    fn name(&self, name: &Spanned<String>) -> Result<(), ExperimentError> {
        let text = name.get_ref();
        let what = if text.trim().is_empty() {
            "a series has no name; expected a text".to_owned()
        } else if let Some(hidden) = text.chars().find(|character| is_hidden(*character)) {
            let code = u32::from(hidden);
            format!("the name of a series has the character U+{code:04X}; expected characters that are shown")
        } else {
            return Ok(());
        };
        Err(self.text.wrong(name.span(), what))
    }

    /// SMs that are simulated; how many a preset has is seen at its points.
    fn sms(&self, sms: Option<&Spanned<i64>>) -> Result<u32, ExperimentError> {
        let Some(sms) = sms else { return Ok(1) };
        u32::try_from(*sms.get_ref()).ok().filter(|number| *number > 0).ok_or_else(|| {
            let what = format!("sms = {} is out of range: 1 to the SMs of the preset", sms.get_ref());
            self.text.wrong(sms.span(), what)
        })
    }

    fn engine(&self, name: Option<&Spanned<String>>) -> Result<Engine, ExperimentError> {
        let Some(name) = name else { return Ok(Engine::Sim) };
        let engines = [Engine::Sim, Engine::Cosim];
        engines.into_iter().find(|engine| engine.name() == name.get_ref()).ok_or_else(|| {
            let hint = heddle_suggest::hint_or_list(name.get_ref(), engines.map(Engine::name));
            self.text.wrong(name.span(), format!("unknown engine '{}'{hint}", name.get_ref()))
        })
    }

    /// Size, kernels that run, and kernels that are left out at a scale.
    fn scaled(
        &self,
        file: &ExperimentFile,
        scale: Scale,
    ) -> Result<(Size, Vec<Chosen>, Vec<Chosen>), ExperimentError> {
        let written = file.scales.at(scale);
        let size: Result<Size, _> = written.size.get_ref().parse();
        let size = size.map_err(|e| self.text.wrong(written.size.span(), e.to_string()))?;
        let mut kernels = self.kernels(&file.kernels, size)?;
        let mut left_out = Vec::new();
        for name in &written.without {
            let Some(at) = kernels.iter().position(|kernel| kernel.to_string() == *name.get_ref()) else {
                let names: Vec<String> = kernels.iter().map(ToString::to_string).collect();
                let hint = heddle_suggest::hint_or_list(name.get_ref(), names.iter().map(String::as_str));
                let what = format!("scale {scale} has no kernel '{}' to leave out{hint}", name.get_ref());
                return Err(self.text.wrong(name.span(), what));
            };
            left_out.push(kernels.remove(at));
        }
        if let (true, Some(last)) = (kernels.is_empty(), written.without.last()) {
            return Err(self.text.wrong(last.span(), format!("scale {scale} leaves out every kernel")));
        }
        Ok((size, kernels, left_out))
    }

    fn kernels(&self, list: &Spanned<Value>, size: Size) -> Result<Vec<Chosen>, ExperimentError> {
        let wrong = |what: String| self.text.wrong(list.span(), what);
        let expected = "expected \"all\", or a list of kernels such as [\"bfs\", \"lud:lud_diagonal\"]";
        let names: Option<Vec<&str>> = match list.get_ref() {
            Value::String(all) if all == "all" => {
                let fitting = heddle_workloads::all().iter().filter(|w| w.sizes().contains(&size));
                Some(fitting.map(|w| w.name()).collect())
            }
            Value::Array(names) => names.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let names = names.filter(|names| !names.is_empty());
        let names = names.ok_or_else(|| wrong(format!("these are no kernels; {expected}")))?;
        let mut seen = BTreeSet::new();
        for name in names {
            let (kernel, entry) = name.split_once(':').map_or((name, None), |(k, e)| (k, Some(e)));
            let workload = heddle_workloads::find(kernel).map_err(|e| wrong(e.to_string()))?;
            if !workload.sizes().contains(&size) {
                return Err(wrong(format!("kernel '{kernel}' has no size {size}")));
            }
            if let Some(entry) = entry {
                has_entry(workload, entry).map_err(wrong)?;
            }
            let chosen = Chosen { kernel: kernel.to_owned(), entry: entry.map(str::to_owned) };
            if !seen.insert(chosen) {
                return Err(wrong(format!("kernel '{name}' is there twice")));
            }
        }
        Ok(seen.into_iter().collect())
    }

    fn series(&self, file: &SeriesFile) -> Result<Series, ExperimentError> {
        let of = |key: &str, span: Range<usize>, value: &Value| {
            let what = "expected a number, a text or a truth value, and the whole path of the key in quotes";
            let wrong = || self.text.wrong(span, format!("'{key}' has no value that can be set; {what}"));
            setting(value).ok_or_else(wrong)
        };
        let mut set = Vec::new();
        for (key, value) in &file.set {
            let value = of(key, value.span(), value.get_ref())?;
            set.push(Override { key: key.clone(), value });
        }
        let mut sweep = Vec::new();
        for (key, values) in &file.sweep {
            let span = values.span();
            let list = values.get_ref().as_array().filter(|list| !list.is_empty()).ok_or_else(|| {
                let what = format!("'{key}' has no values; expected a list of at least one");
                self.text.wrong(span.clone(), what)
            })?;
            let values: Result<Vec<String>, _> = list.iter().map(|v| of(key, span.clone(), v)).collect();
            let values = values?;
            let different: BTreeSet<&String> = values.iter().collect();
            if different.len() < values.len() {
                return Err(self.text.wrong(span, format!("'{key}' has a value twice")));
            }
            if file.set.contains_key(key) {
                return Err(self
                    .text
                    .wrong(span, format!("'{key}' is in set too; expected it in one of them")));
            }
            sweep.push((key.clone(), values));
            countable(&sweep).map_err(|e| self.text.wrong(span, format!("up to '{key}' {e}")))?;
        }
        let preset = file.preset.as_ref().map(|preset| preset.get_ref().clone());
        let (name, design) = (file.name.get_ref().clone(), file.design.get_ref().clone());
        Ok(Series { name, design, preset, tlp: self.tlp(file)?, set, sweep })
    }

    /// How many CTAs a series keeps resident; where the profile says it, nothing else does.
    fn tlp(&self, file: &SeriesFile) -> Result<Tlp, ExperimentError> {
        let Some(name) = &file.tlp else { return Ok(Tlp::Max) };
        let found = Tlp::ALL.into_iter().find(|tlp| tlp.name() == name.get_ref()).ok_or_else(|| {
            let hint = heddle_suggest::hint_or_list(name.get_ref(), Tlp::ALL.map(Tlp::name));
            self.text.wrong(name.span(), format!("unknown tlp '{}'{hint}", name.get_ref()))
        })?;
        let own = file.set.get(CTAS).or_else(|| file.sweep.get(CTAS));
        match own.filter(|_| found == Tlp::Best) {
            Some(own) => Err(self.text.wrong(own.span(), format!("tlp = \"best\" chooses '{CTAS}' already"))),
            None => Ok(found),
        }
    }

    /// Whether every point has one point that it is divided by.
    fn base(&self, experiment: &Experiment, base: &Spanned<String>) -> Result<(), ExperimentError> {
        let names = experiment.series.iter().map(|series| series.name.as_str());
        let found =
            experiment.series.iter().find(|series| series.name == *base.get_ref()).ok_or_else(|| {
                let hint = heddle_suggest::hint_or_list(base.get_ref(), names);
                self.text.wrong(base.span(), format!("unknown series '{}'{hint}", base.get_ref()))
            })?;
        for point in experiment.points() {
            if experiment.base_of(&point).is_none() {
                let keys: Vec<&str> = found.sweep.iter().map(|(key, _)| key.as_str()).collect();
                let what = format!(
                    "'{}' has no partner in series '{}', which sweeps {}: expected the same values of these there",
                    point.label(),
                    found.name,
                    keys.join(", ")
                );
                return Err(self.text.wrong(base.span(), what));
            }
        }
        Ok(())
    }

    /// Whether each point is a design with a preset that it can have, and one of the designs has the measure.
    fn points(&self, experiment: &Experiment, file: &ExperimentFile) -> Result<(), ExperimentError> {
        let Some(kernel) = experiment.kernels.first() else { return Ok(()) };
        let mut is_measured = false;
        for (series, written) in experiment.series.iter().zip(file.series.get_ref()) {
            for point in series.points() {
                let spec = experiment.spec(self.catalog.root(), &point, &kernel.kernel);
                let design = PreparedDesign::new(&spec).map_err(|e| {
                    let text = e.to_string();
                    self.text.wrong(place(written, &text), format!("series '{}': {text}", point.label()))
                })?;
                is_measured |= is_counted(&experiment.measure, &design.manifest);
                let there = design.preset.gpu.sms;
                if let Some(sms) = &file.sms
                    && experiment.sms > there
                {
                    let what = format!(
                        "sms = {}: preset '{}' of series '{}' has 1 to {there} SMs (gpu.sms)",
                        experiment.sms, design.preset.name, series.name
                    );
                    return Err(self.text.wrong(sms.span(), what));
                }
                if let Some(tlp) = &written.tlp
                    && point.tlp == Tlp::Best
                    && design.manifest.mapping.is_none()
                {
                    let what = format!(
                        "the number of CTAs is chosen for racetracks; design '{}' has none",
                        point.design
                    );
                    return Err(self.text.wrong(tlp.span(), what));
                }
            }
        }
        if !is_measured {
            let what = format!("no design of the experiment counts '{}'", experiment.measure);
            return Err(self.text.wrong(file.measure.span(), what));
        }
        Ok(())
    }
}

/// Where in a series a fault of its design or preset is most likely from: the key that the message names.
fn place(series: &SeriesFile, message: &str) -> Range<usize> {
    let values = series.set.iter().chain(&series.sweep);
    let named = values.filter(|(key, _)| message.contains(key.as_str())).map(|(_, value)| value.span());
    let preset = series.preset.iter().filter(|p| message.contains(p.get_ref().as_str())).map(Spanned::span);
    named.chain(preset).next().unwrap_or_else(|| series.design.span())
}

/// Whether a character is a control, or changes the direction of text, so that a terminal does not show it.
fn is_hidden(character: char) -> bool {
    let turns = matches!(
        character,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    character.is_control() || turns
}

/// Whether the PTX of a workload has an entry.
fn has_entry(workload: &dyn Workload, entry: &str) -> Result<(), String> {
    let (_, ptx) = workload.ptx();
    let name = |rest: &str| -> String {
        rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || "_$".contains(*c)).collect()
    };
    let entries: Vec<String> = ptx.split(".entry").skip(1).map(name).collect();
    if entries.iter().any(|known| known == entry) {
        return Ok(());
    }
    let hint = heddle_suggest::hint_or_list(entry, entries.iter().map(String::as_str));
    Err(format!("kernel '{}' has no entry '{entry}'{hint}", workload.name()))
}
