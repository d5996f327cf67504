use super::{DataUse, NUM_SOURCES, Reads, Reuse, Times, words_of};

fn read(sources: &[u8], dead: u8) -> Reads {
    let mut source = [0; NUM_SOURCES];
    source[..sources.len()].copy_from_slice(sources);
    Reads::new(source, (1 << sources.len()) - 1, dead)
}

#[test]
fn holes_are_registers_of_no_warp_and_registers_without_a_live_value() {
    let mut data = DataUse::new(100, 8);
    data.count_cycle();
    data.warp_starts();
    data.warp_starts();
    data.count_cycle();
    data.result(2, 2, 0);
    data.result(2, 2, 1);
    data.result(2, 2, 1);
    data.count_cycle();
    data.issue(3, 2, &read(&[0, 1, 1], 0b100));
    data.count_cycle();
    data.warp_ends(2);
    data.count_cycle();
    let sums = data.statistics();
    assert_eq!(sums.static_hole_cycles, 100 + 84 + 84 + 84 + 92);
    assert_eq!(sums.dynamic_hole_cycles, 16 + 14 + 15 + 8);
    assert_eq!(sums.live_register_cycles, 2 + 1);
}

#[test]
fn reads_of_each_value_and_their_distances_are_counted() {
    let mut data = DataUse::new(100, 8);
    data.warp_starts();
    data.result(0, 2, 5);
    data.issue(100, 2, &read(&[5, 5], 0));
    data.issue(201, 2, &read(&[5], 0));
    data.result(202, 2, 5);
    data.issue(1202, 2, &read(&[5, 3, 5], 0b100));
    data.result(1300, 2, 5);
    data.result(1301, 2, 6);
    data.issue(2302, 2, &read(&[6], 0));
    data.warp_ends(2);
    let expected =
        Reuse { never: 1, once: 2, twice: 1, reuses: 4, within_100: 1, within_1000: 3, ..Reuse::default() };
    assert_eq!(data.statistics().registers, expected);
}

#[test]
fn a_value_in_use_counts_as_used_so_far_and_a_dead_one_is_over() {
    let mut data = DataUse::new(100, 8);
    data.result(0, 2, 5);
    data.issue(1, 2, &read(&[5], 1));
    data.issue(2, 2, &read(&[5], 0));
    data.result(3, 2, 7);
    let registers = data.statistics().registers;
    assert_eq!((registers.once, registers.never, registers.reuses), (1, 1, 1));
    assert_eq!(data.statistics(), data.statistics(), "asking changes nothing");
}

#[test]
fn lines_are_counted_by_their_requests() {
    let mut data = DataUse::new(100, 8);
    for (cycle, line) in [(0, 7), (100, 7), (201, 7), (1201, 7), (2202, 7), (2203, 9)] {
        data.line(cycle, line, 1);
    }
    let expected = Reuse { never: 1, more: 1, reuses: 4, within_100: 1, within_1000: 3, ..Reuse::default() };
    assert_eq!(data.statistics().lines, expected);
}

#[test]
fn lanes_take_the_words_that_their_bytes_lie_in() {
    let mut address = [0xdead_0040; 32];
    (address[3], address[4], address[7]) = (0x1_0003, 0x1_0004, 0x1_007c);
    assert_eq!(words_of(&address, 1 << 3 | 1 << 4 | 1 << 7, 0), 1 | 1 << 1 | 1 << 31, "bytes");
    assert_eq!(words_of(&address, 1 << 4, 2), 1 << 1);
    assert_eq!(words_of(&address, 1 << 4, 3), 0b11 << 1);
    assert_eq!(words_of(&address, 1 << 4 | 1 << 7, 4), 0b1111 << 1 | 1 << 31, "no further than the line");
    assert_eq!(words_of(&address, 0, 2), 0);
}

#[test]
fn words_are_counted_by_the_requests_that_take_them() {
    let mut data = DataUse::new(100, 8);
    for words in [0b1111, 0b0111, 0b0011, 0b0001, 1 << 31 | 0b0001] {
        data.line(0, 7, words);
    }
    data.line(0, 9, 0b1);
    let expected = Times { never: 3, once: 1, twice: 1, thrice: 0, more: 1 };
    assert_eq!(data.statistics().words, expected);
    for _ in 0..300 {
        data.line(0, 9, 0b1);
    }
    assert_eq!(data.statistics().words, Times { never: 2, more: 2, ..expected });
}
