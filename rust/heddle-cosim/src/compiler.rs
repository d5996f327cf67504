//! The compiler under judgement: what the program as parsed and the allocated program leave in memory is equal, or
//! both make the same accesses in the same order.

use std::ops::Range;
use std::sync::Arc;

use heddle_functional::{Checks, Expected, Golden, GoldenError, Halt, RaceRule, Replay, ReplayError, Watch};
use heddle_isa::{DeviceMemory, KernelLaunch, Program};
use serde::Serialize;

use crate::check::finish::same_memory;
use crate::check::refusal::golden_fault;
use crate::control::Control;
use crate::error::RunError;
use crate::kernel::Entry;
use crate::mismatch::{Check, Mismatch, Place};

/// Both sides of a comparison of the compiler.
pub const SIDES: [&str; 2] = ["the program as parsed", "the allocated program"];

/// How the compiler was judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compiler {
    /// The program as parsed, run freely, left the same memory after every launch.
    Equal,
    /// After some launch it did not: there the result depends on the order of accesses. Run again in the order of
    /// the allocated program it made the same accesses and left the same memory.
    Replayed,
}

/// How the compiler was judged, and on how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Judgement {
    /// The weaker way of the launches so far.
    pub how: Option<Compiler>,
    /// Words compared: of final memory, and of accesses.
    pub words: u64,
}

impl Judgement {
    /// A launch was judged.
    pub fn add(&mut self, how: Compiler, words: u64) {
        self.how = self.how.max(Some(how));
        self.words += words;
    }
}

/// The mismatch that a replay has found in launch `launch` at cycle `cycle` of the run.
#[must_use]
pub fn difference(error: &ReplayError, launch: u32, cycle: u64) -> Mismatch {
    let mut place = Place { launch, cycle, ..Place::default() };
    if let Some(site) = error.site() {
        place.cta = Some(site.cta);
        place.lane = site.lane.and_then(|lane| u8::try_from(lane).ok());
        place.source = Some(format!("{}:{}:{}", site.file, site.line, site.column));
        place.source_text = Some(site.text.clone());
    }
    let what =
        format!("in the same order of accesses {} does not do what {} does: {error}", SIDES[1], SIDES[0]);
    Mismatch::new(Check::Compiler, place, what)
}

/// A launch that golden machines run without timing.
pub struct Alone<'a> {
    /// Both programs.
    pub entry: &'a Entry,
    /// The launch.
    pub launch: &'a KernelLaunch,
    /// Its number.
    pub number: u32,
    /// CTAs that are resident at once.
    pub residency: u32,
    /// Which races on shared memory are errors.
    pub races: RaceRule,
}

/// Drives a replay with the accesses of a run.
struct Driver {
    replay: Replay,
    failure: Option<ReplayError>,
}

impl Driver {
    fn note(&mut self, result: Result<(), ReplayError>) -> Result<(), Halt> {
        result.map_err(|failure| {
            self.failure = Some(failure);
            Halt
        })
    }
}

impl Watch for Driver {
    fn started(&mut self, cta: u64) -> Result<(), Halt> {
        self.replay.started(cta);
        Ok(())
    }

    fn performed(&mut self, access: &Expected) -> Result<(), Halt> {
        let result = self.replay.executed(access);
        self.note(result)
    }

    fn refused(&mut self, access: &Expected) {
        self.failure = self.replay.refused(access).err();
    }

    fn ended(&mut self, cta: u64) -> Result<(), Halt> {
        let result = self.replay.ended(cta);
        self.note(result)
    }
}

impl Alone<'_> {
    fn ctas(&self) -> Range<u64> {
        0..self.launch.num_ctas()
    }

    fn golden(&self, program: &Arc<Program>, memory: DeviceMemory) -> Result<Golden, GoldenError> {
        let golden = Golden::new(Arc::clone(program), self.launch, memory)?;
        let checks = Checks { races: self.races, ..golden.checks() };
        Ok(golden.with_checks(checks).with_residency(self.residency))
    }

    /// What the program as parsed leaves of `memory`, run freely.
    ///
    /// # Errors
    /// What the kernel does wrong.
    pub fn parsed(
        &self,
        memory: DeviceMemory,
        limit: Option<u64>,
        control: &dyn Control,
    ) -> Result<DeviceMemory, GoldenError> {
        let mut golden = self.golden(&self.entry.parsed, memory)?;
        golden.run_watched(self.ctas(), limit, &mut || !control.interrupted(), &mut ())?;
        Ok(golden.into_memory())
    }

    /// Judges what the allocated program made of memory that was `before`; the program as parsed left `parsed`. The
    /// way, and the words compared.
    ///
    /// # Errors
    /// The mismatch; or why the allocated program failed, where the compiler is not to blame.
    pub fn judge(
        &self,
        before: DeviceMemory,
        parsed: &DeviceMemory,
        allocated: Result<&DeviceMemory, RunError>,
        control: &dyn Control,
    ) -> Result<(Compiler, u64), RunError> {
        let place = Place { launch: self.number, ..Place::default() };
        if let Ok(memory) = allocated
            && let Ok(words) = same_memory(parsed, memory, Check::Compiler, SIDES, place.clone())
        {
            return Ok((Compiler::Equal, words));
        }
        let origins = Arc::clone(&self.entry.origins);
        let replay = Replay::new(Arc::clone(&self.entry.ordered), self.launch, before.clone(), origins);
        let mut driver = Driver { replay: replay.map_err(|e| golden_fault(&e))?, failure: None };
        let golden = self.golden(&self.entry.executable.program, before);
        let mut golden = golden.map_err(|e| golden_fault(&e))?;
        let run = golden.run_watched(self.ctas(), None, &mut || !control.interrupted(), &mut driver);
        let failed = |error: &ReplayError| RunError::from(difference(error, self.number, 0));
        if let Some(failure) = &driver.failure {
            return Err(failed(failure));
        }
        allocated?;
        run.map_err(|e| golden_fault(&e))?;
        let words = driver.replay.words_compared();
        let memory = driver.replay.finish().map_err(|e| failed(&e))?;
        let of_memory = same_memory(&memory, golden.memory(), Check::Compiler, SIDES, place)?;
        Ok((Compiler::Replayed, words + of_memory))
    }
}
