//! Latencies of arithmetic, measured by chains of dependent instructions of one warp.
//!
//! A latency is the difference of the cycles of two chains by the difference of their lengths. It is made of the way
//! through the register port to the operands, the pipeline of the unit, and the way of the result to the next issue. The
//! pipeline is the same for every design; a slower port makes the rest longer.

use std::path::Path;
use std::sync::Arc;

use heddle_config::Override;
use heddle_isa::{Executable, KernelLaunch, Op, Program};
use heddle_port::Tag;
use heddle_sm::{IssueEvent, Observer, OperandsEvent, ResultEvent, Stop};
use heddle_workloads::Instance;
use heddle_workloads::chain::{Chain, Link};
use serde::Serialize;

use crate::control::Control;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::session::Session;
use crate::spec::{Engine, Kernel, MadeKernel, RunSpec};

/// Lengths of the two chains.
const LENGTHS: [u32; 2] = [40, 120];

/// Cycles from the issue of an instruction to that of the next one, which reads its result; averages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ArithmeticLatency {
    /// The unit.
    pub path: &'static str,
    /// All of them.
    pub cycles: f64,
    /// From issue until the operands are out.
    pub issue: f64,
    /// From the operands to the result, of a pair its low word.
    pub unit: f64,
    /// From that at the port to the issue of the next instruction.
    pub write_back: f64,
}

fn name(link: Link) -> &'static str {
    match link {
        Link::Fp32 => "fp32",
        Link::Int => "int",
        Link::IntMultiply => "int-multiply",
        Link::Fp64 => "fp64",
        Link::Sfu => "sfu",
        Link::Exchange => "exchange",
    }
}

#[derive(Debug)]
struct ChainKernel(Chain);

impl MadeKernel for ChainKernel {
    fn name(&self) -> String {
        "chain".to_owned()
    }

    fn ptx(&self) -> String {
        self.0.ptx()
    }

    fn instance(&self, _: u64) -> Box<dyn Instance> {
        self.0.instance()
    }
}

/// Notes when the links of a chain pass the places on their way.
#[derive(Debug, Default)]
struct Watch {
    program: Option<Arc<Program>>,
    tag: Option<Tag>,
    issued: Vec<u64>,
    operands: Vec<u64>,
    results: Vec<u64>,
}

impl LaunchObserver for Watch {
    fn launched(&mut self, executable: &Executable, _: &KernelLaunch) {
        self.program = Some(Arc::clone(&executable.program));
    }
}

impl Watch {
    /// The instruction in the middle of a program that is little but a chain.
    fn link(&self) -> Option<&Op> {
        let instrs = &self.program.as_ref()?.instrs;
        instrs.get(instrs.len() / 2).map(|i| &i.op)
    }
}

impl Observer for Watch {
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let op = self.program.as_ref().and_then(|p| p.instrs.get(event.pc.index())).map(|i| &i.op);
        if op.is_some() && op == self.link() {
            self.tag = Some(event.tag);
            self.issued.push(event.cycle.0);
        }
        Ok(())
    }

    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        if self.tag == Some(event.tag) {
            self.operands.push(event.cycle.0);
        }
        Ok(())
    }

    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        if self.tag == Some(event.tag) && event.destination == 0 {
            self.results.push(event.cycle.0);
        }
        Ok(())
    }
}

/// The average distance of the events of two places, over the last `links`.
fn between(from: &[u64], to: &[u64], links: usize) -> f64 {
    let pairs = from.iter().rev().zip(to.iter().rev()).take(links);
    let sum: u64 = pairs.map(|(from, to)| to.saturating_sub(*from)).sum();
    sum as f64 / links.max(1) as f64
}

/// Measures all units on a design, with its cycle model.
///
/// # Errors
/// As a run of the cycle model.
pub fn arithmetic_latencies(
    root: &Path,
    design: &str,
    preset: Option<&str>,
    overrides: &[Override],
    control: &mut dyn Control,
) -> Result<Vec<ArithmeticLatency>, RunError> {
    let mut all = Vec::new();
    for link in Link::ALL {
        let path = name(link);
        control.stage(&format!("chain of dependent instructions: {path}"));
        let mut cycles = [0; 2];
        let mut watch = Watch::default();
        for (cycles, length) in cycles.iter_mut().zip(LENGTHS) {
            let kernel = Kernel::Made(Arc::new(ChainKernel(Chain { link, length })));
            let mut spec = RunSpec::new(root.to_owned(), design, kernel, Engine::Sim);
            spec.preset = preset.map(str::to_owned);
            spec.overrides = overrides.to_vec();
            watch = Watch::default();
            *cycles = Session::new(spec)?.observe(control, &mut watch)?.cycles;
        }
        let links = (LENGTHS[1] - LENGTHS[0]) as usize;
        let last = watch.issued.len().saturating_sub(1);
        let before = |events: &[u64]| events[..last.min(events.len())].to_vec();
        let next = &watch.issued[1.min(watch.issued.len())..];
        all.push(ArithmeticLatency {
            path,
            cycles: cycles[1].saturating_sub(cycles[0]) as f64 / links as f64,
            issue: between(&before(&watch.issued), &before(&watch.operands), links),
            unit: between(&before(&watch.operands), &before(&watch.results), links),
            write_back: between(&before(&watch.results), next, links),
        });
    }
    Ok(all)
}
