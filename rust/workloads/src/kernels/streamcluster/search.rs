//! The search for centres: gains of a candidate, and what the host does with them.

use crate::inputs::floats;
use crate::random::SplitMix64;

/// What it costs to open a centre.
const OPENING: f32 = 40.0;
/// Places around which the points lie.
const PLACES: usize = 6;

/// Points, their present centres, and what they pay.
pub(super) struct Search {
    dimensions: usize,
    /// Point by point.
    coordinates: Vec<f32>,
    weights: Vec<f32>,
    /// The point that is a point's centre.
    center: Vec<usize>,
    cost: Vec<f32>,
}

/// What a candidate would bring.
pub(super) struct Gain {
    /// For each point a slot for each open centre, and one for the points that move.
    pub savings: Vec<f32>,
    /// 1 for each point that would move.
    pub moves: Vec<u8>,
}

impl Search {
    /// Points around a few places, all at the first point.
    pub fn new(points: usize, dimensions: usize, random: &mut SplitMix64) -> Self {
        let places: Vec<Vec<f32>> = (0..PLACES).map(|_| floats(random, dimensions, -1.0, 1.0)).collect();
        let mut coordinates = Vec::with_capacity(points * dimensions);
        for _ in 0..points {
            let place = &places[random.below(PLACES as u32) as usize];
            coordinates.extend(place.iter().map(|v| v + random.f32_in(-0.3, 0.3)));
        }
        let weights = floats(random, points, 0.5, 1.5);
        let mut search =
            Self { dimensions, coordinates, weights, center: vec![0; points], cost: vec![0.0; points] };
        search.cost = (0..points).map(|p| search.cost_at(p, 0)).collect();
        search
    }

    fn point(&self, p: usize) -> &[f32] {
        &self.coordinates[p * self.dimensions..(p + 1) * self.dimensions]
    }

    /// What point `p` pays at point `center`.
    fn cost_at(&self, p: usize, center: usize) -> f32 {
        let differences = self.point(p).iter().zip(self.point(center)).map(|(a, b)| a - b);
        differences.fold(0.0_f32, |sum, d| d.mul_add(d, sum)) * self.weights[p]
    }

    /// Coordinates as the device has them: dimension by dimension.
    pub fn by_dimension(&self) -> Vec<f32> {
        let column = |d: usize| self.coordinates.iter().skip(d).step_by(self.dimensions).copied();
        (0..self.dimensions).flat_map(column).collect()
    }

    /// Weight, centre and cost of each point, as words.
    pub fn points(&self) -> Vec<u32> {
        let point = |p: usize| [self.weights[p].to_bits(), self.center[p] as u32, self.cost[p].to_bits()];
        (0..self.weights.len()).flat_map(point).collect()
    }

    fn open(&self) -> Vec<usize> {
        let mut open = self.center.clone();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Number of open centres.
    pub fn centers(&self) -> usize {
        self.open().len()
    }

    /// By point: its number among the open centres, or 0.
    pub fn slots(&self) -> Vec<i32> {
        let mut slots = vec![0; self.weights.len()];
        for (slot, center) in (0..).zip(self.open()) {
            slots[center] = slot;
        }
        slots
    }

    /// What opening `candidate` would bring each point.
    pub fn gain(&self, candidate: usize) -> Gain {
        let (centers, slots) = (self.centers(), self.slots());
        let stride = centers + 1;
        let points = self.weights.len();
        let mut gain = Gain { savings: vec![0.0; points * stride], moves: vec![0; points] };
        for p in 0..points {
            let (here, now) = (self.cost_at(p, candidate), self.cost[p]);
            if here < now {
                gain.moves[p] = 1;
                gain.savings[p * stride + centers] = here - now;
            } else {
                gain.savings[p * stride + slots[self.center[p]] as usize] = now - here;
            }
        }
        gain
    }

    /// Opens the candidate if that pays, and closes the centres that are dearer than their points' moves.
    pub fn decide(&mut self, candidate: usize, gain: &Gain) {
        let (centers, slots) = (self.centers(), self.slots());
        let stride = centers + 1;
        let column = |slot: usize| gain.savings.iter().skip(slot).step_by(stride).sum::<f32>();
        let closing: Vec<f32> = (0..centers).map(|slot| OPENING + column(slot)).collect();
        let saved: f32 = closing.iter().filter(|&&c| c > 0.0).sum();
        if OPENING + column(centers) - saved >= 0.0 {
            return;
        }
        for p in 0..self.weights.len() {
            let closes = closing[slots[self.center[p]] as usize] > 0.0;
            if gain.moves[p] == 1 || closes {
                self.cost[p] = self.cost_at(p, candidate);
                self.center[p] = candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_a_far_point_moves_its_neighbours() {
        let mut search = Search {
            dimensions: 1,
            coordinates: vec![0.0, 1.0, 20.0, 21.0],
            weights: vec![1.0; 4],
            center: vec![0; 4],
            cost: vec![0.0, 1.0, 400.0, 441.0],
        };
        let gain = search.gain(2);
        assert_eq!(gain.moves, [0, 0, 1, 1]);
        assert_eq!(gain.savings, [-400.0, 0.0, -360.0, 0.0, 0.0, -400.0, 0.0, -440.0]);
        search.decide(2, &gain);
        assert_eq!((search.center.clone(), search.centers()), (vec![0, 0, 2, 2], 2));
        assert_eq!(search.cost, [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(search.slots(), [0, 0, 1, 0]);
    }

    #[test]
    fn a_search_opens_centres() {
        let mut random = SplitMix64::new(1, 0);
        let mut search = Search::new(300, 8, &mut random);
        for _ in 0..20 {
            let candidate = random.below(300) as usize;
            let gain = search.gain(candidate);
            search.decide(candidate, &gain);
        }
        assert!((2..=PLACES + 4).contains(&search.centers()), "{}", search.centers());
    }
}
