//! Register arrangement (algorithm 2).

use super::moves::MoveCounts;

/// Most groups that are arranged exactly.
pub const MOST_GROUPS: usize = 16;

/// The order of the groups along the racetracks with the fewest shifts: the group of each offset.
///
/// Algorithm 2 tries all permutations, which is possible for the paper's eight groups (40,320) and no
/// more for the sixteen of a bank of 128 rows and 8 ports (2 x 10^13). The same minimum is found here by
/// dynamic programming over the sets of groups that take the low offsets: every move between a group
/// inside such a set and one outside crosses the border behind it, and the shifts of an order are the sum
/// of what crosses its borders. 2^n sets instead of n! orders; a test compares the two.
///
/// # Panics
/// With more than [`MOST_GROUPS`] groups.
#[must_use]
pub fn arrange_groups(moves: &MoveCounts, groups: &[Vec<usize>]) -> Vec<usize> {
    let n = groups.len();
    assert!(n <= MOST_GROUPS, "{n} groups, at most {MOST_GROUPS} are arranged");
    let weight = group_weights(moves, groups);
    let sets = 1_usize << n;
    let mut border = vec![0_u64; sets];
    let mut shifts = vec![u64::MAX; sets];
    let mut last = vec![0_u8; sets];
    shifts[0] = 0;
    // Moves between the highest group of the sets at hand and the groups of each set without it.
    let mut to_top = vec![0_u64; sets / 2];
    for (top, weight) in weight.iter().enumerate() {
        let all: u64 = weight.iter().sum();
        for rest in 0..1_usize << top {
            if rest != 0 {
                to_top[rest] = to_top[rest & (rest - 1)] + weight[rest.trailing_zeros() as usize];
            }
            let set = rest | 1 << top;
            // What the top moves crosses the border of `set`, but for what it moves within, which crossed that of `rest`.
            border[set] = border[rest] + all - 2 * to_top[rest];
            let mut members = set;
            while members != 0 {
                let group = members.trailing_zeros();
                let before = shifts[set & !(1 << group)];
                if before < shifts[set] {
                    (shifts[set], last[set]) = (before, group as u8);
                }
                members &= members - 1;
            }
            shifts[set] += border[set];
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut set = sets - 1;
    while set != 0 {
        let group = usize::from(last[set]);
        order.push(group);
        set &= !(1 << group);
    }
    order.reverse();
    order
}

/// Moves between the rows of two groups, both ways.
fn group_weights(moves: &MoveCounts, groups: &[Vec<usize>]) -> Vec<Vec<u64>> {
    let mut group_of = vec![usize::MAX; moves.rows()];
    for (group, rows) in groups.iter().enumerate() {
        rows.iter().for_each(|&row| group_of[row] = group);
    }
    let mut weight = vec![vec![0; groups.len()]; groups.len()];
    for (from, to, count) in moves.pairs() {
        let (a, b) = (group_of[from], group_of[to]);
        if a != b {
            weight[a][b] += count;
            weight[b][a] += count;
        }
    }
    weight
}
