//! The sectors of lines that are on their way from the off-chip memory.

use super::FILLS;

/// Which line and sectors each fill under way is for; its number is the id of the lower request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fills {
    line: [Option<(u16, u8)>; FILLS],
}

impl Default for Fills {
    fn default() -> Self {
        Self { line: [None; FILLS] }
    }
}

impl Fills {
    /// Takes the lowest free number for a fill of `sectors` of the line at `index`; `None` if all are taken.
    pub fn start(&mut self, index: usize, sectors: u8) -> Option<u16> {
        let id = self.line.iter().position(Option::is_none)?;
        self.line[id] = u16::try_from(index).ok().map(|line| (line, sectors));
        u16::try_from(id).ok()
    }

    /// Whether another fill can start.
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.line.contains(&None)
    }

    /// The fill `id` has come: its line and sectors. `None` if there is no such fill.
    pub fn finish(&mut self, id: u16) -> Option<(usize, u8)> {
        self.line.get_mut(usize::from(id))?.take().map(|(line, sectors)| (usize::from(line), sectors))
    }

    /// No fill is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.line.iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::{FILLS, Fills};

    #[test]
    fn the_lowest_free_number_is_taken() {
        let mut fills = Fills::default();
        assert_eq!((fills.start(7, 1), fills.start(9, 6)), (Some(0), Some(1)));
        assert_eq!(fills.finish(0), Some((7, 1)));
        assert_eq!(fills.finish(0), None);
        assert_eq!(fills.start(11, 1), Some(0));
        for index in 2..FILLS {
            assert!(fills.start(index, 1).is_some());
        }
        assert!(!fills.has_room());
        assert_eq!(fills.start(40, 1), None);
        assert_eq!(fills.finish(200), None);
    }
}
