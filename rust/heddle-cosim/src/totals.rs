//! Sums over the launches of a run.

mod complete;

use std::collections::BTreeMap;

use heddle_isa::Executable;
use heddle_mem::{LifetimeStatistics, Share};
use heddle_port::{EventLayout, LINE_BYTES, NUM_LANES};
use heddle_rtl::{Event, RtlOrigin};
use serde_json::Value;

use crate::check::Compared;
use crate::compiler::Judgement;
use crate::counters::Counters;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::machine::Machine;
use crate::made_by::MadeBy;
use crate::part::{Part, Parts, Per};
use crate::report::{EntryDivision, MemoryShare, RunReport, SCHEMA, SharedMemoryReport};
use crate::residency::Residence;
use crate::spec::{Engine, Kernel, RunSpec};
pub use complete::ToCompare;

/// What the launches of a run add up to.
pub struct Totals {
    /// Launches run.
    pub launches: u32,
    /// Cycles.
    pub cycles: u64,
    /// Event sums.
    pub counters: Counters,
    /// Control outputs compared.
    pub controls: u64,
    /// Outputs of memory ports compared.
    memory_outputs: u64,
    /// Cycles in which a design offers L2 a register that it spills.
    spills_offered: u64,
    /// Words of final memory compared.
    pub memory_words: u64,
    /// Writes of shared memory that found another warp's equal value.
    pub equal_shared_writes: u64,
    /// How the compiler was judged.
    pub compiler: Judgement,
    /// Lanes in which the replayed program took the version of an L1.
    pub versions_taken: u64,
    reference_words: u64,
    ctas: u64,
    registers: u32,
    compared: Compared,
    /// Of several SMs, operands compared on each one that is RTL.
    of_rtl: BTreeMap<usize, u64>,
    statistics: BTreeMap<String, u64>,
    /// Of the CTAs' shared memory.
    lifetimes: LifetimeStatistics,
    /// How the on-chip memory was divided, by entry.
    divisions: Vec<EntryDivision>,
    /// Most CTAs resident at once.
    resident_ctas: u32,
    residence: Residence,
    /// Warps that fit, times the cycles of the launch.
    resident_warps: f64,
    /// Share of the register file that they have, times the cycles of the launch.
    registers_in_use: f64,
    /// Lines that the L1D has room for, times the cycles of the launch.
    line_cycles: u64,
    parts: Parts,
}

impl Totals {
    /// Nothing yet; `layout` says where `events` lie.
    #[must_use]
    pub fn new(events: &[Event], layout: &EventLayout) -> Self {
        Self {
            launches: 0,
            cycles: 0,
            counters: Counters::new(events, layout),
            controls: 0,
            memory_outputs: 0,
            spills_offered: 0,
            memory_words: 0,
            equal_shared_writes: 0,
            compiler: Judgement::default(),
            versions_taken: 0,
            reference_words: 0,
            ctas: 0,
            registers: 0,
            compared: Compared::default(),
            of_rtl: BTreeMap::new(),
            statistics: BTreeMap::new(),
            lifetimes: LifetimeStatistics::default(),
            divisions: Vec::new(),
            resident_ctas: 0,
            residence: Residence::default(),
            resident_warps: 0.0,
            registers_in_use: 0.0,
            line_cycles: 0,
            parts: Parts::default(),
        }
    }

    /// The same, with the parts that a run reports.
    #[must_use]
    pub fn with_parts(self, per: Per) -> Self {
        Self { parts: Parts::new(per), ..self }
    }

    /// A launch has ended.
    pub fn launched(&mut self, executable: &Executable, ctas: u64, machine: &impl Machine) {
        let (occupancy, cycles) = (machine.occupancy(), machine.cycles());
        for lifetimes in machine.lifetimes() {
            self.lifetimes.add(lifetimes);
        }
        if let Some(division) = machine.division() {
            self.line_cycles += u64::from(division.l1d_bytes) / LINE_BYTES as u64 * cycles;
            let division = EntryDivision { entry: executable.program.name.clone(), division };
            if !self.divisions.contains(&division) {
                self.divisions.push(division);
            }
        }
        let mut launch = Part {
            entry: executable.program.name.clone(),
            launch: Some(self.launches),
            launches: 1,
            ctas,
            registers: executable.program.num_regs,
            cycles,
            resident_ctas: occupancy.ctas,
            residence: Residence::new(occupancy, ctas, machine.lifetimes().len() as u64),
            resident_warps: f64::from(occupancy.warps()) * cycles as f64,
            registers_in_use: occupancy.register_utilization() * cycles as f64,
            ..Part::default()
        };
        for counters in machine.counters() {
            add("", &counters, &mut launch.statistics);
        }
        for (name, sum) in &launch.statistics {
            *self.statistics.entry(name.clone()).or_default() += sum;
        }
        self.resident_ctas = self.resident_ctas.max(launch.resident_ctas);
        self.residence.add(&launch.residence);
        self.resident_warps += launch.resident_warps;
        self.registers_in_use += launch.registers_in_use;
        self.launches += 1;
        self.counters.launch_ended();
        self.cycles += launch.cycles;
        self.ctas += ctas;
        self.registers = self.registers.max(launch.registers);
        if self.parts.per != Per::Run {
            launch.events = self.counters.since_last_launch();
        }
        self.parts.add(launch);
    }

    /// What the shadow of an SM tells about the lines that left its cache of shared memory.
    pub fn lines_left(&mut self, lifetimes: Option<&LifetimeStatistics>) {
        if let Some(lifetimes) = lifetimes {
            self.lifetimes.add_lines(lifetimes);
        }
    }

    fn statistic(&self, name: &str) -> u64 {
        self.statistics.get(name).copied().unwrap_or(0)
    }

    /// Share of the reads of shared memory that found their line.
    fn shared_hit_rate(&self) -> Option<f64> {
        let of = |what: &str| self.statistic(&format!("memory.l1.shared.{what}"));
        let (hits, others) = (of("read_hits"), of("read_merged") + of("read_misses"));
        (hits + others > 0).then(|| hits as f64 / (hits + others) as f64)
    }

    /// Share of the register file and the L1D that is in use.
    fn on_chip_utilisation(&self, design: &PreparedDesign, sms: u32) -> Option<f64> {
        let registers = u64::from(design.preset.sm.registers) / NUM_LANES as u64 * self.cycles;
        let (held, room) = match &design.manifest.integrated_memory {
            Some(memory) => {
                let levels =
                    self.counters.iter().filter(|(name, _)| memory.entries.iter().any(|e| e == name));
                (levels.map(|(_, sum)| sum).sum::<u64>(), registers)
            }
            None if design.manifest.memory_port.cached => return None,
            None => {
                let lines = self.statistic("memory.l1.valid_line_cycles");
                let room = match u64::from(design.preset.l1d.unified_bytes) {
                    0 => registers + self.line_cycles,
                    // What registers leave of one memory is L1D.
                    bytes => bytes / LINE_BYTES as u64 * self.cycles,
                };
                (self.statistic("data_use.live_register_cycles") + lines, room)
            }
        };
        let room = room * u64::from(sms);
        (room > 0).then(|| held as f64 / room as f64)
    }

    /// The report of a run that passed.
    ///
    /// # Errors
    /// [`RunError::Report`].
    pub fn report(
        &self,
        spec: &RunSpec,
        design: &PreparedDesign,
        rtl: Option<&RtlOrigin>,
        waves: Vec<String>,
    ) -> Result<RunReport, RunError> {
        let warp_instructions = self.statistic("warp_instructions");
        let cycles = self.cycles.max(1) as f64;
        let ipc = warp_instructions as f64 / cycles;
        let events: BTreeMap<String, u64> =
            self.counters.iter().map(|(name, sum)| (name.to_owned(), sum)).collect();
        let hit_rate = |events: &BTreeMap<String, u64>| {
            let cache = design.manifest.register_cache.as_ref()?;
            let sum = |names: &[String]| names.iter().filter_map(|n| events.get(n)).sum::<u64>();
            let (hits, misses) = (sum(&cache.hits), sum(&cache.misses));
            (hits + misses > 0).then(|| hits as f64 / (hits + misses) as f64)
        };
        let cached = design.manifest.memory_port.shared.then_some(());
        let mut parameters = design.parameters()?;
        parameters
            .extend(spec.entry_ctas.iter().map(|(entry, &ctas)| (format!("sm.ctas.{entry}"), ctas.into())));
        Ok(RunReport {
            schema: SCHEMA,
            made_by: MadeBy { rtl: rtl.cloned(), ..spec.made_by.clone() },
            engine: spec.engine.name(),
            design: spec.design.clone(),
            kernel: spec.kernel_name(),
            size: spec.size_name().to_owned(),
            preset: design.preset.name.clone(),
            parameters,
            seed: spec.seed,
            sms: spec.sms,
            rtl_sms: spec.rtl_sms(),
            memory_share: MemoryShare::new(&design.preset, Share::new(&design.preset, spec.sms)),
            registers: self.registers,
            launches: self.launches,
            ctas: self.ctas,
            cycles: self.cycles,
            warp_instructions,
            ipc,
            ipc_stack: ipc_stack(&self.statistics, ipc, cycles),
            resident_ctas: self.resident_ctas,
            residency_limit: self.residence.limit(),
            cta_waves: self.residence.waves(),
            occupancy: self.resident_warps / cycles / f64::from(design.preset.sm.warps),
            register_utilization: self.registers_in_use / cycles,
            on_chip_utilisation: self.on_chip_utilisation(design, spec.sms),
            register_cache_hit_rate: hit_rate(&events),
            prefetches: self.statistic("prefetches"),
            shared_cache_hit_rate: cached.and_then(|()| self.shared_hit_rate()),
            shared_fetches: cached.map(|()| self.statistic("memory.off_chip.fetches")),
            shared_write_backs: cached.map(|()| self.statistic("memory.off_chip.write_backs")),
            operands_compared: self.compared.operands,
            results_compared: self.compared.results,
            controls_compared: self.controls,
            memory_words_compared: self.compared.memory + self.memory_words,
            texels_compared: self.compared.texels,
            loaded_words_compared: self.compared.loaded,
            spilled_words_compared: self.compared.spilled,
            stale_loads: (spec.engine == Engine::Cosim).then_some(self.compared.stale_loads),
            compiler: self.compiler.how,
            compiler_words_compared: self.compiler.words,
            compiler_versions_taken: (spec.engine == Engine::Cosim).then_some(self.versions_taken),
            reference_words_compared: match spec.kernel {
                Kernel::Trace(_) => None,
                _ => Some(self.reference_words),
            },
            equal_shared_writes: match (spec.engine, &spec.kernel) {
                (Engine::Sim, _) | (_, Kernel::Trace(_)) => None,
                _ => Some(self.equal_shared_writes),
            },
            mismatches: 0,
            ok: true,
            events,
            flush_events: self.counters.flush_iter().map(|(name, sum)| (name.to_owned(), sum)).collect(),
            statistics: self.statistics.clone(),
            memory_divisions: self.divisions.clone(),
            shared_memory: SharedMemoryReport::new(
                &self.lifetimes,
                u64::from(design.preset.shared_memory.bytes) * u64::from(spec.sms),
                self.cycles,
            ),
            waves,
            parts: self.parts.reports(design.preset.sm.warps, hit_rate),
        })
    }
}

/// Adds the numbers of a JSON value to dotted names.
fn add(path: &str, value: &Value, sums: &mut BTreeMap<String, u64>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                add(&path, inner, sums);
            }
        }
        Value::Number(n) => *sums.entry(path.to_owned()).or_default() += n.as_u64().unwrap_or(0),
        _ => {}
    }
}

/// Issue slots a cycle, of counters by dotted name.
fn ipc_stack(statistics: &BTreeMap<String, u64>, ipc: f64, cycles: f64) -> BTreeMap<String, f64> {
    let stalls = statistics.iter().filter_map(|(name, count)| {
        let reason = name.strip_prefix("stalls.")?;
        Some((reason.to_owned(), *count as f64 / cycles))
    });
    std::iter::once(("issued".to_owned(), ipc)).chain(stalls).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_add_up_by_dotted_name() {
        let mut sums = BTreeMap::new();
        let value = serde_json::json!({ "cycles": 3, "stalls": { "port": 2 } });
        add("", &value, &mut sums);
        add("", &value, &mut sums);
        assert_eq!(sums.get("stalls.port"), Some(&4));
        assert_eq!(sums.get("cycles"), Some(&6));
    }

    #[test]
    fn an_ipc_stack_is_as_high_as_there_are_schedulers() {
        let counts = [("stalls.port", 30), ("stalls.memory", 50), ("cycles", 100)];
        let statistics = counts.map(|(name, count)| (name.to_owned(), count)).into();
        let stack = ipc_stack(&statistics, 1.2, 100.0);
        assert_eq!(stack.keys().collect::<Vec<_>>(), ["issued", "memory", "port"]);
        assert!((stack.values().sum::<f64>() - 2.0).abs() < 1e-12, "{stack:?}");
    }
}
