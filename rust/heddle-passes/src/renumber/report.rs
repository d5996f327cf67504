//! What a renumbering was worth, as text for people.

use std::collections::BTreeMap;

use super::Renumbered;
use crate::intervals::put;

/// How many intervals have how many bank conflicts before and after, their sums, and whether the program has kept
/// its numbers.
#[must_use]
pub fn renumbering_report(new: &Renumbered) -> String {
    let mut text = String::new();
    let mut rows: BTreeMap<u32, [usize; 2]> = BTreeMap::new();
    for (column, conflicts) in [&new.before, &new.after].into_iter().enumerate() {
        for &count in conflicts {
            rows.entry(count).or_default()[column] += 1;
        }
    }
    let how =
        if new.kept { "the colouring is not better, numbers are kept" } else { "registers are renumbered" };
    put(&mut text, format_args!("\n{} units of live ranges, {how}\n", new.units));
    put(&mut text, format_args!("bank conflicts  intervals before  after\n"));
    for (conflicts, [before, after]) in rows {
        put(&mut text, format_args!("{conflicts:>14}  {before:>16}  {after:>5}\n"));
    }
    let [before, after] = [&new.before, &new.after].map(|list| list.iter().sum::<u32>());
    put(&mut text, format_args!("{:>14}  {before:>16}  {after:>5}\n", "sum"));
    text
}
