//! Runs of the cycle model on many SMs that share L2, DRAM and global memory.

use heddle_config::Override;
use heddle_cosim::{Engine, Fault, Kernel, RtlSms, RunError, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

fn spec(design: &str, preset: &str, kernel: &str, sms: u32) -> RunSpec {
    let kernel = Kernel::Workload { name: kernel.to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Sim);
    spec.preset = Some(preset.to_owned());
    spec.sms = sms;
    spec
}

fn run(spec: RunSpec) -> RunReport {
    let name = format!("{} {} on {} SMs", spec.design, spec.kernel_name(), spec.sms);
    Session::new(spec).and_then(|mut session| session.run(&mut ())).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn refused(spec: RunSpec) -> RunError {
    Session::new(spec).map(|_| ()).expect_err("it is refused")
}

/// The CPU reference of each kernel is checked at the end of its run.
#[test]
fn every_design_computes_right_values_on_many_sms() {
    for design in common::designs() {
        for kernel in ["vectoradd", "bfs", "histogram", "matrixmul"] {
            let [one, many] =
                [1, 3].map(|sms| run(RunSpec { preset: None, ..spec(&design, "", kernel, sms) }));
            assert_eq!(one.ctas, many.ctas, "{design} {kernel}");
            assert!(many.reference_words_compared > Some(0), "{design} {kernel}");
            assert!(many.cycles < one.cycles, "{design} {kernel}: {} of {}", many.cycles, one.cycles);
            let schedulers = one.parameters["scheduler.schedulers"].as_f64().expect("a number");
            for report in [&one, &many] {
                let (slots, all) =
                    (report.ipc_stack.values().sum::<f64>(), schedulers * f64::from(report.sms));
                assert!((slots - all).abs() < 1e-9, "{design} {kernel}: {slots} of {all} slots");
            }
        }
    }
}

#[test]
fn a_run_on_many_sms_repeats_exactly() {
    let again = || run(spec("baseline", "volta", "histogram", 8));
    assert_eq!(again(), again());
}

/// Kernels whose SMs use the same words of global memory, with atomics or without.
#[test]
fn the_number_of_threads_changes_nothing() {
    let cases = [
        ("baseline", "volta", "histogram", 8),
        ("baseline", "volta", "bfs", 5),
        ("ltrf", "maxwell", "matrixmul", 4),
        ("cerf", "fermi", "histogram", 3),
        ("osm", "volta", "reduction", 4),
        ("racetrack", "fermi", "histogram", 3),
    ];
    for (design, preset, kernel, sms) in cases {
        let on = |threads: usize| run(RunSpec { threads, ..spec(design, preset, kernel, sms) });
        let one = on(1);
        for threads in [2, 4] {
            assert_eq!(on(threads), one, "{design} {kernel} on {sms} SMs, {threads} threads");
        }
    }
}

/// Each thread draws tickets from one counter and keeps them: what it gets depends on the order of all atomics.
const TICKETS: &str = "
.version 8.0
.target sm_75
.address_size 64
.visible .entry tickets(.param .u64 counter, .param .u64 drawn)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [counter];
	ld.param.u64 %rd2, [drawn];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	mul.wide.u32 %rd3, %r4, 32;
	add.s64 %rd4, %rd2, %rd3;
	mov.u32 %r5, 8;
draw:
	atom.global.add.u32 %r6, [%rd1], 1;
	st.global.u32 [%rd4], %r6;
	add.s64 %rd4, %rd4, 4;
	sub.u32 %r5, %r5, 1;
	setp.ne.u32 %p1, %r5, 0;
	@%p1 bra draw;
	ret;
}
";

/// The tickets that the threads of 24 CTAs draw on 8 SMs.
fn tickets(threads: usize) -> Vec<u32> {
    const CTAS: usize = 24;
    const THREADS: usize = 64;
    let words = CTAS * THREADS * 8;
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("tickets.ptx"), TICKETS).expect("written");
    let launch = format!(
        "grid = {CTAS}\nblock = {THREADS}\n[[args]]\ntype = 'u32'\nelements = 1\nfill = 'zero'\n\
         [[args]]\ntype = 'u32'\nelements = {words}\nfill = 'zero'\noutput = 'drawn.bin'\n"
    );
    std::fs::write(path("launch.toml"), launch).expect("written");
    let kernel = Kernel::File { ptx: path("tickets.ptx"), link: Vec::new(), launch: path("launch.toml") };
    run(RunSpec { kernel, threads, ..spec("baseline", "volta", "vectoradd", 8) });
    let drawn = std::fs::read(path("drawn.bin")).expect("an output");
    drawn.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn sms_take_turns_at_global_memory_on_any_number_of_threads() {
    let one = tickets(1);
    let mut sorted = one.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..one.len() as u32).collect::<Vec<_>>(), "each ticket is drawn once");
    for threads in [2, 3, 8] {
        assert!(tickets(threads) == one, "{threads} threads draw other tickets than one");
    }
}

/// What the SMs find goes with their number: the first one's error ends the run, on whatever thread it was.
#[test]
fn a_run_that_fails_fails_alike_on_any_number_of_threads() {
    let fails = |threads: usize, max_cycles: u64| {
        let spec =
            RunSpec { threads, max_cycles: Some(max_cycles), ..spec("baseline", "volta", "histogram", 8) };
        let mut session = Session::new(spec).expect("it can run");
        session.run(&mut ()).expect_err("it has too few cycles").to_string()
    };
    for max_cycles in [1, 777] {
        let one = fails(1, max_cycles);
        assert!(one.contains(&max_cycles.to_string()), "{one}");
        for threads in [2, 3, 16] {
            assert_eq!(fails(threads, max_cycles), one, "{threads} threads");
        }
    }
}

/// Two vectors are read and one is written: each byte comes from DRAM once, however many SMs there are.
#[test]
fn bytes_of_a_vector_sum_are_those_of_its_vectors() {
    for sms in [1, 5, 15] {
        let report = run(spec("baseline", "fermi", "vectoradd", sms));
        let of = |name: &str| report.statistics.get(name).copied().unwrap_or(0);
        let elements = report.reference_words_compared.expect("a kernel that ships");
        // The L1 fetches lines of 128 bytes: four sectors.
        assert_eq!(of("memory.dram.sectors_read"), 2 * 4 * (4 * elements).div_ceil(128), "{sms} SMs");
    }
}

/// Tiles that one SM has fetched are in L2 when the next one wants them.
#[test]
fn sms_find_in_l2_what_others_have_fetched() {
    let hits = |sms: u32| {
        let report = run(spec("baseline", "volta", "matrixmul", sms));
        let of = |what: &str| report.statistics.get(&format!("memory.l2.{what}")).copied().unwrap_or(0);
        let reads = of("read_hits") + of("read_misses") + of("read_merged");
        (reads, of("read_hits") + of("read_merged"), report.statistics["memory.dram.sectors_read"])
    };
    let [(alone, _, read), (many, shared, read_by_many)] = [1, 8].map(hits);
    assert!(many > alone, "each SM asks for its tiles: {many} of {alone}");
    assert!(shared >= many - alone, "what one had asked for alone comes from DRAM once: {shared}");
    assert_eq!(read, read_by_many);
}

#[test]
fn a_share_of_the_ctas_runs_on_some_of_the_sms() {
    let mut some = spec("baseline", "fermi", "vectoradd", 3);
    some.ctas = heddle_cosim::Ctas::Share;
    some.overrides = vec![Override { key: "gpu.sms".to_owned(), value: "4".to_owned() }];
    let report = run(some.clone());
    let all = run(RunSpec { sms: 4, ..some.clone() });
    let one = run(RunSpec { sms: 1, ..some });
    let grid = all.ctas;
    assert_eq!(report.ctas, (0..grid).filter(|cta| cta % 4 < 3).count() as u64, "of {grid} CTAs");
    assert_eq!(one.ctas, grid.div_ceil(4));
    assert_eq!((all.memory_share.dram_channels, report.memory_share.dram_channels), (6, 4));
    assert_eq!(report.memory_share.dram_channel_bandwidth, 4.5 / 4.0);
}

#[test]
fn what_runs_on_fewer_sms_is_refused() {
    let expect = |spec: RunSpec, what: &str| {
        let error = refused(spec);
        assert_eq!(error.exit_code(), 2, "{error}");
        assert!(error.to_string().contains(what), "{error}");
    };
    expect(spec("baseline", "fermi", "vectoradd", 16), "preset 'fermi' has 1 to 15 SMs (gpu.sms)");
    let cosim = |sms: u32| RunSpec { engine: Engine::Cosim, ..spec("baseline", "volta", "vectoradd", sms) };
    expect(cosim(65), "`cosim` runs 1 to 64 SMs");
    let rtl = RtlSms::Some([0, 4].into());
    expect(RunSpec { rtl_sms: rtl, ..cosim(4) }, "--rtl-sm 4: the SMs of the run are 0 to 3");
    let (rtl_sms, fault) =
        (RtlSms::Some([1].into()), Some(Fault { id: "lane-dropped".to_owned(), sm: Some(2) }));
    expect(RunSpec { rtl_sms, fault, ..cosim(4) }, "SM 2: that SM is not RTL");
}
