//! Known lifetimes: a run of the cycle model before finds out how often each address of shared memory is read.

use std::sync::Arc;

use heddle_config::Override;
use heddle_isa::{Executable, KernelLaunch};
use heddle_mem::{KnownReads, kind};
use heddle_sm::{Observer, PerformedEvent, Stop};

use super::{Session, Work};
use crate::control::Control;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::spec::{Engine, RunSpec};

/// Key of the preset that asks for it.
const KEY: &str = "shared_memory.known_lifetimes";

/// What is known of each launch.
#[derive(Debug, Clone, Default)]
struct Recorder {
    launches: Vec<KnownReads>,
}

impl LaunchObserver for Recorder {
    fn launched(&mut self, _: &Executable, _: &KernelLaunch) {
        self.launches.push(KnownReads::default());
    }
}

impl Observer for Recorder {
    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        let Some(known) = self.launches.last_mut() else { return Ok(()) };
        for lane in event.shared.lanes() {
            let offset = event.addresses[lane] as u32;
            if event.kind != kind::WRITE {
                known.read(event.cta, offset, event.bytes);
            }
            if event.kind != kind::READ {
                known.write(event.cta, offset, event.bytes);
            }
        }
        Ok(())
    }
}

impl Session {
    /// Where the preset asks for known lifetimes: runs all launches once with the cycle model and the usual
    /// replacement.
    ///
    /// # Errors
    /// As a run; [`RunError::Usage`] for a design without a cache of shared memory, with RTL in the loop, without
    /// locks, or for a trace.
    pub(super) fn find_lifetimes(&mut self, control: &mut dyn Control) -> Result<(), RunError> {
        if !self.design.preset.shared_memory.known_lifetimes || !self.lifetimes.is_empty() {
            return Ok(());
        }
        let refuse = |why: &str| Err(RunError::usage(format!("{KEY} = true {why}")));
        if self.spec.engine == Engine::Cosim {
            return refuse("is a cycle model without RTL: `sim` runs it, `cosim` cannot");
        }
        if !self.design.manifest.memory_port.shared {
            return refuse(&format!(
                "is for a cache of shared memory; design '{}' has none",
                self.spec.design
            ));
        }
        if self.design.preset.shared_memory.reads_to_unlock == 0 {
            return refuse("needs locks: set shared_memory.reads_to_unlock above 0");
        }
        if matches!(self.work, Work::Trace(_)) {
            return refuse("takes kernels, not traces");
        }
        control.stage("finding the lifetimes of the addresses of shared memory");
        let setting = Override { key: KEY.to_owned(), value: "false".to_owned() };
        let mut spec = RunSpec { waves: None, fault: None, ..self.spec.clone() };
        spec.overrides.push(setting);
        let mut recorder = Recorder::default();
        Session::new(spec)?.observe(control, &mut recorder)?;
        self.lifetimes = recorder.launches.into_iter().map(Arc::new).collect();
        Ok(())
    }
}
