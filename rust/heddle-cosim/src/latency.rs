//! Latencies, measured by chases of pointers, and what each hop on the way has of them.
//!
//! A latency is the difference of the cycles of two chases that differ in their number of loads, by the difference of
//! these numbers. The hops are the times between places that a load passes; they add up to the time from the issue of a
//! load to that of the next one, which waits for it.

use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;

use heddle_config::{Override, Preset};
use heddle_isa::{Executable, KernelLaunch, Op, Program, Space};
use heddle_mem::PathTimes;
use heddle_port::Tag;
use heddle_sm::{AnsweredEvent, IssueEvent, Observer, Stop};
use heddle_workloads::Instance;
use heddle_workloads::chase::{Chase, LOADS_A_ROUND, PTX, Ring};
use serde::Serialize;

use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::session::Session;
use crate::spec::{Engine, Kernel, MadeKernel, RunSpec};

/// Rounds of the two chases.
const ROUNDS: [u32; 2] = [1, 4];

/// Bytes of shared memory over which misses of its cache are spread.
const SHARED_BYTES: u32 = 96 << 10;

/// Which way the loads take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// A global load that hits in the L1.
    L1Hit,
    /// A global load that misses in the L1 and hits in L2.
    L2Hit,
    /// A global load that misses in both; each closes the DRAM row of the one before.
    Memory,
    /// A load from shared memory that hits in its cache, or from shared memory on chip.
    SharedHit,
    /// A load from off-chip shared memory that misses in its cache; rows as above.
    SharedMemory,
}

impl Path {
    /// Those that a design has; a load from shared memory misses only in a cache of less than its shared memory, and
    /// where lifetimes are known, lines stay of which the chase counts on that they leave.
    fn all(design: &PreparedDesign) -> Vec<Self> {
        let mut all = vec![Self::L1Hit, Self::L2Hit, Self::Memory, Self::SharedHit];
        let shared = &design.preset.shared_memory;
        let misses = shared.cache_bytes < SHARED_BYTES && !shared.known_lifetimes;
        if design.manifest.memory_port.shared && misses {
            all.push(Self::SharedMemory);
        }
        all
    }

    /// Where the links lie. Loads through the L1 with other loads of their lines before find them there; loads past
    /// the L1 bring lines to L2 alone. Reads of all links twice leave the cache of shared memory without locks and
    /// dirty bytes, and the links that come next are the ones that left it first.
    fn ring(self, preset: &Preset) -> Ring {
        let most = ROUNDS[1] * LOADS_A_ROUND;
        let columns = 3;
        match self {
            Self::L1Hit => Ring::Global { links: 1, past: 0, warm: 4 },
            Self::L2Hit => Ring::Global { links: most, past: most, warm: 0 },
            Self::Memory => Ring::Global { links: most, past: 0, warm: 0 },
            Self::SharedHit => Ring::Shared { links: 4, columns: 1, stride: 0, warm: 4 },
            Self::SharedMemory => {
                let stride = SHARED_BYTES / columns;
                let lines = preset.shared_memory.cache_bytes / 128;
                let links = (3 * lines).min(SHARED_BYTES / 128);
                Ring::Shared { links, columns, stride, warm: 2 * links }
            }
        }
    }
}

/// Cycles of a load by hop, averages.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Hops {
    /// From issue to the handshake of the memory port: operands, address, coalescer.
    pub issue: f64,
    /// Port, tags, and of a hit the data: to the response, or to the handshake of the request to L2.
    pub first_level: f64,
    /// Interconnect, there and back.
    pub interconnect: f64,
    /// L2.
    pub l2: f64,
    /// Address translation, of global and local memory.
    pub translation: f64,
    /// DRAM: scheduler, row, column, bus, and its fixed latency.
    pub dram: f64,
    /// From the answer to the response of the memory port.
    pub fill: f64,
    /// From the response to the issue of the next load: result, register file, scoreboard.
    pub write_back: f64,
}

impl Hops {
    /// All hops.
    #[must_use]
    pub fn sum(&self) -> f64 {
        let Self { issue, first_level, interconnect, l2, translation, dram, fill, write_back } = self;
        issue + first_level + interconnect + l2 + translation + dram + fill + write_back
    }
}

/// The latency of a path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Latency {
    /// The path.
    pub path: Path,
    /// Cycles of a dependent load.
    pub cycles: f64,
    /// What they are made of.
    #[serde(flatten)]
    pub hops: Hops,
}

/// A chase as a kernel of its own.
#[derive(Debug)]
struct ChaseKernel(Chase);

impl MadeKernel for ChaseKernel {
    fn name(&self) -> String {
        "chase".to_owned()
    }

    fn ptx(&self) -> String {
        PTX.to_owned()
    }

    fn instance(&self, _: u64) -> Box<dyn Instance> {
        self.0.instance()
    }
}

/// Notes when the loads of a chase issue and when they passed the places on their way.
#[derive(Debug, Default)]
struct Watch {
    program: Option<Arc<Program>>,
    issued: Vec<u64>,
    passed: Vec<PathTimes>,
    /// The load under way.
    waiting: Option<Tag>,
}

impl LaunchObserver for Watch {
    fn launched(&mut self, executable: &Executable, _: &KernelLaunch) {
        self.program = Some(Arc::clone(&executable.program));
    }
}

impl Observer for Watch {
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let instr = self.program.as_ref().and_then(|p| p.instrs.get(event.pc.index()));
        let chased = |op: &Op| matches!(op, Op::Ld { space: Space::Global | Space::Shared, .. });
        if instr.is_some_and(|i| chased(&i.op)) {
            self.issued.push(event.cycle.0);
            self.waiting = Some(event.tag);
        }
        Ok(())
    }

    fn answered(&mut self, event: &AnsweredEvent) -> Result<(), Stop> {
        if self.waiting == Some(event.tag) {
            self.waiting = None;
            self.passed.push(event.path);
        }
        Ok(())
    }
}

impl Watch {
    /// The averages over the last `loads` loads that another one follows.
    fn hops(&self, loads: usize) -> Hops {
        let mut sum = Hops::default();
        let first = self.issued.len().saturating_sub(loads + 1);
        for (times, issues) in self.passed.iter().skip(first).zip(self.issued[first..].windows(2)) {
            add(&mut sum, times, (issues[0], issues[1]));
        }
        let n = loads.max(1) as f64;
        let Hops { issue, first_level, interconnect, l2, translation, dram, fill, write_back } = sum;
        Hops {
            issue: issue / n,
            first_level: first_level / n,
            interconnect: interconnect / n,
            l2: l2 / n,
            translation: translation / n,
            dram: dram / n,
            fill: fill / n,
            write_back: write_back / n,
        }
    }
}

/// Adds the hops of a load that issued, as the next one did, in cycles `issues`.
fn add(sum: &mut Hops, times: &PathTimes, issues: (u64, u64)) {
    let between = |from: u64, to: u64| to.saturating_sub(from) as f64;
    sum.issue += between(issues.0, times.request);
    sum.write_back += between(times.response, issues.1);
    if times.lower_request < times.request {
        sum.first_level += between(times.request, times.response);
        return;
    }
    sum.first_level += between(times.request, times.lower_request);
    sum.fill += between(times.lower_response, times.response);
    let lower = times.lower;
    sum.interconnect +=
        between(times.lower_request, lower.arrived) + between(lower.replied, times.lower_response);
    sum.l2 += between(lower.arrived, lower.replied);
    if lower.dram_answer > times.lower_request {
        sum.translation += between(lower.dram_request, lower.translated);
        sum.dram += between(lower.translated, lower.dram_answer);
        sum.l2 -= between(lower.dram_request, lower.dram_answer);
    }
}

/// Measures all paths that a design has, with its cycle model.
///
/// # Errors
/// As a run of the cycle model; [`RunError::Usage`] also where a chase does not fit the preset.
pub fn latencies(
    root: &FilePath,
    design: &str,
    preset: Option<&str>,
    overrides: &[Override],
    control: &mut dyn Control,
) -> Result<Vec<Latency>, RunError> {
    let spec = |chase: Chase| {
        let kernel = Kernel::Made(Arc::new(ChaseKernel(chase)));
        let mut spec = RunSpec::new(root.to_owned(), design, kernel, Engine::Sim);
        spec.preset = preset.map(str::to_owned);
        spec.overrides = overrides.to_vec();
        spec
    };
    let chase = |path: Path, preset: &Preset, rounds| Chase { ring: path.ring(preset), rounds };
    let unknown = Chase { ring: Ring::Global { links: 1, past: 0, warm: 0 }, rounds: 1 };
    let prepared = PreparedDesign::new(&spec(unknown))?;
    let preset = &prepared.preset;
    let mut all = Vec::new();
    for path in Path::all(&prepared) {
        control.stage(&format!("chasing pointers: {path}"));
        let mut cycles = [0; 2];
        let mut watch = Watch::default();
        for (cycles, rounds) in cycles.iter_mut().zip(ROUNDS) {
            watch = Watch::default();
            let report = Session::new(spec(chase(path, preset, rounds)))?.observe(control, &mut watch)?;
            *cycles = report.cycles;
        }
        let loads = (ROUNDS[1] - ROUNDS[0]) * LOADS_A_ROUND;
        let measured = cycles[1].saturating_sub(cycles[0]) as f64 / f64::from(loads);
        all.push(Latency { path, cycles: measured, hops: watch.hops(loads as usize) });
    }
    Ok(all)
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::L1Hit => "l1-hit",
            Self::L2Hit => "l2-hit",
            Self::Memory => "memory",
            Self::SharedHit => "shared-hit",
            Self::SharedMemory => "shared-memory",
        })
    }
}
