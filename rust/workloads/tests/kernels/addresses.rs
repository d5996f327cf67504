//! Buffers whose elements are addresses of other buffers, run on the golden machine.

use std::fs;
use std::path::Path;

use crate::own_ptx::Test;
use crate::run::{Form, TestResult, program, run};
use heddle_workloads::launch_file::LaunchFile;

/// The tests of this file.
pub(crate) const TESTS: &[(&str, Test)] = &[
    ("kernels_follow_the_addresses_in_buffers", kernels_follow_the_addresses_in_buffers),
    ("wrong_addresses_are_refused_at_their_place", wrong_addresses_are_refused_at_their_place),
];

const FORM: Form = Form::Allocated { max_registers: 255 };

/// `out[i] = rows[i][0] + more[i][0] + fixed[i][0] + list[i][0]`, where a null address counts 0.
const MODULE: &str = "\
.version 7.8
.target sm_75
.address_size 64
.const .align 8 .u64 fixed[3];
.global .align 8 .u64 list[3];
.func (.param .u32 r) get(.param .u64 a)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    .reg .pred %p;
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, 0;
    setp.ne.u64 %p, %rd1, 0;
    @%p ld.global.u32 %r1, [%rd1];
    st.param.u32 [r], %r1;
    ret;
}
.visible .entry gather(.param .u64 rows, .param .u64 more, .param .u64 out)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<20>;
    .param .u64 a;
    .param .u32 r;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd1, %r1, 8;
    ld.param.u64 %rd2, [rows];
    add.u64 %rd3, %rd2, %rd1;
    ld.global.u64 %rd4, [%rd3];
    st.param.u64 [a], %rd4;
    call (r), get, (a);
    ld.param.u32 %r2, [r];
    ld.param.u64 %rd5, [more];
    add.u64 %rd6, %rd5, %rd1;
    ld.global.u64 %rd7, [%rd6];
    st.param.u64 [a], %rd7;
    call (r), get, (a);
    ld.param.u32 %r3, [r];
    mov.u64 %rd8, fixed;
    add.u64 %rd9, %rd8, %rd1;
    ld.const.u64 %rd10, [%rd9];
    st.param.u64 [a], %rd10;
    call (r), get, (a);
    ld.param.u32 %r4, [r];
    mov.u64 %rd11, list;
    add.u64 %rd12, %rd11, %rd1;
    ld.global.u64 %rd13, [%rd12];
    st.param.u64 [a], %rd13;
    call (r), get, (a);
    ld.param.u32 %r5, [r];
    add.u32 %r6, %r2, %r3;
    add.u32 %r6, %r6, %r4;
    add.u32 %r6, %r6, %r5;
    ld.param.u64 %rd14, [out];
    mul.wide.u32 %rd15, %r1, 4;
    add.u64 %rd16, %rd14, %rd15;
    st.global.u32 [%rd16], %r6;
    ret;
}
";

const LAUNCH: &str = "\
grid = 1
block = 3

[[buffers]]
name = 'forward'
type = 'ptr'
values = ['ones + 4', 'null', 'ones+0x8']

[[buffers]]
name = 'ones'
type = 'u32'
values = [1, 2, 4]

[[buffers]]
name = 'tens'
type = 'u32'
values = [10, 20, 40, 80, 160]

[[symbols]]
name = 'fixed'
type = 'ptr'
values = ['ones', 'ones', 'null']

[[symbols]]
name = 'list'
type = 'ptr'
values = ['null', 'tens', 'null']

[[args]]
type = 'ptr'
value = 'forward'

[[args]]
type = 'ptr'
fill = 'iota'
start = 'tens'
step = 8
elements = 3

[[args]]
name = 'out'
type = 'u32'
elements = 3
expect = 'want.bin'
";

fn kernels_follow_the_addresses_in_buffers() -> TestResult {
    let folder = tempfile::tempdir()?;
    let want = [2 + 10 + 1, 40 + 1 + 10, 4 + 160_u32];
    fs::write(folder.path().join("want.bin"), want.map(u32::to_le_bytes).concat())?;
    let gather = program("g.ptx", MODULE, "gather", FORM)?;
    let file = LaunchFile::parse("g.toml", LAUNCH, folder.path())?;
    let outcome = run(("g.ptx", MODULE), Box::new(file.instance(&[&gather], 1)?), FORM)?;
    assert_eq!(outcome.checked?.words, 3);
    Ok(())
}

fn wrong_addresses_are_refused_at_their_place() -> TestResult {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("want.bin"), [0; 12])?;
    let gather = program("g.ptx", MODULE, "gather", FORM)?;
    let refused = |from: &str, to: &str| {
        let text = LAUNCH.replacen(from, to, 1);
        let run = LaunchFile::parse("g.toml", &text, Path::new(folder.path()))
            .and_then(|file| file.instance(&[&gather], 1));
        run.err().map_or("accepted".into(), |e| e.to_string())
    };
    for (from, to, expected) in [
        ("'ones + 4'", "'one'", "g.toml:7:11: there is no buffer 'one'; did you mean 'ones'?"),
        ("'ones + 4'", "'out'", "g.toml:7:11: there is no buffer 'out'"),
        ("'ones + 4'", "'ones+13'", "g.toml:7:11: 'value' is 13 bytes into 'ones', expected at most 12"),
        ("'ones + 4'", "4", "g.toml:7:11: 'values' must be a string, not an integer"),
        ("values = ['ones + 4', 'null', 'ones+0x8']", "values = []", "g.toml:7:10: 'values' is an array of"),
        (
            "values = ['ones + 4',",
            "elements = 3\nvalues = ['null',",
            "g.toml:7:12: key 'elements' has no meaning",
        ),
        ("fill = 'iota'", "fill = 'zero'", "g.toml:35:8: 'fill' cannot be 'zero'"),
        ("step = 8\n", "", "g.toml:33:1: key 'step' is missing: the distance of the addresses in bytes"),
        ("step = 8", "step = 16", "g.toml:36:9: 'value' is 32 bytes into 'tens', expected at most 20"),
        ("elements = 3", "elements = 65537", "g.toml:38:12: 'elements' is 65537, expected 1 to 65536"),
        ("elements = 3", "elements = 3\noutput = 'x'", "g.toml:39:10: key 'output' has no meaning here"),
        ("values = ['ones', 'ones', 'null']", "fill = 'zero'", "g.toml:19:1: key 'values' is missing"),
        ("'ones', 'ones', 'null'", "'ones'", "g.toml:19:1: variable 'fixed' has 24 bytes, 8"),
    ] {
        let message = refused(from, to);
        assert!(message.starts_with(expected), "{from} -> {to}\n{message}");
    }
    Ok(())
}
