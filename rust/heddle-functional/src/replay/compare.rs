//! An access of the program as parsed against the same one of the allocated program.

use heddle_port::LaneMask;

use super::error::ReplayError;
use crate::env::Env;
use crate::expected::{Expected, ExpectedAccess};
use crate::site::AccessKind;

/// Compares spaces, addresses and stored values before the access is performed.
pub(super) fn asked(env: &Env, e: &Expected, allocated: &ExpectedAccess) -> Result<(), ReplayError> {
    let decoded = &env.decoded[e.pc.index()];
    for lane in allocated.lanes.lanes() {
        if e.spaces.of_lane(lane) != allocated.spaces.of_lane(lane) {
            let code = |global: LaneMask| u64::from(!global.has(lane));
            let sides = (code(e.spaces.global), code(allocated.spaces.global));
            return Err(differs(env, e, lane, "space (0 global, 1 shared)", sides));
        }
        let sides = (e.addresses[lane], allocated.addresses[lane]);
        if sides.0 != sides.1 {
            return Err(differs(env, e, lane, "address", sides));
        }
        for element in 0..stored_elements(e.kind, decoded.elements) {
            let sides = (e.stored[element][lane], allocated.stored[element][lane]);
            if sides.0 != sides.1 {
                return Err(differs(env, e, lane, "stored value", sides));
            }
        }
    }
    Ok(())
}

/// Loads that found in an L1 another version than memory has take that version; lanes that did.
pub(super) fn take_versions(e: &mut Expected, allocated: &ExpectedAccess) -> u64 {
    for lane in allocated.stale.lanes() {
        for (to, from) in e.results.values.iter_mut().zip(&allocated.loaded) {
            to[lane] = from[lane];
        }
    }
    u64::from(allocated.stale.count())
}

/// Compares what was loaded, after the access was performed; the words compared of it in all.
pub(super) fn loaded(env: &Env, e: &Expected, allocated: &ExpectedAccess) -> Result<u64, ReplayError> {
    let decoded = &env.decoded[e.pc.index()];
    let words = usize::from(decoded.num_dsts);
    for slot in 0..words {
        for lane in allocated.lanes.lanes() {
            let sides = (e.results.values[slot][lane], allocated.loaded[slot][lane]);
            if sides.0 != sides.1 {
                return Err(differs(env, e, lane, "loaded value", (sides.0.into(), sides.1.into())));
            }
        }
    }
    let all = 1 + words + stored_elements(e.kind, decoded.elements);
    Ok(u64::from(allocated.lanes.count()) * all as u64)
}

/// Values that each lane of an access stores; of an atomic its operand.
fn stored_elements(kind: AccessKind, elements: u8) -> usize {
    match kind {
        AccessKind::Store => usize::from(elements),
        AccessKind::Atomic => 1,
        AccessKind::Load | AccessKind::None => 0,
    }
}

#[cold]
fn differs(
    env: &Env,
    e: &Expected,
    lane: usize,
    what: &'static str,
    (parsed, allocated): (u64, u64),
) -> ReplayError {
    ReplayError::Differs { at: env.site(e.cta, e.warp_in_cta, Some(lane), e.pc), what, parsed, allocated }
}
