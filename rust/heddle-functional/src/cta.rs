//! The state of one CTA: warps, shared memory, barriers.

use heddle_isa::memory::Region;
use heddle_port::LaneMask;

use crate::env::Env;
use crate::order::OpenAccess;
use crate::race::Races;
use crate::warp::Warp;

/// Number of barriers of a CTA.
const BARRIERS: usize = 16;

/// One CTA.
#[derive(Debug, Clone)]
pub(crate) struct Cta {
    pub number: u64,
    pub warps: Vec<Warp>,
    pub shared: Region,
    pub races: Option<Races>,
    /// Per barrier: warps that have arrived, one bit a warp.
    arrived: [u64; BARRIERS],
    /// 1 + barriers completed.
    pub phase: u64,
    /// Accesses issued and not performed, in issue order.
    pub open: Vec<OpenAccess>,
}

impl Cta {
    pub fn new(env: &Env, number: u64) -> Self {
        let warps = env.launch.warps_per_cta();
        let judge_races = env.checks.races && !env.uses_arrive && env.shared_bytes > 0;
        Self {
            number,
            warps: (0..warps).map(|w| Warp::new(env, number, w)).collect(),
            shared: Region::new("shared", 0, env.shared_bytes),
            races: judge_races.then(|| Races::new(env.shared_bytes, env.race_granule)),
            arrived: [0; BARRIERS],
            phase: 1,
            open: Vec::new(),
        }
    }

    pub fn is_done(&self) -> bool {
        self.warps.iter().all(|w| w.stack.is_done())
    }

    /// Warps that have not ended, one bit a warp.
    fn live(&self) -> u64 {
        self.warps
            .iter()
            .enumerate()
            .filter(|(_, w)| !w.stack.is_done())
            .fold(0, |mask, (i, _)| mask | 1 << i)
    }

    /// Warps that barrier `id` still waits for.
    pub fn missing(&self, id: u8) -> Vec<u32> {
        let missing = self.live() & !self.arrived[usize::from(id)];
        (0..64).filter(|w| missing >> w & 1 != 0).collect()
    }

    /// Lanes of the warp that are live but not among `lanes`.
    pub fn elsewhere(&self, warp: usize, lanes: LaneMask) -> LaneMask {
        self.warps[warp].stack.live() & !lanes
    }

    /// Warp `warp` arrives at barrier `id`, and waits there or not.
    pub fn arrive(&mut self, warp: usize, id: u8, waits: bool) {
        self.arrived[usize::from(id)] |= 1 << warp;
        if waits {
            self.warps[warp].waiting = Some(id);
        } else {
            self.warps[warp].arrived_only = true;
        }
        self.complete(id);
    }

    /// A warp has ended: barriers do not wait for it any more.
    pub fn warp_ended(&mut self) {
        for id in 0..BARRIERS as u8 {
            if self.arrived[usize::from(id)] != 0 {
                self.complete(id);
            }
        }
    }

    /// Releases barrier `id` if all live warps have arrived.
    fn complete(&mut self, id: u8) {
        if self.live() & !self.arrived[usize::from(id)] != 0 {
            return;
        }
        self.arrived[usize::from(id)] = 0;
        self.phase += 1;
        for warp in &mut self.warps {
            if warp.waiting == Some(id) {
                warp.waiting = None;
            }
            warp.arrived_only = false;
        }
    }
}
