//! The lanes of the narrow crossbar in one direction, as in `crossbar_lane.sv`.

use super::{NUM_BEATS, NUM_MAIN_BANKS};
use heddle_port::members;

/// One lane for each main bank; `M` travels with a register.
#[derive(Debug, Clone)]
pub struct Lanes<M> {
    cycles: u16,
    /// Lanes whose sender's buffer holds a register.
    busy: u16,
    /// Of these, lanes whose next beat is the last one, which never waits.
    last: u16,
    /// Lanes whose receiver's buffer holds a register.
    valid: u16,
    /// Cycles until the last beat.
    left: [u16; NUM_MAIN_BANKS],
    busy_row: [u16; NUM_MAIN_BANKS],
    busy_meta: [M; NUM_MAIN_BANKS],
    row: [u16; NUM_MAIN_BANKS],
    meta: [M; NUM_MAIN_BANKS],
}

impl<M: Copy + Default> Lanes<M> {
    /// Empty lanes; a register takes `cycles` (4 or more) cycles.
    #[must_use]
    pub fn new(cycles: u8) -> Self {
        Self {
            cycles: cycles.into(),
            busy: 0,
            last: 0,
            valid: 0,
            left: [0; NUM_MAIN_BANKS],
            busy_row: [0; NUM_MAIN_BANKS],
            busy_meta: [M::default(); NUM_MAIN_BANKS],
            row: [0; NUM_MAIN_BANKS],
            meta: [M::default(); NUM_MAIN_BANKS],
        }
    }

    /// Lanes that cannot take a register: all that hold one, but for the last beat.
    #[inline]
    #[must_use]
    pub fn busy(&self) -> u16 {
        self.busy & !self.last
    }

    /// Lanes that have delivered a register.
    #[inline]
    #[must_use]
    pub fn valid(&self) -> u16 {
        self.valid
    }

    /// Row of the register that lane `bank` has delivered.
    #[inline]
    #[must_use]
    pub fn row(&self, bank: usize) -> u16 {
        self.row[bank]
    }

    /// What came with the register that lane `bank` has delivered.
    #[inline]
    #[must_use]
    pub fn meta(&self, bank: usize) -> M {
        self.meta[bank]
    }

    /// Whether the register of row `row` is in lane `bank`.
    #[inline]
    #[must_use]
    pub fn holds(&self, bank: usize, row: u16) -> bool {
        (self.busy >> bank & 1 != 0 && self.busy_row[bank] == row)
            || (self.valid >> bank & 1 != 0 && self.row[bank] == row)
    }

    /// The clock edge for the registers under way; returns the lanes in which a beat crosses. `take` are
    /// the lanes whose delivered register is taken. Starts of the same cycle come after this.
    #[inline]
    pub fn tick(&mut self, take: u16) -> u16 {
        let (mut beats, mut delivered) = (0, 0);
        for bank in members(self.busy) {
            if self.left[bank] >= NUM_BEATS {
                self.left[bank] -= 1;
            } else if (self.valid & !take) >> bank & 1 == 0 {
                beats |= 1 << bank;
                if self.left[bank] == 0 {
                    delivered |= 1 << bank;
                    self.row[bank] = self.busy_row[bank];
                    self.meta[bank] = self.busy_meta[bank];
                } else {
                    self.left[bank] -= 1;
                    self.last |= u16::from(self.left[bank] == 0) << bank;
                }
            }
        }
        self.busy &= !delivered;
        self.last &= !delivered;
        self.valid = (self.valid & !take) | delivered;
        beats
    }

    /// A register enters lane `bank`; its first beat is `extra` cycles late.
    #[inline]
    pub fn start(&mut self, bank: usize, row: u16, meta: M, extra: u8) {
        debug_assert_eq!(self.busy >> bank & 1, 0, "lane {bank} is busy");
        self.busy |= 1 << bank;
        self.left[bank] = self.cycles + u16::from(extra) - 1;
        self.busy_row[bank] = row;
        self.busy_meta[bank] = meta;
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn a_register_crosses_in_four_beats_after_the_extra_latency() {
        let mut lanes = Lanes::<u8>::new(6);
        lanes.tick(0);
        lanes.start(3, 9, 77, 1);
        assert!(lanes.holds(3, 9) && !lanes.holds(3, 8));
        let beats: Vec<u16> = (0..7).map(|_| lanes.tick(0) >> 3).collect();
        assert_eq!(beats, [0, 0, 0, 1, 1, 1, 1]);
        assert_eq!((lanes.valid(), lanes.busy(), lanes.meta(3)), (8, 0, 77));
    }

    #[test]
    fn registers_follow_each_other_in_the_cycles_of_their_beats() {
        let mut lanes = Lanes::<u8>::new(4);
        lanes.start(0, 1, 0, 0);
        let mut beats = 0;
        for cycle in 1..=40u16 {
            let free = lanes.busy() == 0;
            assert_eq!(free, cycle % 4 == 0, "cycle {cycle}");
            beats += lanes.tick(lanes.valid());
            if free {
                lanes.start(0, cycle, 0, 0);
            }
        }
        assert_eq!(beats, 40);
    }

    #[test]
    fn a_full_receiver_stops_the_lane() {
        let mut lanes = Lanes::<u8>::new(4);
        lanes.start(0, 1, 0, 0);
        for _ in 0..4 {
            lanes.tick(0);
        }
        lanes.start(0, 2, 0, 0);
        assert_eq!(lanes.tick(0), 0);
        assert_eq!(lanes.tick(1), 1, "the buffer is free as it is taken");
        assert_eq!(lanes.valid(), 0);
    }
}
