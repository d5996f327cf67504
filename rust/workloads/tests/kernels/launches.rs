//! Launch files with several launches, shared buffers, module variables and arrays of NumPy, run on the
//! golden machine.

use std::fs;
use std::path::Path;

use crate::own_ptx::Test;
use crate::run::{Form, TestResult, program, run};
use heddle_workloads::launch_file::{ElementType, LaunchFile, npy};

/// The tests of this file.
pub(crate) const TESTS: &[(&str, Test)] = &[
    ("host_code_of_several_launches_is_written_down", host_code_of_several_launches_is_written_down),
    ("what_is_wrong_is_found_before_the_run_at_its_line", what_is_wrong_is_found_before_the_run_at_its_line),
    (
        "shared_memory_beyond_the_sm_is_refused_at_its_line",
        shared_memory_beyond_the_sm_is_refused_at_its_line,
    ),
    ("constants_must_be_variables_of_the_module", constants_must_be_variables_of_the_module),
];

const FORM: Form = Form::Allocated { max_registers: 255 };

/// `out[i] = scale * in[i] + table[i % 2] + bias`, with `bias` in global memory; counts its launches.
const MODULE: &str = "\
.version 7.8
.target sm_75
.address_size 64
.const .align 4 .u32 table[2] = {100, 200};
.global .align 4 .u32 bias = 7;
.visible .entry step(.param .align 8 .b8 p[24])
{
    .reg .b32 %r<12>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [p];
    ld.param.u64 %rd2, [p+8];
    ld.param.u32 %r1, [p+16];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r3, [%rd4];
    and.b32 %r4, %r2, 1;
    mul.wide.u32 %rd5, %r4, 4;
    mov.u64 %rd6, table;
    add.s64 %rd7, %rd6, %rd5;
    ld.const.u32 %r5, [%rd7];
    ld.global.u32 %r6, [bias];
    mad.lo.u32 %r7, %r1, %r3, %r5;
    add.u32 %r8, %r7, %r6;
    add.s64 %rd8, %rd2, %rd3;
    st.global.u32 [%rd8], %r8;
    ret;
}
.visible .entry raise()
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 ret;
    ld.global.u32 %r2, [bias];
    add.u32 %r3, %r2, 1;
    st.global.u32 [bias], %r3;
    ret;
}
";

const SEQUENCE: &str = "\
repeat = 2

[[buffers]]
name = 'a'
fill = 'file'
file = 'in.npy'
output = 'a.npy'
expect = 'want.npy'

[[buffers]]
name = 'b'
type = 'u32'
elements = 4

[[symbols]]
name = 'table'
type = 'u32'
values = [10, 20]

[[symbols]]
name = 'bias'
type = 'u32'
output = 'bias.bin'

[[launch]]
entry = 'step'
grid = 1
block = 4
[[launch.args]]
fields = [
    { type = 'ptr', value = 'a' },
    { type = 'ptr', value = 'b' },
    { type = 'u32', value = 2 },
]

[[launch]]
entry = 'raise'
grid = 1
block = 1
repeat = 3

[[launch]]
entry = 'step'
grid = 1
block = 2
[[launch.args]]
fields = [
    { type = 'ptr', value = 'b+8' },
    { type = 'ptr', value = 'a + 0x8' },
    { type = 'u32', value = 1 },
]
";

fn array(values: &[u32]) -> Vec<u8> {
    let mut file = npy::head(ElementType::U32, &[2, values.len() as u64 / 2]).expect("NumPy has u32");
    file.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    file
}

/// What the sequence leaves in `a` and `bias`, computed here.
fn reference(mut a: [u32; 4], mut bias: u32) -> ([u32; 4], u32) {
    let table = [10, 20];
    for _ in 0..2 {
        let b: Vec<u32> = (0..4).map(|i| 2 * a[i] + table[i % 2] + bias).collect();
        bias += 3;
        for i in 0..2 {
            a[2 + i] = b[2 + i] + table[i % 2] + bias;
        }
    }
    (a, bias)
}

fn file(text: &str, folder: &Path) -> TestResult<LaunchFile> {
    Ok(LaunchFile::parse("seq.toml", text, folder)?)
}

fn host_code_of_several_launches_is_written_down() -> TestResult {
    let folder = tempfile::tempdir()?;
    let here = |name: &str| folder.path().join(name);
    let (want, bias) = reference([1, 2, 3, 4], 7);
    fs::write(here("in.npy"), array(&[1, 2, 3, 4]))?;
    fs::write(here("want.npy"), array(&want))?;
    let step = program("m.ptx", MODULE, "step", FORM)?;
    let raise = program("m.ptx", MODULE, "raise", FORM)?;
    let instance = file(SEQUENCE, folder.path())?.instance(&[&step, &raise], 1)?;
    let outcome = run(("m.ptx", MODULE), Box::new(instance.clone()), FORM)?;
    assert_eq!((outcome.checked?.words, outcome.launches), (4, 10));
    let mut instance = instance;
    // The addresses are the same in any memory that begins alike.
    let mut memory = heddle_isa::DeviceMemory::new();
    step.load_globals(&mut memory)?;
    heddle_workloads::Instance::set_up(&mut instance, &mut memory)?;
    instance.write_outputs(&outcome.memory)?;
    assert_eq!(fs::read(here("a.npy"))?, array(&want));
    assert_eq!(fs::read(here("bias.bin"))?, bias.to_le_bytes());

    // A wrong expectation is found, and named.
    let mut wrong = want;
    wrong[3] += 1;
    fs::write(here("want.npy"), array(&wrong))?;
    let instance = file(SEQUENCE, folder.path())?.instance(&[&step, &raise], 1)?;
    let failure = run(("m.ptx", MODULE), Box::new(instance), FORM)?.checked.expect_err("one more");
    let message = failure.to_string();
    assert!(message.contains("1 of 4 elements of 'a' differ from the expected output"), "{message}");
    assert!(message.contains("want.npy'; first: element 3 is"), "{message}");
    Ok(())
}

fn what_is_wrong_is_found_before_the_run_at_its_line() -> TestResult {
    let folder = tempfile::tempdir()?;
    let step = program("m.ptx", MODULE, "step", FORM)?;
    let raise = program("m.ptx", MODULE, "raise", FORM)?;
    let refused = |from: &str, to: &str| -> TestResult<String> {
        fs::write(folder.path().join("in.npy"), array(&[1, 2, 3, 4]))?;
        fs::write(folder.path().join("want.npy"), array(&[1, 2, 3, 4]))?;
        let floats = npy::head(ElementType::F32, &[4]).expect("NumPy has f32");
        fs::write(folder.path().join("floats.npy"), [floats, vec![0; 16]].concat())?;
        fs::write(folder.path().join("short.npy"), array(&[1, 2]))?;
        fs::write(folder.path().join("none.npy"), "none")?;
        assert!(SEQUENCE.contains(from), "{from}");
        let text = SEQUENCE.replacen(from, to, 1);
        let instance = LaunchFile::parse("seq.toml", &text, folder.path())
            .and_then(|file| file.instance(&[&step, &raise], 1));
        Ok(instance.map_or_else(|e| e.to_string(), |_| "accepted".into()))
    };
    assert_eq!(refused("repeat", "repeat")?, "accepted");
    for (from, to, parts) in [
        (
            "'step'",
            "'stepp'",
            &["seq.toml:26:9: the PTX has no entry 'stepp'; did you mean 'step'? It has: ", "raise"][..],
        ),
        (
            "entry = 'step'\n",
            "",
            &["seq.toml:25:1: key 'entry' is missing: the PTX has the entries step, raise"],
        ),
        ("value = 'b'", "value = 'bb'", &["seq.toml:32:29: there is no buffer 'bb'; expected one of: a, b"]),
        ("'b+8'", "'b+17'", &["seq.toml:48:29: 'value' is 17 bytes into 'b', expected at most 16"]),
        ("'b+8'", "'b+x'", &["seq.toml:48:29: 'value' is 'b+x', expected NAME, NAME+BYTES or null"]),
        ("name = 'table'", "name = 'tabel'", &["seq.toml:15:1:", "'tabel'", "did you mean 'table'?"]),
        ("[10, 20]", "[10, 20, 30]", &["seq.toml:15:1: variable 'table' has 8 bytes, 12 are given"]),
        ("[10, 20]", "[10]", &["seq.toml:15:1: variable 'table' has 8 bytes, 4 are given"]),
        ("name = 'b'", "name = 'a'", &["seq.toml:11:8: the name 'a' is there twice"]),
        ("values = [10, 20]", "values = [1, 2]\noutput = 'x'", &["seq.toml:19:10:", "no kernel changes"]),
        ("'a.npy'", "'gone/a.npy'", &["seq.toml:7:10: cannot use", "its folder", "No such file"]),
        ("'a.npy'", "'.'", &["seq.toml:7:10: cannot use", "it is a folder"]),
        ("'want.npy'", "'floats.npy'", &["seq.toml:8:10:", "has elements of f32, the buffer has u32"]),
        ("'want.npy'", "'short.npy'", &["seq.toml:8:10:", "has 8 bytes, the buffer has 16"]),
        ("'in.npy'", "'none.npy'", &["seq.toml:6:8:", "not a .npy file"]),
        ("'in.npy'", "'gone.npy'", &["seq.toml:6:8: cannot use", "No such file"]),
        ("value = 2", "value = 2, typ = 'u32'", &["unknown key 'typ'; did you mean 'type'?"]),
        ("repeat = 2", "repeat = 0", &["seq.toml:1:10: 'repeat' is 0, expected 1 to 1000000"]),
        (
            "repeat = 2",
            "grid = 2",
            &["seq.toml:1:8: key 'grid' has no meaning here: each [[launch]] has its own"],
        ),
        (
            "    { type = 'u32', value = 2 },\n",
            "",
            &["parameter 'p' has 24 bytes, an aggregate of these fields has 16"],
        ),
    ] {
        let message = refused(from, to)?;
        for part in parts {
            assert!(message.contains(part), "{from} -> {to}: {message}");
        }
    }
    Ok(())
}

fn shared_memory_beyond_the_sm_is_refused_at_its_line() -> TestResult {
    let raise = program("m.ptx", MODULE, "raise", FORM)?;
    let text = "entry = 'raise'\ngrid = 1\nblock = 1\ndynamic_shared_bytes = 4096\n";
    let file = file(text, Path::new(""))?;
    assert_eq!(file.check_shared_memory(&[&raise], 4096), Ok(()));
    let error = file.check_shared_memory(&[&raise], 4095).expect_err("one byte too few");
    assert!(error.to_string().starts_with("seq.toml:4:24: 'dynamic_shared_bytes' is 4096"), "{error}");
    Ok(())
}

fn constants_must_be_variables_of_the_module() -> TestResult {
    use heddle_isa::{SymbolError, SymbolWrite};
    let step = program("m.ptx", MODULE, "step", FORM)?;
    let write = |name: &str, offset, bytes: &[u8]| {
        step.constant_bank(&[SymbolWrite { name: name.into(), offset, bytes: bytes.to_vec() }])
    };
    assert_eq!(write("table", 4, &[1, 0, 0, 0])?, [100, 0, 0, 0, 1, 0, 0, 0]);
    assert!(matches!(write("table", 5, &[1, 0, 0, 0]), Err(SymbolError::Outside { to: 9, bytes: 8, .. })));
    assert!(matches!(write("table", u32::MAX, &[1]), Err(SymbolError::Outside { .. })));
    assert!(matches!(write("bias", 0, &[1]), Err(SymbolError::Unknown { .. })));
    Ok(())
}
