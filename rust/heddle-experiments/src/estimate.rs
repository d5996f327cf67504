//! How long runs will take, from how long runs took.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_cosim::Kernel;
use heddle_workloads::Size;
use serde::Deserialize;
use serde_json::Value;

use crate::error::ExperimentError;
use crate::folder::{listed, read};
use crate::identity::{Identity, MADE_BY};
use crate::outcome::Took;
use crate::plan::PlannedRun;
use crate::store::Store;
use crate::tlp::{CTAS, Tlp};

/// The design that stated seconds are of.
const STATED_OF: &str = "baseline";

/// Where an estimate comes from, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// Runs of the same design, kernel and size by this program on these files, of any settings.
    Measured,
    /// What is stated of the kernel in that size, times how much longer the design's runs in it took than the
    /// baseline's of the same kernels.
    Stated,
}

impl Basis {
    /// A word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Stated => "stated",
        }
    }
}

/// Seconds of runs that were measured or are stated.
#[derive(Debug, Clone, Default)]
pub struct Rates {
    /// Sum and number of the runs of a design, a kernel and a size.
    measured: BTreeMap<(String, String, String), (f64, f64)>,
    /// Of a kernel and a size.
    stated: BTreeMap<(String, String), f64>,
}

/// A result, as far as that of any program is looked at.
#[derive(Debug, Deserialize)]
struct Run {
    #[serde(default)]
    identity: Value,
}

/// A run that took its time.
#[derive(Debug, Deserialize)]
struct Of {
    design: String,
    kernel: String,
    size: String,
    #[serde(default)]
    tlp: Option<String>,
}

/// The name under which seconds of a design's runs are kept: a profile before the run takes longer than the
/// run.
fn timed(design: &str, tlp: &str) -> String {
    if tlp == Tlp::Max.name() { design.to_owned() } else { format!("{design}, tlp {tlp}") }
}

impl Rates {
    /// Those of the runs below the folder `results` that the program and the files of `identity` made, whatever
    /// experiment they are of. What others have left there says nothing of how long these will take, and neither does what
    /// cannot be read.
    ///
    /// # Errors
    /// [`ExperimentError::NoFolder`], [`ExperimentError::Folder`]: one that cannot be listed.
    pub fn load(results: &Path, identity: &Identity) -> Result<Self, ExperimentError> {
        let mut rates = Self::default();
        for folder in listed(&Store::all(results))?.into_iter().filter(|folder| folder.is_dir()) {
            for file in listed(&folder.join("times"))? {
                let Some(name) = file.file_name() else { continue };
                let run = folder.join("runs").join(name);
                let Ok(Some(Run { identity: found })) = read::<Run>(&run) else { continue };
                if found.get(MADE_BY) != Some(identity.hashed()) {
                    continue;
                }
                let Ok(of) = serde_json::from_value::<Of>(found) else { continue };
                if let Ok(Some(took)) = read::<Took>(&file) {
                    let tlp = of.tlp.as_deref().unwrap_or(Tlp::Max.name());
                    rates.took(&timed(&of.design, tlp), &of.kernel, &of.size, took.seconds);
                }
            }
        }
        Ok(rates)
    }

    fn took(&mut self, design: &str, kernel: &str, size: &str, seconds: f64) {
        let key = (design.to_owned(), kernel.to_owned(), size.to_owned());
        let (sum, runs) = self.measured.entry(key).or_default();
        *sum += seconds;
        *runs += 1.0;
    }

    /// Says how long the baseline takes for a kernel in a size.
    pub fn state(&mut self, kernel: &str, size: Size, seconds: f64) {
        self.stated.insert((kernel.to_owned(), size.to_string()), seconds);
    }

    /// How many seconds a run will take; `None` where nothing is known of its kernel in its size.
    #[must_use]
    pub fn seconds(&self, run: &PlannedRun) -> Option<(f64, Basis)> {
        let Kernel::Workload { name, size } = &run.spec.kernel else { return None };
        let (design, size) = (timed(&run.spec.design, run.tlp.name()), size.to_string());
        if let Some((sum, runs)) = self.measured.get(&(design.clone(), name.clone(), size.clone())) {
            return Some((sum / runs, Basis::Measured));
        }
        let stated = self.stated.get(&(name.clone(), size.clone()))?;
        let longer = self.times_longer(&design, &size).unwrap_or_else(|| {
            let runs = if run.tlp == Tlp::Best { most_profiled(run) + 1.0 } else { 1.0 };
            runs * self.times_longer(&run.spec.design, &size).unwrap_or(1.0)
        });
        Some((stated * longer, Basis::Stated))
    }

    /// How much longer runs of a design took than those of the baseline with the same kernels in a size;
    /// `None` where there are no such runs.
    fn times_longer(&self, design: &str, size: &str) -> Option<f64> {
        let of_design = self.measured.iter().filter(|((of, _, in_size), _)| of == design && in_size == size);
        let pairs = of_design.filter_map(|((_, kernel, _), (sum, runs))| {
            let base = (STATED_OF.to_owned(), kernel.clone(), size.to_owned());
            let (base_sum, base_runs) = self.measured.get(&base)?;
            Some((sum / runs, base_sum / base_runs))
        });
        let (own, base) = pairs.fold((0.0, 0.0), |(own, base), pair| (own + pair.0, base + pair.1));
        (base > 0.0).then(|| own / base)
    }
}

/// Runs of the profile where as many CTAs fit as the preset allows: three for each number of them.
fn most_profiled(run: &PlannedRun) -> f64 {
    3.0 * run.identity["parameters"][CTAS].as_f64().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::Rates;

    #[test]
    fn a_design_takes_so_many_times_as_long_as_the_baseline_on_what_both_ran() {
        let mut rates = Rates::default();
        rates.took("baseline", "sgemm", "smoke", 1.0);
        rates.took("baseline", "sgemm", "smoke", 3.0);
        rates.took("baseline", "bfs", "smoke", 100.0);
        rates.took("osm", "sgemm", "smoke", 3.0);
        assert_eq!(rates.times_longer("osm", "smoke"), Some(1.5));
        assert_eq!(rates.times_longer("osm", "paper"), None, "nothing is known of it there");
    }
}
