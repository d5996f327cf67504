//! The file.

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use crate::error::ReportError;
use crate::figure::{Figure, figure, made_by};
use crate::kernels::{KernelSection, kernels};
use crate::measured::Measured;

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

/// The figures of a publication.
#[derive(Debug, Serialize)]
struct Paper {
    name: String,
    figures: Vec<Figure>,
}

/// All that the templates show.
#[derive(Debug, Serialize)]
struct Whole<'a> {
    papers: Vec<Paper>,
    kernels: Vec<KernelSection>,
    results: Vec<String>,
    made: &'a Made,
}

/// Parts of the page, by the names that they have in each other.
const PARTS: [(&str, &str); 6] = [
    ("page.html", include_str!("../templates/page.html")),
    ("figure.html", include_str!("../templates/figure.html")),
    ("chart.html", include_str!("../templates/chart.html")),
    ("table.html", include_str!("../templates/table.html")),
    ("style.css", include_str!("../templates/style.css")),
    ("script.js", include_str!("../templates/script.js")),
];

/// One HTML file with the figures of all experiments, well-formed as XML too.
///
/// # Errors
/// [`ReportError::Contradiction`] where numbers of a result do not fit each other; [`ReportError::Template`].
pub fn page(all: &[Measured], made: &Made) -> Result<String, ReportError> {
    all.iter().try_for_each(Measured::check)?;
    let mut papers: Vec<Paper> = Vec::new();
    for measured in all {
        let drawn = figure(measured);
        match papers.iter_mut().find(|paper| paper.name == drawn.paper) {
            Some(paper) => paper.figures.push(drawn),
            None => papers.push(Paper { name: drawn.paper.clone(), figures: vec![drawn] }),
        }
    }
    let mut environment = Environment::new();
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_filter("px", |value: f64| format!("{value:.2}"));
    for (name, text) in PARTS {
        environment.add_template(name, text)?;
    }
    let whole = Whole { papers, kernels: kernels(all), results: made_by(all), made };
    Ok(environment.get_template("page.html")?.render(Value::from(Serde(&whole)))?)
}
