//! Networks, L2 and DRAM together: the lower side of the memory port. Off-chip shared memory goes past L2.

use heddle_config::Preset;
use heddle_port::memory::{MemLowerRequest, MemLowerResponse};

use crate::dram::{Dram, Source};
use crate::l2::L2;
use crate::network::Network;
use crate::off_chip::OffChip;
use crate::windows::is_off_chip_shared;

/// When the last read passed the places behind the SM, in cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LowerTimes {
    /// It left the network of requests.
    pub arrived: u64,
    /// DRAM took it.
    pub dram_request: u64,
    /// Its address was translated.
    pub translated: u64,
    /// Its data came from DRAM.
    pub dram_answer: u64,
    /// Its reply entered the network of replies.
    pub replied: u64,
}

impl LowerTimes {
    /// Counted from a cycle on.
    pub(crate) fn since(self, began: u64) -> Self {
        let [arrived, dram_request, translated, dram_answer, replied] =
            [self.arrived, self.dram_request, self.translated, self.dram_answer, self.replied]
                .map(|cycle| cycle.saturating_sub(began));
        Self { arrived, dram_request, translated, dram_answer, replied }
    }
}

/// What lies behind the L1 of one SM: a value of its own that outlives launches. L2 keeps its lines, DRAM its open rows, and
/// writes that wait for DRAM go on in the next launch. Copies of the host go through L2 and change what its lines hold, not
/// which lines it holds.
#[derive(Debug, Clone)]
pub struct Lower {
    network: Network,
    l2: L2,
    off_chip: OffChip,
    dram: Dram,
    /// Writes that DRAM has not taken count as something inside.
    drain_writes: bool,
    /// The way past L2 replies before L2.
    past_l2_first: bool,
    cycle: u64,
    times: LowerTimes,
    response: MemLowerResponse,
    /// Nothing is inside, writes for DRAM included.
    at_rest: bool,
}

impl Lower {
    /// The share that `preset` gives one SM.
    #[must_use]
    pub fn new(preset: &Preset) -> Self {
        Self {
            network: Network::new(preset),
            l2: L2::new(preset),
            off_chip: OffChip::new(preset),
            dram: Dram::new(preset),
            drain_writes: preset.dram.drain_writes,
            past_l2_first: false,
            cycle: 0,
            times: LowerTimes::default(),
            response: MemLowerResponse::default(),
            at_rest: true,
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

    /// The way past L2.
    #[must_use]
    pub fn off_chip(&self) -> &OffChip {
        &self.off_chip
    }

    /// DRAM.
    #[must_use]
    pub fn dram(&self) -> &Dram {
        &self.dram
    }

    /// When the last read passed the places behind the SM.
    #[must_use]
    pub fn times(&self) -> LowerTimes {
        self.times
    }

    /// Whether a request offered in this cycle is taken.
    #[must_use]
    pub fn ready(&self) -> bool {
        self.network.can_send(self.cycle + 1)
    }

    /// The answer of this cycle.
    #[must_use]
    pub fn response(&self) -> &MemLowerResponse {
        &self.response
    }

    /// All reads are answered, and the SM knows that L2 has taken all writes; with `dram.drain_writes` DRAM has taken them too.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        if self.at_rest {
            return !self.response.valid;
        }
        !self.response.valid
            && self.network.is_idle()
            && self.l2.is_idle()
            && self.off_chip.is_idle()
            && !(self.drain_writes && self.writes_wait())
    }

    fn writes_wait(&self) -> bool {
        !self.l2.is_written() || !self.dram.is_written()
    }

    /// One clock edge; `request` is taken if [`Lower::ready`] was true.
    pub fn step(&mut self, request: &MemLowerRequest) {
        let taken = request.valid && self.ready();
        self.cycle += 1;
        self.response.valid = false;
        let cycle = self.cycle;
        if taken {
            let arrives = self.network.send(request, cycle);
            if is_off_chip_shared(request.line) {
                self.off_chip.push(request, arrives);
            } else {
                self.l2.push(request, arrives);
            }
            self.at_rest = false;
        }
        if self.at_rest {
            return;
        }
        self.step_dram(cycle);
        let Self { network, l2, off_chip, dram, .. } = self;
        off_chip.step(cycle, network, dram);
        l2.step(cycle, network, dram);
        if network.can_reply(cycle)
            && let Some((response, sectors)) = self.next_reply()
        {
            self.times.replied = cycle;
            self.network.reply(response, sectors, cycle);
        }
        self.response = self.network.arrive(cycle).unwrap_or_default();
        self.at_rest = self.network.is_idle()
            && self.l2.is_idle()
            && self.off_chip.is_idle()
            && self.dram.is_idle()
            && !self.writes_wait();
    }

    /// The scheduler of DRAM, and the read whose data has come, if its place has room.
    fn step_dram(&mut self, cycle: u64) {
        self.dram.step(cycle);
        let Some(request) = self.dram.arrived(cycle) else { return };
        let (taken, arrived) = match request.source {
            Source::L2 { slice, .. } => (self.l2.fill(slice, &request), self.l2.arrived()),
            Source::OffChip { id } => {
                self.off_chip.arrive(id, &request);
                (true, self.off_chip.arrived())
            }
        };
        if taken {
            self.dram.take();
            let (dram_request, translated) = self.dram.last_read();
            self.times = LowerTimes { arrived, dram_request, translated, dram_answer: cycle, ..self.times };
        }
    }

    /// The next reply; L2 and the way past it take turns.
    fn next_reply(&mut self) -> Option<(MemLowerResponse, u32)> {
        let Self { l2, off_chip, .. } = self;
        let (reply, past_l2) = if self.past_l2_first {
            off_chip.reply().map(|r| (r, true)).or_else(|| l2.reply().map(|r| (r, false)))
        } else {
            l2.reply().map(|r| (r, false)).or_else(|| off_chip.reply().map(|r| (r, true)))
        }?;
        self.past_l2_first = !past_l2;
        if !past_l2 {
            self.times.arrived = l2.arrived();
        }
        Some(reply)
    }
}
