//! A write buffer and the power of its upper entries.

use super::{ALWAYS_ON, BUFFER_ENTRIES};

/// What a write buffer is there for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum State {
    /// No warp has it.
    #[default]
    Free,
    /// It takes the results of the active warp.
    Fill,
    /// It writes the results of a warp that left back.
    Drain,
}

/// Power of the entries from [`ALWAYS_ON`] on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Power {
    #[default]
    Off,
    /// On after so many further cycles.
    Waking(u8),
    On,
}

/// Power gating, as configured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Gating {
    /// The upper entries are switched off while they are not needed.
    pub on: bool,
    /// Cycles from the need to the use.
    pub wakeup_cycles: u8,
}

/// What becomes of the oldest result at its buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Taking {
    /// It is taken.
    pub accepted: bool,
    /// It takes a new entry.
    pub new_entry: bool,
    /// The entry.
    pub slot: u8,
    /// It waits until the upper entries are on.
    pub waits_power: bool,
}

/// What a command does to a buffer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    #[default]
    None,
    /// It becomes the buffer of a warp.
    Open(u8),
    /// Its warp leaves.
    Close,
    /// Its warp has ended.
    Drop,
}

/// One write buffer; see `rtl/hybrid/hybrid_buffer.sv`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Buffer {
    /// What it is there for.
    pub state: State,
    /// Warp slot that it belongs or last belonged to.
    pub owner: u8,
    /// Entries taken.
    pub count: u8,
    /// Entries written back.
    pub drained: u8,
    /// The next entry to write back is read.
    fetched: bool,
    power: Power,
}

impl Buffer {
    /// The upper entries can be used.
    #[inline]
    #[must_use]
    pub fn upper_on(&self, gating: Gating) -> bool {
        !gating.on || self.power == Power::On
    }

    /// The upper entries begin to wake up in a cycle in which they are needed.
    #[inline]
    #[must_use]
    pub fn wakes(&self, gating: Gating, needed: bool) -> bool {
        gating.on && needed && self.power == Power::Off
    }

    /// Whether the buffer takes a result of its warp; `hit` is the entry of its register.
    #[inline]
    #[must_use]
    pub fn offer(&self, hit: Option<u8>, gating: Gating) -> Taking {
        let merged = hit.filter(|_| self.state == State::Fill);
        let full = merged.is_none() && self.count == BUFFER_ENTRIES;
        let slot = merged.unwrap_or(self.count % BUFFER_ENTRIES);
        let off = slot >= ALWAYS_ON && !self.upper_on(gating);
        let accepted = !full && !off;
        Taking { accepted, new_entry: accepted && merged.is_none(), slot, waits_power: !full && off }
    }

    /// An entry is there to be written back.
    #[inline]
    #[must_use]
    pub fn has_entry(&self) -> bool {
        self.fetched
    }

    /// Entries that are lost when its warp exits, one bit an entry. A warp that exits is active (contract of the port)
    /// and its exit waits for the result queue, so the buffer fills, and takes nothing in that cycle.
    #[inline]
    #[must_use]
    pub fn lost(&self) -> u64 {
        u64::MAX.checked_shr(64 - u32::from(self.count)).unwrap_or(0)
    }

    /// One clock edge: the result that it took, whether its entry was written back, and what a command
    /// did to it.
    #[inline]
    pub fn tick(&mut self, taking: Taking, taken: bool, change: Change, gating: Gating) {
        let ended = self.state == State::Drain && self.drained == self.count && !taking.accepted;
        let next = self.drained + u8::from(self.fetched);
        let fetch = self.state == State::Drain && next < self.count && (!self.fetched || taken);
        self.tick_power(taking.waits_power, change == Change::Drop || ended, gating);
        match change {
            Change::Open(warp) => {
                *self = Self { state: State::Fill, owner: warp, power: self.power, ..Self::default() };
            }
            _ if change == Change::Drop || ended => {
                *self = Self { owner: self.owner, power: self.power, ..Self::default() };
            }
            _ => {
                if change == Change::Close {
                    self.state = State::Drain;
                }
                self.count += u8::from(taking.new_entry);
                self.drained += u8::from(taken);
                self.fetched = fetch || (self.fetched && !taken);
            }
        }
    }

    #[inline]
    fn tick_power(&mut self, needed: bool, release: bool, gating: Gating) {
        self.power = match self.power {
            _ if release => Power::Off,
            Power::Off if self.wakes(gating, needed) && gating.wakeup_cycles == 1 => Power::On,
            Power::Off if self.wakes(gating, needed) => Power::Waking(gating.wakeup_cycles - 1),
            Power::Waking(1) => Power::On,
            Power::Waking(left) => Power::Waking(left - 1),
            power => power,
        };
    }
}

/// The class, from 0, of a number of entries used in an active period: none, up to 4, 8, 12, 16, 32, 48 and
/// 64.
#[must_use]
pub fn use_class(used: u8) -> usize {
    const MOST: [u8; 7] = [0, 4, 8, 12, 16, 32, 48];
    MOST.iter().filter(|&&most| used > most).count()
}

#[cfg(test)]
mod tests {
    use super::{Buffer, Change, Gating, State, Taking, use_class};

    const ALWAYS: Gating = Gating { on: false, wakeup_cycles: 1 };

    fn filled(entries: usize, gating: Gating) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.tick(Taking::default(), false, Change::Open(6), gating);
        for _ in 0..entries {
            let mut taking = buffer.offer(None, gating);
            while !taking.accepted {
                buffer.tick(taking, false, Change::None, gating);
                taking = buffer.offer(None, gating);
            }
            buffer.tick(taking, false, Change::None, gating);
        }
        buffer
    }

    /// Clock edges until the buffer is free, when the STT-RAM takes an entry every `cycles` cycles.
    fn drain(mut buffer: Buffer, cycles: usize) -> (usize, usize) {
        buffer.tick(Taking::default(), false, Change::Close, ALWAYS);
        let (mut busy, mut written) = (0, 0);
        for edge in 1..1000 {
            let take = buffer.has_entry() && busy == 0;
            busy = if take { cycles - 1 } else { busy.saturating_sub(1) };
            written += usize::from(take);
            buffer.tick(Taking::default(), take, Change::None, ALWAYS);
            if buffer.state == State::Free {
                return (edge, written);
            }
        }
        panic!("the buffer is never free");
    }

    #[test]
    fn every_entry_is_written_back_one_in_four_cycles() {
        assert_eq!(drain(filled(0, ALWAYS), 4), (1, 0));
        assert_eq!(drain(filled(1, ALWAYS), 4), (3, 1));
        assert_eq!(drain(filled(10, ALWAYS), 4), (2 + 9 * 4 + 1, 10));
        assert_eq!(drain(filled(64, ALWAYS), 1), (2 + 63 + 1, 64));
    }

    #[test]
    fn a_result_overwrites_only_while_the_buffer_fills() {
        let mut buffer = filled(3, ALWAYS);
        let merge = buffer.offer(Some(1), ALWAYS);
        assert_eq!((merge.accepted, merge.new_entry, merge.slot), (true, false, 1));
        buffer.tick(merge, false, Change::Close, ALWAYS);
        let append = buffer.offer(Some(1), ALWAYS);
        assert_eq!((append.new_entry, append.slot), (true, 3));
    }

    #[test]
    fn a_full_buffer_that_drains_takes_nothing() {
        let mut buffer = filled(64, ALWAYS);
        assert!(buffer.offer(Some(63), ALWAYS).accepted, "a register that has an entry");
        buffer.tick(Taking::default(), false, Change::Close, ALWAYS);
        assert!(!buffer.offer(None, ALWAYS).accepted);
    }

    #[test]
    fn the_seventeenth_entry_wakes_the_others() {
        for wakeup_cycles in [1, 4] {
            let gating = Gating { on: true, wakeup_cycles };
            let mut buffer = filled(16, gating);
            assert!(!buffer.upper_on(gating));
            let mut waited = 0;
            loop {
                let taking = buffer.offer(None, gating);
                assert_eq!(buffer.wakes(gating, taking.waits_power), waited == 0);
                buffer.tick(taking, false, Change::None, gating);
                if taking.accepted {
                    break;
                }
                waited += 1;
            }
            assert_eq!(waited, wakeup_cycles);
            assert!(buffer.upper_on(gating) && buffer.count == 17);
            buffer.tick(Taking::default(), false, Change::Drop, gating);
            assert!(!buffer.upper_on(gating) && buffer.state == State::Free);
        }
    }

    #[test]
    fn entries_of_a_warp_that_exits_are_lost() {
        assert_eq!([0, 5, 64].map(|n| filled(n, ALWAYS).lost()), [0, 0b1_1111, u64::MAX]);
    }

    #[test]
    fn classes_of_use() {
        let classes = [0, 1, 4, 5, 8, 12, 13, 16, 17, 32, 33, 48, 49, 64].map(use_class);
        assert_eq!(classes, [0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
    }
}
