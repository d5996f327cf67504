//! The records that are in memory, and the room that is left for more.

use std::sync::{Arc, Weak};

use heddle_isa::RecordedWarp;

use crate::error::TraceError;
use crate::line::Line;

/// Bytes of the records of all CTAs that are in use at once, at most.
const MAX_BYTES: u64 = 4 << 30;

/// The records that were given out.
#[derive(Debug)]
pub struct Resident {
    /// Each with its bytes.
    records: Vec<(Weak<RecordedWarp>, u64)>,
    limit: u64,
}

impl Default for Resident {
    fn default() -> Self {
        Self { records: Vec::new(), limit: MAX_BYTES }
    }
}

impl Resident {
    /// Bytes that further records may take. Those that nobody holds any more do not count.
    pub fn room(&mut self) -> u64 {
        self.records.retain(|(record, _)| record.strong_count() > 0);
        let taken: u64 = self.records.iter().map(|(_, bytes)| bytes).sum();
        self.limit.saturating_sub(taken)
    }

    /// Gives out a record and counts it for as long as it is held.
    pub fn hold(&mut self, mut warp: RecordedWarp) -> Arc<RecordedWarp> {
        warp.steps.shrink_to_fit();
        warp.lanes.shrink_to_fit();
        let bytes = warp.bytes() as u64;
        let record = Arc::new(warp);
        self.records.push((Arc::downgrade(&record), bytes));
        record
    }

    /// The records that are held leave no room for that of the CTA in which `line` is.
    #[cold]
    pub fn full(&self, line: Line<'_>) -> TraceError {
        let what = "bytes in the records of the blocks that run at once";
        TraceError::Limit { at: line.spot(1), what, limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::address_map::AddressMap;
    use crate::kernel::TracedKernel;
    use crate::source::Source;

    #[test]
    fn records_that_are_held_leave_less_room_and_those_that_are_not_give_it_back() {
        let mut text = "-kernel name = three\n-grid dim = (3,1,1)\n-block dim = (1,1,1)\n-nregs = 8\n\
                        -binary version = 75\n-accelsim tracer version = 3\n#\n"
            .to_owned();
        for block in 0..3 {
            let lines = "0000 1 1 R4 LDG 1 R2 4 1 0x100 4\n0010 1 0 EXIT 0 0\n#END_TB\n";
            text += &format!("#BEGIN_TB\nthread block = {block},0,0\nwarp = 0\ninsts = 2\n{lines}");
        }
        let source = Source::Bytes { name: "kernel-1.traceg".into(), bytes: text.as_bytes().into() };
        let mut addresses = Arc::new(AddressMap::default());
        let kernel = TracedKernel::read(source, &mut addresses, &mut || true).expect("well formed");
        let mut replay = kernel.replay().expect("there");
        let one = replay.cta(0).expect("it fits");
        let bytes = one.warps[0].bytes() as u64;
        assert!(bytes > 0 && replay.resident.room() == MAX_BYTES - bytes);
        // Room for two, but not for three.
        let mut replay = kernel.replay().expect("there");
        replay.resident.limit = 3 * bytes - 1;
        let held = [replay.cta(0), replay.cta(1)].map(|cta| cta.expect("it fits"));
        let error = replay.cta(2).expect_err("no room");
        let text = format!("kernel-1.traceg:27:1: more than {} bytes in the records", 3 * bytes - 1);
        assert!(error.to_string().starts_with(&text), "{error}");
        let mut replay = kernel.replay().expect("there");
        replay.resident.limit = 3 * bytes - 1;
        drop(held);
        assert_eq!((0..3).filter(|&cta| replay.cta(cta).is_ok()).count(), 3);
    }
}
