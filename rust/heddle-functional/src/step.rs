//! One warp instruction in program order: registers, predicates and control flow, without memory.

use heddle_isa::exec::{
    AccessSpaces, addresses, barrier_request, execute, guard_mask, plan_texels, store_data,
};
use heddle_isa::{ExecError, Instr, Op, Pc, Texels};
use heddle_port::LaneMask;

use crate::barrier::Earlier;
use crate::cta::Cta;
use crate::decode::{Decoded, Step};
use crate::env::Env;
use crate::error::{GoldenError, OrderRule};
use crate::expected::Expected;
use crate::site::AccessKind;
use crate::warp::Warp;

/// Steps warp `index` of `cta` and writes what it did to `e`. A memory access is left to be performed:
/// `e.kind` tells.
pub(crate) fn step(env: &Env, cta: &mut Cta, index: usize, e: &mut Expected) -> Result<(), GoldenError> {
    let number = cta.number;
    let phase = cta.phase;
    let warp = &mut cta.warps[index];
    let pc = warp.stack.pc();
    let (Some(decoded), Some(instr)) = (env.decoded.get(pc.index()), env.program.instrs.get(pc.index()))
    else {
        return Err(GoldenError::PastEnd {
            at: env.site(number, index as u32, None, pc),
            instructions: env.decoded.len(),
        });
    };
    let active = warp.stack.mask();
    let exec = guard_mask(instr, &warp.preds, active);
    e.cta = number;
    e.warp_in_cta = index as u32;
    e.pc = pc;
    e.active = active;
    e.exec = exec;
    e.kind = AccessKind::None;
    e.performed = LaneMask::NONE;
    e.stale = LaneMask::NONE;
    e.texels = None;
    e.phase = phase;
    e.source_valid = (1 << decoded.num_sources) - 1;
    e.destination_valid = (1 << decoded.num_dsts) - 1;
    e.pred_valid = (1 << instr.pred_dsts.len()) - 1;
    if let Some(slot) = fetch(warp, decoded, exec, e) {
        return Err(unreadable(env, cta, index, e, decoded.sources[slot]));
    }
    if let Some(&dead) = env.dead_sources.get(pc.index()) {
        kill(warp, decoded, dead);
    }
    warp.sequence += 1;
    match decoded.step {
        Step::Execute => {
            if decoded.reads_moment {
                note_moment(warp, instr);
                if instr.op == Op::WarpSync
                    && let Some(earlier) = cta.open.iter().find(|a| a.warp == index as u32)
                {
                    let earlier = Earlier { warp: earlier.warp, pc: earlier.pc };
                    return Err(unordered(env, cta, index, pc, earlier));
                }
            }
            if !exec.is_empty() {
                execute(instr, &e.sources, &warp.preds, &warp.context, exec, &mut e.results).map_err(
                    |source| GoldenError::Exec { at: env.site(number, index as u32, None, pc), source },
                )?;
                for (slot, &dst) in decoded.dsts[..usize::from(decoded.num_dsts)].iter().enumerate() {
                    warp.write(dst, &e.results.values[slot], exec);
                }
                for (&pred, value) in instr.pred_dsts.iter().zip(e.results.preds) {
                    warp.write_pred(pred, value, exec);
                }
            }
            warp.stack.advance();
        }
        Step::Access => {
            e.kind = decoded.kind;
            e.spaces = addresses(instr, &e.sources, &warp.context, exec, &mut e.addresses);
            if decoded.kind != AccessKind::Load {
                store_data(instr, &e.sources, &warp.context, &mut e.stored);
            }
            warp.stack.advance();
        }
        Step::Fetch => {
            e.kind = decoded.kind;
            plan(instr, warp, exec, e).map_err(|source| {
                let lane = if let ExecError::Texture { lane, .. } = source { Some(lane) } else { None };
                GoldenError::Exec { at: env.site(number, index as u32, lane, pc), source }
            })?;
            warp.stack.advance();
        }
        Step::Branch { target, reconvergence } => warp.stack.branch(exec, target, reconvergence),
        Step::Exit => {
            warp.stack.exit(exec);
            if warp.stack.is_done() {
                cta.warp_ended().map_err(|earlier| unordered(env, cta, index, pc, earlier))?;
            }
        }
        Step::Barrier => {
            warp.stack.advance();
            if !exec.is_empty() {
                arrive(env, cta, index, instr, e)?;
            }
        }
        Step::Fence => {
            warp.fences += 1;
            warp.stack.advance();
        }
        Step::Nothing => warp.stack.advance(),
    }
    Ok(())
}

/// Brings the warp's moment up to date for an instruction that reads it.
fn note_moment(warp: &mut Warp, instr: &Instr) {
    let moment = &mut warp.context.moment;
    moment.live = warp.stack.live();
    if instr.op == Op::Clock {
        moment.clock += 1;
    }
}

/// The warp, which stands behind the barrier `instr`, arrives at it.
fn arrive(env: &Env, cta: &mut Cta, index: usize, instr: &Instr, e: &Expected) -> Result<(), GoldenError> {
    let warp = &cta.warps[index];
    let at = || env.site(cta.number, index as u32, None, e.pc);
    let missing = warp.stack.live() & !e.exec;
    if !missing.is_empty() {
        return Err(GoldenError::DivergentBarrier { at: at(), arrived: e.exec, missing });
    }
    let request = barrier_request(instr, &e.sources, &warp.preds, &warp.context, e.exec)
        .map_err(|source| GoldenError::Exec { at: at(), source })?;
    cta.arrive(index, &request, e.exec).map_err(|fault| GoldenError::Exec {
        at: env.site(e.cta, index as u32, None, e.pc),
        source: fault.into(),
    })?;
    cta.open_if_complete(request.id).map_err(|earlier| unordered(env, cta, index, e.pc, earlier))
}

/// The error of a barrier that opens at `pc` of warp `index` before `earlier` is performed.
#[cold]
fn unordered(env: &Env, cta: &Cta, index: usize, pc: Pc, earlier: Earlier) -> GoldenError {
    GoldenError::Order {
        at: env.site(cta.number, index as u32, None, pc),
        earlier: env.site(cta.number, earlier.warp, None, earlier.pc),
        rule: OrderRule::Barrier,
    }
}

/// Reads the operands; the slot of one that lanes of `exec` must not read, if there is one.
#[inline]
fn fetch(warp: &Warp, decoded: &Decoded, exec: LaneMask, e: &mut Expected) -> Option<usize> {
    let mut wrong = None;
    let sources = &decoded.sources[..usize::from(decoded.num_sources)];
    for (slot, &source) in sources.iter().enumerate() {
        e.sources[slot] = warp.regs[source as usize];
        if warp.unreadable[source as usize] & exec.0 != 0 {
            wrong = Some(slot);
        }
    }
    wrong
}

/// Finds the texels of a texture fetch.
fn plan(instr: &Instr, warp: &Warp, exec: LaneMask, e: &mut Expected) -> Result<(), ExecError> {
    let mut texels = Box::<Texels>::default();
    plan_texels(instr, &e.sources, &warp.context, exec, &mut texels)?;
    e.spaces = AccessSpaces { global: exec, ..AccessSpaces::default() };
    e.addresses = texels.addresses[0];
    e.texels = Some(texels);
    Ok(())
}

/// Declares source registers dead in all lanes: a design that sees the bit may forget the whole register of
/// the warp, so lanes that wait on another path must not read it either.
fn kill(warp: &mut Warp, decoded: &Decoded, dead: u8) {
    let sources = &decoded.sources[..usize::from(decoded.num_sources)];
    for (slot, &source) in sources.iter().enumerate() {
        if dead >> slot & 1 != 0 {
            warp.unreadable[source as usize] = u32::MAX;
            warp.killed[source as usize] = u32::MAX;
        }
    }
}

/// The error of reading a register that has no value or a pending one.
#[cold]
fn unreadable(env: &Env, cta: &Cta, index: usize, e: &Expected, register: u32) -> GoldenError {
    let warp = &cta.warps[index];
    let r = register as usize;
    let at = env.site(cta.number, index as u32, None, e.pc);
    let pending = LaneMask(warp.pending[r]) & e.exec;
    let writer = cta.open.iter().find(|access| {
        access.warp == index as u32
            && (0..access.dsts.len())
                .any(|s| access.dsts[s] == register && !(access.newest[s] & pending).is_empty())
    });
    if let Some(writer) = writer {
        return GoldenError::PendingRead {
            at,
            register: heddle_port::Reg(register),
            lanes: pending,
            writer: env.site(cta.number, writer.warp, None, writer.pc),
        };
    }
    let lanes = LaneMask(warp.unreadable[r]) & e.exec;
    let killed = warp.killed[r] & lanes.0 == lanes.0;
    GoldenError::UndefinedRead {
        at,
        register: heddle_port::Reg(register),
        lanes,
        why: if killed { "the compiler declared it dead" } else { "it was never written" },
    }
}
