//! L2, the networks and DRAM.

use heddle_config::Preset;
use heddle_mem::{kind, outcome, space};

use super::{Driver, dram_round, l2_round, line, preset, read, word};

/// Cycles between the answers to eight lines that hit in L2.
fn cycles_between_l2_hits(preset: &Preset) -> Vec<u64> {
    let mut d = Driver::new(preset);
    for n in 0..16 {
        d.alone(read(n));
        d.alone(read(4096 + n));
    }
    d.drain();
    for way in 1..=4 {
        for n in 0..16 {
            d.alone(read(8192 * way + n));
        }
    }
    d.drain();
    let tags: Vec<u16> = (0..8).map(|n| d.offer(read(n))).collect();
    d.drain();
    let times: Vec<u64> = tags.iter().map(|t| d.seen[t].answered.expect("answered")).collect();
    times.windows(2).map(|w| w[1] - w[0]).collect()
}

#[test]
fn a_slice_of_l2_and_the_replies_have_their_bandwidths() {
    let mut preset = preset();
    (preset.l2.slice_bytes, preset.interconnect.flit_bytes) = (128, 34);
    assert_eq!(cycles_between_l2_hits(&preset), [4; 7], "8 + 128 bytes are four flits");
    (preset.l2.slice_bytes, preset.interconnect.flit_bytes) = (24, 136);
    // 5 1/3 cycles each.
    assert_eq!(cycles_between_l2_hits(&preset).iter().sum::<u64>(), 37);
}

#[test]
fn misses_wait_for_no_latency_of_others() {
    // One sector of a line each: the SM's share of DRAM has 9.6 bytes a cycle, so a sector takes 3 1/3 cycles.
    let volta = heddle_config::load("volta").expect("the preset ships");
    let mut d = Driver::new(&volta);
    let lines = 512u32;
    let tags: Vec<u16> =
        (0..lines).map(|n| d.offer(word(space::GLOBAL, kind::READ, 0x1000_0000 + 128 * n))).collect();
    d.drain();
    let last = tags.iter().filter_map(|t| d.seen[t].answered).max().expect("all are answered");
    let first = d.seen[&tags[0]].answered.expect("answered");
    let (gpu, dram) = (&volta.gpu, &volta.dram);
    let share = u64::from(dram.bytes_per_clock * dram.clock_mhz * dram.channels);
    let bus = u64::from(32 * lines * gpu.core_mhz * gpu.sms) / share;
    assert!((bus..bus + bus / 20).contains(&(last - first + 4)), "{} for {bus}", last - first);
}

#[test]
fn the_end_waits_for_dram_writes_only_where_the_preset_says_so() {
    let cycles = |drain| {
        let mut volta = heddle_config::load("volta").expect("the preset ships");
        (volta.dram.drain_writes, volta.l2.bytes) = (drain, volta.l2.ways * 128 * volta.gpu.sms);
        let mut d = Driver::new(&volta);
        for n in 0..200 {
            d.offer(line(space::GLOBAL, kind::WRITE, n));
        }
        d.drain();
        let dram = d.system.statistics().dram;
        assert_eq!((dram.writes, dram.sectors_written), (200 - 24, 4 * (200 - 24)), "all but the ways");
        d.cycle
    };
    let (posted, drained) = (cycles(false), cycles(true));
    assert!(drained > posted + 1000, "{posted} {drained}");
}

#[test]
fn l2_and_open_rows_outlive_a_launch_and_the_l1_does_not() {
    let preset = preset();
    let mut d = Driver::new(&preset);
    let cold = l2_round(&preset) + dram_round(&preset);
    assert_eq!(d.alone(read(1000)), (outcome::MISS, cold));
    let mut next = Driver::new(&preset);
    next.system.set_lower(d.system.into_lower().expect("it was not shared"));
    assert_eq!(next.alone(read(1000)), (outcome::MISS, l2_round(&preset)), "it missed in the L1 alone");
    let rcd = preset.dram.core_cycles(preset.dram.rcd, preset.gpu.core_mhz);
    assert_eq!(next.alone(read(1001)), (outcome::MISS, cold - rcd), "the row is open");
    let s = next.system.statistics();
    assert_eq!((s.l2.read_hits, s.l2.read_misses, s.dram.reads), (1, 1, 1), "of this launch alone");
    assert_eq!((s.dram.row_hits, s.dram.row_empty), (1, 0));
}
