//! What happens between the cycles of the SMs: what they have in common moves, and the next cycle is laid down.

use heddle_mem::{FirstLevel, Lower, Offer};

use super::distributor::Distributor;
use super::run::GpuError;
use crate::error::SmError;
use crate::sm::Sm;

/// Why an SM does not go on.
#[derive(Debug)]
pub enum Failure<E> {
    /// The SM itself.
    Sm(SmError),
    /// Its design.
    Design(E),
}

impl<E> Failure<E> {
    fn of(self, sm: usize) -> GpuError<E> {
        match self {
            Self::Sm(error) => GpuError::Sm { sm, error },
            Self::Design(error) => GpuError::Design { sm, error },
        }
    }
}

/// What some SMs tell at the end of a cycle.
#[derive(Debug)]
pub struct Told<E> {
    /// What they offered to L2, with their numbers.
    requests: Vec<(usize, Offer)>,
    /// Those that access global memory in the next cycle.
    accesses: Vec<usize>,
    /// Those that can take a CTA.
    rooms: Vec<usize>,
    /// One of them is not done.
    busy: bool,
    failures: Vec<(usize, Failure<E>)>,
}

impl<E> Default for Told<E> {
    fn default() -> Self {
        Self {
            requests: Vec::new(),
            accesses: Vec::new(),
            rooms: Vec::new(),
            busy: false,
            failures: Vec::new(),
        }
    }
}

impl<E> Told<E> {
    /// Notes what SM `number` is like after its clock edge.
    pub fn see(&mut self, number: usize, sm: &Sm<FirstLevel>) {
        let offer = sm.offered();
        if offer.request.valid {
            self.requests.push((number, *offer));
        }
        if sm.accesses_global() {
            self.accesses.push(number);
        }
        if sm.has_room() {
            self.rooms.push(number);
        }
        self.busy |= !sm.is_done();
    }

    /// SM `number` failed.
    pub fn fails(&mut self, number: usize, failure: Failure<E>) {
        self.failures.push((number, failure));
    }
}

/// What the SMs share, and what is laid down for their next cycle.
#[derive(Debug)]
pub struct Between<'g, E> {
    lower: &'g mut Lower,
    distributor: &'g mut Distributor,
    requests: &'g mut [Offer],
    cycle: &'g mut u64,
    until: u64,
    /// The CTA that an SM is given at the beginning of the cycle.
    given: Vec<Option<u64>>,
    /// The last CTA is given in the cycle.
    gives_last: bool,
    /// The SM's place among those that access global memory in the cycle.
    places: Vec<Option<usize>>,
    rooms: Vec<bool>,
    accesses: Vec<usize>,
    busy: bool,
    failure: Option<(usize, Failure<E>)>,
    /// How it ended.
    end: Option<Result<(), GpuError<E>>>,
}

impl<'g, E> Between<'g, E> {
    /// Before the first cycle of a run that ends in cycle `until` at the latest.
    pub fn new(
        lower: &'g mut Lower,
        distributor: &'g mut Distributor,
        requests: &'g mut [Offer],
        cycle: &'g mut u64,
        until: u64,
    ) -> Self {
        let sms = requests.len();
        Self {
            lower,
            distributor,
            requests,
            cycle,
            until,
            given: vec![None; sms],
            gives_last: false,
            places: vec![None; sms],
            rooms: vec![false; sms],
            accesses: Vec::with_capacity(sms),
            busy: false,
            failure: None,
            end: None,
        }
    }

    /// The run has ended.
    pub fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// How the run ended.
    ///
    /// # Errors
    /// As the SMs and the memory said.
    pub fn into_result(self) -> Result<(), GpuError<E>> {
        self.end.unwrap_or(Ok(()))
    }

    /// SM `number` begins its cycle: with a CTA, if it is given one, and with what the networks bring.
    pub fn begin_cycle(&self, number: usize, sm: &mut Sm<FirstLevel>) {
        if let Some(cta) = self.given[number] {
            sm.take_cta(cta);
        }
        if self.gives_last {
            sm.give_no_more();
        }
        if self.lower.is_serial() {
            sm.wait_its_turn();
        }
        sm.share(self.lower, number);
    }

    /// The place of SM `number` among those that access global memory in this cycle.
    pub fn place(&self, number: usize) -> Option<usize> {
        self.places[number]
    }

    /// Takes over what all SMs told.
    pub fn collect<'t>(&mut self, told: impl IntoIterator<Item = &'t mut Told<E>>)
    where
        E: 't,
    {
        self.requests.iter_mut().for_each(|offer| offer.request.valid = false);
        self.rooms.fill(false);
        self.accesses.clear();
        self.busy = false;
        for told in told {
            for (number, request) in told.requests.drain(..) {
                self.requests[number] = request;
            }
            for number in told.rooms.drain(..) {
                self.rooms[number] = true;
            }
            self.accesses.append(&mut told.accesses);
            self.busy |= std::mem::take(&mut told.busy);
            for (number, failure) in told.failures.drain(..) {
                if self.failure.as_ref().is_none_or(|(first, _)| number < *first) {
                    self.failure = Some((number, failure));
                }
            }
        }
    }

    /// Ends the cycle of the SMs, which has been collected: the networks, L2 and DRAM move, and the next cycle is laid
    /// down, if there is one.
    pub fn end_cycle(&mut self) {
        if let Some((sm, failure)) = self.failure.take() {
            self.end = Some(Err(failure.of(sm)));
            return;
        }
        *self.cycle += 1;
        if let Err(error) = self.lower.step(self.requests) {
            self.end = Some(Err(GpuError::Memory(SmError::Memory { cycle: *self.cycle, error })));
            return;
        }
        let done = self.distributor.is_over() && self.lower.is_idle() && !self.busy;
        if done || *self.cycle >= self.until {
            self.end = Some(Ok(()));
        } else {
            self.plan();
        }
    }

    /// Lays down the next cycle.
    pub fn plan(&mut self) {
        self.given.fill(None);
        self.gives_last = false;
        if !self.distributor.is_over() {
            let Self { rooms, given, .. } = self;
            self.distributor.step(rooms.len(), |sm, cta| {
                given[sm] = rooms[sm].then_some(cta);
                rooms[sm]
            });
            self.gives_last = self.distributor.is_over();
        }
        self.places.fill(None);
        self.accesses.sort_unstable();
        for (place, sm) in self.accesses.iter().enumerate() {
            self.places[*sm] = Some(place);
        }
    }
}
