//! Parameters of a design: what they are called, what they may be, and where a run's values come from.

use std::collections::BTreeMap;

use heddle_port::{DESIGN_WORDS, Parameters};
use serde::Deserialize;

use crate::formula::{Formula, Value};

/// How a parameter reaches the RTL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A parameter of the top module: another value is another build.
    Elaborated,
    /// A word of the port's configuration, read when reset is released.
    Configuration,
}

/// Which values of an elaborated parameter serve a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// The run's own.
    #[default]
    Exact,
    /// It and every larger one.
    AtLeast,
}

/// One parameter of a design.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Name, as in `--set design.NAME=VALUE`; a parameter `some_name` of the top module is `SomeName`.
    pub name: String,
    /// How it reaches the RTL.
    pub kind: Kind,
    /// The least and the greatest value.
    range: Option<[i64; 2]>,
    /// All values, in place of a range.
    values: Option<Vec<i64>>,
    /// Of these, the ones that only the cycle model can have: there is no RTL with them.
    #[serde(default)]
    pub model_only: Vec<i64>,
    /// The value where neither the run nor a preset gives one; `true` is 1.
    #[serde(deserialize_with = "number_or_flag")]
    pub default: i64,
    /// What the value follows from: keys of the preset and parameters that stand before.
    pub from: Option<Formula>,
    /// Which values serve a run.
    #[serde(default)]
    pub fit: Fit,
    /// What it says, with its unit.
    pub doc: String,
    /// Where it is from: paper and section.
    pub source: Option<String>,
}

/// What must hold between parameters.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Holds where it is not 0.
    pub holds: Formula,
    /// What is said where it does not hold.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an integer, true or false is expected")]
enum NumberOrFlag {
    Number(i64),
    Flag(bool),
}

fn number_or_flag<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    Ok(match NumberOrFlag::deserialize(from)? {
        NumberOrFlag::Number(number) => number,
        NumberOrFlag::Flag(flag) => flag.into(),
    })
}

/// Parameters that every top module has, unless its manifest says otherwise.
const PORT: &str = include_str!("port_parameters.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PortFile {
    parameters: Vec<Parameter>,
}

/// What of a value is wrong, in words, with the place that gives it.
pub type Wrong = String;

impl Parameter {
    /// Whether the parameter can have the value.
    #[must_use]
    pub fn allows(&self, value: i64) -> bool {
        match (&self.values, self.range) {
            (Some(values), _) => values.contains(&value),
            (None, Some([low, high])) => (low..=high).contains(&value),
            (None, None) => (0..=1).contains(&value),
        }
    }

    /// The least and the greatest value that it can have.
    #[must_use]
    pub fn extremes(&self) -> [i64; 2] {
        let least_and_greatest = |values: &Vec<i64>| Some([*values.iter().min()?, *values.iter().max()?]);
        self.values.as_ref().and_then(least_and_greatest).or(self.range).unwrap_or([0, 1])
    }

    /// What it may be, in words.
    #[must_use]
    pub fn allowed(&self) -> String {
        match (&self.values, self.range) {
            (Some(values), _) => values.iter().map(i64::to_string).collect::<Vec<_>>().join(", "),
            (None, Some([low, high])) => format!("{low} to {high}"),
            (None, None) => "false or true".to_owned(),
        }
    }

    /// The least value.
    #[must_use]
    pub fn least(&self) -> i64 {
        match &self.values {
            Some(values) => values.iter().copied().min().unwrap_or(self.default),
            None => self.range.map_or(0, |[low, _]| low),
        }
    }

    /// The greatest value.
    #[must_use]
    pub fn most(&self) -> i64 {
        match (&self.values, self.range) {
            (Some(values), _) => values.iter().copied().max().unwrap_or(self.default),
            (None, range) => range.map_or(1, |[_, high]| high),
        }
    }

    /// Its name in the RTL.
    #[must_use]
    pub fn in_rtl(&self) -> String {
        in_rtl(&self.name)
    }

    fn check(&self) -> Result<(), Wrong> {
        let Self { name, .. } = self;
        let word = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !word || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(format!(
                "parameter '{name}': a name of lower-case letters, digits and _ is expected"
            ));
        }
        if self.values.is_some() && self.range.is_some() {
            return Err(format!("parameter '{name}' has a range and values: one of them is expected"));
        }
        if !self.allows(self.default) {
            return Err(format!(
                "parameter '{name}' is {} by default, which is none of {}",
                self.default,
                self.allowed()
            ));
        }
        if let Some(other) = self.model_only.iter().find(|value| !self.allows(**value)) {
            return Err(format!(
                "parameter '{name}' has model_only = {other}, which is none of {}",
                self.allowed()
            ));
        }
        if self.model_only.contains(&self.default) {
            return Err(format!(
                "parameter '{name}' is {} by default, which is model_only: a value with RTL is expected",
                self.default
            ));
        }
        if self.kind == Kind::Configuration && (self.most() > u32::MAX.into() || self.allows(-1)) {
            return Err(format!(
                "parameter '{name}' does not fit a word of 32 bits: 0 to 4294967295 is expected"
            ));
        }
        Ok(())
    }
}

/// A parameter's name in the RTL: `some_name` is `SomeName`.
#[must_use]
pub fn in_rtl(name: &str) -> String {
    let mut upper = true;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}

/// The parameters of every top, those of `own` in place of the ones of the same name and behind them.
pub(crate) fn with_port(own: Vec<Parameter>) -> Result<Vec<Parameter>, Wrong> {
    let port: PortFile = toml::from_str(PORT).map_err(|e| format!("parameters of the port: {e}"))?;
    let mut all = port.parameters;
    for (i, parameter) in own.iter().enumerate() {
        parameter.check()?;
        if own[..i].iter().any(|other| other.name == parameter.name) {
            return Err(format!("parameter '{}' is there twice", parameter.name));
        }
    }
    let words = own.iter().filter(|parameter| parameter.kind == Kind::Configuration).count();
    if words > DESIGN_WORDS {
        return Err(format!("{words} parameters are configuration: at most {DESIGN_WORDS} are expected"));
    }
    all.retain(|parameter| own.iter().all(|other| other.name != parameter.name));
    // A value may follow from parameters that stand before, so that what the design says itself comes first.
    let mut whole = own;
    whole.append(&mut all);
    Ok(whole)
}

/// A parameter by name.
pub(crate) fn find<'a>(parameters: &'a [Parameter], name: &str) -> Result<&'a Parameter, Wrong> {
    parameters.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
        let known = parameters.iter().map(|parameter| parameter.name.as_str());
        let help = heddle_suggest::hint_and_list(name, known, "its parameters are");
        format!("there is no parameter '{name}'{help}")
    })
}

/// The default values, with those of `given` in their places.
///
/// # Errors
/// An unknown name, or a value that the parameter cannot have.
pub(crate) fn with_defaults(
    parameters: &[Parameter],
    given: &BTreeMap<String, i64>,
) -> Result<Parameters, Wrong> {
    for (name, value) in given {
        let parameter = find(parameters, name)?;
        if !parameter.allows(*value) {
            return Err(format!("{name} = {value} is out of range: {}", parameter.allowed()));
        }
    }
    let value = |p: &Parameter| given.get(&p.name).copied().unwrap_or(p.default);
    Ok(parameters.iter().map(|p| (p.name.clone(), value(p))).collect())
}

/// The values of a run: what it sets, else what follows from the preset, else the defaults.
///
/// # Errors
/// An unknown name, a value of the wrong kind or that the parameter cannot have, with the key that gives it.
pub(crate) fn of_run(
    parameters: &[Parameter],
    given: &BTreeMap<String, Value>,
    preset: &dyn Fn(&str) -> Option<Value>,
) -> Result<Parameters, Wrong> {
    for (name, value) in given {
        find(parameters, name)?;
        if let Value::Text(text) = value {
            return Err(format!("design.{name} takes an integer, true or false, not '{text}'"));
        }
    }
    let mut values: Vec<(String, i64)> = Vec::new();
    for parameter in parameters {
        let set = given.get(&parameter.name).and_then(Value::number);
        let value = match (set, &parameter.from) {
            (Some(value), _) => value,
            (None, Some(from)) => {
                let of = |name: &str| {
                    let before = values.iter().find(|(earlier, _)| earlier == name);
                    before.map(|(_, value)| Value::Number(*value)).or_else(|| preset(name))
                };
                from.evaluate(&of)?
            }
            (None, None) => parameter.default,
        };
        if !parameter.allows(value) {
            let place = match (set, &parameter.from) {
                (None, Some(from)) => format!("{from} = {value}, which gives design.{},", parameter.name),
                _ => format!("design.{} = {value}", parameter.name),
            };
            return Err(format!("{place} is out of range: {}", parameter.allowed()));
        }
        values.push((parameter.name.clone(), value));
    }
    Ok(values.into_iter().collect())
}

/// The rules that must hold between values.
///
/// # Errors
/// The first rule that does not hold: its message, and the values that it is about.
pub(crate) fn keep_rules(rules: &[Rule], values: &Parameters) -> Result<(), Wrong> {
    for rule in rules {
        if rule.holds.evaluate(&|name| values.get(name).map(Value::Number))? == 0 {
            let mut about: Vec<&str> = rule.holds.names();
            about.sort_unstable();
            about.dedup();
            let about: Vec<String> = about
                .into_iter()
                .filter_map(|name| Some(format!("design.{name} = {}", values.get(name)?)))
                .collect();
            return Err(format!("{}: {}", about.join(", "), rule.message));
        }
    }
    Ok(())
}
