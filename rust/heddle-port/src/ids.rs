//! Newtypes for the numbers that must not be mixed up.

use std::fmt;

use crate::members::members;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident($inner:ty), $prefix:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        pub struct $name(pub $inner);

        impl $name {
            /// The number as an array index.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(
    /// A 32-bit register: architectural (R0..R254) after allocation, virtual before.
    Reg(u32), "R"
);
id!(
    /// A hardware warp slot of the SM.
    WarpSlot(u8), "W"
);
id!(
    /// Identifies an instruction between its issue and its last result.
    Tag(u16), "T"
);
id!(
    /// A clock cycle since the start of the kernel.
    Cycle(u64), ""
);

/// A set of lanes of one warp, bit i for lane i.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LaneMask(pub u32);

impl LaneMask {
    /// No lane.
    pub const NONE: Self = Self(0);
    /// All 32 lanes.
    pub const ALL: Self = Self(u32::MAX);

    /// Whether no lane is set.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether lane `lane` (0..32) is set.
    #[inline]
    #[must_use]
    pub fn has(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// Number of lanes set.
    #[inline]
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The set lanes, lowest first.
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        members(self.0)
    }
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaneMask({:#010x})", self.0)
    }
}

impl fmt::Display for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

impl std::ops::BitAnd for LaneMask {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl std::ops::BitOr for LaneMask {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::ops::Not for LaneMask {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}
