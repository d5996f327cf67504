//! Inputs from seeds: fields of numbers, graphs, images, strings.

use crate::random::SplitMix64;

/// `n` floats in `low .. high`.
#[must_use]
pub fn floats(random: &mut SplitMix64, n: usize, low: f32, high: f32) -> Vec<f32> {
    (0..n).map(|_| random.f32_in(low, high)).collect()
}

/// `elements` floats in -1 .. 1.
#[must_use]
pub fn matrix(random: &mut SplitMix64, elements: usize) -> Vec<f32> {
    floats(random, elements, -1.0, 1.0)
}

/// `n` words of 32 random bits.
#[must_use]
pub fn words(random: &mut SplitMix64, n: usize) -> Vec<u32> {
    (0..n).map(|_| random.next_u32()).collect()
}

/// `n` integers in `0 .. bound`.
#[must_use]
pub fn integers(random: &mut SplitMix64, n: usize, bound: u32) -> Vec<u32> {
    (0..n).map(|_| random.below(bound)).collect()
}

/// A string of `n` letters of `alphabet`, each as likely as the others.
#[must_use]
pub fn string(random: &mut SplitMix64, n: usize, alphabet: &[u8]) -> Vec<u8> {
    let letters = u32::try_from(alphabet.len()).unwrap_or(u32::MAX);
    (0..n).filter_map(|_| alphabet.get(random.below(letters) as usize).copied()).collect()
}

/// The numbers `0 .. n` in random order (Fisher and Yates).
#[must_use]
pub fn permutation(random: &mut SplitMix64, n: u32) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..n).collect();
    for last in (1..n).rev() {
        numbers.swap(last as usize, random.below(last + 1) as usize);
    }
    numbers
}

/// A grey image of bytes: smooth waves with noise on top, as a photograph has them.
///
/// Rows one after the other, `width` bytes each.
#[must_use]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn image(random: &mut SplitMix64, width: usize, height: usize) -> Vec<u8> {
    // Triangle waves: the same bits on every machine, which a library's sine does not promise.
    let wave = |x: usize, period: usize| {
        let phase = x % period;
        2.0 * phase.min(period - phase) as f32 / period as f32
    };
    let periods = [17 + random.below(16) as usize, 33 + random.below(64) as usize];
    let mut pixels = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let smooth = 90.0 * wave(x + y, periods[1]) + 90.0 * wave(x + 2 * y, periods[0]);
            pixels.push((smooth + random.f32_in(0.0, 60.0)) as u8);
        }
    }
    pixels
}

/// A directed graph in compressed rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    /// First edge of each node, and the number of edges at the end.
    pub first: Vec<u32>,
    /// Targets of the edges.
    pub edges: Vec<u32>,
}

impl Graph {
    /// `nodes` nodes with 1 to `max_degree` edges each, to random nodes.
    #[must_use]
    pub fn random(random: &mut SplitMix64, nodes: u32, max_degree: u32) -> Self {
        let mut graph = Self { first: vec![0], edges: Vec::new() };
        for _ in 0..nodes {
            for _ in 0..=random.below(max_degree) {
                graph.edges.push(random.below(nodes));
            }
            graph.first.push(u32::try_from(graph.edges.len()).unwrap_or(u32::MAX));
        }
        graph
    }

    /// Nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Targets of the edges of `node`.
    #[must_use]
    pub fn neighbours(&self, node: usize) -> &[u32] {
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random() -> SplitMix64 {
        SplitMix64::new(5, 0)
    }

    #[test]
    fn permutations_hold_every_number_once() {
        let mut numbers = permutation(&mut random(), 1000);
        assert_ne!(numbers[..4], [0, 1, 2, 3]);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..1000));
        assert!(permutation(&mut random(), 0).is_empty());
    }

    #[test]
    fn strings_have_the_letters_of_their_alphabet() {
        let text = string(&mut random(), 400, b"ACGT");
        assert_eq!(text.len(), 400);
        assert!(b"ACGT".iter().all(|l| text.contains(l)));
        assert!(text.iter().all(|l| b"ACGT".contains(l)));
    }

    #[test]
    fn images_use_the_range_of_bytes() {
        let pixels = image(&mut random(), 200, 100);
        assert_eq!(pixels.len(), 20_000);
        assert!(pixels.iter().any(|&p| p < 40) && pixels.iter().any(|&p| p > 200));
    }

    #[test]
    fn graphs_have_the_degrees_asked_for() {
        let graph = Graph::random(&mut random(), 500, 6);
        assert_eq!(graph.len(), 500);
        let degrees: Vec<_> = (0..500).map(|n| graph.neighbours(n).len()).collect();
        assert_eq!((degrees.iter().min(), degrees.iter().max()), (Some(&1), Some(&6)));
        assert!(graph.edges.iter().all(|&e| e < 500));
    }
}
