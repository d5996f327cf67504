//! Off-chip shared memory goes past L2.

use heddle_config::Preset;
use heddle_mem::{Lower, Offer, SHARED_SPACE, is_off_chip_shared};
use heddle_port::{LowerKind, MemLowerRequest, MemLowerResponse};

fn preset() -> Preset {
    heddle_config::load("maxwell").expect("the preset ships")
}

fn request(kind: LowerKind, id: u16, line: u32) -> MemLowerRequest {
    MemLowerRequest { valid: true, kind: kind as u8, id, line, byte_mask: [u32::MAX; 4] }
}

/// Steps until the first answer; the answer and the steps.
fn answer(lower: &mut Lower, first: &MemLowerRequest) -> (MemLowerResponse, u64) {
    let mut request = *first;
    for steps in 0..1000 {
        lower.step(&[request.into()]).expect("no rule is broken");
        request.valid = false;
        if lower.response(0).valid {
            return (*lower.response(0), steps);
        }
    }
    panic!("no answer");
}

/// There and back through the networks; the reply is a line and a header of 8 bytes.
fn networks(preset: &Preset) -> u64 {
    let net = &preset.interconnect;
    u64::from(net.request_delay + net.reply_delay + (8 + 128u32).div_ceil(net.flit_bytes) - 1)
}

/// DRAM: empty row, the SM's share of the bus for a line, fixed latency.
fn dram(preset: &Preset) -> u64 {
    let (d, gpu) = (&preset.dram, &preset.gpu);
    let core = |timing| d.core_cycles(timing, gpu.core_mhz);
    let bus = (128 * gpu.core_mhz * gpu.sms).div_ceil(d.bytes_per_clock * d.clock_mhz * d.channels);
    1 + core(d.rcd) + core(d.cl) + u64::from(bus + d.latency)
}

#[test]
fn a_fetch_takes_the_networks_and_dram_and_not_l2() {
    let preset = preset();
    let (networks, dram) = (networks(&preset), dram(&preset));
    let mut lower = Lower::new(&preset);
    let line = SHARED_SPACE.start + 3 * 128;
    let (found, steps) = answer(&mut lower, &request(LowerKind::Fill, 9, line));
    assert_eq!((found, steps), (MemLowerResponse { valid: true, id: 9, line }, networks + dram));
    let global = request(LowerKind::Fill, 1, 0x1000_0800);
    let l2 = u64::from(preset.l2.latency);
    assert_eq!(answer(&mut lower, &global).1, networks + l2 + dram);
    assert_eq!(lower.l2().statistics().read_misses, 1, "the global line alone");
    // A second fetch goes to memory again, now to an open row: L2 keeps no copy.
    let rcd = preset.dram.core_cycles(preset.dram.rcd, preset.gpu.core_mhz);
    assert_eq!(answer(&mut lower, &request(LowerKind::Fill, 9, line)).1, networks + dram - rcd);
    assert_eq!(lower.off_chip().statistics().fetches, 2);
}

#[test]
fn write_backs_are_counted_by_their_bytes_and_not_answered() {
    let mut lower = Lower::new(&preset());
    let back = MemLowerRequest {
        byte_mask: [0xF, 0, 0, 1 << 31],
        ..request(LowerKind::WriteBack, 0, SHARED_SPACE.end - 128)
    };
    lower.step(&[back.into()]).expect("no rule is broken");
    for _ in 0..500 {
        lower.step(&[Offer::default()]).expect("no rule is broken");
        assert!(!lower.response(0).valid);
    }
    assert!(lower.is_idle());
    let s = *lower.off_chip().statistics();
    assert_eq!((s.fetches, s.write_backs, s.bytes_written), (0, 1, 5));
    assert_eq!((lower.dram().statistics().writes, lower.l2().statistics().writes), (1, 0));
}

#[test]
fn answers_of_both_ways_come_one_a_cycle_and_none_is_lost() {
    let mut lower = Lower::new(&preset());
    let mut ids = Vec::new();
    let mut sent = 0u32;
    for _ in 0..5000 {
        let mut next = MemLowerRequest::default();
        if sent < 32 && lower.ready(0) {
            let base = if sent.is_multiple_of(2) { SHARED_SPACE.start } else { 0x1000_0000 };
            next = request(LowerKind::Fill, sent as u16, base + 128 * sent);
            sent += 1;
        }
        lower.step(&[next.into()]).expect("no rule is broken");
        if lower.response(0).valid {
            ids.push(lower.response(0).id);
        }
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..32).collect::<Vec<u16>>());
    assert!(lower.is_idle());
}

/// Id and cycle of each answer to fetches of lines that are all there before the first is carried to its end.
fn answers(lower: &mut Lower, lines: &[u32]) -> Vec<(u16, u64)> {
    let mut requests = lines.iter().zip(0..).map(|(line, id)| request(LowerKind::Fill, id, *line));
    let mut found = Vec::new();
    for cycle in 0..5000 {
        let request = if lower.ready(0) { requests.next() } else { None };
        lower.step(&[request.unwrap_or_default().into()]).expect("no rule is broken");
        let answer = lower.response(0);
        found.extend(answer.valid.then_some((answer.id, cycle)));
    }
    assert!(lower.is_idle() && found.len() == lines.len());
    found
}

/// With flits of a byte the reply with a line takes 136 cycles, more than DRAM, where each fetch but the first finds an open
/// row.
#[test]
fn both_ways_take_turns_in_the_network_of_replies() {
    let mut preset = preset();
    preset.interconnect.flit_bytes = 1;
    let mut lower = Lower::new(&preset);
    let (shared, global) = (SHARED_SPACE.start, 0x1000_0800);
    answers(&mut lower, &[shared, global]);
    let mut apart = |lines: &[u32], ids: std::ops::Range<u16>| {
        let all = answers(&mut lower, lines);
        let of: Vec<u64> = all.iter().filter(|(id, _)| ids.contains(id)).map(|(_, cycle)| *cycle).collect();
        of.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    assert_eq!(apart(&[shared; 4], 0..4), [136; 3]);
    assert_eq!(apart(&[global; 4], 0..4), [136; 3]);
    let both = [shared, shared, shared, shared, global, global, global, global];
    assert_eq!(apart(&both, 0..4), [272; 3]);
    assert_eq!(apart(&both, 4..8), [272; 3]);
}

/// DRAM that takes one read at a time is asked by both ways in turn, once L2 has looked its misses up.
#[test]
fn both_ways_take_turns_at_dram() {
    let mut preset = preset();
    preset.dram.queue = 1;
    let mut lower = Lower::new(&preset);
    let base = |id: u32| if id.is_multiple_of(2) { SHARED_SPACE.start } else { 0x1000_0000 };
    let lines: Vec<u32> = (0..64).map(|id| base(id) + 128 * id).collect();
    let all = answers(&mut lower, &lines);
    let shared = all[18..30].iter().filter(|(id, _)| id.is_multiple_of(2)).count();
    assert!((4..=8).contains(&shared), "{shared} of twelve answers are of shared memory");
}

#[test]
fn the_space_ends_where_the_last_block_does() {
    assert!(is_off_chip_shared(0xE000_0000) && is_off_chip_shared(0xE03F_FFFF));
    assert!(!is_off_chip_shared(0xDFFF_FFFF) && !is_off_chip_shared(0xE040_0000));
    assert!(!is_off_chip_shared(0xF000_0000));
}
