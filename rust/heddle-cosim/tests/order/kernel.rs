//! A kernel of this folder with its buffers and launches.

use std::path::Path;
use std::sync::Arc;

use heddle_config::Override;
use heddle_cosim::{
    Engine, ExecOptions, ExecReport, Kernel, MadeKernel, RunError, RunReport, RunSpec, Session,
};
use heddle_isa::{DeviceMemory, KernelLaunch, Program};
use heddle_workloads::buffers::{Buffer, Host};
use heddle_workloads::params::ParamBlock;
use heddle_workloads::{CheckFailure, Checked, Instance, Launch, WorkloadError};

const HOST: Host = Host { workload: "order" };

/// An argument of a launch.
#[derive(Debug, Clone, Copy)]
pub enum Arg {
    /// The address of a buffer, by its number.
    Buffer(usize),
    /// A number.
    Word(u32),
}

/// What the buffers must be at the end, or what is wrong with them.
pub type Judge = fn(&[Vec<u32>]) -> Result<(), String>;

/// A kernel, its buffers of words and its launches.
#[derive(Debug, Clone)]
pub struct Order {
    pub entry: &'static str,
    pub grid: u32,
    pub block: u32,
    pub cooperative: bool,
    pub buffers: Vec<Vec<u32>>,
    /// Arguments of each launch.
    pub launches: Vec<Vec<Arg>>,
    pub judge: Judge,
    /// What the first buffer must be at the end, word by word.
    pub expected: Option<Vec<u32>>,
    /// A bug of the compiler.
    pub bug: Option<fn(&mut Program)>,
    pub registers: u32,
    /// Loads begin early while at most so many registers are live.
    pub early_loads: u32,
}

impl MadeKernel for Order {
    fn name(&self) -> String {
        self.entry.to_owned()
    }

    fn ptx(&self) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/order/kernels");
        std::fs::read_to_string(folder.join(self.entry).with_extension("ptx")).expect("the kernel")
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        Box::new(Run { kernel: self.clone(), buffers: Vec::new(), done: 0 })
    }

    fn plant(&self, allocated: &mut Program) {
        if let Some(bug) = self.bug {
            bug(allocated);
        }
    }
}

struct Run {
    kernel: Order,
    buffers: Vec<Buffer>,
    done: usize,
}

impl Instance for Run {
    fn set_up(&mut self, memory: &mut DeviceMemory) -> Result<(), WorkloadError> {
        const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];
        for (name, words) in NAMES.into_iter().zip(&self.kernel.buffers) {
            self.buffers.push(HOST.upload(memory, name, words)?);
        }
        Ok(())
    }

    fn next_launch(&mut self, _memory: &mut DeviceMemory) -> Result<Option<Launch>, WorkloadError> {
        let Some(args) = self.kernel.launches.get(self.done) else { return Ok(None) };
        self.done += 1;
        let params = args.iter().fold(ParamBlock::new(), |block, arg| match arg {
            Arg::Buffer(number) => block.pointer(self.buffers[*number].address),
            Arg::Word(word) => block.u32(*word),
        });
        let launch = KernelLaunch {
            grid: [self.kernel.grid, 1, 1],
            block: [self.kernel.block, 1, 1],
            params: params.finish(),
            cooperative: self.kernel.cooperative,
            ..KernelLaunch::default()
        };
        Ok(Some(Launch { entry: self.kernel.entry.into(), launch }))
    }

    fn check(&self, memory: &DeviceMemory) -> Result<Checked, CheckFailure> {
        let mut contents: Vec<Vec<u32>> = Vec::new();
        for &buffer in &self.buffers {
            contents.push(HOST.read(memory, buffer).map_err(|_| HOST.unchecked())?);
        }
        let wrong = |what| CheckFailure::Property {
            workload: self.kernel.entry.to_owned(),
            buffer: "buffers".to_owned(),
            what,
        };
        if let Some(expected) = &self.kernel.expected {
            HOST.expect(memory, self.buffers[0], expected)?;
        }
        (self.kernel.judge)(&contents).map_err(wrong)?;
        let words = contents.iter().map(|words| words.len() as u64).sum();
        Ok(Checked { words, exact: true, bound: None })
    }
}

impl Order {
    /// A run of it.
    pub fn spec_of(&self, design: &str, engine: Engine) -> RunSpec {
        let kernel = Kernel::Made(Arc::new(self.clone()));
        let mut spec = RunSpec::new(crate::common::root(), design, kernel, engine);
        spec.max_registers = self.registers;
        let early = Override { key: "compiler.early_loads".to_owned(), value: self.early_loads.to_string() };
        spec.overrides.push(early);
        spec
    }

    fn spec(&self, design: &str, engine: Engine) -> (RunSpec, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut spec = self.spec_of(design, engine);
        spec.results = folder.path().to_owned();
        (spec, folder)
    }

    /// On the golden machine alone.
    pub fn exec(&self) -> Result<ExecReport, RunError> {
        let (spec, _folder) = self.spec("baseline", Engine::Sim);
        heddle_cosim::exec(&spec, ExecOptions::default(), &mut ())
    }

    /// With the machines of `engine`.
    pub fn run(&self, design: &str, engine: Engine) -> Result<RunReport, RunError> {
        let (spec, _folder) = self.spec(design, engine);
        Session::new(spec).and_then(|mut session| session.run(&mut ()))
    }
}
