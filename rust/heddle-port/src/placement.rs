//! Levels of a software-managed register hierarchy, as [`Issue`](crate::Issue) names them: the main register file, an
//! operand register file of a few entries a thread, and a last result file of one entry a thread.

/// Where a source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum SourceLevel {
    /// The main register file.
    #[default]
    Main = 0,
    /// The operand register file.
    Operand = 1,
    /// The last result file.
    Last = 2,
    /// The main register file; what is read is written to the operand register file, too.
    Fill = 3,
}

impl SourceLevel {
    /// The level with this code: the lowest two bits count.
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        [Self::Main, Self::Operand, Self::Last, Self::Fill][usize::from(code & 3)]
    }
}

/// Where a result is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum ResultLevel {
    /// The main register file.
    #[default]
    Main = 0,
    /// The operand register file alone.
    Operand = 1,
    /// The last result file alone.
    Last = 2,
    /// The operand and the main register file.
    Both = 3,
}

impl ResultLevel {
    /// The level with this code: the lowest two bits count.
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        [Self::Main, Self::Operand, Self::Last, Self::Both][usize::from(code & 3)]
    }
}
