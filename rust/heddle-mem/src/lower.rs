//! Networks, L2 and DRAM together: the lower side of the memory ports of one or many SMs. Off-chip shared memory goes past L2.

use heddle_config::Preset;
use heddle_port::memory::{MemLowerRequest, MemLowerResponse};
use heddle_port::{DesignError, LowerKind};

use crate::atomics::Offer;
use crate::audit::Reads;
use crate::dram::{Dram, Source};
use crate::gate::Incoming;
use crate::l2::L2;
use crate::network::Network;
use crate::off_chip::OffChip;
use crate::share::Share;
use crate::statistics::MemoryStatistics;
use crate::times::LowerTimes;
use crate::windows::is_off_chip_shared;

/// What lies behind the L1s of one or many SMs: a value of its own that outlives launches. L2 keeps its lines, DRAM its open
/// rows, and writes that wait for DRAM go on in the next launch. Copies of the host go through L2 and change what its lines
/// hold, not which lines it holds.
#[derive(Debug, Clone)]
pub struct Lower {
    networks: Vec<Network>,
    /// What each SM is answered in this cycle.
    responses: Vec<MemLowerResponse>,
    l2: L2,
    off_chip: OffChip,
    dram: Dram,
    /// Writes that DRAM has not taken count as something inside.
    drain_writes: bool,
    /// The ways past L2 reply before L2.
    past_l2_first: bool,
    /// The ways past L2 hand over to DRAM before L2.
    dram_past_l2_first: bool,
    cycle: u64,
    times: LowerTimes,
    /// The first cycle in which no slice of L2 carries out operations of an atomic one after the other.
    serial_until: u64,
    /// Nothing is inside, writes for DRAM included.
    at_rest: bool,
    /// Before this cycle nothing moves, unless a request comes.
    quiet_until: u64,
    /// Reads by SM, id and whether they go past L2, with their line: the two ways have ids of their own.
    reads: Reads<(u16, u16, bool), u32>,
    /// Least cycles of a reply, and of L2.
    least: (u64, u64),
}

/// Whether a request has an answer; a write has none.
pub(crate) fn is_answered(request: &MemLowerRequest) -> bool {
    ![LowerKind::WriteBack as u8, LowerKind::BypassWrite as u8].contains(&request.kind)
}

/// Whether a request is a store of a warp, which the SM is told of when it is at L2.
pub(crate) fn is_store(request: &MemLowerRequest) -> bool {
    request.kind == LowerKind::BypassWrite as u8
}

impl Lower {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        Self::of_share(preset, Share::new(preset, 1))
    }

    /// Behind the SMs of `share`.
    #[must_use]
    pub fn of_share(preset: &Preset, share: Share) -> Self {
        let sms = share.sms() as usize;
        Self {
            networks: vec![Network::new(preset); sms],
            responses: vec![MemLowerResponse::default(); sms],
            l2: L2::new(preset, share),
            off_chip: OffChip::new(preset, share),
            dram: Dram::new(preset, share),
            drain_writes: preset.dram.drain_writes,
            past_l2_first: false,
            dram_past_l2_first: true,
            cycle: 0,
            times: LowerTimes::default(),
            serial_until: 0,
            at_rest: true,
            quiet_until: 0,
            reads: Reads::new("read by SM, id, past L2"),
            least: (preset.interconnect.reply_delay.max(1).into(), preset.l2.latency.into()),
        }
    }

    /// Does to the tags of L2 and the open rows of DRAM what a request of SM `sm` does, without time; no read is under way.
    /// What goes past L2 leaves no trace here.
    pub(crate) fn warm(&mut self, sm: u16, request: &MemLowerRequest) {
        if !is_off_chip_shared(request.line) {
            self.l2.warm(sm, request, &mut self.dram);
        }
    }

    /// Clock edges so far.
    pub(crate) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// L2.
    #[must_use]
    pub fn l2(&self) -> &L2 {
        &self.l2
    }

    /// The ways past L2.
    #[must_use]
    pub fn off_chip(&self) -> &OffChip {
        &self.off_chip
    }

    /// DRAM.
    #[must_use]
    pub fn dram(&self) -> &Dram {
        &self.dram
    }

    /// Counters of L2, the ways past it and DRAM.
    #[must_use]
    pub fn statistics(&self) -> MemoryStatistics {
        MemoryStatistics {
            l2: *self.l2.statistics(),
            off_chip: *self.off_chip.statistics(),
            dram: *self.dram.statistics(),
            ..MemoryStatistics::default()
        }
    }

    /// When the last read passed the places behind the SM.
    #[must_use]
    pub fn times(&self) -> LowerTimes {
        self.times
    }

    /// Whether a request that SM `sm` offers in this cycle is taken.
    #[must_use]
    pub fn ready(&self, sm: usize) -> bool {
        self.networks[sm].can_send(self.cycle + 1)
    }

    /// What SM `sm` is answered in this cycle.
    #[must_use]
    pub fn response(&self, sm: usize) -> &MemLowerResponse {
        &self.responses[sm]
    }

    /// All reads are answered, and the SMs know that L2 has taken all writes; with `dram.drain_writes` DRAM has taken them too.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        let answered = self.responses.iter().all(|response| !response.valid);
        if self.at_rest || !answered {
            return answered;
        }
        self.networks.iter().all(Network::is_idle)
            && self.l2.is_idle()
            && self.off_chip.is_idle()
            && !(self.drain_writes && self.writes_wait())
    }

    /// All reads of SM `sm` are answered, and it knows that L2 has taken all its writes.
    #[must_use]
    pub fn is_idle_for(&self, sm: usize) -> bool {
        !self.responses[sm].valid && self.networks[sm].is_idle()
    }

    /// Stores that SM `sm` knows to be at L2, of all launches.
    #[must_use]
    pub fn stored(&self, sm: usize) -> u64 {
        self.networks[sm].stored()
    }

    /// L2 carries out operations of an atomic one after the other: what waits behind it may wait long and is no hang.
    #[must_use]
    pub fn is_serial(&self) -> bool {
        self.cycle < self.serial_until
    }

    fn writes_wait(&self) -> bool {
        !self.l2.is_written() || !self.dram.is_written()
    }

    /// One clock edge; the request of SM `i`, place `i` of `offers`, is taken if [`Lower::ready`] was true.
    ///
    /// # Errors
    /// [`DesignError::Model`]: what the auditors found wrong.
    pub fn step(&mut self, offers: &[Offer]) -> Result<(), DesignError> {
        let next = self.cycle + 1;
        self.responses.fill(MemLowerResponse::default());
        for (sm, Offer { request, serial }) in offers.iter().enumerate() {
            if request.valid && self.ready(sm) {
                let (arrives, flits) = self.networks[sm].send(request, next);
                self.note_read(sm as u16, request, arrives);
                let (sm, request, serial) = (sm as u16, *request, *serial);
                let incoming = Incoming { arrives, sm, flits, request, serial };
                if is_off_chip_shared(request.line) {
                    self.off_chip.push(incoming);
                } else {
                    self.l2.push(incoming);
                }
                (self.at_rest, self.quiet_until) = (false, 0);
            }
        }
        self.cycle = next;
        if self.at_rest || next < self.quiet_until { Ok(()) } else { self.advance(next) }
    }

    /// Everything behind the networks of requests moves in cycle `next`.
    #[inline(never)]
    fn advance(&mut self, next: u64) -> Result<(), DesignError> {
        self.step_dram(next);
        let before = self.l2.statistics().atomic_serial_cycles;
        self.l2.look_up(next, &mut self.networks);
        let serial = self.l2.statistics().atomic_serial_cycles - before;
        if serial > 0 {
            self.serial_until = self.serial_until.max(next + serial);
        }
        self.hand_over(next);
        self.send_replies(next);
        for (sm, (network, response)) in self.networks.iter_mut().zip(&mut self.responses).enumerate() {
            *response = network.arrive(next).unwrap_or_default();
            if response.valid {
                let past_l2 = is_off_chip_shared(response.line);
                self.reads.ends((sm as u16, response.id, past_l2), response.line, next);
            }
        }
        self.at_rest = self.networks.iter().all(Network::is_idle)
            && self.l2.is_idle()
            && self.off_chip.is_idle()
            && self.dram.is_idle()
            && !self.writes_wait();
        if self.at_rest {
            self.reads.at_rest();
            self.dram.at_rest();
        } else {
            self.quiet_until = self.next(next);
        }
        self.audit()
    }

    /// The next cycle after this one in which something may move of itself.
    fn next(&self, cycle: u64) -> u64 {
        let arrivals = self.networks.iter().filter_map(|network| network.next(cycle));
        let places = [self.l2.next(cycle), self.off_chip.next(cycle), self.dram.next(cycle)];
        arrivals.chain(places.into_iter().flatten()).min().unwrap_or(cycle + 1)
    }

    /// The auditor sees a read that is at L2, or the way past it, in cycle `arrives`.
    fn note_read(&mut self, sm: u16, request: &MemLowerRequest, arrives: u64) {
        if !is_answered(request) {
            return;
        }
        let (reply, l2) = self.least;
        let past_l2 = is_off_chip_shared(request.line);
        let soonest = arrives + reply + if past_l2 { 0 } else { l2 };
        self.reads.begins((sm, request.id, past_l2), request.line, soonest);
    }

    /// The first event that breaks a rule of an auditor.
    fn audit(&self) -> Result<(), DesignError> {
        match self.reads.broken().or_else(|| self.l2.broken()).or_else(|| self.dram.broken()) {
            None => Ok(()),
            Some(what) => Err(DesignError::Model { cycle: self.cycle, what: what.to_owned() }),
        }
    }

    /// The schedulers of DRAM, and the reads whose data has come, if their places have room.
    fn step_dram(&mut self, cycle: u64) {
        let Self { dram, l2, off_chip, times, .. } = self;
        let mut last = None;
        dram.step(cycle, |request| match request.source {
            Source::L2 { slice, .. } => {
                let taken = l2.fill(slice, request);
                last = taken.then(|| l2.arrived()).or(last);
                taken
            }
            Source::OffChip { way, sm, id } => {
                off_chip.arrive((way, sm, id), request);
                last = Some(off_chip.arrived());
                true
            }
        });
        if let Some(arrived) = last {
            let (dram_request, translated) = dram.last_read();
            *times = LowerTimes { arrived, dram_request, translated, dram_answer: cycle, ..*times };
        }
    }

    /// Requests enter DRAM; L2 and the ways past it take turns.
    fn hand_over(&mut self, cycle: u64) {
        let Self { l2, off_chip, networks, dram, .. } = self;
        let (past_l2, of_l2);
        if self.dram_past_l2_first {
            past_l2 = off_chip.step(cycle, networks, dram);
            of_l2 = l2.hand_over(cycle, dram);
        } else {
            of_l2 = l2.hand_over(cycle, dram);
            past_l2 = off_chip.step(cycle, networks, dram);
        }
        if past_l2 || of_l2 {
            self.dram_past_l2_first = if self.dram_past_l2_first { !past_l2 } else { of_l2 };
        }
    }

    /// Replies enter the network; L2 and the ways past it take turns.
    fn send_replies(&mut self, cycle: u64) {
        let Self { l2, off_chip, networks, .. } = self;
        let (past_l2, of_l2);
        if self.past_l2_first {
            past_l2 = off_chip.send_replies(cycle, networks);
            of_l2 = l2.send_replies(cycle, networks);
        } else {
            of_l2 = l2.send_replies(cycle, networks);
            past_l2 = off_chip.send_replies(cycle, networks);
        }
        if past_l2 || of_l2 {
            self.past_l2_first = if self.past_l2_first { !past_l2 } else { of_l2 };
            self.times.replied = cycle;
        }
        if of_l2 {
            self.times.arrived = l2.arrived();
        }
    }
}

#[cfg(test)]
mod tests;
