//! Lanes that leave a register-interval, prefetch another one and reconverge into the first.
//!
//! The LTRF paper does not treat this case: a warp whose lanes have gone to another interval must fetch
//! the first one again before the lanes that stayed go on, in the middle of that interval.
//!
//! And registers that the lanes of one arm read for the last time while those of the other have yet to read them.

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

use crate::common;

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
        Box::new(Run { host: HOST, threads: self.threads, expected, output: None, launched: false })
    }
}

/// Values that both arms of a branch read for the last time.
const SHARED_VALUES: u32 = 12;
const LAST_READS: Host = Host { workload: "last_reads" };

/// `v = f(x); r = x & 1 ? g(v) : h(v)`: on either arm the reads of `v` are the last ones, and whichever runs first,
/// the lanes of the other still wait for theirs.
#[derive(Debug)]
struct LastReads {
    threads: u32,
}

impl MadeKernel for LastReads {
    fn name(&self) -> String {
        LAST_READS.workload.to_owned()
    }

    fn ptx(&self) -> String {
        let mut text = String::from(
            ".version 8.0\n.target sm_70\n.address_size 64\n\
             .visible .entry last_reads(.param .u64 output)\n{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b32 %v<12>;\n.reg .b64 %rd<4>;\n\
             mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\n",
        );
        for k in 0..SHARED_VALUES {
            let _ = writeln!(text, "mad.lo.u32 %v{k}, %r1, {}, {k};", 2 * k + 1);
        }
        text.push_str("and.b32 %r3, %r1, 1;\nsetp.ne.u32 %p1, %r3, 0;\n@%p1 bra ODD;\n");
        for k in 0..SHARED_VALUES {
            let _ = writeln!(text, "mad.lo.u32 %r2, %r2, 3, %v{k};");
        }
        text.push_str("bra MEET;\nODD:\n");
        for k in (0..SHARED_VALUES).rev() {
            let _ = writeln!(text, "mad.lo.u32 %r2, %r2, 5, %v{k};");
        }
        text.push_str(
            "MEET:\nld.param.u64 %rd1, [output];\nmul.wide.u32 %rd2, %r1, 4;\n\
             add.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r2;\nret;\n}\n",
        );
        text
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        let expected = after_last_reads;
        Box::new(Run { host: LAST_READS, threads: self.threads, expected, output: None, launched: false })
    }
}

/// What a thread of [`LastReads`] stores.
fn after_last_reads(thread: u32) -> u32 {
    let value = |k: u32| thread.wrapping_mul(2 * k + 1).wrapping_add(k);
    let fold = |r: u32, factor: u32, k: u32| r.wrapping_mul(factor).wrapping_add(value(k));
    if thread & 1 != 0 {
        (0..SHARED_VALUES).rev().fold(0, |r, k| fold(r, 5, k))
    } else {
        (0..SHARED_VALUES).fold(0, |r, k| fold(r, 3, k))
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
    host: Host,
    threads: u32,
    expected: fn(u32) -> u32,
    output: Option<Buffer>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        self.output = Some(self.host.allocate::<u32>(memory, "output", self.threads as usize)?);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let output = self.output.ok_or_else(|| self.host.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let launch = KernelLaunch {
            grid: [1, 1, 1],
            block: [self.threads, 1, 1],
            params: ParamBlock::new().pointer(output.address).finish(),
            ..KernelLaunch::default()
        };
        Ok(Some(Launch { entry: self.host.workload.into(), launch }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let output = self.output.ok_or_else(|| self.host.unchecked())?;
        let expected: Vec<u32> = (0..self.threads).map(self.expected).collect();
        let words = self.host.expect(memory, output, &expected)?;
        Ok(Checked { words, exact: true, bound: None })
    }
}

fn executable() -> Executable {
    let ptx = ThereAndBack { threads: 32 }.ptx();
    let compiled =
        heddle_kernel::compile("there_and_back.ptx", &ptx, None, AllocOptions { max_registers: 255 })
            .expect("the kernel compiles");
    heddle_passes::build_executable(
        Arc::new(compiled.allocated),
        DesignNeeds { intervals: Some(LIMIT), ..DesignNeeds::default() },
    )
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

fn run(design: &str, kernel: impl MadeKernel + 'static) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Made(Arc::new(kernel));
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
        let report = run("ltrf", ThereAndBack { threads: 32 * warps });
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
    assert_eq!(run("baseline", ThereAndBack { threads: 96 }).reference_words_compared, Some(96));
}

/// A register of a warp dies where all of its lanes are past their last read: CERF gives its entry away then, and a
/// later read of it would find none.
#[test]
fn a_register_lives_until_the_lanes_of_both_arms_have_read_it() {
    for design in ["cerf", "cerf-fair"] {
        let report = run(design, LastReads { threads: 640 });
        assert_eq!(report.reference_words_compared, Some(640), "{design}");
        assert_eq!(report.statistics["divergent_branches"], 20, "{design}");
        // No read on an arm is the warp's last one: what both read leaves with the warp.
        assert!(
            report.events["reg_ended"] >= 20 * u64::from(SHARED_VALUES) / 2,
            "{design}: {:?}",
            report.events
        );
    }
}
