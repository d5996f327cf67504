//! The program as parsed beside the allocated one, in the order of the machine under test.

use heddle_functional::{Golden, Replay, ReplayError};
use heddle_port::{Cycle, Tag};
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

    /// The golden machine refuses the access of its tag `tag`: the compiler is to blame where the program as parsed
    /// accesses something else.
    pub(super) fn replay_refused(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let Self { golden, replay, .. } = self;
        let (Some(replay), Some(expected)) = (replay, golden.expected(tag)) else { return Ok(()) };
        let result = replay.refused(expected);
        self.replayed(cycle, result)
    }
}
