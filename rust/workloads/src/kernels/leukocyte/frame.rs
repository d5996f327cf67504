//! A frame of a video of white blood cells, its gradients, and the circles along which cells are sought.
//! Images are stored column by column.

use crate::random::SplitMix64;

/// Room for points of a circle, and for circles, in the constants of the kernel.
pub(super) const MOST_POINTS: usize = 150;
pub(super) const MOST_CIRCLES: usize = 7;

/// An image.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Image {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) pixels: Vec<f32>,
}

impl Image {
    /// An image of what `value` says of each row and column.
    pub(super) fn of(rows: usize, columns: usize, mut value: impl FnMut(usize, usize) -> f32) -> Self {
        let mut pixels = Vec::with_capacity(rows * columns);
        for column in 0..columns {
            for row in 0..rows {
                pixels.push(value(row, column));
            }
        }
        Self { rows, columns, pixels }
    }

    /// The pixel at a row and column.
    pub(super) fn at(&self, row: usize, column: usize) -> f32 {
        self.pixels[column * self.rows + row]
    }
}

/// `cells` bright discs of radius `smallest ..= largest` with a soft edge on a noisy ground.
pub(super) fn frame(
    [rows, columns]: [usize; 2],
    cells: usize,
    [smallest, largest]: [usize; 2],
    random: &mut SplitMix64,
) -> Image {
    let discs: Vec<[f32; 3]> = (0..cells)
        .map(|_| {
            let row = random.f32_in(0.0, rows as f32);
            let column = random.f32_in(0.0, columns as f32);
            [row, column, random.f32_in(smallest as f32, largest as f32)]
        })
        .collect();
    Image::of(rows, columns, |row, column| {
        let depth = |disc: &[f32; 3]| {
            let (down, right) = (row as f32 - disc[0], column as f32 - disc[1]);
            (disc[2] - (down * down + right * right).sqrt()).clamp(-1.0, 1.0)
        };
        80.0 + 50.0 * discs.iter().map(depth).fold(-1.0, f32::max) + random.f32_in(0.0, 12.0)
    })
}

/// Differences of the neighbours along rows and columns; a pixel at the border is its own neighbour.
pub(super) fn gradients(image: &Image) -> [Image; 2] {
    let (rows, columns) = (image.rows, image.columns);
    let along_x = |row: usize, column: usize| {
        (image.at(row, (column + 1).min(columns - 1)) - image.at(row, column.saturating_sub(1))) / 2.0
    };
    let along_y = |row: usize, column: usize| {
        (image.at((row + 1).min(rows - 1), column) - image.at(row.saturating_sub(1), column)) / 2.0
    };
    [Image::of(rows, columns, along_x), Image::of(rows, columns, along_y)]
}

/// Points of circles: their directions, and for each circle their offsets in whole pixels.
#[derive(Debug, Clone)]
pub(super) struct Circles {
    pub(super) sines: Vec<f32>,
    pub(super) cosines: Vec<f32>,
    pub(super) x: Vec<Vec<i32>>,
    pub(super) y: Vec<Vec<i32>>,
}

impl Circles {
    /// Circles of `points` points each.
    pub(super) fn of(points: usize, radii: &[usize]) -> Self {
        let directions: Vec<[f32; 2]> = (0..points).map(|n| direction(n as f64 / points as f64)).collect();
        let offsets = |axis: usize| {
            let circle =
                |&radius: &usize| directions.iter().map(|d| (d[axis] * radius as f32) as i32).collect();
            radii.iter().map(circle).collect()
        };
        Self {
            sines: directions.iter().map(|d| d[1]).collect(),
            cosines: directions.iter().map(|d| d[0]).collect(),
            x: offsets(0),
            y: offsets(1),
        }
    }

    /// The words of the kernel's constant: sines, cosines, and the offsets of all circles in x and in y.
    pub(super) fn words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        for directions in [&self.sines, &self.cosines] {
            words.extend(directions.iter().map(|d| d.to_bits()));
            words.resize(words.len().next_multiple_of(MOST_POINTS), 0);
        }
        for offsets in [&self.x, &self.y] {
            let end = words.len() + MOST_CIRCLES * MOST_POINTS;
            for circle in offsets {
                words.extend(circle.iter().map(|o| o.cast_unsigned()));
                words.resize(words.len().next_multiple_of(MOST_POINTS), 0);
            }
            words.resize(end, 0);
        }
        words
    }
}

/// Cosine and sine of a part of the full circle, by their series: the same bits on every machine, which a
/// library's functions do not promise.
fn direction(part: f64) -> [f32; 2] {
    let angle = std::f64::consts::PI * (2.0 * part - 1.0);
    let series = |first: i32| {
        let factor = |n: i32| -angle * angle / f64::from((first + 2 * n - 1) * (first + 2 * n));
        (1..=14).rev().fold(1.0, |sum, n| 1.0 + sum * factor(n))
    };
    // The angle runs from minus a half turn, which turns the signs.
    [-series(0) as f32, -(angle * series(1)) as f32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_of_the_library() {
        for n in 0..150 {
            let angle = std::f64::consts::TAU * f64::from(n) / 150.0;
            let [cosine, sine] = direction(f64::from(n) / 150.0);
            assert!((f64::from(cosine) - angle.cos()).abs() < 1e-7, "{n}");
            assert!((f64::from(sine) - angle.sin()).abs() < 1e-7, "{n}");
        }
    }

    #[test]
    fn circles_stand_in_the_constant_where_the_kernel_reads() {
        let circles = Circles::of(8, &[3, 10]);
        let words = circles.words();
        assert_eq!(words.len(), 2 * MOST_POINTS + 2 * MOST_CIRCLES * MOST_POINTS);
        assert_eq!(f32::from_bits(words[2]), 1.0);
        assert_eq!(f32::from_bits(words[MOST_POINTS]), 1.0);
        assert_eq!(words[2 * MOST_POINTS + MOST_POINTS], 10);
        assert_eq!(words[(2 + MOST_CIRCLES) * MOST_POINTS + MOST_POINTS + 6].cast_signed(), -10);
        assert_eq!(circles.x[0][1], 2);
    }

    #[test]
    fn gradients_by_hand() {
        let image = Image::of(2, 3, |row, column| (10 * row + column * column) as f32);
        let [x, y] = gradients(&image);
        assert_eq!([x.at(0, 0), x.at(0, 1), x.at(1, 2)], [0.5, 2.0, 1.5]);
        assert!(y.pixels.iter().all(|&d| d == 5.0));
    }

    #[test]
    fn frames_show_cells() {
        let image = frame([40, 50], 3, [4, 6], &mut SplitMix64::new(1, 0));
        let bright = image.pixels.iter().filter(|&&p| p > 110.0).count();
        assert!((20..600).contains(&bright), "{bright}");
        assert!(image.pixels.iter().all(|p| (30.0..142.0).contains(p)));
    }
}
