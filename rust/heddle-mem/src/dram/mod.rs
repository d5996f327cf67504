//! DRAM behind the SMs that are simulated: the part of its channels that they have, one at least. Lines go round the channels.

mod audit;
mod banks;
mod channel;

use heddle_config::Preset;

use self::audit::Audit;
use self::channel::Channel;
use crate::sectors::Sectors;
use crate::share::Share;
use crate::statistics::DramStatistics;
use crate::windows::place_of;

/// Sectors of a line to be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DramRequest {
    /// Line number (byte address / 128).
    pub line: u32,
    /// Its sectors.
    pub sectors: Sectors,
    /// They are written.
    pub write: bool,
    /// Who asks.
    pub source: Source,
}

/// Who asks DRAM, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// An MSHR of a slice of L2.
    L2 {
        /// The slice.
        slice: u16,
        /// Its MSHR, of a read.
        mshr: u16,
    },
    /// A request past L2.
    OffChip {
        /// The way that it took.
        way: u16,
        /// Its SM.
        sm: u16,
        /// Its id, of a read.
        id: u16,
    },
}

/// DRAM.
#[derive(Debug, Clone)]
pub struct Dram {
    channels: Vec<Channel>,
    /// The channel of the last read.
    last: usize,
    statistics: DramStatistics,
    audit: Audit,
}

impl Dram {
    /// The part that `share` has of the DRAM of `preset`.
    #[must_use]
    pub fn new(preset: &Preset, share: Share) -> Self {
        let count = share.channels(preset).units as usize;
        Self {
            channels: vec![Channel::new(preset, share); count],
            last: 0,
            statistics: DramStatistics::default(),
            audit: Audit::new(preset),
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn statistics(&self) -> &DramStatistics {
        &self.statistics
    }

    /// The channel of a line, and its number there.
    fn place(&self, line: u32) -> (usize, u32) {
        let (place, count) = (place_of(line), self.channels.len() as u32);
        ((place % count) as usize, place / count)
    }

    /// Whether a request can be handed over. An address that has to be translated does not take a place in the queue
    /// meanwhile.
    #[must_use]
    pub fn has_room(&self, request: &DramRequest) -> bool {
        self.channels[self.place(request.line).0].has_room(request)
    }

    /// No read waits and no data is on its way.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.channels.iter().all(Channel::is_idle)
    }

    /// No write waits.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.channels.iter().all(Channel::is_written)
    }

    /// Takes a request.
    pub fn push(&mut self, of: DramRequest, cycle: u64) {
        let (channel, within) = self.place(of.line);
        self.audit.asked(&of, self.channels[channel].has_room(&of), cycle);
        if !of.write {
            self.last = channel;
        }
        self.channels[channel].push(of, within, cycle, &mut self.statistics);
    }

    /// The row of a request is open, without time.
    pub(crate) fn warm(&mut self, of: &DramRequest) {
        let (channel, within) = self.place(of.line);
        self.channels[channel].warm(of, within);
    }

    /// Cycle in which the last read was handed over, and that from which its address was translated and it stood before
    /// the scheduler.
    #[must_use]
    pub fn last_read(&self) -> (u64, u64) {
        self.channels[self.last].last_read()
    }

    /// One cycle; `take` is shown a read of each channel whose data has come, and says whether its place has room for it.
    pub fn step(&mut self, cycle: u64, mut take: impl FnMut(&DramRequest) -> bool) {
        for channel in &mut self.channels {
            channel.step(cycle, &mut self.statistics);
            if let Some(request) = channel.arrived(cycle)
                && take(&request)
            {
                self.audit.answered(&request, cycle);
                channel.take();
            }
        }
    }

    /// The next cycle after this one in which something may move here of itself.
    pub(crate) fn next(&self, cycle: u64) -> Option<u64> {
        self.channels.iter().filter_map(|channel| channel.next(cycle)).min()
    }

    /// What the auditor found wrong.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.audit.broken()
    }

    /// Nothing is under way and no write waits.
    pub(crate) fn at_rest(&mut self) {
        self.audit.at_rest(self.channels.iter().map(Channel::sectors_moved).sum());
    }
}

#[cfg(test)]
mod tests;
