//! What the warps of a CTA did, instruction by instruction, where it is recorded and not computed.

use std::sync::Arc;

use heddle_port::{LaneMask, NUM_LANES};

use crate::operand::Pc;

/// Addresses of the lanes of an access, in the 32-bit address space of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lanes {
    /// The `n`-th executing lane accesses `first + n * stride`.
    Stride {
        /// Address of the lowest executing lane.
        first: u32,
        /// Distance from lane to lane, modulo 2^32.
        stride: u32,
    },
    /// One address for each executing lane, the lowest lane first.
    Each(Box<[u32]>),
}

impl Lanes {
    /// The shortest form of `addresses`, one for each executing lane.
    #[must_use]
    pub fn new(addresses: &[u32]) -> Self {
        let first = addresses.first().copied().unwrap_or(0);
        let stride = addresses.get(1).map_or(0, |second| second.wrapping_sub(first));
        let regular = addresses.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == stride);
        if regular { Self::Stride { first, stride } } else { Self::Each(addresses.into()) }
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Stride { .. } => 0,
                Self::Each(addresses) => size_of_val::<[u32]>(addresses),
            }
    }

    /// Puts the addresses into the lanes of `mask`.
    pub fn expand(&self, mask: LaneMask, out: &mut [u64; NUM_LANES]) {
        match self {
            Self::Stride { first, stride } => {
                let mut address = *first;
                for lane in mask.lanes() {
                    out[lane] = u64::from(address);
                    address = address.wrapping_add(*stride);
                }
            }
            Self::Each(addresses) => {
                for (lane, address) in mask.lanes().zip(addresses) {
                    out[lane] = u64::from(*address);
                }
            }
        }
    }
}

/// One executed warp instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Instruction.
    pub pc: Pc,
    /// Lanes that executed it.
    pub mask: LaneMask,
    /// Place of its addresses in [`RecordedWarp::lanes`], for a memory access.
    pub lanes: Option<u32>,
}

/// The instructions that one warp executed, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordedWarp {
    /// Instructions.
    pub steps: Vec<Step>,
    /// Addresses of the memory accesses among them.
    pub lanes: Vec<Lanes>,
}

impl RecordedWarp {
    /// Bytes in memory, as [`Lanes::bytes`] and [`Step`] add up.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val::<[Step]>(&self.steps) + self.lanes.iter().map(Lanes::bytes).sum::<usize>()
    }

    /// The addresses of step `index`, where it is a memory access.
    #[must_use]
    pub fn addresses(&self, index: usize) -> Option<&Lanes> {
        let place = self.steps.get(index)?.lanes?;
        self.lanes.get(place as usize)
    }
}

/// What the warps of one CTA executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedCta {
    /// CTA number in the grid, x fastest.
    pub number: u64,
    /// By warp of the CTA.
    pub warps: Vec<Arc<RecordedWarp>>,
}

#[cfg(test)]
mod tests {
    use super::Lanes;
    use heddle_port::LaneMask;

    #[test]
    fn addresses_survive_the_short_form() {
        for (mask, addresses) in [
            (0xF0F0_0000u32, vec![8u32, 12, 16, 20, 24, 28, 32, 36]),
            (0b111, vec![100, 96, 92]),
            (0b1011, vec![7, 1, u32::MAX]),
            (0b10, vec![5]),
        ] {
            let mut out = [u64::MAX; 32];
            let lanes = Lanes::new(&addresses);
            lanes.expand(LaneMask(mask), &mut out);
            let back: Vec<u64> = LaneMask(mask).lanes().map(|l| out[l]).collect();
            assert_eq!(back, addresses.iter().map(|&a| u64::from(a)).collect::<Vec<_>>(), "{lanes:?}");
        }
        assert!(matches!(Lanes::new(&[4, 8, 12]), Lanes::Stride { first: 4, stride: 4 }));
        assert!(matches!(Lanes::new(&[4, 8, 13]), Lanes::Each(_)));
    }
}
