//! What the golden machine makes of a workload.

use std::collections::HashMap;
use std::sync::Arc;

use heddle_functional::{Golden, GoldenError};
use heddle_isa::{DeviceMemory, GlobalVariable, Program, load_globals};
use heddle_kernel::{AllocOptions, compile, module_globals, parse};
use heddle_workloads::{Instance, Launch, Size, Workload};

use crate::error::GpuError;

/// In which order the golden machine runs the blocks of a grid; a GPU runs them in any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Ascending,
    Descending,
}

/// The PTX of a workload, compiled.
pub(crate) struct Compiled {
    file: &'static str,
    pub text: &'static str,
    pub globals: Vec<GlobalVariable>,
    programs: HashMap<String, Arc<Program>>,
}

impl Compiled {
    pub fn new(workload: &dyn Workload) -> Result<Self, GpuError> {
        let (file, text) = workload.ptx();
        let broken = |e: &dyn std::fmt::Display| GpuError::Compile { message: e.to_string() };
        let module = parse(file, text).map_err(|e| broken(&e))?;
        let globals = module_globals(&module).map_err(|e| broken(&e))?;
        Ok(Self { file, text, globals, programs: HashMap::new() })
    }

    /// The program of an entry as parsed.
    pub fn program(&mut self, entry: &str) -> Result<Arc<Program>, GpuError> {
        if let Some(program) = self.programs.get(entry) {
            return Ok(Arc::clone(program));
        }
        let compiled = compile(self.file, self.text, Some(entry), AllocOptions::default())
            .map_err(|e| GpuError::Compile { message: e.to_string() })?;
        let program = Arc::new(compiled.parsed);
        self.programs.insert(entry.to_owned(), Arc::clone(&program));
        Ok(program)
    }

    /// A run that is set up, with its memory.
    pub fn instance(
        &self,
        workload: &dyn Workload,
        size: Size,
        seed: u64,
    ) -> Result<(Box<dyn Instance>, DeviceMemory), GpuError> {
        let mut memory = DeviceMemory::new();
        load_globals(&self.globals, &mut memory)?;
        let mut instance = workload.instance(size, seed)?;
        instance.set_up(&mut memory)?;
        Ok((instance, memory))
    }

    /// Runs all launches on the golden machine.
    pub fn run(
        &mut self,
        workload: &dyn Workload,
        size: Size,
        seed: u64,
        order: Order,
    ) -> Result<(Box<dyn Instance>, DeviceMemory), GpuError> {
        let (mut instance, mut memory) = self.instance(workload, size, seed)?;
        while let Some(Launch { entry, launch }) = instance.next_launch(&mut memory)? {
            let program = self.program(&entry)?;
            let fault = |e: GoldenError| GpuError::Golden { kernel: entry.clone(), message: e.to_string() };
            let mut golden = Golden::new(program, &launch, memory).map_err(fault)?;
            let blocks = 0..launch.num_ctas();
            match order {
                Order::Ascending => golden.run_all(blocks, None),
                Order::Descending => golden.run_all(blocks.rev(), None),
            }
            .map_err(fault)?;
            memory = golden.into_memory();
        }
        Ok((instance, memory))
    }
}
