//! The value that `heddle compare --mean` takes of each run, by name.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::Failure;
use crate::compare::Run;

/// A sum of numbers of a run, by where they stand: a key, or a table and a key in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeanKey(Vec<String>);

impl MeanKey {
    /// Finds what `text` names, names with `+` between them, in the results of `a` and `b`. What stands in a table may be
    /// named without the table where no other has it.
    ///
    /// # Errors
    /// Wrong use: a name that no run has, with the nearest one, or that several tables have.
    pub fn find(text: &str, a: &[Run], b: &[Run]) -> Result<Self, Failure> {
        let known: BTreeSet<String> = a.iter().chain(b).flat_map(numbers).collect();
        let find = |name: &str| {
            if known.contains(name) {
                return Ok(name.to_owned());
            }
            let inner: Vec<&String> = known.iter().filter(|k| in_table(k) == Some(name)).collect();
            match inner[..] {
                [one] => Ok(one.clone()),
                [] => {
                    let names = known.iter().flat_map(|k| [Some(k.as_str()), in_table(k)]).flatten();
                    let near = heddle_suggest::hint(name, names);
                    let advice = if near.is_empty() { "; such as ipc, cycles or events.NAME" } else { &near };
                    Err(Failure::usage(format!("no run has a number '{name}'{advice}")))
                }
                _ => {
                    let all: Vec<&str> = inner.iter().map(|k| k.as_str()).collect();
                    Err(Failure::usage(format!(
                        "'{name}' is in several tables, name one: {}",
                        all.join(", ")
                    )))
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

/// The key of a name in a table, without the table.
fn in_table(name: &str) -> Option<&str> {
    name.split_once('.').map(|(_, key)| key)
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
