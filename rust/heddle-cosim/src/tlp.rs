//! How many CTAs to keep resident on racetracks (Liang and Wang, JCST 2016, section 4.2).
//!
//! More CTAs contend for the L1 and lengthen the way of the shifts. Both are profiled with the cycle model
//! for each number of CTAs, independently of each other, and added up.

use std::collections::BTreeMap;

use heddle_config::Override;
use serde::Serialize;

use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::part::{PartReport, Per};
use crate::session::Session;
use crate::spec::{Engine, Kernel, RunSpec};

/// What is expected of a number of resident CTAs, all in warp instructions a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TlpPoint {
    /// CTAs resident at once.
    pub ctas: u32,
    /// Without shifts: P_cache.
    pub cache_ipc: f64,
    /// Without shifts and with an L1 that always hits: P_ideal.
    pub ideal_ipc: f64,
    /// With shifts and with an L1 that always hits: P_RM.
    pub shifting_ipc: f64,
    /// Equation 2: P.
    pub expected_ipc: f64,
    /// Share of the L1's loads that missed in the run of P_cache; 0 without loads.
    pub l1_miss_rate: f64,
}

impl TlpPoint {
    /// Equations 1 and 2: P = P_cache - (P_ideal - P_RM).
    fn new(ctas: u32, cache_ipc: f64, ideal_ipc: f64, shifting_ipc: f64) -> Self {
        let expected_ipc = cache_ipc - (ideal_ipc - shifting_ipc);
        Self { ctas, cache_ipc, ideal_ipc, shifting_ipc, expected_ipc, l1_miss_rate: 0.0 }
    }
}

/// The profile of an entry and the number of CTAs chosen from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TlpChoice {
    /// Name of the entry.
    pub entry: String,
    /// One for each number of CTAs that fits, from 1 on.
    pub points: Vec<TlpPoint>,
    /// The number with the highest expected performance; the smallest of equal ones.
    pub best: u32,
}

impl TlpChoice {
    fn of(entry: String, points: Vec<TlpPoint>) -> Self {
        let mut best: Option<&TlpPoint> = None;
        for point in &points {
            if best.is_none_or(|b| point.expected_ipc > b.expected_ipc) {
                best = Some(point);
            }
        }
        Self { entry, best: best.map_or(1, |b| b.ctas), points }
    }
}

fn setting(key: &str, value: impl std::fmt::Display) -> Override {
    Override { key: key.to_owned(), value: value.to_string() }
}

/// Profiles the run of `spec` with 1, 2, ... CTAs up to what fits, and chooses for each entry, in the order of their first
/// launches. The cycle model runs, whatever the engine of `spec`; three runs for each number, and those of the register mapping.
///
/// # Errors
/// As a run of the cycle model; [`RunError::Usage`] for a design without racetracks, and for a trace, of which as many
/// CTAs are resident as fit.
pub fn choose_tlp(spec: &RunSpec, control: &mut dyn Control) -> Result<Vec<TlpChoice>, RunError> {
    let profile = RunSpec {
        engine: Engine::Sim,
        waves: None,
        fault: None,
        per: Per::Entry,
        entry_ctas: BTreeMap::new(),
        ..spec.clone()
    };
    let design = PreparedDesign::new(&profile)?;
    if design.manifest.mapping.is_none() {
        return Err(RunError::usage(format!(
            "the number of CTAs is chosen for racetracks; design '{}' has none",
            spec.design
        )));
    }
    if let Kernel::Trace(path) = &spec.kernel {
        let what = format!("the number of CTAs is chosen by runs of a kernel; {} is a trace", path.display());
        return Err(RunError::usage(what));
    }
    let mut profiles: Vec<(String, Vec<TlpPoint>)> = Vec::new();
    for ctas in 1..=design.preset.sm.ctas {
        control.stage(&format!("profiling with at most {ctas} CTAs at once"));
        let mut run = |settings: &[Override]| {
            let mut spec = profile.clone();
            spec.overrides.push(setting("sm.ctas", ctas));
            spec.overrides.extend_from_slice(settings);
            Ok::<_, RunError>(Session::new(spec)?.run(control)?.parts)
        };
        let no_shifts =
            [setting("register_file.shift_cycles", 0), setting("register_file.mapping", "\"ascending\"")];
        let always_hit = setting("l1d.always_hit", true);
        let cache = run(&no_shifts)?;
        if cache.iter().all(|entry| entry.resident_ctas < ctas) {
            break;
        }
        let ideal = run(&[&no_shifts[..], std::slice::from_ref(&always_hit)].concat())?;
        let shifting = run(std::slice::from_ref(&always_hit))?;
        for ((cache, ideal), shifting) in cache.iter().zip(&ideal).zip(&shifting) {
            if cache.resident_ctas < ctas {
                continue;
            }
            let point = TlpPoint::new(ctas, cache.ipc, ideal.ipc, shifting.ipc);
            let point = TlpPoint { l1_miss_rate: l1_miss_rate(cache), ..point };
            match profiles.iter_mut().find(|(entry, _)| *entry == cache.entry) {
                Some((_, points)) => points.push(point),
                None => profiles.push((cache.entry.clone(), vec![point])),
            }
        }
    }
    Ok(profiles.into_iter().map(|(entry, points)| TlpChoice::of(entry, points)).collect())
}

/// Share of the loads of the L1 that missed; 0 without loads.
fn l1_miss_rate(part: &PartReport) -> f64 {
    let loads = |name: &str| part.statistics.get(name).copied().unwrap_or(0) as f64;
    let misses = loads("memory.l1.read_misses") + loads("memory.l1.read_merged");
    misses / (misses + loads("memory.l1.read_hits")).max(1.0)
}

/// The run with as many CTAs of each entry as were chosen.
#[must_use]
pub fn with_choices(mut spec: RunSpec, choices: &[TlpChoice]) -> RunSpec {
    spec.entry_ctas = choices.iter().map(|choice| (choice.entry.clone(), choice.best)).collect();
    spec
}

#[cfg(test)]
mod tests {
    use super::{TlpChoice, TlpPoint};

    /// Three CTAs would be best for the cache alone (1.75), and without contention at all; shifts cost them 0.75.
    #[test]
    fn equations_1_and_2_on_a_case_made_by_hand() {
        let points = vec![
            TlpPoint::new(1, 1.0, 1.25, 1.0),
            TlpPoint::new(2, 1.5, 2.0, 1.75),
            TlpPoint::new(3, 1.75, 2.5, 1.75),
        ];
        let expected: Vec<f64> = points.iter().map(|p| p.expected_ipc).collect();
        assert_eq!(expected, [0.75, 1.25, 1.0]);
        assert_eq!(TlpChoice::of("entry".to_owned(), points).best, 2);
    }

    #[test]
    fn of_equal_numbers_the_smallest_is_chosen() {
        let points = (1..4).map(|ctas| TlpPoint::new(ctas, 1.0, 1.0, 1.0)).collect();
        assert_eq!(TlpChoice::of("entry".to_owned(), points).best, 1);
    }
}
