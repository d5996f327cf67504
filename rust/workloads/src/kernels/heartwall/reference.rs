//! The track of one point by normalised correlation.

use super::{Extent, KEEP, LEARN_EVERY};

/// What became of a point.
pub(super) struct Track {
    /// Row and column in each frame.
    pub found: Vec<[usize; 2]>,
    /// The template after the last frame.
    pub template: Vec<f32>,
    /// The window of search in the last frame.
    pub window: Vec<f32>,
    /// Sums of the window's pixels in every place of the template, in the last frame.
    pub sums: Vec<f32>,
    /// The same for the squares of the pixels.
    pub squares: Vec<f32>,
}

/// Follows the point that lies at `start` in the first frame. Images are stored column by column.
pub(super) fn track(e: Extent, film: &[Vec<f32>], start: [usize; 2]) -> Track {
    let center = e.reach + e.radius;
    let mut template = cut(e, &film[0], start, e.radius);
    let mut found = vec![start];
    let mut track = Track {
        found: Vec::new(),
        template: Vec::new(),
        window: Vec::new(),
        sums: Vec::new(),
        squares: Vec::new(),
    };
    for (number, frame) in film.iter().enumerate().skip(1) {
        let window = cut(e, frame, start, e.reach);
        let sums = box_sums(e, &window);
        let squares = box_sums(e, &window.iter().map(|p| p * p).collect::<Vec<_>>());
        let last = found[number - 1];
        // In places, of which the one at `center` is the start.
        let last = [0, 1].map(|axis| last[axis] + center - start[axis]);
        let best = best_place(e, last, &correlation(e, &template, &window, &sums, &squares));
        let at = [0, 1].map(|axis| start[axis] + best[axis] - center);
        found.push(at);
        if number.is_multiple_of(LEARN_EVERY) {
            for (own, seen) in template.iter_mut().zip(cut(e, frame, at, e.radius)) {
                *own = KEEP.mul_add(*own, (1.0 - KEEP) * seen);
            }
        }
        track = Track { window, sums, squares, ..track };
    }
    Track { found, template, ..track }
}

/// The square of pixels that reaches `reach` to each side of `middle`.
fn cut(e: Extent, frame: &[f32], middle: [usize; 2], reach: usize) -> Vec<f32> {
    let columns = middle[1] - reach..=middle[1] + reach;
    columns
        .flat_map(|c| &frame[c * e.height + middle[0] - reach..=c * e.height + middle[0] + reach])
        .copied()
        .collect()
}

/// Sums of up to `length` elements that end at each of `places` places, of which the first ones are those of
/// `line` and the rest lie behind it, as differences of running sums.
fn sliding_sums(line: &[f32], length: usize, places: usize) -> Vec<f32> {
    let mut sum = 0.0;
    let running: Vec<f32> = (0..places)
        .map(|i| {
            sum += line.get(i).copied().unwrap_or(0.0);
            sum
        })
        .collect();
    (0..places).map(|i| running[i] - i.checked_sub(length).map_or(0.0, |before| running[before])).collect()
}

/// Sums of the pixels of the window in every place of the template: along the columns, then along the rows.
fn box_sums(e: Extent, window: &[f32]) -> Vec<f32> {
    let (length, places) = (e.template(), e.places());
    let columns: Vec<Vec<f32>> =
        window.chunks_exact(e.window()).map(|column| sliding_sums(column, length, places)).collect();
    let rows: Vec<Vec<f32>> = (0..places)
        .map(|row| sliding_sums(&columns.iter().map(|c| c[row]).collect::<Vec<_>>(), length, places))
        .collect();
    (0..places * places).map(|i| rows[i % places][i / places]).collect()
}

/// Normalised correlation in every place: products of template and window, less what their means make, over
/// both deviations. All goes from the template's last pixel to its first.
fn correlation(e: Extent, template: &[f32], window: &[f32], sums: &[f32], squares: &[f32]) -> Vec<f32> {
    let (box_side, side) = (e.template(), e.places());
    let size = (box_side * box_side) as f32;
    let column_sum = |c: &[f32]| c.iter().rev().fold(0.0_f32, |sum, p| sum + p);
    let column_square = |c: &[f32]| c.iter().rev().fold(0.0_f32, |sum, p| p.mul_add(*p, sum));
    let over_columns = |of: &dyn Fn(&[f32]) -> f32| {
        template.chunks_exact(box_side).rev().fold(0.0_f32, |sum, c| sum + of(c))
    };
    let total = over_columns(&column_sum);
    let mean = total / size;
    let variance = over_columns(&column_square) / size - mean * mean;
    let norm = (size - 1.0).sqrt() * variance.sqrt();
    let normalised = |place: usize| {
        let products = overlap(e, template, window, [place % side, place / side]);
        let spread = (squares[place] - sums[place] * sums[place] / size).max(0.0);
        (products - sums[place] * total / size) / (spread.sqrt() * norm)
    };
    (0..side * side).map(normalised).collect()
}

/// Sum of the products of template and window when the template's last pixel lies at `place` of the window.
fn overlap(e: Extent, template: &[f32], window: &[f32], place: [usize; 2]) -> f32 {
    let (box_side, window_side) = (e.template(), e.window());
    // How far back from the last pixel of the template those lie that are on the window.
    let [rows, columns] = place.map(|p| (p + 1).saturating_sub(window_side)..(p + 1).min(box_side));
    let mut sum = 0.0_f32;
    for j in columns {
        for i in rows.clone() {
            let own = template[(box_side - 1 - j) * box_side + box_side - 1 - i];
            sum = own.mul_add(window[(place[1] - j) * window_side + place[0] - i], sum);
        }
    }
    sum
}

/// Row and column of the first of the largest positive values near `last`, or the middle.
fn best_place(e: Extent, last: [usize; 2], values: &[f32]) -> [usize; 2] {
    let side = e.places();
    let near = |place: usize, last: usize| (place..place + e.near).contains(&(last + e.near / 2));
    let mut best = (0.0, [e.reach + e.radius; 2]);
    for row in (0..side).filter(|&r| near(r, last[0])) {
        for column in (0..side).filter(|&c| near(c, last[1])) {
            let value = values[column * side + row];
            if value > best.0 {
                best = (value, [row, column]);
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: Extent = Extent { height: 9, width: 9, frames: 2, points: 1, radius: 1, reach: 1, near: 3 };

    #[test]
    fn sliding_sums_begin_and_end_with_parts() {
        assert_eq!(sliding_sums(&[1.0, 2.0, 4.0], 2, 4), [1.0, 3.0, 6.0, 4.0]);
        let sums = box_sums(TINY, &[1.0; 9]);
        // Places of a template of 3 x 3 in a window of 3 x 3: 1 to 3 pixels along each side.
        assert_eq!((sums[0], sums[2], sums[12], sums[13], sums[24]), (1.0, 3.0, 9.0, 6.0, 1.0));
    }

    #[test]
    fn overlaps_by_hand() {
        let template: Vec<f32> = (1..=9_u8).map(f32::from).collect();
        let window: Vec<f32> = (1..=9_u8).map(|v| f32::from(10 * v)).collect();
        // The last pixel on the first, the first on the last, and all on all.
        assert_eq!(overlap(TINY, &template, &window, [0, 0]), 90.0);
        assert_eq!(overlap(TINY, &template, &window, [4, 4]), 90.0);
        assert_eq!(overlap(TINY, &template, &window, [2, 2]), 2_850.0);
    }

    #[test]
    fn a_window_that_is_the_template_correlates_fully() {
        let template: Vec<f32> = [3.0, 9.0, 1.0, 7.0, 2.0, 8.0, 4.0, 6.0, 5.0].to_vec();
        let squares: Vec<f32> = template.iter().map(|p| p * p).collect();
        let values =
            correlation(TINY, &template, &template, &box_sums(TINY, &template), &box_sums(TINY, &squares));
        // Both deviations are of the population, one of them is scaled by n - 1 in place of n.
        assert!(
            (values[12] - (60.0 / (8.0_f32 * 60.0 / 9.0).sqrt() / 60.0_f32.sqrt())).abs() < 1e-5,
            "{}",
            values[12]
        );
        assert_eq!(best_place(TINY, [2, 2], &values), [2, 2]);
        // Out of reach of the last place it is not seen; where nothing is, the point stays in the middle.
        let mut values = vec![0.0; 25];
        (values[12], values[4 * 5 + 3]) = (1.0, 0.5);
        assert_eq!(best_place(TINY, [4, 4], &values), [3, 4]);
        assert_eq!(best_place(TINY, [0, 4], &values), [2, 2]);
    }
}
