//! Register mapping for racetrack banks (Liang and Wang, JCST 2016, section 4.3).
//!
//! A profile run counts, bank by bank, how often a row is accessed directly after another
//! ([`MoveCounts`]). [`group_rows`] (algorithm 1) puts rows that follow each other often into groups, whose
//! members share an offset at different ports; [`arrange_groups`] (algorithm 2) orders the groups along
//! the racetracks; [`map_rows`] does both and gives every row its place.

mod arrange;
mod group;
mod moves;
mod report;

pub use arrange::{MOST_GROUPS, arrange_groups};
pub use group::group_rows;
pub use moves::MoveCounts;
pub use report::EntryMapping;

/// A physical entry of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowPlace {
    /// Access port in whose region it lies.
    pub port: usize,
    /// Offset in the region.
    pub offset: usize,
}

/// Where each row of a bank lies in ascending order: the low offsets of all ports first (figure 6).
#[must_use]
pub fn ascending_places(rows: usize, ports: usize) -> Vec<RowPlace> {
    (0..rows).map(|row| RowPlace { port: row % ports.max(1), offset: row / ports.max(1) }).collect()
}

/// Shift steps of a trace when its rows lie at `places`: equation 3, without the way to the first access.
#[must_use]
pub fn shifts(moves: &MoveCounts, places: &[RowPlace]) -> u64 {
    moves.pairs().map(|(a, b, count)| count * places[a].offset.abs_diff(places[b].offset) as u64).sum()
}

/// Where the rows of a bank lie, and how that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankMapping {
    /// The groups of algorithm 1 in the order of algorithm 2: that of offset 0 first.
    pub groups: Vec<Vec<usize>>,
    /// Place of each row: that in its group, or in ascending order where this has no more shifts.
    pub places: Vec<RowPlace>,
    /// Shift steps of the profile in ascending order.
    pub ascending_shifts: u64,
    /// Shift steps of the profile with the groups.
    pub grouped_shifts: u64,
}

impl BankMapping {
    /// Shift steps of the profile with the chosen places.
    #[must_use]
    pub fn shifts(&self) -> u64 {
        self.ascending_shifts.min(self.grouped_shifts)
    }
}

/// Maps all rows of a bank with `ports` access ports; rows that were never accessed come last. The
/// result is never worse than ascending order: where the heuristic of algorithm 1 is, that order stays.
///
/// # Panics
/// With no port, or more than [`MOST_GROUPS`] rows a port.
#[must_use]
pub fn map_rows(moves: &MoveCounts, ports: usize) -> BankMapping {
    let mut groups = group_rows(moves, ports);
    let order = arrange_groups(moves, &groups);
    let groups: Vec<Vec<usize>> = order.iter().map(|&group| std::mem::take(&mut groups[group])).collect();
    let mut places = vec![RowPlace { port: 0, offset: 0 }; moves.rows()];
    for (offset, group) in groups.iter().enumerate() {
        for (port, &row) in group.iter().enumerate() {
            places[row] = RowPlace { port, offset };
        }
    }
    let ascending = ascending_places(moves.rows(), ports);
    let (ascending_shifts, grouped_shifts) = (shifts(moves, &ascending), shifts(moves, &places));
    let places = if ascending_shifts <= grouped_shifts { ascending } else { places };
    BankMapping { groups, places, ascending_shifts, grouped_shifts }
}

#[cfg(test)]
mod tests;
