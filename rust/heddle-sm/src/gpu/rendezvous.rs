//! Where the threads that run the SMs of a GPU meet, once a cycle and once for each access to global memory.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

/// How often a thread that waits looks before it leaves its core.
const LOOKS: u32 = 128;
/// A core that is lent for longer than this has other work: whoever waits sleeps instead of lending it again, for the next
/// so many waits.
const LENT: Duration = Duration::from_micros(100);
const CROWDED: usize = 4096;

/// A thread panicked: nobody may wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned;

/// Whether all threads are still there, and those that sleep until something is there.
#[derive(Debug, Default)]
pub struct Alive {
    abandoned: AtomicBool,
    /// Waits that sleep at once, since the cores have other work.
    crowded: AtomicUsize,
    sleepers: CachePadded<AtomicUsize>,
    asleep: Mutex<()>,
    woken: Condvar,
}

impl Alive {
    /// Marks the threads as abandoned if the caller's thread panics before the guard is dropped.
    pub fn guard(&self) -> impl Drop + '_ {
        struct Guard<'a>(&'a Alive);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.abandoned.store(true, Ordering::Release);
                    self.0.wake();
                }
            }
        }
        Guard(self)
    }

    /// Waits until `there`: spinning at first, then lending the core to others, and asleep where those keep it.
    fn wait(&self, there: impl Fn() -> bool) -> Result<(), Abandoned> {
        let over = || there() || self.abandoned.load(Ordering::Acquire);
        for _ in 0..LOOKS {
            if over() {
                break;
            }
            std::hint::spin_loop();
        }
        while !over() {
            let crowded = self.crowded.load(Ordering::Relaxed);
            if crowded > 0 {
                self.crowded.store(crowded - 1, Ordering::Relaxed);
                self.sleep_until(over);
                break;
            }
            let lent = Instant::now();
            std::thread::yield_now();
            if lent.elapsed() > LENT {
                self.crowded.store(CROWDED, Ordering::Relaxed);
            }
        }
        if there() { Ok(()) } else { Err(Abandoned) }
    }

    #[cold]
    fn sleep_until(&self, there: impl Fn() -> bool) {
        let mut asleep = self.asleep.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        // Either `there` sees what `wake` was called after, or `wake` sees that somebody sleeps.
        fence(Ordering::SeqCst);
        while !there() {
            asleep = self.woken.wait(asleep).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Something is there that others may wait for.
    fn wake(&self) {
        fence(Ordering::SeqCst);
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.asleep.lock().unwrap_or_else(PoisonError::into_inner));
            self.woken.notify_all();
        }
    }
}

/// The end of a cycle, which the last thread to arrive carries out for all.
#[derive(Debug)]
pub struct Rendezvous {
    threads: usize,
    arrived: CachePadded<AtomicUsize>,
    passed: CachePadded<AtomicUsize>,
}

impl Rendezvous {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        Self { threads, arrived: CachePadded::default(), passed: CachePadded::default() }
    }

    /// Waits for all threads; the last one does `between` before any goes on.
    ///
    /// # Errors
    /// A thread panicked.
    pub fn meet(&self, alive: &Alive, between: impl FnOnce()) -> Result<(), Abandoned> {
        let passed = self.passed.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            between();
            self.arrived.store(0, Ordering::Relaxed);
            self.passed.store(passed.wrapping_add(1), Ordering::Release);
            alive.wake();
            return Ok(());
        }
        alive.wait(|| self.passed.load(Ordering::Acquire) != passed)
    }
}

/// The order in which the SMs access global memory within a cycle.
#[derive(Debug, Default)]
pub struct Turns(CachePadded<AtomicUsize>);

impl Turns {
    /// A cycle begins: it is the turn of place 0.
    pub fn begin(&self) {
        self.0.store(0, Ordering::Release);
    }

    /// Waits for the turn of `place`.
    ///
    /// # Errors
    /// A thread panicked.
    pub fn await_turn(&self, place: usize, alive: &Alive) -> Result<(), Abandoned> {
        alive.wait(|| self.0.load(Ordering::Acquire) == place)
    }

    /// `place` has had its turn.
    pub fn end(&self, place: usize, alive: &Alive) {
        self.0.store(place + 1, Ordering::Release);
        alive.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::{Abandoned, Alive, AtomicUsize, Ordering, Rendezvous, Turns};

    /// Whose waits all sleep.
    fn crowded() -> Alive {
        Alive { crowded: AtomicUsize::new(usize::MAX), ..Alive::default() }
    }

    #[test]
    fn turns_are_taken_in_order_in_every_cycle() {
        in_order(&Alive::default());
    }

    #[test]
    fn turns_are_taken_in_order_by_threads_that_sleep() {
        in_order(&crowded());
    }

    fn in_order(alive: &Alive) {
        const THREADS: usize = 3;
        const CYCLES: usize = 200;
        let (rendezvous, turns) = (Rendezvous::new(THREADS), Turns::default());
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for place in 0..THREADS {
                let (rendezvous, turns, order) = (&rendezvous, &turns, &order);
                scope.spawn(move || {
                    for _ in 0..CYCLES {
                        turns.await_turn(place, alive).expect("nobody panics");
                        order.lock().expect("nobody panics").push(place);
                        turns.end(place, alive);
                        rendezvous.meet(alive, || turns.begin()).expect("nobody panics");
                    }
                });
            }
        });
        let expected: Vec<usize> = (0..CYCLES).flat_map(|_| 0..THREADS).collect();
        assert_eq!(order.into_inner().expect("nobody panics"), expected);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let (alive, rendezvous, turns) = (Alive::default(), Rendezvous::new(2), Turns::default());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _guard = alive.guard();
            panic!("as a thread might");
        }));
        assert!(panicked.is_err());
        assert_eq!(rendezvous.meet(&alive, || ()), Err(Abandoned));
        assert_eq!(turns.await_turn(1, &alive), Err(Abandoned));
    }

    #[test]
    fn a_thread_that_sleeps_is_woken_by_a_panic() {
        let (alive, rendezvous) = (crowded(), Rendezvous::new(2));
        std::thread::scope(|scope| {
            let sleeper = scope.spawn(|| rendezvous.meet(&alive, || ()));
            while alive.sleepers.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let _guard = alive.guard();
                panic!("as a thread might");
            }));
            assert!(panicked.is_err());
            assert_eq!(sleeper.join().expect("it does not panic"), Err(Abandoned));
        });
    }
}
