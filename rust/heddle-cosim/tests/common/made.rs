//! Kernels in PTX that stand in the tests, with their host code.

use std::fmt;
use std::sync::Arc;

use heddle_cosim::{Engine, Kernel, MadeKernel, RunError, RunReport, RunSpec, Session};
use heddle_workloads::Instance;
use heddle_workloads::buffers::Host;
use heddle_workloads::script::Script;

/// Names the host code in messages.
pub const HOST: Host = Host { workload: "made" };

/// PTX and host code, which also says what must come out.
#[derive(Clone)]
pub struct Made {
    ptx: String,
    script: Arc<dyn Fn() -> Script + Send + Sync>,
}

impl fmt::Debug for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.ptx)
    }
}

impl MadeKernel for Made {
    fn name(&self) -> String {
        HOST.workload.to_owned()
    }

    fn ptx(&self) -> String {
        self.ptx.clone()
    }

    fn instance(&self, _seed: u64) -> Box<dyn Instance> {
        Box::new((self.script)())
    }
}

impl Made {
    pub fn new(ptx: impl Into<String>, script: impl Fn() -> Script + Send + Sync + 'static) -> Self {
        Self { ptx: ptx.into(), script: Arc::new(script) }
    }

    pub fn run(&self, design: &str, engine: Engine, registers: u32) -> Result<RunReport, RunError> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let kernel = Kernel::Made(Arc::new(self.clone()));
        let mut spec = RunSpec::new(crate::common::root(), design, kernel, engine);
        spec.results = folder.path().to_owned();
        spec.max_registers = registers;
        Session::new(spec).and_then(|mut session| session.run(&mut ()))
    }

    /// As parsed and as allocated, with many registers and with few, on the golden machine and behind the RTL of
    /// two designs, `words` elements come out as the host code wants them.
    pub fn passes(&self, words: usize) {
        for (design, registers) in [("baseline", 255), ("ltrf", 255), ("ltrf", 16)] {
            let report = self
                .run(design, Engine::Cosim, registers)
                .unwrap_or_else(|e| panic!("{design}, {registers} registers: {e}\n{self:?}"));
            assert!(report.ok, "{design}");
            assert_eq!(report.reference_words_compared, Some(words as u64), "{design}");
        }
    }

    /// The kernel is told to do wrong, with the golden machine and without, in a message with all of `parts`.
    pub fn fails(&self, parts: &[&str]) {
        for engine in [Engine::Cosim, Engine::Sim] {
            match self.run("baseline", engine, 255) {
                Err(RunError::Kernel { message }) => {
                    for part in parts {
                        assert!(message.contains(part), "{engine:?}: '{part}' is not in: {message}");
                    }
                }
                other => panic!("{engine:?}: {other:?}\n{self:?}"),
            }
        }
    }
}
