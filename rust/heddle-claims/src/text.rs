//! Numbers of claims as people read them.

use crate::claim::{ClaimValue, Expected, Shown, Statement};
use crate::judge::Explanation;
use crate::measured::{Averages, Measured};
use crate::reached::Reach;
use crate::verdict::Verdict;

/// Significant digits of shares, and of numbers with a unit, which can be sizes.
const DIGITS: (u8, u8) = (4, 6);

/// A number with its unit: `+28 %`, `0.41 x`, `98496 bits`.
pub fn number(value: f64, shown: Shown, unit: &str) -> String {
    match shown {
        Shown::Change => format!("{:+} %", rounded(value * 100.0, DIGITS.0)),
        Shown::Difference => format!("{:+} points", rounded(value * 100.0, DIGITS.0)),
        Shown::Share => format!("{} %", rounded(value * 100.0, DIGITS.0)),
        Shown::Ratio => format!("{} x", rounded(value, DIGITS.0)),
        Shown::Number => format!("{} {unit}", rounded(value, DIGITS.1)).trim_end().to_owned(),
    }
}

/// To so many significant digits, and to the next whole number at most.
fn rounded(value: f64, digits: u8) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let places = (f64::from(digits) - 1.0 - value.abs().log10().floor()).max(0.0);
    let scale = 10f64.powf(places);
    // No minus before a zero.
    (value * scale).round() / scale + 0.0
}

/// What a paper says.
pub fn expected(expected: &Expected, shown: Shown, unit: &str) -> String {
    let of = |value: f64| number(value, shown, unit);
    match expected {
        Expected::Near { value, .. } | Expected::Exact(value) => of(*value),
        Expected::Within { value, distance } => format!("{} ± {}", of(*value), of(*distance)),
        Expected::AtLeast(value) => format!("at least {}", of(*value)),
        Expected::AtMost(value) => format!("at most {}", of(*value)),
        Expected::Range([low, high]) => format!("{} to {}", of(*low), of(*high)),
        Expected::Ascending(labels) => labels.join(" ≤ "),
    }
}

/// Where a series reaches a point.
fn reach(reach: Reach, shown: Shown, unit: &str) -> String {
    let of = number(reach.nearest(), shown, unit);
    match reach {
        Reach::At(_) => of,
        Reach::AtMost(_) => format!("at most {of}"),
        Reach::MoreThan(_) => format!("more than {of}"),
    }
}

/// Our geometric mean.
pub fn geometric(ours: Option<&Measured>, shown: Shown, unit: &str) -> String {
    let of = |averages: &Averages| averages.geometric.map(|mean| number(mean, shown, unit));
    match ours {
        Some(Measured::Means(averages)) => of(averages).unwrap_or_default(),
        Some(Measured::Reached { geometric, .. }) => {
            geometric.map(|place| reach(place, shown, unit)).unwrap_or_default()
        }
        Some(Measured::Points(points)) => {
            points.iter().map(|(_, averages)| of(averages).unwrap_or_default()).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

/// Our arithmetic mean, or a number that is no mean.
pub fn arithmetic(ours: Option<&Measured>, shown: Shown, unit: &str) -> String {
    let of = |averages: &Averages| number(averages.arithmetic, shown, unit);
    match ours {
        Some(Measured::Means(averages)) => of(averages),
        Some(Measured::Points(points)) => {
            points.iter().map(|(_, averages)| of(averages)).collect::<Vec<_>>().join(", ")
        }
        Some(Measured::Kernel { kernel, value }) => format!("{} ({kernel})", number(*value, shown, unit)),
        Some(Measured::Reached { arithmetic, .. }) => reach(*arithmetic, shown, unit),
        Some(Measured::Number(value)) => number(*value, shown, unit),
        None => String::new(),
    }
}

/// What the command of an explanation begins with.
const EXPLAINS: &str = ": heddle sweep ";

/// A reason that was given before for a value that is off, with the explanation of now or without one.
pub fn explained(reason: &str, explanation: Option<&Explanation>) -> String {
    let parts = reason.split("; ").filter(|part| !part.contains(EXPLAINS));
    let mut parts: Vec<String> = parts.map(str::to_owned).collect();
    if let Some(explanation) = explanation {
        parts.insert(1.min(parts.len()), explanation.to_string());
    }
    parts.join("; ")
}

/// What a verdict rests on.
pub fn reason(verdict: &Verdict, value: &ClaimValue, explanation: Option<&Explanation>) -> String {
    let of = |number_: f64| number(number_, value.shown, &value.unit);
    match verdict {
        Verdict::Reproduced => match &value.expected {
            Expected::Near { band, .. } => format!("within {} %", rounded(band * 100.0, DIGITS.0)),
            Expected::Ascending(_) => "the order holds".to_owned(),
            _ => String::new(),
        },
        Verdict::Off { by, or_more } => {
            let by = match value.shown {
                Shown::Change | Shown::Share => number(*by, Shown::Difference, ""),
                _ => of(*by),
            };
            let explained = explanation.map(|explanation| format!("; {explanation}"));
            let more = if *or_more { " or more" } else { "" };
            format!("off by {by}{more}{}", explained.unwrap_or_default())
        }
        Verdict::NotBuilt { needs } => needs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        Verdict::NotJudged { needs, has } => format!("needs size {needs}, results are of size {has}"),
        Verdict::NotMeasured { missing, of } => format!("{missing} of {of} results are not there"),
        Verdict::NotComparable { property, value, range: (low, high), shown, unit } => {
            let of = |value: f64| number(value, *shown, unit);
            let needs = match high {
                Some(high) => format!("{} to {}", of(*low), of(*high)),
                None => format!("at least {}", of(*low)),
            };
            format!("{property} is {}; needs {needs}", of(*value))
        }
        Verdict::Contradicts { first, second } => {
            let of = |s: &Statement| match &s.unit {
                Some(unit) => format!("{}: {}", s.place, number(s.value, Shown::Number, unit)),
                None => format!("{}: {}", s.place, number(s.value, value.shown, &value.unit)),
            };
            format!("{}; {}", of(first), of(second))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shown, number};

    #[test]
    fn numbers_have_four_digits() {
        assert_eq!(number(0.28, Shown::Change, ""), "+28 %");
        assert_eq!(number(-0.123_456, Shown::Change, ""), "-12.35 %");
        assert_eq!(number(98_496.0, Shown::Number, "bits"), "98496 bits");
        assert_eq!(number(0.410_04, Shown::Ratio, ""), "0.41 x");
        assert_eq!(number(0.2, Shown::Difference, ""), "+20 points");
    }
}
