//! Register mapping for racetrack banks (Liang and Wang, JCST 2016, section 4.3).
//!
//! A profile run counts, bank by bank, how often a row is accessed directly after another
//! ([`MoveCounts`]). [`group_rows`] (algorithm 1) puts rows that follow each other often into groups, whose
//! members share an offset at different ports; [`arrange_groups`] (algorithm 2) orders the groups along
//! the racetracks; [`map_rows`] does both and gives every row its place.

mod arrange;
mod group;
mod moves;

pub use arrange::{MOST_GROUPS, arrange_groups};
pub use group::group_rows;
pub use moves::MoveCounts;

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

/// Places for all rows of a bank with `ports` access ports; rows that were never accessed come last. The
/// result is never worse than ascending order: where the heuristic of algorithm 1 is, that order stays.
///
/// # Panics
/// With no port, or more than [`MOST_GROUPS`] rows a port.
#[must_use]
pub fn map_rows(moves: &MoveCounts, ports: usize) -> Vec<RowPlace> {
    let groups = group_rows(moves, ports);
    let order = arrange_groups(moves, &groups);
    let mut places = vec![RowPlace { port: 0, offset: 0 }; moves.rows()];
    for (offset, &group) in order.iter().enumerate() {
        for (port, &row) in groups[group].iter().enumerate() {
            places[row] = RowPlace { port, offset };
        }
    }
    let ascending = ascending_places(moves.rows(), ports);
    if shifts(moves, &ascending) <= shifts(moves, &places) { ascending } else { places }
}

#[cfg(test)]
mod tests;
