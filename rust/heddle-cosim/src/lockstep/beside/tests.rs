use std::sync::atomic::{AtomicU64, Ordering};

use heddle_port::{RegIn, RegOut};

use super::*;
use crate::lockstep::edge::Stands;

/// Counts cycles, and fails or panics in one of them.
#[derive(Default)]
struct Counts {
    cycles: AtomicU64,
    fails: Option<u64>,
    panics: Option<u64>,
}

impl Taker for &Counts {
    fn take(&mut self, cycles: &Cycles) -> Result<(), RunError> {
        for edge in &cycles.edges {
            let count = self.cycles.fetch_add(1, Ordering::SeqCst);
            assert_eq!(edge.cycle, count, "cycles come in order");
            assert!(self.panics != Some(count), "the checker panics in cycle {count}");
            if self.fails == Some(count) {
                return Err(RunError::Kernel { message: format!("cycle {count}") });
            }
        }
        Ok(())
    }
}

impl Counts {
    fn count(&self) -> u64 {
        self.cycles.load(Ordering::SeqCst)
    }
}

fn show(recorder: &mut Recorder, cycle: u64) -> Result<(), Halt> {
    let (input, out, stands) = (RegIn::default(), RegOut::default(), Stands::default());
    let (stands, rtl) = (&stands, &out);
    let edge = Edge { cycle, input: &input, memory: None, lower: None, stands, rtl, rtl_memory: None };
    recorder.edge(&edge)
}

fn queue(cycles: usize, pause: u64) -> CheckQueue {
    CheckQueue { cycles, pause: Duration::from_millis(pause) }
}

/// Shows `cycles` cycles, or as many as are taken, and then does `end`.
fn drive<R>(
    counts: &Counts,
    queue: CheckQueue,
    cycles: u64,
    end: impl FnOnce(Result<(), Halt>) -> R,
) -> Result<R, RunError> {
    beside(&mut { counts }, queue, false, |recorder| end((0..cycles).try_for_each(|c| show(recorder, c))))
}

/// What a panic says.
fn panic_of(run: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default().to_owned()
}

#[test]
fn every_cycle_is_taken_in_order_before_the_outcome() {
    for (depth, pause) in [(1, 0), (64, 0), (CheckQueue::USUAL_CYCLES, 0), (64, 2)] {
        for cycles in [0, 1, 63, 64, 65, 300] {
            let counts = Counts::default();
            let outcome = drive(&counts, queue(depth, pause), cycles, |run| run.is_ok());
            assert!(matches!(outcome, Ok(true)), "{outcome:?}");
            assert_eq!(counts.count(), cycles, "depth {depth}");
        }
    }
}

#[test]
fn a_full_queue_blocks() {
    let (counts, depth) = (Counts::default(), 32);
    let run = beside(&mut { &counts }, queue(depth, 3), false, |recorder| {
        (0..200).try_for_each(|cycle| {
            show(recorder, cycle)?;
            // Two batches of two are on neither side's count.
            assert!(cycle <= counts.count() + depth as u64 + 4, "cycle {cycle} at {}", counts.count());
            Ok::<(), Halt>(())
        })
    });
    assert!(matches!(run, Ok(Ok(()))) && counts.count() == 200);
}

#[test]
fn the_earliest_failure_wins_over_how_the_other_side_ends() {
    let fails = || Counts { fails: Some(150), ..Counts::default() };
    for depth in [1, 64, 1024] {
        let out_of_cycles = RunError::usage("no more cycles");
        let outcome =
            drive(&fails(), queue(depth, 1), 200, |run| run.and(Err::<(), _>(out_of_cycles.into())));
        assert_eq!(outcome.expect_err("it fails").to_string(), "the kernel fails: cycle 150");
        let outcome = drive(&fails(), queue(depth, 0), 151, |_| -> u8 { panic!("the RTL's side panics") });
        assert_eq!(outcome.map(drop).expect_err("it fails").to_string(), "the kernel fails: cycle 150");
        // The same before that cycle is the outcome.
        let outcome = drive(&fails(), queue(depth, 1), 150, |run| run.map(|()| "out of cycles"));
        assert_eq!(outcome.expect("nothing is wrong").expect("all was taken"), "out of cycles");
    }
}

#[test]
fn the_side_of_the_rtl_is_refused_after_a_failure() {
    let counts = Counts { fails: Some(3), ..Counts::default() };
    let mut refused = false;
    let outcome = drive(&counts, queue(1, 0), u64::MAX, |run| refused = matches!(run, Err(Halt::Refused)));
    assert!(outcome.is_err() && refused && counts.count() == 4);
}

#[test]
fn a_panic_of_either_side_is_one_of_the_run() {
    let counts = Counts { panics: Some(70), ..Counts::default() };
    for depth in [1, 64, 1024] {
        let counts = Counts { panics: counts.panics, ..Counts::default() };
        let text = panic_of(|| drop(drive(&counts, queue(depth, 0), 200, drop)));
        assert_eq!(text, "the checker panics in cycle 70");
    }
    let counts = Counts::default();
    let text =
        panic_of(|| drop(drive(&counts, queue(64, 1), 200, |_| -> u8 { panic!("the RTL's side panics") })));
    assert_eq!((text.as_str(), counts.count()), ("the RTL's side panics", 200));
}

#[test]
fn a_queue_that_closes_or_loses_cycles_is_a_failure() {
    let took = |numbers: &[u64], last: bool| {
        let (sender, receiver) = sync_channel(8);
        for number in numbers {
            sender
                .send(Batch { number: *number, cycles: Cycles::default(), last: false })
                .expect("there is room");
        }
        let number = numbers.len() as u64;
        if last {
            sender.send(Batch { number, cycles: Cycles::default(), last }).expect("there is room");
        }
        drop(sender);
        let counts = Counts::default();
        take_all(&mut { &counts }, Duration::ZERO, receiver, channel().0)
    };
    assert!(took(&[0, 1], true).is_ok());
    let text = |outcome: Result<(), RunError>| outcome.expect_err("it is a failure").to_string();
    assert!(text(took(&[0, 1], false)).ends_with("closed after 2 batches"));
    assert!(text(took(&[0, 2], true)).ends_with("batch 2 of cycles came instead of batch 1"));
    // The other way round: nobody takes, and says why.
    let (queue, _) = sync_channel(1);
    let (_room, taken) = channel::<Cycles>();
    let mut recorder =
        Recorder { cycles: Cycles::default(), number: 0, at_once: 1, spills: false, queue, taken };
    assert!(matches!(show(&mut recorder, 0), Err(Halt::Refused)));
}
