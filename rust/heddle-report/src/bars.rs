//! Grouped bars: a group for each kernel, and one for each mean, set apart.

use heddle_experiments::RatioTable;

use crate::axis::{Axis, short};
use crate::chart::{Bar, Chart, Key, Label, Mark};
use crate::quoted::Quote;

/// Room for the marks of the axis.
const MARKS: f64 = 56.0;
/// How far a character of a name that is turned reaches, down and to the left.
const TURNED: f64 = 5.4;
const TOP: f64 = 12.0;
const HEIGHT: f64 = 230.0;
const APART: f64 = 14.0;
/// Width that bars fill, unless they became narrower than `NARROW`.
const WIDTH: f64 = 1080.0;
const NARROW: f64 = 5.0;

/// A group of bars: its name and the value of every point.
struct Group {
    name: String,
    values: Vec<Option<f64>>,
}

/// The points at the indices `shown` of a table, with the averages that claims give beside both means.
pub fn bars(table: &RatioTable, shown: &[usize], quoted: &[Quote], base: Option<&str>) -> Chart {
    let pick = |row: &[Option<f64>]| shown.iter().map(|index| row.get(*index).copied().flatten()).collect();
    let kernels = table
        .kernels
        .iter()
        .zip(&table.cells)
        .map(|(k, row)| Group { name: k.to_string(), values: pick(row) });
    let mean_of = |name: &str, of: &dyn Fn(usize) -> Option<f64>| Group {
        name: name.to_owned(),
        values: shown.iter().map(|index| of(*index)).collect(),
    };
    let mean = |index: usize| table.means.get(index).copied().flatten();
    let means = [
        mean_of("geometric mean", &|index| mean(index)?.geometric),
        mean_of("arithmetic mean", &|index| Some(mean(index)?.arithmetic)),
    ];
    let groups: Vec<Group> = kernels.filter(|g| g.values.iter().any(Option::is_some)).collect();
    let count = groups.len();
    let room = WIDTH - APART * (count + 4) as f64;
    let bar = (room / ((count + 2) * shown.len().max(1)) as f64).clamp(NARROW, 22.0);
    let step = bar * shown.len() as f64 + APART;
    let reach = |group: &Group| TURNED * group.name.chars().count() as f64;
    let below = 24.0 + groups.iter().chain(&means).map(reach).fold(0.0, f64::max);
    let left = groups.first().map_or(MARKS, |first| MARKS.max(reach(first) - 0.5 * step));
    let right = left + step * (count + 2) as f64 + 2.0 * APART;
    let all = groups.iter().chain(&means).flat_map(|g| &g.values).flatten().copied();
    let most = all.chain(quoted.iter().map(|quote| quote.value)).chain(base.map(|_| 1.0)).fold(0.0, f64::max);
    let axis = Axis::new(most, HEIGHT);
    let name = |place: usize| shown.get(place).and_then(|i| table.points.get(*i)).map(|p| p.label());
    let mut chart = Chart {
        kind: "bars",
        width: right + 12.0,
        height: TOP + HEIGHT + below,
        left,
        top: TOP,
        right,
        bottom: TOP + HEIGHT,
        end: axis.end,
        ticks: axis.ticks(),
        divide: Some(left + step * count as f64 + APART),
        ..Chart::default()
    };
    for (place, group) in groups.iter().chain(&means).enumerate() {
        let apart = if place < count { 0.5 * APART } else { 2.0 * APART };
        let x = left + step * place as f64 + apart;
        let middle = x + 0.5 * bar * shown.len() as f64;
        chart.labels.push(Label {
            turned: -45,
            ..Label::level(middle + 4.0, TOP + HEIGHT + 14.0, &group.name, "end")
        });
        for (series, value) in group.values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let (height, name) = (axis.length(value), name(series).unwrap_or_default());
            let told = format!("{}, {name}: {}", group.name, short(value));
            let x = x + bar * series as f64;
            chart.bars.push(Bar {
                x,
                y: TOP + HEIGHT - height,
                width: bar - 1.0,
                height,
                colour: series,
                value,
                told,
            });
        }
    }
    let y = |value: f64| TOP + HEIGHT - axis.length(value);
    if let Some(base) = base {
        let told = format!("1: {base}");
        chart.marks.push(Mark {
            x1: left,
            x2: right,
            y1: y(1.0),
            y2: y(1.0),
            kind: "base",
            value: 1.0,
            told,
        });
    }
    for quote in quoted {
        let value = quote.value;
        let Some(series) = (0..shown.len()).find(|series| name(*series).as_ref() == Some(&quote.point))
        else {
            continue;
        };
        for mean in 0..means.len() {
            let x1 = left + step * (count + mean) as f64 + 2.0 * APART + bar * series as f64 - 1.5;
            let told = quote.told();
            let (y1, y2) = (y(value), y(value));
            chart.marks.push(Mark { x1, x2: x1 + bar + 2.0, y1, y2, kind: "quoted", value, told });
        }
    }
    chart.legend = (0..shown.len()).map(|s| Key { colour: s, text: name(s).unwrap_or_default() }).collect();
    chart
}
