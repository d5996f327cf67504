//! Grids of costs.

use super::tokens::Tokens;
use super::{InputError, InputFile};

/// Rows at most, and the largest cost: together the cost of a path stays below 2 to the power of 31.
const MAX_ROWS: usize = 1 << 15;
const MAX_COST: u32 = (1 << 16) - 1;

/// A grid of costs with two rows at least.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostGrid {
    /// Cells of a row.
    pub columns: usize,
    /// Row by row.
    pub cells: Vec<u32>,
}

impl CostGrid {
    /// Rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.cells.len() / self.columns.max(1)
    }

    /// Reads a text with a row a line, all of one length. Empty lines are left out.
    ///
    /// # Errors
    /// [`InputError::Word`] at what is no cost, and where a row is too long or too short, or is one too many;
    /// [`InputError::Unfit`] with fewer than two rows.
    pub fn parse(file: &InputFile) -> Result<Self, InputError> {
        let expected = format!("a cost, 0 to {MAX_COST}");
        let mut tokens = Tokens::new(file);
        let mut grid = Self { columns: 0, cells: Vec::new() };
        let mut rows = 0;
        let mut next = tokens.next();
        while let Some(first) = next {
            if rows == MAX_ROWS {
                return Err(tokens.wrong(next, format!("the end of the file after {MAX_ROWS} rows")));
            }
            let before = grid.cells.len();
            while let Some(word) = next.filter(|w| w.line == first.line) {
                let cost = str::from_utf8(word.bytes).ok().and_then(|w| w.parse().ok());
                let cost = cost.filter(|&cost| cost <= MAX_COST);
                grid.cells.push(cost.ok_or_else(|| tokens.wrong(next, expected.as_str()))?);
                next = tokens.next();
            }
            let columns = grid.cells.len() - before;
            if rows == 0 {
                grid.columns = columns;
            }
            if columns != grid.columns {
                let expected = format!("a row of {} costs", grid.columns);
                return Err(tokens.wrong_at(Some(first), expected, columns.to_string()));
            }
            rows += 1;
        }
        if rows < 2 {
            return Err(file.unfit("two rows of costs at least", rows.to_string()));
        }
        Ok(grid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: impl Into<Vec<u8>>) -> Result<CostGrid, String> {
        CostGrid::parse(&InputFile::new("g", text.into())).map_err(|e| e.to_string())
    }

    #[test]
    fn rows_are_lines() {
        let grid = parse("1 2 3\n\n 65535 0 7").expect("a grid");
        assert_eq!(grid, CostGrid { columns: 3, cells: vec![1, 2, 3, 65_535, 0, 7] });
        assert_eq!(grid.rows(), 2);
        assert_eq!(parse("4\n5\n6\n").expect("one column").rows(), 3);
    }

    #[test]
    fn faults_are_shown() {
        let error = |text: &str| parse(text).expect_err("a fault");
        assert_eq!(error("1 2\n3 x\n"), "g:2:3: expected a cost, 0 to 65535, found 'x'");
        assert_eq!(error("1 2\n-3 4\n"), "g:2:1: expected a cost, 0 to 65535, found '-3'");
        assert_eq!(error("1 65536"), "g:1:3: expected a cost, 0 to 65535, found '65536'");
        assert_eq!(error("1 2\n3\n"), "g:2:1: expected a row of 2 costs, found 1");
        assert_eq!(error("1\n 2 3\n"), "g:2:2: expected a row of 1 costs, found 2");
        assert_eq!(error("1 2 3"), "g: expected two rows of costs at least, found 1");
        assert_eq!(error(" \n"), "g: expected two rows of costs at least, found 0");
        let long = "7\n".repeat(MAX_ROWS);
        assert_eq!(parse(long.clone()).map(|g| g.rows()), Ok(MAX_ROWS));
        let error = error(&format!("{long}8"));
        assert_eq!(error, "g:32769:1: expected the end of the file after 32768 rows, found '8'");
    }
}
