//! Registers that accesses in flight are to write.

use heddle_port::{LaneMask, Tag};

use crate::cta::Cta;
use crate::env::Env;
use crate::expected::Expected;
use crate::order::OpenAccess;

/// Registers that an instruction writes are no longer those that loads in flight will bring.
pub(super) fn supersede(cta: &mut Cta, index: usize, dsts: &[u32], exec: LaneMask) {
    let warp = &mut cta.warps[index];
    for &dst in dsts {
        let again = warp.pending[dst as usize] & exec.0;
        if again == 0 {
            continue;
        }
        warp.pending[dst as usize] &= !exec.0;
        for access in cta.open.iter_mut().filter(|a| a.warp == index as u32) {
            for (register, newest) in access.dsts.iter().zip(&mut access.newest) {
                if *register == dst {
                    *newest = *newest & !exec;
                }
            }
        }
    }
}

/// Notes an access that is to be performed, and makes its destinations pending.
pub(super) fn open_access(env: &Env, cta: &mut Cta, index: usize, tag: Tag, e: &Expected) {
    let decoded = &env.decoded[e.pc.index()];
    let warp = &mut cta.warps[index];
    let mut access = OpenAccess {
        tag,
        warp: index as u32,
        pc: e.pc,
        sequence: warp.sequence,
        fences: warp.fences,
        remaining: e.exec,
        dsts: decoded.dsts,
        newest: Default::default(),
    };
    for slot in 0..usize::from(decoded.num_dsts) {
        let r = decoded.dsts[slot] as usize;
        access.newest[slot] = e.exec;
        warp.pending[r] |= e.exec.0;
        warp.unreadable[r] |= e.exec.0;
        warp.killed[r] &= !e.exec.0;
    }
    cta.open.push(access);
}

/// Writes what `lanes` of an access brought to the registers that still wait for it.
pub(super) fn deliver(cta: &mut Cta, position: usize, e: &Expected, lanes: LaneMask) {
    let access = &mut cta.open[position];
    let warp = &mut cta.warps[access.warp as usize];
    for slot in 0..access.dsts.len() {
        let newest = access.newest[slot] & lanes;
        if !newest.is_empty() {
            warp.write(access.dsts[slot], &e.results.values[slot], newest);
            warp.pending[access.dsts[slot] as usize] &= !newest.0;
        }
    }
    access.remaining = access.remaining & !lanes;
    if access.remaining.is_empty() {
        cta.open.remove(position);
    }
}
