//! The file.

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use crate::error::ReportError;
use crate::figure::{Figure, figure, made_by};
use crate::kernels::{KernelSection, kernels};
use crate::measured::Measured;
use crate::quoted::quotes;
use crate::verdicts::{Judged, Summary, VerdictTable};

/// What the page says of how it was made.
#[derive(Debug, Clone, Serialize)]
pub struct Made {
    /// The program with its version.
    pub program: String,
    /// Its commit, and whether files were other than that commit's.
    pub commit: String,
    /// The command that makes the page.
    pub command: String,
}

/// The claims and figures of a publication.
#[derive(Debug, Serialize)]
struct Paper {
    name: String,
    verdicts: Option<VerdictTable>,
    figures: Vec<Figure>,
}

/// All that the templates show.
#[derive(Debug, Serialize)]
struct Whole<'a> {
    summary: Option<Summary>,
    papers: Vec<Paper>,
    kernels: Vec<KernelSection>,
    results: Vec<String>,
    made: &'a Made,
}

/// Parts of the page, by the names that they have in each other.
const PARTS: [(&str, &str); 8] = [
    ("page.html", include_str!("../templates/page.html")),
    ("summary.html", include_str!("../templates/summary.html")),
    ("claims.html", include_str!("../templates/claims.html")),
    ("figure.html", include_str!("../templates/figure.html")),
    ("chart.html", include_str!("../templates/chart.html")),
    ("table.html", include_str!("../templates/table.html")),
    ("style.css", include_str!("../templates/style.css")),
    ("script.js", include_str!("../templates/script.js")),
];

/// One HTML file with the verdicts of all papers and the figures of all experiments, well-formed as XML too.
///
/// # Errors
/// [`ReportError::Contradiction`] where numbers of a result do not fit each other; [`ReportError::Template`].
pub fn page(all: &[Measured], judged: &[Judged], made: &Made) -> Result<String, ReportError> {
    all.iter().try_for_each(Measured::check)?;
    let of_claims = |one: &Judged| (one.paper.id.clone(), Some(VerdictTable::new(one)));
    let claimed = judged.iter().map(of_claims);
    let drawn_alone = all.iter().map(|measured| (measured.paper().to_lowercase(), None));
    let mut papers: Vec<(String, Paper)> = Vec::new();
    for (id, verdicts) in claimed.chain(drawn_alone) {
        if papers.iter().any(|(other, _)| *other == id) {
            continue;
        }
        let figures: Vec<Figure> = all
            .iter()
            .filter(|measured| measured.paper().to_lowercase() == id)
            .map(|measured| {
                figure(measured, &quotes(&measured.experiment, judged.iter().map(|one| &one.paper)))
            })
            .collect();
        let name = figures.first().map_or_else(|| id.clone(), |figure| figure.paper.clone());
        papers.push((id, Paper { name, verdicts, figures }));
    }
    let papers = papers.into_iter().map(|(_, paper)| paper).collect();
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_filter("px", |value: f64| format!("{value:.2}"));
    for (name, text) in PARTS {
        environment.add_template(name, text)?;
    }
    let whole =
        Whole { summary: Summary::new(judged), papers, kernels: kernels(all), results: made_by(all), made };
    Ok(environment.get_template("page.html")?.render(Value::from(Serde(&whole)))?)
}
