//! Launch files: what is read, what is refused and where, and how a run of one behaves.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use heddle_isa::{ConstantBank, Declared, DeviceMemory, Param, Program, SourceFile, Type};
use heddle_workloads::launch_file::{LaunchFile, launch_template};
use heddle_workloads::{CheckFailure, Instance};

type TestResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A program without code that has parameters of the sizes given, `p0`, `p1`, ...
fn program(ptx: &str, sizes: &[u32]) -> Program {
    let mut offset = 0_u32;
    let params = sizes.iter().enumerate().map(|(i, &bytes)| {
        let at = offset.next_multiple_of(bytes);
        offset = at + bytes;
        Param { name: format!("p{i}"), offset: at, bytes, ty: None }
    });
    Program {
        name: "kernel".into(),
        source: Arc::new(SourceFile::new("kernel.ptx", ptx)),
        instrs: Vec::new(),
        blocks: Vec::new(),
        num_regs: 0,
        num_preds: 0,
        allocated: false,
        params: params.collect(),
        param_bytes: offset,
        shared_bytes: 0,
        local_bytes: 0,
        constants: ConstantBank::default(),
        globals: Vec::new(),
        declared: Declared::default(),
    }
}

fn parse(text: &str) -> Result<LaunchFile, String> {
    LaunchFile::parse("l.toml", text, Path::new("")).map_err(|e| e.to_string())
}

/// The message for a file with `args` after a head of three lines.
fn refused_args(args: &str) -> String {
    let text = format!("grid = 1\nblock = 32\n\n{args}");
    parse(&text).err().unwrap_or_else(|| "accepted".into())
}

#[test]
fn a_block_that_the_kernel_excludes_is_refused() -> TestResult {
    let file = parse("grid = 2\nblock = [64, 2]\n")?;
    let mut program = program("", &[]);
    program.declared.block = Some([64, 2, 1]);
    assert!(file.instance(&[&program], 1).is_ok());
    assert!(launch_template(&program).contains("\nblock = [64, 2, 1]\n"));
    program.declared = Declared { threads: Some(127), ..Declared::default() };
    let error = file.instance(&[&program], 1).err().ok_or("128 threads")?.to_string();
    let expected = "l.toml:2:9: 'block' is [64, 2, 1], expected at most 127 threads, as .maxntid declares";
    assert_eq!(error, expected);
    assert!(launch_template(&program).contains("\nblock = [127, 1, 1]\n"));
    Ok(())
}

#[test]
fn a_whole_file_is_read() -> TestResult {
    let file = parse("entry = 'kernel'\ngrid = [2, 3]\nblock = 64\ndynamic_shared_bytes = 0x100\n")?;
    let mut run = file.instance(&[&program("", &[])], 1)?;
    let mut memory = DeviceMemory::new();
    run.set_up(&mut memory)?;
    let launch = run.next_launch(&mut memory)?.ok_or("one launch")?;
    assert_eq!(launch.entry, "kernel");
    assert_eq!((launch.launch.grid, launch.launch.block), ([2, 3, 1], [64, 1, 1]));
    assert_eq!(launch.launch.dynamic_shared_bytes, 256);
    Ok(())
}

#[test]
fn wrong_files_are_refused_at_the_place() {
    let cases = [
        ("grid = [1\n", "l.toml:1:10: not valid TOML"),
        ("", "l.toml:1:1: key 'grid' is missing"),
        ("gird = 1\ngrid = 1\nblock = 1", "l.toml:1:1: unknown key 'gird'; did you mean 'grid'?"),
        ("grid = 1\nblock = 1\nzebra = 2", "l.toml:3:1: unknown key 'zebra'; expected one of: entry, grid"),
        ("grid = 'x'\nblock = 1", "l.toml:1:8: 'grid' must be an integer, not a string"),
        ("grid = [1, 2, 3, 4]\nblock = 1", "l.toml:1:8: 'grid' is an array of another length"),
        ("grid = []\nblock = 1", "l.toml:1:8: 'grid' is an array of another length"),
        ("grid = 1\nblock = [32, 0]", "l.toml:2:14: 'block' is 0, expected 1 to 1024"),
        ("grid = 1\nblock = -1", "l.toml:2:9: 'block' is -1, expected 1 to 1024"),
        ("grid = [1, 70000]\nblock = 1", "l.toml:1:12: 'grid' is 70000, expected 1 to 65535"),
        ("grid = 1\nblock = [64, 32]", "l.toml:2:9: 'block' is 2048 threads, expected at most 1024"),
        (
            "grid = 1\nblock = 1\ndynamic_shared_bytes = 1_000_000",
            "l.toml:3:24: 'dynamic_shared_bytes' is 1000000",
        ),
        ("grid = 99999999999999999999999999999999999999999\nblock = 1", "l.toml:1:8: "),
        ("grid = 1\nblock = 1\nargs = 3", "l.toml:3:8: 'args' must be an array of tables"),
        ("grid = 1\nblock = 1\nentry = 3", "l.toml:3:9: 'entry' must be a string, not an integer"),
        (
            "grid = 1\nblock = 1\nlink = ['a.ptx', '']",
            "l.toml:3:18: 'link' is '', expected the name of a file",
        ),
    ];
    for (text, expected) in cases {
        let message = parse(text).err().unwrap_or_else(|| "accepted".into());
        assert!(message.starts_with(expected), "{text}\n{message}");
    }
}

#[test]
fn wrong_arguments_are_refused_at_the_place() {
    let cases = [
        ("[[args]]\nvalue = 1", "l.toml:4:1: key 'type' is missing"),
        ("[[args]]\ntype = 'u23'\nvalue = 1", "l.toml:5:8: 'type' cannot be 'u23'; did you mean 'u"),
        (
            "[[args]]\ntype = 'u32'",
            "l.toml:4:1: key 'elements' is missing: give 'value', 'values', 'elements' or 'bytes'",
        ),
        ("[[args]]\ntype = 'u8'\nvalue = 256", "l.toml:6:9: 'value' is 256, expected 0 to 255 (u8)"),
        ("[[args]]\ntype = 'i8'\nvalue = -129", "l.toml:6:9: 'value' is -129, expected -128 to 127 (i8)"),
        ("[[args]]\ntype = 'u32'\nvalue = 1.5", "l.toml:6:9: 'value' must be an integer, not a float"),
        ("[[args]]\ntype = 'f32'\nvalue = true", "l.toml:6:9: 'value' must be a number, not a boolean"),
        ("[[args]]\ntype = 'f32'\nvalue = 1\nfill = 'zero'", "l.toml:7:8: key 'fill' has no meaning here"),
        ("[[args]]\ntype = 'f32'\nelements = 1\nbytes = 4", "l.toml:7:9: key 'bytes' has no meaning here"),
        ("[[args]]\ntype = 'f32'\nbytes = 6", "l.toml:6:9: 'bytes' is 6, expected a multiple of 4"),
        (
            "[[args]]\ntype = 'f32'\nelements = 1_000_000_000_000",
            "l.toml:6:12: 'elements' is 1000000000000, expected 1 to 268435456",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nfiill = 'zero'",
            "l.toml:7:1: unknown key 'fiill'; did you mean 'fill'?",
        ),
        ("[[args]]\ntype = 'f32'\nelements = 2\nfill = 'rnd'", "l.toml:7:8: 'fill' cannot be 'rnd'"),
        ("[[args]]\ntype = 'f32'\nelements = 2\nseed = 2", "l.toml:7:8: key 'seed' has no meaning here"),
        ("[[args]]\ntype = 'f32'\nelements = 2\nfill = 'file'", "l.toml:4:1: key 'file' is missing"),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nfill = 'file'\nfile = ''",
            "l.toml:8:8: 'file' is '', expected the name of a file",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\noutput = ''",
            "l.toml:7:10: 'output' is '', expected the name of a file",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nexpect = ''",
            "l.toml:7:10: 'expect' is '', expected the name of a file",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nfill = 'random'\nlow = 0",
            "l.toml:4:1: key 'high' is missing",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nfill = 'random'\nlow = 1\nhigh = 1",
            "l.toml:9:8: 'high' is not above 'low'",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\ntolerance = 0.1",
            "l.toml:7:13: key 'tolerance' has no meaning here",
        ),
        (
            "[[args]]\ntype = 'f32'\nelements = 2\nexpect = 'x'\ntolerance = nan",
            "l.toml:8:13: 'tolerance' is NaN",
        ),
    ];
    for (args, expected) in cases {
        let message = refused_args(args);
        assert!(message.starts_with(expected), "{args}\n{message}");
    }
}

#[test]
fn the_sum_of_all_buffers_is_limited() {
    let buffer = "[[args]]\ntype = 'u8'\nelements = 1073741824\n";
    assert_eq!(refused_args(&buffer.repeat(2)), "accepted");
    let message = refused_args(&buffer.repeat(3));
    assert!(message.contains(":10:1: 'args' is 3221225472 bytes"), "{message}");
}

#[test]
fn arguments_must_be_the_parameters() {
    let message = |text: &str, sizes: &[u32]| {
        let text = format!("entry = 'kernel'\ngrid = 1\nblock = 1\n{text}");
        let file = parse(&text).expect("the file is right in itself");
        let run = file.instance(&[&program("", sizes)], 1);
        run.err().map_or("accepted".into(), |e| e.to_string())
    };
    let scalar = "[[args]]\ntype = 'u32'\nvalue = 1\n";
    assert_eq!(message(scalar, &[4]), "accepted");
    assert!(message(scalar, &[4, 4]).contains("has 2 parameters, the file has 1 [[args]]"));
    assert!(
        message(scalar, &[8]).contains("l.toml:4:1: parameter 'p0' has 8 bytes, a scalar of type u32 has 4")
    );
    let buffer = "[[args]]\ntype = 'u32'\nelements = 1\n";
    assert!(message(buffer, &[4]).contains("the address of a buffer has 8"));
    let named = "[[args]]\nname = 'p1'\ntype = 'u32'\nvalue = 1\n";
    assert!(message(named, &[4]).contains("l.toml:5:8: 'p1' is not the parameter of that place, 'p0' is"));
    let other = parse("entry = 'x'\ngrid = 1\nblock = 1").expect("the file is right in itself");
    let error = other.instance(&[&program("", &[])], 1).expect_err("another entry");
    assert_eq!(error.to_string(), "l.toml:1:9: the PTX has no entry 'x'; it has: kernel");
}

#[test]
fn arguments_must_fit_the_types_of_the_parameters() {
    let message = |arg: &str, ty: Type| {
        let file = parse(&format!("grid = 1\nblock = 1\n[[args]]\n{arg}")).expect("right in itself");
        let mut program = program("", &[ty.bytes()]);
        program.params[0].ty = Some(ty);
        file.instance(&[&program], 1).err().map_or("accepted".into(), |e| e.to_string())
    };
    for (arg, fitting, others) in [
        ("type = 'f32'\nvalue = 1", &[Type::F32, Type::B32][..], &[Type::U32, Type::S32][..]),
        ("type = 'i32'\nvalue = 1", &[Type::U32, Type::S32, Type::B32], &[Type::F32]),
        ("type = 'u32'\nvalue = 1", &[Type::U32, Type::S32, Type::B32], &[Type::F32]),
        ("type = 'f16'\nvalue = 1", &[Type::F16, Type::B16], &[Type::U16, Type::Bf16]),
        ("type = 'u8'\nvalue = [1, 2, 3, 4]", &[Type::U32, Type::B32], &[Type::F32]),
        ("type = 'f64'\nvalue = 1", &[Type::F64, Type::B64], &[Type::U64, Type::S64]),
        ("type = 'u8'\nelements = 4", &[Type::U64, Type::S64, Type::B64], &[Type::F64]),
        ("type = 'ptr'\nvalue = 'null'", &[Type::U64, Type::B64], &[Type::F64]),
        ("fields = [{ type = 'f32', value = 1 }, { type = 'u32', value = 1 }]", &[Type::U64], &[]),
    ] {
        for &ty in fitting {
            assert_eq!(message(arg, ty), "accepted", "{arg} for {ty:?}");
        }
        for &ty in others {
            let text = format!("l.toml:3:1: parameter 'p0' is .{} in the PTX, which ", ty.name());
            assert!(message(arg, ty).starts_with(&text), "{arg} for {ty:?}: {}", message(arg, ty));
        }
    }
    let text = "which a scalar of type f32 does not fit; expected an integer";
    assert!(message("type = 'f32'\nvalue = 1", Type::U32).ends_with(text));
}

#[test]
fn buffers_are_filled_written_and_compared() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.toml");
    fs::write(folder.path().join("in.bin"), [1, 0, 0, 0, 2, 0, 0, 0])?;
    fs::write(folder.path().join("want.bin"), [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40])?;
    fs::write(
        &path,
        "grid = 2\nblock = 8\n\
         [[args]]\ntype = 'u32'\nelements = 2\nfill = 'file'\nfile = 'in.bin'\noutput = 'out.bin'\n\
         [[args]]\ntype = 'i16'\nvalue = -2\n\
         [[args]]\ntype = 'f32'\nelements = 2\nexpect = 'want.bin'\ntolerance = 0.5\n\
         [[args]]\ntype = 'u16'\nelements = 3\nfill = 'iota'\n",
    )?;
    let file = LaunchFile::read(&path)?;
    let mut run = file.instance(&[&program("", &[8, 2, 8, 8])], 1)?;
    let mut memory = DeviceMemory::new();
    assert!(run.next_launch(&mut memory).is_err());
    assert!(run.check(&memory).is_err());
    run.set_up(&mut memory)?;
    let regions: Vec<_> = memory.regions().iter().map(|r| (r.start, r.data.clone())).collect();
    assert_eq!(regions[0].1, [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(regions[2].1, [0, 0, 1, 0, 2, 0]);
    assert!(!memory.is_written(u64::from(regions[1].0), 8)?);

    let launch = run.next_launch(&mut memory)?.ok_or("one launch")?;
    assert_eq!(run.next_launch(&mut memory)?, None);
    assert_eq!((launch.launch.grid, launch.launch.block), ([2, 1, 1], [8, 1, 1]));
    let params = launch.launch.params;
    assert_eq!(params[..8], u64::from(regions[0].0).to_le_bytes());
    assert_eq!(params[8..10], [0xfe, 0xff]);
    assert_eq!(params[16..24], u64::from(regions[1].0).to_le_bytes());
    assert_eq!(params[24..], u64::from(regions[2].0).to_le_bytes());

    memory.store(u64::from(regions[0].0), 4, 7)?;
    let written = run.write_outputs(&memory)?;
    assert_eq!(fs::read(&written[0])?, [7, 0, 0, 0, 2, 0, 0, 0]);

    let output = u64::from(regions[1].0);
    memory.store(output, 4, 1.5_f32.to_bits().into())?;
    memory.store(output + 4, 4, 2.0_f32.to_bits().into())?;
    let checked = run.check(&memory)?;
    assert_eq!((checked.words, checked.exact), (2, false));
    memory.store(output + 4, 4, 3.0_f32.to_bits().into())?;
    let failure = run.check(&memory).expect_err("3 is not 2");
    assert!(matches!(failure, CheckFailure::Differs { index: 1, wrong: 1, total: 2, .. }));
    memory.store(output + 4, 4, f32::NAN.to_bits().into())?;
    assert!(run.check(&memory).is_err());
    Ok(())
}

/// The number of elements that are wrong, where `actual` is held against `expected` with a relative tolerance.
fn wrong_elements(expected: &[f32], actual: &[f32]) -> TestResult<u64> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.toml");
    let bytes: Vec<u8> = expected.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(folder.path().join("want.bin"), bytes)?;
    let elements = expected.len();
    let buffer =
        format!("type = 'f32'\nelements = {elements}\nexpect = 'want.bin'\nrelative_tolerance = 0.5\n");
    fs::write(&path, format!("grid = 1\nblock = 8\n[[args]]\n{buffer}"))?;
    let mut run = LaunchFile::read(&path)?.instance(&[&program("", &[8])], 1)?;
    let mut memory = DeviceMemory::new();
    run.set_up(&mut memory)?;
    let launch = run.next_launch(&mut memory)?.ok_or("one launch")?;
    let output = u64::from_le_bytes(launch.launch.params[..8].try_into()?);
    for (address, value) in (output..).step_by(4).zip(actual) {
        memory.store(address, 4, value.to_bits().into())?;
    }
    match run.check(&memory) {
        Ok(_) => Ok(0),
        Err(CheckFailure::Differs { wrong, .. }) => Ok(wrong),
        Err(other) => Err(other.into()),
    }
}

#[test]
fn where_no_number_is_expected_a_tolerance_admits_none() -> TestResult {
    const INF: f32 = f32::INFINITY;
    assert_eq!(wrong_elements(&[4.0, INF, -INF, f32::NAN], &[5.0, INF, -INF, -f32::NAN])?, 0);
    for actual in [1.0, f32::MAX, -INF, f32::NAN] {
        assert_eq!(wrong_elements(&[INF], &[actual])?, 1, "{actual}");
    }
    for actual in [INF, f32::NAN] {
        assert_eq!(wrong_elements(&[1.0], &[actual])?, 1, "{actual}");
    }
    assert_eq!(wrong_elements(&[f32::NAN], &[0.0])?, 1);
    Ok(())
}

#[test]
fn data_files_must_have_the_size_of_the_buffer() -> TestResult {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.toml");
    fs::write(
        &path,
        "grid = 1\nblock = 1\n[[args]]\ntype = 'u8'\nelements = 3\nfill = 'file'\nfile = 'in.bin'\n",
    )?;
    let file = LaunchFile::read(&path)?;
    let message = |program: &Program| match file.instance(&[program], 1) {
        Ok(_) => "accepted".into(),
        Err(e) => e.to_string(),
    };
    let program = program("", &[8]);
    assert!(message(&program).contains("run.toml:7:8: cannot use"));
    fs::write(folder.path().join("in.bin"), [1, 2])?;
    assert!(message(&program).contains("has 2 bytes, the buffer has 3"));
    fs::write(folder.path().join("in.bin"), [1, 2, 3])?;
    assert_eq!(message(&program), "accepted");
    Ok(())
}

#[test]
fn random_buffers_keep_their_range_and_follow_the_seed() -> TestResult {
    let fill = |seed: u64| -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
        let file = parse(
            "grid = 1\nblock = 1\n\
             [[args]]\ntype = 'i32'\nelements = 500\nfill = 'random'\nlow = -3\nhigh = 4\n\
             [[args]]\ntype = 'f32'\nelements = 500\nfill = 'random'\n\
             [[args]]\ntype = 'u32'\nelements = 4\nfill = 'random'\nseed = 5\n",
        )?;
        let mut run = file.instance(&[&program("", &[8, 8, 8])], seed)?;
        let mut memory = DeviceMemory::new();
        run.set_up(&mut memory)?;
        Ok(memory.regions().iter().map(|r| r.data.clone()).collect())
    };
    let (one, again, two) = (fill(1)?, fill(1)?, fill(2)?);
    assert_eq!(one, again);
    assert_ne!(one[0], two[0]);
    assert_eq!(one[2], two[2]);
    let words = |bytes: &[u8]| -> Vec<[u8; 4]> { bytes.as_chunks::<4>().0.to_vec() };
    let mut seen = [false; 7];
    for word in words(&one[0]) {
        seen[usize::try_from(i32::from_le_bytes(word) + 3)?] = true;
    }
    assert_eq!(seen, [true; 7]);
    let floats: Vec<_> = words(&one[1]).into_iter().map(f32::from_le_bytes).collect();
    assert!(floats.iter().all(|f| (-1.0..=1.0).contains(f)));
    assert!(floats.iter().any(|f| *f < -0.9) && floats.iter().any(|f| *f > 0.9));
    Ok(())
}

#[test]
fn a_template_is_a_launch_file_for_its_program() -> TestResult {
    let ptx = ".visible .entry kernel(.param .u64 p0, .param .f32 p1, .param .u32 p2, .param .f64 p3)";
    let mut program = program(ptx, &[8, 4, 4, 8]);
    for (param, ty) in program.params.iter_mut().zip([Type::U64, Type::F32, Type::U32, Type::F64]) {
        param.ty = Some(ty);
    }
    let template = launch_template(&program);
    assert!(template.contains("name = \"p1\"\ntype = \"f32\"\nvalue = 1.0"), "{template}");
    assert!(template.contains("name = \"p3\"\ntype = \"f64\"\nvalue = 1.0"), "{template}");
    // Nothing is loaded or stored through it.
    assert!(template.contains("name = \"p0\"\ntype = \"u64\"\nvalue = 1024"), "{template}");
    parse(&template)?.instance(&[&program], 1)?;
    Ok(())
}

#[test]
fn values_fill_buffers_and_aggregates() -> TestResult {
    let file = parse(
        "grid = 1\nblock = 1\n\
         [[args]]\ntype = 'i16'\nvalues = [1, -2, 3]\n\
         [[args]]\ntype = 'u32'\nvalue = [7, 8, 9]\n",
    )?;
    let mut program = program("", &[8, 12]);
    program.params[1].offset = 8;
    program.param_bytes = 20;
    let mut run = file.instance(&[&program], 1)?;
    let mut memory = DeviceMemory::new();
    run.set_up(&mut memory)?;
    assert_eq!(memory.regions()[0].data, [1, 0, 0xfe, 0xff, 3, 0]);
    let params = run.next_launch(&mut memory)?.ok_or("one launch")?.launch.params;
    assert_eq!(params[8..], [7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0]);
    let both = "[[args]]\ntype = 'u8'\nvalues = [1]\nfill = 'zero'";
    assert!(refused_args(both).starts_with("l.toml:7:8: key 'fill' has no meaning here"));
    let empty = "[[args]]\ntype = 'u8'\nvalues = []";
    assert!(refused_args(empty).starts_with("l.toml:6:10: 'values' is an array of another length"));
    let wrong = "[[args]]\ntype = 'u8'\nvalues = [1, 300]";
    assert!(refused_args(wrong).starts_with("l.toml:6:14: 'values' is 300, expected 0 to 255"));
    Ok(())
}
