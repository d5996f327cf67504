//! The flush after a launch, of a design that holds the L1's data: nothing of it is the launch's.

use std::sync::Arc;

use heddle_cosim::{Control, Engine, Kernel, Progress, RunError, RunReport, RunSpec, Session};
use heddle_workloads::script::Script;

use crate::common;
use crate::made::{HOST, Made};

/// One warp adds 1 to each word of a line, which so is dirty when the launch ends.
const PTX: &str = ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<3>;
.reg .b64 %rd<4>;
mov.u32 %r1, %tid.x;
ld.param.u64 %rd1, [out];
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3];
add.u32 %r2, %r2, 1;
st.global.u32 [%rd3], %r2;
ret;
}
";

/// The kernel, launched so many times.
fn made(launches: u32) -> Made {
    Made::new(PTX, move || {
        let mut script = Script::new(HOST);
        let words: Vec<u32> = (0..32).collect();
        let out = script.input("out", &words);
        for _ in 0..launches {
            script.launch("k", [1, 1, 1], [32, 1, 1]).pointer(out);
        }
        let after: Vec<u32> = (launches..32 + launches).collect();
        script.judge(move |r| r.exact(out, &after));
        script
    })
}

fn run(
    launches: u32,
    engine: Engine,
    max_cycles: Option<u64>,
    control: &mut dyn Control,
) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Made(Arc::new(made(launches)));
    let mut spec = RunSpec::new(common::root(), "cerf", kernel, engine);
    spec.results = folder.path().to_owned();
    spec.max_cycles = max_cycles;
    Session::new(spec).and_then(|mut session| session.run(control))
}

#[test]
fn a_limit_of_cycles_holds_in_the_flush() {
    for engine in [Engine::Sim, Engine::Cosim] {
        let report = run(1, engine, None, &mut ()).expect("runs");
        let whole = report.cycles + report.statistics["flush.cycles"];
        run(1, engine, Some(whole + 1), &mut ()).expect("in time");
        let error = run(1, engine, Some(whole - 1), &mut ()).expect_err("the flush is not over");
        assert!(matches!(error, RunError::OutOfCycles { .. }), "{error}");
        let text = error.to_string();
        let ended = format!(
            "all CTAs ended in cycle {}; the design still writes its dirty lines back",
            report.cycles
        );
        assert!(text.contains(&ended), "{text}");
    }
}

/// Ends the run at the first report, and remembers it.
struct Once(Option<Progress>);

impl Control for Once {
    fn stage(&mut self, _text: &str) {}
    fn warning(&mut self, _text: &str) {}
    fn progress(&mut self, progress: &Progress) {
        self.0 = Some(*progress);
    }
    fn interrupted(&self) -> bool {
        self.0.is_some()
    }
}

/// Launches of the run that is interrupted.
const LAUNCHES: u32 = 48;

/// A flush is longer than a launch here, so the cycle in which a report is due comes in a flush first.
#[test]
fn an_interruption_ends_a_flush() {
    for engine in [Engine::Sim, Engine::Cosim] {
        let mut once = Once(None);
        let error = run(LAUNCHES, engine, None, &mut once).expect_err("it is interrupted");
        let progress = once.0.expect("a report");
        assert_eq!((progress.ctas_done, progress.ctas_total), (1, 1), "the launch is over");
        assert!(progress.launch + 1 < LAUNCHES, "{progress:?}");
        assert!(matches!(error, RunError::Interrupted { cycles } if cycles == progress.cycles), "{error}");
    }
}

#[test]
fn what_a_flush_does_is_counted_apart() {
    let made = made(1);
    let report = made.run("cerf", Engine::Sim, 255).expect("runs");
    let event = |name: &str| report.events[name];
    let flush = |name: &str| report.flush_events.get(name).copied();
    let statistic = |name: &str| report.statistics[name];
    assert_eq!((event("store_hit"), event("flushed_line")), (1, 0));
    // The walk over 1,024 entries, of which the dirty one is looked up twice and read once.
    assert_eq!(flush("flushed_line"), Some(1));
    assert_eq!((flush("tag_lookup"), flush("row_read"), flush("row_write")), (Some(1_025), Some(1), None));
    // One line, which stays until the flush: never more than one a cycle of the launch.
    assert!((1..report.cycles).contains(&event("line_entries")), "{:?}", report.events);
    assert!(!report.flush_events.contains_key("line_entries"));
    assert_eq!((statistic("memory.l2.writes"), statistic("flush.l2.writes")), (0, 1));
    assert!(statistic("flush.cycles") > 1_024, "{}", statistic("flush.cycles"));
    let baseline = made.run("baseline", Engine::Sim, 255).expect("runs");
    assert_eq!((baseline.statistics["flush.cycles"], baseline.flush_events.len()), (0, 0));
    assert_eq!(baseline.statistics["memory.l2.writes"], 1);
    assert!(!report.statistics.contains_key("memory.l1.line_writes"));
    // The line as it comes; the store that finds it drops it.
    assert_eq!(baseline.statistics["memory.l1.line_writes"], 1);
    assert_eq!(baseline.statistics["memory.l1.write_evictions"], 1);
}
