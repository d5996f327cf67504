//! Lines with dirty bytes that leave for the line of a miss.

use super::bench::{Bench, config, read, write};
use super::layout;
use heddle_port::memory::MemRequest;

#[test]
fn a_write_back_and_its_fetch_wait_for_two_places() {
    let mut bench = Bench::new(config(0));
    for line in 0..8 {
        bench.run(&write(line as u16, line));
    }
    bench.lower_open = false;
    // Each read asks for a write-back and a fetch, of which the queue holds eight.
    for line in 8..13 {
        bench.send(&read(line as u16, line));
    }
    bench.send(&read(20, 7));
    for _ in 0..50 {
        bench.step(&MemRequest::default());
    }
    assert_eq!((bench.count(layout::EVICT_DIRTY), bench.count(layout::FETCH)), (4, 4));
    assert!(bench.count(layout::STALL_LOWER) > 0);
    bench.lower_open = true;
    bench.drain();
    let order: Vec<(char, u32)> = (0..4).flat_map(|n| [('w', n), ('f', 8 + n)]).collect();
    assert_eq!(bench.traffic()[..8], order);
    assert_eq!(bench.responses.len(), 8 + 6);
}

#[test]
fn a_hit_is_served_while_a_fetch_goes_behind_its_write_back() {
    let mut bench = Bench::new(config(0));
    for line in 0..8 {
        bench.run(&write(line as u16, line));
    }
    bench.performed.clear();
    let at = bench.send(&read(8, 8));
    bench.send(&read(9, 7));
    bench.drain();
    assert_eq!(bench.performed[0], (at + 3, 9, u32::MAX), "looked up right behind the miss");
}
