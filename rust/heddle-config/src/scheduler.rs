//! Warp scheduling.

use serde::{Deserialize, Serialize};

use crate::preset::Preset;

/// How warps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Loose round robin over all resident warps.
    RoundRobin,
    /// Greedy, then oldest.
    Gto,
    /// A few active warps in round robin; a warp that stalls long gives its place to another.
    TwoLevel,
}

/// Which of the ready inactive warps becomes active next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The oldest: of the CTA that started first, its first warp.
    Oldest,
    /// The next one by warp slot after the one that became active last.
    RoundRobin,
}

/// Warp scheduling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheduler {
    /// Policy.
    pub policy: Policy,
    /// Schedulers; each issues one instruction a cycle.
    pub schedulers: u32,
    /// Warps that may be active at once (two-level).
    pub active_warps: u32,
    /// Order in which warps become active.
    pub activation: Activation,
    /// Cycles that an active warp waits for memory before it gives its place to a ready one (two-level).
    pub deactivate_after: u32,
    /// A warp does not follow one of the same part of the register file as the active one, where one of
    /// the other part can (`register_file.warp_banks` = 2).
    pub alternate_banks: bool,
}

impl Preset {
    /// Most warps that are active at once: `scheduler.active_warps` under the two-level policy and where the kernel
    /// has intervals, whose registers are prefetched; else as many as can be resident.
    #[must_use]
    pub fn most_active_warps(&self, has_intervals: bool) -> u32 {
        let limited = has_intervals || self.scheduler.policy == Policy::TwoLevel;
        if limited { self.scheduler.active_warps } else { self.sm.warps }
    }
}

#[cfg(test)]
mod tests {
    use crate::load::load_with;
    use crate::overrides::Override;

    #[test]
    fn warps_are_held_back_by_the_policy_and_by_prefetches() {
        for (policy, has_intervals, most) in [
            ("two-level", false, 8),
            ("two-level", true, 8),
            ("gto", false, 48),
            ("gto", true, 8),
            ("round-robin", false, 48),
        ] {
            let change = |key: &str, value: &str| Override { key: key.to_owned(), value: value.to_owned() };
            let changes = [
                change("sm.warps", "48"),
                change("scheduler.active_warps", "8"),
                change("scheduler.policy", policy),
            ];
            let preset = load_with("fermi", &changes).expect("a preset");
            assert_eq!(preset.most_active_warps(has_intervals), most, "{policy} {has_intervals}");
        }
    }
}
