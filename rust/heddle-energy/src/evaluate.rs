//! The energy of a run.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::EnergyError;
use crate::technology::{Component, Technology};

/// pJ that 1 mW takes in a cycle of a clock of 1 MHz.
const PICOJOULE: f64 = 1000.0;

/// What a component took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComponentEnergy {
    /// Its name.
    pub component: String,
    /// By events, in pJ.
    pub dynamic_pj: f64,
    /// By time, in pJ.
    pub leakage_pj: f64,
}

/// What a run took.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunEnergy {
    /// Its components.
    pub components: Vec<ComponentEnergy>,
    /// Sum by events, in pJ.
    pub dynamic_pj: f64,
    /// Sum by time, in pJ.
    pub leakage_pj: f64,
    /// Both, in pJ.
    pub total_pj: f64,
    /// By the time of the run, in mW.
    pub average_mw: f64,
    /// Area of one design, where the technology has it; nothing of it depends on the run.
    pub area: Option<f64>,
    /// Its unit.
    pub area_unit: Option<String>,
}

impl RunEnergy {
    /// That of the run whose row `heddle sim` or `cosim` printed.
    ///
    /// # Errors
    /// [`EnergyError`]: the technology does not have the design or is of another size, the row lacks a number or
    /// has a negative one, or a result is too large for a number.
    pub fn new(technology: &Technology, row: &Map<String, Value>) -> Result<Self, EnergyError> {
        let design = row.get("design").and_then(Value::as_str).unwrap_or_default();
        let of_design = technology.design(design)?;
        for (key, of) in &of_design.of {
            let has = number(row, &format!("parameters.{key}"), || {
                "says whether the constants are the run's".to_owned()
            })?;
            if has != *of {
                return Err(EnergyError::Size { design: design.to_owned(), key: key.clone(), of: *of, has });
            }
        }
        let cycles = number(row, "cycles", || "says how long the run was".to_owned())?;
        let mhz = number(row, "parameters.gpu.core_mhz", || "says how long a cycle is".to_owned())?;
        let sms = number(row, "sms", || "says how many designs leak".to_owned())?;
        if !(mhz > 0.0 && mhz.is_finite()) {
            return Err(EnergyError::Clock { mhz });
        }
        let microseconds = cycles / mhz;
        let mut components = Vec::new();
        for component in &of_design.components {
            components.push(of_component(component, row, (cycles * sms, mhz))?);
        }
        let dynamic_pj: f64 = components.iter().map(|c| c.dynamic_pj).sum();
        let leakage_pj: f64 = components.iter().map(|c| c.leakage_pj).sum();
        let total_pj = dynamic_pj + leakage_pj;
        let average_mw = if microseconds > 0.0 { total_pj / PICOJOULE / microseconds } else { 0.0 };
        for (what, result) in [
            ("energy by events", dynamic_pj),
            ("energy by time", leakage_pj),
            ("energy", total_pj),
            ("power", average_mw),
        ] {
            if !result.is_finite() {
                return Err(EnergyError::TooLarge { path: technology.path.clone(), what });
            }
        }
        let area = of_design.area();
        let area_unit = area.and(technology.area_unit).map(|unit| unit.to_string());
        Ok(Self { components, dynamic_pj, leakage_pj, total_pj, average_mw, area, area_unit })
    }
}

/// What a component took in a run of so many cycles, of all SMs, at so many MHz.
fn of_component(
    component: &Component,
    row: &Map<String, Value>,
    (cycles, mhz): (f64, f64),
) -> Result<ComponentEnergy, EnergyError> {
    let wanted_by = || format!("component '{}' counts", component.name);
    let (mut dynamic_pj, mut leakage_pj) = (0.0, 0.0);
    for term in &component.dynamic {
        dynamic_pj += number(row, &term.count, wanted_by)? * term.picojoule;
    }
    for term in &component.leakage {
        let during = match &term.during {
            Some(count) => number(row, count, wanted_by)?,
            None => cycles,
        };
        leakage_pj += term.milliwatt * during / mhz * PICOJOULE;
    }
    Ok(ComponentEnergy { component: component.name.clone(), dynamic_pj, leakage_pj })
}

/// The number with a dotted name: a key of the row, or `TABLE.KEY`.
pub(crate) fn find<'a>(row: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    let found = match key.split_once('.') {
        None => row.get(key),
        Some((table, inner)) => row.get(table).and_then(|table| table.get(inner)),
    };
    found.filter(|value| value.is_number())
}

/// The number with a dotted name. It is finite and not negative.
fn number(row: &Map<String, Value>, key: &str, wanted_by: impl Fn() -> String) -> Result<f64, EnergyError> {
    let missing = || EnergyError::Missing { key: key.to_owned(), wanted_by: wanted_by() };
    let found = find(row, key).ok_or_else(missing)?;
    let negative =
        || EnergyError::Negative { key: key.to_owned(), found: found.to_string(), wanted_by: wanted_by() };
    found.as_f64().filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(negative)
}
