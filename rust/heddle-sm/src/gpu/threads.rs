//! The threads of the host that a GPU runs on.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// So many threads could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{count} threads cannot be started: {reason}")]
pub struct ThreadsError {
    /// Threads asked for.
    pub count: usize,
    /// Why not.
    pub reason: String,
}

/// A number of threads.
#[derive(Debug)]
pub struct Threads {
    count: usize,
    /// None of one thread, which is the caller's.
    pool: Option<ThreadPool>,
}

impl Threads {
    /// `count` threads, one at least.
    ///
    /// # Errors
    /// [`ThreadsError`]
    pub fn new(count: usize) -> Result<Self, ThreadsError> {
        let count = count.max(1);
        let failed = |error: rayon::ThreadPoolBuildError| ThreadsError { count, reason: error.to_string() };
        let pool = match count {
            1 => None,
            _ => Some(ThreadPoolBuilder::new().num_threads(count).build().map_err(failed)?),
        };
        Ok(Self { count, pool })
    }

    /// How many.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Does `work` on all threads at once, with the number of the thread.
    pub(super) fn each(&self, work: impl Fn(usize) + Sync) {
        match &self.pool {
            None => work(0),
            Some(pool) => {
                pool.broadcast(|thread| work(thread.index()));
            }
        }
    }
}
