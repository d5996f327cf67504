//! The averages that a paper quotes for the points of a figure, by its claims.

use heddle_claims::{Expected, Of, Paper, Shown, Source};
use heddle_experiments::Experiment;

use crate::axis::short;

/// An average of a paper for a point of an experiment, in the unit of the figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Quote {
    /// Label of the point.
    pub point: String,
    /// The average; of a figure with a base its ratio to the base.
    pub value: f64,
    /// The claim, and the value's name in it.
    pub claim: String,
}

impl Quote {
    /// What is told of its mark.
    pub fn told(&self) -> String {
        format!("average of the paper for {}: {} ({})", self.point, short(self.value), self.claim)
    }
}

/// What the claims of `papers` say of the averages that the figure of `experiment` draws: of its measure, its base, and
/// all of its kernels.
pub fn quotes<'a>(experiment: &Experiment, papers: impl IntoIterator<Item = &'a Paper>) -> Vec<Quote> {
    let mut found = Vec::new();
    for claim in papers.into_iter().flat_map(|paper| &paper.claims) {
        for value in &claim.values {
            let Some(Source::Experiment(source)) = &value.source else { continue };
            let base = source.against.as_ref().or(experiment.normalise_to.as_ref());
            let measure = &source.measure;
            let drawn = source.experiment == experiment.id
                && source.of == Of::Mean
                && source.selected.is_none()
                && source.kernels == experiment.kernels
                && measure.keys == [experiment.measure.clone()]
                && measure.by.is_empty()
                && base == experiment.normalise_to.as_ref();
            let (true, [point], Some(average)) =
                (drawn, &source.points[..], average(&value.expected, value.shown, base.is_some()))
            else {
                continue;
            };
            let claim = format!("{} of {}", value.name, claim.id);
            found.push(Quote { point: point.label(), value: average, claim });
        }
    }
    found
}

/// The number that stands in a figure, which shows ratios where it has a base; `None` where the paper gives another
/// thing or no number.
fn average(expected: &Expected, shown: Shown, ratio: bool) -> Option<f64> {
    let (Expected::Near { value, .. } | Expected::Within { value, .. } | Expected::Exact(value)) = expected
    else {
        return None;
    };
    match (shown, ratio) {
        (Shown::Change, true) => Some(1.0 + value),
        (Shown::Ratio, true) | (Shown::Share | Shown::Number, false) => Some(*value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, Shown, average};

    #[test]
    fn a_change_stands_in_a_figure_as_a_ratio() {
        let near = Expected::Near { value: 0.25, band: 0.25 };
        assert_eq!(average(&near, Shown::Change, true), Some(1.25));
        assert_eq!(average(&near, Shown::Ratio, true), Some(0.25));
        assert_eq!(average(&near, Shown::Share, true), None, "the figure shows ratios");
        assert_eq!(average(&Expected::AtLeast(1.0), Shown::Ratio, true), None);
    }
}
