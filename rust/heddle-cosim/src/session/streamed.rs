//! Runs of the cycle model that record a functional stream or replay it.

use std::fmt;
use std::hash::{Hash as _, Hasher};

use heddle_isa::{KernelLaunch, Program};
use heddle_sm::CtaChoice;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Session;
use crate::control::Control;
use crate::error::RunError;
use crate::kernel::{Entry, HostSide};
use crate::spec::{Ctas, Engine, Kernel};
use crate::stream::{Functional, Stream};
use crate::totals::Totals;

/// Everything that is hashed or written into it.
struct Into256(Sha256);

impl Hasher for Into256 {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest is taken instead.
    fn finish(&self) -> u64 {
        0
    }
}

impl fmt::Write for Into256 {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Session {
    /// How the last run came to what the CTAs of the other SMs do.
    #[must_use]
    pub fn functional(&self) -> &Functional {
        &self.functional
    }

    /// The stream of the run, where one is asked for and there are CTAs of other SMs.
    pub(super) fn stream(&mut self) -> Result<Option<Stream>, RunError> {
        let Some(streams) = self.spec.streams.clone() else { return Ok(None) };
        let others = self.spec.ctas == Ctas::Share && self.spec.sms < self.design.preset.gpu.sms;
        let kernel = match &self.spec.kernel {
            Kernel::Workload { .. } | Kernel::Made(_) => format!("{:?}", self.spec.kernel),
            Kernel::Input { .. } | Kernel::File { .. } | Kernel::Trace(_) => return Ok(None),
        };
        if !others || self.spec.engine != Engine::Sim {
            return Ok(None);
        }
        let programs = self.programs()?;
        let key = json!({
            "made_by": streams.made_by, "kernel": kernel, "seed": self.spec.seed,
            "ctas": format!("{:?}", self.ctas()), "races": format!("{:?}", self.spec.races),
            "unwritten_shared": self.spec.unwritten_shared, "programs": programs,
        });
        Ok(Some(Stream::new(&streams, &hex(&Sha256::digest(key.to_string())))))
    }

    /// A digest of the compiled programs of all entries.
    fn programs(&mut self) -> Result<String, RunError> {
        let mut hash = Into256(Sha256::new());
        let kernel = self.kernel()?;
        for name in kernel.entries()? {
            match kernel.entry(&name) {
                Ok(entry) => hash_program(&entry.executable.program, &mut hash),
                // It may be one that is not launched; a run that launches it fails there.
                Err(error) => hash.write(error.to_string().as_bytes()),
            }
        }
        Ok(hex(&hash.0.finalize()))
    }

    /// What the CTAs of the other SMs do in a launch: from the stream, where it has it, else by execution.
    pub(super) fn others(
        &self,
        (entry, launch): (&Entry, &KernelLaunch),
        host: &mut HostSide,
        choice: CtaChoice,
        stream: Option<&mut Stream>,
        control: &dyn Control,
    ) -> Result<(), RunError> {
        let Some(stream) = stream else {
            return self.run_others((entry, launch), host, choice, control, &mut ());
        };
        let residency = self.residency(entry, launch)?;
        if stream.replay(&mut host.memory, residency) {
            return Ok(());
        }
        match stream.watch(&entry.executable.program) {
            None => self.run_others((entry, launch), host, choice, control, &mut ()),
            Some(mut watch) => {
                self.run_others((entry, launch), host, choice, control, &mut watch)?;
                stream.record(&host.memory, residency, &watch);
                Ok(())
            }
        }
    }

    /// The result against the reference, where the stream does not say that it is equal.
    pub(super) fn judge_result(
        &self,
        host: &mut HostSide,
        totals: &mut Totals,
        stream: Option<&mut Stream>,
    ) -> Result<(), RunError> {
        match stream.and_then(Stream::compared) {
            Some(words) => totals.referenced(words, self.has_reference()),
            None => self.check_reference(host, totals),
        }
    }
}

/// All of a program that its execution depends on.
fn hash_program(program: &Program, hash: &mut Into256) {
    use fmt::Write as _;
    program.instrs.hash(hash);
    let Program { name, num_regs, num_preds, shared_bytes, local_bytes, constants, globals, params, .. } =
        program;
    // Writing into a digest does not fail.
    let _ = write!(
        hash,
        "{name} {num_regs} {num_preds} {shared_bytes} {local_bytes} {constants:?} {globals:?} {params:?}"
    );
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
