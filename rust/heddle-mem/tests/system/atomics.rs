//! Atomics in L2.

use heddle_config::Preset;
use heddle_mem::{kind, space};
use heddle_port::memory::MemRequest;

use super::{Driver, line, preset};

/// All lanes on words `words` apart, from the beginning of a line on.
fn atomic(number: u32, words: u32) -> MemRequest {
    let address = std::array::from_fn(|lane| number * 128 + 4 * words * lane as u32);
    MemRequest { address, ..line(space::GLOBAL, kind::ATOMIC, number) }
}

/// Cycles of an atomic alone whose line is in L2.
fn alone(preset: &Preset, words: u32) -> (u64, u64) {
    let mut d = Driver::new(preset);
    d.alone(atomic(50, 1));
    let before = d.system.statistics().l2;
    let (_, cycles) = d.alone(atomic(50, words));
    let after = d.system.statistics().l2;
    assert_eq!((after.atomics - before.atomics, after.read_hits - before.read_hits), (1, 1));
    (cycles, after.atomic_serial_cycles - before.atomic_serial_cycles)
}

#[test]
fn lanes_on_one_word_are_carried_out_one_after_the_other() {
    for interval in [0, 1, 9] {
        let mut preset = preset();
        preset.l2.atomic_interval = interval;
        let (apart, none) = alone(&preset, 1);
        let (one, serial) = alone(&preset, 0);
        let expected = 31 * u64::from(interval);
        assert_eq!((one - apart, serial, none), (expected, expected, 0), "{interval} cycles");
    }
}

#[test]
fn atomics_on_one_word_take_a_slice_for_as_long_as_they_have_lanes() {
    let preset = preset();
    let cycles = |words: u32| {
        let mut d = Driver::new(&preset);
        d.alone(atomic(50, words));
        let begin = d.cycle;
        (0..64).for_each(|_| {
            d.offer(atomic(50, words));
        });
        d.drain();
        (d.cycle - begin) as f64 / 64.0
    };
    let (one, apart) = (cycles(0), cycles(1));
    // A line of four sectors takes 4 cycles of the slice beside, and 5 of each network, which go on meanwhile.
    assert!((34.0..39.0).contains(&one) && apart < 9.0, "{one}, {apart}");
}

#[test]
fn what_atomics_write_goes_to_dram_when_its_line_leaves_l2() {
    let mut preset = preset();
    preset.l2.bytes = preset.gpu.sms * preset.l2.ways * 128;
    preset.dram.drain_writes = true;
    let mut d = Driver::new(&preset);
    d.alone(atomic(50, 0));
    for n in 1..=preset.l2.ways {
        d.alone(line(space::GLOBAL, kind::READ, 50 + n));
    }
    let s = d.system.statistics();
    assert_eq!((s.l2.write_backs, s.dram.writes), (1, 1));
}
