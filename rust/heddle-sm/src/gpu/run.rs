//! A GPU on several threads of the host, with the cycles, counts and memory that one thread gives.
//!
//! Of `n` threads each has every `n`-th SM. In a cycle all SMs move side by side. What they share is used by one after
//! the other: accesses to global memory take turns in the order of the SMs, and the last thread that is through moves
//! the networks, L2 and DRAM and hands out the CTAs of the next cycle.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use heddle_isa::DeviceMemory;
use heddle_mem::FirstLevel;
use heddle_port::{RegIn, RegOut};

use super::Gpu;
use super::between::{Between, Failure, Told};
use super::rendezvous::{Abandoned, Alive, Rendezvous, Turns};
use super::threads::Threads;
use crate::error::SmError;
use crate::observer::Observer;
use crate::registers::OperandSource;
use crate::sm::Sm;

/// What stands behind the register port of an SM.
pub trait Behind: Send {
    /// Where the operand data come from.
    type Operands: OperandSource;
    /// Who sees the events of its SM alone, on the thread that moves it.
    type Observer: Observer;
    /// Why its clock edge fails.
    type Error: Send + Sync;

    /// What it puts out in this cycle, with the operand data, where the SM writes its inputs, and who sees its events.
    fn port(&mut self) -> (&RegOut, &Self::Operands, &mut RegIn, &mut Self::Observer);

    /// The clock edge of a cycle in which `sm` has moved.
    ///
    /// # Errors
    /// As the design says.
    fn edge(&mut self, sm: &mut Sm) -> Result<(), Self::Error>;
}

/// Why a GPU does not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GpuError<E> {
    /// An SM fails.
    Sm {
        /// Its number, the lowest of those that fail in the cycle.
        sm: usize,
        /// Why.
        error: SmError,
    },
    /// The design of an SM fails.
    Design {
        /// Number of the SM.
        sm: usize,
        /// Why.
        error: E,
    },
    /// L2 or DRAM fails.
    Memory(SmError),
}

/// An SM and what stands behind its port.
struct Member<'g, B> {
    number: usize,
    sm: &'g mut Sm<FirstLevel>,
    behind: &'g mut B,
}

/// What the threads share.
struct Run<'g, B: Behind> {
    /// The SMs of each thread.
    crews: Vec<Mutex<Vec<Member<'g, B>>>>,
    /// What the SMs of each thread did in the cycle.
    told: Vec<Mutex<Told<B::Error>>>,
    between: RwLock<Between<'g, B::Error>>,
    global: Mutex<&'g mut DeviceMemory>,
    alive: Alive,
    rendezvous: Rendezvous,
    turns: Turns,
}

impl Gpu {
    /// Runs the SMs, whose designs are `behind`, on `threads` until the launch is over or cycle `until` is reached. How many
    /// threads there are changes nothing but the time that it takes.
    ///
    /// # Errors
    /// An SM, its design or the memory fails. The GPU must not be run on after that.
    pub fn run<B: Behind>(
        &mut self,
        behind: &mut [B],
        until: u64,
        threads: &Threads,
    ) -> Result<(), GpuError<B::Error>> {
        if self.is_done() || self.cycle >= until {
            return Ok(());
        }
        let mut told = Told::default();
        for (number, sm) in self.sms.iter().enumerate() {
            told.see(number, sm);
        }
        let mut between =
            Between::new(&mut self.lower, &mut self.distributor, &mut self.requests, &mut self.cycle, until);
        between.collect([&mut told]);
        between.plan();
        let mut crews: Vec<Vec<Member<'_, B>>> = (0..threads.count()).map(|_| Vec::new()).collect();
        for (number, (sm, behind)) in self.sms.iter_mut().zip(behind).enumerate() {
            crews[number % threads.count()].push(Member { number, sm, behind });
        }
        let run = Run {
            told: crews.iter().map(|_| Mutex::default()).collect(),
            crews: crews.into_iter().map(Mutex::new).collect(),
            between: RwLock::new(between),
            global: Mutex::new(&mut self.global),
            alive: Alive::default(),
            rendezvous: Rendezvous::new(threads.count()),
            turns: Turns::default(),
        };
        threads.each(|thread| {
            // Only where another thread panicked; the pool passes the panic on.
            let _abandoned = run.work(thread);
        });
        let between = run.between.into_inner().unwrap_or_else(PoisonError::into_inner);
        between.into_result()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<B: Behind> Run<'_, B> {
    /// What one thread does.
    fn work(&self, thread: usize) -> Result<(), Abandoned> {
        let _guard = self.alive.guard();
        let mut crew = lock(&self.crews[thread]);
        loop {
            {
                let between = self.between.read().unwrap_or_else(PoisonError::into_inner);
                if between.is_over() {
                    return Ok(());
                }
                let mut told = lock(&self.told[thread]);
                for member in crew.iter_mut() {
                    if let Err(failure) = self.cycle(member, &between)? {
                        told.fails(member.number, failure);
                    }
                    told.see(member.number, member.sm);
                }
            }
            self.rendezvous.meet(&self.alive, || self.end_cycle())?;
        }
    }

    /// What the last thread does for all at the end of a cycle.
    fn end_cycle(&self) {
        let mut between = self.between.write().unwrap_or_else(PoisonError::into_inner);
        let mut told: Vec<_> = self.told.iter().map(lock).collect();
        between.collect(told.iter_mut().map(|told| &mut **told));
        drop(told);
        between.end_cycle();
        self.turns.begin();
    }

    /// A cycle of one SM with its clock edge. An SM that fails passes its turn at global memory on.
    fn cycle(
        &self,
        member: &mut Member<'_, B>,
        between: &Between<'_, B::Error>,
    ) -> Result<Result<(), Failure<B::Error>>, Abandoned> {
        let Member { number, sm, behind } = member;
        between.begin_cycle(*number, sm);
        let (out, operands, input, observer) = behind.port();
        let mut moved = sm.tick_to_access(out, operands, input, observer);
        let place = between.place(*number);
        if let Some(place) = place {
            self.turns.await_turn(place, &self.alive)?;
        }
        if moved.is_ok() {
            moved = match place {
                Some(_) => {
                    let mut global = lock(&self.global);
                    sm.swap_global(&mut global);
                    let accessed = sm.access(observer);
                    sm.swap_global(&mut global);
                    accessed
                }
                None => sm.access(observer),
            };
        }
        if let Some(place) = place {
            self.turns.end(place, &self.alive);
        }
        let ticked = moved.and_then(|()| sm.tick_from_access(out, input, observer));
        Ok(match ticked {
            Ok(()) => behind.edge(sm).map_err(Failure::Design),
            Err(error) => Err(Failure::Sm(error)),
        })
    }
}
