//! A CTA finds nothing in shared memory of those that had its slot before, where shared memory lies off chip.

use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, RunSpec, Session};
use heddle_workloads::script::Script;

use crate::common;
use crate::made::{HOST, Made};

/// Lines of a CTA's shared memory: 18 KB, more than any of the caches holds.
const LINES: usize = 144;
/// Loads of a warp that have a word of each line, every lane in a line of its own.
const LOADS: usize = LINES.div_ceil(32);
/// CTAs; five are resident at a time.
const CTAS: usize = 12;

/// One warp a CTA reads a word of each line and stores what it finds, then writes all lines.
fn kernel() -> Made {
    let loads: String = (0..LOADS)
        .map(|load| {
            let lines = LINES - 32 * load;
            format!(
                "setp.lt.u32 %p1, %r1, {lines};\n\
                 mov.u32 %r6, 0;\n\
                 @%p1 ld.shared.u32 %r6, [%r2+{}];\n\
                 st.global.u32 [%rd3+{}], %r6;\n",
                128 * 32 * load,
                128 * load
            )
        })
        .collect();
    let stores: String =
        (0..LINES).map(|line| format!("st.shared.u32 [%r3+{}], %r5;\n", 128 * line)).collect();
    let ptx = format!(
        ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{{
.shared .align 128 .b8 memory[{bytes}];
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .b64 %rd<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r4, %ctaid.x;
mov.u32 %r7, memory;
mad.lo.u32 %r2, %r1, 132, %r7;
mad.lo.u32 %r3, %r1, 4, %r7;
mad.lo.u32 %r8, %r4, {words}, %r1;
ld.param.u64 %rd1, [out];
mul.wide.u32 %rd2, %r8, 4;
add.s64 %rd3, %rd1, %rd2;
{loads}
bar.sync 0;
add.u32 %r5, %r8, 1;
{stores}
ret;
}}
",
        bytes = 128 * LINES,
        words = 32 * LOADS,
    );
    Made::new(ptx, || {
        let words = 32 * LOADS * CTAS;
        let mut script = Script::new(HOST);
        let out = script.input("out", &vec![u32::MAX; words]);
        script.launch("k", [CTAS, 1, 1], [32, 1, 1]).pointer(out);
        script.judge(move |r| r.exact(out, &vec![0u32; words]));
        script
    })
}

/// Each CTA finds zeros, and lines of those before it have left the cache.
fn finds_zeros(design: &str, settings: &[&str]) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut spec = RunSpec::new(common::root(), design, Kernel::Made(Arc::new(kernel())), Engine::Cosim);
    spec.results = folder.path().to_owned();
    spec.preset = Some("volta".to_owned());
    spec.overrides = settings.iter().map(|s| s.parse().expect("an override")).collect();
    spec.unwritten_shared = true;
    let report = Session::new(spec).and_then(|mut session| session.run(&mut ()));
    let report = report.unwrap_or_else(|e| panic!("{design}: {e}"));
    assert!(report.ok, "{design}: {} mismatches", report.mismatches);
    assert_eq!(report.reference_words_compared, Some((32 * LOADS * CTAS) as u64));
    assert!((report.resident_ctas as usize) < CTAS, "slots are used again");
    let written = report.statistics["memory.off_chip.write_backs"];
    assert!(written as usize > CTAS * LINES / 3, "{written} lines have left the cache");
}

#[test]
fn shared_memory_is_zero_for_each_cta_of_osm() {
    finds_zeros("osm", &[]);
}

#[test]
fn shared_memory_is_zero_for_each_cta_without_locks() {
    finds_zeros("osm-no-lock", &[]);
}

#[test]
fn shared_memory_is_zero_for_each_cta_of_the_unified_cache() {
    finds_zeros("ucm", &["shared_memory.cache_bytes=16384"]);
}
