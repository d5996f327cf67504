//! What drawings have in common: shapes in pixels, each with the number that it stands for, and tables.

use serde::Serialize;

use crate::axis::Tick;

/// A rectangle that stands for a number.
#[derive(Debug, Clone, Serialize)]
pub struct Bar {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// Index of its colour.
    pub colour: usize,
    /// The number, unrounded.
    pub value: f64,
    /// What is told of it.
    pub told: String,
}

/// A text.
#[derive(Debug, Clone, Serialize)]
pub struct Label {
    pub x: f64,
    pub y: f64,
    pub text: String,
    /// `start`, `middle` or `end`.
    pub anchor: &'static str,
    /// Turned by so many degrees about its place.
    pub turned: i32,
}

impl Label {
    /// A text that is not turned.
    pub fn level(x: f64, y: f64, text: impl Into<String>, anchor: &'static str) -> Self {
        Self { x, y, text: text.into(), anchor, turned: 0 }
    }
}

/// A line through points, each with its number.
#[derive(Debug, Clone, Serialize)]
pub struct Curve {
    /// `x,y x,y`, as `points` of a polyline takes it.
    pub points: String,
    /// Its points.
    pub dots: Vec<Dot>,
    pub colour: usize,
    /// `geometric`, `arithmetic` or `kernel`.
    pub kind: &'static str,
    pub told: String,
}

/// A point of a line.
#[derive(Debug, Clone, Serialize)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    pub value: f64,
    pub told: String,
}

/// A straight line across that marks a number: the base, or an average that the source quotes.
#[derive(Debug, Clone, Serialize)]
pub struct Mark {
    pub x1: f64,
    pub x2: f64,
    pub y1: f64,
    pub y2: f64,
    /// `base` or `quoted`.
    pub kind: &'static str,
    pub value: f64,
    pub told: String,
}

/// An entry of a legend.
#[derive(Debug, Clone, Serialize)]
pub struct Key {
    pub colour: usize,
    pub text: String,
}

/// A drawing.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Chart {
    pub id: String,
    /// `bars`, `lines` or `stack`.
    pub kind: &'static str,
    /// What it shows, in a line.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub told: String,
    pub width: f64,
    pub height: f64,
    /// Origin of the marks of the axis; the axis is level in a stack, upright in the others.
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
    /// The number at the end of the axis.
    pub end: f64,
    pub axis: String,
    pub ticks: Vec<Tick>,
    pub bars: Vec<Bar>,
    pub curves: Vec<Curve>,
    pub marks: Vec<Mark>,
    pub labels: Vec<Label>,
    pub legend: Vec<Key>,
    /// Where the means begin, apart from the kernels.
    pub divide: Option<f64>,
    pub table: Table,
}

/// A table: a row has a name and a cell for each column.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// Name of the first column.
    pub corner: String,
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub name: String,
    /// A mean, not a kernel.
    pub mean: bool,
    /// `None` where there is no number.
    pub cells: Vec<Cell>,
}

/// A cell: the unrounded number, and what is shown.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    pub value: Option<f64>,
    pub text: String,
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        Self { value, text: value.map_or_else(|| "–".to_owned(), crate::axis::short) }
    }
}
