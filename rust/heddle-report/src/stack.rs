//! Issue slots as bars that are stacked: issued, and lost by reason, as shares of all.

use crate::axis::{Axis, short};
use crate::chart::{Bar, Cell, Chart, Key, Label, Row, Table};

/// Width of a character of the widest usual font.
const CHARACTER: f64 = 7.6;
const TOP: f64 = 8.0;
const WIDTH: f64 = 560.0;
const ROW: f64 = 26.0;
const BELOW: f64 = 46.0;

/// Shares of the issue slots, in the order of `REASONS`.
pub struct Stack {
    /// Whose slots they are.
    pub name: String,
    /// Shares by reason, 1 together.
    pub shares: Vec<(String, f64)>,
}

impl Stack {
    /// The mean over kernels of the shares that each has; `None` of none.
    pub fn mean(name: String, all: &[Vec<(String, f64)>]) -> Option<Self> {
        let mut shares: Vec<(String, f64)> = Vec::new();
        for slots in all {
            let total: f64 = slots.iter().map(|(_, value)| value).sum();
            if total <= 0.0 {
                continue;
            }
            for (reason, value) in slots {
                let part = value / total;
                match shares.iter_mut().find(|(known, _)| known == reason) {
                    Some((_, sum)) => *sum += part,
                    None => shares.push((reason.clone(), part)),
                }
            }
        }
        let total: f64 = shares.iter().map(|(_, value)| value).sum();
        shares.iter_mut().for_each(|(_, value)| *value /= total);
        shares.sort_by_key(|(reason, _)| place(reason));
        (total > 0.0).then_some(Self { name, shares })
    }
}

/// Reasons in the order of a stack, `issued` first.
const REASONS: [&str; 10] =
    ["issued", "memory", "result", "port", "unit", "prefetch", "transit", "barrier", "fetch", "no_warp"];

/// Where a reason stands in a stack; one that is not known stands last.
fn place(reason: &str) -> usize {
    REASONS.iter().position(|known| *known == reason).unwrap_or(REASONS.len())
}

/// A bar for each stack.
pub fn stacked(stacks: &[Stack]) -> Chart {
    let longest = stacks.iter().map(|stack| stack.name.chars().count()).max().unwrap_or(0);
    let left = 20.0 + CHARACTER * longest as f64;
    let bottom = TOP + ROW * stacks.len() as f64;
    let axis = Axis::new(1.0, WIDTH);
    let mut chart = Chart {
        kind: "stack",
        width: left + WIDTH + 20.0,
        height: bottom + BELOW,
        left,
        top: TOP,
        right: left + WIDTH,
        bottom,
        end: axis.end,
        axis: "share of issue slots".to_owned(),
        ticks: axis.ticks(),
        ..Chart::default()
    };
    let mut reasons: Vec<&str> = Vec::new();
    for (row, stack) in stacks.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        chart.labels.push(Label::level(left - 8.0, y + 17.0, &stack.name, "end"));
        let mut before = 0.0;
        for (reason, value) in &stack.shares {
            let told = format!("{}, {reason}: {}", stack.name, short(*value));
            let (x, width) = (left + axis.length(before), axis.length(*value));
            chart.bars.push(Bar {
                x,
                y: y + 4.0,
                width,
                height: ROW - 8.0,
                colour: place(reason),
                value: *value,
                told,
            });
            before += value;
            if !reasons.contains(&reason.as_str()) {
                reasons.push(reason);
            }
        }
    }
    reasons.sort_by_key(|reason| place(reason));
    chart.legend = reasons.iter().map(|r| Key { colour: place(r), text: (*r).to_owned() }).collect();
    let cells = |stack: &Stack| {
        let share = |reason: &&str| stack.shares.iter().find(|(known, _)| known == reason).map(|(_, v)| *v);
        reasons.iter().map(|reason| Cell::from(share(reason))).collect()
    };
    let rows = stacks.iter().map(|s| Row { name: s.name.clone(), mean: false, cells: cells(s) }).collect();
    let columns = reasons.iter().map(|r| (*r).to_owned()).collect();
    chart.table = Table { corner: "issue slots of".to_owned(), columns, rows };
    chart
}
