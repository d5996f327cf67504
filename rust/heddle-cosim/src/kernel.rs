//! A kernel and its host code: compiled once for the design, run by as many machines as are needed.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use heddle_config::{Compiler, RegisterCount};
use heddle_isa::{DeviceMemory, Executable, Pc, Program, load_globals};
use heddle_kernel::ast::Module;
use heddle_passes::DesignNeeds;
use heddle_workloads::input::InputFile;
use heddle_workloads::launch_file::{LaunchFile, LaunchRun};
use heddle_workloads::{CheckFailure, Instance, Launch, Size, Workload, WorkloadError};

use crate::control::Control;
use crate::error::RunError;
use crate::register_limits::{RegisterLimits, register_limits};
use crate::spec::{Kernel, MadeKernel, RunSpec};

/// One entry, ready to run.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The program as parsed, on virtual registers.
    pub parsed: Arc<Program>,
    /// The program on virtual registers in the order in which its instructions are allocated.
    pub ordered: Arc<Program>,
    /// The allocated program with what the design's passes add.
    pub executable: Arc<Executable>,
    /// By instruction of the executable: the one of the ordered program that it is, if the allocator did not add it.
    pub origins: Arc<[Option<Pc>]>,
}

enum Host {
    Workload { workload: &'static dyn Workload, size: Size },
    Input { workload: &'static dyn Workload, files: Vec<InputFile> },
    File(LaunchFile),
    Made(Arc<dyn MadeKernel>),
}

/// The kernel of a run.
pub struct PreparedKernel {
    /// Names and texts of the PTX modules, that with the kernel first.
    files: Vec<(String, String)>,
    host: Host,
    seed: u64,
    max_registers: u32,
    needs: DesignNeeds,
    compiler: Compiler,
    entries: HashMap<String, Entry>,
    /// The module, once it is parsed.
    module: Option<Arc<Module>>,
    /// Bytes of shared memory that a launch file's launches must fit, where there is an SM.
    shared_bytes: Option<u32>,
}

/// One machine's host side: its own memory and its own copy of the host code.
pub struct HostSide {
    /// The machine's memory.
    pub memory: DeviceMemory,
    run: Run,
}

enum Run {
    Instance(Box<dyn Instance>),
    File(Box<LaunchRun>),
}

impl PreparedKernel {
    /// Finds and reads the kernel of a run.
    ///
    /// # Errors
    /// [`RunError::Usage`] for an unknown kernel or an unreadable file.
    pub fn new(spec: &RunSpec, needs: DesignNeeds) -> Result<Self, RunError> {
        let (files, host) = match &spec.kernel {
            Kernel::Workload { name, size } => {
                let workload = heddle_workloads::find(name).map_err(RunError::usage)?;
                if !workload.sizes().contains(size) {
                    return Err(RunError::usage(format!("kernel '{name}' has no size {size}")));
                }
                let (file_name, ptx) = workload.ptx();
                (vec![(file_name.to_owned(), ptx.to_owned())], Host::Workload { workload, size: *size })
            }
            Kernel::Input { name, files } => {
                let workload = heddle_workloads::find(name).map_err(RunError::usage)?;
                let files = files.iter().map(|f| InputFile::read(f)).collect::<Result<_, _>>();
                let (file_name, ptx) = workload.ptx();
                let host = Host::Input { workload, files: files.map_err(RunError::usage)? };
                (vec![(file_name.to_owned(), ptx.to_owned())], host)
            }
            Kernel::File { ptx, link, launch } => {
                let launch = LaunchFile::read(launch).map_err(RunError::usage)?;
                spec.check_outputs(&launch)?;
                let text = |path: &PathBuf| {
                    let text = heddle_kernel::PTX_FILE.text(path).map_err(RunError::usage)?;
                    Ok((path.to_string_lossy().into_owned(), text))
                };
                let given = [ptx].into_iter().chain(link);
                let mut files = given.map(text).collect::<Result<Vec<_>, RunError>>()?;
                files.extend(launch.linked(heddle_kernel::PTX_FILE).map_err(RunError::usage)?);
                (files, Host::File(launch))
            }
            Kernel::Trace(path) => {
                let path = path.display();
                return Err(RunError::usage(format!("{path} is a trace: it has neither PTX nor values")));
            }
            Kernel::Made(made) => {
                (vec![(format!("{}.ptx", made.name()), made.ptx())], Host::Made(Arc::clone(made)))
            }
        };
        let (seed, max_registers) = (spec.seed, spec.max_registers);
        Ok(Self {
            files,
            host,
            seed,
            max_registers,
            needs,
            compiler: Compiler::default(),
            entries: HashMap::new(),
            module: None,
            shared_bytes: None,
        })
    }

    /// The launch file, of a user's own kernel.
    #[must_use]
    pub fn launch_file(&self) -> Option<&LaunchFile> {
        match &self.host {
            Host::File(file) => Some(file),
            Host::Workload { .. } | Host::Input { .. } | Host::Made(_) => None,
        }
    }

    /// Tells what the entries that are launched do that has no effect here.
    ///
    /// # Errors
    /// [`RunError::Compile`] when the PTX cannot be read, [`RunError::Usage`] when an entry is not there.
    pub fn warn(&mut self, control: &mut dyn Control) -> Result<(), RunError> {
        let module = self.module()?;
        let names: Vec<&str> = module.entries().map(|f| f.name.text.as_str()).collect();
        let launched: Vec<&str> = match &self.host {
            Host::File(file) => {
                file.entries(&names).map_err(RunError::usage)?.into_iter().map(|i| names[i]).collect()
            }
            Host::Workload { .. } | Host::Input { .. } | Host::Made(_) => names,
        };
        if let Some(warnings) = heddle_kernel::warnings(&module, |name| launched.contains(&name)) {
            control.warning(&warnings.to_string());
        }
        Ok(())
    }

    /// A machine's host side with the module's variables loaded and the buffers set up.
    ///
    /// # Errors
    /// [`RunError::Usage`] when the inputs cannot be made, [`RunError::Compile`] when a launch file's
    /// entry does not compile.
    pub fn host_side(&mut self) -> Result<HostSide, RunError> {
        let mut run = match &self.host {
            Host::Workload { workload, size } => {
                Run::Instance(workload.instance(*size, self.seed).map_err(RunError::usage)?)
            }
            Host::Input { workload, files } => {
                Run::Instance(workload.instance_of(files).map_err(RunError::usage)?)
            }
            Host::Made(made) => Run::Instance(made.instance(self.seed)),
            Host::File(file) => {
                let file = file.clone();
                Run::File(Box::new(self.launch_run(&file)?))
            }
        };
        let mut memory = DeviceMemory::new();
        let globals = heddle_kernel::module_globals(&*self.module()?)
            .map_err(|e| RunError::Compile { message: e.to_string() })?;
        load_globals(&globals, &mut memory)
            .map_err(|e| RunError::Launch { message: format!("module variables: {e}") })?;
        run.instance().set_up(&mut memory).map_err(RunError::usage)?;
        Ok(HostSide { memory, run })
    }

    /// The launches of a launch file, checked against the kernels that it names.
    fn launch_run(&mut self, file: &LaunchFile) -> Result<LaunchRun, RunError> {
        let module = self.module()?;
        let names: Vec<&str> = module.entries().map(|f| f.name.text.as_str()).collect();
        let mut wanted = file.entries(&names).map_err(RunError::usage)?;
        wanted.sort_unstable();
        wanted.dedup();
        let mut programs = Vec::new();
        for index in wanted {
            programs.push(self.entry(names[index])?.parsed);
        }
        let programs: Vec<&Program> = programs.iter().map(AsRef::as_ref).collect();
        if let Some(bytes) = self.shared_bytes {
            file.check_shared_memory(&programs, bytes).map_err(RunError::usage)?;
        }
        file.instance(&programs, self.seed).map_err(RunError::usage)
    }

    /// Launches of a launch file must fit that many bytes of shared memory.
    #[must_use]
    pub fn with_shared_memory(mut self, bytes: u32) -> Self {
        self.shared_bytes = Some(bytes);
        self
    }

    /// Does with PTX what the preset wants of the compiler.
    #[must_use]
    pub fn with_compiler(mut self, compiler: Compiler) -> Self {
        self.compiler = compiler;
        self
    }

    fn module(&mut self) -> Result<Arc<Module>, RunError> {
        if let Some(module) = &self.module {
            return Ok(Arc::clone(module));
        }
        let module =
            heddle_kernel::link(&self.files).map_err(|e| RunError::Compile { message: e.to_string() })?;
        Ok(Arc::clone(self.module.insert(Arc::new(module))))
    }

    /// Names of all entries.
    ///
    /// # Errors
    /// [`RunError::Compile`] when the PTX cannot be read.
    pub fn entries(&mut self) -> Result<Vec<String>, RunError> {
        Ok(self.module()?.entries().map(|entry| entry.name.text.clone()).collect())
    }

    /// The entry `name`, compiled on first use.
    ///
    /// # Errors
    /// [`RunError::Compile`] with the diagnostics.
    pub fn entry(&mut self, name: &str) -> Result<Entry, RunError> {
        match self.entries.get(name) {
            Some(entry) => Ok(entry.clone()),
            None => self.compiled(name),
        }
    }

    fn compiled(&mut self, name: &str) -> Result<Entry, RunError> {
        let limits = match &self.host {
            Host::Workload { workload, .. } | Host::Input { workload, .. } => {
                register_limits(*workload, name, self.compiler)
            }
            Host::File(_) | Host::Made(_) => RegisterLimits::default(),
        };
        if self.compiler.registers == RegisterCount::PtxasO3 && limits.least.is_none() {
            let what = "compiler.registers is ptxas-o3, which is known of the kernels that ship alone";
            return Err(RunError::usage(format!("{what}, and not of '{name}'")));
        }
        let options = limits.options(self.compiler, self.max_registers);
        let module = self.module()?;
        let mut compiled = heddle_kernel::compile_module(&module, Some(name), options)
            .map_err(|e| RunError::Compile { message: e.to_string() })?;
        limits.reserve(&mut compiled.allocated, self.max_registers);
        if let Host::Made(made) = &self.host {
            made.plant(&mut compiled.allocated);
        }
        let executable = heddle_passes::build_executable(Arc::new(compiled.allocated), self.needs)
            .map_err(|e| RunError::Compile { message: e.to_string() })?;
        // Passes keep instructions and their order.
        let (passed, origins) = (executable.program.instrs.len(), compiled.origins.len());
        if passed != origins {
            let what = "the passes changed the number of instructions, which is a defect of Heddle";
            return Err(RunError::Compile { message: format!("{name}: {what}: {origins} to {passed}") });
        }
        let parsed = Arc::new(compiled.parsed);
        let entry = Entry {
            ordered: compiled.ordered.map_or_else(|| Arc::clone(&parsed), Arc::new),
            parsed,
            executable: Arc::new(executable),
            origins: Arc::from(compiled.origins),
        };
        self.entries.insert(entry.parsed.name.clone(), entry.clone());
        Ok(entry)
    }
}

impl Run {
    fn instance(&mut self) -> &mut dyn Instance {
        match self {
            Self::Instance(instance) => instance.as_mut(),
            Self::File(run) => run.as_mut(),
        }
    }
}

impl HostSide {
    /// Runs the host code up to the next launch.
    ///
    /// # Errors
    /// [`RunError::Kernel`] when the host code finds memory in a state that it cannot go on from.
    pub fn next_launch(&mut self) -> Result<Option<Launch>, RunError> {
        self.run
            .instance()
            .next_launch(&mut self.memory)
            .map_err(|e| RunError::Kernel { message: e.to_string() })
    }

    /// Compares the outputs with the CPU reference and returns the elements compared.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&mut self) -> Result<u64, CheckFailure> {
        self.run.instance().check(&self.memory).map(|c| c.words)
    }

    /// Writes the buffers that a launch file wants to have written, and returns the files.
    ///
    /// # Errors
    /// [`RunError::Output`] with the file that cannot be written, [`RunError::Kernel`] where memory refuses a
    /// read.
    pub fn write_outputs(&self) -> Result<Vec<PathBuf>, RunError> {
        match &self.run {
            Run::Instance(_) => Ok(Vec::new()),
            Run::File(run) => run.write_outputs(&self.memory).map_err(|e| match e {
                WorkloadError::Output { path, reason } => RunError::Output { path, message: reason },
                other => RunError::Kernel { message: other.to_string() },
            }),
        }
    }

    /// The machine's memory, taken out while a launch runs on it.
    pub fn take_memory(&mut self) -> DeviceMemory {
        std::mem::take(&mut self.memory)
    }
}
