//! The requests that the cache works on.

use super::REQUESTS;
use heddle_port::members;
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
}

/// One bit a place.
type Places = u64;

/// Places for requests; the oldest that does not wait for a fill is served.
#[derive(Debug, Clone)]
pub struct Requests {
    places: [Pending; REQUESTS],
    /// Places that are taken.
    valid: Places,
    /// Those whose request does not wait for a fill.
    active: Places,
    /// Those whose request has gone past the cache and waits for its answer.
    away: Places,
    /// Classes of lines whose fill makes the request of a place try again.
    awaited: [u64; REQUESTS],
    /// Requests that came before that of a place.
    age: [u64; REQUESTS],
    accepted: u64,
}

const _: () = assert!(REQUESTS == Places::BITS as usize);

impl Default for Requests {
    fn default() -> Self {
        Self {
            places: [Pending::default(); REQUESTS],
            valid: 0,
            active: 0,
            away: 0,
            awaited: [0; REQUESTS],
            age: [0; REQUESTS],
            accepted: 0,
        }
    }
}

impl Requests {
    /// Whether another request can be taken.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.valid != Places::MAX
    }

    /// No request is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.valid == 0
    }

    /// The lowest free place.
    #[must_use]
    pub fn free(&self) -> Option<usize> {
        self.has_room().then(|| self.valid.trailing_ones() as usize)
    }

    /// Puts a request into a free place.
    pub fn accept(&mut self, place: usize, request: &MemRequest) {
        self.places[place] = Pending { request: *request, lanes: request.mask, missed: false, merged: false };
        self.valid |= 1 << place;
        self.active |= 1 << place;
        self.away &= !(1 << place);
        self.age[place] = self.accepted;
        self.accepted += 1;
    }

    /// The request to serve in this cycle.
    #[must_use]
    pub fn oldest_active(&self) -> Option<usize> {
        members(self.valid & self.active & !self.away).min_by_key(|&place| self.age[place])
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
        pending.merged |= !pending.missed;
        self.active &= !(1 << place);
        self.awaited[place] = classes;
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
        self.valid &= !(1 << place);
    }

    /// The request at `place` has gone past the cache; its lanes are performed.
    pub fn send_away(&mut self, place: usize) {
        self.away |= 1 << place;
        self.places[place].lanes = 0;
    }

    /// Whether the request at `place` is away.
    #[must_use]
    pub fn is_away(&self, place: usize) -> bool {
        self.valid & self.away & 1 << place != 0
    }

    /// A line of `class` has come: the requests that wait for one of it try again.
    pub fn wake(&mut self, class: usize) {
        for place in members(self.valid & !self.active) {
            self.active |= (self.awaited[place] >> class & 1) << place;
        }
    }
}
