//! Off-chip shared memory goes past L2.

use heddle_config::Preset;
use heddle_mem::{Lower, SHARED_SPACE, is_off_chip_shared};
use heddle_port::{LowerKind, MemLowerRequest, MemLowerResponse};

fn preset() -> Preset {
    heddle_config::load("maxwell").expect("the preset ships")
}

fn request(kind: LowerKind, id: u8, line: u32) -> MemLowerRequest {
    MemLowerRequest { valid: true, kind: kind as u8, id, line, byte_mask: [u32::MAX; 4] }
}

/// Steps until the first answer; the answer and the steps.
fn answer(lower: &mut Lower, first: &MemLowerRequest) -> (MemLowerResponse, u64) {
    let mut request = *first;
    for steps in 0..1000 {
        lower.step(&request);
        request.valid = false;
        if lower.response().valid {
            return (*lower.response(), steps);
        }
    }
    panic!("no answer");
}

/// DRAM after the way there: empty row (14 + 14), 21 cycles for the line, fixed latency.
const DRAM: u64 = 1 + 14 + 14 + 21 + 100;

#[test]
fn a_fetch_takes_the_interconnect_and_dram_and_not_l2() {
    let mut lower = Lower::new(&preset());
    let line = SHARED_SPACE.start + 3 * 128;
    let (found, steps) = answer(&mut lower, &request(LowerKind::Fill, 9, line));
    assert_eq!((found, steps), (MemLowerResponse { valid: true, id: 9, line }, 33 + DRAM));
    let global = request(LowerKind::Fill, 1, 0x1000_0800);
    assert_eq!(answer(&mut lower, &global).1, 120 + DRAM);
    assert_eq!(lower.l2().statistics().read_misses, 1, "the global line alone");
    // A second fetch goes to memory again, now to an open row: L2 keeps no copy.
    assert_eq!(answer(&mut lower, &request(LowerKind::Fill, 9, line)).1, 33 + DRAM - 14);
    assert_eq!(lower.off_chip().statistics().fetches, 2);
}

#[test]
fn write_backs_are_counted_by_their_bytes_and_not_answered() {
    let mut lower = Lower::new(&preset());
    let back = MemLowerRequest {
        byte_mask: [0xF, 0, 0, 1 << 31],
        ..request(LowerKind::WriteBack, 0, SHARED_SPACE.end - 128)
    };
    lower.step(&back);
    for _ in 0..500 {
        lower.step(&MemLowerRequest::default());
        assert!(!lower.response().valid);
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
        if sent < 32 && lower.ready() {
            let base = if sent.is_multiple_of(2) { SHARED_SPACE.start } else { 0x1000_0000 };
            next = request(LowerKind::Fill, sent as u8, base + 128 * sent);
            sent += 1;
        }
        lower.step(&next);
        if lower.response().valid {
            ids.push(lower.response().id);
        }
    }
    ids.sort_unstable();
    assert_eq!(ids, (0..32).collect::<Vec<u8>>());
    assert!(lower.is_idle());
}

/// Id and cycle of each answer to fetches of lines that are all there before the first is carried to its end.
fn answers(lower: &mut Lower, lines: &[u32]) -> Vec<(u8, u64)> {
    let mut requests = lines.iter().zip(0..).map(|(line, id)| request(LowerKind::Fill, id, *line));
    let mut found = Vec::new();
    for cycle in 0..5000 {
        lower.step(&requests.next().unwrap_or_default());
        let answer = lower.response();
        found.extend(answer.valid.then_some((answer.id, cycle)));
    }
    assert!(lower.is_idle() && found.len() == lines.len());
    found
}

/// A line takes 128 cycles of the bandwidth, more than of DRAM, where each fetch but the first finds an open row.
#[test]
fn both_ways_take_turns_in_one_share_of_the_bandwidth() {
    let mut preset = preset();
    preset.l2.bytes_per_cycle = preset.gpu.sms;
    let mut lower = Lower::new(&preset);
    let (shared, global) = (SHARED_SPACE.start, 0x1000_0800);
    answers(&mut lower, &[shared, global]);
    let mut apart = |lines: &[u32], ids: std::ops::Range<u8>| {
        let all = answers(&mut lower, lines);
        let of: Vec<u64> = all.iter().filter(|(id, _)| ids.contains(id)).map(|(_, cycle)| *cycle).collect();
        of.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<_>>()
    };
    assert_eq!(apart(&[shared; 4], 0..4), [128; 3]);
    assert_eq!(apart(&[global; 4], 0..4), [128; 3]);
    let both = [shared, shared, shared, shared, global, global, global, global];
    assert_eq!(apart(&both, 0..4), [256; 3]);
    assert_eq!(apart(&both, 4..8), [256; 3]);
}

#[test]
fn the_space_ends_where_the_last_block_does() {
    assert!(is_off_chip_shared(0xE000_0000) && is_off_chip_shared(0xE03F_FFFF));
    assert!(!is_off_chip_shared(0xDFFF_FFFF) && !is_off_chip_shared(0xE040_0000));
    assert!(!is_off_chip_shared(0xF000_0000));
}
