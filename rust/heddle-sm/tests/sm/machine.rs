//! A test-only register file: collects operands in a fixed time, and checks the port contract that the
//! SM must keep.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use heddle_config::{Policy, Preset};
use heddle_isa::{DeviceMemory, Executable, KernelLaunch};
use heddle_port::{CommandOp, Done, MAX_PORT_WIDTH, Operands, PortWidths, RegIn, RegOut, WarpSlot};
use heddle_sm::{ArchitecturalRegisters, CtaChoice, LaunchError, Observer, Sm, SmError, Statistics};

pub const WIDTHS: PortWidths = PortWidths { issue: 2, result: 2 };

/// The Maxwell preset.
pub fn preset() -> Preset {
    heddle_config::load("maxwell").expect("the preset ships")
}

/// The Maxwell preset with another policy.
pub fn preset_with(policy: Policy) -> Preset {
    let mut preset = preset();
    preset.scheduler.policy = policy;
    preset
}

/// Collects operands `collect` cycles after issue and answers commands after `answer` cycles.
#[derive(Debug, Clone)]
pub struct FixedTime {
    pub collect: u64,
    pub answer: u64,
    /// Cycles that each source takes beyond that, so that instructions come out of order.
    pub collect_by_sources: u64,
    /// Instructions that are collected at once.
    pub collectors: usize,
    /// Sub-cores, of which each has slots of its own.
    pub sub_cores: usize,
    cycle: u64,
    waiting: VecDeque<(u64, u16)>,
    warp_of: HashMap<u16, u8>,
    /// Instructions between issue and their last result, by tag: destinations still to come.
    results: HashMap<u16, u32>,
    dones: VecDeque<(u64, Done)>,
    active: u64,
    based: u64,
    pub most_active: u32,
}

impl FixedTime {
    pub fn new(collect: u64, answer: u64) -> Self {
        Self {
            collect,
            answer,
            collect_by_sources: 0,
            collectors: 16,
            sub_cores: 1,
            cycle: 0,
            waiting: VecDeque::new(),
            warp_of: HashMap::new(),
            results: HashMap::new(),
            dones: VecDeque::new(),
            active: 0,
            based: 0,
            most_active: 0,
        }
    }

    fn collecting(&self, warp: u8) -> bool {
        self.warp_of.values().any(|&w| w == warp)
    }

    pub fn reset(&self) -> RegOut {
        RegOut {
            issue_ready: [true, true, false, false],
            result_ready: [true, true, false, false],
            command_ready: true,
            ..RegOut::default()
        }
    }

    pub fn step(&mut self, input: &RegIn, out: &mut RegOut) {
        for slot in 0..MAX_PORT_WIDTH {
            if input.operands_ready[slot] && out.operands[slot].valid {
                self.warp_of.remove(&out.operands[slot].tag);
                out.operands[slot].valid = false;
            }
            self.take_result(slot, input, out);
        }
        self.take_command(input, out);
        for slot in 0..MAX_PORT_WIDTH {
            self.take_issue(slot, input, out);
        }
        self.cycle += 1;
        for slot in 0..WIDTHS.issue {
            let ready = self.waiting.front().is_some_and(|(ready, _)| *ready <= self.cycle);
            if !out.operands[slot].valid && ready {
                let (_, tag) = self.waiting.pop_front().expect("there is a front");
                out.operands[slot] = Operands { valid: true, tag };
            }
        }
        for slot in 0..WIDTHS.issue {
            out.issue_ready[slot] = self.warp_of.len() + slot < self.collectors;
        }
        out.done.valid = false;
        if self.dones.front().is_some_and(|(ready, _)| *ready <= self.cycle) {
            out.done = self.dones.pop_front().expect("there is a front").1;
        }
    }

    fn take_issue(&mut self, slot: usize, input: &RegIn, out: &RegOut) {
        let issue = &input.issue[slot];
        if !issue.valid {
            return;
        }
        assert!(out.issue_ready[slot], "issue in a slot that is not ready");
        assert!(self.active >> issue.warp & 1 != 0, "issue of an inactive warp");
        self.belongs(slot, WIDTHS.issue, issue.warp);
        assert!(issue.source_valid != 0 || issue.destination_valid != 0, "nothing for the port to do");
        assert!(!self.results.contains_key(&issue.tag), "tag in use");
        assert!(self.warp_of.insert(issue.tag, issue.warp).is_none(), "tag in use");
        let sources = u64::from(issue.source_valid.count_ones());
        let ready = self.cycle + self.collect + sources * self.collect_by_sources;
        let at = self.waiting.partition_point(|(other, _)| *other <= ready);
        self.waiting.insert(at, (ready, issue.tag));
        if issue.destination_valid != 0 {
            self.results.insert(issue.tag, issue.destination_valid.count_ones());
        }
    }

    fn belongs(&self, slot: usize, width: usize, warp: u8) {
        let owner = slot / (width / self.sub_cores);
        assert_eq!(
            usize::from(warp) % self.sub_cores,
            owner,
            "slot {slot} is not that of {}",
            WarpSlot(warp)
        );
    }

    fn take_result(&mut self, slot: usize, input: &RegIn, out: &RegOut) {
        let result = &input.result[slot];
        if !result.valid {
            return;
        }
        assert!(out.result_ready[slot], "result in a slot that is not ready");
        self.belongs(slot, WIDTHS.result, result.warp);
        let left = self.results.get_mut(&result.tag).expect("a result of an instruction in flight");
        *left -= 1;
        assert_eq!(result.last, *left == 0, "last marks the last result");
        if *left == 0 {
            self.results.remove(&result.tag);
        }
    }

    fn take_command(&mut self, input: &RegIn, out: &RegOut) {
        let c = &input.command;
        if !c.valid {
            return;
        }
        assert!(out.command_ready, "command although not ready");
        let bit = 1u64 << c.warp;
        let warp = WarpSlot(c.warp);
        match CommandOp::from_code(c.op).expect("a known command") {
            CommandOp::WarpBase => self.based |= bit,
            CommandOp::Activate => {
                assert!(self.based & bit != 0, "{warp} has no base");
                assert!(self.active & bit == 0, "{warp} is active");
                self.active |= bit;
            }
            CommandOp::Deactivate => {
                assert!(!self.collecting(c.warp), "deactivate with reads outstanding");
                assert!(self.active & bit != 0, "{warp} is inactive");
                self.active &= !bit;
            }
            CommandOp::Exit => {
                assert!(!self.collecting(c.warp), "exit with reads outstanding");
                self.active &= !bit;
                self.based &= !bit;
            }
            CommandOp::Prefetch => assert!(!self.collecting(c.warp), "prefetch with reads outstanding"),
            CommandOp::KernelStart | CommandOp::MapEntry => {}
        }
        self.most_active = self.most_active.max(self.active.count_ones());
        let done = Done { valid: true, op: c.op, warp: c.warp, interval: c.interval };
        self.dones.push_back((self.cycle + self.answer, done));
    }
}

/// What a run leaves.
#[derive(Debug)]
pub struct Ran {
    pub memory: DeviceMemory,
    pub statistics: Statistics,
    pub most_active: u32,
}

/// A run to be made.
pub struct Run<'a> {
    pub preset: Preset,
    pub executable: Arc<Executable>,
    pub launch: &'a KernelLaunch,
    pub memory: DeviceMemory,
    pub ctas: CtaChoice,
    pub design: FixedTime,
    pub hang_limit: u64,
}

impl Run<'_> {
    pub fn sm(&self) -> Result<Sm, LaunchError> {
        let executable = Arc::clone(&self.executable);
        Sm::new(&self.preset, WIDTHS, executable, self.launch, self.memory.clone(), self.ctas)
    }

    /// Runs to the end.
    pub fn go<O: Observer>(&self, observer: &mut O) -> Result<Ran, SmError> {
        let mut sm = self.sm().expect("the launch fits");
        sm.set_hang_limit(self.hang_limit);
        let mut registers = ArchitecturalRegisters::new(self.executable.program.num_regs);
        let mut design = self.design.clone();
        let mut out = design.reset();
        let mut input = RegIn::default();
        while !sm.is_done() {
            sm.tick(&out, &registers, &mut input, observer)?;
            design.step(&input, &mut out);
            registers.step(&input, &out);
            assert!(sm.cycle().0 < 2_000_000, "the run does not end");
        }
        assert!(design.results.is_empty() && design.warp_of.is_empty() && design.dones.is_empty());
        let statistics = sm.statistics();
        Ok(Ran { memory: sm.into_memory(), statistics, most_active: design.most_active })
    }
}
