//! The figure of an experiment, and where its issue slots went.

use heddle_experiments::{Point, RatioTable, ResultRow};
use serde::Serialize;
use serde_json::Value;

use crate::axis::short;
use crate::bars::bars;
use crate::chart::{Cell, Chart, Row, Table};
use crate::lines::{lines, parameter};
use crate::measured::{Measured, slots};
use crate::quoted::Quote;
use crate::stack::{Stack, stacked};

/// An experiment on the page.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub id: String,
    pub paper: String,
    pub title: String,
    pub source: String,
    /// The measure and what it is divided by.
    pub measure: String,
    pub scale: &'static str,
    /// Kernels that the scale leaves out; empty for none.
    pub left_out: String,
    pub size: String,
    pub seed: u64,
    pub engine: String,
    pub sms: u32,
    /// Cells with a result, and all of them.
    pub measured: usize,
    pub cells: usize,
    /// Failed runs with their messages.
    pub failed: Vec<String>,
    pub command: String,
    /// The points with their designs and settings.
    pub points: Vec<Setting>,
    /// Averages that the paper's claims give.
    pub quoted: Vec<String>,
    /// None where nothing is measured.
    pub chart: Option<Chart>,
    pub stack: Option<Chart>,
}

/// A point as it is set.
#[derive(Debug, Clone, Serialize)]
pub struct Setting {
    pub label: String,
    pub design: String,
    pub preset: String,
    pub set: String,
}

/// The figure of an experiment with the averages that claims give for its points.
pub fn figure(measured: &Measured, quoted: &[Quote]) -> Figure {
    let (experiment, results) = (&measured.experiment, &measured.results);
    let table = RatioTable::new(experiment, results, &experiment.measure);
    let base = experiment.normalise_to.as_deref();
    let measure = base.map_or_else(
        || experiment.measure.clone(),
        |base| format!("{} / {} of {base}", experiment.measure, experiment.measure),
    );
    let shown: Vec<usize> = (0..table.points.len())
        .filter(|i| table.points.get(*i).is_some_and(|p| Some(p.series.as_str()) != base))
        .collect();
    let draw = || match parameter(&experiment.series) {
        Some((key, values)) => lines(&table, &experiment.series, (&key, &values), quoted, base),
        None => bars(&table, &shown, quoted, base),
    };
    let chart = table.means.iter().any(Option::is_some).then(|| Chart {
        id: format!("{}-figure", experiment.id),
        title: experiment.title.clone(),
        told: format!("{measure}; {}. All numbers are in the table that follows.", experiment.source),
        axis: measure.clone(),
        table: numbers(&table),
        ..draw()
    });
    let quotes = quoted.iter().map(|q| format!("{}: {} ({})", q.point, short(q.value), q.claim));
    Figure {
        id: experiment.id.clone(),
        paper: measured.paper().to_owned(),
        title: experiment.title.clone(),
        source: experiment.source.clone(),
        measure,
        scale: experiment.scale.name(),
        left_out: experiment.left_out.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        size: experiment.size.to_string(),
        seed: experiment.seed,
        engine: experiment.engine.name().to_owned(),
        sms: experiment.sms,
        measured: results.rows.len(),
        cells: results.rows.len() + results.failed.len() + results.missing.len(),
        failed: results.failed.iter().map(|(p, k, f)| format!("{} {k}: {}", p.label(), f.message)).collect(),
        command: measured.command.clone(),
        points: experiment.points().iter().map(|point| setting(point, &results.rows)).collect(),
        quoted: quotes.collect(),
        chart,
        stack: stack(measured),
    }
}

/// A point with the preset that its results name.
fn setting(point: &Point, rows: &[ResultRow]) -> Setting {
    let named = rows.iter().find(|row| row.point == *point).and_then(|row| row.row.get("preset")?.as_str());
    let set: Vec<String> = point.overrides.iter().map(|o| format!("{}={}", o.key, o.value)).collect();
    let preset = named.or(point.preset.as_deref()).unwrap_or("the design's own");
    let (label, design) = (point.label(), point.design.clone());
    Setting { label, design, preset: preset.to_owned(), set: set.join(" ") }
}

/// Kernels by points, with both means.
fn numbers(table: &RatioTable) -> Table {
    let kernels = table.kernels.iter().zip(&table.cells).map(|(kernel, row)| {
        let cells = row.iter().map(|value| Cell::from(*value)).collect();
        Row { name: kernel.to_string(), mean: false, cells }
    });
    let mean = |name: &str, cells: Vec<Option<f64>>| Row {
        name: name.to_owned(),
        mean: true,
        cells: cells.into_iter().map(Cell::from).collect(),
    };
    let means = [
        mean("geometric mean", table.means.iter().map(|m| m.as_ref()?.geometric).collect()),
        mean("arithmetic mean", table.means.iter().map(|m| Some(m.as_ref()?.arithmetic)).collect()),
    ];
    let columns = table.points.iter().map(Point::label).collect();
    Table { corner: "kernel".to_owned(), columns, rows: kernels.chain(means).collect() }
}

/// The mean shares of issue slots of every point; `None` without a result.
fn stack(measured: &Measured) -> Option<Chart> {
    let experiment = &measured.experiment;
    let of = |point: &Point| {
        let rows = measured.results.rows.iter().filter(|row| row.point == *point);
        Stack::mean(point.label(), &rows.filter_map(slots).collect::<Vec<_>>())
    };
    let stacks: Vec<Stack> = experiment.points().iter().filter_map(of).collect();
    (!stacks.is_empty()).then(|| Chart {
        id: format!("{}-slots", experiment.id),
        title: format!("Issue slots by the reason that they were lost: {}", experiment.id),
        told: "Arithmetic mean over the kernels of each one's shares. All numbers are in the table that follows."
            .to_owned(),
        ..stacked(&stacks)
    })
}

/// What made the results, as they say it, each once.
pub fn made_by(all: &[Measured]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for row in all.iter().flat_map(|measured| &measured.results.rows) {
        if let Some(made) = row.row.get("made_by").map(Value::to_string).filter(|made| !found.contains(made))
        {
            found.push(made);
        }
    }
    found
}
