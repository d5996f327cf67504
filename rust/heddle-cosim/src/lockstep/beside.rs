//! The checking side on a thread of its own, behind a bounded queue of whole cycles.
//!
//! Nothing comes back from it but that it takes no more. The queue is empty and the thread has ended before
//! [`beside`] returns.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, sleep};
use std::time::Duration;

use heddle_isa::RecordedCta;
use heddle_port::Tag;

use super::cycles::Cycles;
use super::edge::Edge;
use super::rtl::{Halt, Watch};
use crate::check::InWords;
use crate::error::RunError;
use crate::spec::CheckQueue;

/// Most cycles that are handed over at once.
const MOST_AT_ONCE: usize = 64;
/// Batches that the queue holds, where it is that deep.
const BATCHES: usize = 16;

/// What takes cycles, on the other thread.
pub(super) trait Taker: Send {
    /// Takes some cycles.
    ///
    /// # Errors
    /// What is wrong in them; nothing more is taken.
    fn take(&mut self, cycles: &Cycles) -> Result<(), RunError>;
}

/// Cycles on their way.
struct Batch {
    /// Batches before it.
    number: u64,
    cycles: Cycles,
    /// No other follows.
    last: bool,
}

/// The RTL's side of the queue.
pub(super) struct Recorder {
    cycles: Cycles,
    /// Batches handed over.
    number: u64,
    at_once: usize,
    spills: bool,
    queue: SyncSender<Batch>,
    /// Batches that were taken, for their room.
    taken: Receiver<Cycles>,
}

impl Recorder {
    /// Hands over what there is.
    fn hand_over(&mut self, last: bool) -> Result<(), Halt> {
        let mut room = self.taken.try_recv().unwrap_or_default();
        room.clear();
        let cycles = std::mem::replace(&mut self.cycles, room);
        let batch = Batch { number: self.number, cycles, last };
        self.number += 1;
        self.queue.send(batch).map_err(|_| Halt::Refused)
    }
}

impl Watch for Recorder {
    type Events = Cycles;

    #[inline]
    fn events(&mut self) -> &mut Cycles {
        &mut self.cycles
    }

    fn expects_spills(&self) -> bool {
        self.spills
    }

    fn instruction(&self, _tag: Tag) -> Option<InWords> {
        None
    }

    fn recorded(&mut self, record: RecordedCta) {
        self.cycles.recorded(record);
    }

    #[inline]
    fn edge(&mut self, edge: &Edge<'_>) -> Result<(), Halt> {
        self.cycles.edge(edge);
        if self.cycles.len() < self.at_once { Ok(()) } else { self.hand_over(false) }
    }
}

/// Runs `drive`, which shows cycles to its recorder, while `taker` takes them on another thread. Where
/// `taker` fails that is the outcome; else it is how `drive` ended, after all its cycles were taken.
///
/// # Errors
/// What `taker` says, or cycles that it did not take.
///
/// # Panics
/// As `taker` does, and as `drive` does where `taker` finds nothing.
pub(super) fn beside<T: Taker, R>(
    taker: &mut T,
    queue: CheckQueue,
    spills: bool,
    drive: impl FnOnce(&mut Recorder) -> R,
) -> Result<R, RunError> {
    let at_once = (queue.cycles / BATCHES).clamp(1, MOST_AT_ONCE);
    let (sender, receiver) = sync_channel((queue.cycles / at_once).max(1));
    let (room, taken) = channel();
    std::thread::scope(|scope| {
        let pause = queue.pause;
        let taking = Builder::new()
            .name("checking".to_owned())
            .spawn_scoped(scope, move || take_all(taker, pause, receiver, room))
            .map_err(|e| RunError::Unchecked { message: format!("no thread for the checking side: {e}") })?;
        let cycles = Cycles::default();
        let mut recorder = Recorder { cycles, number: 0, at_once, spills, queue: sender, taken };
        let driven = catch_unwind(AssertUnwindSafe(|| drive(&mut recorder)));
        // Where it is refused, the other side has a reason.
        let handed_over = recorder.hand_over(true);
        drop(recorder);
        taking.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let driven = driven.unwrap_or_else(|panic: Box<dyn Any + Send>| resume_unwind(panic));
        match handed_over {
            Ok(()) => Ok(driven),
            Err(_) => Err(RunError::Unchecked { message: "the checking side ended early".to_owned() }),
        }
    })
}

/// Takes everything that comes, in order, up to the last.
#[expect(clippy::needless_pass_by_value, reason = "the queue is closed when this ends")]
fn take_all<T: Taker>(
    taker: &mut T,
    pause: Duration,
    queue: Receiver<Batch>,
    room: Sender<Cycles>,
) -> Result<(), RunError> {
    let broken = |message: String| Err(RunError::Unchecked { message });
    let mut expected = 0;
    while let Ok(Batch { number, cycles, last }) = queue.recv() {
        if number != expected {
            return broken(format!("batch {number} of cycles came instead of batch {expected}"));
        }
        expected += 1;
        if !pause.is_zero() {
            sleep(pause);
        }
        taker.take(&cycles)?;
        if last {
            return Ok(());
        }
        // The RTL's side may have ended.
        let _ = room.send(cycles);
    }
    broken(format!("the queue of the cycles to be checked closed after {expected} batches"))
}

#[cfg(test)]
mod tests;
