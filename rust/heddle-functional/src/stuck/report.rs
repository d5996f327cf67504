//! What is said of a machine in which nothing will ever move.

use heddle_isa::{DeviceMemory, Pc, SimtStack, Space};
use heddle_port::LaneMask;

use super::runs;
use super::tracker::Tracker;
use crate::buffers::global_buffer;
use crate::cta::Cta;
use crate::env::Env;
use crate::error::GoldenError;
use crate::expected::Expected;
use crate::machine::Golden;
use crate::run::{Run, RunSummary};
use crate::waits::{Polled, StuckWarp};

/// Instructions that lanes which wait inside their warp get, to see whether they would set the others free.
const AHEAD: u64 = 1 << 16;

/// The error of resident CTAs whose live warps all wait.
#[cold]
pub(super) fn stuck(golden: &Golden, resident: &[Cta], trackers: &[Vec<Tracker>]) -> GoldenError {
    let env = &golden.env;
    for (cta, trackers) in resident.iter().zip(trackers) {
        for (index, tracker) in trackers.iter().enumerate().filter(|(i, _)| runs(&cta.warps[*i])) {
            let lanes = cta.warps[index].stack.mask();
            let Some((waiting, pc)) = held_up(golden, cta, index, tracker) else { continue };
            let polled = tracker.polled().first();
            let at = polled.map_or_else(|| cta.warps[index].stack.pc(), |p| p.0);
            return GoldenError::StuckLanes {
                at: env.site(cta.number, index as u32, None, at),
                lanes,
                polled: polled.map(|p| place(env, cta, &golden.memory, p)),
                waiting,
                waiting_at: env.site(cta.number, index as u32, None, pc),
            };
        }
    }
    let grid = env.launch.num_ctas();
    let waits = resident.iter().zip(trackers).flat_map(|(cta, trackers)| {
        let live = cta.warps.iter().zip(trackers).enumerate().filter(|(_, (w, _))| !w.stack.is_done());
        live.map(move |(index, (warp, tracker))| {
            let polled: Vec<Polled> =
                tracker.polled().iter().map(|p| place(env, cta, &golden.memory, p)).collect();
            let pc = match (warp.waiting, tracker.polled().first()) {
                // The warp stands behind its barrier.
                (Some(_), _) => Pc(warp.stack.pc().0.saturating_sub(1)),
                (None, Some((pc, ..))) => *pc,
                (None, None) => warp.stack.pc(),
            };
            let at = *env.site(cta.number, index as u32, None, pc);
            StuckWarp { at, barrier: warp.waiting, polled }
        })
    });
    GoldenError::Stuck { grid, resident: resident.len(), waits: waits.collect() }
}

fn place(env: &Env, cta: &Cta, memory: &DeviceMemory, polled: &(Pc, Space, u64)) -> Polled {
    let (pc, space, address) = *polled;
    let bytes = env.decoded.get(pc.index()).map_or(4, |d| d.bytes);
    let shared = || cta.shared.offset(address, bytes).and_then(|o| cta.shared.read(o, bytes));
    let (buffer, value) = match space {
        Space::Shared => ("shared memory".to_owned(), shared()),
        _ => (global_buffer(memory, address), memory.load_checked(address, bytes).ok()),
    };
    Polled { address, buffer, value: value.map(|(value, _)| value) }
}

/// Lanes of the warp that stand elsewhere, and where, if they would change what the others poll once it was their turn.
fn held_up(golden: &Golden, cta: &Cta, index: usize, tracker: &Tracker) -> Option<(LaneMask, Pc)> {
    let stack = &cta.warps[index].stack;
    let mut above = LaneMask::NONE;
    let places: Vec<(Pc, LaneMask)> = stack.pending_pcs().collect();
    places.into_iter().find_map(|(pc, mask)| {
        let lanes = mask & !above;
        let running = above.is_empty();
        above = above | mask;
        (!running && !lanes.is_empty() && would_free(golden, cta, index, tracker, (pc, lanes)))
            .then_some((lanes, pc))
    })
}

/// Lets `lanes` go on from `pc` without the others, on copies of everything: whether they change what is polled.
fn would_free(
    golden: &Golden,
    cta: &Cta,
    index: usize,
    tracker: &Tracker,
    (pc, lanes): (Pc, LaneMask),
) -> bool {
    let values = |golden: &Golden, cta: &Cta| -> Vec<Option<u64>> {
        let places = tracker.polled().iter();
        places.map(|p| place(&golden.env, cta, &golden.memory, p).value).collect()
    };
    let before = values(golden, cta);
    let (mut golden, mut cta) = (golden.clone(), cta.clone());
    cta.warps[index].stack = SimtStack::at(pc, lanes);
    let mut goes_on = || true;
    let mut run = Run {
        golden: &mut golden,
        limit: AHEAD,
        goes_on: &mut goes_on,
        watch: &mut (),
        e: Box::<Expected>::default(),
        summary: RunSummary::default(),
    };
    for _ in 0..AHEAD {
        if !runs(&cta.warps[index]) {
            break;
        }
        match run.run_one::<true>(&mut cta, index) {
            Ok(false) => {}
            Ok(true) if values(run.golden, &cta) != before => return true,
            Ok(true) => {}
            // Without the others an error means nothing.
            Err(_) => break,
        }
    }
    false
}
