//! Lanes that leave a register-interval, prefetch another one and reconverge into the first.
//!
//! The LTRF paper does not treat this case: a warp whose lanes have gone to another interval must fetch
//! the first one again before the lanes that stayed go on, in the middle of that interval.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, MadeKernel, RunReport, RunSpec, Session};
use heddle_isa::op::Op;
use heddle_isa::{DeviceMemory, Executable, KernelLaunch, Pc, Program};
use heddle_kernel::AllocOptions;
use heddle_passes::DesignNeeds;
use heddle_workloads::buffers::{Buffer, Host};
use heddle_workloads::params::ParamBlock;
use heddle_workloads::{CheckFailure, Checked, Instance, Launch, WorkloadError};

/// Registers of a register-interval in the default preset.
const LIMIT: u32 = 16;
/// Values that live across the loop and that the far arm alone uses: with the loop's own registers they
/// do not fit an interval.
const FAR_VALUES: u32 = 14;
/// Iterations of the loop; in each one the lanes of a warp take both arms.
const ITERATIONS: u32 = 12;
const HOST: Host = Host { workload: "there_and_back" };

/// A loop whose header and near arm are one interval and whose far arm goes on in another:
/// `for i in 0..12 { if (x + i) & 1 { far values change } else { x changes } }`.
#[derive(Debug)]
struct ThereAndBack {
    threads: u32,
}

impl MadeKernel for ThereAndBack {
    fn name(&self) -> String {
        HOST.workload.to_owned()
    }

    fn ptx(&self) -> String {
        let mut text = String::from(
            ".version 8.0\n.target sm_70\n.address_size 64\n\
             .visible .entry there_and_back(.param .u64 output)\n{\n\
             .reg .pred %p<3>;\n.reg .b32 %r<6>;\n.reg .b32 %a<14>;\n.reg .b64 %rd<4>;\n\
             mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n",
        );
        for k in 0..FAR_VALUES {
            let _ = writeln!(text, "mad.lo.u32 %a{k}, %r1, {}, {k};", 2 * k + 1);
        }
        text.push_str(
            "HEAD:\nsetp.ge.u32 %p1, %r2, 12;\n@%p1 bra DONE;\n\
             add.u32 %r3, %r1, %r2;\nadd.u32 %r2, %r2, 1;\nand.b32 %r3, %r3, 1;\n\
             setp.ne.u32 %p2, %r3, 0;\n@%p2 bra FAR;\n\
             mad.lo.u32 %r1, %r1, 5, 2;\nbra HEAD;\nFAR:\n",
        );
        for k in 0..FAR_VALUES {
            let _ = writeln!(text, "mad.lo.u32 %a{k}, %a{}, 3, %a{k};", (k + 1) % FAR_VALUES);
        }
        text.push_str("bra HEAD;\nDONE:\n");
        for k in 0..FAR_VALUES {
            let _ = writeln!(text, "mad.lo.u32 %r1, %r1, 7, %a{k};");
        }
        text.push_str(
            "mov.u32 %r4, %tid.x;\nld.param.u64 %rd1, [output];\nmul.wide.u32 %rd2, %r4, 4;\n\
             add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r1;\nret;\n}\n",
        );
        text
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        Box::new(Run { threads: self.threads, output: None, launched: false })
    }
}

/// What a thread stores.
fn expected(thread: u32) -> u32 {
    let mut x = thread;
    let mut far: Vec<u32> = (0..FAR_VALUES).map(|k| thread.wrapping_mul(2 * k + 1).wrapping_add(k)).collect();
    for i in 0..ITERATIONS {
        if x.wrapping_add(i) & 1 != 0 {
            for k in 0..far.len() {
                far[k] = far[(k + 1) % far.len()].wrapping_mul(3).wrapping_add(far[k]);
            }
        } else {
            x = x.wrapping_mul(5).wrapping_add(2);
        }
    }
    far.iter().fold(x, |x, a| x.wrapping_mul(7).wrapping_add(*a))
}

struct Run {
    threads: u32,
    output: Option<Buffer>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.output = Some(HOST.allocate::<u32>(memory, "output", self.threads as usize)?);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let output = self.output.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let launch = KernelLaunch {
            grid: [1, 1, 1],
            block: [self.threads, 1, 1],
            params: ParamBlock::new().pointer(output.address).finish(),
            ..KernelLaunch::default()
        };
        Ok(Some(Launch { entry: HOST.workload.into(), launch }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let output = self.output.ok_or_else(|| HOST.unchecked())?;
        let expected: Vec<u32> = (0..self.threads).map(expected).collect();
        let words = HOST.expect(memory, output, &expected)?;
        Ok(Checked { words, exact: true, bound: None })
    }
}

fn executable() -> Executable {
    let ptx = ThereAndBack { threads: 32 }.ptx();
    let compiled =
        heddle_kernel::compile("there_and_back.ptx", &ptx, None, AllocOptions { max_registers: 255 })
            .expect("the kernel compiles");
    heddle_passes::build_executable(Arc::new(compiled.allocated), DesignNeeds { intervals: Some(LIMIT) })
        .expect("it has intervals")
}

/// Instructions that lanes may execute from `start` until they meet at `meet`.
fn arm(program: &Program, start: Pc, meet: Pc) -> BTreeSet<Pc> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(pc) = open.pop() {
        let Some(instr) = program.instrs.get(pc.index()).filter(|_| pc != meet) else { continue };
        if !seen.insert(pc) {
            continue;
        }
        let goes_on = match instr.op {
            Op::Bra { target, .. } => {
                open.push(target);
                instr.guard.is_some()
            }
            Op::Exit => instr.guard.is_some(),
            _ => true,
        };
        if goes_on {
            open.push(pc.next());
        }
    }
    seen
}

/// Branches whose lanes leave the interval on one arm, stay in it on the other, and meet in it again.
fn branches_there_and_back(executable: &Executable) -> usize {
    let program = &executable.program;
    let intervals = executable.intervals.as_ref().expect("intervals were asked for");
    let mut count = 0;
    for (index, instr) in program.instrs.iter().enumerate().filter(|(_, i)| i.guard.is_some()) {
        let Op::Bra { target, reconvergence: Some(meet) } = instr.op else { continue };
        let here = intervals.of_pc[index];
        let stays = |start| arm(program, start, meet).iter().all(|pc| intervals.of_pc[pc.index()] == here);
        let through = Pc(u32::try_from(index).expect("a short program")).next();
        if intervals.of_pc[meet.index()] == here && !stays(target) && stays(through) {
            count += 1;
        }
    }
    count
}

fn run(design: &str, threads: u32) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Made(Arc::new(ThereAndBack { threads }));
    let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Cosim);
    spec.results = folder.path().to_owned();
    Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{design}: {e}"))
}

#[test]
fn the_kernel_leaves_an_interval_and_reconverges_into_it() {
    let executable = executable();
    heddle_passes::check_intervals(&executable.program, executable.intervals.as_ref().expect("intervals"))
        .expect("legal intervals");
    let report = || {
        let intervals = executable.intervals.as_ref().expect("intervals");
        heddle_passes::interval_report(&executable.program, intervals)
    };
    assert_eq!(branches_there_and_back(&executable), 1, "{}", report());
}

#[test]
fn a_warp_fetches_the_interval_again_and_every_value_is_right() {
    let intervals = executable().intervals.expect("intervals").intervals.len() as u64;
    for warps in [1, 3, 20] {
        let report = run("ltrf", 32 * warps);
        let (rounds, warps) = (u64::from(ITERATIONS), u64::from(warps));
        // In each round a warp goes to the far arm's interval and back: more prefetches than intervals, so
        // some interval was prefetched again.
        assert!(report.prefetches >= 2 * rounds * warps, "{} prefetches", report.prefetches);
        assert!(report.prefetches > intervals * warps);
        assert_eq!(report.events["prefetch"], report.prefetches);
        assert!(report.statistics["divergent_branches"] >= rounds * warps);
        assert!(report.ok && report.operands_compared > 0);
        assert_eq!(report.reference_words_compared, Some(32 * warps));
    }
}

#[test]
fn the_baseline_agrees() {
    assert_eq!(run("baseline", 96).reference_words_compared, Some(96));
}
