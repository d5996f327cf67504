//! Whether what the allocated program is refused is refused to the program as parsed too.

use heddle_isa::Pc;
use heddle_port::LaneMask;

use super::error::ReplayError;
use super::{Replay, Step};
use crate::access::perform;
use crate::env::Checks;
use crate::error::GoldenError;
use crate::expected::Expected;

/// Most instructions that the program as parsed executes to come to where the allocated program is refused.
const MOST_STEPS: u32 = 1 << 20;

impl Replay {
    /// The same with the checks of a machine that executes, registers apart: what the allocated program is refused is
    /// to be judged by [`Replay::refuses_too`].
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.golden = self.golden.with_checks(Checks { undefined_registers: false, ..checks });
        self.judges = true;
        self
    }

    /// Whether it can judge what is refused.
    #[must_use]
    pub fn judges(&self) -> bool {
        self.judges
    }

    /// The allocated program's machine refuses with `error`: an instruction that is issued, or `lanes` of `access`,
    /// which are to be performed. Whether the program as parsed, in the same order of accesses up to there, is refused
    /// the same, of the same thread at the same instruction. The replay cannot go on after that.
    ///
    /// # Errors
    /// The program as parsed does something else.
    pub fn refuses_too(
        &mut self,
        error: &GoldenError,
        access: Option<(&Expected, LaneMask)>,
    ) -> Result<bool, ReplayError> {
        let found = match access {
            Some((e, lanes)) => self.perform_refused(e, lanes),
            None => self.execute_refused(error),
        };
        match found {
            Err(ReplayError::Refused(own)) => Ok(self.is_the_same(&own, error)),
            Err(other) => Err(other),
            Ok(()) => Ok(false),
        }
    }

    /// The program as parsed makes the access that is refused.
    fn perform_refused(&mut self, e: &Expected, lanes: LaneMask) -> Result<(), ReplayError> {
        self.refused(e)?;
        let Some(Some(origin)) = self.origins.get(e.pc.index()).copied() else { return Ok(()) };
        let Some(at) = self.ctas.iter().position(|c| c.state.number == e.cta) else { return Ok(()) };
        let cta = &mut self.ctas[at];
        let Ok(parsed) = cta.warps[e.warp_in_cta as usize].at(origin) else { return Ok(()) };
        let mut parsed = Box::new(parsed.clone());
        perform(&self.golden.env, &mut cta.state, &mut self.golden.memory, &mut parsed, lanes)?;
        Ok(())
    }

    /// The warp of the program as parsed goes as far as it can. What it has not loaded has no part in what is refused:
    /// the allocated program was refused without it.
    fn execute_refused(&mut self, error: &GoldenError) -> Result<(), ReplayError> {
        self.go_on()?;
        let Some(site) = error.site() else { return Ok(()) };
        let warp = site.warp as usize;
        let Some(at) = self.ctas.iter().position(|c| c.state.number == site.cta) else { return Ok(()) };
        let cta = &mut self.ctas[at];
        cta.without_values = true;
        for _ in 0..MOST_STEPS {
            if cta.state.warps[warp].waiting.is_none() {
                if cta.step(&mut self.golden, &self.kept, warp)? == Step::Blocked {
                    return Ok(());
                }
                continue;
            }
            // The others come to its barrier.
            let mut moved = false;
            for other in (0..cta.warps.len()).filter(|other| *other != warp) {
                moved |= cta.step(&mut self.golden, &self.kept, other)? == Step::Done;
            }
            if !moved {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether two refusals are the same, `own` one of the program as parsed, `other` one of the allocated program.
    fn is_the_same(&self, own: &GoldenError, other: &GoldenError) -> bool {
        let (Some(a), Some(b)) = (own.site(), other.site()) else { return false };
        let origin: Option<Pc> = self.origins.get(b.pc.index()).copied().flatten();
        (a.cta, a.warp, a.lane, Some(a.pc)) == (b.cta, b.warp, b.lane, origin) && own.says_the_same(other)
    }
}
