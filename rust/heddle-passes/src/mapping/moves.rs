//! The moves of a bank: how often one row is accessed directly after another.

/// Move counts of one bank: C of section 4.3.1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveCounts {
    rows: usize,
    /// Counts from row a to row b at a * rows + b.
    counts: Vec<u64>,
    last: Option<usize>,
}

impl MoveCounts {
    /// A bank of `rows` rows without accesses.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        Self { rows, counts: vec![0; rows * rows], last: None }
    }

    /// The counts of a trace of rows, each below `rows`.
    #[must_use]
    pub fn of(rows: usize, trace: &[usize]) -> Self {
        let mut moves = Self::new(rows);
        trace.iter().for_each(|&row| moves.access(row));
        moves
    }

    /// The next access of the trace; a row that the bank does not have is no access of it.
    #[inline]
    pub fn access(&mut self, row: usize) {
        if row >= self.rows {
            return;
        }
        if let Some(last) = self.last.replace(row) {
            self.counts[last * self.rows + row] += 1;
        }
    }

    /// A new trace begins: the next access follows none.
    pub fn interrupt(&mut self) {
        self.last = None;
    }

    /// Rows of the bank.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Moves between two rows, both ways: the weight of their edge.
    #[inline]
    #[must_use]
    pub fn between(&self, a: usize, b: usize) -> u64 {
        self.counts[a * self.rows + b] + self.counts[b * self.rows + a]
    }

    /// All moves.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// All moves that occur, as (from, to, count).
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let rows = self.rows;
        self.counts.iter().enumerate().filter(|(_, c)| **c > 0).map(move |(i, &c)| (i / rows, i % rows, c))
    }
}
