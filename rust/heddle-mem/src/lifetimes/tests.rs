use heddle_port::{LaneMask, NUM_LANES};

use super::{LaneOffsets, Lifetimes};
use crate::kind;

/// One lane, at an offset; the others are nowhere.
fn lane(offset: u64, bytes: u32, act: impl FnOnce(LaneOffsets<'_>)) {
    let mut offsets = [u64::MAX; NUM_LANES];
    offsets[5] = offset;
    act(LaneOffsets { lanes: LaneMask(1 << 5), offsets: &offsets, bytes });
}

/// All lanes, lane n at offset n of `offsets`, over and over.
fn lanes<const N: usize>(offsets: [u64; N], bytes: u32, act: impl FnOnce(LaneOffsets<'_>)) {
    let offsets = std::array::from_fn(|lane| offsets[lane % N]);
    act(LaneOffsets { lanes: LaneMask::ALL, offsets: &offsets, bytes });
}

fn write(l: &mut Lifetimes, slot: u8, cycle: u64, (offset, bytes): (u64, u32)) {
    lane(offset, bytes, |access| l.write(slot, cycle, access));
}

fn read(l: &mut Lifetimes, slot: u8, cycle: u64, (offset, bytes): (u64, u32)) {
    lane(offset, bytes, |access| l.read(slot, cycle, access));
}

fn started(ctas: u8, cycle: u64, bytes: u32) -> Lifetimes {
    let mut l = Lifetimes::default();
    for slot in 0..ctas {
        l.start(slot, cycle, bytes);
    }
    l
}

#[test]
fn a_lifetime_goes_from_the_first_write_to_the_last_read_before_the_next_write() {
    let mut l = started(1, 100, 16);
    write(&mut l, 0, 110, (0, 4));
    write(&mut l, 0, 120, (0, 4));
    read(&mut l, 0, 130, (0, 4));
    read(&mut l, 0, 150, (2, 1));
    write(&mut l, 0, 160, (0, 4));
    read(&mut l, 0, 170, (0, 4));
    write(&mut l, 0, 190, (0, 4));
    l.end(0, 300);
    let s = l.statistics();
    assert_eq!((s.lifetimes, s.unread, s.reads[0]), (2, 1, 1));
    assert_eq!((s.lifetime_cycles, s.longest), (40 + 10, 40));
    assert_eq!((s.reads[1], s.reads[2]), (1, 1));
    assert!((s.average_share() - 25.0 / 200.0).abs() < 1e-12);
    assert!((s.longest_share() - 40.0 / 200.0).abs() < 1e-12);
    assert!((s.utilisation() - 0.25).abs() < 1e-12);
    assert_eq!((s.touched_byte_cycles, s.allocated_byte_cycles), (4 * 200, 16 * 200));
    assert_eq!(s.residency(), None);
}

#[test]
fn wide_accesses_are_several_words_and_ctas_are_apart() {
    let mut l = started(2, 0, 64);
    write(&mut l, 0, 5, (8, 16));
    read(&mut l, 0, 9, (12, 8));
    read(&mut l, 1, 9, (12, 8));
    l.end(0, 10);
    assert_eq!((l.statistics().lifetimes, l.statistics().unread), (2, 2));
    assert_eq!(l.statistics().touched_bytes, 16);
    l.end(1, 10);
    let s = l.statistics();
    assert_eq!((s.ctas, s.lifetimes, s.touched_bytes), (2, 2, 24));
}

#[test]
fn a_word_read_before_it_is_written_is_touched_once_and_many_reads_are_counted_together() {
    let mut l = started(1, 0, 4);
    read(&mut l, 0, 1, (0, 4));
    write(&mut l, 0, 2, (0, 4));
    for cycle in 3..30 {
        read(&mut l, 0, cycle, (0, 4));
    }
    l.end(0, 30);
    let s = l.statistics();
    assert_eq!((s.touched_bytes, s.reads[super::MOST_READS], s.longest), (4, 1, 27));
    assert_eq!(s.ctas, 1);
}

#[test]
fn a_word_that_many_lanes_read_in_a_cycle_is_read_once() {
    let mut l = started(1, 0, 16);
    lanes([0, 4, 8, 12], 4, |access| l.write(0, 1, access));
    lanes([0], 4, |access| l.read(0, 5, access));
    // One lane after the other, and then the first again.
    lanes([8, 12, 8], 4, |access| l.read(0, 6, access));
    lanes([4, 5, 6, 7], 1, |access| l.read(0, 8, access));
    read(&mut l, 0, 9, (4, 1));
    l.end(0, 20);
    let s = l.statistics();
    assert_eq!((s.lifetimes, s.reads[1], s.reads[2]), (4, 3, 1), "broadcasts; bytes in two cycles");
    assert_eq!((s.lifetime_cycles, s.longest), (4 + 5 + 5 + 8, 8));
}

#[test]
fn the_lanes_of_an_atomic_on_a_word_are_one_read_and_one_write() {
    let mut l = started(1, 0, 8);
    write(&mut l, 0, 1, (0, 4));
    lanes([0, 0, 4, 4], 4, |access| l.performed(0, 6, kind::ATOMIC, access));
    lanes([0], 4, |access| l.performed(0, 9, kind::READ, access));
    read(&mut l, 0, 10, (4, 4));
    lanes([0, 4], 4, |access| l.performed(0, 12, kind::WRITE, access));
    l.end(0, 20);
    let s = l.statistics();
    // Of word 0 up to the atomic and from there on; of word 4, which nothing wrote before, from there on. The last writes are
    // not read.
    assert_eq!((s.lifetimes, s.reads[1], s.unread), (3, 3, 2));
    assert_eq!((s.lifetime_cycles, s.longest), (5 + 3 + 4, 5));
}

#[test]
fn what_belongs_to_no_cta_and_nothing_at_all_count_nothing() {
    let mut l = started(1, 0, 8);
    write(&mut l, 3, 1, (0, 4));
    read(&mut l, 3, 2, (0, 4));
    read(&mut l, 0, 2, (8, 4));
    write(&mut l, 0, 2, (1 << 32, 4));
    l.line_left(3, 2, 0);
    l.end(3, 3);
    assert_eq!(*l.statistics(), super::LifetimeStatistics::default());
    assert!(l.statistics().utilisation() == 0.0 && l.statistics().average_share() == 0.0);
}

/// Word 0 leaves 10 cycles before its last read and lives 30; word 1 leaves 6 after its last read and lives 4;
/// word 32 is of another line and never leaves.
#[test]
fn residency_is_the_time_until_a_line_leaves_first_by_the_lifetime() {
    let mut l = started(1, 0, 256);
    write(&mut l, 0, 10, (0, 4));
    write(&mut l, 0, 20, (4, 4));
    write(&mut l, 0, 20, (128, 4));
    read(&mut l, 0, 24, (4, 4));
    read(&mut l, 0, 25, (128, 4));
    l.line_left(0, 30, 0x7C);
    l.line_left(0, 50, 0);
    read(&mut l, 0, 40, (0, 4));
    l.end(0, 100);
    let s = l.statistics();
    assert_eq!((s.left_early, s.left_late, s.lifetimes), (1, 1, 3));
    assert_eq!((s.resident_cycles, s.left_lifetime_cycles), (20 + 10, 30 + 4));
    assert_eq!(s.residency(), Some(30.0 / 34.0));
}

#[test]
fn a_new_lifetime_has_a_residency_of_its_own() {
    let mut l = started(1, 0, 128);
    write(&mut l, 0, 10, (0, 4));
    read(&mut l, 0, 15, (0, 4));
    write(&mut l, 0, 40, (0, 4));
    read(&mut l, 0, 60, (0, 4));
    l.line_left(0, 70, 0);
    l.end(0, 100);
    let s = l.statistics();
    // The place of the first went to the second before the line left.
    assert_eq!((s.left_late, s.resident_cycles, s.left_lifetime_cycles), (1, 30, 20));
    let mut both = *s;
    both.add(s);
    assert_eq!((both.left_late, both.longest, both.reads[1]), (2, 20, 4));
}
