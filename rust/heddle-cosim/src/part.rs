//! Parts of a run: what single launches, or all launches of an entry, add up to.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::residency::Residence;

/// Which parts of a run are reported beside the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Per {
    /// None.
    #[default]
    Run,
    /// Each launch.
    Launch,
    /// Each entry.
    Entry,
}

/// A launch, or the launches of an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartReport {
    /// Name of the entry.
    pub entry: String,
    /// Number of the launch, from 0; none of an entry.
    pub launch: Option<u32>,
    /// Launches that are summed.
    pub launches: u32,
    /// CTAs run.
    pub ctas: u64,
    /// Architectural registers a thread.
    pub registers: u32,
    /// Cycles.
    pub cycles: u64,
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Warp instructions a cycle.
    pub ipc: f64,
    /// CTAs that fit at once, the most of the launches.
    pub resident_ctas: u32,
    /// What allows no more of them, as for the run.
    pub residency_limit: String,
    /// CTAs by those that fit at once, summed over the launches.
    pub cta_waves: f64,
    /// Warps that fit at once as a share of the warp slots, weighted by the cycles of the launches.
    pub occupancy: f64,
    /// Registers of the warps that fit at once as a share of the register file, weighted likewise.
    pub register_utilization: f64,
    /// Hit rate of the register cache.
    pub register_cache_hit_rate: Option<f64>,
    /// Event counts of the design.
    pub events: BTreeMap<String, u64>,
    /// Counters of the SM and of the memory hierarchy.
    pub statistics: BTreeMap<String, u64>,
}

/// Sums of a launch, or of several.
#[derive(Debug, Clone, Default)]
pub(crate) struct Part {
    pub entry: String,
    pub launch: Option<u32>,
    pub launches: u32,
    pub ctas: u64,
    pub registers: u32,
    pub cycles: u64,
    pub resident_ctas: u32,
    pub residence: Residence,
    /// Warps that fit, times the cycles of the launch.
    pub resident_warps: f64,
    /// Share of the register file that they have, times the cycles of the launch.
    pub registers_in_use: f64,
    pub events: BTreeMap<String, u64>,
    pub statistics: BTreeMap<String, u64>,
}

impl Part {
    fn add(&mut self, other: &Self) {
        self.launches += other.launches;
        self.ctas += other.ctas;
        self.registers = self.registers.max(other.registers);
        self.cycles += other.cycles;
        self.resident_ctas = self.resident_ctas.max(other.resident_ctas);
        self.residence.add(&other.residence);
        self.resident_warps += other.resident_warps;
        self.registers_in_use += other.registers_in_use;
        for (sums, others) in [(&mut self.events, &other.events), (&mut self.statistics, &other.statistics)] {
            for (name, sum) in others {
                *sums.entry(name.clone()).or_default() += sum;
            }
        }
    }
}

/// The parts of a run so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub per: Per,
    list: Vec<Part>,
}

impl Parts {
    /// Nothing yet, of a run that reports `per`.
    pub fn new(per: Per) -> Self {
        Self { per, list: Vec::new() }
    }

    /// The next launch of the run.
    pub fn add(&mut self, launch: Part) {
        match self.per {
            Per::Run => {}
            Per::Launch => self.list.push(launch),
            Per::Entry => match self.list.iter_mut().find(|part| part.entry == launch.entry) {
                Some(part) => part.add(&launch),
                None => self.list.push(Part { launch: None, ..launch }),
            },
        }
    }

    /// What the parts have to say, on an SM with `warps` warp slots. `hit_rate` is that of a register cache with
    /// such events.
    pub fn reports(
        &self,
        warps: u32,
        hit_rate: impl Fn(&BTreeMap<String, u64>) -> Option<f64>,
    ) -> Vec<PartReport> {
        let report = |part: &Part| {
            let cycles = part.cycles.max(1) as f64;
            let warp_instructions = part.statistics.get("warp_instructions").copied().unwrap_or(0);
            PartReport {
                entry: part.entry.clone(),
                launch: part.launch,
                launches: part.launches,
                ctas: part.ctas,
                registers: part.registers,
                cycles: part.cycles,
                warp_instructions,
                ipc: warp_instructions as f64 / cycles,
                resident_ctas: part.resident_ctas,
                residency_limit: part.residence.limit(),
                cta_waves: part.residence.waves(),
                occupancy: part.resident_warps / cycles / f64::from(warps),
                register_utilization: part.registers_in_use / cycles,
                register_cache_hit_rate: hit_rate(&part.events),
                events: part.events.clone(),
                statistics: part.statistics.clone(),
            }
        };
        self.list.iter().map(report).collect()
    }
}
