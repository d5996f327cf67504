use heddle_isa::{Levels, Unit};

use super::{Dependences, LOAD_STORE};
use crate::data_use::Reads;
use crate::decode::{Decoded, Kind};
use crate::scoreboard::{Footprint, Set256};
use crate::stalls::Stall;
use crate::units::{FP32, SFU, Way};

fn set(registers: &[usize]) -> Set256 {
    let mut set = Set256::default();
    registers.iter().for_each(|register| set.insert(*register));
    set
}

fn instruction(reads: &[usize], writes: &[usize], long: bool) -> Decoded {
    Decoded {
        kind: Kind::Compute,
        unit: Unit::Fp32,
        through_port: false,
        long,
        footprint: Footprint { reads: set(reads), writes: set(writes), ..Footprint::default() },
        source: Default::default(),
        source_valid: 0,
        destination: Default::default(),
        destinations: 0,
        dead: 0,
        reads: Reads::default(),
        levels: Levels::default(),
        interval: None,
        way: Way { kind: None, latency: 1 },
        reads_moment: false,
    }
}

#[test]
fn a_warp_without_a_place_is_passed_over_while_there_is_none_until_it_issues() {
    let mut dependences = Dependences::new(8);
    dependences.crowd_out(1, FP32);
    dependences.crowd_out(2, SFU);
    dependences.crowd_out(4, LOAD_STORE);
    let without = |dependences: &Dependences, full: &[usize]| {
        dependences.without_place(0b1_0110, |room| full.contains(&room))
    };
    assert_eq!(without(&dependences, &[]), 0);
    assert_eq!(without(&dependences, &[FP32]), 0b10);
    assert_eq!(without(&dependences, &[SFU, LOAD_STORE]), 0b1_0100);
    assert_eq!(dependences.without_place(0b100, |_| true), 0b100, "candidates only");
    dependences.issued(1, &instruction(&[], &[], false));
    dependences.moved(2);
    dependences.start(4);
    assert_eq!(without(&dependences, &[FP32, SFU, LOAD_STORE]), 0);
    // Elsewhere the next time.
    dependences.crowd_out(1, SFU);
    assert_eq!(without(&dependences, &[FP32, LOAD_STORE]), 0);
    assert_eq!(without(&dependences, &[SFU]), 0b10);
}

#[test]
fn what_is_known_to_wait_waits_for_the_same_and_then_for_the_next() {
    let mut dependences = Dependences::new(1);
    dependences.issued(0, &instruction(&[], &[3], true));
    dependences.issued(0, &instruction(&[], &[4], false));
    let next = instruction(&[3, 4], &[5], false);
    let check = |dependences: &mut Dependences| dependences.check(0, &next, 9);
    assert_eq!(check(&mut dependences), Err(Stall::Memory));
    dependences.written(0, 4);
    assert_eq!(check(&mut dependences), Err(Stall::Memory), "the load");
    dependences.written(0, 3);
    assert_eq!(check(&mut dependences), Ok(()));
    // Another next instruction does not wait for what the one before has waited for.
    dependences.issued(0, &instruction(&[], &[3], false));
    assert_eq!(dependences.check(0, &instruction(&[7], &[8], false), 9), Ok(()));
    dependences.written(0, 3);
    dependences.issued(0, &instruction(&[], &[4], false));
    assert_eq!(check(&mut dependences), Err(Stall::Result));
    // A read that is not collected holds up a write of its register, and is no write.
    dependences.written(0, 4);
    let reader = Decoded { through_port: true, ..instruction(&[5], &[], false) };
    dependences.issued(0, &reader);
    assert_eq!(check(&mut dependences), Err(Stall::Result));
    dependences.collected(0, &reader);
    assert_eq!(check(&mut dependences), Ok(()));
}
