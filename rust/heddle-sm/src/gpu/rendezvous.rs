//! Where the threads that run the SMs of a GPU meet, once a cycle and once for each access to global memory.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_utils::{Backoff, CachePadded};

/// A thread panicked: nobody may wait for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abandoned;

/// Whether all threads are still there.
#[derive(Debug, Default)]
pub struct Alive(AtomicBool);

impl Alive {
    /// Marks the threads as abandoned if the caller's thread panics before the guard is dropped.
    pub fn guard(&self) -> impl Drop + '_ {
        struct Guard<'a>(&'a AtomicBool);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if std::thread::panicking() {
                    self.0.store(true, Ordering::Release);
                }
            }
        }
        Guard(&self.0)
    }

    /// Waits until `there`: spinning at first, then leaving the core to others.
    fn wait(&self, there: impl Fn() -> bool) -> Result<(), Abandoned> {
        let backoff = Backoff::new();
        while !there() {
            if self.0.load(Ordering::Acquire) {
                return Err(Abandoned);
            }
            backoff.snooze();
        }
        Ok(())
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
    pub fn end(&self, place: usize) {
        self.0.store(place + 1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::{Abandoned, Alive, Rendezvous, Turns};

    #[test]
    fn turns_are_taken_in_order_in_every_cycle() {
        const THREADS: usize = 3;
        const CYCLES: usize = 200;
        let (alive, rendezvous, turns) = (Alive::default(), Rendezvous::new(THREADS), Turns::default());
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for place in 0..THREADS {
                let (alive, rendezvous, turns, order) = (&alive, &rendezvous, &turns, &order);
                scope.spawn(move || {
                    for _ in 0..CYCLES {
                        turns.await_turn(place, alive).expect("nobody panics");
                        order.lock().expect("nobody panics").push(place);
                        turns.end(place);
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
}
