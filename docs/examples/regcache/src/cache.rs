//! Which registers of each warp are in the cache.

use heddle_port::{Issue, ResultWrite};

/// Warps that have entries.
const WARPS: usize = 64;
/// A result of all lanes.
const ALL_LANES: u32 = u32::MAX;

/// The entries of one warp: registers by place, and the place that is taken next.
#[derive(Debug, Clone, Default)]
struct Entries {
    registers: Vec<Option<u8>>,
    oldest: usize,
}

/// What a result does in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// Its register has no entry, and it makes none.
    Past,
    /// It changes the entry of its register.
    Update,
    /// It takes the place of the oldest entry.
    Allocate,
}

/// The cache without its data.
#[derive(Debug, Clone)]
pub struct Cache {
    warps: Vec<Entries>,
}

impl Cache {
    /// An empty cache of `entries` entries a warp.
    #[must_use]
    pub fn new(entries: usize) -> Self {
        Self { warps: vec![Entries { registers: vec![None; entries], oldest: 0 }; WARPS] }
    }

    /// Drops the entries of `warp`, or of all warps.
    pub fn clear(&mut self, warp: Option<u8>) {
        for (number, entries) in self.warps.iter_mut().enumerate() {
            if warp.is_none_or(|warp| usize::from(warp) == number) {
                entries.registers.fill(None);
            }
        }
    }

    /// The sources of `issue` that have an entry, one bit each.
    #[inline]
    #[must_use]
    pub fn hits(&self, issue: &Issue) -> u8 {
        let entries = &self.warps[usize::from(issue.warp)].registers;
        let sources = issue.source.iter().enumerate();
        let found = sources.filter(|&(_, &source)| entries.contains(&Some(source)));
        issue.source_valid & found.fold(0, |set, (source, _)| set | 1 << source)
    }

    /// Takes an accepted result.
    #[inline]
    pub fn write(&mut self, result: &ResultWrite) -> Write {
        let Entries { registers, oldest } = &mut self.warps[usize::from(result.warp)];
        if registers.contains(&Some(result.register)) {
            return Write::Update;
        }
        if result.mask != ALL_LANES {
            return Write::Past;
        }
        registers[*oldest] = Some(result.register);
        *oldest = (*oldest + 1) % registers.len();
        Write::Allocate
    }
}
