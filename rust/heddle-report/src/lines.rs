//! Lines over a parameter that an experiment sweeps: both means, and each kernel faintly behind them.

use heddle_experiments::{RatioTable, Series};

use crate::axis::{Axis, short};
use crate::chart::{Chart, Curve, Dot, Key, Label, Mark};
use crate::quoted::Quote;

const LEFT: f64 = 56.0;
const TOP: f64 = 12.0;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 250.0;
const BELOW: f64 = 50.0;
/// Half the length of the mark of an average that a claim gives.
const MARK: f64 = 14.0;

/// The numeric key that all series with a sweep sweep, and nothing beside it; with the values of all of them in ascending order.
pub fn parameter(series: &[Series]) -> Option<(String, Vec<f64>)> {
    let swept = || series.iter().filter(|s| !s.sweep.is_empty());
    let [(key, _)] = &swept().next()?.sweep[..] else { return None };
    let mut numbers: Vec<f64> = Vec::new();
    for one in swept() {
        let [(other, values)] = &one.sweep[..] else { return None };
        if other != key {
            return None;
        }
        numbers.extend(values.iter().map(|v| v.parse().ok()).collect::<Option<Vec<f64>>>()?);
    }
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    (numbers.len() > 1).then(|| (key.clone(), numbers))
}

/// Places of a table's points on the axis of the parameter, by series.
struct Line<'a> {
    name: &'a str,
    /// Index of the point, and where its value stands among those of the parameter.
    points: Vec<(usize, usize)>,
}

/// The measure of each series by the values of a key, with the averages that claims give; a series without the key is level, and the base a
/// line across.
pub fn lines(
    table: &RatioTable,
    series: &[Series],
    (key, values): (&str, &[f64]),
    quoted: &[Quote],
    base: Option<&str>,
) -> Chart {
    let numbers =
        table.cells.iter().flatten().flatten().copied().chain(quoted.iter().map(|quote| quote.value));
    let axis = Axis::new(numbers.chain(base.map(|_| 1.0)).fold(0.0, f64::max), HEIGHT);
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let x = |place: usize| LEFT + 30.0 + (WIDTH - 60.0) * place as f64 / (values.len() - 1).max(1) as f64;
    let y = |value: f64| bottom - axis.length(value);
    let mut chart = Chart {
        kind: "lines",
        width: right + 12.0,
        height: bottom + BELOW,
        left: LEFT,
        top: TOP,
        right,
        bottom,
        end: axis.end,
        ticks: axis.ticks(),
        ..Chart::default()
    };
    for (place, value) in values.iter().enumerate() {
        chart.labels.push(Label::level(x(place), bottom + 18.0, short(*value), "middle"));
    }
    chart.labels.push(Label::level(LEFT + WIDTH / 2.0, bottom + 40.0, key, "middle"));
    let swept = swept_lines(table, series, key, values);
    let level = level_lines(table, series, values, base);
    for (colour, line) in swept.iter().chain(&level).enumerate() {
        let curve = |kind: &'static str, name: &str, of: &dyn Fn(usize) -> Option<f64>| {
            let dots: Vec<Dot> = line
                .points
                .iter()
                .filter_map(|(point, place)| {
                    let (value, at) = (of(*point)?, values.get(*place).copied()?);
                    let told = format!("{}, {name}, {key} {}: {}", line.name, short(at), short(value));
                    Some(Dot { x: x(*place), y: y(value), value, told })
                })
                .collect();
            let points: Vec<String> = dots.iter().map(|d| format!("{:.2},{:.2}", d.x, d.y)).collect();
            Curve { points: points.join(" "), dots, colour, kind, told: format!("{}, {name}", line.name) }
        };
        for (kernel, row) in table.kernels.iter().zip(&table.cells) {
            chart.curves.push(curve("kernel", &kernel.to_string(), &|p| row.get(p).copied().flatten()));
        }
        let mean = |point: usize| table.means.get(point).copied().flatten();
        chart.curves.push(curve("arithmetic", "arithmetic mean", &|p| Some(mean(p)?.arithmetic)));
        chart.curves.push(curve("geometric", "geometric mean", &|p| mean(p)?.geometric));
        chart.legend.push(Key { colour, text: line.name.to_owned() });
    }
    for quote in quoted {
        let at = swept
            .iter()
            .flat_map(|line| &line.points)
            .find(|(point, _)| table.points.get(*point).is_some_and(|point| point.label() == quote.point));
        let (x1, x2) = at.map_or((LEFT, right), |(_, place)| (x(*place) - MARK, x(*place) + MARK));
        let (y1, y2) = (y(quote.value), y(quote.value));
        chart.marks.push(Mark { x1, x2, y1, y2, kind: "quoted", value: quote.value, told: quote.told() });
    }
    chart.curves.retain(|curve| !curve.dots.is_empty());
    chart.curves.sort_by_key(|curve| curve.kind != "kernel");
    if let Some(base) = base {
        let told = format!("1: {base}");
        chart.marks.push(Mark {
            x1: LEFT,
            x2: right,
            y1: y(1.0),
            y2: y(1.0),
            kind: "base",
            value: 1.0,
            told,
        });
    }
    chart
}

fn swept_lines<'a>(table: &RatioTable, series: &'a [Series], key: &str, values: &[f64]) -> Vec<Line<'a>> {
    let place = |text: &str| {
        let number: f64 = text.parse().ok()?;
        values.iter().position(|value| *value == number)
    };
    let line = |one: &'a Series| {
        let points = table.points.iter().enumerate().filter(|(_, point)| point.series == one.name);
        let mut points: Vec<(usize, usize)> = points
            .filter_map(|(i, point)| Some((i, place(&point.swept.iter().find(|(k, _)| k == key)?.1)?)))
            .collect();
        points.sort_by_key(|(_, place)| *place);
        Line { name: &one.name, points }
    };
    series.iter().filter(|s| !s.sweep.is_empty()).map(line).collect()
}

/// The series that do not sweep, but for the base: each has the same value everywhere.
fn level_lines<'a>(
    table: &RatioTable,
    series: &'a [Series],
    values: &[f64],
    base: Option<&str>,
) -> Vec<Line<'a>> {
    let line = |one: &'a Series| {
        let point = table.points.iter().position(|point| point.series == one.name)?;
        Some(Line { name: &one.name, points: (0..values.len()).map(|place| (point, place)).collect() })
    };
    series.iter().filter(|s| s.sweep.is_empty() && Some(s.name.as_str()) != base).filter_map(line).collect()
}
