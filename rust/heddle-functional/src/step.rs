//! One warp instruction in program order: registers, predicates and control flow, without memory.

use heddle_isa::exec::{AccessSpaces, addresses, execute, guard_mask, plan_texels, store_data};
use heddle_isa::{ExecError, Instr, Texels};
use heddle_port::LaneMask;

use crate::cta::Cta;
use crate::decode::{Decoded, Step};
use crate::env::Env;
use crate::error::{AccessKind, GoldenError};
use crate::expected::Expected;
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
                cta.warp_ended();
            }
        }
        Step::Barrier { id, waits } => {
            if exec.is_empty() {
                warp.stack.advance();
                return Ok(());
            }
            let missing = cta.elsewhere(index, exec);
            if !missing.is_empty() {
                return Err(GoldenError::DivergentBarrier {
                    at: env.site(number, index as u32, None, pc),
                    arrived: exec,
                    missing,
                });
            }
            cta.warps[index].stack.advance();
            cta.arrive(index, id, waits);
        }
        Step::Fence => {
            warp.fences += 1;
            warp.stack.advance();
        }
        Step::Nothing => warp.stack.advance(),
    }
    Ok(())
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
