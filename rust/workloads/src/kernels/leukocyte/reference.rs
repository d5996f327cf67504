//! The three computations of the device, and the host's choice of cells between them.

use super::frame::{Circles, Image};

/// Weights of the flow field's diffusion, in double precision as in the kernel.
const MU: f64 = 0.5;
const LAMBDA: f64 = 8.0 * MU + 1.0;
/// Threads that share the sum of a field's movement.
pub(super) const FLOW_THREADS: usize = 320;

/// The largest ratio of squared mean to variance of the outward gradient along the circles around each pixel.
pub(super) fn gicov([along_x, along_y]: &[Image; 2], rim: usize, circles: &Circles) -> Image {
    let (rows, columns) = (along_x.rows, along_x.columns);
    Image::of(rows, columns, |row, column| {
        if !(rim..rows - rim).contains(&row) || !(rim..columns - rim).contains(&column) {
            return 0.0;
        }
        let mut best = 0.0;
        for (xs, ys) in circles.x.iter().zip(&circles.y) {
            let outward = (0..xs.len()).map(|n| {
                let x = column.wrapping_add_signed(xs[n] as isize);
                let y = row.wrapping_add_signed(ys[n] as isize);
                along_x.at(y, x) * circles.cosines[n] + along_y.at(y, x) * circles.sines[n]
            });
            let ratio = ratio(outward);
            if ratio > best {
                best = ratio;
            }
        }
        best
    })
}

/// Squared mean by variance; the variance is a running one (Welford).
fn ratio(values: impl Iterator<Item = f32>) -> f32 {
    let (mut sum, mut squares, mut running, mut count) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for value in values {
        count += 1.0;
        sum += value;
        let delta = value - running;
        running += delta / count;
        squares += delta * (value - running);
    }
    let mean = sum / count;
    mean * mean / (squares / (count - 1.0))
}

/// The largest value under a disc of `radius` around each pixel.
pub(super) fn dilate(image: &Image, radius: usize) -> Image {
    let (rows, columns) = (image.rows, image.columns);
    let span = |middle: usize, end: usize| middle.saturating_sub(radius)..(middle + radius + 1).min(end);
    Image::of(rows, columns, |row, column| {
        let mut largest = 0.0_f32;
        for y in span(row, rows) {
            for x in span(column, columns) {
                if y.abs_diff(row).pow(2) + x.abs_diff(column).pow(2) <= radius * radius {
                    largest = largest.max(image.at(y, x));
                }
            }
        }
        largest
    })
}

/// Row and column of the strongest maxima, at most `most` of them.
pub(super) fn cells(image: &Image, dilated: &Image, most: usize) -> Vec<[usize; 2]> {
    let pixels = || image.pixels.iter().zip(&dilated.pixels).enumerate();
    let maxima = pixels().filter(|(_, (value, largest))| **value > 0.0 && value == largest);
    let mut maxima: Vec<(usize, f32)> = maxima.map(|(at, (value, _))| (at, *value)).collect();
    maxima.sort_by(|a, b| b.1.total_cmp(&a.1));
    maxima.truncate(most);
    maxima.into_iter().map(|(at, _)| [at % image.rows, at / image.rows]).collect()
}

/// What surrounds a cell: a field of values, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Window {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) values: Vec<f32>,
}

impl Window {
    /// Strength of the gradient around a cell, between 0 and 1, in a window that ends at the frame's border.
    pub(super) fn of([along_x, along_y]: &[Image; 2], cell: [usize; 2], half: [usize; 2]) -> Self {
        let span = |axis: usize, end: usize| {
            cell[axis].saturating_sub(half[axis])..(cell[axis] + half[axis] + 1).min(end)
        };
        let (rows, columns) = (span(0, along_x.rows), span(1, along_x.columns));
        let strength = |row, column| {
            let (x, y) = (along_x.at(row, column), along_y.at(row, column));
            (x * x + y * y).sqrt()
        };
        let pixels = rows.clone().flat_map(|row| columns.clone().map(move |column| (row, column)));
        let mut values: Vec<f32> = pixels.map(|(row, column)| strength(row, column)).collect();
        let least = values.iter().copied().fold(f32::INFINITY, f32::min);
        let most = values.iter().copied().fold(0.0, f32::max);
        for value in &mut values {
            *value = (*value - least) / (most - least);
        }
        Self { rows: rows.len(), columns: columns.len(), values }
    }
}

/// Direction of the motion, reciprocal width of the step, and when to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion {
    pub(super) velocity: [f32; 2],
    pub(super) width: f32,
    pub(super) most_iterations: u32,
    pub(super) cutoff: f32,
}

/// The flow field of a window, and the iterations that it took.
pub(super) fn flow(window: &Window, motion: &Motion) -> (Vec<f32>, u32) {
    let mut field = window.values.clone();
    for iteration in 0..motion.most_iterations {
        let next: Vec<f32> = (0..field.len()).map(|at| step(window, motion, &field, at)).collect();
        let moved: Vec<f32> = next.iter().zip(&field).map(|(new, old)| (new - old).abs()).collect();
        field = next;
        if total(&moved) / (field.len() as f32) < motion.cutoff {
            return (field, iteration + 1);
        }
    }
    (field, motion.most_iterations)
}

/// The next value of an element of the field: it takes from the neighbours that the motion comes from, and tends to
/// the image where that is bright.
fn step(window: &Window, motion: &Motion, field: &[f32], at: usize) -> f32 {
    let (row, column) = (at / window.columns, at % window.columns);
    let old = field[at];
    let [vx, vy] = motion.velocity;
    let mut sum = 0.0;
    let above = [row.saturating_sub(1), row, (row + 1).min(window.rows - 1)];
    let beside = [column.saturating_sub(1), column, (column + 1).min(window.columns - 1)];
    let directions = [[-vx - vy, -vy, vx - vy], [-vx, 0.0, vx], [vy - vx, vy, vx + vy]];
    for (y, along) in above.into_iter().zip(directions) {
        for (x, along) in beside.into_iter().zip(along) {
            let difference = field[y * window.columns + x] - old;
            sum += difference * heaviside(difference * along * (1.0 / motion.width));
        }
    }
    let diffused = (f64::from(old) + MU / LAMBDA * f64::from(sum)) as f32;
    let pixel = window.values[at];
    (f64::from(diffused) - 1.0 / LAMBDA * f64::from(pixel) * f64::from(diffused - pixel)) as f32
}

fn heaviside(x: f32) -> f32 {
    if x > 0.0001 {
        1.0
    } else if x > -0.0001 {
        0.5
    } else {
        0.0
    }
}

/// The sum in the order of the device, which decides when it stops: elements a block's threads apart first, then a
/// tree, in which those beyond a power of two go first.
fn total(values: &[f32]) -> f32 {
    let power = FLOW_THREADS.next_power_of_two() / 2;
    let mut sums = [0.0_f32; FLOW_THREADS];
    for (at, value) in values.iter().enumerate() {
        sums[at % FLOW_THREADS] += value;
    }
    for at in power..FLOW_THREADS {
        sums[at - power] += sums[at];
    }
    let mut half = power / 2;
    while half > 0 {
        for at in 0..half {
            sums[at] += sums[at + half];
        }
        half /= 2;
    }
    sums[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::floats;
    use crate::kernels::leukocyte::frame::{frame, gradients};
    use crate::random::SplitMix64;

    const MOTION: Motion = Motion { velocity: [1.0, 1.0], width: 2.0, most_iterations: 500, cutoff: 1e-3 };

    #[test]
    fn ratios_by_hand() {
        // Mean 3, variance (4 + 0 + 4) / 2.
        assert_eq!(ratio([1.0, 3.0, 5.0].into_iter()), 9.0 / 4.0);
    }

    #[test]
    fn a_cell_is_found_at_its_middle() {
        let image = Image::of(40, 44, |row, column| {
            let distance = row.abs_diff(18).pow(2) + column.abs_diff(23).pow(2);
            if distance <= 36 { 90.0 } else { 30.0 + ((row * 7 + column * 3) % 5) as f32 }
        });
        let found = gicov(&gradients(&image), 9, &Circles::of(40, &[5, 6, 7]));
        let cells = cells(&found, &dilate(&found, 5), 1);
        assert!(cells[0][0].abs_diff(18) <= 1 && cells[0][1].abs_diff(23) <= 1, "{cells:?}");
    }

    #[test]
    fn dilation_spreads_a_pixel_over_the_disc() {
        let image = Image::of(7, 6, |row, column| if (row, column) == (2, 1) { 5.0 } else { 0.0 });
        let dilated = dilate(&image, 2);
        assert_eq!(dilated.pixels.iter().filter(|&&v| v == 5.0).count(), 13 - 1);
        assert_eq!(
            [dilated.at(2, 3), dilated.at(4, 1), dilated.at(3, 3), dilated.at(3, 2)],
            [5.0, 5.0, 0.0, 5.0]
        );
    }

    #[test]
    fn an_even_field_does_not_move() {
        let window = Window { rows: 3, columns: 5, values: vec![0.5; 15] };
        assert_eq!(flow(&window, &MOTION), (window.values.clone(), 1));
    }

    #[test]
    fn a_field_takes_from_where_the_motion_points() {
        let mut values = vec![0.0; 25];
        values[12] = 1.0;
        let window = Window { rows: 5, columns: 5, values };
        let next = |at: usize| step(&window, &MOTION, &window.values, at);
        // Up and left of the bright element the step is whole, down and right of it nothing; across it is half.
        assert_eq!([next(6), next(7), next(11)], [0.1; 3]);
        assert_eq!([next(18), next(17), next(13)], [0.0; 3]);
        assert_eq!([next(8), next(16)], [0.05; 2]);
        // The bright element loses to five neighbours, two of them half, and is drawn back by a fifth.
        let diffused = 1.0 - 0.1 * 4.0;
        assert!((next(12) - (diffused - 0.2 * (diffused - 1.0))).abs() < 1e-6, "{}", next(12));
    }

    #[test]
    fn fields_settle() {
        let gradients = gradients(&frame([60, 60], 4, [5, 8], &mut SplitMix64::new(1, 0)));
        let window = Window::of(&gradients, [30, 10], [20, 40]);
        assert_eq!((window.rows, window.columns), (41, 51));
        let (field, iterations) = flow(&window, &MOTION);
        assert!((2..500).contains(&iterations), "{iterations}");
        assert!(field.iter().all(|v| (-0.01..=1.01).contains(v)));
    }

    #[test]
    fn the_ordered_sum_is_the_sum() {
        let values = floats(&mut SplitMix64::new(1, 0), 3321, 0.0, 1.0);
        let sum: f64 = values.iter().map(|&v| f64::from(v)).sum();
        assert!((f64::from(total(&values)) - sum).abs() < 1e-3 * sum);
        assert_eq!(total(&[1.0; 1000]), 1000.0);
    }
}
