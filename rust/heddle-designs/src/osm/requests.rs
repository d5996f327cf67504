//! The requests that the cache works on.

use super::REQUESTS;
use heddle_port::memory::MemRequest;

/// A request until its last lane is served.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pending {
    /// The request as it came.
    pub request: MemRequest,
    /// Lanes not yet served.
    pub lanes: u32,
    /// It has fetched a line.
    pub missed: bool,
    /// It has waited for a line.
    pub merged: bool,
    valid: bool,
    /// It does not wait for a fill.
    active: bool,
    /// It has gone past the cache and waits for its answer.
    away: bool,
    /// Classes of lines whose fill makes it try again.
    awaited: u64,
    age: u64,
}

/// Places for requests; the oldest that does not wait for a fill is served.
#[derive(Debug, Clone)]
pub struct Requests {
    places: [Pending; REQUESTS],
    accepted: u64,
}

impl Default for Requests {
    fn default() -> Self {
        Self { places: [Pending::default(); REQUESTS], accepted: 0 }
    }
}

impl Requests {
    /// Whether another request can be taken.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.places.iter().any(|p| !p.valid)
    }

    /// No request is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.places.iter().any(|p| p.valid)
    }

    /// The lowest free place.
    #[must_use]
    pub fn free(&self) -> Option<usize> {
        self.places.iter().position(|p| !p.valid)
    }

    /// Puts a request into a free place.
    pub fn accept(&mut self, place: usize, request: &MemRequest) {
        self.places[place] = Pending {
            request: *request,
            lanes: request.mask,
            valid: true,
            active: true,
            age: self.accepted,
            ..Pending::default()
        };
        self.accepted += 1;
    }

    /// The request to serve in this cycle.
    #[must_use]
    pub fn oldest_active(&self) -> Option<usize> {
        let active = self.places.iter().enumerate().filter(|(_, p)| p.valid && p.active && !p.away);
        active.min_by_key(|(_, p)| p.age).map(|(place, _)| place)
    }

    /// The request at `place`.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> &Pending {
        &self.places[place]
    }

    /// The request at `place` waits for a line of one of `classes`.
    pub fn wait(&mut self, place: usize, classes: u64) {
        let pending = &mut self.places[place];
        pending.active = false;
        pending.awaited = classes;
        pending.merged |= !pending.missed;
    }

    /// The request at `place` has fetched a line.
    pub fn missed(&mut self, place: usize) {
        self.places[place].missed = true;
    }

    /// Lanes are served; true if they were the last.
    pub fn serve(&mut self, place: usize, lanes: u32) -> bool {
        self.places[place].lanes &= !lanes;
        self.places[place].lanes == 0
    }

    /// The request at `place` is over.
    pub fn finish(&mut self, place: usize) {
        self.places[place].valid = false;
    }

    /// The request at `place` has gone past the cache; its lanes are performed.
    pub fn send_away(&mut self, place: usize) {
        self.places[place].away = true;
        self.places[place].lanes = 0;
    }

    /// Whether the request at `place` is away.
    #[must_use]
    pub fn is_away(&self, place: usize) -> bool {
        self.places[place].valid && self.places[place].away
    }

    /// A line of `class` has come: the requests that wait for one of it try again.
    pub fn wake(&mut self, class: usize) {
        for pending in &mut self.places {
            pending.active |= pending.awaited >> class & 1 != 0;
        }
    }
}
