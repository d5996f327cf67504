//! The order of colouring: Chaitin's simplification of the interval conflict graph.

use std::collections::BTreeSet;

use super::graph::ConflictGraph;

/// The units in the order in which they are coloured: the reverse of the order in which they are removed
/// (Chaitin and others, "Register allocation via coloring", 1981).
///
/// A unit with fewer neighbours left than banks is removed first, since it finds a bank whatever they get; where
/// there is none, the one whose conflicts cost least for its degree, that is, the one in the fewest intervals.
/// It is coloured all the same, last of all, with what is left (Briggs).
pub(super) fn colouring_order(graph: &ConflictGraph, width: &[usize], banks: usize) -> Vec<usize> {
    let mut degree: Vec<usize> =
        graph.neighbours.iter().map(|list| list.iter().map(|&n| width[n as usize]).sum()).collect();
    let mut left: BTreeSet<(usize, usize)> = degree.iter().copied().zip(0..).collect();
    let mut removed = Vec::with_capacity(degree.len());
    while let Some(&(least, unit)) = left.first() {
        let unit = if least < banks { unit } else { cheapest(graph, &left) };
        left.remove(&(degree[unit], unit));
        for &neighbour in &graph.neighbours[unit] {
            let neighbour = neighbour as usize;
            if left.remove(&(degree[neighbour], neighbour)) {
                degree[neighbour] -= width[unit];
                left.insert((degree[neighbour], neighbour));
            }
        }
        removed.push(unit);
    }
    removed.reverse();
    removed
}

/// The unit with the fewest intervals for its degree; of equals, the one with the lowest number.
fn cheapest(graph: &ConflictGraph, left: &BTreeSet<(usize, usize)>) -> usize {
    let cost = |unit: usize| graph.intervals[unit].len();
    let cheaper = |a: &&(usize, usize), b: &&(usize, usize)| {
        // cost / degree, compared without division.
        (cost(a.1) * b.0).cmp(&(cost(b.1) * a.0)).then(a.1.cmp(&b.1))
    };
    left.iter().min_by(cheaper).expect("called while units are left").1
}
