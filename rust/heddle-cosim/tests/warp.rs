//! Operations between threads, in PTX: on the golden machine and in co-simulation they give what a count by
//! hand gives, and what cannot be met is named.

use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, MadeKernel, RunError, RunReport, RunSpec, Session};
use heddle_isa::{DeviceMemory, KernelLaunch};
use heddle_workloads::buffers::{Buffer, Host};
use heddle_workloads::params::ParamBlock;
use heddle_workloads::{CheckFailure, Checked, Instance, Launch, WorkloadError};

use crate::common;

const HOST: Host = Host { workload: "threads" };
/// What a kernel leaves in words that it does not write.
const UNTOUCHED: u32 = 0xdead_beef;

/// A kernel of one CTA that stores words to an array; `%r0` is the thread's number, `%rd0` the address of the
/// thread's word, `%rd1` that of the array, when `body` begins.
#[derive(Debug, Clone)]
struct Threads {
    body: &'static str,
    threads: u32,
    expected: Vec<u32>,
}

impl MadeKernel for Threads {
    fn name(&self) -> String {
        HOST.workload.to_owned()
    }

    fn ptx(&self) -> String {
        format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n\
             .visible .entry threads(.param .u64 output)\n{{\n\
             .reg .pred %p<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n\
             .shared .align 4 .b8 words[4096];\n\
             mov.u32 %r0, %tid.x;\nld.param.u64 %rd1, [output];\nmul.wide.u32 %rd0, %r0, 4;\n\
             add.s64 %rd0, %rd0, %rd1;\n{}\nret;\n}}\n",
            self.body
        )
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        Box::new(Run { kernel: self.clone(), output: None, launched: false })
    }
}

struct Run {
    kernel: Threads,
    output: Option<Buffer>,
    launched: bool,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        let words = vec![UNTOUCHED; self.kernel.threads as usize];
        self.output = Some(HOST.upload(memory, "output", &words)?);
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let output = self.output.ok_or_else(|| HOST.not_set_up())?;
        if std::mem::replace(&mut self.launched, true) {
            return Ok(None);
        }
        let launch = KernelLaunch {
            grid: [1, 1, 1],
            block: [self.kernel.threads, 1, 1],
            params: ParamBlock::new().pointer(output.address).finish(),
            ..KernelLaunch::default()
        };
        Ok(Some(Launch { entry: HOST.workload.into(), launch }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let output = self.output.ok_or_else(|| HOST.unchecked())?;
        let words = HOST.expect(memory, output, &self.kernel.expected)?;
        Ok(Checked { words, exact: true, bound: None })
    }
}

fn run_on(engine: Engine, design: &str, kernel: &Threads) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut spec = RunSpec::new(common::root(), design, Kernel::Made(Arc::new(kernel.clone())), engine);
    spec.results = folder.path().to_owned();
    Session::new(spec).and_then(|mut session| session.run(&mut ()))
}

/// Runs a kernel on every design against what each of its threads should leave.
fn gives(body: &'static str, threads: u32, expected: impl Fn(u32) -> u32) {
    let kernel = Threads { body, threads, expected: (0..threads).map(expected).collect() };
    for design in common::designs() {
        let report =
            run_on(Engine::Cosim, &design, &kernel).unwrap_or_else(|e| panic!("{design}: {e}\n{body}"));
        assert_eq!(report.reference_words_compared, Some(u64::from(threads)), "{design}");
        assert!(report.ok, "{design}");
    }
}

/// Runs a kernel that does wrong, with the golden machine beside it and without; what is said.
fn fails(body: &'static str, threads: u32, parts: &[&str]) {
    let kernel = Threads { body, threads, expected: vec![0; threads as usize] };
    for engine in [Engine::Cosim, Engine::Sim] {
        match run_on(engine, "baseline", &kernel) {
            Err(RunError::Kernel { message }) => {
                for part in parts {
                    assert!(message.contains(part), "{engine:?}: '{part}' is not in: {message}");
                }
            }
            other => panic!("{engine:?}: {other:?}"),
        }
    }
}

/// Threads of the warp of `thread` in a CTA of `threads`.
fn warp(thread: u32, threads: u32) -> std::ops::Range<u32> {
    let first = thread / 32 * 32;
    first..(first + 32).min(threads)
}

#[test]
fn a_warp_adds_up_by_shuffles() {
    // A partial last warp: lanes that do not exist add nothing.
    let body = "add.u32 %r1, %r0, 7;\n\
        shfl.sync.down.b32 %r2|%p1, %r1, 16, 31, -1;\nadd.u32 %r1, %r1, %r2;\n\
        shfl.sync.down.b32 %r2, %r1, 8, 31, -1;\nadd.u32 %r1, %r1, %r2;\n\
        shfl.sync.down.b32 %r2, %r1, 4, 31, -1;\nadd.u32 %r1, %r1, %r2;\n\
        shfl.sync.down.b32 %r2, %r1, 2, 31, -1;\nadd.u32 %r1, %r1, %r2;\n\
        shfl.sync.down.b32 %r2, %r1, 1, 31, -1;\nadd.u32 %r1, %r1, %r2;\n\
        shfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\n@%p1 add.u32 %r1, %r1, 1000000;\n\
        st.global.u32 [%rd0], %r1;";
    for threads in [32, 84, 256] {
        gives(body, threads, |t| {
            let sum: u32 = warp(t, threads).map(|t| t + 7).sum();
            sum + if t % 32 < 16 { 1_000_000 } else { 0 }
        });
    }
}

#[test]
fn ballots_compact() {
    // Threads with an odd multiple of three write their numbers, close together in each warp.
    let body = "rem.u32 %r1, %r0, 3;\nsetp.eq.u32 %p1, %r1, 0;\nvote.sync.ballot.b32 %r2, %p1, -1;\n\
        mov.u32 %r3, %lanemask_lt;\nand.b32 %r3, %r3, %r2;\npopc.b32 %r3, %r3;\n\
        and.b32 %r4, %r0, -32;\nadd.u32 %r3, %r3, %r4;\nmul.wide.u32 %rd2, %r3, 4;\n\
        add.s64 %rd2, %rd2, %rd1;\n@%p1 st.global.u32 [%rd2], %r0;";
    let threads = 100;
    gives(body, threads, |t| {
        let chosen: Vec<_> = warp(t, threads).filter(|t| t % 3 == 0).collect();
        chosen.get(t as usize % 32).copied().unwrap_or(UNTOUCHED)
    });
}

#[test]
fn parts_of_a_warp_vote_and_match_apart() {
    // Four tiles of eight lanes, each with its own member mask, in a branch that they all take.
    let body = "and.b32 %r1, %r0, 24;\nmov.b32 %r2, 255;\nshl.b32 %r2, %r2, %r1;\n\
        shr.u32 %r3, %r0, 1;\nand.b32 %r3, %r3, 1;\nmatch.any.sync.b32 %r4, %r3, %r2;\n\
        redux.sync.add.u32 %r5, %r0, %r2;\nsetp.lt.u32 %p1, %r0, 20;\nvote.sync.all.pred %p2, %p1, %r2;\n\
        elect.sync _|%p3, %r2;\nselp.u32 %r6, 1, 0, %p2;\n@%p3 add.u32 %r6, %r6, 2;\n\
        shl.b32 %r5, %r5, 2;\nadd.u32 %r5, %r5, %r6;\nxor.b32 %r4, %r4, %r5;\nst.global.u32 [%rd0], %r4;";
    gives(body, 64, |t| {
        let tile = t / 8 * 8..t / 8 * 8 + 8;
        let same = |other: &u32| other / 2 % 2 == t / 2 % 2;
        let matched: u32 = tile.clone().filter(same).map(|other| 1 << (other % 32)).sum();
        let sum: u32 = tile.clone().sum();
        let all = tile.clone().all(|t| t < 20);
        matched ^ (4 * sum + u32::from(all) + if t == tile.start { 2 } else { 0 })
    });
}

#[test]
fn lanes_on_one_side_of_a_branch_work_together() {
    let body = "setp.lt.u32 %p1, %r0, 12;\n@%p1 bra LOW;\nactivemask.b32 %r1;\n\
        shfl.sync.up.b32 %r2, %r0, 1, 0, 0xfffff000;\nxor.b32 %r1, %r1, %r2;\nbra STORE;\nLOW:\n\
        activemask.b32 %r1;\nvote.ballot.b32 %r2, %p1;\nshfl.bfly.b32 %r3, %r0, 16, 31;\n\
        add.u32 %r1, %r1, %r2;\nadd.u32 %r1, %r1, %r3;\nbar.warp.sync 0xfff;\nSTORE:\n\
        bar.warp.sync -1;\nst.global.u32 [%rd0], %r1;";
    gives(body, 32, |t| {
        if t < 12 {
            // Of the lanes 16 above none is here: the value is 0.
            return 0xfff + 0xfff;
        }
        // Lane 12 reads lane 11, which is not here.
        0xffff_f000 ^ if t == 12 { 0 } else { t - 1 }
    });
}

#[test]
fn barriers_count_and_reduce() {
    let body = "setp.lt.u32 %p1, %r0, 70;\nbar.red.popc.u32 %r1, 0, %p1;\n\
        bar.red.or.pred %p2, 1, 96, %p1;\nmov.u32 %r2, 96;\nmov.u32 %r3, 15;\n\
        barrier.cta.red.and.aligned.pred %p3, %r3, %r2, !%p1;\nselp.u32 %r4, 1000, 0, %p2;\n\
        add.u32 %r1, %r1, %r4;\nselp.u32 %r4, 5000, 0, %p3;\nadd.u32 %r1, %r1, %r4;\n\
        bar.red.and.pred %p4, 0, 1;\nselp.u32 %r4, 20000, 0, %p4;\nadd.u32 %r1, %r1, %r4;\n\
        st.global.u32 [%rd0], %r1;";
    for threads in [96, 75] {
        gives(body, threads, |_| 70 + 1000 + 20_000);
    }
}

#[test]
fn producers_and_consumers_meet_at_named_barriers() {
    // Warps 0 and 1 produce eight rounds, warps 2 and 3 consume them: barrier 1 is 'full', 2 is 'empty'.
    let body = "mov.u32 %r5, 0;\nmov.u32 %r6, 0;\nand.b32 %r7, %r0, 63;\nshl.b32 %r7, %r7, 2;\n\
        mov.u32 %r8, words;\nadd.u32 %r8, %r8, %r7;\nmov.u32 %r9, 1;\nsetp.ge.u32 %p1, %r0, 64;\n\
        @%p1 bra CONSUME;\nPRODUCE:\nbar.sync 2, 128;\nmul.lo.u32 %r4, %r0, %r5;\n\
        st.shared.u32 [%r8], %r4;\nbar.arrive %r9, 128;\nadd.u32 %r5, %r5, 1;\n\
        setp.lt.u32 %p2, %r5, 8;\n@%p2 bra PRODUCE;\nbra END;\n\
        CONSUME:\nbar.arrive 2, 128;\nbar.sync 1, 128;\nld.shared.u32 %r4, [%r8];\nadd.u32 %r6, %r6, %r4;\n\
        add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 8;\n@%p2 bra CONSUME;\nEND:\n\
        st.global.u32 [%rd0], %r6;";
    gives(body, 128, |t| if t < 64 { 0 } else { (t - 64) * 28 });
}

#[test]
fn special_registers_and_clocks_are_the_same_on_all_machines() {
    let body = "mov.u32 %r1, %clock;\nmov.u64 %rd2, %clock64;\nmov.u32 %r2, %globaltimer_lo;\n\
        mov.u32 %r3, %clock_hi;\ncvt.u32.u64 %r4, %rd2;\nsub.u32 %r2, %r2, %r1;\nadd.u32 %r2, %r2, %r4;\n\
        mov.u32 %r5, %nsmid;\nmov.u32 %r6, %smid;\nadd.u32 %r2, %r2, %r5;\nadd.u32 %r2, %r2, %r6;\n\
        add.u32 %r2, %r2, %r3;\nWAIT:\nmov.u32 %r7, %clock;\nsetp.lt.u32 %p1, %r7, 100;\n@%p1 bra WAIT;\n\
        add.u32 %r2, %r2, %r7;\nst.global.u32 [%rd0], %r2;";
    gives(body, 64, |_| 2 + 2 + 1 + 100);
}

#[test]
fn what_cannot_be_met_is_named() {
    fails(
        "setp.lt.u32 %p1, %r0, 12;\n@%p1 bra LOW;\nshfl.sync.idx.b32 %r1, %r0, 0, 31, -1;\n\
         LOW: st.global.u32 [%rd0], %r1;\n",
        64,
        &["CTA 0", "warp 0", "shfl.sync.idx.b32", "0x00000fff", "Let the lanes meet"],
    );
    fails("setp.lt.u32 %p1, %r0, 40;\n@%p1 bar.sync 0;", 64, &["0x000000ff", "0xffffff00", "warp 1"]);
    fails("bar.sync %r0;", 32, &["barrier number", "lane 1"]);
    fails("add.u32 %r1, %r0, 16;\nbar.sync 0, %r1;", 32, &["count of threads", "bar.sync 0, %r1"]);
    fails("mov.u32 %r1, 16;\nbar.sync %r1;", 32, &["barrier 16"]);
    fails("bar.sync 0, 96;", 64, &["counts 96 threads", "from 32 to 64"]);
    fails(
        "setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.arrive 0, 64;\n@%p1 bar.arrive 0, 64;",
        64,
        &["arrived at barrier 0 before"],
    );
    fails(
        "setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 0, 64;\n@!%p1 bar.sync 0, 96;",
        96,
        &["barrier 0 counts", "3 warps", "2 "],
    );
    fails("setp.eq.u32 %p1, %r0, 37;\n@%p1 trap;", 64, &["warp 1", "traps in lanes 0x00000020", "trap;"]);
}
