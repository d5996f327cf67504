//! What a page draws, read back from it, and held against results without the crate's own arithmetic.

use heddle_experiments::{Chosen, Point};
use heddle_report::Measured;
use roxmltree::{Document, Node, ParsingOptions};

/// A shape that stands for a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Id of the drawing.
    pub figure: String,
    /// The number that it says it stands for.
    pub value: f64,
    /// How long it is, or how high above the axis.
    pub pixels: f64,
    /// The number by its length and the axis.
    pub by_length: f64,
    /// How much one pixel stands for.
    pub per_pixel: f64,
    /// What is told of it.
    pub told: String,
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{node:?} has no {name}"));
    text.parse().unwrap_or_else(|e| panic!("{name}={text}: {e}"))
}

/// Bars and points of lines of all drawings; the page must be well-formed.
pub fn drawn_numbers(html: &str) -> Vec<Drawn> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let page = Document::parse_with_options(html, options).unwrap_or_else(|e| panic!("not well-formed: {e}"));
    let mut found = Vec::new();
    for svg in page.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "svg"))) {
        assert!(svg.children().any(|child| child.tag_name().name() == "title"), "a drawing without a title");
        let (end, length) = (number(svg, "data-end"), number(svg, "data-length"));
        let top = svg.descendants().filter(|n| n.attribute("class") == Some("grid")).map(|n| number(n, "y2"));
        let bottom = top.fold(f64::MIN, f64::max);
        let side = if svg.attribute("class") == Some("stack") { "width" } else { "height" };
        for node in svg.descendants() {
            let pixels = match node.tag_name().name() {
                "rect" => number(node, side),
                "circle" => bottom - number(node, "cy"),
                _ => continue,
            };
            let told = node.children().find(|child| child.tag_name().name() == "title");
            found.push(Drawn {
                figure: svg.attribute("id").unwrap_or_default().to_owned(),
                value: number(node, "data-value"),
                pixels,
                by_length: pixels / length * end,
                per_pixel: end / length,
                told: told.and_then(|t| t.text()).unwrap_or_default().to_owned(),
            });
        }
    }
    found
}

/// The measure of a result, divided by that of the base.
fn ratio(measured: &Measured, point: &Point, kernel: &Chosen) -> f64 {
    let experiment = &measured.experiment;
    let of = |point: &Point| {
        let row = measured.results.find(point, kernel).expect("a result");
        row.number(&experiment.measure).expect("a number")
    };
    of(point) / experiment.base_of(point).map_or(1.0, |base| of(&base))
}

/// Whether each shape is as long as its number, each number of a figure follows from the results, and the parts of each
/// stack are all of it.
pub fn held(drawn: &[Drawn], all: &[Measured]) -> Result<(), String> {
    for one in drawn {
        // Two digits behind the point of a pixel.
        if (one.by_length - one.value).abs() > 0.006 * one.per_pixel {
            return Err(format!("{one:?} is as long as {}", one.by_length));
        }
    }
    for measured in all {
        let id = format!("{}-figure", measured.experiment.id);
        let mut expected = Vec::new();
        for point in measured.experiment.points() {
            if Some(&point.series) == measured.experiment.normalise_to.as_ref() {
                continue;
            }
            let values: Vec<f64> =
                measured.experiment.kernels.iter().map(|kernel| ratio(measured, &point, kernel)).collect();
            let count = values.len() as f64;
            expected.push(values.iter().product::<f64>().powf(1.0 / count));
            expected.push(values.iter().sum::<f64>() / count);
            if point.swept.is_empty() {
                expected.extend(values);
            }
        }
        let mut found: Vec<f64> = drawn.iter().filter(|one| one.figure == id).map(|one| one.value).collect();
        found.sort_by(f64::total_cmp);
        expected.sort_by(f64::total_cmp);
        let same = found.len() == expected.len()
            && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs());
        if !same {
            return Err(format!("{id} draws {found:?}, the results are {expected:?}"));
        }
        let slots: Vec<&Drawn> =
            drawn.iter().filter(|one| one.figure == format!("{}-slots", measured.experiment.id)).collect();
        let total: f64 = slots.iter().map(|one| one.value).sum();
        let points = measured.experiment.points().len() as f64;
        if (total - points).abs() > 1e-9 {
            return Err(format!("{points} stacks of {} come to {total}", measured.experiment.id));
        }
    }
    Ok(())
}
