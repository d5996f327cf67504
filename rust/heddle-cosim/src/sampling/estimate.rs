//! What follows from the windows of a sampled run.
//!
//! The windows of an entry are a sample of the windows into which its instructions between head and end of the launches could
//! be cut. With w_i instructions and c_i cycles in window i of n, the cycles of N instructions are estimated by the ratio
//! r = sum c_i / sum w_i as N r (Cochran, Sampling Techniques, chapter 6), with the variance
//!
//! ```text
//! N^2 (1 - f) s^2 / (n w^2),   s^2 = sum (c_i - r w_i)^2 / (n - 1),   w = sum w_i / n,   f = sum w_i / N
//! ```
//!
//! where 1 - f is the correction for a finite population. The bound of 95 % is Student's quantile for n - 1 degrees of freedom
//! times its root; entries are independent, and their bounds add up in squares. It assumes that windows are drawn independently
//! of each other and that a window costs what it would cost in the full run: what stretches do to the state of the machine is
//! not in it.

use std::collections::BTreeMap;

/// Windows that an entry needs for a bound.
pub const MIN_WINDOWS: usize = 10;

/// A window: what issued in it, and its cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Warp instructions.
    pub instructions: u64,
    /// Cycles.
    pub cycles: u64,
}

/// What was seen of a launch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LaunchSample {
    /// Name of the entry.
    pub entry: String,
    /// Warp instructions, all of them.
    pub instructions: u64,
    /// Of these, those that issued in cycles.
    pub detailed_instructions: u64,
    /// Cycles of the machine, measured or not.
    pub detailed_cycles: u64,
    /// Instructions whose cycles are counted: its head and its end, or all.
    pub counted_instructions: u64,
    /// Those cycles.
    pub counted_cycles: u64,
    /// The windows between.
    pub windows: Vec<Window>,
}

impl LaunchSample {
    /// Instructions whose cycles are estimated.
    #[must_use]
    pub fn estimated_instructions(&self) -> u64 {
        self.instructions - self.counted_instructions
    }
}

/// The windows of an entry.
#[derive(Debug, Clone, Default)]
struct Stratum {
    instructions: u64,
    windows: Vec<Window>,
}

impl Stratum {
    /// Cycles of an instruction.
    fn ratio(&self) -> Option<f64> {
        ratio(self.windows.iter().map(|w| (w.instructions, w.cycles)))
    }

    /// The 95 % bound of its cycles; `None` with too few windows.
    fn bound(&self) -> Option<f64> {
        let n = self.windows.len();
        let ratio = self.ratio().filter(|_| n >= MIN_WINDOWS)?;
        let population = self.instructions as f64;
        let measured = self.windows.iter().map(|w| w.instructions as f64).sum::<f64>();
        let square = |w: &Window| (w.cycles as f64 - ratio * w.instructions as f64).powi(2);
        let variance = self.windows.iter().map(square).sum::<f64>() / (n - 1) as f64;
        let finite = (1.0 - measured / population).max(0.0);
        let mean = measured / n as f64;
        Some(student(n - 1) * population * (finite * variance / n as f64).sqrt() / mean)
    }
}

fn ratio(parts: impl Iterator<Item = (u64, u64)>) -> Option<f64> {
    let (instructions, cycles) = parts.fold((0, 0), |(i, c), (more, cycles)| (i + more, c + cycles));
    (instructions > 0).then(|| cycles as f64 / instructions as f64)
}

/// The 97.5 % quantile of Student's distribution with `degrees` of freedom, 5 or more, within 0.01 (Abramowitz and Stegun,
/// 26.7.5).
#[must_use]
fn student(degrees: usize) -> f64 {
    let (x, n) = (1.959_963_985_f64, degrees as f64);
    let powers = [3, 5, 7].map(|k| x.powi(k));
    let [x3, x5, x7] = powers;
    x + (x3 + x) / (4.0 * n)
        + (5.0 * x5 + 16.0 * x3 + 3.0 * x) / (96.0 * n.powi(2))
        + (3.0 * x7 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / (384.0 * n.powi(3))
}

/// Cycles of a run, estimated from its launches.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Of each launch.
    pub launches: Vec<f64>,
    /// Of the run.
    pub cycles: f64,
    /// The 95 % bound; `None` if an entry has too few windows.
    pub bound: Option<f64>,
    /// Cycles of an instruction in the windows; `None` without a window.
    pub cycles_per_instruction: Option<f64>,
}

impl Estimate {
    /// The estimate from what was seen.
    #[must_use]
    pub fn new(launches: &[LaunchSample]) -> Self {
        let mut strata: BTreeMap<&str, Stratum> = BTreeMap::new();
        for launch in launches.iter().filter(|launch| launch.estimated_instructions() > 0) {
            let stratum = strata.entry(&launch.entry).or_default();
            stratum.instructions += launch.estimated_instructions();
            stratum.windows.extend(&launch.windows);
        }
        let all = ratio(strata.values().flat_map(|s| &s.windows).map(|w| (w.instructions, w.cycles)));
        // Without any window the counted parts are all that there is to go by.
        let counted = || ratio(launches.iter().map(|l| (l.counted_instructions, l.counted_cycles)));
        let fallback = all.or_else(counted).unwrap_or_default();
        let of = |launch: &LaunchSample| {
            let ratio = strata.get(launch.entry.as_str()).and_then(Stratum::ratio).unwrap_or(fallback);
            launch.counted_cycles as f64 + ratio * launch.estimated_instructions() as f64
        };
        let launches: Vec<f64> = launches.iter().map(of).collect();
        let bounds: Option<Vec<f64>> = strata.values().map(Stratum::bound).collect();
        Self {
            cycles: launches.iter().sum(),
            launches,
            bound: bounds.map(|bounds| bounds.iter().fold(0.0, |sum, b| sum + b * b).sqrt()),
            cycles_per_instruction: all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, LaunchSample, MIN_WINDOWS, Window, student};

    fn launch(entry: &str, instructions: u64, counted: (u64, u64), cycles: &[u64]) -> LaunchSample {
        LaunchSample {
            entry: entry.to_owned(),
            instructions,
            counted_instructions: counted.0,
            counted_cycles: counted.1,
            windows: cycles.iter().map(|&cycles| Window { instructions: 10, cycles }).collect(),
            ..LaunchSample::default()
        }
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (degrees, expected) in [(9, 2.2622), (10, 2.2281), (20, 2.0860), (30, 2.0423), (1000, 1.9623)] {
            assert!((student(degrees) - expected).abs() < 5e-4, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn estimate_and_bound_by_hand() {
        // Ten windows of 10 instructions, five with 10 cycles and five with 30: 2 cycles an instruction,
        // s^2 = 10 * 10^2 / 9, and 100 of the 1,000 instructions are measured; Student's quantile of the tables is 2.2622.
        let cycles: Vec<u64> = [10, 30].repeat(5);
        let estimate = Estimate::new(&[launch("a", 1_200, (200, 77), &cycles)]);
        assert!((estimate.cycles - 2_077.0).abs() < 1e-9, "{estimate:?}");
        let by_hand = student(9) * 1_000.0 * (0.9 * (1_000.0 / 9.0) / 10.0_f64).sqrt() / 10.0;
        let bound = estimate.bound.expect("enough windows");
        assert!((bound - by_hand).abs() < 1e-9 && (bound - 715.37).abs() < 0.2, "{bound} {by_hand}");
        assert_eq!(estimate.cycles_per_instruction, Some(2.0));
    }

    #[test]
    fn bounds_of_entries_add_up_in_squares_and_those_of_launches_share_their_windows() {
        let (low, high) = ([10; 5], [30; 5]);
        let one = [launch("a", 600, (100, 40), &low), launch("a", 600, (100, 37), &high)];
        let whole =
            Estimate::new(&[launch("a", 1_200, (200, 77), &[10, 10, 10, 10, 10, 30, 30, 30, 30, 30])]);
        let parts = Estimate::new(&one);
        assert_eq!((parts.cycles, parts.bound), (whole.cycles, whole.bound));
        assert_eq!(parts.launches, [1_040.0, 1_037.0]);
        let again: Vec<_> =
            ["b", "c"].map(|entry| launch(entry, 1_200, (200, 77), &[10, 30].repeat(5))).into();
        let two = Estimate::new(&again).bound.expect("enough windows");
        assert!((two - whole.bound.unwrap_or_default() * 2.0_f64.sqrt()).abs() < 1e-9);
    }

    #[test]
    fn too_few_windows_give_no_bound_and_what_is_counted_has_none() {
        let few = vec![10; MIN_WINDOWS - 1];
        let estimate = Estimate::new(&[launch("a", 1_000, (0, 0), &few)]);
        assert_eq!((estimate.bound, estimate.cycles), (None, 1_000.0));
        let counted = Estimate::new(&[launch("a", 500, (500, 123), &[])]);
        assert_eq!((counted.bound, counted.cycles), (Some(0.0), 123.0));
        assert!(counted.bound.is_some_and(f64::is_sign_positive), "no bound of -0.0 in a file");
        assert_eq!(counted.cycles_per_instruction, None);
        let none = Estimate::new(&[launch("a", 500, (100, 200), &[])]);
        assert_eq!((none.bound, none.cycles), (None, 1_000.0));
    }

    #[test]
    fn windows_over_all_instructions_leave_no_doubt() {
        let estimate = Estimate::new(&[launch("a", 100, (0, 0), &[10, 30].repeat(5))]);
        assert_eq!((estimate.cycles, estimate.bound), (200.0, Some(0.0)));
    }
}
