//! Measures that need no results: of the structures, the compiler and the machine itself.

mod allocation;
mod area;
mod code;
mod compiler;
mod demand;
mod example;
mod latency;
mod machine_code;
#[cfg(test)]
mod made;
mod occupancy;
mod prepared;
mod racetrack;
mod sensitivity;
mod storage;

use std::collections::BTreeMap;

use crate::error::ClaimError;
use crate::stock::Stock;

/// A function that gives some numbers at once, by name.
type Compute = fn(&Stock) -> Result<Vec<(&'static str, f64)>, ClaimError>;

/// Numbers that are computed together.
struct Family {
    /// Each number with its meaning.
    measures: &'static [(&'static str, &'static str)],
    /// Computes them.
    compute: Compute,
    /// A command that shows them with more detail.
    command: Option<&'static str>,
}

/// All of them.
const FAMILIES: [&Family; 14] = [
    &area::HYBRID,
    &area::RACETRACK,
    &area::LTRF,
    &storage::CERF,
    &storage::LTRF,
    &racetrack::EXAMPLE,
    &racetrack::SAVING,
    &latency::OSM,
    &compiler::REGISTERS,
    &example::LISTING,
    &machine_code::REGISTERS,
    &sensitivity::SHARES,
    &occupancy::TABLE,
    &allocation::SHARED,
];

/// Names of all measures.
pub fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().flat_map(|family| family.measures.iter().map(|(name, _)| *name))
}

fn family(name: &str) -> Option<&'static Family> {
    FAMILIES.into_iter().find(|family| family.measures.iter().any(|(known, _)| *known == name))
}

/// What a measure means; its name where it is none.
pub fn meaning(name: &str) -> &str {
    let found = family(name).and_then(|family| family.measures.iter().find(|(known, _)| *known == name));
    found.map_or(name, |(_, meaning)| meaning)
}

/// The command that shows a measure with more detail.
pub fn command(name: &str) -> Option<&'static str> {
    family(name)?.command
}

/// Measures that have been computed.
#[derive(Debug, Default)]
pub struct Computed(BTreeMap<&'static str, f64>);

impl Computed {
    /// A measure, computed when it is first asked for.
    ///
    /// # Errors
    /// [`ClaimError::Compute`], and what the computation fails with.
    pub fn value(&mut self, stock: &Stock, name: &str) -> Result<f64, ClaimError> {
        if !self.0.contains_key(name)
            && let Some(family) = family(name)
        {
            self.0.extend((family.compute)(stock)?);
        }
        let missing = || ClaimError::Compute {
            measure: "measure",
            message: format!("'{name}' is no measure, or was not computed"),
        };
        self.0.get(name).copied().ok_or_else(missing)
    }
}

/// That a measure cannot be computed.
fn fail(measure: &'static str) -> impl Fn(String) -> ClaimError {
    move |message| ClaimError::Compute { measure, message }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn no_measure_has_the_name_of_another() {
        let different: BTreeSet<&str> = super::names().collect();
        assert_eq!(different.len(), super::names().count());
    }
}
