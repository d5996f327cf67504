//! The state of one CTA.

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::memory::Region;

use crate::barrier::Barrier;
use crate::env::Env;
use crate::order::OpenAccess;
use crate::race::{RaceRule, Races};
use crate::warp::Warp;

/// One CTA.
#[derive(Debug, Clone)]
pub(crate) struct Cta {
    pub number: u64,
    /// The SM that it runs on.
    pub sm: usize,
    pub warps: Vec<Warp>,
    pub shared: Region,
    pub races: Option<Races>,
    pub barriers: [Barrier; NUM_BARRIERS],
    /// 1 + barriers completed.
    pub phase: u64,
    /// Atomics that changed memory, lane by lane.
    pub changes: u64,
    /// Accesses issued and not performed, in issue order.
    pub open: Vec<OpenAccess>,
}

impl Cta {
    pub fn new(env: &Env, number: u64) -> Self {
        let warps = env.launch.warps_per_cta();
        let rule = env.checks.races;
        let judge_races = rule != RaceRule::Off && !env.partial_barriers && env.shared_bytes > 0;
        Self {
            number,
            sm: 0,
            warps: (0..warps).map(|w| Warp::new(env, number, w)).collect(),
            shared: Region::new("shared", 0, env.shared_bytes),
            races: judge_races.then(|| Races::new(env.shared_bytes, env.race_granule, rule)),
            barriers: std::array::from_fn(|_| Barrier::default()),
            phase: 1,
            changes: 0,
            open: Vec::new(),
        }
    }

    /// Writes of shared memory that found the value of another warp's write.
    pub fn equal_writes(&self) -> u64 {
        self.races.as_ref().map_or(0, |races| races.equal_writes)
    }

    pub fn is_done(&self) -> bool {
        self.warps.iter().all(|w| w.stack.is_done())
    }

    /// Warps that have not ended, one bit a warp.
    pub fn live(&self) -> u64 {
        self.warps
            .iter()
            .enumerate()
            .filter(|(_, w)| !w.stack.is_done())
            .fold(0, |mask, (i, _)| mask | 1 << i)
    }
}
