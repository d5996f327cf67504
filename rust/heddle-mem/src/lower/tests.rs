//! Cycles that are passed over.

use heddle_port::memory::{LowerKind, MemLowerRequest};

use super::Lower;
use crate::SHARED_SPACE;
use crate::atomics::Offer;
use crate::share::Share;

/// Reads, writes and atomics of few lines, some past L2; of atomics also how many operations wait for others.
fn offer(random: &mut u64, id: u16) -> Offer {
    let mut draw = |below: u64| {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*random >> 33) % below
    };
    let past_l2 = draw(4) == 0;
    let kinds = [LowerKind::Fill, LowerKind::BypassRead, LowerKind::BypassWrite, LowerKind::Atomic];
    let kind = kinds[draw(if past_l2 { 3 } else { 4 }) as usize];
    let line = 128 * draw(4096) as u32 + if past_l2 { SHARED_SPACE.start } else { 0x1000_0000 };
    let byte_mask = [u32::MAX, 0, draw(2) as u32 * 0xF0, 0];
    let request = MemLowerRequest { valid: draw(3) == 0, kind: kind as u8, id, line, byte_mask };
    let serial = if kind == LowerKind::Atomic { draw(32) as u32 } else { 0 };
    Offer { request, serial }
}

/// What the SMs see.
fn seen(lower: &Lower) -> impl PartialEq + std::fmt::Debug + use<> {
    let of = |sm| (*lower.response(sm), lower.ready(sm), lower.stored(sm), lower.is_idle_for(sm));
    ([0, 1].map(of), lower.is_idle(), lower.is_serial(), lower.times())
}

#[test]
fn cycles_in_which_nothing_moves_are_passed_over_without_a_trace() {
    for name in ["fermi", "maxwell", "volta"] {
        let preset = heddle_config::load(name).expect("it ships");
        let new = || Lower::of_share(&preset, Share::new(&preset, 2));
        let (mut lower, mut every, mut random, mut passed) = (new(), new(), 7, 0);
        let mut free: [Vec<u16>; 2] = [(0..200).collect(), (0..200).collect()];
        for cycle in 0..60_000_u64 {
            // Bursts, of one SM longer than of the other, and pauses.
            let offers = [900, 400].map(|busy| cycle % 3000 < busy);
            let offers: [Offer; 2] = std::array::from_fn(|sm| {
                let id = free[sm].last().copied().filter(|_| offers[sm]);
                id.map_or_else(Offer::default, |id| offer(&mut random, id))
            });
            let taken = [0, 1].map(|sm| offers[sm].request.valid && lower.ready(sm));
            for sm in 0..2 {
                if taken[sm] && super::is_answered(&offers[sm].request) {
                    free[sm].pop();
                }
            }
            passed += u64::from(!lower.at_rest && taken == [false; 2] && cycle + 1 < lower.quiet_until);
            lower.step(&offers).expect("right");
            every.quiet_until = 0;
            every.step(&offers).expect("right");
            assert_eq!(seen(&lower), seen(&every), "{name}, cycle {cycle}");
            for (sm, free) in free.iter_mut().enumerate() {
                let response = lower.response(sm);
                free.extend(response.valid.then_some(response.id));
            }
        }
        let statistics = lower.statistics();
        assert_eq!(statistics, every.statistics(), "{name}");
        assert!(passed > 1_000 && statistics.l2.read_misses > 1_000, "{name}: {passed}");
        assert!(statistics.l2.atomic_serial_cycles > 0, "{name}");
    }
}
