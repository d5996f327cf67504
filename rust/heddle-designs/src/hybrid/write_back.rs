//! Who writes to the STT-RAM in a cycle.

use super::{NUM_BANKS, NUM_BUFFERS};

/// What asks for the banks in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Demand {
    /// Banks that are neither occupied nor read.
    pub open: [bool; NUM_BANKS],
    /// Bank of the oldest result, when it goes there directly.
    pub late: Option<usize>,
    /// By buffer: the bank of an entry that is to be written back.
    pub entries: [Option<usize>; NUM_BUFFERS],
    /// The buffer that was opened last.
    pub youngest: usize,
}

/// What is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grants {
    /// The oldest result.
    pub late: bool,
    /// By buffer: its entry.
    pub entries: [bool; NUM_BUFFERS],
    /// By bank: something.
    pub writes: [bool; NUM_BANKS],
}

/// The oldest result first, then the buffer of the warp that left first.
#[inline]
#[must_use]
pub fn grant(demand: &Demand) -> Grants {
    let mut grants = Grants::default();
    if let Some(bank) = demand.late
        && demand.open[bank]
    {
        grants.late = true;
        grants.writes[bank] = true;
    }
    for buffer in [1 - demand.youngest, demand.youngest] {
        if let Some(bank) = demand.entries[buffer]
            && demand.open[bank]
            && !grants.writes[bank]
        {
            grants.entries[buffer] = true;
            grants.writes[bank] = true;
        }
    }
    grants
}

#[cfg(test)]
mod tests {
    use super::{Demand, grant};

    #[test]
    fn a_late_result_first_then_the_older_buffer() {
        let all = Demand { open: [true; 2], late: Some(0), entries: [Some(0), Some(0)], youngest: 0 };
        let grants = grant(&all);
        assert_eq!((grants.late, grants.entries, grants.writes), (true, [false; 2], [true, false]));
        assert_eq!(grant(&Demand { late: None, ..all }).entries, [false, true]);
        assert_eq!(grant(&Demand { late: None, youngest: 1, ..all }).entries, [true, false]);
    }

    #[test]
    fn both_banks_are_written_at_once() {
        let demand = Demand { open: [true; 2], late: None, entries: [Some(1), Some(0)], youngest: 0 };
        assert_eq!(grant(&demand).entries, [true; 2]);
        assert_eq!(grant(&Demand { open: [true, false], ..demand }).entries, [false, true]);
    }
}
