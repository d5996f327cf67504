//! The value that `heddle compare --mean` takes of each run, by name.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Failure;
use crate::compare::Run;

/// A sum of numbers of a run, by where they stand: a key, or a table and a key in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeanKey(Vec<String>);

impl MeanKey {
    /// Finds what `text` names, names with `+` between them, in the results of `a` and `b`. A name may leave out what
    /// stands before it, such as `events.`: it means a number of the run, then an event, then a counter, then whatever
    /// else ends so, what was counted in flushes last.
    ///
    /// # Errors
    /// Wrong use: a name that no run has, with the nearest one, or that several numbers of one kind end with.
    pub fn find(text: &str, a: &[Run], b: &[Run]) -> Result<Self, Failure> {
        let known: BTreeSet<String> = a.iter().chain(b).flat_map(numbers).collect();
        let find = |name: &str| {
            if known.contains(name) {
                return Ok(name.to_owned());
            }
            let ending = format!(".{name}");
            let mut inner: Vec<&String> = known.iter().filter(|k| k.ends_with(&ending)).collect();
            let first = inner.iter().map(|k| kind(k)).min();
            inner.retain(|k| Some(kind(k)) == first);
            match inner[..] {
                [one] => Ok(one.clone()),
                [] => {
                    let names = known.iter().flat_map(|k| endings(k));
                    let near = heddle_suggest::hint(name, names);
                    let advice = if near.is_empty() { "; such as ipc, cycles or events.NAME" } else { &near };
                    Err(Failure::usage(format!("no run has a number '{name}'{advice}")))
                }
                _ => {
                    let all: Vec<&str> = inner.iter().map(|k| k.as_str()).collect();
                    Err(Failure::usage(format!("'{name}' can be several, name one: {}", all.join(", "))))
                }
            }
        };
        text.split('+').map(|name| find(name.trim())).collect::<Result<_, _>>().map(Self)
    }

    /// The whole names, with `+` between them.
    pub fn text(&self) -> String {
        self.0.join("+")
    }

    /// The sum in a run, where all of it is there and it is above 0.
    pub fn value(&self, run: &Run) -> Option<f64> {
        let number = |name: &String| {
            let inner = || name.split_once('.').and_then(|(table, key)| run.values.get(table)?.get(key));
            run.values.get(name).or_else(inner)?.as_f64()
        };
        let sum = self.0.iter().map(number).sum::<Option<f64>>()?;
        (sum > 0.0).then_some(sum)
    }

    /// Names that no run of `runs` has.
    pub fn missing(&self, runs: &[Run]) -> Vec<&str> {
        let known: BTreeSet<String> = runs.iter().flat_map(numbers).collect();
        self.0.iter().filter(|name| !known.contains(*name)).map(String::as_str).collect()
    }
}

/// Where a number comes from, what is meant first first.
fn kind(name: &str) -> u8 {
    match name.split_once('.') {
        Some(("events", _)) => 0,
        Some(("statistics", rest)) if !rest.starts_with("flush.") => 1,
        Some(("statistics" | "flush_events", _)) => 3,
        _ => 2,
    }
}

/// A name, and what is left of it without what stands before a point.
fn endings(name: &str) -> impl Iterator<Item = &str> {
    std::iter::once(name).chain(name.match_indices('.').map(|(at, _)| &name[at + 1..]))
}

/// The names of all numbers of a run.
fn numbers(run: &Run) -> Vec<String> {
    let each = |(name, value): (&String, &Value)| match value {
        Value::Object(table) => {
            let inner = table.iter().filter(|(_, value)| value.is_number());
            inner.map(|(key, _)| format!("{name}.{key}")).collect()
        }
        value if value.is_number() => vec![name.clone()],
        _ => Vec::new(),
    };
    run.values.iter().flat_map(each).collect()
}
