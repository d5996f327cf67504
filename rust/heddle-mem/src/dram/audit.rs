//! A second opinion on DRAM.

use heddle_config::Preset;

use super::{DramRequest, Source};
use crate::audit::Reads;

/// What DRAM was asked for: a request comes only where its queue has room, each read is answered once and not before its column
/// command and its data can have passed, and the buses move as many sectors as were asked for.
#[derive(Debug, Clone)]
pub struct Audit {
    reads: Reads<Source, DramRequest>,
    /// Least cycles of a read: column command and latency.
    least: u64,
    sectors: u64,
    broken: Option<String>,
}

impl Audit {
    /// Of the DRAM of `preset`.
    pub fn new(preset: &Preset) -> Self {
        let d = &preset.dram;
        let least = d.core_cycles(d.cl, preset.gpu.core_mhz) + u64::from(d.latency);
        Self { reads: Reads::new("read of DRAM"), least, sectors: 0, broken: None }
    }

    /// The first event that broke a rule.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref().or_else(|| self.reads.broken())
    }

    /// A request comes, and its queue has room or not.
    pub fn asked(&mut self, request: &DramRequest, room: bool, cycle: u64) {
        if !room {
            self.broken
                .get_or_insert_with(|| format!("{request:?} comes in cycle {cycle}, and its queue is full"));
        }
        self.sectors += u64::from(request.sectors.count());
        if !request.write {
            self.reads.begins(request.source, *request, cycle + self.least);
        }
    }

    /// The data of a read is there.
    pub fn answered(&mut self, request: &DramRequest, cycle: u64) {
        self.reads.ends(request.source, *request, cycle);
    }

    /// Nothing is under way, and the buses have moved `moved` sectors.
    pub fn at_rest(&mut self, moved: u64) {
        self.reads.at_rest();
        if moved != self.sectors {
            let asked = self.sectors;
            self.broken.get_or_insert_with(|| {
                format!("the buses of DRAM moved {moved} sectors, and {asked} were asked for")
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Audit, DramRequest, Source};
    use crate::sectors::Sectors;
    use crate::testing::preset;

    #[test]
    fn a_full_queue_and_lost_sectors_are_found() {
        let of = |id| DramRequest {
            line: 5,
            sectors: Sectors::ALL,
            write: false,
            source: Source::OffChip { way: 0, sm: 0, id },
        };
        let broken = |room: bool, cycle: u64, moved: u64| {
            let mut audit = Audit::new(&preset());
            audit.asked(&of(1), room, 10);
            audit.answered(&of(1), cycle);
            audit.at_rest(moved);
            audit.broken().unwrap_or("nothing").to_owned()
        };
        assert_eq!(broken(true, 10_000, 4), "nothing");
        assert!(broken(false, 10_000, 4).contains("its queue is full"));
        assert!(broken(true, 11, 4).contains("is answered in cycle 11"));
        assert!(broken(true, 10_000, 3).contains("moved 3 sectors, and 4 were asked for"));
    }
}
