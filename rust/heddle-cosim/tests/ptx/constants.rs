//! Constant memory: generic addresses of it, what the host writes into it, and that no kernel can.

use heddle_cosim::{Engine, Kernel, RunSpec, Session};
use heddle_workloads::script::Script;

use super::{fails, kernel};
use crate::common;
use crate::made::{HOST, Made};

const MODULE: &str = ".const .align 8 .u64 before = 77;\n\
    .const .align 4 .u32 weights[4] = {10, 20, 30, 40};\n\
    .global .align 8 .u64 pointers[2] = {generic(weights), generic(weights)+8};\n";

/// Reads an element by its generic address, another through a pointer in global memory, and the first again
/// by its address in constant memory.
const BODY: &str = "mov.u64 %rd1, weights;\ncvta.const.u64 %rd2, %rd1;\nand.b32 %r1, %t, 3;\n\
    mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nld.u32 %r2, [%rd4];\n\
    ld.global.u64 %rd5, [pointers+8];\nld.u32 %r3, [%rd5];\ncvta.to.const.u64 %rd6, %rd4;\n\
    ld.const.u32 %r4, [%rd6];\nst.global.u32 [%own], %r2;\nst.global.u32 [%own+4], %r3;\n\
    st.global.u32 [%own+8], %r4;";
const THREADS: usize = 40;

fn expected(weights: [u32; 4]) -> Vec<u32> {
    (0..THREADS).flat_map(|t| [weights[t % 4], weights[2], weights[t % 4]]).collect()
}

#[test]
fn generic_addresses_see_initial_values_and_what_the_host_writes() {
    let written = [11, 22, 33, 44];
    let made = Made::new(kernel(MODULE, "", BODY, 3), move || {
        let mut s = Script::new(HOST);
        let first = s.output::<u32>("first", 3 * THREADS);
        let second = s.output::<u32>("second", 3 * THREADS);
        s.launch("k", [1, 1, 1], [THREADS, 1, 1]).pointer(first);
        s.constant("weights", &written);
        s.launch("k", [1, 1, 1], [THREADS, 1, 1]).pointer(second);
        s.judge(move |r| {
            r.exact(first, &expected([10, 20, 30, 40]))?;
            r.exact(second, &expected(written))
        });
        s
    });
    made.passes(6 * THREADS);
}

#[test]
fn a_launch_file_writes_constants_that_have_generic_addresses() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("k.ptx"), kernel(MODULE, "", BODY, 3)).expect("written");
    let words: Vec<u8> = expected([5, 6, 7, 8]).iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(path("expected.bin"), words).expect("written");
    let launch = format!(
        "grid = 1\nblock = {THREADS}\n[[symbols]]\nname = 'weights'\ntype = 'u32'\nvalues = [5, 6, 7, 8]\n\
         [[args]]\ntype = 'u32'\nelements = {}\nexpect = 'expected.bin'\n",
        3 * THREADS
    );
    std::fs::write(path("launch.toml"), launch).expect("written");
    for design in ["baseline", "ltrf"] {
        let kernel = Kernel::File { ptx: path("k.ptx"), link: Vec::new(), launch: path("launch.toml") };
        let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Cosim);
        spec.results = path("results");
        let report = Session::new(spec).and_then(|mut s| s.run(&mut ())).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(report.reference_words_compared, Some(3 * THREADS as u64), "{design}");
    }
}

#[test]
fn constants_cannot_be_written() {
    let address = "mov.u64 %rd1, weights;\ncvta.const.u64 %rd2, %rd1;\n";
    // The constants begin 8 bytes behind the begin of the bank.
    for access in [
        "st.u32 [%rd2+4], %t;",
        "st.u8 [%rd2+4], %t;",
        "st.v2.u32 [%rd2], {%t, %t};",
        "atom.add.u32 %r1, [%rd2+4], 1;",
        "red.add.u32 [%rd2+4], 1;",
    ] {
        let place = if access.contains("+4") { "700000c" } else { "7000008" };
        fails(MODULE, &format!("{address}{access}"), &[place, "'constant memory'", "read-only", access]);
    }
}
