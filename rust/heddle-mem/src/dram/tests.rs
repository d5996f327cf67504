//! DRAM, request by request.

use heddle_config::Preset;

use super::{Dram, DramRequest, Source};
use crate::sectors::Sectors;
use crate::share::Share;
use crate::testing::preset;
use crate::windows::{SHARED_BLOCK_BYTES, SHARED_SPACE};

/// The share of one SM.
fn one(preset: &Preset) -> Dram {
    Dram::new(preset, Share::new(preset, 1))
}

fn of(line: u32, sectors: Sectors) -> DramRequest {
    DramRequest { line, sectors, write: false, source: Source::OffChip { way: 0, sm: 0, id: 0 } }
}

/// Cycle at which the read of `line`, pushed at `start`, is there.
fn read(dram: &mut Dram, line: u32, start: u64) -> u64 {
    arrival(dram, of(line, Sectors::ALL), start)
}

fn arrival(dram: &mut Dram, request: DramRequest, start: u64) -> u64 {
    dram.push(request, start);
    let there = |&cycle: &u64| come(dram, cycle) == Some(request);
    (start..start + 10_000).find(there).expect("the read is answered")
}

/// One cycle; the read whose data has come.
fn come(dram: &mut Dram, cycle: u64) -> Option<DramRequest> {
    let mut come = None;
    dram.step(cycle, |request| {
        come = Some(*request);
        true
    });
    come
}

/// Four banks of 1 KB, and a line in 8 cycles of the bus.
fn slow_rows() -> Preset {
    let mut preset = preset();
    (preset.gpu.core_mhz, preset.gpu.sms) = (1000, 2);
    let d = &mut preset.dram;
    d.timing_unit = heddle_config::TimingUnit::Ns;
    (d.cl, d.rp, d.rc, d.ras, d.rcd, d.rrd) = (12, 13, 60, 28, 14, 6);
    (d.channels, d.clock_mhz, d.bytes_per_clock, d.latency) = (1, 1000, 32, 100);
    (d.banks_per_channel, d.row_bytes) = (4, 1024);
    preset
}

#[test]
fn latencies_of_empty_open_and_other_rows_follow_from_the_timing() {
    let preset = slow_rows();
    // One line takes 128 / 32 * 2 = 8 cycles of the bus.
    let mut dram = one(&preset);
    // Empty row: rcd + cl + burst + latency.
    assert_eq!(read(&mut dram, 0, 1000), 1000 + 14 + 12 + 8 + 100);
    // Open row: cl + burst + latency.
    assert_eq!(read(&mut dram, 1, 2000), 2000 + 12 + 8 + 100);
    // Other row of the bank, long after the activate: rp more than an empty row.
    assert_eq!(read(&mut dram, 8 * 4, 3000), 3000 + 13 + 14 + 12 + 8 + 100);
    // And at once: the row must have been open for ras, and rc between activates.
    let s = *dram.statistics();
    assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (1, 1, 1));
    let mut dram = one(&preset);
    dram.push(of(0, Sectors::ALL), 0);
    dram.push(of(8 * 4, Sectors::ALL), 0);
    let mut times = Vec::new();
    for cycle in 0..500 {
        times.extend(come(&mut dram, cycle).map(|r| (r.line, cycle)));
    }
    // The activate at 0 lets the next one come at max(ras + rp, rc) = 60.
    assert_eq!(times, [(0, 134), (32, 60 + 14 + 12 + 8 + 100)]);
}

#[test]
fn an_open_row_is_served_before_an_older_request_to_another_row() {
    let mut dram = one(&preset());
    let row = 2048 / 128;
    let banks = 16;
    let mut order = Vec::new();
    read(&mut dram, 0, 0);
    dram.push(of(row * banks, Sectors::ALL), 0);
    dram.push(of(1, Sectors::ALL), 0);
    for cycle in 1000..3000 {
        order.extend(come(&mut dram, cycle).map(|r| r.line));
    }
    assert_eq!(order, [1, row * banks]);
}

#[test]
fn a_bank_that_waits_for_its_row_keeps_no_other_from_opening_one() {
    let mut dram = one(&slow_rows());
    dram.push(of(0, Sectors::ALL), 0);
    let mut times = Vec::new();
    for cycle in 0..500 {
        // The other row of the first bank can be opened at 60, the row of the second at once.
        if cycle == 20 {
            dram.push(of(8 * 4, Sectors::ALL), cycle);
        }
        if cycle == 34 {
            dram.push(of(8, Sectors::ALL), cycle);
        }
        times.extend(come(&mut dram, cycle).map(|r| (r.line, cycle)));
    }
    assert_eq!(times, [(0, 134), (8, 34 + 14 + 12 + 8 + 100), (32, 60 + 14 + 12 + 8 + 100)]);
    let s = *dram.statistics();
    assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (2, 0, 1));
}

#[test]
fn a_row_stays_open_until_it_can_be_closed() {
    let mut dram = one(&slow_rows());
    dram.push(of(0, Sectors::ALL), 0);
    let mut order = Vec::new();
    for cycle in 0..500 {
        // The row of line 1 is open since 0 and stays so until 28.
        if cycle == 20 {
            dram.push(of(8 * 4, Sectors::ALL), cycle);
        }
        if cycle == 24 {
            dram.push(of(1, Sectors::ALL), cycle);
        }
        order.extend(come(&mut dram, cycle).map(|r| r.line));
    }
    assert_eq!(order, [0, 1, 32]);
    let s = *dram.statistics();
    assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (1, 1, 1));
}

#[test]
fn equal_offsets_of_sixteen_cta_slots_have_a_bank_each() {
    let mut dram = one(&preset());
    let line = |slot: u32| (SHARED_SPACE.start + slot * SHARED_BLOCK_BYTES + 0x4380) / 128;
    for (start, (row_empty, row_hits)) in [(0, (16, 0)), (100_000, (16, 16))] {
        for slot in 0..16 {
            read(&mut dram, line(slot), start + 2000 * u64::from(slot));
        }
        let s = *dram.statistics();
        assert_eq!((s.row_empty, s.row_hits, s.row_conflicts), (row_empty, row_hits, 0));
    }
}

#[test]
fn fewer_sectors_take_less_of_the_bus_and_translation_comes_first() {
    let mut preset = preset();
    (preset.gpu.core_mhz, preset.gpu.sms) = (1000, 2);
    let d = &mut preset.dram;
    d.timing_unit = heddle_config::TimingUnit::Clocks;
    (d.cl, d.rcd, d.channels, d.clock_mhz, d.bytes_per_clock) = (12, 14, 1, 1000, 32);
    (d.latency, d.translation_latency) = (100, 70);
    let mut dram = one(&preset);
    let two = Sectors::of_bytes(&[1, 0, 1, 0], 32);
    // 64 bytes take 4 cycles of the bus.
    assert_eq!(arrival(&mut dram, of(0, two), 1000), 1000 + 70 + 1 + 14 + 12 + 4 + 100);
    assert_eq!(read(&mut dram, 1, 2000), 2000 + 70 + 1 + 12 + 8 + 100);
    dram.push(DramRequest { write: true, ..of(0xE000_0000 / 128, two) }, 3000);
    assert!((3000..4000).all(|c| come(&mut dram, c).is_none()), "a write is not answered");
    let shared = DramRequest { write: false, ..of(0xE000_0000 / 128, two) };
    assert_eq!(arrival(&mut dram, shared, 5000), 5000 + 12 + 4 + 100, "an open row, nothing to translate");
    let s = *dram.statistics();
    assert_eq!((s.reads, s.writes, s.sectors_read, s.sectors_written), (3, 1, 8, 2));
    assert_eq!((s.global.reads, s.global.writes, s.shared.writes, s.local.reads), (2, 0, 1, 0));
}
