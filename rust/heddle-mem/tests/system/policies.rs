//! What `l1d.sets`, `l1d.allocation`, `l1d.write_hit` and `l1d.write_allocate` say, and what a fence or an atomic drops.

use heddle_config::{Allocation, SetIndex, WriteHit};
use heddle_mem::{LOCAL_SPACE, kind, outcome, space};

use super::{Driver, arrays, line, plain, preset, read, word};

#[test]
fn a_store_drops_the_line_that_it_finds_where_the_preset_says_so() {
    let mut evicting = plain();
    evicting.l1d.write_hit = WriteHit::Evict;
    for (preset, after, evicted) in [(plain(), outcome::HIT, 0), (evicting, outcome::MISS, 1)] {
        let mut d = Driver::new(&preset);
        d.alone(read(9));
        d.alone(line(space::GLOBAL, kind::WRITE, 9));
        assert_eq!(d.alone(read(9)).0, after, "{:?}", preset.l1d.write_hit);
        d.alone(line(space::GLOBAL, kind::WRITE, 10));
        let found = (arrays(&d).write_evictions, d.system.statistics().l1.write_through);
        assert_eq!(found, (evicted, 2), "one of two stores finds a line");
        d.alone(line(space::LOCAL, kind::WRITE, 64));
        d.alone(line(space::LOCAL, kind::WRITE, 64));
        assert_eq!(d.alone(line(space::LOCAL, kind::READ, 64)).0, outcome::HIT, "local lines stay");
    }
}

#[test]
fn a_store_leaves_the_sectors_that_it_writes_whole_where_the_preset_says_so() {
    for allocates in [false, true] {
        let mut preset = plain();
        preset.l1d.sector_bytes = 32;
        preset.l1d.write_allocate = allocates;
        let mut d = Driver::new(&preset);
        // Lanes 0 to 11: the first sector and half of the second.
        let mut store = line(space::GLOBAL, kind::WRITE, 9);
        store.mask = 0xFFF;
        d.alone(store);
        assert_eq!(d.system.statistics().l2.writes, 1, "it goes to L2");
        let expected = if allocates { outcome::HIT } else { outcome::MISS };
        assert_eq!(d.alone(word(space::GLOBAL, kind::READ, 9 * 128)).0, expected);
        assert_eq!(d.alone(word(space::GLOBAL, kind::READ, 9 * 128 + 32)).0, outcome::MISS, "in part");
    }
}

/// Misses of the L1 that are looked up before the first answer, of five lines of one set of four ways.
fn misses_before_an_answer(allocation: Allocation) -> u64 {
    let mut preset = plain();
    preset.l1d.allocation = allocation;
    let mut d = Driver::new(&preset);
    (0..5).for_each(|n| {
        d.offer(read(1000 + 32 * n));
    });
    for _ in 0..20 {
        d.step();
    }
    let misses = d.system.statistics().l1.read_misses;
    d.drain();
    assert_eq!(d.system.statistics().l1.read_misses, 5);
    misses
}

#[test]
fn a_line_takes_its_place_with_its_miss_or_when_it_comes() {
    assert_eq!(misses_before_an_answer(Allocation::OnFill), 5);
    assert_eq!(misses_before_an_answer(Allocation::OnMiss), 4, "the fifth waits for a place");
    // Four lines of a set are there; a fifth takes the place of the oldest when it comes, or at once.
    for (allocation, meanwhile) in [(Allocation::OnFill, outcome::HIT), (Allocation::OnMiss, outcome::MISS)] {
        let mut preset = plain();
        preset.l1d.allocation = allocation;
        let mut d = Driver::new(&preset);
        for n in 0..4 {
            d.alone(read(1000 + 32 * n));
        }
        d.offer(read(1000 + 32 * 4));
        let oldest = d.offer(read(1000));
        d.drain();
        assert_eq!(d.seen[&oldest].outcome, meanwhile, "{allocation:?}");
    }
}

#[test]
fn a_store_finds_no_line_in_a_place_whose_line_is_on_its_way() {
    for write_hit in [WriteHit::Through, WriteHit::Evict] {
        let mut preset = plain();
        (preset.l1d.allocation, preset.l1d.write_hit) = (Allocation::OnMiss, write_hit);
        let mut d = Driver::new(&preset);
        d.offer(read(9));
        d.offer(line(space::GLOBAL, kind::WRITE, 9));
        d.drain();
        assert_eq!(
            (arrays(&d).write_evictions, arrays(&d).line_writes),
            (0, 1),
            "only the fill, {write_hit:?}"
        );
    }
}

#[test]
fn hashed_sets_spread_lines_that_lie_as_far_apart_as_there_are_sets() {
    for (sets, hits) in [(SetIndex::Linear, 0), (SetIndex::Hashed, 8)] {
        let mut preset = preset();
        preset.l1d.sets = sets;
        let mut d = Driver::new(&preset);
        for _ in 0..2 {
            // Bits 13 to 15 of the address differ.
            (0..8).for_each(|n| {
                d.alone(read(64 * n));
            });
        }
        assert_eq!(d.system.statistics().l1.read_hits, hits, "{sets:?}");
    }
}

/// Steps until nothing is under way; what left and what was taken on the way, by line.
fn lines_until_idle(d: &mut Driver) -> (Vec<u32>, Vec<u32>, usize) {
    let (mut left, mut taken, mut emptied) = (Vec::new(), Vec::new(), 0);
    loop {
        let events = d.system.line_events().expect("an L1 in Rust");
        left.extend(&events.left);
        taken.extend(events.taken.map(|taken| taken.line));
        emptied += usize::from(events.emptied);
        if d.system.is_idle() {
            return (left, taken, emptied);
        }
        d.step();
    }
}

#[test]
fn a_fence_drops_what_is_there_of_global_memory_and_what_is_on_its_way() {
    for allocation in [Allocation::OnFill, Allocation::OnMiss] {
        let mut preset = plain();
        preset.l1d.allocation = allocation;
        let mut d = Driver::new(&preset);
        let own = LOCAL_SPACE / 128 + 64;
        d.alone(line(space::LOCAL, kind::WRITE, own));
        d.alone(read(9));
        // Line 10 is on its way when the lines are dropped.
        let on_its_way = d.offer(read(10));
        for _ in 0..4 {
            d.step();
        }
        d.system.invalidate_l1();
        d.step();
        let after = [d.offer(read(10)), d.offer(read(9))];
        d.drain();
        let outcomes = [on_its_way, after[0], after[1]].map(|tag| d.seen[&tag].outcome);
        assert_eq!(outcomes, [outcome::MISS; 3], "who asks after the fence does not join, {allocation:?}");
        assert_eq!([d.alone(read(9)).0, d.alone(read(10)).0], [outcome::HIT; 2], "{allocation:?}");
        assert_eq!(d.alone(line(space::LOCAL, kind::READ, own)).0, outcome::HIT, "local lines stay");
        assert_eq!(arrays(&d).invalidations, 1);
    }
}

#[test]
fn what_is_on_its_way_of_an_atomics_line_is_not_kept() {
    for allocation in [Allocation::OnFill, Allocation::OnMiss] {
        let mut preset = plain();
        preset.l1d.allocation = allocation;
        let mut d = Driver::new(&preset);
        d.offer(read(9));
        d.offer(line(space::GLOBAL, kind::ATOMIC, 9));
        let joins = d.offer(read(9));
        d.drain();
        assert_eq!(d.seen[&joins].outcome, outcome::MISS, "{allocation:?}");
        assert_eq!(d.alone(read(9)).0, outcome::HIT);
    }
}

#[test]
fn who_holds_the_values_is_told_of_every_line() {
    let mut preset = plain();
    (preset.l1d.allocation, preset.l1d.write_hit) = (Allocation::OnMiss, WriteHit::Evict);
    let mut d = Driver::new(&preset);
    let during = |d: &mut Driver, request| {
        d.drain();
        d.offer(request);
        lines_until_idle(d)
    };
    assert_eq!(during(&mut d, read(1000)), (vec![], vec![1000], 0));
    assert_eq!(during(&mut d, read(1000)), (vec![], vec![], 0), "it is there");
    for n in 1..4 {
        during(&mut d, read(1000 + 32 * n));
    }
    assert_eq!(during(&mut d, read(1128)), (vec![1000], vec![1128], 0), "the oldest of a set of four ways");
    assert_eq!(during(&mut d, line(space::GLOBAL, kind::WRITE, 1128)), (vec![1128], vec![], 0));
    assert_eq!(during(&mut d, line(space::GLOBAL, kind::ATOMIC, 1096)), (vec![1096], vec![], 0));
    assert_eq!(
        during(&mut d, line(space::LOCAL, kind::READ, LOCAL_SPACE / 128)),
        (vec![], vec![], 0),
        "local memory is the SM's own"
    );
    d.drain();
    d.system.invalidate_l1();
    d.offer(read(1032));
    assert_eq!(lines_until_idle(&mut d), (vec![], vec![1032], 1), "the fence, then a miss");
}
