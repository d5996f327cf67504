//! One CTA of the program as parsed, step by step.

use super::error::ReplayError;
use super::warp::ReplayWarp;
use crate::access::perform;
use crate::cta::Cta;
use crate::env::Env;
use crate::expected::Expected;
use crate::machine::Golden;
use crate::site::AccessKind;
use crate::step::step;
use crate::warp::merge;

/// A CTA of the program as parsed.
#[derive(Debug)]
pub(super) struct ReplayCta {
    pub state: Cta,
    pub warps: Vec<ReplayWarp>,
    /// The allocated program's CTA has ended.
    pub ended: bool,
    /// Events of it that wait.
    pub waiting: usize,
    /// Loads that the allocated program has not performed hold up no warp.
    pub without_values: bool,
    /// A record to use again.
    spare: Option<Box<Expected>>,
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// One instruction was executed.
    Done,
    /// The warp has ended, stands at a barrier, or needs an access that the allocated program has not made.
    Blocked,
}

impl ReplayCta {
    /// A CTA that starts.
    pub fn new(state: Cta) -> Self {
        let warps = state.warps.iter().map(|_| ReplayWarp::default()).collect();
        Self { state, warps, ended: false, waiting: 0, without_values: false, spare: None }
    }

    /// One instruction of warp `index`, if it can be executed.
    pub fn step(&mut self, golden: &mut Golden, kept: &[bool], index: usize) -> Result<Step, ReplayError> {
        let mut e = match self.warps[index].held.take() {
            Some(e) => e,
            None => {
                let warp = &self.state.warps[index];
                if warp.waiting.is_some() || warp.stack.is_done() {
                    return Ok(Step::Blocked);
                }
                let mut e = self.spare.take().unwrap_or_default();
                step(&golden.env, &mut self.state, index, &mut e)?;
                if e.kind == AccessKind::None || e.exec.is_empty() {
                    self.spare = Some(e);
                    return Ok(Step::Done);
                }
                let own = e.exec & e.spaces.local;
                if !own.is_empty() {
                    perform(&golden.env, &mut self.state, &mut golden.memory, &mut e, own)?;
                }
                e
            }
        };
        let others = e.seen_by_others();
        if others.is_empty() {
            self.write(&golden.env, index, &e);
            return Ok(Step::Done);
        }
        if !kept.get(e.pc.index()).copied().unwrap_or(false) {
            if e.kind != AccessKind::Load {
                let at = golden.env.site(self.state.number, index as u32, None, e.pc);
                return Err(ReplayError::Dropped { at, kind: e.kind });
            }
            // A load whose result nobody needs has no place in the order.
            perform(&golden.env, &mut self.state, &mut golden.memory, &mut e, others)?;
            self.write(&golden.env, index, &e);
            return Ok(Step::Done);
        }
        self.issue(&golden.env, index, e)
    }

    /// The program as parsed comes to an access that the allocated program has too.
    fn issue(&mut self, env: &Env, index: usize, mut e: Box<Expected>) -> Result<Step, ReplayError> {
        let others = e.seen_by_others();
        let loads = env.decoded[e.pc.index()].num_dsts > 0;
        let warp = &mut self.warps[index];
        let number = warp.stepped;
        let Some(known) = warp.known(number) else {
            warp.held = Some(e);
            return Ok(Step::Blocked);
        };
        let site = |pc| env.site(self.state.number, index as u32, None, pc);
        if known.pc != e.pc {
            return Err(ReplayError::Other { at: site(e.pc), allocated: site(known.pc) });
        }
        if known.lanes != others {
            return Err(ReplayError::Lanes { at: site(e.pc), parsed: others, allocated: known.lanes });
        }
        if loads && known.performed != known.lanes && !self.without_values {
            warp.held = Some(e);
            return Ok(Step::Blocked);
        }
        for (to, from) in e.results.values.iter_mut().zip(&known.loaded) {
            merge(to, from, others);
        }
        warp.stepped += 1;
        self.write(env, index, &e);
        if let Some(known) = self.warps[index].known(number) {
            known.issued = Some(e);
        }
        Ok(Step::Done)
    }

    /// Writes what an access brought to the warp's registers.
    fn write(&mut self, env: &Env, index: usize, e: &Expected) {
        let decoded = &env.decoded[e.pc.index()];
        for slot in 0..usize::from(decoded.num_dsts) {
            self.state.warps[index].write(decoded.dsts[slot], &e.results.values[slot], e.exec);
        }
    }
}
