//! `--set` with several values of a key: a run for every combination.

use std::collections::BTreeSet;

use heddle_config::Override;
use heddle_experiments::combinations;

use crate::Failure;

/// A choice of values.
#[derive(Debug, PartialEq, Eq)]
pub struct Point {
    /// All keys that are set, in the order of the command line.
    pub overrides: Vec<Override>,
    /// Those with several values, as `key=value key=value`; nothing where no key has.
    pub varied: String,
    /// Its place among all, from 1.
    pub number: usize,
}

/// Characters of the settings in the name of a folder; its number tells it from others.
const MOST_OF_A_NAME: usize = 100;

impl Point {
    /// Name of a folder for what runs with these values leave: those of other points are elsewhere.
    pub fn folder(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._=-".contains(c) { c } else { '_' };
        let name: String = self.varied.chars().take(MOST_OF_A_NAME).map(plain).collect();
        format!("{}-{name}", self.number)
    }
}

/// Every combination of the values of `overrides`, which commas separate; the last key fastest.
///
/// # Errors
/// A value that is empty or there twice, or more points than can be run.
pub fn points(overrides: &[Override]) -> Result<Vec<Point>, Failure> {
    let values = |change: &Override| change.value.split(',').map(|value| value.trim().to_owned()).collect();
    let keys: Vec<(String, Vec<String>)> =
        overrides.iter().map(|change| (change.key.clone(), values(change))).collect();
    for (key, values) in &keys {
        if values.iter().any(String::is_empty) {
            return Err(Failure::usage(format!("--set: '{key}' has an empty value")));
        }
        if values.iter().collect::<BTreeSet<_>>().len() < values.len() {
            return Err(Failure::usage(format!("--set: '{key}' has a value twice")));
        }
    }
    let chosen = combinations(&keys).map_err(|e| Failure::usage(format!("--set: {e}")))?;
    let point = |(index, chosen): (usize, Vec<(String, String)>)| {
        let varied = chosen.iter().zip(&keys).filter(|(_, (_, values))| values.len() > 1);
        let varied: Vec<String> = varied.map(|((key, value), _)| format!("{key}={value}")).collect();
        let overrides = chosen.into_iter().map(|(key, value)| Override { key, value }).collect();
        Point { overrides, varied: varied.join(" "), number: index + 1 }
    };
    Ok(chosen.into_iter().enumerate().map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn values_are_combined_and_single_ones_are_in_all_points() {
        let set = ["a.x=1,2", "b=7", "c=on,off"].map(|text| text.parse().expect("an override"));
        let found = points(&set).ok().expect("four points");
        let varied: Vec<&str> = found.iter().map(|point| point.varied.as_str()).collect();
        assert_eq!(varied, ["a.x=1 c=on", "a.x=1 c=off", "a.x=2 c=on", "a.x=2 c=off"]);
        assert_eq!(found[3].folder(), "4-a.x=2_c=off");
        assert!(found.iter().all(|point| point.overrides.len() == 3 && point.overrides[1].value == "7"));
        assert_eq!(points(&[]).map(|found| found.len()).ok(), Some(1));
    }

    #[test]
    fn more_points_than_can_be_run_are_refused_before_they_are_made() {
        let values: Vec<String> = (0..1000).map(|value: u32| value.to_string()).collect();
        let set: Vec<_> = (0..8)
            .map(|key| format!("a.x{key}={}", values.join(",")).parse().expect("an override"))
            .collect();
        assert!(points(&set[..1]).is_ok());
        let refused = points(&set).expect_err("10^24 points");
        assert_eq!((refused.code, refused.message.contains("more than 10000 points")), (2, true));
    }
}
