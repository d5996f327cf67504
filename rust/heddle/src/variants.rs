//! Variants: the runs of one design with one choice of settings, when a file of results holds several.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::compare::Run;

/// The settings that tell the runs of a design from each other, with their values, by key.
pub type Settings = BTreeMap<String, Value>;

/// A value of a run that the user chose: the engine, the preset, the SMs, or a key of the preset by its whole path.
fn setting<'a>(run: &'a Run, key: &str) -> Option<&'a Value> {
    match key {
        "engine" | "preset" | "sms" | FILE => run.values.get(key),
        _ => run.values.get("parameters")?.get(key),
    }
}

/// The file of a run, where several files are compared with one.
pub const FILE: &str = "file";

/// Keys of all settings of a run. RTL parameters, which have no point in their names, follow from the others.
fn keys(run: &Run) -> impl Iterator<Item = &str> {
    let parameters = run.values.get("parameters").and_then(Value::as_object);
    let own = parameters.into_iter().flat_map(Map::keys).map(String::as_str).filter(|key| key.contains('.'));
    ["engine", "preset", "sms", FILE].into_iter().filter(|key| run.values.contains_key(*key)).chain(own)
}

/// By design, the keys in which runs of the same kernel, size and seed differ.
#[derive(Debug, Default)]
pub struct Varying(BTreeMap<String, BTreeSet<String>>);

impl Varying {
    /// Those of `runs`, which are all of one side.
    pub fn of(runs: &[Run]) -> Self {
        let mut groups: BTreeMap<(&str, &str, &str, u64), Vec<&Run>> = BTreeMap::new();
        for run in runs {
            groups.entry((&run.design, &run.kernel, &run.size, run.seed)).or_default().push(run);
        }
        let mut varying = Self::default();
        for ((design, ..), group) in groups {
            let all: BTreeSet<&str> = group.iter().flat_map(|run| keys(run)).collect();
            let differ = |key: &&str| group.iter().any(|run| setting(run, key) != setting(group[0], key));
            let found = all.into_iter().filter(differ).map(str::to_owned);
            varying.0.entry(design.to_owned()).or_default().extend(found);
        }
        varying
    }

    /// Both together: what varies on either side tells runs of both apart.
    pub fn and(mut self, other: Self) -> Self {
        for (design, keys) in other.0 {
            self.0.entry(design).or_default().extend(keys);
        }
        self
    }

    /// The settings that tell `run` from others of its design.
    pub fn settings(&self, run: &Run) -> Settings {
        let keys = self.0.get(&run.design).into_iter().flatten();
        keys.filter_map(|key| Some((key.clone(), setting(run, key)?.clone()))).collect()
    }
}

/// Settings in one line, empty where there are none.
pub fn line(settings: &Settings) -> String {
    let each = |(key, value): (&String, &Value)| match value {
        Value::String(text) => format!("{key}={text}"),
        other => format!("{key}={other}"),
    };
    settings.iter().map(each).collect::<Vec<_>>().join(" ")
}

/// Settings as a value of a row: null where there are none, so that a table has no column for them.
pub fn shown(settings: &Settings) -> Value {
    if settings.is_empty() { Value::Null } else { line(settings).into() }
}
