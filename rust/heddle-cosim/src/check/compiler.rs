//! The program as parsed beside the allocated one, in the order of the machine under test.

use heddle_functional::{Golden, Replay, ReplayError};
use heddle_port::Cycle;
use heddle_sm::Stop;

use super::{Checker, HISTORY};
use crate::compiler::difference;

impl Checker<'_> {
    /// The program as parsed is to make the same accesses in the same order.
    #[must_use]
    pub fn with_replay(mut self, replay: Replay) -> Self {
        self.replay = Some(Box::new(replay));
        self
    }

    /// Both machines, after the launch.
    #[must_use]
    pub fn into_machines(self) -> (Golden, Option<Replay>) {
        (self.golden, self.replay.map(|replay| *replay))
    }

    /// Goes on or stops, by what the replay says.
    pub(super) fn replayed(&mut self, cycle: Cycle, result: Result<(), ReplayError>) -> Result<(), Stop> {
        let Err(error) = result else { return Ok(()) };
        let mut mismatch = difference(&error, self.launch, self.cycle(cycle));
        mismatch.history = self.history.recent(HISTORY);
        self.stop(mismatch)
    }
}
