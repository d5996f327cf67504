//! Register grouping (algorithm 1).

use super::moves::MoveCounts;

/// Partitions the rows into groups of `size`, the last one smaller where they do not divide: rows with
/// many moves between them come together.
///
/// Algorithm 1, and its function FindMaxSubgraph: a group grows by the row, or by the pair of rows, that
/// gives it the largest weight; a row wins over a pair of the same weight, and among equals the later
/// one. As printed the function adds nothing when a pair weighs more and only one place is left; here
/// the best single row takes that place. `port_num` and `group_id` are counted up where the printed
/// text resets them in each round or misspells them.
///
/// # Panics
/// When `size` is 0.
#[must_use]
pub fn group_rows(moves: &MoveCounts, size: usize) -> Vec<Vec<usize>> {
    assert!(size > 0, "a bank has at least one port");
    let mut left: Vec<usize> = (0..moves.rows()).collect();
    let mut groups = Vec::new();
    while !left.is_empty() {
        groups.push(max_subgraph(moves, &mut left, size));
    }
    groups
}

/// Takes a heavy group of at most `size` rows out of `left`.
fn max_subgraph(moves: &MoveCounts, left: &mut Vec<usize>, size: usize) -> Vec<usize> {
    let mut group: Vec<usize> = Vec::new();
    // Weight that each remaining row would add, kept up to date as the group grows.
    let mut gain = vec![0; moves.rows()];
    while group.len() < size && !left.is_empty() {
        let (mut row, mut row_gain) = (left[0], 0);
        for &candidate in left.iter() {
            if gain[candidate] >= row_gain {
                (row, row_gain) = (candidate, gain[candidate]);
            }
        }
        let mut pair = None;
        let mut pair_gain = 0;
        if group.len() + 2 <= size {
            for (i, &a) in left.iter().enumerate() {
                for &b in &left[i + 1..] {
                    let together = gain[a] + gain[b] + moves.between(a, b);
                    if together >= pair_gain {
                        (pair, pair_gain) = (Some((a, b)), together);
                    }
                }
            }
        }
        let added = match pair {
            Some((a, b)) if pair_gain > row_gain => vec![a, b],
            _ => vec![row],
        };
        left.retain(|r| !added.contains(r));
        for &new in &added {
            for &other in left.iter() {
                gain[other] += moves.between(new, other);
            }
        }
        group.extend(added);
    }
    group
}
