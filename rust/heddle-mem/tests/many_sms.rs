//! What lies behind several SMs.

use heddle_config::Preset;
use heddle_mem::{LOCAL_SPACE, Lower, Offer, SHARED_SPACE, Share};
use heddle_port::{LowerKind, MemLowerRequest};

fn preset() -> Preset {
    heddle_config::load("fermi").expect("the preset ships")
}

fn fill(id: u16, line: u32) -> MemLowerRequest {
    MemLowerRequest { valid: true, kind: LowerKind::Fill as u8, id, line, byte_mask: [u32::MAX; 4] }
}

/// SM, id and cycle of each answer to requests that all SMs send as fast as they can.
fn answers(lower: &mut Lower, mut requests: Vec<Vec<MemLowerRequest>>) -> Vec<(usize, u16, u64)> {
    let sms = requests.len();
    requests.iter_mut().for_each(|of_sm| of_sm.reverse());
    let mut found = Vec::new();
    for cycle in 0..20_000 {
        let next: Vec<Offer> = (0..sms)
            .map(|sm| if lower.ready(sm) { requests[sm].pop() } else { None }.unwrap_or_default().into())
            .collect();
        lower.step(&next).expect("no rule is broken");
        found.extend(
            (0..sms).filter(|sm| lower.response(*sm).valid).map(|sm| (sm, lower.response(sm).id, cycle)),
        );
    }
    assert!(lower.is_idle() && requests.iter().all(Vec::is_empty));
    found
}

#[test]
fn every_sm_gets_its_own_answers() {
    let preset = preset();
    let mut lower = Lower::of_share(&preset, Share::new(&preset, 15));
    let of_sm = |sm: u32| (0..40).map(|id| fill(id as u16, 0x1000_0000 + 128 * (sm * 7 + id))).collect();
    let found = answers(&mut lower, (0..15).map(of_sm).collect());
    for sm in 0..15 {
        let mut ids: Vec<u16> = found.iter().filter(|(of, ..)| *of == sm).map(|(_, id, _)| *id).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..40).collect::<Vec<u16>>(), "SM {sm}");
    }
    let s = lower.l2().statistics();
    assert_eq!(s.read_misses, 14 * 7 + 40, "a line that several want comes once");
    assert_eq!(s.read_hits + s.read_merged + s.read_misses, 15 * 40);
}

#[test]
fn local_and_off_chip_shared_memory_are_an_sms_own() {
    let preset = preset();
    let mut lower = Lower::of_share(&preset, Share::new(&preset, 2));
    for (line, misses, fetches) in [(0x1000_0000, 1, 0), (LOCAL_SPACE, 3, 0), (SHARED_SPACE.start, 3, 2)] {
        assert_eq!(answers(&mut lower, vec![vec![fill(1, line)]; 2]).len(), 2);
        assert_eq!(lower.l2().statistics().read_misses, misses, "{line:#x}");
        assert_eq!(lower.off_chip().statistics().fetches, fetches, "{line:#x}");
    }
}

/// All want lines of one slice: it answers a line in as many cycles as it has flits, and SMs take turns.
#[test]
fn a_slice_that_all_want_is_shared_fairly() {
    let preset = preset();
    let mut lower = Lower::of_share(&preset, Share::new(&preset, 15));
    let slices = preset.l2.slices;
    let wanted = |_| (0..16).map(|id| fill(id as u16, 0x1000_0000 / 128 / slices * slices * 128)).collect();
    answers(&mut lower, (0..15).map(wanted).collect());
    let found = answers(&mut lower, (0..15).map(wanted).collect());
    let flits = u64::from((8 + 128u32).div_ceil(preset.interconnect.flit_bytes));
    let (first, last) = (found[0].2, found[found.len() - 1].2);
    assert_eq!(last - first, (15 * 16 - 1) * flits, "the port of the slice is the limit");
    for sm in 0..15 {
        let middle = found.iter().filter(|(of, ..)| *of == sm).nth(7).expect("16 answers each").2;
        let share = (middle - first) as f64 / (last - first) as f64;
        assert!((0.4..0.6).contains(&share), "SM {sm} has half of its answers at {share:.2} of the time");
    }
}

#[test]
fn operations_of_an_atomic_one_after_the_other_show() {
    let mut preset = preset();
    preset.l2.atomic_interval = 9;
    let mut lower = Lower::of_share(&preset, Share::new(&preset, 2));
    let request = MemLowerRequest { kind: LowerKind::Atomic as u8, ..fill(1, 0x1000_0000) };
    let mut serial = 0;
    for cycle in 0..2_000 {
        let offer = if cycle == 0 { Offer { request, serial: 31 } } else { Offer::default() };
        lower.step(&[offer, Offer::default()]).expect("no rule is broken");
        serial += u64::from(lower.is_serial());
    }
    assert_eq!((serial, lower.l2().statistics().atomic_serial_cycles), (31 * 9, 31 * 9));
    assert!(lower.is_idle());
}
