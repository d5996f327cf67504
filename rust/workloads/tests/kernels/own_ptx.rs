//! A user's way: template, launch file, run, outputs.

use std::fs;
use std::sync::Arc;

use crate::run::{Form, TestResult, program, run};
use heddle_functional::Golden;
use heddle_isa::DeviceMemory;
use heddle_workloads::launch_file::{LaunchFile, launch_template};
use heddle_workloads::{Instance, all, find};

/// A test.
pub(crate) type Test = fn() -> TestResult;

/// The tests of this file.
pub(crate) const TESTS: &[(&str, Test)] = &[
    ("the_template_of_every_kernel_starts_and_many_run", the_template_of_every_kernel_starts_and_many_run),
    ("the_template_of_vectoradd_runs", the_template_of_vectoradd_runs),
    ("the_template_of_textures_and_surfaces_runs", the_template_of_textures_and_surfaces_runs),
    ("the_template_knows_every_geometry", the_template_knows_every_geometry),
    ("the_template_of_a_declared_block_runs", the_template_of_a_declared_block_runs),
    ("what_is_expected_is_compared", what_is_expected_is_compared),
    ("module_variables_and_aggregates_are_placed", module_variables_and_aggregates_are_placed),
];

const FORM: Form = Form::Allocated { max_registers: 255 };

/// Entries whose templates run to their end as they are.
const RUN_AS_THEY_ARE: [&str; 3] = ["vectoradd", "reduction", "matrixmul"];

fn the_template_of_every_kernel_starts_and_many_run() -> TestResult {
    let folder = tempfile::tempdir()?;
    let mut run_to_the_end = Vec::new();
    for workload in all() {
        let (name, text) = workload.ptx();
        for part in text.split(".visible .entry ").skip(1) {
            let entry = part.split('(').next().unwrap_or_default();
            let program = program(name, text, entry, Form::Parsed)?;
            let template = launch_template(&program);
            let file = LaunchFile::parse("t.toml", &template, folder.path())
                .map_err(|e| format!("{e}\n{template}"))?;
            let mut instance = file.instance(&[&program], 1).map_err(|e| format!("{e}\n{template}"))?;
            let mut memory = DeviceMemory::new();
            program.load_globals(&mut memory)?;
            instance.set_up(&mut memory)?;
            let launch = instance.next_launch(&mut memory)?.ok_or("a launch")?.launch;
            let ctas = 0..launch.num_ctas();
            let mut golden = Golden::new(Arc::new(program), &launch, memory)?;
            if golden.run_all(ctas, Some(200_000)).is_ok() {
                run_to_the_end.push(entry.to_owned());
            }
        }
    }
    match RUN_AS_THEY_ARE.into_iter().find(|e| !run_to_the_end.iter().any(|r| r == e)) {
        Some(entry) => Err(format!("'{entry}' is not in {run_to_the_end:?}").into()),
        None => Ok(()),
    }
}

fn the_template_of_vectoradd_runs() -> TestResult {
    let (name, text) = find("vectoradd")?.ptx();
    let program = program(name, text, "vectoradd", FORM)?;
    let folder = tempfile::tempdir()?;
    let template = launch_template(&crate::run::program(name, text, "vectoradd", Form::Parsed)?);
    let path = folder.path().join("vectoradd.toml");
    // As a user would: the output that the template proposes is switched on, and the inputs are kept too.
    let mut launch = template.replace("# output", "output").replace(".npy", ".bin");
    for input in 0..2 {
        let name = format!("name = \"vectoradd_param_{input}\"\n");
        launch = launch.replace(&name, &format!("{name}output = \"{input}.bin\"\n"));
    }
    fs::write(&path, launch)?;
    let file = LaunchFile::read(&path)?;
    let instance = file.instance(&[&program], 3)?;
    let outcome = run((name, text), Box::new(instance.clone()), FORM)?;
    assert_eq!(outcome.checked?.words, 0);

    let mut instance = instance;
    heddle_workloads::Instance::set_up(&mut instance, &mut heddle_isa::DeviceMemory::new())?;
    let written = instance.write_outputs(&outcome.memory)?;
    let [a, b, c] = written.as_slice() else {
        return Err(format!("{} outputs", written.len()).into());
    };
    let floats = |path| -> TestResult<Vec<f32>> {
        let bytes = fs::read(path)?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|w| f32::from_le_bytes(*w)).collect())
    };
    let (a, b, c) = (floats(a)?, floats(b)?, floats(c)?);
    assert_eq!(c.len(), 1024);
    for i in 0..c.len() {
        assert_eq!(c[i].to_bits(), (a[i] + b[i]).to_bits(), "element {i}");
    }
    Ok(())
}

/// Kernels that store at `(z * n + y) * n + x` without a look at `n`, where `n` is a parameter, and to a surface at x
/// and y: with the block that they declare, every store is inside.
fn the_template_of_a_declared_block_runs() -> TestResult {
    let index = |d: char, n: u32| {
        format!(
            "mov.u32 %r1, %ctaid.{d};\nmov.u32 %r2, %ntid.{d};\nmov.u32 %r3, %tid.{d};\n\
             mad.lo.u32 %r{n}, %r1, %r2, %r3;\n"
        )
    };
    let linear = |dimensions: usize| {
        let axes = [('x', 10), ('y', 11), ('z', 12)];
        let indices: String = axes[..dimensions].iter().map(|&(d, n)| index(d, n)).collect();
        let steps: String = axes[..dimensions]
            .iter()
            .rev()
            .map(|(_, n)| format!("mad.lo.u32 %r8, %r8, %r7, %r{n};\n"))
            .collect();
        format!(
            "ld.param.u32 %r7, [n];\nmov.u32 %r8, 0;\n{indices}{steps}mul.wide.u32 %rd2, %r8, 4;\n\
             add.u64 %rd2, %rd1, %rd2;\nst.global.u32 [%rd2], %r8;\n"
        )
    };
    let surface = format!(
        "ld.param.u64 %rd3, [picture];\n{}{}shl.b32 %r10, %r10, 2;\n\
         sust.b.2d.b32.trap [%rd3, {{%r10, %r11}}], %r11;\nst.global.u32 [%rd1], %r10;\n",
        index('x', 10),
        index('y', 11)
    );
    let line = format!(
        "{}ld.param.u64 %rd3, [picture];\ntex.1d.v4.u32.f32 {{%r1, %r2, %r3, %r4}}, [%rd3, {{%f1}}];\n\
         st.global.u32 [%rd1], %r10;\n",
        index('x', 10) + &index('y', 11) + &index('z', 12)
    );
    let bodies = [linear(1), linear(2), linear(3), surface, line];
    let blocks =
        ["8, 64", "64, 8", "1024", "1, 1024", "33, 31", "4, 4, 64", "7, 11, 13", "16, 16", "32", "1"];
    let directives = blocks.map(|b| format!(".reqntid {b}")).into_iter().chain([".maxntid 127".to_owned()]);
    for directive in directives {
        for body in &bodies {
            let text = format!(
                ".version 8.5\n.target sm_75\n.address_size 64\n\
                 .visible .entry k(.param .u64 out, .param .u32 n, .param .u64 picture)\n{directive}\n{{\n\
                 .reg .f32 %f<2>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [out];\n{body}ret;\n}}\n"
            );
            run_template("k.ptx", &text).map_err(|e| format!("{directive}: {e}\n{body}"))?;
        }
    }
    Ok(())
}

fn what_is_expected_is_compared() -> TestResult {
    let (name, text) = find("reduction")?.ptx();
    let program = program(name, text, "reduction", FORM)?;
    let folder = tempfile::tempdir()?;
    let checked = |expected: u32| -> TestResult<Result<u64, String>> {
        fs::write(folder.path().join("sum.bin"), expected.to_le_bytes())?;
        let launch = "grid = 1\nblock = 64\ndynamic_shared_bytes = 256\n\
             [[args]]\ntype = 'u32'\nelements = 100\nfill = 'iota'\n\
             [[args]]\ntype = 'u32'\nelements = 1\nexpect = 'sum.bin'\n\
             [[args]]\ntype = 'u32'\nvalue = 100\n";
        let file = LaunchFile::parse("sum.toml", launch, folder.path())?;
        let instance = file.instance(&[&program], 1)?;
        let outcome = run((name, text), Box::new(instance), FORM)?;
        Ok(outcome.checked.map(|c| c.words).map_err(|f| f.to_string()))
    };
    assert_eq!(checked(4950)?, Ok(1));
    let failure = checked(4951)?.err().unwrap_or_default();
    assert!(failure.contains("is 4950 (0x1356), expected 4951 (0x1357)"), "{failure}");
    Ok(())
}

/// A kernel with a variable of the module and an aggregate parameter: out[i] = table[i] + p.b.
const MODULE: &str = "\
.version 7.5
.target sm_75
.address_size 64
.global .align 4 .u32 table[4] = {10, 20, 30, 40};
.visible .entry add_table(.param .u64 out, .param .align 4 .b8 p[8])
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [p+4];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    mov.u64 %rd4, table;
    add.s64 %rd5, %rd4, %rd3;
    ld.global.u32 %r3, [%rd5];
    add.s32 %r4, %r3, %r1;
    add.s64 %rd6, %rd2, %rd3;
    st.global.u32 [%rd6], %r4;
    ret;
}
";

fn module_variables_and_aggregates_are_placed() -> TestResult {
    let program = program("m.ptx", MODULE, "add_table", FORM)?;
    let template = launch_template(&program);
    assert!(template.contains("an aggregate of 8 bytes\nvalue = [0, 0]"), "{template}");
    let folder = tempfile::tempdir()?;
    let expected: Vec<u8> = [15_u32, 25, 35, 45].iter().flat_map(|v| v.to_le_bytes()).collect();
    fs::write(folder.path().join("sum.bin"), expected)?;
    let launch = "grid = 1\nblock = 4\n\
         [[args]]\ntype = 'u32'\nelements = 4\nexpect = 'sum.bin'\n\
         [[args]]\nname = 'p'\ntype = 'u32'\nvalue = [1, 5]\n";
    let file = LaunchFile::parse("sum.toml", launch, folder.path())?;
    let instance = file.instance(&[&program], 1)?;
    let outcome = run(("m.ptx", MODULE), Box::new(instance), FORM)?;
    assert_eq!(outcome.checked?.words, 4);
    Ok(())
}

/// Runs the first launch of a PTX text's template as it is, with every store left in memory.
fn run_template(name: &str, text: &str) -> TestResult<(String, DeviceMemory)> {
    let entry = text.split(".entry ").nth(1).and_then(|t| t.split('(').next()).ok_or("an entry")?;
    let program = program(name, text, entry, Form::Parsed)?;
    let template = launch_template(&program);
    let told = |e: &dyn std::fmt::Display| format!("{e}\n{template}");
    let file = LaunchFile::parse("t.toml", &template, std::path::Path::new(".")).map_err(|e| told(&e))?;
    let mut instance = file.instance(&[&program], 1).map_err(|e| told(&e))?;
    let mut memory = DeviceMemory::new();
    program.load_globals(&mut memory)?;
    instance.set_up(&mut memory)?;
    let launch = instance.next_launch(&mut memory)?.ok_or("a launch")?.launch;
    let mut golden = Golden::new(Arc::new(program), &launch, memory)?;
    golden.run_all(0..launch.num_ctas(), Some(200_000)).map_err(|e| told(&e))?;
    Ok((template, golden.into_memory()))
}

fn the_template_of_textures_and_surfaces_runs() -> TestResult {
    let (template, memory) = run_template("images.ptx", include_str!("../data/images.ptx"))?;
    for part in [
        "name = \"images_param_0\"\ntype = \"texture\"\nvalue = \"images_param_0\"",
        "name = \"images_param_2\"\ntype = \"surface\"\nvalue = \"images_param_2\"",
        "{ type = \"texture\", value = \"images_param_1_0\" }",
        "buffer = \"images_param_0_texels\"\ngeometry = \"linear\"\nextent = [1024]\nformat = \"i32\"\nchannels = 1\n",
        "buffer = \"images_param_1_0_texels\"\ngeometry = \"2d\"\nextent = [32, 32]\nformat = \"f32\"\nchannels = 2\n",
        "buffer = \"images_param_2_texels\"\ngeometry = \"2d\"\nextent = [32, 32]\nformat = \"f32\"\nchannels = 4\n",
        "# output = \"images_param_2.npy\"",
        "# first accessed in images.ptx:",
    ] {
        if !template.contains(part) {
            return Err(format!("no '{part}' in\n{template}").into());
        }
    }
    // The third channel that the kernel stores is 1.
    let texels = memory.regions().iter().find(|r| r.name == "images_param_2_texels").ok_or("the surface")?;
    let third: Vec<&[u8]> = texels.data.chunks_exact(16).map(|texel| &texel[8..12]).collect();
    assert_eq!((third.len(), third.iter().all(|c| **c == 1.0_f32.to_le_bytes())), (1024, true));
    Ok(())
}

fn the_template_knows_every_geometry() -> TestResult {
    const VECTORS: [&str; 4] = ["{%f0}", "{%f0, %f1}", "{%f0, %f1, %f2, %f2}", "{%r0, %f0, %f1, %f1}"];
    let kernel = |parameter: &str, handle: &str, access: &str| {
        format!(
            ".version 8.5\n.target sm_75\n.address_size 64\n.global .texref picture;\n\
             .visible .entry k({parameter}.param .u64 out)\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n\
             .reg .b64 %rd<9>;\nld.param.u64 %rd1, [out];\nmov.u32 %r1, 1;\nmov.f32 %f0, 0f3F800000;\n\
             mov.f32 %f1, 0f00000000;\nmov.f32 %f2, 0f00000000;\nmov.u32 %r0, 0;\n{handle}\n{access}\n\
             st.global.f32 [%rd1], %f4;\nret;\n}}\n"
        )
    };
    let loaded = (".param .u64 h, ", "ld.param.u64 %rd0, [h];");
    let told = |text: &str, parts: &[&str]| -> TestResult {
        let (template, _) = run_template("k.ptx", text)?;
        match parts.iter().find(|part| !template.contains(**part)) {
            Some(part) => Err(format!("no '{part}' in\n{template}").into()),
            None => Ok(()),
        }
    };
    for (geometry, coordinates) in [
        ("1d", VECTORS[0]),
        ("2d", VECTORS[1]),
        ("3d", VECTORS[2]),
        ("a1d", "{%r0, %f0}"),
        ("a2d", VECTORS[3]),
        ("cube", VECTORS[2]),
        ("acube", "{%r0, %f0, %f1, %f2}"),
    ] {
        let fetch = |handle: &str| {
            format!("tex.{geometry}.v4.f32.f32 {{%f4, %f5, %f6, %f7}}, [{handle}, {coordinates}];")
        };
        let shape = format!("geometry = \"{geometry}\"");
        told(&kernel(loaded.0, loaded.1, &fetch("%rd0")), &[&shape, "channels = 1\n", "type = \"texture\""])?;
        told(&kernel("", "", &fetch("picture")), &[&shape, "reference = \"picture\""])?;
    }
    for (geometry, coordinates) in [
        ("1d", "{%r0}"),
        ("2d", "{%r0, %r0}"),
        ("3d", "{%r0, %r0, %r0, %r0}"),
        ("a1d", "{%r1, %r0}"),
        ("a2d", "{%r1, %r0, %r0, %r0}"),
    ] {
        let shape = format!("geometry = \"{geometry}\"");
        for (form, channels) in [("b32", 1), ("v2.b32", 2), ("b64", 2)] {
            let value = if form.starts_with('v') {
                "{%r0, %r1}"
            } else if form == "b64" {
                "%rd1"
            } else {
                "%r0"
            };
            let store =
                format!("mov.f32 %f4, %f0;\nsust.b.{geometry}.{form}.trap [%rd0, {coordinates}], {value};");
            let channels = format!("channels = {channels}\n");
            told(&kernel(loaded.0, loaded.1, &store), &[&shape, &channels, "kind = \"surface\""])?;
        }
    }
    Ok(())
}
