//! Texture and surface references of a module: a launch file gives them their handles.

use heddle_cosim::{Engine, Kernel, RunError, RunReport, RunSpec, Session};

use crate::common;

const PTX: &str = ".version 8.6\n.target sm_90\n.address_size 64\n\
    .global .texref image;\n.const .align 4 .u32 factor = 3;\n.global .surfref result;\n\
    .visible .entry k()\n{\n.reg .b32 %r<8>, %x, %y, %at;\n.reg .f32 %f<8>;\n\
    mov.u32 %x, %tid.x;\nmov.u32 %y, %ctaid.x;\ncvt.rn.f32.u32 %f1, %x;\nadd.rn.f32 %f1, %f1, 0f3F800000;\n\
    cvt.rn.f32.u32 %f2, %y;\nadd.rn.f32 %f2, %f2, 0f3F000000;\n\
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [image, {%f1, %f2}];\n\
    ld.const.u32 %r1, [factor];\ncvt.rn.f32.u32 %f4, %r1;\nmul.rn.f32 %f3, %f3, %f4;\n\
    shl.b32 %at, %x, 2;\nsust.b.2d.b32.trap [result, {%at, %y}], {%f3};\nret;\n}\n";

const COLUMNS: usize = 16;
const ROWS: usize = 3;

const LAUNCH: &str = "grid = 3\nblock = 16\n\
    [[buffers]]\nname = 'texels'\ntype = 'f32'\nelements = 48\nfill = 'iota'\nstart = 5.0\nstep = 2.0\n\
    [[buffers]]\nname = 'made'\ntype = 'f32'\nelements = 48\nexpect = 'expected.bin'\n\
    [[textures]]\nname = 'rows'\nbuffer = 'texels'\nreference = 'image'\ngeometry = '2d'\nformat = 'f32'\n\
    extent = [16, 3]\nfilter = 'linear'\n\
    [[textures]]\nname = 'made'\nkind = 'surface'\nbuffer = 'made'\nreference = 'result'\ngeometry = '2d'\n\
    format = 'f32'\nextent = [16, 3]\n";

fn run(design: &str, engine: Engine, launch: &str) -> Result<RunReport, RunError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name);
    // Between a texel and its right neighbour, the last standing for the one behind it; three times.
    let value = |i: usize| (5 + 2 * i) as f32;
    let expected = (0..ROWS * COLUMNS).map(|i| {
        let right = if i % COLUMNS + 1 < COLUMNS { i + 1 } else { i };
        3.0 * (value(i) + value(right)) / 2.0
    });
    let expected: Vec<u8> = expected.flat_map(f32::to_le_bytes).collect();
    std::fs::write(path("expected.bin"), expected).expect("written");
    std::fs::write(path("k.ptx"), PTX).expect("written");
    std::fs::write(path("launch.toml"), launch).expect("written");
    let kernel = Kernel::File { ptx: path("k.ptx"), link: Vec::new(), launch: path("launch.toml") };
    let mut spec = RunSpec::new(common::root(), design, kernel, engine);
    spec.results = path("results");
    Session::new(spec).and_then(|mut session| session.run(&mut ()))
}

#[test]
fn references_get_their_handles_from_a_launch_file() {
    for design in ["baseline", "ltrf"] {
        let report = run(design, Engine::Cosim, LAUNCH).unwrap_or_else(|e| panic!("{design}: {e}"));
        assert_eq!(report.reference_words_compared, Some((ROWS * COLUMNS) as u64), "{design}");
    }
}

/// A reference that nothing is bound to has the handle 0.
#[test]
fn an_unbound_reference_is_an_unknown_handle() {
    let unbound = LAUNCH.replace("reference = 'image'\n", "");
    for engine in [Engine::Cosim, Engine::Sim] {
        let error = run("baseline", engine, &unbound).expect_err("nothing is bound").to_string();
        let message = "0x0000000000000000 is not the handle of a texture of this launch, which has 2 handles";
        assert!(error.contains(message) && error.contains("tex.2d.v4.f32.f32"), "{error}");
    }
}

#[test]
fn references_that_are_not_there_are_told() {
    let unknown = LAUNCH.replace("reference = 'image'", "reference = 'picture'");
    let error = run("baseline", Engine::Sim, &unknown).expect_err("no such reference").to_string();
    assert!(error.contains("launch.toml:18:13: ") && error.contains("picture"), "{error}");
    // A constant is no reference, and a reference no constant.
    let constant = LAUNCH.replace("reference = 'image'", "reference = 'factor'");
    let error = run("baseline", Engine::Sim, &constant).expect_err("no reference").to_string();
    assert!(
        error.contains("no .texref or .surfref 'factor' at module scope; expected one of: image, result"),
        "{error}"
    );
    let written = format!(
        "{LAUNCH}[[symbols]]
name = 'image'
type = 'u64'
values = [1]
"
    );
    let error = run("baseline", Engine::Sim, &written).expect_err("no constant").to_string();
    assert!(error.contains("launch.toml:31:1: the PTX has no variable 'image'"), "{error}");
}
