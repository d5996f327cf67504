//! DXT1 of one block of 4 x 4 pixels, by trying every code word that can be best.

use std::cmp::Ordering;

const PIXELS: usize = 16;
/// Code words with three codes at most.
const THREES: usize = 150;
/// Rounds of the power method.
const ROUNDS: usize = 8;

type Color = [f32; 3];

/// A way to divide the line between the end colours `a` and `b`.
struct Ramp {
    /// Parts of the line.
    steps: f32,
    /// Parts of `a` in the colour of each code; the rest are of `b`.
    shares: [f32; 4],
}

/// With four colours; a third of `a` has code 3.
const FOUR: Ramp = Ramp { steps: 3.0, shares: [3.0, 0.0, 2.0, 1.0] };
/// With three; code 3, which is transparent, does not occur.
const THREE: Ramp = Ramp { steps: 2.0, shares: [2.0, 0.0, 1.0, 0.0] };

/// Every way to give codes 0, 2, 3, 1 to pixels in this order, each to a run that may be empty, two runs at
/// least. Those without code 3 come first. Pixel 0 has the lowest two bits.
pub(super) fn code_words() -> Vec<u32> {
    let mut splits = Vec::new();
    for i in 0..=PIXELS {
        for j in i..=PIXELS {
            splits.extend((j..=PIXELS).map(|k| [i, j - i, k - j, PIXELS - k]));
        }
    }
    splits.retain(|runs| !runs.contains(&PIXELS));
    splits.sort_by_key(|runs| runs[2] > 0);
    let word = |runs: [usize; 4]| {
        let codes = [0, 2, 3, 1].into_iter().zip(runs).flat_map(|(code, run)| vec![code; run]);
        codes.enumerate().fold(0, |word, (i, code)| word | code << (2 * i))
    };
    splits.into_iter().map(word).collect()
}

/// Two end colours of 16 bits, then two bits for each pixel. The first of equally good code words is taken.
pub(super) fn compress(pixels: &[u32; PIXELS], list: &[u32]) -> [u32; 2] {
    let colors = pixels.map(|p| [p, p >> 8, p >> 16].map(|c| (c & 0xff) as f32 * (1.0 / 255.0)));
    let sum = each(|c| tree_sum(colors.map(|color| color[c])));
    let axis = principal_axis(&colors, sum.map(|s| s * (1.0 / 16.0)));
    let mut order: [usize; PIXELS] = std::array::from_fn(|i| i);
    let along = colors.map(|color| dot(color, axis));
    order.sort_by(|&i, &j| along[i].partial_cmp(&along[j]).unwrap_or(Ordering::Equal));
    let sorted = order.map(|i| colors[i]);

    let mut best = Fit { error: f32::MAX, ends: [0; 2] };
    let mut codes = 0;
    for &word in list {
        let fit = fit(&FOUR, &sorted, sum, word);
        if fit.error < best.error {
            (best, codes) = (fit, word);
        }
    }
    // Ends in descending order mean four colours.
    if best.ends[0] < best.ends[1] {
        best.ends.reverse();
        codes ^= 0x5555_5555;
    }
    for &word in &list[..THREES] {
        let mut fit = fit(&THREE, &sorted, sum, word);
        if fit.error < best.error {
            codes = word;
            if fit.ends[0] > fit.ends[1] {
                fit.ends.reverse();
                // Codes 0 and 1 change places.
                codes ^= !word >> 1 & 0x5555_5555;
            }
            best = fit;
        }
    }
    if best.ends[0] == best.ends[1] {
        codes = 0;
    }
    let place = |(rank, &pixel): (usize, &usize)| ((codes >> (2 * rank)) & 3) << (2 * pixel);
    let indices = order.iter().enumerate().map(place).fold(0, |word, code| word | code);
    [best.ends[0] | best.ends[1] << 16, indices]
}

struct Fit {
    /// Squared distance to the pixels, without the term that all code words share.
    error: f32,
    ends: [u32; 2],
}

/// Least squares for the end colours of a code word, rounded to 5, 6 and 5 bits.
fn fit(ramp: &Ramp, colors: &[Color; PIXELS], sum: Color, word: u32) -> Fit {
    let Ramp { steps, shares } = *ramp;
    let mut ax = [0.0_f32; 3];
    let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
    for (i, color) in colors.iter().enumerate() {
        let a = shares[(word >> (2 * i) & 3) as usize];
        let b = steps - a;
        ax = each(|c| color[c].mul_add(a, ax[c]));
        (aa, bb, ab) = (aa + a * a, bb + b * b, ab + a * b);
    }
    let bx = each(|c| sum[c] * steps - ax[c]);
    let scale = steps / (aa * bb - ab * ab);
    let (a, a_bits) = quantize(each(|c| (ax[c] * bb - bx[c] * ab) * scale));
    let (b, b_bits) = quantize(each(|c| (bx[c] * aa - ax[c] * ab) * scale));
    let squares = dot(b, b).mul_add(bb, dot(a, a) * aa);
    let mixed = dot(a, b) * ab - steps * (dot(a, ax) + dot(b, bx));
    let error = 2.0_f32.mul_add(mixed, squares) * (1.0 / (steps * steps));
    Fit { error, ends: [a_bits, b_bits] }
}

/// The colour that 5, 6 and 5 bits can hold, and these bits.
fn quantize(color: Color) -> (Color, u32) {
    const LEVELS: [f32; 3] = [31.0, 63.0, 31.0];
    let steps = each(|c| (color[c].clamp(0.0, 1.0) * LEVELS[c]).round_ties_even());
    let [r, g, b] = steps.map(|s| s as u32);
    (each(|c| steps[c] * (1.0 / LEVELS[c])), r << 11 | g << 5 | b)
}

/// The direction of the largest spread by the power method; zero when all pixels are equal.
fn principal_axis(colors: &[Color; PIXELS], mean: Color) -> Color {
    let moment = |c: usize, d: usize| tree_sum(colors.map(|x| (x[c] - mean[c]) * (x[d] - mean[d])));
    let moments = each(|c| each(|d| moment(c, d)));
    let mut axis = [1.0; 3];
    for _ in 0..ROUNDS {
        let turned = moments.map(|row| dot(axis, row));
        let largest = turned.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
        axis = turned.map(|v| v * if largest > 0.0 { 1.0 / largest } else { 0.0 });
    }
    axis
}

fn each<T>(f: impl FnMut(usize) -> T) -> [T; 3] {
    std::array::from_fn(f)
}

fn dot(x: Color, y: Color) -> f32 {
    x[2].mul_add(y[2], x[1].mul_add(y[1], x[0] * y[0]))
}

/// Sum with the upper half added to the lower, again and again.
fn tree_sum(mut values: [f32; PIXELS]) -> f32 {
    let mut half = PIXELS / 2;
    while half > 0 {
        for i in 0..half {
            values[i] += values[i + half];
        }
        half /= 2;
    }
    values[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// What a decoder shows, in 0 .. 1.
    fn decode([ends, indices]: [u32; 2]) -> [Color; PIXELS] {
        let end = |e: u32| [(e >> 11) as f32 / 31.0, (e >> 5 & 63) as f32 / 63.0, (e & 31) as f32 / 31.0];
        let (low, high) = (ends & 0xffff, ends >> 16);
        let (a, b) = (end(low), end(high));
        let mix = |share: f32| each(|c| a[c] * share + b[c] * (1.0 - share));
        let palette =
            if low > high { [a, b, mix(2.0 / 3.0), mix(1.0 / 3.0)] } else { [a, b, mix(0.5), [f32::NAN; 3]] };
        std::array::from_fn(|i| palette[(indices >> (2 * i) & 3) as usize])
    }

    fn error(pixels: &[u32; PIXELS], shown: &[Color; PIXELS]) -> f32 {
        let difference = |(&p, s): (&u32, &Color)| {
            let pixel = [p, p >> 8, p >> 16].map(|c| (c & 0xff) as f32 / 255.0);
            (0..3).map(|c| (pixel[c] - s[c]).powi(2)).sum::<f32>()
        };
        pixels.iter().zip(shown).map(difference).sum()
    }

    #[test]
    fn code_words_are_all_splits() {
        let list = code_words();
        // Ways to split 16 into 4 or 3 runs, without those of a single run.
        assert_eq!(list.len(), 19 * 18 * 17 / 6 - 4);
        assert_eq!(THREES, 18 * 17 / 2 - 3);
        let has_three = |word: u32| word & word >> 1 & 0x5555_5555 != 0;
        assert!(
            list[..THREES].iter().all(|&w| !has_three(w)) && list[THREES..].iter().all(|&w| has_three(w))
        );
        assert!(list.contains(&0x5555_5554) && list.contains(&0x55ff_aa00));
    }

    #[test]
    fn blocks_by_hand() {
        let list = code_words();
        assert_eq!(compress(&[0; PIXELS], &list), [0, 0]);
        // White first: it has the greater bits.
        let two = std::array::from_fn(|i| if i % 3 == 0 { 0 } else { 0xff_ffff });
        let codes = (0..PIXELS).filter(|i| i % 3 == 0).fold(0, |word, i| word | 1 << (2 * i));
        assert_eq!(compress(&two, &list), [0x0000_ffff, codes]);
    }

    #[test]
    fn blocks_of_two_colours_that_fit_are_kept() {
        let mut random = SplitMix64::new(4, 0);
        for _ in 0..20 {
            let color = (0..3).fold(0, |pixel, _| pixel << 8 | (random.below(2) * 255));
            // A difference that is not at right angles to grey, where the power method begins.
            let pair = [color, color ^ 0xff_ffff];
            let pixels = std::array::from_fn(|i| pair[i * 7 % 5 % 2]);
            assert_eq!(error(&pixels, &decode(compress(&pixels, &code_words()))), 0.0);
        }
    }

    #[test]
    fn nothing_is_worse_than_the_corners_of_the_bounding_box() {
        let mut random = SplitMix64::new(5, 0);
        for _ in 0..20 {
            let pixels: [u32; PIXELS] = std::array::from_fn(|_| {
                let light = random.below(200);
                light << 16 | (light + random.below(50)) << 8 | (light + random.below(50))
            });
            let ours = error(&pixels, &decode(compress(&pixels, &code_words())));
            let bound = |pick: fn(u32, u32) -> u32, start| {
                each(|c| pixels.iter().fold(start, |m, p| pick(m, p >> (8 * c) & 0xff)) as f32 / 255.0)
            };
            let ends = [bound(u32::max, 0), bound(u32::min, 255)].map(|end| quantize(end).1);
            let naive = (0..PIXELS).fold(0, |word, i| {
                let shown = |code: u32| decode([ends[0] | ends[1] << 16, code << (2 * i)]);
                let part = |code: u32| {
                    let (mut one, mut pixel) = ([[0.0; 3]; PIXELS], [0; PIXELS]);
                    (one[i], pixel[i]) = (shown(code)[i], pixels[i]);
                    error(&pixel, &one)
                };
                let best = (0..4).min_by(|&x, &y| part(x).total_cmp(&part(y))).unwrap_or(0);
                word | best << (2 * i)
            });
            let naive = error(&pixels, &decode([ends[0] | ends[1] << 16, naive]));
            assert!(ours <= naive, "{ours} is worse than {naive}");
        }
    }
}
