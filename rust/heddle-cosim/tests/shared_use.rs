//! The measures of the OSM paper's claims on kernels made by hand: what they must be follows from a few accesses.

use std::fmt::Write as _;
use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, RunError, RunReport, RunSpec, Session, SharedMemoryReport};
use heddle_workloads::script::Script;

use crate::common;
use crate::made::{HOST, Made};

/// An access of a warp, each lane to its word of a line of shared memory; loads and stores alternate only at barriers.
enum Step {
    Write(u32),
    /// Waits for the load before.
    Read(u32),
    Barrier,
}

/// One warp does the steps on `bytes` bytes of shared memory, of which `grid` CTAs have some each.
fn kernel(bytes: u32, grid: usize, steps: &[Step]) -> Made {
    let mut body = String::new();
    for step in steps {
        match step {
            Step::Write(line) => writeln!(body, "st.shared.u32 [%r2+{}], %r1;", 128 * line),
            Step::Read(line) => {
                let load = format!("ld.shared.u32 %r3, [%r4+{}];", 128 * line);
                writeln!(body, "{load}\nand.b32 %r5, %r3, 0;\nadd.u32 %r4, %r4, %r5;")
            }
            Step::Barrier => writeln!(body, "bar.sync 0;"),
        }
        .expect("a string takes text");
    }
    let ptx = format!(
        ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{{
.shared .align 128 .b8 memory[{bytes}];
.reg .b32 %r<6>;
.reg .b64 %rd<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, memory;
shl.b32 %r3, %r1, 2;
add.u32 %r2, %r2, %r3;
mov.u32 %r4, %r2;
{body}
ld.param.u64 %rd1, [out];
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r4;
ret;
}}
"
    );
    Made::new(ptx, move || {
        let mut script = Script::new(HOST);
        let out = script.input("out", &[0u32; 32]);
        script.launch("k", [grid, 1, 1], [32, 1, 1]).pointer(out);
        let offsets: Vec<u32> = (0..32).map(|lane| 4 * lane).collect();
        script.judge(move |r| r.exact(out, &offsets));
        script
    })
}

fn run(design: &str, made: &Made, engine: Engine, settings: &[&str]) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut spec = RunSpec::new(common::root(), design, Kernel::Made(Arc::new(made.clone())), engine);
    spec.results = folder.path().to_owned();
    spec.preset = Some("volta".to_owned());
    spec.overrides = settings.iter().map(|s| s.parse().expect("an override")).collect();
    Session::new(spec).and_then(|mut session| session.run(&mut ()))
}

fn sim(design: &str, made: &Made, settings: &[&str]) -> RunReport {
    run(design, made, Engine::Sim, settings).unwrap_or_else(|e| panic!("{design}: {e}"))
}

fn statistics<const N: usize>(report: &RunReport, names: [&str; N]) -> [u64; N] {
    names.map(|name| report.statistics[&format!("memory.{name}")])
}

fn shared(report: &RunReport) -> &SharedMemoryReport {
    report.shared_memory.as_ref().expect("a CTA had shared memory")
}

/// Sixteen lines are written and then read, one after the other, through a cache of eight.
///
/// Lines 0 to 7 leave for 8 to 15, which are locked. The read of line 0 takes the place of line 8, the least recently
/// used of the locked ones, and unlocks its own line at once; each read up to that of line 8 takes the place of the
/// line before. Lines 9 to 15 are there.
#[test]
fn counters_of_a_cache_that_is_too_small() {
    let lines = || 0..16;
    let steps: Vec<Step> =
        lines().map(Step::Write).chain([Step::Barrier]).chain(lines().map(Step::Read)).collect();
    let made = kernel(4096, 1, &steps);
    let report = sim("osm", &made, &["shared_memory.cache_bytes=1024"]);
    let spaces =
        ["l1.shared.stores", "l1.shared.read_hits", "l1.shared.read_misses", "l1.shared.read_merged"];
    assert_eq!(statistics(&report, spaces), [16, 7, 9, 0]);
    let off_chip = ["off_chip.fetches", "off_chip.write_backs", "off_chip.bytes_written"];
    assert_eq!(statistics(&report, off_chip), [9, 9, 9 * 128]);
    assert_eq!(statistics(&report, ["dram.shared.reads", "dram.shared.writes"]), [9, 9]);
    // The result goes out through L2, which keeps it.
    assert_eq!(
        statistics(&report, ["dram.global.reads", "l1.global.stores", "l1.global.read_hits"]),
        [0, 1, 0]
    );
    let events = ["line_lock", "line_unlock", "evict_dirty", "evict_clean", "evict_locked", "cache_hit"];
    assert_eq!(events.map(|name| report.events[name]), [16, 7, 9, 8, 9, 16 + 7]);

    let s = shared(&report);
    assert_eq!((s.sums.ctas, s.sums.allocated_bytes, s.sums.touched_bytes), (1, 4096, 2048));
    assert!((s.utilisation - 0.5).abs() < 1e-12);
    // The CTA is there for most of the run.
    let most = 2048.0 / 98304.0;
    assert!(s.capacity_utilisation > 0.8 * most && s.capacity_utilisation < most);
    assert_eq!((s.sums.lifetimes, s.sums.reads[1], s.sums.unread), (512, 512, 0));
    assert_eq!((s.sums.left_early, s.sums.left_late), (9 * 32, 0));
    assert!(s.residency.expect("lines left") < 1.0);
    // All lifetimes begin among the writes and end among the reads.
    assert!(s.lifetime_share > 0.3 && s.lifetime_share < s.longest_lifetime_share);
    assert!(s.longest_lifetime_share < 1.0);

    // On chip nothing leaves and nothing misses.
    let report = sim("baseline", &made, &[]);
    assert_eq!(statistics(&report, spaces), [16, 16, 0, 0]);
    assert_eq!(statistics(&report, ["dram.shared.reads", "dram.shared.writes"]), [0, 0]);
    assert_eq!((shared(&report).residency, shared(&report).sums.lifetimes), (None, 512));
}

/// A line that waits for a second read is kept by who knows that it comes.
#[test]
fn known_lifetimes_keep_what_will_be_read_again() {
    let steps: Vec<Step> = (0..8)
        .map(Step::Write)
        .chain([Step::Barrier])
        .chain((0..8).map(Step::Read))
        .chain([Step::Barrier, Step::Write(8), Step::Barrier, Step::Read(0), Step::Read(8)])
        .collect();
    let made = kernel(2048, 1, &steps);
    let small = "shared_memory.cache_bytes=1024";
    let reads = ["l1.shared.read_hits", "l1.shared.read_misses"];
    let osm = sim("osm", &made, &[small]);
    // Line 0 is unlocked by its first read and used least recently; its second read takes it back.
    assert_eq!(statistics(&osm, reads), [9, 1]);
    assert_eq!((shared(&osm).sums.left_early, shared(&osm).sums.reads[2]), (32, 32));
    let ideal = sim("osm-ideal-lifetime", &made, &[small]);
    // Line 1 is over and leaves in its place.
    assert_eq!(statistics(&ideal, reads), [10, 0]);
    assert_eq!((shared(&ideal).sums.left_early, shared(&ideal).sums.left_late), (0, 32));
    assert!(shared(&ideal).residency.expect("a line left") > 1.0);
    let again = sim("osm-ideal-lifetime", &made, &[small]);
    assert_eq!(again.cycles, ideal.cycles);
    let error = run("osm-ideal-lifetime", &made, Engine::Cosim, &[]).expect_err("there is no RTL");
    assert!(error.to_string().contains("is a cycle model without RTL"), "{error}");
    let error = run("osm-ideal-lifetime", &made, Engine::Sim, &["shared_memory.reads_to_unlock=0"])
        .expect_err("without locks nothing can be kept");
    assert!(error.to_string().contains("needs locks"), "{error}");
    let error = run("baseline", &made, Engine::Sim, &["shared_memory.known_lifetimes=true"])
        .expect_err("nothing to replace");
    assert!(error.to_string().contains("is for a cache of shared memory"), "{error}");
}

/// CTAs of 40 KB: what admits how many of them, and what is left for the L1D.
#[test]
fn the_on_chip_memory_is_divided_for_the_launch() {
    let made = kernel(40 << 10, 8, &[Step::Write(0)]);
    let division = |design: &str, settings: &[&str]| {
        let report = sim(design, &made, settings);
        let [division] = &report.memory_divisions[..] else { panic!("{:?}", report.memory_divisions) };
        assert_eq!(division.entry, "k");
        (report.resident_ctas, division.division.shared_memory_bytes >> 10, division.division.l1d_bytes >> 10)
    };
    assert_eq!(division("baseline", &[]), (2, 96, 32));
    assert_eq!(division("baseline", &["sm.ctas=1"]), (1, 64, 64), "64 KB hold the one CTA");
    assert_eq!(division("unified-l1", &[]), (3, 120, 8));
    assert_eq!(division("unified-l1", &["sm.ctas=1"]), (1, 40, 88));
    assert_eq!(division("ideal-smem", &[]), (2, 96, 128));
    assert_eq!(division("osm", &[]), (2, 0, 32), "off chip, and the L1D of the baseline");
    assert_eq!(division("osm", &["shared_memory.bytes=196608"]), (4, 0, 32));
    assert_eq!(sim("ucm", &made, &[]).memory_divisions, []);
    for design in ["unified-l1", "ideal-smem"] {
        let error = run(design, &made, Engine::Cosim, &[]).expect_err("there is no RTL");
        assert!(error.to_string().contains("is a cycle model without RTL"), "{error}");
    }
    let error = run("baseline", &made, Engine::Sim, &["shared_memory.bytes=196608"]).expect_err("too much");
    assert!(error.to_string().contains("split leaves at most 98304"), "{error}");
}
