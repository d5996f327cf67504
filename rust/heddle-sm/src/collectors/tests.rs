use heddle_config::CollectorOrder::{Sm, SubCore};

use super::{BRANCH, Collectors, FP32, INT, Ready};

/// The tags that begin in each of some cycles; pipelines of single precision take one in two. An integer
/// instruction, 9, arrives in cycle `late`.
fn run(collectors: &mut Collectors, cycles: u64, late: u64) -> Vec<Vec<u16>> {
    let mut free = 0;
    (0..cycles)
        .map(|cycle| {
            if cycle == late {
                arrive(collectors, INT, 0, Some(9));
            }
            let mut begun = Vec::new();
            collectors.step(|kind, _, ready| {
                let takes = kind != FP32 || free <= cycle;
                if takes {
                    begun.extend(ready.tag);
                    if kind == FP32 {
                        free = cycle + 2;
                    }
                }
                takes
            });
            begun
        })
        .collect()
}

fn arrive(collectors: &mut Collectors, kind: usize, scheduler: usize, tag: Option<u16>) {
    let place = collectors.place_with_room(kind as u8, scheduler).expect("there is room");
    collectors.issued(place);
    collectors.arrive(place, Ready { tag, latency: 2 });
}

#[test]
fn what_waits_for_a_busy_pipeline_holds_up_the_others() {
    let mut collectors = Collectors::new(1, 2, 8, SubCore);
    for tag in 0..5 {
        arrive(&mut collectors, FP32, 0, Some(tag));
    }
    let begun = run(&mut collectors, 12, 2);
    let at = |tag| begun.iter().position(|tags| tags.contains(&tag)).expect("it begins");
    // Two collectors are not asked in the order in which they were filled.
    assert_eq!((0..5).map(at).collect::<Vec<_>>(), [1, 3, 5, 9, 7]);
    // Single precision has both collectors, and goes first while it waits.
    assert_eq!(at(9), 6, "{begun:?}");
    assert!(collectors.is_empty());
}

#[test]
fn another_kind_passes_where_a_collector_is_free() {
    let mut collectors = Collectors::new(1, 4, 8, Sm);
    for tag in 0..3 {
        arrive(&mut collectors, FP32, 0, Some(tag));
    }
    let begun = run(&mut collectors, 6, 1);
    assert!(begun[2].contains(&9), "{begun:?}");
}

/// One collector a scheduler; pipelines that take nothing from scheduler `busy`, to which three instructions of single
/// precision came a cycle ago. The kinds that begin of the other scheduler in each of four cycles.
fn begun_beside(busy: usize, order: heddle_config::CollectorOrder) -> Vec<Vec<usize>> {
    let mut collectors = Collectors::new(2, 1, 3, order);
    (0..3).for_each(|_| arrive(&mut collectors, FP32, busy, None));
    collectors.step(|_, _, _| false);
    arrive(&mut collectors, FP32, 1 - busy, None);
    arrive(&mut collectors, INT, 1 - busy, None);
    let cycle = |_| {
        let mut begun = Vec::new();
        collectors.step(|kind, scheduler, _| {
            if scheduler != busy {
                begun.push(kind);
            }
            scheduler != busy
        });
        begun
    };
    (0..4).map(cycle).collect()
}

#[test]
fn by_age_a_full_scheduler_holds_up_its_kind_in_the_others() {
    for busy in [0, 1] {
        assert_eq!(begun_beside(busy, SubCore), [vec![], vec![FP32], vec![INT], vec![]]);
        // Two of the busy scheduler are in its register and its collector; the third came before single precision of the
        // other, which waits behind it. Integers do not.
        assert_eq!(begun_beside(busy, Sm), [vec![], vec![INT], vec![], vec![]]);
    }
}

#[test]
fn places_are_of_a_kind_and_a_scheduler() {
    let mut collectors = Collectors::new(2, 2, 2, SubCore);
    collectors.issued(collectors.place_with_room(BRANCH as u8, 1).expect("there is room"));
    assert_eq!(collectors.place_with_room(BRANCH as u8, 1), None, "one of these");
    collectors.issued(collectors.place_with_room(INT as u8, 1).expect("there is room"));
    let place = collectors.place_with_room(INT as u8, 1).expect("there is room");
    collectors.issued(place);
    assert_eq!(collectors.place_with_room(INT as u8, 1), None);
    assert!(
        collectors.place_with_room(INT as u8, 0).is_some()
            && collectors.place_with_room(FP32 as u8, 1).is_some()
    );
    collectors.arrive(place, Ready { tag: None, latency: 1 });
    collectors.step(|_, _, _| true);
    assert!(collectors.place_with_room(INT as u8, 1).is_some(), "it has a collector or is gone");
}
