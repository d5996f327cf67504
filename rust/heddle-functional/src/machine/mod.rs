//! The golden machine in lock-step with a machine under test.

mod in_flight;
mod l1s;
mod view;

use std::sync::Arc;

use heddle_isa::{
    AccessError, DeviceMemory, KernelLaunch, Pc, Program, copy_constants, place_grid_workspace,
};
use heddle_port::{LaneMask, Tag};

use self::in_flight::{deliver, open_access, supersede};
use crate::access::perform;
use crate::cta::Cta;
use crate::env::{Checks, Env};
use crate::error::GoldenError;
use crate::expected::{Expected, ExpectedAccess};
use crate::l1_views::L1Views;
use crate::order::violation;
use crate::site::AccessKind;
use crate::step::step;
use crate::warp::Warp;

/// The golden machine of one kernel launch.
#[derive(Debug, Clone)]
pub struct Golden {
    pub(crate) env: Env,
    pub(crate) memory: DeviceMemory,
    /// CTAs that a whole run keeps resident at once.
    pub(crate) residency: usize,
    /// CTAs that have started and not finished.
    ctas: Vec<Cta>,
    /// By tag: instructions in flight.
    in_flight: Vec<Option<Box<Expected>>>,
    /// Records to use again.
    #[expect(clippy::vec_box, reason = "records move between here and in_flight")]
    free: Vec<Box<Expected>>,
    /// Of the CTAs that have finished.
    pub(crate) equal_shared_writes: u64,
    /// What the L1s hold, where there are many SMs.
    l1_views: Option<L1Views>,
}

impl Golden {
    /// A machine at the start of a kernel, with its own copy of global memory.
    ///
    /// # Errors
    /// A launch without threads, with too many, or with too few parameter bytes; a program that names
    /// registers, predicates or targets that it does not have.
    pub fn new(
        program: Arc<Program>,
        launch: &KernelLaunch,
        mut memory: DeviceMemory,
    ) -> Result<Self, GoldenError> {
        let env = Env::new(program, launch)?;
        let fail = |error: AccessError| GoldenError::Launch { what: error.to_string() };
        copy_constants(&env.constants, &mut memory).map_err(fail)?;
        if launch.cooperative {
            place_grid_workspace(&mut memory).map_err(fail)?;
        }
        Ok(Self {
            env,
            memory,
            residency: 1,
            ctas: Vec::new(),
            in_flight: Vec::new(),
            free: Vec::new(),
            equal_shared_writes: 0,
            l1_views: None,
        })
    }

    /// The same machine with other checks; before the first CTA starts.
    #[must_use]
    pub fn with_checks(mut self, checks: Checks) -> Self {
        self.env.checks = checks;
        self
    }

    /// The same machine with the compiler's dead-source bits, by instruction: what a source slot
    /// holds is without value, in all lanes of the warp, until it is written again.
    #[must_use]
    pub fn with_dead_sources(mut self, dead_sources: Vec<u8>) -> Self {
        self.env.dead_sources = dead_sources;
        self
    }

    /// The checks in force.
    #[must_use]
    pub fn checks(&self) -> Checks {
        self.env.checks
    }

    /// Starts CTA number `cta`: all its warps stand at the first instruction.
    ///
    /// # Errors
    /// The CTA is not in the grid or is running.
    pub fn start_cta(&mut self, cta: u64) -> Result<(), GoldenError> {
        self.start_cta_on(cta, 0)
    }

    /// The same on SM `sm`.
    ///
    /// # Errors
    /// As [`Golden::start_cta`].
    pub fn start_cta_on(&mut self, cta: u64, sm: usize) -> Result<(), GoldenError> {
        let fail = |what: String| Err(GoldenError::Cta { cta, what });
        let grid = self.env.launch.num_ctas();
        if cta >= grid {
            return fail(format!("started, but the grid has {grid} CTAs"));
        }
        if self.ctas.iter().any(|c| c.number == cta) {
            return fail("started while it is running".to_owned());
        }
        self.ctas.push(Cta { sm, ..Cta::new(&self.env, cta) });
        Ok(())
    }

    fn find(&self, cta: u64, warp_in_cta: u32) -> Result<usize, GoldenError> {
        let fail = |what: String| GoldenError::Cta { cta, what };
        let slot = self
            .ctas
            .iter()
            .position(|c| c.number == cta)
            .ok_or_else(|| fail("is not running".to_owned()))?;
        let warps = self.ctas[slot].warps.len();
        if warp_in_cta as usize >= warps {
            return Err(fail(format!("has {warps} warps, so no warp {warp_in_cta}")));
        }
        Ok(slot)
    }

    fn warp(&self, cta: u64, warp_in_cta: u32) -> Result<&Warp, GoldenError> {
        let slot = self.find(cta, warp_in_cta)?;
        Ok(&self.ctas[slot].warps[warp_in_cta as usize])
    }

    /// The next instruction of a warp and the lanes that are at it; `None` when the warp has ended.
    ///
    /// # Errors
    /// The CTA is not running or has no such warp.
    pub fn next(&self, cta: u64, warp_in_cta: u32) -> Result<Option<(Pc, LaneMask)>, GoldenError> {
        let stack = &self.warp(cta, warp_in_cta)?.stack;
        Ok((!stack.is_done()).then(|| (stack.pc(), stack.mask())))
    }

    /// The barrier at which a warp waits.
    ///
    /// # Errors
    /// The CTA is not running or has no such warp.
    pub fn waits_at(&self, cta: u64, warp_in_cta: u32) -> Result<Option<u8>, GoldenError> {
        Ok(self.warp(cta, warp_in_cta)?.waiting)
    }

    /// Lanes of each predicate register of a warp.
    ///
    /// # Errors
    /// The CTA is not running or has no such warp.
    pub fn predicates(&self, cta: u64, warp_in_cta: u32) -> Result<&[u32], GoldenError> {
        Ok(&self.warp(cta, warp_in_cta)?.preds)
    }

    /// Steps one warp instruction in program order, at the moment the machine under test issues it
    /// under `tag`. Arithmetic results are there at once; the destinations of a load or atomic are
    /// pending until [`Golden::performed`]. Every issued instruction, control included, ends with
    /// [`Golden::retire`].
    ///
    /// # Errors
    /// Everything that is wrong with the instruction or with issuing it now: pending or undefined
    /// operands, a barrier not passed, a tag in use, a warp that has ended.
    pub fn issue(&mut self, cta: u64, warp_in_cta: u32, tag: Tag) -> Result<&Expected, GoldenError> {
        let slot = self.find(cta, warp_in_cta)?;
        let index = warp_in_cta as usize;
        let warp = &self.ctas[slot].warps[index];
        let pc = warp.stack.pc();
        if warp.stack.is_done() {
            return Err(GoldenError::Cta {
                cta,
                what: format!("an instruction is issued for warp {warp_in_cta}, which has ended"),
            });
        }
        if let Some(barrier) = warp.waiting {
            return Err(GoldenError::EarlyPass {
                at: self.env.site(cta, warp_in_cta, None, pc),
                barrier,
                missing: self.ctas[slot].missing(barrier),
            });
        }
        if self.in_flight.len() <= tag.index() {
            self.in_flight.resize_with(tag.index() + 1, || None);
        }
        if let Some(owner) = &self.in_flight[tag.index()] {
            return Err(GoldenError::TagInUse {
                at: self.env.site(cta, warp_in_cta, None, pc),
                tag,
                owner: self.env.site(owner.cta, owner.warp_in_cta, None, owner.pc),
            });
        }
        self.fence_waits(slot, warp_in_cta, pc)?;
        let mut expected = self.free.pop().unwrap_or_default();
        let state = &mut self.ctas[slot];
        let superseding =
            self.env.decoded.get(pc.index()).map_or(&[][..], |d| &d.dsts[..usize::from(d.num_dsts)]);
        step(&self.env, state, index, &mut expected)?;
        supersede(state, index, superseding, expected.exec);
        if let Some(views) = &mut self.l1_views
            && !expected.exec.is_empty()
            && let Some(instr) = self.env.program.instrs.get(pc.index())
            && let Some(fences) = views.pass(state.sm, &instr.op)
        {
            state.warps[index].l1_fences = fences;
        }
        if expected.kind != AccessKind::None && !expected.exec.is_empty() {
            open_access(&self.env, state, index, tag, &expected);
        }
        Ok(self.in_flight[tag.index()].insert(expected))
    }

    /// What is expected of the instruction in flight under `tag`.
    #[must_use]
    pub fn expected(&self, tag: Tag) -> Option<&Expected> {
        self.in_flight.get(tag.index())?.as_deref()
    }

    /// The memory access of `tag` takes its place in the order for `lanes`: it is checked against the
    /// order rules and performed on the golden memory, lanes ascending.
    ///
    /// # Errors
    /// Lanes that the instruction does not access or that were performed before, a broken order rule,
    /// and what is wrong with the access itself (bounds, alignment, no value, race).
    pub fn performed(&mut self, tag: Tag, lanes: LaneMask) -> Result<ExpectedAccess, GoldenError> {
        let mut e = self
            .in_flight
            .get_mut(tag.index())
            .and_then(Option::take)
            .ok_or(GoldenError::UnknownTag { event: "memory access performed", tag })?;
        let result = self.perform_checked(tag, lanes, &mut e);
        self.in_flight[tag.index()] = Some(e);
        result
    }

    fn perform_checked(
        &mut self,
        tag: Tag,
        lanes: LaneMask,
        e: &mut Expected,
    ) -> Result<ExpectedAccess, GoldenError> {
        let env = &self.env;
        let slot = self.ctas.iter().position(|c| c.number == e.cta).ok_or_else(|| GoldenError::Cta {
            cta: e.cta,
            what: "a memory access is performed, but it is not running".to_owned(),
        })?;
        let cta = &mut self.ctas[slot];
        let at = |lane| env.site(e.cta, e.warp_in_cta, lane, e.pc);
        let accessing = if e.kind == AccessKind::None { LaneMask::NONE } else { e.exec };
        for (wrong, why) in
            [(lanes & !accessing, "do not access memory"), (lanes & e.performed, "were performed before")]
        {
            if !wrong.is_empty() {
                return Err(GoldenError::WrongLanes { at: at(None), lanes, wrong, why });
            }
        }
        let position = cta.open.iter().position(|a| a.tag == tag);
        if let Some(position) = position {
            let this = cta.open[position];
            let in_flight = &self.in_flight;
            let decoded = &env.decoded;
            let look = |t: Tag| {
                if t == tag { Some(&*e) } else { in_flight.get(t.index())?.as_deref() }
            };
            let bytes = |x: &Expected| {
                let d = &decoded[x.pc.index()];
                u64::from(d.bytes) * u64::from(d.elements)
            };
            if let Some((earlier, lane, rule)) = violation(&cta.open, &this, lanes, look, bytes) {
                return Err(GoldenError::Order {
                    at: at(lane),
                    earlier: env.site(e.cta, earlier.warp, lane, earlier.pc),
                    rule,
                });
            }
        }
        perform(env, cta, &mut self.memory, e, lanes)?;
        if let Some(views) = &mut self.l1_views {
            let fences = cta.warps[e.warp_in_cta as usize].l1_fences;
            views.performed((cta.sm, fences), env, &self.memory, e, lanes)?;
        }
        if let Some(position) = position {
            deliver(cta, position, e, lanes);
        }
        Ok(e.access(lanes))
    }

    /// All results of the instruction of `tag` are written; the tag may be used again.
    ///
    /// # Errors
    /// The tag is not in flight, or lanes of its access are not performed.
    pub fn retire(&mut self, tag: Tag) -> Result<(), GoldenError> {
        let e = self
            .in_flight
            .get_mut(tag.index())
            .and_then(Option::take)
            .ok_or(GoldenError::UnknownTag { event: "retirement", tag })?;
        let lanes = e.exec & !e.performed;
        if e.kind != AccessKind::None && !lanes.is_empty() {
            return Err(GoldenError::NotPerformed {
                at: self.env.site(e.cta, e.warp_in_cta, None, e.pc),
                lanes,
            });
        }
        self.free.push(e);
        Ok(())
    }

    /// CTA number `cta` has ended on the machine under test.
    ///
    /// # Errors
    /// The CTA is not running, a warp has not ended, or an instruction is in flight.
    pub fn finish_cta(&mut self, cta: u64) -> Result<(), GoldenError> {
        let slot = self.find(cta, 0)?;
        let unfinished = |what: String| Err(GoldenError::Unfinished { cta, what });
        let running = self.ctas[slot].warps.iter().position(|w| !w.stack.is_done());
        if let Some(warp) = running {
            let pc = self.ctas[slot].warps[warp].stack.pc();
            return unfinished(format!(
                "a warp has not ended: {}",
                self.env.site(cta, warp as u32, None, pc)
            ));
        }
        let open = self.in_flight.iter().flatten().find(|e| e.cta == cta);
        if let Some(e) = open {
            return unfinished(format!(
                "an instruction has not retired: {}",
                self.env.site(e.cta, e.warp_in_cta, None, e.pc)
            ));
        }
        self.equal_shared_writes += self.ctas[slot].equal_writes();
        self.ctas.swap_remove(slot);
        Ok(())
    }
}
