//! `unified-rf`: the L1D has what the registers leave of one memory.

use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, RunSpec, Session};
use heddle_workloads::script::Script;

use crate::common;
use crate::made::{HOST, Made};

/// Lines of a buffer of 32 KB: more than the baseline's L1D of 16 KB, less than what a warp's registers leave of 128 KB.
const LINES: u32 = 256;

/// One warp adds up the buffer twice, a line at a time.
const PTX: &str = ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
.reg .pred %p<2>;
.reg .b32 %r<6>;
.reg .b64 %rd<6>;
mov.u32 %r1, %tid.x;
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
mov.u32 %r2, 0;
mov.u32 %r3, 0;
AGAIN:
and.b32 %r4, %r2, 255;
shl.b32 %r4, %r4, 5;
add.u32 %r4, %r4, %r1;
mul.wide.u32 %rd3, %r4, 4;
add.s64 %rd3, %rd3, %rd1;
ld.global.u32 %r5, [%rd3];
add.u32 %r3, %r3, %r5;
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 512;
@%p1 bra AGAIN;
mul.wide.u32 %rd4, %r1, 4;
add.s64 %rd4, %rd4, %rd2;
st.global.u32 [%rd4], %r3;
ret;
}
";

#[test]
fn the_l1d_holds_what_the_separate_one_does_not() {
    let made = Made::new(PTX, || {
        let mut script = Script::new(HOST);
        let words: Vec<u32> = (0..32 * LINES).collect();
        let input = script.input("in", &words);
        let out = script.input("out", &[0; 32]);
        script.launch("k", [1, 1, 1], [32, 1, 1]).pointer(input).pointer(out);
        let after: Vec<u32> = (0..32).map(|t| 2 * words[t..].iter().step_by(32).sum::<u32>()).collect();
        script.judge(move |r| r.exact(out, &after));
        script
    });
    let run = |design: &str| {
        let folder = tempfile::tempdir().expect("temporary folder");
        let kernel = Kernel::Made(Arc::new(made.clone()));
        let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Sim);
        spec.results = folder.path().to_owned();
        spec.preset = Some("fermi".to_owned());
        let report = Session::new(spec).and_then(|mut s| s.run(&mut ())).expect("runs");
        (report.statistics["memory.l1.read_hits"], report.statistics["memory.l1.read_misses"])
    };
    let lines = u64::from(LINES);
    assert_eq!(run("baseline"), (0, 2 * lines), "the second time each line has gone again");
    assert_eq!(run("unified-rf"), (lines, lines));
}
