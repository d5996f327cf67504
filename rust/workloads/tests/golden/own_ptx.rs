//! A user's way: template, launch file, run, outputs.

use std::fs;

use crate::run::{Form, TestResult, program, run};
use heddle_workloads::launch_file::{LaunchFile, launch_template};
use heddle_workloads::{all, find};

const FORM: Form = Form::Allocated { max_registers: 255 };

#[test]
fn the_template_of_every_kernel_is_a_launch_file_for_it() -> TestResult {
    let folder = tempfile::tempdir()?;
    for workload in all() {
        let (name, text) = workload.ptx();
        for part in text.split(".visible .entry ").skip(1) {
            let entry = part.split('(').next().unwrap_or_default();
            let program = program(name, text, entry, FORM)?;
            let file = LaunchFile::parse("t.toml", &launch_template(&program), folder.path())?;
            file.instance(&program, 1)?;
        }
    }
    Ok(())
}

#[test]
fn the_template_of_vectoradd_runs() -> TestResult {
    let (name, text) = find("vectoradd")?.ptx();
    let program = program(name, text, "vectoradd", FORM)?;
    let folder = tempfile::tempdir()?;
    let template = launch_template(&program);
    let path = folder.path().join("vectoradd.toml");
    // As a user would: the outputs that the template proposes are switched on.
    fs::write(&path, template.replace("# output", "output"))?;
    let file = LaunchFile::read(&path)?;
    let instance = file.instance(&program, 3)?;
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

#[test]
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
        let instance = file.instance(&program, 1)?;
        let outcome = run((name, text), Box::new(instance), FORM)?;
        Ok(outcome.checked.map(|c| c.words).map_err(|f| f.to_string()))
    };
    assert_eq!(checked(4950)?, Ok(1));
    let failure = checked(4951)?.err().unwrap_or_default();
    assert!(failure.contains("is 4950 (0x1356), expected 4951 (0x1357)"), "{failure}");
    Ok(())
}
