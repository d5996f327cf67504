//! Where the windows of a sampled run lie.

use std::str::FromStr;

use thiserror::Error;

/// Lengths of a sampled run, in warp instructions of the SM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    /// Instructions of a window, whose cycles are measured.
    pub window: u64,
    /// Instructions in detail before each window, which are not measured.
    pub warm_up: u64,
    /// Instructions of a period, which has one window.
    pub every: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { window: 8_000, warm_up: 8_000, every: 80_000 }
    }
}

/// Why a text is no [`Sampling`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SamplingError {
    /// A part that is not `key=value`, or of another key.
    #[error("'{0}': expected window=N, warm-up=N or every=N, comma separated; a number has no commas")]
    Key(String),
    /// A value that is no number.
    #[error("'{0}': expected a whole number of warp instructions")]
    Number(String),
    /// A key that was there before.
    #[error("'{0}': the key is there twice")]
    Twice(String),
    /// A window of nothing.
    #[error("window=0: a window has at least one warp instruction")]
    Empty,
    /// Windows that overlap.
    #[error("every={every} is less than warm-up={warm_up} and window={window} together")]
    Overlap {
        /// [`Sampling::every`].
        every: u64,
        /// [`Sampling::warm_up`].
        warm_up: u64,
        /// [`Sampling::window`].
        window: u64,
    },
}

impl FromStr for Sampling {
    type Err = SamplingError;

    /// `window=N,warm-up=N,every=N`; what is left out keeps its default.
    fn from_str(text: &str) -> Result<Self, SamplingError> {
        let mut plan = Self::default();
        let mut keys = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| SamplingError::Key(part.to_owned()))?;
            if keys.contains(&key) {
                return Err(SamplingError::Twice(part.to_owned()));
            }
            keys.push(key);
            let place = match key {
                "window" => &mut plan.window,
                "warm-up" => &mut plan.warm_up,
                "every" => &mut plan.every,
                _ => return Err(SamplingError::Key(part.to_owned())),
            };
            *place = value.parse().map_err(|_| SamplingError::Number(part.to_owned()))?;
        }
        let Self { window, warm_up, every } = plan;
        if window == 0 {
            return Err(SamplingError::Empty);
        }
        match warm_up.checked_add(window) {
            Some(detailed) if detailed <= every => Ok(plan),
            _ => Err(SamplingError::Overlap { every, warm_up, window }),
        }
    }
}

/// The functional stretches of a launch: each period has its window at a place drawn by the seed, so that no rhythm of the
/// kernel meets that of the windows.
#[derive(Debug, Clone)]
pub struct Schedule {
    plan: Sampling,
    state: u64,
    /// Instructions of the last period behind its window.
    rest: u64,
}

impl Schedule {
    /// Of launch `launch` of a run with seed `seed`.
    #[must_use]
    pub fn new(plan: Sampling, seed: u64, launch: u32) -> Self {
        Self { plan, state: seed ^ u64::from(launch).rotate_right(32), rest: 0 }
    }

    /// Its lengths.
    #[must_use]
    pub fn plan(&self) -> Sampling {
        self.plan
    }

    /// Instructions of the stretch before the next window.
    pub fn next_stretch(&mut self) -> u64 {
        let slack = self.plan.every - self.plan.window - self.plan.warm_up;
        let before = self.draw() % (slack + 1);
        let stretch = self.rest + before;
        self.rest = slack - before;
        stretch
    }

    /// SplitMix64 (Steele and others, OOPSLA 2014).
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::{Sampling, SamplingError, Schedule};

    #[test]
    fn a_plan_is_read_and_one_that_cannot_be_is_refused() {
        let plan = |text: &str| text.parse::<Sampling>();
        assert_eq!(plan(""), Ok(Sampling::default()));
        let expected = Sampling { window: 10, every: 50, warm_up: 40 };
        assert_eq!(plan("window=10, every=50,warm-up=40"), Ok(expected));
        assert_eq!(plan("windows=10"), Err(SamplingError::Key("windows=10".to_owned())));
        assert_eq!(plan("window"), Err(SamplingError::Key("window".to_owned())));
        assert_eq!(plan("window=-1"), Err(SamplingError::Number("window=-1".to_owned())));
        assert_eq!(plan("window=0"), Err(SamplingError::Empty));
        assert_eq!(plan("window=1,window=2"), Err(SamplingError::Twice("window=2".to_owned())));
        let overlap = SamplingError::Overlap { every: 49, warm_up: 40, window: 10 };
        assert_eq!(plan("window=10,every=49,warm-up=40"), Err(overlap));
        assert!(matches!(plan(&format!("window={}", u64::MAX)), Err(SamplingError::Overlap { .. })));
    }

    #[test]
    fn every_period_has_one_window_at_a_place_of_its_own() {
        let plan = Sampling { window: 10, warm_up: 20, every: 100 };
        let begins = |seed, launch| {
            let mut schedule = Schedule::new(plan, seed, launch);
            let mut at = 0;
            let mut begins = Vec::new();
            for _ in 0..200 {
                at += schedule.next_stretch();
                begins.push(at);
                at += plan.warm_up + plan.window;
            }
            begins
        };
        let first = begins(1, 0);
        assert!((0..).zip(&first).all(|(period, at)| (100 * period..=100 * period + 70).contains(at)));
        let places: Vec<u64> = first.iter().map(|at| at % 100).collect();
        assert!(places.iter().min() < Some(&5) && places.iter().max() > Some(&65), "{places:?}");
        assert_eq!(first, begins(1, 0));
        assert!(first != begins(2, 0) && first != begins(1, 1));
    }

    #[test]
    fn windows_that_cover_all_leave_no_stretch() {
        let mut schedule = Schedule::new(Sampling { window: 7, warm_up: 3, every: 10 }, 1, 0);
        assert!((0..100).all(|_| schedule.next_stretch() == 0));
    }
}
