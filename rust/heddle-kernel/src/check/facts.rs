//! What is known at a point: which locations of the allocated program hold which places of the virtual
//! one.

use std::collections::BTreeSet;

use bitvec::slice::BitSlice;

/// A register, predicate or spill word of the allocated program, or the result of a constant.
pub(super) type Location = u32;
/// A register or predicate of the virtual program.
pub(super) type Place = u32;

/// A set of facts "this location holds the value of this place", each true on every path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Facts {
    by_location: BTreeSet<(Location, Place)>,
    by_place: BTreeSet<(Place, Location)>,
}

impl Facts {
    pub(super) fn holds(&self, location: Location, place: Place) -> bool {
        self.by_location.contains(&(location, place))
    }

    /// The places that `location` holds.
    pub(super) fn places(&self, location: Location) -> Vec<Place> {
        self.by_location.range((location, 0)..=(location, Place::MAX)).map(|&(_, place)| place).collect()
    }

    /// The locations that hold `place`.
    pub(super) fn locations(&self, place: Place) -> Vec<Location> {
        self.by_place.range((place, 0)..=(place, Location::MAX)).map(|&(_, location)| location).collect()
    }

    pub(super) fn add(&mut self, location: Location, place: Place) {
        self.by_location.insert((location, place));
        self.by_place.insert((place, location));
    }

    /// `location` is overwritten.
    pub(super) fn clear(&mut self, location: Location) {
        for place in self.places(location) {
            self.remove(location, place);
        }
    }

    /// `place` has a new value that no location holds yet.
    pub(super) fn forget(&mut self, place: Place) {
        for location in self.locations(place) {
            self.remove(location, place);
        }
    }

    /// `location` now holds exactly `places`.
    pub(super) fn set(&mut self, location: Location, places: &[Place]) {
        self.clear(location);
        for &place in places {
            self.add(location, place);
        }
    }

    /// Each place of `copies` takes the value of its source, all at once.
    pub(super) fn copy_places(&mut self, copies: &[(Place, Place)]) {
        let sources: Vec<Vec<Location>> = copies.iter().map(|&(_, from)| self.locations(from)).collect();
        for &(to, _) in copies {
            self.forget(to);
        }
        for (&(to, _), locations) in copies.iter().zip(sources) {
            for location in locations {
                self.add(location, to);
            }
        }
    }

    /// Keeps what `other` knows too; whether that took something away.
    pub(super) fn meet(&mut self, other: &Self) -> bool {
        let gone: Vec<_> = self.by_location.difference(&other.by_location).copied().collect();
        for &(location, place) in &gone {
            self.remove(location, place);
        }
        !gone.is_empty()
    }

    /// Drops what is known of places that are not `live`. Less knowledge is never wrong.
    pub(super) fn keep(&mut self, live: &BitSlice) {
        let is_live = |place: Place| live.get(place as usize).is_some_and(|bit| *bit);
        self.by_location.retain(|&(_, place)| is_live(place));
        self.by_place.retain(|&(place, _)| is_live(place));
    }

    fn remove(&mut self, location: Location, place: Place) {
        self.by_location.remove(&(location, place));
        self.by_place.remove(&(place, location));
    }
}
