//! Sheets against published values.

use std::fmt;

use heddle_workloads::Workload;
use heddle_workloads::published::{Published, Quantity, Row, WHOLE, row, rows};

use crate::entries::EntryCharacter;
use crate::sheet::Sheet;

/// A quantity may be off by this factor.
const FACTOR: f64 = 1.25;
/// The footprint of an SM may be off by this factor: the papers' inputs are known roughly.
const FOOTPRINT_FACTOR: f64 = 2.0;
/// The preset of the paper that gives footprints.
pub(crate) const FOOTPRINT_PRESET: &str = "volta";

/// Least and largest value.
type Range = (u64, u64);

/// How one of our values compares with a published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Near enough.
    Near,
    /// Off, for a reason that the workload gives.
    Explained(&'static str),
    /// Off without a reason.
    Off,
    /// Near enough, yet the workload gives a reason.
    NeedlessReason(&'static str),
    /// The row gives no such value, yet the workload gives a reason.
    NothingToExplain(&'static str),
}

impl Verdict {
    /// Why our value is off, where the workload says so.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        match self {
            Self::Near | Self::Off => None,
            Self::Explained(reason) | Self::NeedlessReason(reason) | Self::NothingToExplain(reason) => {
                Some(reason)
            }
        }
    }

    /// Whether the check passes.
    #[must_use]
    pub fn passes(self) -> bool {
        matches!(self, Self::Near | Self::Explained(_))
    }
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The workload.
    pub workload: &'static str,
    /// The entry, or [`WHOLE`].
    pub entry: &'static str,
    /// The published row.
    pub row: &'static str,
    /// The quantity.
    pub quantity: Quantity,
    /// Our value; `None` when it is not measured.
    pub ours: Option<u64>,
    /// Least and largest published value.
    pub published: Option<Range>,
    /// How they compare.
    pub verdict: Verdict,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workload, entry, row, quantity, .. } = self;
        let ours = self.ours.map_or_else(|| "not measured in size paper".to_owned(), |v| v.to_string());
        let published = match self.published {
            None => "nothing".to_owned(),
            Some((low, high)) if low == high => low.to_string(),
            Some((low, high)) => format!("{low} to {high}"),
        };
        write!(f, "{workload}, {entry}: {quantity} {ours}, published ({row}) {published}: ")?;
        match self.verdict {
            Verdict::Near => write!(f, "near enough"),
            Verdict::Explained(reason) => write!(f, "{reason}"),
            Verdict::Off => write!(f, "off, and no reason is given"),
            Verdict::NeedlessReason(reason) => write!(f, "near enough, but a reason is given: {reason}"),
            Verdict::NothingToExplain(reason) => {
                write!(f, "nothing to compare, but a reason is given: {reason}")
            }
        }
    }
}

/// How far `ours` is from the range, as a factor; 1 inside.
#[allow(clippy::cast_precision_loss)]
fn factor(ours: u64, (low, high): Range) -> f64 {
    match ours {
        _ if ours < low => low as f64 / ours as f64,
        _ if ours > high => ours as f64 / high as f64,
        _ => 1.0,
    }
}

fn verdict(
    quantity: Quantity,
    ours: Option<u64>,
    published: Option<Range>,
    reason: Option<&'static str>,
) -> Verdict {
    let largest = if quantity == Quantity::Footprint { FOOTPRINT_FACTOR } else { FACTOR };
    let Some(published) = published else {
        return reason.map_or(Verdict::Near, Verdict::NothingToExplain);
    };
    let near = ours.is_some_and(|ours| factor(ours, published) <= largest);
    match (near, reason) {
        (true, None) => Verdict::Near,
        (true, Some(reason)) => Verdict::NeedlessReason(reason),
        (false, Some(reason)) => Verdict::Explained(reason),
        (false, None) => Verdict::Off,
    }
}

fn reason(published: &Published, quantity: Quantity) -> Option<&'static str> {
    published.deviations.iter().find(|(q, _)| *q == quantity).map(|(_, reason)| *reason)
}

/// Holds a sheet against every published value that there is for the workload.
#[must_use]
pub fn check(workload: &'static dyn Workload, sheet: &Sheet) -> Vec<Finding> {
    let mut findings = check_entries(workload, &sheet.entries);
    findings.extend(footprints(workload, sheet));
    findings
}

/// Holds the entries of a workload against the published values of each.
#[must_use]
pub fn check_entries(workload: &'static dyn Workload, entries: &[EntryCharacter]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for published in workload.published() {
        let (Some(row), Some(entry)) =
            (row(published.row), entries.iter().find(|e| e.entry == published.entry))
        else {
            continue;
        };
        for (quantity, ours, value) in per_entry(entry, row) {
            findings.push(Finding {
                workload: workload.name(),
                entry: published.entry,
                row: published.row,
                quantity,
                ours: Some(ours),
                published: value,
                verdict: verdict(quantity, Some(ours), value, reason(published, quantity)),
            });
        }
    }
    findings.retain(|f| f.published.is_some() || !f.verdict.passes());
    findings
}

fn per_entry(entry: &EntryCharacter, row: &Row) -> [(Quantity, u64, Option<Range>); 3] {
    let exactly = |value: Option<u32>| value.map(|v| (u64::from(v), u64::from(v)));
    let registers = row.registers().map(|(low, high)| (u64::from(low), u64::from(high)));
    [
        (Quantity::Block, u64::from(entry.threads()), exactly(row.block_threads)),
        (Quantity::Registers, u64::from(entry.registers), registers),
        (Quantity::Shared, u64::from(entry.shared_bytes), exactly(row.shared_bytes)),
    ]
}

/// The footprints that tables give for the application; variants share their workload's.
fn footprints(workload: &'static dyn Workload, sheet: &Sheet) -> Vec<Finding> {
    let measured = sheet.runs.get(FOOTPRINT_PRESET).filter(|r| r.size == "paper");
    let ours = measured.map(|r| r.footprint_bytes);
    rows()
        .iter()
        .filter(|r| r.application == workload.name())
        .filter_map(|row| {
            let bytes = u64::from(row.footprint_kb?) << 10;
            let published = workload.published().iter().find(|p| p.entry == WHOLE && p.row == row.key);
            let reason = published.and_then(|p| reason(p, Quantity::Footprint));
            Some(Finding {
                workload: workload.name(),
                entry: WHOLE,
                row: &row.key,
                quantity: Quantity::Footprint,
                ours,
                published: Some((bytes, bytes)),
                verdict: verdict(Quantity::Footprint, ours, Some((bytes, bytes)), reason),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(ours: u64, reason: Option<&'static str>) -> Verdict {
        verdict(Quantity::Registers, Some(ours), Some((20, 24)), reason)
    }

    #[test]
    fn values_off_by_more_than_a_quarter_need_a_reason() {
        for near in [16, 20, 22, 24, 30] {
            assert_eq!(judged(near, None), Verdict::Near, "{near}");
            assert_eq!(judged(near, Some("why")), Verdict::NeedlessReason("why"));
        }
        for off in [0, 15, 31] {
            assert_eq!(judged(off, None), Verdict::Off, "{off}");
            assert_eq!(judged(off, Some("why")), Verdict::Explained("why"));
        }
    }

    #[test]
    fn footprints_may_be_off_by_two_and_must_be_measured() {
        let judged = |ours| verdict(Quantity::Footprint, ours, Some((100, 100)), None);
        assert_eq!(judged(Some(50)), Verdict::Near);
        assert_eq!(judged(Some(200)), Verdict::Near);
        assert_eq!(judged(Some(201)), Verdict::Off);
        assert_eq!(judged(None), Verdict::Off);
    }

    #[test]
    fn shared_memory_must_be_none_where_the_row_says_none() {
        let judged = |ours| verdict(Quantity::Shared, Some(ours), Some((0, 0)), None);
        assert_eq!(judged(0), Verdict::Near);
        assert_eq!(judged(4), Verdict::Off);
    }

    #[test]
    fn a_reason_without_a_value_is_refused() {
        let judged = verdict(Quantity::Block, Some(64), None, Some("why"));
        assert_eq!(judged, Verdict::NothingToExplain("why"));
        assert!(!judged.passes());
    }
}
