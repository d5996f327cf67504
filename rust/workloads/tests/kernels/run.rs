//! Runs instances on the golden machine.

use std::collections::HashMap;
use std::sync::Arc;

use heddle_functional::Golden;
use heddle_isa::{DeviceMemory, Executable, Program, load_globals};
use heddle_kernel::{AllocOptions, compile, module_globals, parse};
use heddle_passes::{DesignNeeds, Formation, build_executable};
use heddle_workloads::{CheckFailure, Checked, Instance};

/// Warp instructions after which a kernel counts as one that does not end.
const LIMIT: u64 = 1_000_000_000;

/// What the design with the smallest cache partitions needs.
const NEEDS: DesignNeeds = DesignNeeds {
    intervals: Some(16),
    formation: Formation::RegisterInterval,
    renumber_banks: Some(16),
    code_intervals: None,
    hierarchy: None,
};

pub(crate) type TestResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Which of the two programs of a compilation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Parsed,
    Allocated { max_registers: u32 },
}

/// What a whole run left.
pub(crate) struct Outcome {
    pub(crate) memory: DeviceMemory,
    pub(crate) checked: Result<Checked, CheckFailure>,
    pub(crate) warp_instructions: u64,
    pub(crate) launches: u32,
}

/// Compiles one entry.
pub(crate) fn program(name: &str, text: &str, entry: &str, form: Form) -> TestResult<Program> {
    let options = match form {
        Form::Parsed => AllocOptions::default(),
        Form::Allocated { max_registers } => AllocOptions { max_registers },
    };
    let compiled = compile(name, text, Some(entry), options)?;
    Ok(match form {
        Form::Parsed => compiled.parsed,
        Form::Allocated { max_registers } => {
            let allocated = compiled.allocated;
            assert!(allocated.allocated && allocated.num_regs <= max_registers);
            allocated
        }
    })
}

/// Runs all launches of `instance` with the kernels of a PTX text. Allocated kernels run with what the
/// passes say is dead, and their register-intervals must form. A kernel that does not end within a
/// billion warp instructions is an error.
pub(crate) fn run(
    (name, text): (&str, &str),
    mut instance: Box<dyn Instance>,
    form: Form,
) -> TestResult<Outcome> {
    let mut programs: HashMap<String, Executable> = HashMap::new();
    let mut memory = DeviceMemory::new();
    load_globals(&module_globals(&parse(name, text)?)?, &mut memory)?;
    instance.set_up(&mut memory)?;
    let (mut warp_instructions, mut launches) = (0, 0);
    while let Some(launch) = instance.next_launch(&mut memory)? {
        if !programs.contains_key(&launch.entry) {
            let program = Arc::new(program(name, text, &launch.entry, form)?);
            let executable = match form {
                Form::Parsed => Executable {
                    program,
                    intervals: None,
                    prefetches: Vec::new(),
                    dead_sources: Vec::new(),
                    levels: None,
                },
                Form::Allocated { .. } => build_executable(program, NEEDS)?,
            };
            programs.insert(launch.entry.clone(), executable);
        }
        let executable = &programs[&launch.entry];
        let mut golden = Golden::new(executable.program.clone(), &launch.launch, memory)?
            .with_dead_sources(executable.dead_sources.clone());
        let summary = golden.run_all(0..launch.launch.num_ctas(), Some(LIMIT))?;
        warp_instructions += summary.warp_instructions;
        launches += 1;
        memory = golden.into_memory();
    }
    Ok(Outcome { checked: instance.check(&memory), memory, warp_instructions, launches })
}
