//! Requests without time leave the tags as the same requests in cycles do.

use heddle_config::{Allocation, Preset, WriteHit};
use heddle_mem::{kind, space};
use heddle_port::memory::MemRequest;

use super::{Driver, line, preset, read, word};

/// Requests of a small memory, some of which go past the L1; equal numbers give equal requests.
fn requests(count: u32) -> Vec<MemRequest> {
    let mut state = 7u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let each = |_| match draw(8) {
        0 => line(space::GLOBAL, kind::WRITE, 1000 + draw(600)),
        1 => word(space::GLOBAL, kind::WRITE, 4 * draw(40_000)),
        2 => line(space::GLOBAL, kind::ATOMIC, 1000 + draw(600)),
        3 => line(space::LOCAL, [kind::READ, kind::WRITE][draw(2) as usize], draw(64)),
        4 => MemRequest { cache_operator: 4, ..read(1000 + draw(600)) },
        _ => read(1000 + draw(600)),
    };
    (0..count).map(each).collect()
}

/// What a driver counts of reads and writes.
fn counts(d: &Driver) -> [u64; 8] {
    let s = d.system.statistics();
    let (l1, l2) = (s.l1, s.l2);
    [
        l1.read_hits,
        l1.read_misses,
        l1.bypassed,
        l1.write_through,
        l2.read_hits,
        l2.read_misses,
        l2.writes,
        l2.write_backs,
    ]
}

fn warmed_and_stepped(preset: &Preset) -> [[u64; 8]; 2] {
    let (mut warmed, mut stepped) = (Driver::new(preset), Driver::new(preset));
    warmed.step();
    for request in requests(1_000) {
        *warmed.system.request_mut() = MemRequest { valid: true, ..request };
        warmed.system.warm();
        stepped.alone(request);
    }
    assert!(warmed.cycle < 10, "no time has passed");
    let before = [&warmed, &stepped].map(counts);
    assert_eq!(before[0], before[1]);
    // In cycles again: the same lines are found.
    for request in requests(200) {
        assert_eq!(warmed.alone(request).0, stepped.alone(request).0, "{request:?}");
    }
    [&warmed, &stepped].map(counts)
}

#[test]
fn requests_without_time_find_and_leave_what_those_in_cycles_do() {
    for allocation in [Allocation::OnFill, Allocation::OnMiss] {
        for write_hit in [WriteHit::Through, WriteHit::Evict] {
            let mut preset = preset();
            (preset.l1d.allocation, preset.l1d.write_hit) = (allocation, write_hit);
            (preset.l1d.sector_bytes, preset.l2.sector_bytes) = (32, 32);
            preset.l2.bytes = 16 * 8 * 1024 * preset.gpu.sms / 16;
            let [warmed, stepped] = warmed_and_stepped(&preset);
            assert_eq!(warmed, stepped, "{allocation:?} {write_hit:?}");
            assert!(warmed.iter().all(|count| *count > 20), "{warmed:?}");
        }
    }
}

#[test]
fn a_row_that_was_opened_without_time_is_open() {
    let rows = |warmed: bool| {
        let mut d = Driver::new(&preset());
        if warmed {
            *d.system.request_mut() = MemRequest { valid: true, ..read(5000) };
            d.system.warm();
        }
        d.alone(read(5001));
        let dram = d.system.statistics().dram;
        (dram.row_hits, dram.row_empty)
    };
    assert_eq!((rows(false), rows(true)), ((0, 1), (1, 0)));
}
